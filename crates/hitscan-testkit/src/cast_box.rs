//! A moving box cast at a primitive as users cast it.

use hitscan::shape_cast::AabbCast;
use hitscan::{Primitive, ShapeCast, ShapeHit};

/// The first hit of a moving box with a primitive; overlaps stop it.
///
/// # Panics
/// Never: a motion of another cast is finite.
pub fn cast_box(moving: &AabbCast, at: impl Into<Primitive>) -> Option<ShapeHit> {
    let cast = ShapeCast::new(moving.start(), moving.motion()).expect("the motion is finite");
    at.into().cast_shape(&cast, ())
}
