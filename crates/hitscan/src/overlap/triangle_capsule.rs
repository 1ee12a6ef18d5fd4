//! A triangle and a solid capsule.

use super::orientation::{edges, flattening, plane_side};
use super::segment::compare_segments;
use super::triangle_sphere::compare_point_triangle;
use super::{Overlap, OverlapKind};
use crate::Capsule;
use core::cmp::Ordering;
use glam::DVec3;

/// How a triangle overlaps the solid capsule, or `None` where they are apart or the triangle has no
/// area.
///
/// There is no segment.
///
/// # Shape and units
/// Corners in metres, finite.
///
/// # Accuracy
/// Exact, see [the module](super#accuracy): it touches exactly where the distance from the
/// capsule's segment equals the radius.
///
/// ```
/// use hitscan::{Capsule, glam::DVec3};
/// use hitscan::overlap::{OverlapKind, triangle_capsule};
/// let floor = [[-9.0, 0.0, -9.0], [0.0, 0.0, 9.0], [9.0, 0.0, -9.0]].map(DVec3::from);
/// let guard = Capsule::new([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.5)?;
/// assert_eq!(triangle_capsule(&floor, &guard).unwrap().kind, OverlapKind::Touch);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn triangle_capsule(triangle: &[DVec3; 3], capsule: &Capsule) -> Option<Overlap> {
    flattening(triangle)?;
    let is_held = |corner: &DVec3| capsule.compare_distance(*corner, 0.0).is_le();
    if triangle.iter().all(is_held) {
        // No plane lies in a capsule's surface, so its interior holds some of the triangle.
        return Some(Overlap::of_kind(OverlapKind::Contains));
    }
    let segment = capsule.segment();
    if pierces(segment, triangle) {
        return Some(Overlap::of_kind(OverlapKind::Cross));
    }
    let limit = [capsule.radius(), 0.0];
    let by_edges = edges(triangle).map(|[p, q, _]| compare_segments(segment, [p, q], limit));
    let by_ends = segment.map(|end| compare_point_triangle(triangle, end, capsule.radius()));
    let kind = match by_edges.into_iter().chain(by_ends).min()? {
        Ordering::Less => OverlapKind::Cross,
        Ordering::Equal => OverlapKind::Touch,
        Ordering::Greater => return None,
    };
    Some(Overlap::of_kind(kind))
}

/// Whether the segment goes through the triangle from one side to the other.
fn pierces([p, q]: [DVec3; 2], triangle: &[DVec3; 3]) -> bool {
    let (from, to) = (plane_side(triangle, p), plane_side(triangle, q));
    if from.is_eq() || to.is_eq() || from == to {
        return false;
    }
    let turns = edges(triangle).map(|[a, b, _]| plane_side(&[p, q, a], b));
    turns.iter().all(|turn| turn.is_ge()) || turns.iter().all(|turn| turn.is_le())
}
