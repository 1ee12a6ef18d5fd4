//! Vectors at unit length, rounded once.

use crate::exact::expansion::nearest_f32;
use glam::{DVec3, Vec3};

/// `v` at unit length; no number where it vanishes. It is divided by its largest component first, so that no
/// square leaves f64's range.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn wide_unit(v: DVec3) -> DVec3 {
    let scaled = v / v.abs().max_element();
    scaled / scaled.length()
}

/// `v` at unit length in f32, without -0. `v` must be finite; a zero vector stays zero.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn unit(v: DVec3) -> Vec3 {
    if v == DVec3::ZERO {
        return Vec3::ZERO;
    }
    let unit = wide_unit(v);
    Vec3::new(
        nearest_f32(unit.x),
        nearest_f32(unit.y),
        nearest_f32(unit.z),
    )
}
