//! Solids between two ticks: positions and sizes in a straight line, rotations along the shorter
//! arc.
//!
//! Solids of different kinds are as at the earlier tick.

use crate::exact::expansion::nearest_f32;
use crate::model::{RotationStretch, slerp};
use crate::world::instance_transform::{MARGIN, max_abs};
use crate::world::rotation_stretch::lerp;
use crate::{Aabb, Capsule, Cylinder, Obb, Primitive, Sphere};
use glam::{DVec3, Vec3};

/// The solid `alpha` of the way from one to another.
pub(crate) fn interpolated_primitive(from: &Primitive, to: &Primitive, alpha: f64) -> Primitive {
    match (from, to) {
        (Primitive::Sphere(a), Primitive::Sphere(b)) => {
            let center = position(a.center(), b.center(), alpha);
            let radius = a.radius() + (b.radius() - a.radius()) * alpha;
            // Between two radii that are accepted there is none that is not.
            Sphere::new(center, radius).map_or_else(|_| from.clone(), Primitive::Sphere)
        }
        (Primitive::Aabb(a), Primitive::Aabb(b)) => {
            let (min, max) = (
                position(a.min(), b.min(), alpha),
                position(a.max(), b.max(), alpha),
            );
            // Rounding may swap ends that are almost one.
            Primitive::Aabb(Aabb::from_ordered(min.min(max), max.max(min)))
        }
        (Primitive::Obb(a), Primitive::Obb(b)) => {
            let center = position(a.center(), b.center(), alpha);
            let half_size = position(a.half_size(), b.half_size(), alpha);
            let rotation = slerp(a.rotation(), b.rotation(), alpha);
            Obb::new(center, half_size, rotation).map_or_else(|_| from.clone(), Primitive::Obb)
        }
        (Primitive::Capsule(a), Primitive::Capsule(b)) => {
            let ends = (position(a.a(), b.a(), alpha), position(a.b(), b.b(), alpha));
            let radius = a.radius() + (b.radius() - a.radius()) * alpha;
            Capsule::new(ends.0, ends.1, radius).map_or_else(|_| from.clone(), Primitive::Capsule)
        }
        (Primitive::Cylinder(a), Primitive::Cylinder(b)) => {
            let ends = (position(a.a(), b.a(), alpha), position(a.b(), b.b(), alpha));
            let radius = a.radius() + (b.radius() - a.radius()) * alpha;
            Cylinder::new(ends.0, ends.1, radius).map_or_else(|_| from.clone(), Primitive::Cylinder)
        }
        (Primitive::ConvexHull(a), Primitive::ConvexHull(b))
            if a.is_placed_as(b) && a.transform() != b.transform() =>
        {
            let [start, end] = [a, b].map(|hull| RotationStretch::new(hull.transform()));
            a.placed(&start.toward(&end, alpha))
                .map_or_else(|_| from.clone(), Primitive::from)
        }
        _ => from.clone(),
    }
}

/// A box that holds the solid at every time between.
pub(crate) fn primitive_bounds_between(from: &Primitive, to: &Primitive) -> Aabb {
    match (from, to) {
        // Their sides move in a straight line, so the ends are the extremes; their boxes and rounded
        // places are one rounding each off.
        (Primitive::Sphere(_), Primitive::Sphere(_))
        | (Primitive::Capsule(_), Primitive::Capsule(_)) => {
            let both = from.bounds().union(&to.bounds());
            let (min, max) = (both.min(), both.max());
            let wider = |bound: Vec3, step: fn(f32) -> f32| {
                Vec3::from_array(bound.to_array().map(|x| step(step(x))))
            };
            Aabb::from_ordered(wider(min, f32::next_down), wider(max, f32::next_up))
        }
        // Its ends move in a straight line, and however it turns its discs reach no farther than their radius.
        (Primitive::Cylinder(a), Primitive::Cylinder(b)) => {
            let rounded = |cylinder: &Cylinder| [cylinder.a(), cylinder.b()].map(Vec3::as_dvec3);
            let ends = [a.segment(), b.segment(), rounded(a), rounded(b)].concat();
            let radius = a.radius().max(b.radius());
            let size = ends.iter().fold(radius, |max, end| max.max(max_abs(*end)));
            let radius = DVec3::splat(radius + MARGIN * (radius + size));
            let corners = ends.iter().flat_map(|end| [*end - radius, *end + radius]);
            Aabb::around_f64(corners).unwrap_or_else(|| from.bounds())
        }
        (Primitive::Aabb(_), Primitive::Aabb(_)) => from.bounds().union(&to.bounds()),
        // However it turns, it stays within its largest half diagonal of its center.
        (Primitive::Obb(a), Primitive::Obb(b)) => {
            let half = a.half_size().max(b.half_size()).as_dvec3();
            let (p, q) = (a.center().as_dvec3(), b.center().as_dvec3());
            let radius = half.dot(half).sqrt();
            let radius = radius + MARGIN * (radius + max_abs(p).max(max_abs(q)));
            let radius = DVec3::splat(radius);
            let ends = [p.min(q) - radius, p.max(q) + radius];
            Aabb::around_f64(ends).unwrap_or_else(|| from.bounds())
        }
        // So does a hull, stretched no farther than at either end, as distance is convex.
        (Primitive::ConvexHull(a), Primitive::ConvexHull(b)) if a.is_placed_as(b) => {
            let [start, end] = [a, b].map(|hull| RotationStretch::new(hull.transform()));
            let stretch = start.stretch_bound().max(end.stretch_bound());
            let (p, q) = (start.translation, end.translation);
            let radius = a.max_radius() * stretch;
            let radius = DVec3::splat(radius + MARGIN * (radius + max_abs(p).max(max_abs(q))));
            Aabb::around_f64([p.min(q) - radius, p.max(q) + radius])
                .unwrap_or_else(|| from.bounds())
        }
        _ => from.bounds(),
    }
}

/// The position between, which lies between the ends on each axis.
fn position(from: Vec3, to: Vec3, alpha: f64) -> Vec3 {
    let at = lerp(from.as_dvec3(), to.as_dvec3(), alpha);
    let rounded = Vec3::from_array(at.to_array().map(nearest_f32));
    rounded.max(from.min(to)).min(from.max(to))
}
