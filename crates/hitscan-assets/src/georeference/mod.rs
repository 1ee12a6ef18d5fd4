//! Georeferences: the positions of height maps on the earth, and conversion between a world's metres
//! and a map's coordinates.
//!
//! A file's georeference is read by the readers in `heights`; `map_frame.rs` maps coordinates of a
//! scene's system to x, y, z and back. There is no reprojection: a scene is in one system, that of
//! its files.

mod crs;
mod transform;
mod wgs84;
mod map_frame;
mod geo_tiff;

/// Lines of samples that are closer than this part of a cell are one. Files state corners and cells in
/// decimals: twelve digits put the far border of 10,000 cells within 2^-26 of a cell. For cells of 16 m
/// it is 1 mm.
pub(crate) const SAME_LINE: f64 = 1.0 / 16384.0;

pub use crs::{Crs, MapUnit};
pub use geo_tiff::{GeoSamples, write_geo_tiff};
pub use map_frame::MapFrame;
pub use transform::{Georeference, NoGeoreference, PixelKind, VerticalReference};
pub use wgs84::metres_per_degree;
