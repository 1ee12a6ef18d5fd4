//! The overlap of two primitives of any kind, and of a triangle and a primitive.

use super::{
    Overlap, PrimitiveOverlap, aabb_aabb, aabb_obb, capsule_aabb, capsule_capsule, capsule_obb,
    obb_obb, sphere_aabb, sphere_capsule, sphere_obb, sphere_sphere, triangle_aabb,
    triangle_capsule, triangle_obb, triangle_sphere,
};
use crate::Primitive;
use glam::DVec3;

impl Primitive {
    /// How this primitive (first) and another (second) overlap, or `None` where they are apart; see
    /// [`overlap`](crate::overlap).
    #[must_use]
    pub fn overlap(&self, other: &Self) -> Option<PrimitiveOverlap> {
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
                other.overlap(self).map(PrimitiveOverlap::exchanged)
            }
        }
    }

    /// How a triangle, its corners in metres, overlaps the primitive; `None` where they are apart or the
    /// triangle has no area. See [`overlap`](crate::overlap).
    #[must_use]
    pub fn triangle_overlap(&self, corners: &[DVec3; 3]) -> Option<Overlap> {
        match self {
            Self::Sphere(sphere) => triangle_sphere(corners, sphere),
            Self::Aabb(aabb) => triangle_aabb(corners, aabb),
            Self::Obb(obb) => triangle_obb(corners, obb),
            Self::Capsule(capsule) => triangle_capsule(corners, capsule),
        }
    }
}
