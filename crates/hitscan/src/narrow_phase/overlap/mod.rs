//! Overlap of two shapes, decided exactly: triangles, spheres, capsules, boxes axis-aligned or
//! oriented, and closed surfaces.
//!
//! Triangles and closed surfaces are decided here, primitives by the kernel of convex shapes
//! (`crate::narrow_phase::convex`). Every decision is the exact sign of a formula on the f64 input
//! (`crate::exact::adaptive`), never a tolerance. Trees and worlds find the pairs.
//!
//! # Which kind
//! Shapes are closed sets; triangles without area never overlap anything. Except for triangles in one
//! plane, one rule separates the kinds: shapes that *touch* can be parted by a move, however
//! small, and shapes that *cross* or *contain* one another cannot.
//!
//! | kind | triangles | triangle and solid | two solids |
//! |---|---|---|---|
//! | touch | a point, or a segment that lies in an edge of one | only the boundary is touched | only boundaries touch |
//! | cross | each has points strictly on both sides of the other, and they share a segment | the triangle intersects the interior and leaves the solid | the interiors intersect, neither lies in the other |
//! | contains | | the triangle intersects the interior and stays in the solid | one lies in the other, boundary included |
//! | coplanar | one plane, and a common area | | |
//!
//! A flat box has no interior, but the rule still holds: one that cuts through a triangle or
//! another box crosses it, one that lies in a triangle's plane or in another box's face touches it,
//! and one strictly inside a box is contained. For two boxes this is the same rule by which a moving
//! box overlaps at its start, [`Aabb::overlaps`](crate::Aabb::overlaps).
//!
//! # Accuracy
//! Decisions are exact, and points of answers are the exact ones rounded once to the nearest f32,
//! for coordinates up to 1e40 that are f32 values, or zero, or not below 1e-38 in magnitude: then
//! no product leaves f64's range. So no answer depends on the order of arguments or corners, but for
//! the direction of a segment and the names of first and second. Beyond that range, and for what is
//! not finite, answers mean nothing, but nothing panics.

mod orientation;
mod under;
mod winding;
mod closed_surface;
mod crossing_point;
mod coplanar;
mod triangle_triangle;
mod primitive;

pub use closed_surface::ClosedSurface;
pub use primitive::PrimitiveOverlap;
pub use triangle_triangle::triangle_triangle;
pub(crate) use under::is_under;
pub use winding::{Location, WindingNumber};

use glam::Vec3;

/// How two shapes overlap; the [module](self) says when which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverlapKind {
    /// They pass through one another.
    Cross,
    /// Two triangles of one plane share an area.
    Coplanar,
    /// They share boundary points only.
    Touch,
    /// One lies in the other.
    Contains,
}

impl OverlapKind {
    /// The kind's name in tables: `cross`, `coplanar`, `touch` or `contains`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cross => "cross",
            Self::Coplanar => "coplanar",
            Self::Touch => "touch",
            Self::Contains => "contains",
        }
    }
}

/// How a triangle overlaps a triangle or a solid, and along which segment.
///
/// ```
/// use hitscan::glam::{DVec3, Vec3};
/// use hitscan::overlap::{OverlapKind, triangle_triangle};
/// let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0]].map(DVec3::from);
/// let blade = [[1.0, -1.0, 1.0], [2.0, -1.0, 1.0], [1.0, 3.0, 1.0]].map(DVec3::from);
/// let overlap = triangle_triangle(&floor, &blade).unwrap();
/// assert_eq!(overlap.kind, OverlapKind::Cross);
/// assert_eq!(overlap.segment, Some([Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.75, 0.0, 1.0)]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// How they overlap.
    pub kind: OverlapKind,
    /// The common part of two triangles, each end the nearest f32 to the exact one and never -0;
    /// both ends are equal where the common part is a point. `None` for a common area and for solids.
    pub segment: Option<[Vec3; 2]>,
}

impl Overlap {
    /// An overlap without a segment.
    fn of_kind(kind: OverlapKind) -> Self {
        let segment = None;
        Self { kind, segment }
    }
}
