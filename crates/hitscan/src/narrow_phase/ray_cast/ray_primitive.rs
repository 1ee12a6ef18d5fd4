//! A ray against a primitive of any kind.

use super::solid_hits::{SolidHit, SolidHits};
use crate::{Primitive, Ray, RayCastSettings, RayHit};

impl Primitive {
    /// The nearest hit of `ray`; see the shape's own `cast_ray`.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        Some(self.nearest(ray, settings.into())?.into_hit(ray))
    }

    /// The first hit that counts.
    pub(crate) fn nearest(&self, ray: &Ray, settings: RayCastSettings) -> Option<SolidHit> {
        match self {
            Self::Capsule(capsule) => capsule.nearest(ray, settings),
            Self::ConvexHull(hull) => hull.nearest(ray, settings),
            Self::Cylinder(cylinder) => cylinder.nearest(ray, settings),
            _ => self.solid_hits(ray)?.nearest(settings),
        }
    }

    /// How the ray passes through the solid, or `None` where it misses.
    pub(crate) fn solid_hits(&self, ray: &Ray) -> Option<SolidHits> {
        match self {
            Self::Sphere(sphere) => sphere.solid_hits(ray),
            Self::Aabb(aabb) => aabb.solid_hits(ray),
            Self::Obb(obb) => obb.solid_hits(ray),
            Self::Capsule(capsule) => capsule.solid_hits(ray),
            Self::ConvexHull(hull) => hull.solid_hits(ray),
            Self::Cylinder(cylinder) => cylinder.solid_hits(ray),
        }
    }
}
