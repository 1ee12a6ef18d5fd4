//! A piece of an object: what the kernel of convex pairs takes.

use crate::exact::extremes::box_around;
use crate::narrow_phase::contact::internal_edges::has_area;
use crate::narrow_phase::contact::triangle_source::SourceTriangle;
use crate::narrow_phase::convex::Convex;
use crate::{Primitive, TriangleId};
use glam::DVec3;

/// A triangle of an object, or a solid: all of an object, or a part of a compound.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'a> {
    Triangle(SourceTriangle),
    /// With the number of its part; 0 where it is all of the object.
    Solid(u32, &'a Primitive),
}

impl Piece<'_> {
    /// Its place in the order of the object's pieces.
    pub(crate) fn id(&self) -> TriangleId {
        match self {
            Self::Triangle(triangle) => triangle.id,
            Self::Solid(part, _) => TriangleId {
                part: *part,
                triangle: 0,
            },
        }
    }

    pub(crate) fn convex(&self) -> Convex<'_> {
        match self {
            Self::Triangle(triangle) => triangle.convex(),
            Self::Solid(_, solid) => Convex::from(*solid),
        }
    }

    pub(crate) fn triangle(&self) -> Option<&SourceTriangle> {
        match self {
            Self::Triangle(triangle) => Some(triangle),
            Self::Solid(..) => None,
        }
    }

    /// Whether it is a triangle without area, which nothing hits.
    pub(crate) fn is_degenerate(&self) -> bool {
        self.triangle()
            .is_some_and(|triangle| !has_area(&triangle.corners))
    }

    /// The corners of a box around it.
    pub(crate) fn bounds(&self) -> [DVec3; 2] {
        match self {
            Self::Triangle(triangle) => box_around(&triangle.corners),
            Self::Solid(_, solid) => {
                let bounds = solid.bounds();
                [bounds.min().as_dvec3(), bounds.max().as_dvec3()]
            }
        }
    }
}
