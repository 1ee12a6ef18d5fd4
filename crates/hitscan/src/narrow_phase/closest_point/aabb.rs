//! The closest point of an axis-aligned box: the point held in its range, axis by axis; from inside
//! that of the nearest face.

use super::ClosestPoint;
use super::nearest::Nearest;
use super::search::rounded_point;
use crate::Aabb;
use crate::shape::unit_vector::unit;
use glam::{DVec3, Vec3};

impl Aabb {
    pub(super) fn nearest_to(&self, point: Vec3, max_distance: f64) -> Option<ClosestPoint> {
        let (min, max) = (self.min(), self.max());
        if point.cmpgt(min).all() && point.cmplt(max).all() {
            return Some(self.nearest_face(point));
        }
        let at = point.clamp(min, max);
        let wide = point.as_dvec3();
        let nearest = Nearest::of_point(wide, at.as_dvec3());
        if nearest.compare(0.0, max_distance).is_gt() {
            return None;
        }
        let normal = match nearest.direction() {
            DVec3::ZERO => self.face_normal(point),
            direction => unit(direction),
        };
        Some(ClosestPoint {
            distance: nearest.rounded(0.0),
            is_inside: false,
            point: rounded_point(at.as_dvec3()),
            normal,
            object: None,
            user_data: 0,
            triangle: None,
            barycentrics: [0.0; 2],
        })
    }

    /// From strictly inside: of the nearest faces the first along x, y, z, the lower one first.
    fn nearest_face(&self, point: Vec3) -> ClosestPoint {
        let wide = point.as_dvec3();
        let face = |axis: usize, bound: Vec3, side: f32| {
            let mut core = wide;
            core[axis] = f64::from(bound[axis]);
            let mut normal = Vec3::ZERO;
            normal[axis] = side;
            (Nearest::of_point(wide, core), normal)
        };
        let mut best = face(0, self.min(), -1.0);
        for axis in 0..3 {
            for other in [face(axis, self.min(), -1.0), face(axis, self.max(), 1.0)] {
                if other.0.compare_distance(&best.0).is_lt() {
                    best = other;
                }
            }
        }
        let (nearest, normal) = best;
        ClosestPoint {
            distance: 0.0 - nearest.rounded(0.0),
            is_inside: true,
            point: rounded_point(nearest.nearest_point()),
            normal,
            object: None,
            user_data: 0,
            triangle: None,
            barycentrics: [0.0; 2],
        }
    }

    /// The normal of the first face that a point of the boundary is on; the positive one of a flat
    /// box.
    fn face_normal(&self, point: Vec3) -> Vec3 {
        let is_on =
            |axis: &usize| point[*axis] == self.min()[*axis] || point[*axis] == self.max()[*axis];
        let axis = (0..3).find(is_on).unwrap_or(0);
        let mut normal = Vec3::ZERO;
        normal[axis] = if point[axis] == self.max()[axis] {
            1.0
        } else {
            -1.0
        };
        normal
    }
}
