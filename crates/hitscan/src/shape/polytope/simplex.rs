//! Points far apart among others that span all of them: where building a hull begins.

use super::predicates::{Plane, are_collinear, side};
use glam::DVec3;

/// As many points as span all.
pub(super) enum Simplex {
    Point,
    Segment,
    Triangle([u32; 3]),
    Tetrahedron([u32; 4]),
}

/// Points far apart that span all; which ones does not show in the hull.
pub(super) fn simplex(points: &[DVec3]) -> Simplex {
    let at = |index: u32| points[index as usize];
    let most = |size: &dyn Fn(DVec3) -> f64, spans: &dyn Fn(DVec3) -> bool| {
        let all = || (0..).take(points.len());
        let largest = all().reduce(|best, next| {
            if size(at(next)) > size(at(best)) {
                next
            } else {
                best
            }
        });
        // Where rounding hides what little there is, any will do.
        let largest = largest.filter(|index| spans(at(*index)));
        largest.or_else(|| all().find(|index| spans(at(*index))))
    };
    let a = at(0);
    let Some(second) = most(&|point| (point - a).length_squared(), &|point| point != a) else {
        return Simplex::Point;
    };
    let b = at(second);
    let area = |point: DVec3| (b - a).cross(point - a).length_squared();
    let Some(third) = most(&area, &|point| !are_collinear([a, b, point])) else {
        return Simplex::Segment;
    };
    let corners = [a, b, at(third)];
    let plane = Plane::new(corners);
    let height = |point: DVec3| plane.height(point).0.abs();
    match most(&height, &|point| side(&plane, corners, point).is_ne()) {
        Some(fourth) => Simplex::Tetrahedron([0, second, third, fourth]),
        None => Simplex::Triangle([0, second, third]),
    }
}
