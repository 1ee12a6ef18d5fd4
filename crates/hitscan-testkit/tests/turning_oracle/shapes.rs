//! Random shapes, as the library takes them and as bodies by their corners.

use crate::bodies::Body;
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::{Aabb, Capsule, ConvexHull, Obb, Primitive, Sphere, Triangle};
use hitscan_testkit::Rng;

/// A point in a cube around the origin.
pub(crate) fn point(rng: &mut Rng, reach: f32) -> Vec3 {
    Vec3::from([0; 3].map(|_| rng.uniform_f32(-reach, reach)))
}

/// A solid with about this size around a point; some are flat, thin as a line, or points.
pub(crate) fn solid(rng: &mut Rng, at: Vec3, size: f32) -> (Primitive, Body) {
    let kind = rng.below(5);
    let mut length = || rng.uniform_f32(0.05, 1.0) * size;
    let (mut half, round) = (Vec3::new(length(), length(), length()), f64::from(length()));
    if rng.one_in(5) {
        half[rng.below(3)] = 0.0;
        half[rng.below(3)] = 0.0;
    }
    match kind {
        0 => {
            let body = Body {
                points: vec![at.as_dvec3()],
                radius: round,
            };
            (Sphere::new(at, round).unwrap().into(), body)
        }
        1 => {
            let (min, max) = (at - half, at + half);
            let body = Body {
                points: corners(min.as_dvec3(), max.as_dvec3()),
                radius: 0.0,
            };
            (Aabb::new(min, max).unwrap().into(), body)
        }
        2 => {
            let turn = DQuat::from_xyzw(0.5, -0.5, 0.1, 0.7);
            let norm = turn.length_squared().sqrt();
            let turned = |corner: DVec3| at.as_dvec3() + rotate(turn, norm, corner);
            let local = corners(-half.as_dvec3(), half.as_dvec3());
            let body = Body {
                points: local.into_iter().map(turned).collect(),
                radius: 0.0,
            };
            (Obb::new(at, half, turn).unwrap().into(), body)
        }
        3 => {
            let (a, b, radius) = (at - half, at + half, round * 0.2);
            let body = Body {
                points: vec![a.as_dvec3(), b.as_dvec3()],
                radius,
            };
            (Capsule::new(a, b, radius).unwrap().into(), body)
        }
        _ => {
            let radius = if rng.one_in(2) {
                0.0
            } else {
                0.125 * f64::from(size)
            };
            let count = if rng.one_in(4) { 1 + rng.below(3) } else { 5 };
            let points: Vec<Vec3> = (0..count).map(|_| at + point(rng, size)).collect();
            let hull = ConvexHull::new(points.iter().copied()).unwrap();
            let hull = hull.with_radius(radius).unwrap();
            let points = points.into_iter().map(|corner| corner.as_dvec3()).collect();
            (hull.into(), Body { points, radius })
        }
    }
}

/// A vector turned by a quaternion, which need not be of unit length.
fn rotate(q: DQuat, norm: f64, v: DVec3) -> DVec3 {
    let (w, u) = (q.w / norm, DVec3::new(q.x, q.y, q.z) / norm);
    v + (u.cross(v) * w + u.cross(u.cross(v))) * 2.0
}

/// The corners of a box along the axes.
pub(crate) fn corners(min: DVec3, max: DVec3) -> Vec<DVec3> {
    let corner = |i: usize| {
        let pick = |axis: usize| {
            if i >> axis & 1 == 0 {
                min[axis]
            } else {
                max[axis]
            }
        };
        DVec3::new(pick(0), pick(1), pick(2))
    };
    (0..8).map(corner).collect()
}

/// A triangle of about this size near a point.
pub(crate) fn triangle(rng: &mut Rng, at: Vec3, size: f32) -> (Triangle, Body) {
    let corners = [0; 3].map(|_| at + point(rng, size));
    let triangle = Triangle::new(corners[0], corners[1], corners[2]).unwrap();
    let points = corners.map(|corner| corner.as_dvec3()).to_vec();
    (
        triangle,
        Body {
            points,
            radius: 0.0,
        },
    )
}
