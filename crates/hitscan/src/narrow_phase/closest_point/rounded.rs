//! The closest point of a sphere or a capsule: all within a radius of a core.

use super::ClosestPoint;
use super::nearest::Nearest;
use super::search::rounded_point;
use crate::shape::unit_vector::unit;
use crate::{Capsule, Sphere};
use glam::{DVec3, Vec3};

impl Sphere {
    pub(super) fn nearest_to(&self, point: Vec3, max_distance: f64) -> Option<ClosestPoint> {
        let nearest = Nearest::of_point(point.as_dvec3(), self.wide_center());
        closest_point(&nearest, self.radius(), max_distance, DVec3::Y)
    }
}

impl Capsule {
    pub(super) fn nearest_to(&self, point: Vec3, max_distance: f64) -> Option<ClosestPoint> {
        let [a, b] = self.segment();
        let nearest = Nearest::of_segment(point.as_dvec3(), [a, b]);
        closest_point(&nearest, self.radius(), max_distance, across(b - a))
    }
}

/// The closest point of a core with a radius; `otherwise` is the direction for a point on the core,
/// where there are several.
fn closest_point(
    nearest: &Nearest,
    radius: f64,
    max_distance: f64,
    otherwise: DVec3,
) -> Option<ClosestPoint> {
    let is_inside = nearest.compare(radius, 0.0).is_lt();
    if !is_inside && nearest.compare(radius, max_distance).is_gt() {
        return None;
    }
    let direction = match nearest.direction() {
        DVec3::ZERO => otherwise,
        direction => direction,
    };
    let scaled = direction / direction.abs().max_element();
    let way = scaled * (radius / scaled.dot(scaled).sqrt());
    Some(ClosestPoint {
        distance: nearest.rounded(radius),
        is_inside,
        point: rounded_point(nearest.nearest_point() + way),
        normal: unit(direction),
        object: None,
        user_data: 0,
        triangle: None,
        barycentrics: [0.0; 2],
    })
}

/// A direction at right angles to `axis`; up for no axis.
fn across(axis: DVec3) -> DVec3 {
    let size = axis.abs().max_element();
    if size == 0.0 {
        return DVec3::Y;
    }
    let axis = axis / size;
    let min = axis.abs().min_element();
    let unit = if axis.x.abs() == min {
        DVec3::X
    } else if axis.y.abs() == min {
        DVec3::Y
    } else {
        DVec3::Z
    };
    axis.cross(unit)
}
