//! The grid transform of a height map: the positions of its samples in the coordinates of its system.
//!
//! Rows run from north to south and columns from west to east; a map that is turned is refused where
//! its file is read.

use super::crs::{Crs, MapUnit};

/// Which point of a pixel a file's coordinates are of.
///
/// A sample is one height at one point. Where pixels are areas, that point is the pixel's middle,
/// half a cell from the corner that the file's coordinates are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PixelKind {
    /// Coordinates are those of a pixel's outer corner: pixel-is-area.
    Area,
    /// Coordinates are those of the sample: pixel-is-point.
    Point,
}

/// What a file says of its heights beside the numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VerticalReference {
    /// Metres per unit, where the file states a unit.
    pub unit_metres: Option<f64>,
    /// The code and the name of the vertical system, where the file has them.
    pub datum: Option<String>,
}

/// Where a height map is: its system, and the coordinates of its samples.
///
/// Sample (column i, row j) is at easting (or longitude) `first[0] + i * cell[0]` and northing (or
/// latitude) `first[1] - j * cell[1]`, in the system's unit.
///
/// ```
/// use hitscan_assets::heights::read_heights;
/// let bytes = b"ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 6200000\ncellsize 10\n1 2 3\n4 5 6\n";
/// let image = read_heights("tile.asc".as_ref(), bytes, None)?;
/// let georeference = image.georeference().unwrap();
/// assert_eq!(georeference.north_west(), [500005.0, 6200015.0]);
/// assert_eq!(georeference.south_east(), [500025.0, 6200005.0]);
/// # Ok::<(), hitscan_assets::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Georeference {
    /// The system.
    pub crs: Crs,
    /// The coordinates of sample (0, 0), the north-western one.
    pub first: [f64; 2],
    /// The distance between columns and between rows, both more than zero.
    pub cell: [f64; 2],
    /// Columns and rows.
    pub size: [usize; 2],
    /// Which point the file's own coordinates are of; `first` is of the sample in either case.
    pub pixel: PixelKind,
    /// What the file says of its heights.
    pub vertical: VerticalReference,
}

impl Georeference {
    /// The place of a grid whose header gives on each axis the outer corner or the middle of the
    /// south-western cell, and whose system is not named.
    ///
    /// It is in degrees where all of it lies within 180 and 90 and its cells are below 0.1.
    pub(crate) fn of_south_west(
        corner: [Option<f64>; 2],
        center: [Option<f64>; 2],
        cell: [f64; 2],
        size: [usize; 2],
    ) -> Result<Self, NoGeoreference> {
        let middle = |axis: usize, key: &str| match (corner[axis], center[axis]) {
            (_, Some(center)) => Ok(center),
            (Some(corner), None) => Ok(corner + 0.5 * cell[axis]),
            (None, None) => Err(NoGeoreference::Missing(format!(
                "its header has no `{key}`"
            ))),
        };
        let [west, south] = [middle(0, "xllcorner")?, middle(1, "yllcorner")?];
        let north = south + size[1].saturating_sub(1) as f64 * cell[1];
        let pixel = match center {
            [None, None] => PixelKind::Area,
            _ => PixelKind::Point,
        };
        let mut georeference = Self {
            crs: Crs::unnamed(MapUnit::Metre),
            first: [west, north],
            cell,
            size,
            pixel,
            vertical: VerticalReference::default(),
        };
        let east = georeference.south_east()[0];
        let is_on_the_globe = west >= -180.0 && east <= 180.0 && south >= -90.0 && north <= 90.0;
        if is_on_the_globe && cell.iter().all(|&side| side < 0.1) {
            georeference.crs.unit = MapUnit::Degree;
        }
        Ok(georeference)
    }

    /// The coordinates of the first sample of the first row.
    #[must_use]
    pub fn north_west(&self) -> [f64; 2] {
        self.first
    }

    /// The coordinates of the last sample of the last row.
    #[must_use]
    pub fn south_east(&self) -> [f64; 2] {
        let [columns, rows] = self.size.map(|count| count.saturating_sub(1) as f64);
        [
            self.first[0] + columns * self.cell[0],
            self.first[1] - rows * self.cell[1],
        ]
    }

    /// The coordinates of the point midway between the corners.
    #[must_use]
    pub fn middle(&self) -> [f64; 2] {
        let [west, north] = self.north_west();
        let [east, south] = self.south_east();
        [west + (east - west) * 0.5, south + (north - south) * 0.5]
    }

    /// The names of the two coordinates.
    #[must_use]
    pub fn axis_names(&self) -> [&'static str; 2] {
        if self.crs.is_geographic() {
            ["lon", "lat"]
        } else {
            ["easting", "northing"]
        }
    }
}

/// Why a height map has no place on the earth that can be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoGeoreference {
    /// The format has none.
    #[error("files of its kind have none; GeoTIFF, .asc and .hgt have one")]
    Format,
    /// The file has none, or only a part of it.
    #[error("{0}")]
    Missing(String),
    /// The map is turned, sheared or runs from south to north.
    #[error(
        "its rows do not run from west to east and from north to south ({0}); warp it to north-up first, such as with `gdalwarp IN.tif OUT.tif`"
    )]
    Turned(String),
    /// Something in it is not supported.
    #[error("{0}")]
    Unsupported(String),
}
