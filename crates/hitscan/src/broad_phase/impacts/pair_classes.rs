//! Pairs of a moving and a resting box, classified a vector at a time by a floating-point filter.
//!
//! Most are certain misses, overlaps or hits on one axis, whose time is one f64 quotient. The rest is
//! left to `box_aabb.rs`.

use super::pair_rows::{Rows, row};
use fearless_simd::{Simd, prelude::*};

/// Relative difference of two times that is certain in f32.
///
/// A time is a rounded difference times a rounded reciprocal: three roundings of 2^-24 for each of
/// the two, and what comparing takes itself.
const CERTAIN: f32 = 16.0 * f32::EPSILON;
/// More than what underflow takes from a time: 2^-150 where the product is below the range of normal f32. Times from
/// 0 to 1 that differ by less are left to the exact test of one pair.
const UNDERFLOW: f32 = 1e-30;
/// Speeds between these have a reciprocal that is a normal f32.
const SPEEDS: [f32; 2] = [1e-30, 1e30];
/// More than the relative error of a quotient of a difference in f64: two roundings of 2^-53, and
/// one of the product with this.
const QUOTIENT: f64 = 8.0 * f64::EPSILON;

/// The classes of a vector of pairs; those in no class miss.
pub(super) struct Classification<S: Simd> {
    pub(super) overlaps: S::mask32s,
    pub(super) hits: S::mask32s,
    /// Where the filter fails.
    pub(super) others: S::mask32s,
    /// When hits happen.
    pub(super) t: S::f32s,
}

impl<const N: usize> Rows<N> {
    /// Classifies the pairs from `from` on.
    ///
    /// On an axis `near = min - start_max` and `far = max - start_min` are the ways to the first and
    /// last touch, so that the boxes touch from the smaller of `near / motion` and `far / motion` to
    /// the greater. Signs of rounded differences are exact: `near < 0 < far` on all axes is an
    /// overlap at the start; else the pair misses where an axis is left at or before 0 or, without
    /// motion, does not overlap. What remains is hit when its last entry is at most 1 and at most
    /// every exit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn classify<S: Simd>(&self, simd: S, from: usize) -> Classification<S> {
        let start_min = row(simd, &self.start_min, from);
        let start_max = row(simd, &self.start_max, from);
        let motion = row(simd, &self.motion, from);
        let min = row(simd, &self.min, from);
        let max = row(simd, &self.max, from);
        let splat = S::f32s::splat;
        let x = Axis::new(
            simd,
            [start_min[0], start_max[0]],
            motion[0],
            [min[0], max[0]],
        );
        let y = Axis::new(
            simd,
            [start_min[1], start_max[1]],
            motion[1],
            [min[1], max[1]],
        );
        let z = Axis::new(
            simd,
            [start_min[2], start_max[2]],
            motion[2],
            [min[2], max[2]],
        );
        let overlaps = x.overlaps & y.overlaps & z.overlaps;
        let is_over = x.is_over | y.is_over | z.is_over;
        let is_odd = x.is_odd | y.is_odd | z.is_odd;
        let enter = x.enter.max(y.enter).max(z.enter);
        let end = x.leave.min(y.leave).min(z.leave).min(splat(simd, 1.0));
        let slack = enter
            .abs()
            .mul_add(splat(simd, CERTAIN), splat(simd, UNDERFLOW));
        let is_late = (enter - end).simd_gt(slack);
        let is_early = (end - enter).simd_gt(slack);
        let is_miss = !overlaps & (is_over | (is_late & !is_odd));
        // Only one axis is entered last, unless two entries are about the same.
        let last = enter - slack;
        let is_last = [
            x.enter.simd_ge(last),
            y.enter.simd_ge(last),
            z.enter.simd_ge(last),
        ];
        let is_shared = (is_last[0] & (is_last[1] | is_last[2])) | (is_last[1] & is_last[2]);
        let is_hit = is_early & !(is_shared | is_odd | overlaps | is_over);
        let is_backward: S::mask32s =
            pick_mask::<S>(is_last, [x.is_backward, y.is_backward, z.is_backward]);
        let obstacle = is_backward.select(pick::<S>(is_last, max), pick::<S>(is_last, min));
        let start =
            is_backward.select(pick::<S>(is_last, start_min), pick::<S>(is_last, start_max));
        let (t, is_rounded) = quotient::<S>(obstacle, start, pick::<S>(is_last, motion));
        let hits = is_hit & is_rounded;
        Classification {
            overlaps,
            hits,
            others: !(is_miss | overlaps | hits),
            t,
        }
    }
}

/// Of each lane the value of the first axis that is chosen, or the last axis.
#[cfg_attr(not(debug_assertions), inline(always))]
fn pick<S: Simd>(is_chosen: [S::mask32s; 3], of: [S::f32s; 3]) -> S::f32s {
    is_chosen[0].select(of[0], is_chosen[1].select(of[1], of[2]))
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn pick_mask<S: Simd>(is_chosen: [S::mask32s; 3], of: [S::mask32s; 3]) -> S::mask32s {
    (is_chosen[0] & of[0]) | (is_chosen[1] & of[1]) | (is_chosen[2] & of[2])
}

/// A vector of pairs on one axis.
struct Axis<S: Simd> {
    is_backward: S::mask32s,
    enter: S::f32s,
    leave: S::f32s,
    /// Whether `near < 0 < far`.
    overlaps: S::mask32s,
    /// Whether the axis is left at or before t = 0, or never overlaps.
    is_over: S::mask32s,
    /// Whether f32 does not hold the reciprocal of the motion well.
    is_odd: S::mask32s,
}

impl<S: Simd> Axis<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(
        simd: S,
        [start_min, start_max]: [S::f32s; 2],
        motion: S::f32s,
        [min, max]: [S::f32s; 2],
    ) -> Self {
        let zero = S::f32s::splat(simd, 0.0);
        let (near, far) = (min - start_max, max - start_min);
        let (is_ahead, is_behind) = (near.simd_ge(zero), far.simd_le(zero));
        let (is_forward, is_backward) = (motion.simd_gt(zero), motion.simd_lt(zero));
        let is_still = !(is_forward | is_backward);
        let speed = motion.abs();
        let is_odd = !is_still & (speed.simd_lt(SPEEDS[0]) | speed.simd_gt(SPEEDS[1]));
        let reciprocal = S::f32s::splat(simd, 1.0) / motion;
        let (a, b) = (near * reciprocal, far * reciprocal);
        // Without motion an axis that overlaps does so at all times.
        let (never, always) = (f32::NEG_INFINITY, f32::INFINITY);
        Self {
            is_backward,
            enter: is_still.select(S::f32s::splat(simd, never), a.min(b)),
            leave: is_still.select(S::f32s::splat(simd, always), a.max(b)),
            overlaps: !(is_ahead | is_behind),
            is_over: (is_behind & !is_backward) | (is_ahead & !is_forward),
            is_odd,
        }
    }
}

/// `(obstacle - start) / motion` rounded to f32, never -0, and whether it is certain to be rounded
/// right.
#[cfg_attr(not(debug_assertions), inline(always))]
fn quotient<S: Simd>(obstacle: S::f32s, start: S::f32s, motion: S::f32s) -> (S::f32s, S::mask32s) {
    let (obstacle, start, motion) = (obstacle.widen(), start.widen(), motion.widen());
    let first = (obstacle.0 - start.0) / motion.0;
    let second = (obstacle.1 - start.1) / motion.1;
    let (first_off, second_off) = (first * QUOTIENT, second * QUOTIENT);
    let low: S::f32s = (first - first_off).narrow(second - second_off);
    let high: S::f32s = (first + first_off).narrow(second + second_off);
    // Adding zero turns -0 into +0.
    (low + 0.0, low.simd_eq(high))
}
