//! The times of impact of many moving boxes, each with one resting box.
//!
//! `box_pair_classes.rs` classifies a vector of pairs at once, and leaves what it cannot decide to
//! [`Aabb::cast_aabb`](crate::Aabb::cast_aabb), so the answers are the same, bit for bit. A time is
//! a fifth of the memory of a hit, and memory is most of what a pair costs where there are many.

use super::pair_rows::{BLOCK, Rows};
use crate::Aabb;
use crate::narrow_phase::shape_cast::AabbCast;
use crate::parallel::map_all;
use crate::simd::Width;
use crate::simd::dispatch_wide;
use fearless_simd::{Simd, prelude::*};

/// The number of pairs a task: whole blocks of rows, so that only the last task has a partial one. A
/// compromise: large enough that starting a task costs little beside a few vector operations a pair,
/// small enough for threads to end together.
const CHUNK: usize = 64 * BLOCK;

/// When each moving box first hits the resting box of the same index: the t of
/// [`Aabb::cast_aabb`](crate::Aabb::cast_aabb), bit for bit, or `None`.
///
/// Boxes that overlap at the start have the time 0. With the feature `parallel` on several threads.
///
/// # Panics
/// If there are not as many casts as boxes.
///
/// ```
/// use hitscan::Aabb;
/// use hitscan::broad_phase::{AabbCast, times_of_impact};
/// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
/// let casts = [AabbCast::new(unit, [4.0, 0.0, 0.0])?, AabbCast::new(unit, [0.0, 4.0, 0.0])?];
/// let walls = [Aabb::new([3.0, 0.0, 0.0], [4.0, 1.0, 1.0])?; 2];
/// assert_eq!(times_of_impact(&casts, &walls), [Some(0.5), None]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn times_of_impact(casts: &[AabbCast], boxes: &[Aabb]) -> Vec<Option<f32>> {
    let mut times = vec![None; casts.len()];
    times_of_impact_into(casts, boxes, &mut times);
    times
}

/// [`times_of_impact`] into a slice.
///
/// # Panics
/// If the three lengths differ.
pub fn times_of_impact_into(casts: &[AabbCast], boxes: &[Aabb], times: &mut [Option<f32>]) {
    times_of_impact_at_width(Width::default(), casts, boxes, times);
}

/// [`times_of_impact_into`] with these vector instructions, for tests.
#[doc(hidden)]
pub fn times_of_impact_at_width(
    width: Width,
    casts: &[AabbCast],
    boxes: &[Aabb],
    times: &mut [Option<f32>],
) {
    assert_eq!(casts.len(), boxes.len(), "as many casts as boxes");
    assert_eq!(casts.len(), times.len(), "as many times as casts");
    answer_queries(casts, boxes, width, times);
}

fn answer_queries(casts: &[AabbCast], boxes: &[Aabb], width: Width, times: &mut [Option<f32>]) {
    let pairs = casts.chunks(CHUNK).zip(boxes.chunks(CHUNK));
    let tasks = pairs.zip(times.chunks_mut(CHUNK)).collect();
    map_all(tasks, |((casts, boxes), times)| {
        answer(casts, boxes, width, times);
    });
}

fn answer(casts: &[AabbCast], boxes: &[Aabb], width: Width, times: &mut [Option<f32>]) {
    dispatch_wide!(width, simd => answer_blocks(simd, casts, boxes, times));
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn answer_blocks<S: Simd>(simd: S, casts: &[AabbCast], boxes: &[Aabb], times: &mut [Option<f32>]) {
    let mut rows = Rows::<BLOCK>::EMPTY;
    let mut block = [f32::INFINITY; BLOCK];
    let pairs = casts.chunks(BLOCK).zip(boxes.chunks(BLOCK));
    for ((casts, boxes), times) in pairs.zip(times.chunks_mut(BLOCK)) {
        rows.fill(simd, casts, boxes);
        rows.store_times(simd, &mut block, times.len());
        for (time, t) in times.iter_mut().zip(block) {
            *time = (t <= 1.0).then_some(t);
        }
    }
}

impl<const N: usize> Rows<N> {
    /// The times of the first `count` pairs, infinity where they do not hit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store_times<S: Simd>(&self, simd: S, times: &mut [f32; N], count: usize) {
        let never = S::f32s::splat(simd, f32::INFINITY);
        let at_start = S::f32s::splat(simd, 0.0);
        for from in (0..N).step_by(S::f32s::LEN) {
            let classes = self.classify(simd, from);
            let t = classes.hits.select(classes.t, never);
            let t = classes.overlaps.select(at_start, t);
            t.store_slice(&mut times[from..from + S::f32s::LEN]);
            let mut rest = classes.others.to_bitmask();
            while rest != 0 {
                let place = from + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if place < count {
                    times[place] = self.exact_time(place);
                }
            }
        }
    }

    #[inline(never)]
    fn exact_time(&self, place: usize) -> f32 {
        let (cast, resting) = self.pair(place);
        resting.cast_aabb(&cast).map_or(f32::INFINITY, |hit| hit.t)
    }
}
