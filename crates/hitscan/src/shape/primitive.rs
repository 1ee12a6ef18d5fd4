//! One value for any solid shape: sphere, box, turned box or capsule.
//!
//! Each shape's own file works its queries out; here they are only chosen.

use crate::overlap::{
    Overlap, PrimitiveOverlap, aabb_aabb, aabb_obb, capsule_aabb, capsule_capsule, capsule_obb,
    obb_obb, sphere_aabb, sphere_capsule, sphere_obb, sphere_sphere, triangle_aabb,
    triangle_capsule, triangle_obb, triangle_sphere,
};
use crate::ray_cast::solid_hits::{SolidHits, nearest_hit};
use crate::{Aabb, Capsule, Obb, Ray, RayCastSettings, RayHit, Sphere};
use glam::{DVec3, Vec3};

/// A solid shape of any kind.
///
/// ```
/// use hitscan::{Capsule, Ray, Sides, Primitive, Sphere};
/// let solids: [Primitive; 2] = [
///     Sphere::new([0.0, 5.0, 0.0], 2.0)?.into(),
///     Capsule::new([0.0; 3], [0.0, 1.0, 0.0], 0.5)?.into(),
/// ];
/// let ray = Ray::new([0.0, 9.0, 0.0], [0.0, -1.0, 0.0])?;
/// let t = solids.map(|solid| solid.cast_ray(&ray, Sides::Both).map(|hit| hit.t));
/// assert_eq!(t, [Some(2.0), Some(7.5)]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Primitive {
    /// A sphere.
    Sphere(Sphere),
    /// An upright box.
    Aabb(Aabb),
    /// A turned box.
    Obb(Obb),
    /// A capsule.
    Capsule(Capsule),
}

impl Primitive {
    /// The smallest box of f32 around the solid.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::Sphere(sphere) => sphere.bounds(),
            Self::Aabb(aabb) => *aabb,
            Self::Obb(obb) => obb.bounds(),
            Self::Capsule(capsule) => capsule.bounds(),
        }
    }

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

    /// How this solid (first) and another (second) meet, or `None` where they are apart; see
    /// [`overlap`](crate::overlap).
    #[must_use]
    pub fn meeting(&self, other: &Self) -> Option<PrimitiveOverlap> {
        match (self, other) {
            (Self::Sphere(a), Self::Sphere(b)) => sphere_sphere(a, b),
            (Self::Sphere(a), Self::Aabb(b)) => sphere_aabb(a, b),
            (Self::Sphere(a), Self::Obb(b)) => sphere_obb(a, b),
            (Self::Sphere(a), Self::Capsule(b)) => sphere_capsule(a, b),
            (Self::Aabb(a), Self::Aabb(b)) => aabb_aabb(a, b),
            (Self::Aabb(a), Self::Obb(b)) => aabb_obb(a, b),
            (Self::Obb(a), Self::Obb(b)) => obb_obb(a, b),
            (Self::Capsule(a), Self::Aabb(b)) => capsule_aabb(a, b),
            (Self::Capsule(a), Self::Obb(b)) => capsule_obb(a, b),
            (Self::Capsule(a), Self::Capsule(b)) => capsule_capsule(a, b),
            (Self::Aabb(_) | Self::Obb(_), Self::Sphere(_))
            | (Self::Obb(_), Self::Aabb(_))
            | (Self::Aabb(_) | Self::Obb(_), Self::Capsule(_))
            | (Self::Capsule(_), Self::Sphere(_)) => {
                other.meeting(self).map(PrimitiveOverlap::exchanged)
            }
        }
    }

    /// How a triangle, its corners in metres, meets the solid; `None` where they are apart or the
    /// triangle has no area. See [`overlap`](crate::overlap).
    #[must_use]
    pub fn triangle_meeting(&self, corners: &[DVec3; 3]) -> Option<Overlap> {
        match self {
            Self::Sphere(sphere) => triangle_sphere(corners, sphere),
            Self::Aabb(aabb) => triangle_aabb(corners, aabb),
            Self::Obb(obb) => triangle_obb(corners, obb),
            Self::Capsule(capsule) => triangle_capsule(corners, capsule),
        }
    }

    /// Whether a point, which must be finite, belongs to the closed solid, exactly. Solids are
    /// convex: one that holds a triangle's corners holds the triangle.
    #[must_use]
    pub(crate) fn holds(&self, point: DVec3) -> bool {
        match self {
            Self::Sphere(sphere) => sphere.holds(point),
            Self::Aabb(aabb) => {
                let (min, max) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
                min.cmple(point).all() && point.cmple(max).all()
            }
            Self::Obb(obb) => obb.holds(point),
            Self::Capsule(capsule) => capsule.compare_distance(point, 0.0).is_le(),
        }
    }

    /// A point of the solid, metres: its middle, or a capsule's first end.
    #[must_use]
    pub fn inner_point(&self) -> DVec3 {
        match self {
            Self::Sphere(sphere) => sphere.center().as_dvec3(),
            Self::Aabb(aabb) => (aabb.min().as_dvec3() + aabb.max().as_dvec3()) * 0.5,
            Self::Obb(obb) => obb.middle(),
            Self::Capsule(capsule) => capsule.a().as_dvec3(),
        }
    }

    /// Whether `point` belongs to the closed solid, exactly. A point that is not finite does not.
    #[must_use]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        point.is_finite() && self.holds(point.as_dvec3())
    }
}

impl From<Sphere> for Primitive {
    fn from(sphere: Sphere) -> Self {
        Self::Sphere(sphere)
    }
}

impl From<Aabb> for Primitive {
    fn from(aabb: Aabb) -> Self {
        Self::Aabb(aabb)
    }
}

impl From<Obb> for Primitive {
    fn from(obb: Obb) -> Self {
        Self::Obb(obb)
    }
}

impl From<Capsule> for Primitive {
    fn from(capsule: Capsule) -> Self {
        Self::Capsule(capsule)
    }
}
