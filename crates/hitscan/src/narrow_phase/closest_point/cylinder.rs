//! The closest point of a cylinder, in f64; whether it holds the point is decided exactly.

use super::ClosestPoint;
use super::search::rounded_point;
use crate::Cylinder;
use crate::exact::expansion::nearest_f32;
use crate::narrow_phase::convex::CylinderCore;
use crate::shape::unit_vector::unit;
use glam::Vec3;

impl Cylinder {
    pub(super) fn nearest_to(&self, point: Vec3, max_distance: f64) -> Option<ClosestPoint> {
        let wide = point.as_dvec3();
        let nearest = CylinderCore::from(self).nearest(wide);
        let order = self.compare(wide);
        let gap = match order {
            core::cmp::Ordering::Less => -nearest.gap.abs(),
            core::cmp::Ordering::Equal => 0.0,
            core::cmp::Ordering::Greater => nearest.gap.abs(),
        };
        if order.is_gt() && gap > max_distance {
            return None;
        }
        let distance = nearest_f32(gap) + 0.0;
        Some(ClosestPoint {
            distance: distance.clamp(f32::MIN, f32::MAX),
            is_inside: order.is_lt(),
            point: rounded_point(if order.is_eq() { wide } else { nearest.point }),
            normal: if order.is_eq() {
                self.normal_on(wide)
            } else {
                unit(nearest.normal)
            },
            object: None,
            user_data: 0,
            triangle: None,
            barycentrics: [0.0; 2],
        })
    }
}
