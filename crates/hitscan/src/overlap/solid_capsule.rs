//! A capsule and another solid.
//!
//! Distances come from `segment.rs`; what a capsule holds follows from its convexity: it holds a
//! solid if it holds its corners, or the spheres around its ends.

use super::PrimitiveOverlap;
use super::segment::{compare_point_hull, compare_segment_hull, compare_segments};
use crate::shape::box_hull::BoxHull;
use crate::shape::capsule::compare_point_segment;
use crate::{Aabb, Capsule, Obb, Sphere};
use core::cmp::Ordering;

/// How two solid capsules overlap, or `None` where they are apart.
///
/// # Accuracy
/// Exact, see [the module](super#accuracy).
///
/// ```
/// use hitscan::Capsule;
/// use hitscan::overlap::{PrimitiveOverlap, capsule_capsule};
/// let post = Capsule::new([0.0; 3], [0.0, 4.0, 0.0], 1.0)?;
/// let rail = Capsule::new([-5.0, 2.0, 3.0], [5.0, 2.0, 3.0], 2.0)?;
/// assert_eq!(capsule_capsule(&post, &rail), Some(PrimitiveOverlap::Touch));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn capsule_capsule(first: &Capsule, second: &Capsule) -> Option<PrimitiveOverlap> {
    let radii = [first.radius(), second.radius()];
    let holds = |a: &Capsule, b: &Capsule| b.ends().iter().all(|end| holds_sphere(a, end));
    from_distance(
        compare_segments(first.segment(), second.segment(), radii),
        || holds(first, second),
        || holds(second, first),
    )
}

/// How a solid sphere (first) and a solid capsule (second) overlap, or `None` where they are apart.
///
/// # Accuracy
/// Exact, see [the module](super#accuracy).
#[must_use]
pub fn sphere_capsule(sphere: &Sphere, capsule: &Capsule) -> Option<PrimitiveOverlap> {
    from_distance(
        capsule.compare_distance(sphere.center().as_dvec3(), sphere.radius()),
        || {
            let room = [sphere.radius(), -capsule.radius()];
            let center = sphere.center().as_dvec3();
            room[0] >= -room[1]
                && capsule
                    .segment()
                    .into_iter()
                    .all(|end| compare_point_segment(end, [center; 2], room).is_le())
        },
        || holds_sphere(capsule, sphere),
    )
}

/// How a solid capsule (first) and a solid box (second) overlap, or `None` where they are apart.
///
/// # Accuracy
/// Exact, see [the module](super#accuracy).
#[must_use]
pub fn capsule_aabb(capsule: &Capsule, aabb: &Aabb) -> Option<PrimitiveOverlap> {
    capsule_hull(capsule, &BoxHull::from(aabb))
}

/// How a solid capsule (first) and a solid oriented box (second) overlap, or `None` where they are
/// apart.
///
/// # Accuracy
/// Exact on the shape that [`Obb`] describes, see [the module](super#accuracy).
#[must_use]
pub fn capsule_obb(capsule: &Capsule, obb: &Obb) -> Option<PrimitiveOverlap> {
    capsule_hull(capsule, &BoxHull::from(obb))
}

/// How a solid sphere (first) and a solid oriented box (second) overlap, or `None` where they are
/// apart.
///
/// # Accuracy
/// Exact on the shape that [`Obb`] describes, see [the module](super#accuracy).
#[must_use]
pub fn sphere_obb(sphere: &Sphere, obb: &Obb) -> Option<PrimitiveOverlap> {
    let hull = BoxHull::from(obb);
    let (center, radius) = (sphere.center().as_dvec3(), sphere.radius());
    from_distance(
        compare_point_hull(center, &hull, radius),
        || {
            let is_held =
                |corner| compare_point_segment(corner, [center; 2], [radius, 0.0]).is_le();
            hull.corners.into_iter().all(is_held)
        },
        || hull.holds_ball(center, radius),
    )
}

fn capsule_hull(capsule: &Capsule, hull: &BoxHull) -> Option<PrimitiveOverlap> {
    from_distance(
        compare_segment_hull(capsule.segment(), hull, capsule.radius()),
        || {
            let is_held = |corner| capsule.compare_distance(corner, 0.0).is_le();
            hull.corners.into_iter().all(is_held)
        },
        || {
            let is_held = |end| hull.holds_ball(end, capsule.radius());
            capsule.segment().into_iter().all(is_held)
        },
    )
}

/// Whether the closed capsule holds the sphere.
fn holds_sphere(capsule: &Capsule, sphere: &Sphere) -> bool {
    capsule.radius() >= sphere.radius()
        && capsule
            .compare_distance(sphere.center().as_dvec3(), -sphere.radius())
            .is_le()
}

/// The overlap of two solids whose distance compares so with the sum of their radii.
fn from_distance(
    distance: Ordering,
    first_contains: impl FnOnce() -> bool,
    second_contains: impl FnOnce() -> bool,
) -> Option<PrimitiveOverlap> {
    Some(match distance {
        Ordering::Greater => return None,
        Ordering::Equal => PrimitiveOverlap::Touch,
        Ordering::Less if first_contains() => PrimitiveOverlap::FirstContains,
        Ordering::Less if second_contains() => PrimitiveOverlap::SecondContains,
        Ordering::Less => PrimitiveOverlap::Cross,
    })
}
