//! The shape cast against a primitive of any kind.

use super::{AabbCast, PairHit};
use crate::Primitive;

impl Primitive {
    /// The first hit of a moving shape with the primitive, or `None`; see the shape's own
    /// `cast_aabb`.
    #[must_use]
    pub fn cast_aabb(&self, cast: &AabbCast) -> Option<PairHit> {
        match self {
            Self::Sphere(sphere) => sphere.cast_aabb(cast),
            Self::Aabb(aabb) => aabb.cast_aabb(cast),
            Self::Obb(obb) => obb.cast_aabb(cast),
            Self::Capsule(capsule) => capsule.cast_aabb(cast),
        }
    }
}
