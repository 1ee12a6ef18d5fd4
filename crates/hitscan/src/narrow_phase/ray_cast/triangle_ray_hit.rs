//! A triangle's hit as a `RayHit`.

use super::hit::{RayHit, TriangleId};
use super::ray_triangle::TriangleHit;
use crate::Ray;
use crate::shape::unit_vector::unit;

impl RayHit {
    /// The hit of `ray` on a triangle.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn on_triangle(ray: &Ray, triangle: TriangleId, hit: &TriangleHit) -> Self {
        let surface = (unit(hit.normal), hit.side);
        Self {
            triangle: Some(triangle),
            barycentrics: hit.barycentrics(),
            ..Self::new(ray, (hit.t, hit.t_wide), surface)
        }
    }
}
