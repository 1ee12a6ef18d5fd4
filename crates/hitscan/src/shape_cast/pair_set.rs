//! Many pairs of a moving and a resting box, kept as vectors read them.
//!
//! Turning records into columns costs more than the answers do (`pair_rows.rs`); who asks the same pairs
//! again, or fills them in one by one, keeps them here.

use super::BoxMotion;
use super::pair_rows::Rows;
use crate::Aabb;
use crate::simd::dispatch;
use crate::simd::{Width, prefetch};
use fearless_simd::Simd;

/// How many pairs stand side by side: the widest vector, so that memory is read from end to end.
const BLOCK: usize = 16;
/// How many blocks of pairs a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 256;
/// How many blocks ahead memory is asked for. Of 1 to 12 the best, where there are a million pairs.
const AHEAD: usize = 2;

/// Pairs of a moving box and a resting box, numbered from 0, of which all times of first contact are
/// asked at once.
///
/// ```
/// use hitscan::{Aabb, sweep};
/// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
/// let wall = Aabb::new([3.0, 0.0, 0.0], [4.0, 1.0, 1.0])?;
/// let mut pairs = shape_cast::BoxPairs::default();
/// for motion in [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0]] {
///     pairs.push(&shape_cast::BoxMotion::new(unit, motion)?, &wall);
/// }
/// assert_eq!(pairs.times(), [0.5, f32::INFINITY]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct BoxPairs {
    blocks: Vec<Rows<BLOCK>>,
    len: usize,
    width: Width,
}

impl BoxPairs {
    /// The same pairs, asked with these vector instructions. The answers are the same.
    #[must_use]
    pub fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// How many pairs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no pair.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all pairs; their memory is used again.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.len = 0;
    }

    /// Adds a pair behind the others.
    pub fn push(&mut self, moving: &BoxMotion, resting: &Aabb) {
        let place = self.len % BLOCK;
        if place == 0 {
            self.blocks.push(Rows::EMPTY);
        }
        if let Some(rows) = self.blocks.last_mut() {
            rows.set(place, moving, resting);
        }
        self.len += 1;
    }

    /// The pair with this number.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<(BoxMotion, Aabb)> {
        let rows = self.blocks.get(index / BLOCK)?;
        (index < self.len).then(|| rows.pair(index % BLOCK))
    }

    /// The time of each pair's first contact, as [`box_pair_times`](super::box_pair_times()) tells it:
    /// the t of [`box_box`](super::box_box()), bit for bit, and infinity where they do not meet.
    #[must_use]
    pub fn times(&self) -> Vec<f32> {
        let mut times = Vec::new();
        self.times_into(&mut times);
        times
    }

    /// [`BoxPairs::times`] into memory that is used again. Whatever `times` held is replaced.
    pub fn times_into(&self, times: &mut Vec<f32>) {
        times.resize(self.len, f32::INFINITY);
        answer_all(&self.blocks, self.width, times);
    }
}

impl FromIterator<(BoxMotion, Aabb)> for BoxPairs {
    fn from_iter<I: IntoIterator<Item = (BoxMotion, Aabb)>>(pairs: I) -> Self {
        let mut set = Self::default();
        set.extend(pairs);
        set
    }
}

impl Extend<(BoxMotion, Aabb)> for BoxPairs {
    fn extend<I: IntoIterator<Item = (BoxMotion, Aabb)>>(&mut self, pairs: I) {
        for (moving, resting) in pairs {
            self.push(&moving, &resting);
        }
    }
}

#[cfg(feature = "parallel")]
fn answer_all(blocks: &[Rows<BLOCK>], width: Width, times: &mut [f32]) {
    use rayon::prelude::*;
    let blocks = blocks.par_chunks(CHUNK);
    blocks
        .zip(times.par_chunks_mut(CHUNK * BLOCK))
        .for_each(|(blocks, times)| answer(blocks, width, times));
}

#[cfg(not(feature = "parallel"))]
fn answer_all(blocks: &[Rows<BLOCK>], width: Width, times: &mut [f32]) {
    answer(blocks, width, times);
}

fn answer(blocks: &[Rows<BLOCK>], width: Width, times: &mut [f32]) {
    #[inline(always)]
    fn store_all<S: Simd>(simd: S, blocks: &[Rows<BLOCK>], times: &mut [f32]) {
        for (number, (rows, times)) in blocks.iter().zip(times.chunks_mut(BLOCK)).enumerate() {
            if let Some(next) = blocks.get(number + AHEAD) {
                prefetch(next);
            }
            rows.store_times(simd, times);
        }
    }
    dispatch!(width, simd => store_all(simd, blocks, times));
}
