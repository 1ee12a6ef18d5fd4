//! Wavefronts: rays that take each step together, in slots that are refilled when a ray ends.
//!
//! One ray alone is latency-bound: by memory, by a test that a choice depends on, by mispredicted
//! branches. In a wavefront all rays' tests run one after the other without a branch, then all
//! branch, and all prefetch what they need next before any reads it. A shape brings the steps
//! ([`Steps`]); slots, lists and the order of events are here.
//!
//! Source: Laine, Karras, Aila, "Megakernels Considered Harmful: Wavefront Path Tracing on GPUs",
//! High-Performance Graphics 2013; here for the caches and branches of a CPU.

use super::closest_hits::NO_HIT;
use super::collector::Collector;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use core::marker::PhantomData;
use core::ops::Range;

/// The rays of a wavefront of `N`, by slots: what each looks for and has found.
pub(crate) struct Slots<K, C, const N: usize> {
    /// Which ray is in a slot.
    pub(crate) numbers: [usize; N],
    pub(crate) collectors: [C; N],
    /// The best hit of each that has one, which is computed once.
    pub(crate) hits: [TriangleHit; N],
    /// The slots of rays that have ended, which are free.
    pub(crate) ended: List<N>,
    keys: PhantomData<K>,
}

/// Rays that have ended, by their numbers, with what they have found; the hit means something if the
/// collector has a best candidate.
pub(crate) struct Ended<'a, C, const N: usize> {
    slots: core::slice::Iter<'a, u8>,
    numbers: &'a [usize; N],
    collectors: &'a [C; N],
    hits: &'a [TriangleHit; N],
}

/// The steps of a wavefront through one shape.
pub(crate) trait Steps<K, C, const N: usize> {
    /// Starts rays of these numbers in free slots; returns the number after the last.
    fn start(&mut self, slots: &mut Slots<K, C, N>, numbers: Range<usize>) -> usize;

    /// Whether no ray is active.
    fn is_idle(&self) -> bool;

    /// Advances all rays by one step, and lists the slots of those that end.
    fn step(&mut self, slots: &mut Slots<K, C, N>);
}

impl<K, C: Collector<K> + Copy, const N: usize> Slots<K, C, N> {
    pub(crate) fn new() -> Self {
        Self {
            numbers: [0; N],
            collectors: [C::new(f32::INFINITY); N],
            hits: [NO_HIT; N],
            ended: List::EMPTY,
            keys: PhantomData,
        }
    }

    /// Puts a ray in a slot, for which hits after `t_max` do not matter.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn put(&mut self, slot: usize, number: usize, t_max: f32) {
        self.numbers[slot] = number;
        self.collectors[slot] = C::new(t_max);
    }

    /// Takes `count` rays through all their steps, and passes on those that have ended after each.
    pub(crate) fn run(
        &mut self,
        count: usize,
        steps: &mut impl Steps<K, C, N>,
        pass_on: &mut dyn FnMut(Ended<'_, C, N>),
    ) {
        self.ended = List::full();
        let mut next = 0;
        loop {
            if next < count {
                next = steps.start(self, next..count);
            }
            if steps.is_idle() {
                return;
            }
            steps.step(self);
            pass_on(Ended {
                slots: self.ended.as_slice().iter(),
                numbers: &self.numbers,
                collectors: &self.collectors,
                hits: &self.hits,
            });
        }
    }
}

impl<'a, C: Copy, const N: usize> Iterator for Ended<'a, C, N> {
    type Item = (usize, C, &'a TriangleHit);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        let slot = usize::from(*self.slots.next()?) % N;
        Some((self.numbers[slot], self.collectors[slot], &self.hits[slot]))
    }
}

/// Slots of a wavefront of up to `N` whose rays take the same kind of step next, listed without
/// branches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List<const N: usize> {
    slots: [u8; N],
    count: usize,
}

impl<const N: usize> List<N> {
    pub(crate) const EMPTY: Self = Self {
        slots: [0; N],
        count: 0,
    };

    /// All slots.
    pub(crate) fn full() -> Self {
        Self::first(N)
    }

    /// The first `count` slots.
    #[expect(clippy::cast_possible_truncation, reason = "slots are below N")]
    pub(crate) fn first(count: usize) -> Self {
        Self {
            slots: core::array::from_fn(|slot| slot as u8),
            count,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// The list emptied, to be filled by a loop that does little else.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn refill(&mut self) -> Filling<'_, N> {
        self.clear();
        self.fill_on()
    }

    /// The list as it is, to be filled further by such a loop.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn fill_on(&mut self) -> Filling<'_, N> {
        Filling {
            slots: &mut self.slots,
            count: self.count,
            total: &mut self.count,
        }
    }

    /// As [`Filling::push_if`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn push_if(&mut self, slot: usize, is_kept: bool) {
        self.fill_on().push_if(slot, is_kept);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.slots[..self.count]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.as_slice().iter().map(|&slot| usize::from(slot) % N)
    }
}

/// A list that is being filled: its length is counted beside it, where it need not be stored for each
/// slot.
pub(crate) struct Filling<'a, const N: usize> {
    slots: &'a mut [u8; N],
    count: usize,
    total: &'a mut usize,
}

impl<const N: usize> Filling<'_, N> {
    /// Lists the slot if `is_kept`: a store in any case costs less than a branch mispredicted.
    #[expect(clippy::cast_possible_truncation, reason = "slots are below N")]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn push_if(&mut self, slot: usize, is_kept: bool) {
        // Where the list is full there is nothing left to list.
        self.slots[self.count % N] = slot as u8;
        self.count += usize::from(is_kept);
    }
}

impl<const N: usize> Drop for Filling<'_, N> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn drop(&mut self) {
        *self.total = self.count;
    }
}
