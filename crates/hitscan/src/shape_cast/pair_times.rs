//! When many moving boxes each meet one resting box, without what else a contact tells.
//!
//! The verdicts are those of `box_pairs.rs`; a time is a fifth of a contact's memory, which is most of what
//! a pair costs where there are many.

use super::box_pairs::places;
use super::pair_rows::{BLOCK, Rows};
use super::{BoxMotion, box_box};
use crate::Aabb;
use crate::simd::Width;
use crate::simd::dispatch;
use fearless_simd::{Simd, prelude::*};

/// How many pairs a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 4096;

/// The time of the first contact of each moving box with the resting box at its place: the t of
/// [`box_pairs`](super::box_pairs()), bit for bit, and infinity where they do not meet.
///
/// Boxes that overlap at the start have the time 0. Where one slice is longer its rest is left out.
/// With the feature `parallel` on several threads.
///
/// ```
/// use hitscan::{Aabb, sweep};
/// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
/// let moving = [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(|motion| shape_cast::BoxMotion::new(unit, motion));
/// let moving: Vec<_> = moving.into_iter().collect::<Result<_, _>>()?;
/// let walls = [Aabb::new([3.0, 0.0, 0.0], [4.0, 1.0, 1.0])?; 2];
/// assert_eq!(shape_cast::box_pair_times(&moving, &walls), [0.5, f32::INFINITY]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn box_pair_times(moving: &[BoxMotion], resting: &[Aabb]) -> Vec<f32> {
    let mut times = Vec::new();
    box_pair_times_into(moving, resting, Width::default(), &mut times);
    times
}

/// [`box_pair_times`] with chosen vector instructions, into memory that is used again.
///
/// Whatever `times` held is replaced.
pub fn box_pair_times_into(
    moving: &[BoxMotion],
    resting: &[Aabb],
    width: Width,
    times: &mut Vec<f32>,
) {
    let count = moving.len().min(resting.len());
    let (moving, resting) = (&moving[..count], &resting[..count]);
    times.resize(count, f32::INFINITY);
    answer_all(moving, resting, width, times);
}

#[cfg(feature = "parallel")]
fn answer_all(moving: &[BoxMotion], resting: &[Aabb], width: Width, times: &mut [f32]) {
    use rayon::prelude::*;
    let pairs = moving.par_chunks(CHUNK).zip(resting.par_chunks(CHUNK));
    pairs
        .zip(times.par_chunks_mut(CHUNK))
        .for_each(|((moving, resting), times)| answer(moving, resting, width, times));
}

#[cfg(not(feature = "parallel"))]
fn answer_all(moving: &[BoxMotion], resting: &[Aabb], width: Width, times: &mut [f32]) {
    answer(moving, resting, width, times);
}

fn answer(moving: &[BoxMotion], resting: &[Aabb], width: Width, times: &mut [f32]) {
    dispatch!(width, simd => answer_blocks(simd, moving, resting, times));
}

#[inline(always)]
fn answer_blocks<S: Simd>(simd: S, moving: &[BoxMotion], resting: &[Aabb], times: &mut [f32]) {
    let mut rows = Rows::<BLOCK>::EMPTY;
    let blocks = moving.chunks(BLOCK).zip(resting.chunks(BLOCK));
    for ((moving, resting), times) in blocks.zip(times.chunks_mut(BLOCK)) {
        rows.fill(simd, moving, resting);
        rows.store_times(simd, times);
    }
}

impl<const N: usize> Rows<N> {
    /// The times of as many pairs as `times` has places.
    #[inline(always)]
    pub(super) fn store_times<S: Simd>(&self, simd: S, times: &mut [f32]) {
        match <&mut [f32; N]>::try_from(&mut *times) {
            Ok(block) => self.store_block_of_times(simd, block, N),
            Err(_) => {
                let mut block = [f32::INFINITY; N];
                self.store_block_of_times(simd, &mut block, times.len());
                times.copy_from_slice(&block[..times.len()]);
            }
        }
    }

    #[inline(always)]
    fn store_block_of_times<S: Simd>(&self, simd: S, times: &mut [f32; N], count: usize) {
        let never = S::f32s::splat(simd, f32::INFINITY);
        let at_once = S::f32s::splat(simd, 0.0);
        for from in (0..N).step_by(S::f32s::LEN) {
            let verdict = self.classify(simd, from);
            let t = verdict.hits.select(verdict.t, never);
            let t = verdict.overlaps.select(at_once, t);
            t.store_slice(&mut times[from..from + S::f32s::LEN]);
            for place in places(verdict.others.to_bitmask(), from, count) {
                times[place] = self.one_by_one(place);
            }
        }
    }

    #[inline(never)]
    fn one_by_one(&self, place: usize) -> f32 {
        let (moving, resting) = self.pair(place);
        box_box(&moving, &resting).map_or(f32::INFINITY, |contact| contact.t)
    }
}
