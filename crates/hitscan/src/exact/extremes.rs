//! The lesser and the greater of two numbers, where neither is NaN: one instruction each, which those of
//! the standard library are not.

use glam::DVec3;

#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The corners of the box around three points.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn box_around([a, b, c]: &[DVec3; 3]) -> [DVec3; 2] {
    let around = |of: fn(f64, f64) -> f64| {
        DVec3::new(
            of(of(a.x, b.x), c.x),
            of(of(a.y, b.y), c.y),
            of(of(a.z, b.z), c.z),
        )
    };
    [around(lesser), around(greater)]
}

/// The corners of the box around points; the origin for none.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn bounds_of(points: &[DVec3]) -> [DVec3; 2] {
    let around = |of: fn(DVec3, DVec3) -> DVec3| points.iter().copied().reduce(of);
    [around(DVec3::min), around(DVec3::max)].map(Option::unwrap_or_default)
}

/// The largest magnitude of a coordinate.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn max_abs(v: DVec3) -> f64 {
    greater(greater(v.x.abs(), v.y.abs()), v.z.abs())
}
