//! A triangle and a solid box.

use super::orientation::{bounds, edges, flattened, plane_side, relative, turn};
use super::{Overlap, OverlapKind};
use crate::Aabb;
use core::cmp::Ordering;
use glam::DVec3;

/// How a triangle overlaps the solid box, or `None` where they are apart or the triangle has no area.
///
/// A triangle in a face of the box touches it. There is no segment.
///
/// # Shape and units
/// Corners in metres, finite, in the box's space.
///
/// # Accuracy
/// Exact, see [the module](super#accuracy).
///
/// # Source
/// Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", Journal of Graphics Tools 6(1), 2001:
/// the thirteen separating axes. Here each axis is classified by orientations of the given
/// points, without the rounding of a centre and half sizes, and separates touching from overlapping.
///
/// ```
/// use hitscan::{Aabb, glam::DVec3};
/// use hitscan::overlap::{OverlapKind, triangle_aabb};
/// let crate_box = Aabb::new([0.0; 3], [2.0; 3])?;
/// let slope = |y: f64| [[3.0, y, 0.0], [0.0, y + 3.0, 0.0], [0.0, y, 3.0]].map(DVec3::from);
/// let kind = |y| triangle_aabb(&slope(y), &crate_box).map(|overlap| overlap.kind);
/// assert_eq!(kind(0.0), Some(OverlapKind::Cross));
/// assert_eq!(kind(3.0), None);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn triangle_aabb(triangle: &[DVec3; 3], aabb: &Aabb) -> Option<Overlap> {
    let solid = [aabb.min().as_dvec3(), aabb.max().as_dvec3()];
    let by_bounds = bounds_contact(triangle, solid);
    if by_bounds == AxisContact::Separate {
        return None;
    }
    let contact = (0..3)
        .map(|axis| edges_contact(triangle, solid, axis))
        .fold(by_bounds.max(plane_contact(triangle, solid)?), Ord::max);
    let kind = match contact {
        AxisContact::Separate => return None,
        AxisContact::Touching => OverlapKind::Touch,
        AxisContact::Overlapping if is_inside(triangle, solid) => OverlapKind::Contains,
        AxisContact::Overlapping => OverlapKind::Cross,
    };
    Some(Overlap::of_kind(kind))
}

/// The relation of two shapes' intervals along an axis. The greatest answer over all axes counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AxisContact {
    Overlapping,
    Touching,
    Separate,
}

impl AxisContact {
    /// For a value that must be greater than zero for an overlap.
    fn of_depth(depth: Ordering) -> Self {
        match depth {
            Ordering::Greater => Self::Overlapping,
            Ordering::Equal => Self::Touching,
            Ordering::Less => Self::Separate,
        }
    }
}

fn is_inside(triangle: &[DVec3; 3], [min, max]: [DVec3; 2]) -> bool {
    let (low, high) = bounds(triangle);
    min.cmple(low).all() && high.cmple(max).all()
}

/// Along the box's own axes.
fn bounds_contact(triangle: &[DVec3; 3], [min, max]: [DVec3; 2]) -> AxisContact {
    let (low, high) = bounds(triangle);
    if high.cmplt(min).any() || max.cmplt(low).any() {
        AxisContact::Separate
    } else if high.cmple(min).any() || max.cmple(low).any() {
        AxisContact::Touching
    } else {
        AxisContact::Overlapping
    }
}

/// Along the triangle's normal; `None` for a triangle without area.
fn plane_contact(triangle: &[DVec3; 3], [min, max]: [DVec3; 2]) -> Option<AxisContact> {
    let [a, b, c] = *triangle;
    let normal = [0, 1, 2].map(|axis| turn(axis, a, b, c));
    if normal == [Ordering::Equal; 3] {
        return None;
    }
    // The box's corners that are farthest along the normal and against it.
    let mut along = max;
    let mut against = min;
    for axis in 0..3 {
        if normal[axis].is_lt() {
            along[axis] = min[axis];
            against[axis] = max[axis];
        }
    }
    let above = AxisContact::of_depth(plane_side(triangle, along));
    let below = AxisContact::of_depth(plane_side(triangle, against).reverse());
    Some(above.max(below))
}

/// Along the cross products of a box axis with the triangle's three edges: both shapes are
/// flattened along the axis, and each edge's line may part them there.
fn edges_contact(triangle: &[DVec3; 3], [min, max]: [DVec3; 2], axis: usize) -> AxisContact {
    let (i, j) = flattened(axis);
    let mut contact = AxisContact::Overlapping;
    for [p, q, r] in edges(triangle) {
        if p[i] == q[i] && p[j] == q[j] {
            continue;
        }
        // The turn grows with the second coordinate where the edge runs along the first, and
        // shrinks with the first where the edge runs along the second.
        let (mut left, mut right) = (min, min);
        let (most_left, most_right) = if q[i] > p[i] { (max, min) } else { (min, max) };
        (left[j], right[j]) = (most_left[j], most_right[j]);
        let (most_left, most_right) = if q[j] > p[j] { (min, max) } else { (max, min) };
        (left[i], right[i]) = (most_left[i], most_right[i]);
        // The triangle lies on the side of its third corner, or on both where it is flattened to
        // a line: then each side may part.
        let own_side = turn(axis, p, q, r);
        if own_side.is_ge() {
            contact = contact.max(AxisContact::of_depth(turn(axis, p, q, left)));
        }
        if own_side.is_le() {
            let depth = relative(turn(axis, p, q, right), Ordering::Less);
            contact = contact.max(AxisContact::of_depth(depth));
        }
    }
    contact
}
