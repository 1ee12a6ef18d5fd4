//! Colliders: solids and terrain that are in the world in place of an entity's mesh.

mod scale;
mod solids;
mod terrain_mesh;
mod image_heights;
mod height_map;
#[cfg(feature = "height_maps")]
mod height_map_loader;
mod height_field;

pub use height_field::HeightFieldCollider;
pub(crate) use height_field::placed;
pub use height_map::HeightMap;
#[cfg(feature = "height_maps")]
pub use height_map_loader::{HeightMapError, HeightMapLoader, HeightMapSettings};
pub use image_heights::ImageHeights;
pub use solids::HitscanCollider;
