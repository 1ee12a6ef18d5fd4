//! Vectors at unit length, rounded once.

use crate::exact::expansion::nearest_f32;
use glam::{DVec3, Vec3};

/// `v` at unit length in f32, without -0. `v` must be finite; a zero vector stays zero.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn unit(v: DVec3) -> Vec3 {
    let size = v.abs().max_element();
    if size == 0.0 {
        return Vec3::ZERO;
    }
    let scaled = v / size;
    let length = scaled.dot(scaled).sqrt();
    let unit = scaled / length;
    Vec3::new(
        nearest_f32(unit.x),
        nearest_f32(unit.y),
        nearest_f32(unit.z),
    )
}
