//! Pairs of a moving and a resting box, transposed from records (AoS) to rows (SoA) for vectors.
//!
//! Nothing is decided here; `box_pair_classes.rs` does that.

use crate::Aabb;
use crate::narrow_phase::shape_cast::AabbCast;
use fearless_simd::{Simd, f32x4, f64x2, prelude::*};
use glam::Vec3;

/// The number of pairs that are transposed at once: few enough to stay in the first-level cache, and so many
/// that what was stored by fours has arrived before it is read by wider vectors.
pub(super) const BLOCK: usize = 64;

/// A block of `N` pairs, `[axis][pair]`; N is a multiple of the widest vector, 16.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(super) struct Rows<const N: usize> {
    pub(super) start_min: [[f32; N]; 3],
    pub(super) start_max: [[f32; N]; 3],
    pub(super) motion: [[f32; N]; 3],
    pub(super) min: [[f32; N]; 3],
    pub(super) max: [[f32; N]; 3],
}

impl<const N: usize> Rows<N> {
    pub(super) const EMPTY: Self = Self {
        start_min: [[0.0; N]; 3],
        start_max: [[0.0; N]; 3],
        motion: [[0.0; N]; 3],
        min: [[0.0; N]; 3],
        max: [[0.0; N]; 3],
    };

    /// The pair in a place.
    pub(super) fn pair(&self, place: usize) -> (AabbCast, Aabb) {
        let at = |rows: &[[f32; N]; 3]| Vec3::from_array([0, 1, 2].map(|axis| rows[axis][place]));
        let start = Aabb::from_ordered(at(&self.start_min), at(&self.start_max));
        let motion = at(&self.motion);
        (
            AabbCast { start, motion },
            Aabb::from_ordered(at(&self.min), at(&self.max)),
        )
    }

    /// Copies up to a block of pairs, four at a time; places behind the last hold it again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fill<S: Simd>(&mut self, simd: S, moving: &[AabbCast], resting: &[Aabb]) {
        let count = moving.len().min(resting.len()).min(N);
        for from in (0..count).step_by(4) {
            let parts = [
                parts(moving, resting, from),
                parts(moving, resting, (from + 1).min(count - 1)),
                parts(moving, resting, (from + 2).min(count - 1)),
                parts(moving, resting, (from + 3).min(count - 1)),
            ];
            let [start_x, start_y, start_z, end_x] = transposed(simd, &parts, 0);
            let [end_y, end_z, motion_x, motion_y] = transposed(simd, &parts, 1);
            let [min_x, min_y, min_z, max_x] = transposed(simd, &parts, 2);
            let [motion_z, max_y, max_z, _] = transposed(simd, &parts, 3);
            store(&mut self.start_min, from, [start_x, start_y, start_z]);
            store(&mut self.start_max, from, [end_x, end_y, end_z]);
            store(&mut self.motion, from, [motion_x, motion_y, motion_z]);
            store(&mut self.min, from, [min_x, min_y, min_z]);
            store(&mut self.max, from, [max_x, max_y, max_z]);
        }
    }
}

/// A pair's 15 numbers, about in their order in memory.
#[cfg_attr(not(debug_assertions), inline(always))]
fn parts(moving: &[AabbCast], resting: &[Aabb], place: usize) -> [[f32; 4]; 4] {
    let (start, motion) = (&moving[place].start, moving[place].motion);
    let (start_min, start_max) = (start.min(), start.max());
    let (min, max) = (resting[place].min(), resting[place].max());
    [
        [start_min.x, start_min.y, start_min.z, start_max.x],
        [start_max.y, start_max.z, motion.x, motion.y],
        [min.x, min.y, min.z, max.x],
        [motion.z, max.y, max.z, 0.0],
    ]
}

/// The numbers `part` of four pairs: the first of each, the second of each, and so on.
#[cfg_attr(not(debug_assertions), inline(always))]
fn transposed<S: Simd>(simd: S, parts: &[[[f32; 4]; 4]; 4], part: usize) -> [f32x4<S>; 4] {
    let a = f32x4::load_array(simd, parts[0][part]);
    let b = f32x4::load_array(simd, parts[1][part]);
    let c = f32x4::load_array(simd, parts[2][part]);
    let d = f32x4::load_array(simd, parts[3][part]);
    let (ab_low, ab_high) = (couples(a.zip_low(b)), couples(a.zip_high(b)));
    let (cd_low, cd_high) = (couples(c.zip_low(d)), couples(c.zip_high(d)));
    [
        ab_low.zip_low(cd_low).bitcast(),
        ab_low.zip_high(cd_low).bitcast(),
        ab_high.zip_low(cd_high).bitcast(),
        ab_high.zip_high(cd_high).bitcast(),
    ]
}

/// Each two f32 as one lane, that is moved whole.
#[cfg_attr(not(debug_assertions), inline(always))]
fn couples<S: Simd>(lanes: f32x4<S>) -> f64x2<S> {
    lanes.bitcast()
}

/// Stores a vector an axis, from `from` on.
#[cfg_attr(not(debug_assertions), inline(always))]
fn store<S: Simd, const N: usize>(rows: &mut [[f32; N]; 3], from: usize, lanes: [f32x4<S>; 3]) {
    lanes[0].store_slice(&mut rows[0][from..from + 4]);
    lanes[1].store_slice(&mut rows[1][from..from + 4]);
    lanes[2].store_slice(&mut rows[2][from..from + 4]);
}

/// A vector of pairs from `from` on, axis by axis.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn row<S: Simd, const N: usize>(
    simd: S,
    rows: &[[f32; N]; 3],
    from: usize,
) -> [S::f32s; 3] {
    [
        S::f32s::from_slice(simd, &rows[0][from..from + S::f32s::LEN]),
        S::f32s::from_slice(simd, &rows[1][from..from + S::f32s::LEN]),
        S::f32s::from_slice(simd, &rows[2][from..from + S::f32s::LEN]),
    ]
}
