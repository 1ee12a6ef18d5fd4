//! Vectors of eight lanes.

use fearless_simd::{Simd, f32x8, prelude::*};

pub(super) type Vector<S> = [f32x8<S>; 3];

/// The same vector in every lane.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn everywhere<S: Simd>(simd: S, v: &[f32; 3]) -> Vector<S> {
    [
        f32x8::splat(simd, v[0]),
        f32x8::splat(simd, v[1]),
        f32x8::splat(simd, v[2]),
    ]
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn minus<S: Simd>(p: &Vector<S>, q: &Vector<S>) -> Vector<S> {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn plus<S: Simd>(p: &Vector<S>, q: &Vector<S>) -> Vector<S> {
    [p[0] + q[0], p[1] + q[1], p[2] + q[2]]
}

/// `start + way * fraction`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn along<S: Simd>(start: &Vector<S>, way: &Vector<S>, fraction: f32x8<S>) -> Vector<S> {
    [
        way[0].mul_add(fraction, start[0]),
        way[1].mul_add(fraction, start[1]),
        way[2].mul_add(fraction, start[2]),
    ]
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn dot<S: Simd>(p: &Vector<S>, q: &Vector<S>) -> f32x8<S> {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn cross<S: Simd>(p: &Vector<S>, q: &Vector<S>) -> Vector<S> {
    [
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    ]
}
