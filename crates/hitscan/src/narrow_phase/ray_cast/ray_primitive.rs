//! A ray against a primitive of any kind.

use super::solid_hits::{SolidHits, nearest_hit};
use crate::{Primitive, Ray, RayCastSettings, RayHit};

impl Primitive {
    /// The nearest hit of `ray`; see the shape's own `cast_ray`.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        nearest_hit(self.solid_hits(ray), ray, settings.into())
    }

    /// How the ray passes through the solid, or `None` where it misses.
    pub(crate) fn solid_hits(&self, ray: &Ray) -> Option<SolidHits> {
        match self {
            Self::Sphere(sphere) => sphere.solid_hits(ray),
            Self::Aabb(aabb) => aabb.solid_hits(ray),
            Self::Obb(obb) => obb.solid_hits(ray),
            Self::Capsule(capsule) => capsule.solid_hits(ray),
        }
    }
}
