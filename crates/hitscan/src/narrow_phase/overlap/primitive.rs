//! The overlap of two primitives, and of a triangle and a primitive.
//!
//! Whether they overlap or touch is the status of the resting shapes; one contains the other if it holds
//! the corners of the other's core with its radius around them, as both are convex.

use super::{Overlap, OverlapKind};
use crate::narrow_phase::convex::{Convex, resting_status};
use crate::{Aabb, Primitive};
use core::cmp::Ordering;
use glam::DVec3;

/// How two solids overlap, and which of them lies in the other.
///
/// ```
/// use hitscan::overlap::{OverlapKind, PrimitiveOverlap};
/// use hitscan::{Aabb, Primitive};
/// let hall = Primitive::from(Aabb::new([0.0; 3], [9.0; 3])?);
/// let pillar = Primitive::from(Aabb::new([1.0, 0.0, 1.0], [2.0, 9.0, 2.0])?);
/// let overlap = pillar.overlap(&hall).unwrap();
/// assert_eq!(overlap, PrimitiveOverlap::SecondContains);
/// assert_eq!(overlap.kind(), OverlapKind::Contains);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrimitiveOverlap {
    /// Their interiors intersect, and neither lies in the other.
    Cross,
    /// Only their boundaries touch.
    Touch,
    /// The second lies in the first, boundary included; so it is for equal ones.
    FirstContains,
    /// The first lies in the second, boundary included.
    SecondContains,
}

impl PrimitiveOverlap {
    /// The kind without which one contains the other.
    #[must_use]
    pub fn kind(self) -> OverlapKind {
        match self {
            Self::Cross => OverlapKind::Cross,
            Self::Touch => OverlapKind::Touch,
            Self::FirstContains | Self::SecondContains => OverlapKind::Contains,
        }
    }

    /// The same overlap with first and second exchanged.
    #[must_use]
    pub fn exchanged(self) -> Self {
        match self {
            Self::FirstContains => Self::SecondContains,
            Self::SecondContains => Self::FirstContains,
            Self::Cross | Self::Touch => self,
        }
    }
}

impl Primitive {
    /// How this primitive (first) and another (second) overlap, or `None` where they are apart; see
    /// [`overlap`](crate::narrow_phase::overlap).
    ///
    /// A sphere that touches another from inside lies in it. A flat box in a face of another touches it,
    /// and so do two flat boxes of one plane.
    ///
    /// # Accuracy
    /// Exact, see [the module](crate::narrow_phase::overlap#accuracy); an oriented box is the shape that
    /// [`Obb`](crate::Obb) describes.
    ///
    /// ```
    /// use hitscan::overlap::PrimitiveOverlap;
    /// use hitscan::{Capsule, Primitive};
    /// let post = Primitive::from(Capsule::new([0.0; 3], [0.0, 4.0, 0.0], 1.0)?);
    /// let rail = Primitive::from(Capsule::new([-5.0, 2.0, 3.0], [5.0, 2.0, 3.0], 2.0)?);
    /// assert_eq!(post.overlap(&rail), Some(PrimitiveOverlap::Touch));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn overlap(&self, other: &Self) -> Option<PrimitiveOverlap> {
        if let (Self::Aabb(first), Self::Aabb(second)) = (self, other) {
            return boxes(first, second);
        }
        let (first, second) = (Convex::from(self), Convex::from(other));
        Some(match resting_status(&first, &second) {
            Ordering::Greater => return None,
            Ordering::Equal => PrimitiveOverlap::Touch,
            Ordering::Less if first.holds(&second) => PrimitiveOverlap::FirstContains,
            Ordering::Less if second.holds(&first) => PrimitiveOverlap::SecondContains,
            Ordering::Less => PrimitiveOverlap::Cross,
        })
    }

    /// How a triangle, its corners in metres, overlaps the primitive; `None` where they are apart or the
    /// triangle has no area. See [`overlap`](crate::narrow_phase::overlap).
    ///
    /// A triangle in a face of a box touches it. There is no segment.
    ///
    /// # Accuracy
    /// Exact, see [the module](crate::narrow_phase::overlap#accuracy).
    ///
    /// ```
    /// use hitscan::glam::DVec3;
    /// use hitscan::overlap::OverlapKind;
    /// use hitscan::{Primitive, Sphere};
    /// let floor = [[-9.0, 0.0, -9.0], [0.0, 0.0, 9.0], [9.0, 0.0, -9.0]].map(DVec3::from);
    /// let ball = |radius| Sphere::new([0.0, 2.0, 0.0], radius).map(Primitive::from);
    /// assert_eq!(ball(2.0)?.triangle_overlap(&floor).unwrap().kind, OverlapKind::Touch);
    /// assert_eq!(ball(2.0f64.next_down())?.triangle_overlap(&floor), None);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn triangle_overlap(&self, corners: &[DVec3; 3]) -> Option<Overlap> {
        let (triangle, solid) = (Convex::triangle(*corners), Convex::from(self));
        Some(Overlap::of_kind(match resting_status(&triangle, &solid) {
            Ordering::Greater => return None,
            Ordering::Equal => OverlapKind::Touch,
            Ordering::Less if solid.holds(&triangle) => OverlapKind::Contains,
            Ordering::Less => OverlapKind::Cross,
        }))
    }
}

/// The same for axis-aligned boxes, by comparisons alone.
fn boxes(first: &Aabb, second: &Aabb) -> Option<PrimitiveOverlap> {
    let holds = |a: &Aabb, b: &Aabb| a.contains(b.min()) && a.contains(b.max());
    if !first.touches(second) {
        None
    } else if !first.overlaps(second) {
        Some(PrimitiveOverlap::Touch)
    } else if holds(first, second) {
        Some(PrimitiveOverlap::FirstContains)
    } else if holds(second, first) {
        Some(PrimitiveOverlap::SecondContains)
    } else {
        Some(PrimitiveOverlap::Cross)
    }
}
