//! Containment of one shape in another, one of the two being a cylinder, in f64.

use super::closest::closest;
use super::cylinder::CylinderCore;
use super::{Convex, Core};
use crate::shape::cylinder::across;
use glam::DVec3;

/// More than what rounding takes from a distance, over the greatest coordinate.
const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;

/// Whether the closed cylinder holds all of another shape.
pub(super) fn is_in_cylinder(cylinder: &CylinderCore, other: &Convex<'_>) -> bool {
    let holds = |point: DVec3, radius: f64| {
        let off = SLACK * (point.abs().max_element() + cylinder.radius + radius);
        cylinder.nearest(point).gap + radius <= off
    };
    match &other.core {
        Core::Cylinder(inner) => {
            // Of each rim the point furthest from the outer axis, and those furthest along it.
            let (axis, _) = cylinder.axis();
            let is_within = inner.ends.iter().all(|end| {
                let places = rim(inner, *end);
                places.into_iter().all(|place| holds(place, 0.0))
            });
            is_within
                && [axis, -axis]
                    .into_iter()
                    .all(|way| holds(inner.furthest(way), 0.0))
        }
        core => core
            .corners()
            .iter()
            .all(|corner| holds(*corner, other.radius)),
    }
}

/// Whether a closed shape that is no cylinder holds all of one.
pub(super) fn holds_cylinder(outer: &Convex<'_>, cylinder: &CylinderCore) -> bool {
    let is_within = |place: DVec3| {
        let distance = closest(&outer.core, &Core::Point(place), DVec3::ZERO)
            .squared()
            .sqrt();
        let off = SLACK * (place.abs().max_element() + outer.radius);
        distance - outer.radius <= off
    };
    if outer.radius == 0.0
        && let Core::Box(_) | Core::Hull(_) = outer.core
    {
        // Behind each face: so is the point furthest along its normal. What has no face holds nothing.
        let faces = outer.core.face_spans();
        return !faces.is_empty()
            && faces.iter().all(|spans| {
                let [first, second] = spans.map(|[a, b]| b - a);
                let normal = first.cross(second);
                [normal, -normal]
                    .into_iter()
                    .all(|way| is_within(cylinder.furthest(way)))
            });
    }
    let rims = cylinder.ends.into_iter();
    rims.flat_map(|end| rim(cylinder, end)).all(is_within)
}

/// Points of a rim, close together.
fn rim(cylinder: &CylinderCore, end: DVec3) -> Vec<DVec3> {
    const POINTS: u32 = 256;
    let (axis, _) = cylinder.axis();
    let first = across(axis) * cylinder.radius;
    let second = axis.cross(first);
    let turn = |k: u32| {
        let angle = f64::from(k) * (core::f64::consts::TAU / f64::from(POINTS));
        end + first * libm::cos(angle) + second * libm::sin(angle)
    };
    (0..POINTS).map(turn).collect()
}
