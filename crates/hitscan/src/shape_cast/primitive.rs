//! The shape cast against a primitive of any kind.

use super::{ShapeCast, ShapeHit};
use crate::Primitive;

impl Primitive {
    /// The first hit of a moving shape with the primitive, or `None`; see the shape's own
    /// `cast_shape`.
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast) -> Option<ShapeHit> {
        match self {
            Self::Sphere(sphere) => sphere.cast_shape(cast),
            Self::Aabb(aabb) => aabb.cast_shape(cast),
            Self::Obb(obb) => obb.cast_shape(cast),
            Self::Capsule(capsule) => capsule.cast_shape(cast),
        }
    }
}
