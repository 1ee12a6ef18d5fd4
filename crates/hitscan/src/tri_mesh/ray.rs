//! Rays against a mesh: the nearest hit, any hit, all that may be hit.

use super::TriMesh;
use crate::bvh::Probe;
use crate::hit::unit;
use crate::ray::LocalRay;
use crate::ray_triangle::{Crossing, cross};
use crate::{Hit, Ray, Sides};
use core::ops::ControlFlow;
use glam::DVec3;

impl TriMesh {
    /// The nearest hit of `ray` from one of `sides`; of equal t the lowest triangle.
    ///
    /// # Accuracy
    /// Whether a triangle is hit is decided exactly; `t` is the exact value rounded to f32.
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, sides: Sides) -> Option<Hit> {
        let (triangle, crossing) = self.nearest(&LocalRay::from(ray), sides, f32::INFINITY)?;
        let surface = (unit(crossing.normal), crossing.side);
        let on = crossing.on(0, triangle);
        Some(Hit::new(
            ray,
            (crossing.t, crossing.t_wide),
            surface,
            Some(on),
        ))
    }

    /// Whether `ray` hits anything from one of `sides`.
    #[must_use]
    pub fn cast_ray_any(&self, ray: &Ray, sides: Sides) -> bool {
        self.is_hit(&LocalRay::from(ray), sides)
    }

    /// The nearest crossing with t up to `limit`; of equal t the lowest triangle.
    pub(crate) fn nearest(
        &self,
        ray: &LocalRay,
        sides: Sides,
        limit: f32,
    ) -> Option<(u32, Crossing)> {
        let mut best: Option<(u32, Crossing)> = None;
        let _ = self.bvh.cast(&Probe::ray(ray), limit, |triangle| {
            if let Some(crossing) = cross(ray, &self.corners(triangle)) {
                let is_nearer = best
                    .as_ref()
                    .map_or(crossing.t <= limit, |(other, nearest)| {
                        (crossing.t, triangle) < (nearest.t, *other)
                    });
                if is_nearer && sides.admits(crossing.side) {
                    best = Some((triangle, crossing));
                }
            }
            ControlFlow::Continue(best.as_ref().map_or(limit, |(_, nearest)| nearest.t))
        });
        best
    }

    pub(crate) fn is_hit(&self, ray: &LocalRay, sides: Sides) -> bool {
        self.bvh
            .cast(&Probe::ray(ray), f32::INFINITY, |triangle| {
                match cross(ray, &self.corners(triangle)) {
                    Some(crossing) if sides.admits(crossing.side) => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(f32::INFINITY),
                }
            })
            .is_break()
    }

    /// Visits every triangle that the ray may hit.
    pub(crate) fn for_each_candidate(
        &self,
        ray: &LocalRay,
        mut visit: impl FnMut(u32, &[DVec3; 3]),
    ) {
        let _ = self.bvh.cast(&Probe::ray(ray), f32::INFINITY, |triangle| {
            visit(triangle, &self.corners(triangle));
            ControlFlow::Continue(f32::INFINITY)
        });
    }
}
