//! The least angle by which a ray has to be turned about its origin to hit an object.
//!
//! Angles are compared by the tangents of their halves, so that the search takes no more than square roots:
//! tan(θ/2) = |d × q| / (|d| |q| + d · q) = (|d| |q| - d · q) / |d × q| for the direction d and a point q
//! seen from the origin. Over a segment q = a + s e the cosine has one stationary point, where
//! s = -(a × e) · (d × a) / (a × e) · (d × e); over a triangle the angle is least on an edge unless the ray
//! hits it. A ball of radius r about q is nearer by asin(r / |q|).

use super::nearest_search::{Measure, ROUNDING, least_of};
use super::segment_distance::{BOX_TRIANGLES, EDGES, length};
use super::space::{finite, rounded};
use crate::narrow_phase::convex::CylinderCore;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::intersect;
use crate::shape::cylinder::across;
use crate::world::object::Object;
use crate::{ConvexHull, Primitive, Ray, TriangleId};
use glam::{DVec3, Vec3};

/// By how much a ray has to be turned about its origin to hit an object.
///
/// # Accuracy
/// The angle is computed in f64 and rounded to f32 once. Where several points are at nearly the same angle
/// the point may be any of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// The least angle, radians, below π/2.
    pub angle: f32,
    /// The triangle that is hit then; `None` for solids.
    pub triangle: Option<TriangleId>,
    /// The point of the object that is hit then, on its outline as the origin sees it.
    pub point: Vec3,
    /// Where on the turned ray that is; it may be out of the ray's range.
    pub t: f32,
}

/// The least turn to an object; `None` where it is π/2 or more, or one of the two is nothing.
pub(super) fn turn_to(ray: &Ray, object: &Object) -> Option<Turn> {
    let ahead = ray.with_range(0.0, f32::MAX).ok()?;
    if ahead.is_empty() {
        return None;
    }
    let turning = Turning::new(&ahead);
    let least = least_of(&turning, object, QUARTER).filter(|least| least.value < QUARTER)?;
    Some(Turn {
        angle: finite(2.0 * libm::atan(least.value)),
        triangle: least.triangle,
        point: rounded(turning.ray.origin + least.place).into(),
        t: finite(length(least.place) / turning.length),
    })
}

/// The tangent of half of π/2.
const QUARTER: f64 = 1.0;

/// How often the part of a capsule's axis is cut to two thirds that has the least angle on it: to less than
/// 2^-53 of it.
const CUTS: usize = 92;

/// A ray from its origin on, to be turned.
struct Turning {
    ray: LocalRay,
    /// Of the direction.
    length: f64,
}

impl Turning {
    fn new(ahead: &Ray) -> Self {
        let ray = LocalRay::from(ahead);
        let length = length(ray.direction);
        Self { ray, length }
    }

    /// tan(θ/2) of a point seen from the origin; 0 at the origin, infinite straight behind.
    fn half_tangent(&self, seen: DVec3) -> f64 {
        let both = self.length * length(seen);
        let along = self.ray.direction.dot(seen);
        let across = length(self.ray.direction.cross(seen));
        if both == 0.0 {
            0.0
        } else if along >= 0.0 {
            across / (both + along)
        } else {
            (both - along) / across
        }
    }

    fn at(&self, seen: DVec3) -> (f64, DVec3) {
        (self.half_tangent(seen), seen)
    }

    /// Between points seen from the origin.
    fn of_segment(&self, [a, b]: [DVec3; 2]) -> (f64, DVec3) {
        let (d, e) = (self.ray.direction, b - a);
        let normal = a.cross(e);
        let s = -normal.dot(d.cross(a)) / normal.dot(d.cross(e));
        let ends = lower(self.at(a), self.at(b));
        match s > 0.0 && s < 1.0 {
            true => lower(ends, self.at(a + e * s)),
            false => ends,
        }
    }

    /// Of a ball about a point seen from the origin.
    fn of_ball(&self, center: DVec3, radius: f64) -> (f64, DVec3) {
        let far = length(center);
        if far <= radius {
            return (0.0, DVec3::ZERO);
        }
        let tangent = ((far - radius) * (far + radius)).sqrt();
        let value = less(self.half_tangent(center), radius / (far + tangent));
        let (d, outward) = (self.ray.direction, center / far);
        if value <= 0.0 {
            let foot = d * (d.dot(center) / (self.length * self.length));
            return (0.0, foot);
        }
        let aside = d - outward * d.dot(outward);
        let aside = aside
            .try_normalize()
            .unwrap_or_else(|| outward.any_orthonormal_vector());
        let point = outward * tangent + aside * radius;
        (value, point * (tangent / far))
    }

    /// Of all balls about a segment seen from the origin. Below π/2 the directions within an angle are a
    /// convex cone, so the balls that reach into it are those about one part of the segment: the least is
    /// found by cutting away thirds.
    fn of_capsule(&self, [a, b]: [DVec3; 2], radius: f64) -> (f64, DVec3) {
        let at = |s: f64| self.of_ball(a.lerp(b, s), radius);
        let [mut low, mut high] = [0.0, 1.0];
        for _ in 0..CUTS {
            let third = (high - low) / 3.0;
            match at(low + third).0 <= at(high - third).0 {
                true => high -= third,
                false => low += third,
            }
        }
        [at(0.0), at(1.0)].into_iter().fold(at(low), lower)
    }

    /// Of its faces, moved outward by the radius, and of all within the radius of its edges.
    fn of_hull(&self, hull: &ConvexHull) -> (f64, DVec3) {
        if hull.holds(self.ray.origin) {
            return (0.0, DVec3::ZERO);
        }
        let polytope = hull.polytope();
        let faces = polytope.faces().iter().enumerate();
        let on_faces = faces.flat_map(|(place, face)| {
            let outward = face.normal.normalize_or_zero() * hull.radius();
            let moved = move |corners: [DVec3; 3]| corners.map(|corner| corner + outward);
            polytope
                .fan(place)
                .map(move |corners| self.of_triangle(&moved(corners)))
        });
        let on_edges = polytope.edges().iter().map(|edge| {
            let ends = polytope.edge_ends(edge).map(|end| end - self.ray.origin);
            self.of_capsule(ends, hull.radius())
        });
        let first = self.of_ball(polytope.corner(0) - self.ray.origin, hull.radius());
        on_faces.chain(on_edges).fold(first, lower)
    }

    /// Of a prism with so many corners that it looks like the cylinder.
    fn of_cylinder(&self, solid: &Primitive, cylinder: &CylinderCore) -> (f64, DVec3) {
        const CORNERS: u32 = 256;
        if solid.holds(self.ray.origin) {
            return (0.0, DVec3::ZERO);
        }
        let [a, b] = cylinder.ends;
        let (axis, _) = cylinder.axis();
        let first = across(axis) * cylinder.radius;
        let second = axis.cross(first);
        let around = |k: u32| {
            let angle = f64::from(k) * (core::f64::consts::TAU / f64::from(CORNERS));
            first * libm::cos(angle) + second * libm::sin(angle)
        };
        let pieces = (0..CORNERS).flat_map(|k| {
            let [one, next] = [around(k), around(k + 1)];
            [
                [a, a + one, a + next],
                [b, b + one, b + next],
                [a + one, a + next, b + one],
                [a + next, b + next, b + one],
            ]
        });
        let all = pieces.map(|corners| self.of_triangle(&corners));
        all.fold(self.at(a - self.ray.origin), lower)
    }

    fn of_box(&self, solid: &Primitive, corners: &[DVec3; 8]) -> (f64, DVec3) {
        if solid.holds(self.ray.origin) {
            return (0.0, DVec3::ZERO);
        }
        let triangles = BOX_TRIANGLES.map(|triangle| triangle.map(|corner| corners[corner]));
        let first = self.of_triangle(&triangles[0]);
        let others = triangles[1..].iter();
        others.fold(first, |best, one| lower(best, self.of_triangle(one)))
    }
}

impl Measure for Turning {
    /// A point seen from the origin.
    type Place = DVec3;

    /// By the ball around the box.
    fn bound(&self, [low, high]: [DVec3; 2]) -> f64 {
        let middle = low.midpoint(high);
        let radius = length(high - middle);
        let size = length(middle) + radius + length(self.ray.origin);
        let (bound, _) = self.of_ball(middle - self.ray.origin, radius + ROUNDING * size);
        bound - ROUNDING * (1.0 + bound)
    }

    fn of_triangle(&self, corners: &[DVec3; 3]) -> (f64, DVec3) {
        if let Some(hit) = intersect(&self.ray, corners) {
            return (0.0, self.ray.direction * hit.t_wide);
        }
        let seen = corners.map(|corner| corner - self.ray.origin);
        let [first, second, third] =
            EDGES.map(|[from, to]| self.of_segment([seen[from], seen[to]]));
        lower(lower(first, second), third)
    }

    fn of_solid(&self, solid: &Primitive) -> (f64, DVec3) {
        let seen = |point: DVec3| point - self.ray.origin;
        match solid {
            Primitive::Sphere(sphere) => self.of_ball(seen(sphere.wide_center()), sphere.radius()),
            Primitive::Capsule(capsule) => {
                let ends = capsule.segment().map(seen);
                self.of_capsule(ends, capsule.radius())
            }
            Primitive::Aabb(aabb) => self.of_box(solid, &aabb.wide_corners()),
            Primitive::Obb(obb) => self.of_box(solid, &obb.corners()),
            Primitive::ConvexHull(hull) => self.of_hull(hull),
            Primitive::Cylinder(cylinder) => self.of_cylinder(solid, &cylinder.into()),
        }
    }
}

/// tan((θ - φ)/2) by the tangents of the halves, the first perhaps infinite; below 0 where θ < φ.
fn less(theta: f64, phi: f64) -> f64 {
    match theta.is_finite() {
        true => (theta - phi) / (1.0 + theta * phi),
        false => 1.0 / phi,
    }
}

/// The lower of two values, of equals the first.
fn lower(one: (f64, DVec3), other: (f64, DVec3)) -> (f64, DVec3) {
    if other.0 < one.0 { other } else { one }
}
