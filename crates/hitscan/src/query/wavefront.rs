//! Rays that take each step together, and lists of those that stand before the same kind of step.
//!
//! One ray alone spends its time waiting: for memory, for a test before it can choose, for a branch
//! that was guessed wrong. In a wave all rays' tests are done one after the other without a branch,
//! then all choose, and all ask for the memory that they need next before any reads it.
//! `height_field/wave/` and `tri_mesh/wave/` are waves.
//!
//! Source: Laine, Karras, Aila, "Megakernels Considered Harmful: Wavefront Path Tracing on GPUs",
//! High-Performance Graphics 2013; here for the caches and branches of a CPU.

use crate::Ray;

/// How many rays a thread takes at once: no more than `MOST`, so that threads end together, and no
/// fewer than `LEAST`, which stay on the thread that asks.
#[cfg(feature = "parallel")]
const MOST: usize = 1 << 11;
#[cfg(feature = "parallel")]
const LEAST: usize = 1 << 9;

/// Has `answer` fill in the answers of all rays, in chunks on the threads of rayon's current pool where
/// the feature `parallel` is on.
///
/// # Panics
/// If there are not as many places as rays.
pub(crate) fn share<A: Send>(
    rays: &[Ray],
    answers: &mut [A],
    answer: impl Fn(&[Ray], &mut [A]) + Sync,
) {
    assert_eq!(
        rays.len(),
        answers.len(),
        "there is a place for each answer"
    );
    #[cfg(feature = "parallel")]
    if rays.len() > LEAST && rayon::current_num_threads() > 1 {
        use rayon::prelude::*;
        let share = rays.len().div_ceil(rayon::current_num_threads());
        let chunk = share.clamp(LEAST, MOST);
        rays.par_chunks(chunk)
            .zip(answers.par_chunks_mut(chunk))
            .for_each(|(rays, answers)| answer(rays, answers));
        return;
    }
    answer(rays, answers);
}

/// The rays of a wave of up to `N` that stand before the same kind of step, by their places in it,
/// listed without branches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List<const N: usize> {
    places: [u8; N],
    count: usize,
}

impl<const N: usize> List<N> {
    pub(crate) const EMPTY: Self = Self {
        places: [0; N],
        count: 0,
    };

    /// All places.
    #[expect(clippy::cast_possible_truncation, reason = "places are below N")]
    pub(crate) fn full() -> Self {
        Self {
            places: core::array::from_fn(|place| place as u8),
            count: N,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// The list emptied, to be filled by a loop that does little else.
    #[inline(always)]
    pub(crate) fn refill(&mut self) -> Filling<'_, N> {
        self.clear();
        self.fill_on()
    }

    /// The list as it is, to be filled further by such a loop.
    #[inline(always)]
    pub(crate) fn fill_on(&mut self) -> Filling<'_, N> {
        Filling {
            places: &mut self.places,
            count: self.count,
            total: &mut self.count,
        }
    }

    /// As [`Filling::push_if`].
    #[inline(always)]
    pub(crate) fn push_if(&mut self, place: usize, is_kept: bool) {
        self.fill_on().push_if(place, is_kept);
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.places[..self.count]
    }

    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.as_slice().iter().map(|&place| usize::from(place) % N)
    }
}

/// A list that is being filled: how many it has is counted beside it, where it need not be written to
/// memory for each place.
pub(crate) struct Filling<'a, const N: usize> {
    places: &'a mut [u8; N],
    count: usize,
    total: &'a mut usize,
}

impl<const N: usize> Filling<'_, N> {
    /// Lists the place if `is_kept`: writing always costs less than a branch guessed wrong.
    #[expect(clippy::cast_possible_truncation, reason = "places are below N")]
    #[inline(always)]
    pub(crate) fn push_if(&mut self, place: usize, is_kept: bool) {
        // Where the list is full there is nothing left to list.
        self.places[self.count % N] = place as u8;
        self.count += usize::from(is_kept);
    }
}

impl<const N: usize> Drop for Filling<'_, N> {
    #[inline(always)]
    fn drop(&mut self) {
        *self.total = self.count;
    }
}
