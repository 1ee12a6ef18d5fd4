//! The rows of a table of shapes: `--shape` and `--hull`.

use crate::arguments::ShapeArgument;
use crate::failure::Failure;
use hitscan::ConvexHull;
use hitscan_ask::ShapeKind;
use hitscan_assets::read_hull;
use std::path::Path;

/// The kind of all rows, or the hull that all of them are.
pub(crate) enum RowShape {
    Kind(ShapeKind),
    Hull(ConvexHull),
}

impl RowShape {
    /// Reads the file of `--hull`, if it is given.
    pub(crate) fn read(shape: ShapeArgument, hull: Option<&Path>) -> Result<Self, Failure> {
        match hull {
            None => Ok(Self::Kind(shape.into())),
            Some(file) if shape == ShapeArgument::Hull => Ok(Self::Hull(read_hull(file)?)),
            Some(_) => Err(Failure::usage("--hull FILE goes with --shape hull")),
        }
    }
}

impl From<ShapeArgument> for ShapeKind {
    fn from(shape: ShapeArgument) -> Self {
        match shape {
            ShapeArgument::Box => Self::Box,
            ShapeArgument::Obb => Self::Obb,
            ShapeArgument::Sphere => Self::Sphere,
            ShapeArgument::Capsule => Self::Capsule,
            ShapeArgument::Hull => Self::Hull,
            ShapeArgument::Cylinder => Self::Cylinder,
        }
    }
}
