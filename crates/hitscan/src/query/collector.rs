//! Collectors of hits: the closest hit, any hit, or all hits.
//!
//! Shapes differ in what their candidates are: a leaf and lane of a tree, a triangle of a terrain,
//! an object's hit. They have in common when one is kept, how a tie in t is settled, and up to which t
//! others matter.

use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::sorting::{ordered_pair, sort_by_rank};
use core::ops::ControlFlow;

/// Takes candidate hits `C`, in any order.
pub(crate) trait Collector<C> {
    /// Whether it does not matter which hit is found.
    const IS_ANY_ENOUGH: bool;

    /// Hits after `t_max` do not matter.
    fn new(t_max: f32) -> Self;

    /// Considers a hit at `t`, from a side that counts; whether it is kept as the answer so far.
    ///
    /// Of equal t the lower candidate is kept: `is_lower` compares the new one with the one kept, by
    /// object, part and triangle. It is called for ties alone, as it may have to fetch these.
    fn consider(&mut self, t: f32, candidate: C, is_lower: impl FnOnce(&C, &C) -> bool) -> bool;

    /// Records a hit of any side, before it is considered.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn record_hit(&mut self, _: &TriangleHit) {}

    /// Records that there certainly is a hit from a side that counts, though it is not computed.
    fn record_certain_hit(&mut self) {}

    /// Up to which t other hits matter; `None` where none does.
    fn t_max(&self) -> Option<f32>;

    /// The t up to which the traversal continues, if it does.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flow(&self) -> ControlFlow<(), f32> {
        self.t_max()
            .map_or(ControlFlow::Break(()), ControlFlow::Continue)
    }

    /// The candidate kept; `None` also where it does not matter which that is.
    fn best(&self) -> Option<C>;
}

/// The closest hit, of equal t the lowest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Closest<C> {
    /// The t of the hit, or until there is one the last that matters.
    t_max: f32,
    best: Option<C>,
}

impl<C> Closest<C> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn into_best(self) -> Option<C> {
        self.best
    }
}

impl<C: Copy> Collector<C> for Closest<C> {
    const IS_ANY_ENOUGH: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(t_max: f32) -> Self {
        Self { t_max, best: None }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn consider(&mut self, t: f32, candidate: C, is_lower: impl FnOnce(&C, &C) -> bool) -> bool {
        let is_kept = t < self.t_max
            || t == self.t_max
                && self
                    .best
                    .as_ref()
                    .is_none_or(|best| is_lower(&candidate, best));
        if is_kept {
            self.t_max = t;
            self.best = Some(candidate);
        }
        is_kept
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn t_max(&self) -> Option<f32> {
        Some(self.t_max)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn best(&self) -> Option<C> {
        self.best
    }
}

/// Whether there is any hit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Any {
    is_hit: bool,
}

impl Any {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_hit(self) -> bool {
        self.is_hit
    }

    /// Records the answer for a part of what is searched.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn note(&mut self, is_hit: bool) {
        self.is_hit |= is_hit;
    }
}

impl<C> Collector<C> for Any {
    const IS_ANY_ENOUGH: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(_: f32) -> Self {
        Self { is_hit: false }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn consider(&mut self, _: f32, _: C, _: impl FnOnce(&C, &C) -> bool) -> bool {
        self.is_hit = true;
        true
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn record_certain_hit(&mut self) {
        self.is_hit = true;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn t_max(&self) -> Option<f32> {
        (!self.is_hit).then_some(f32::INFINITY)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn best(&self) -> Option<C> {
        None
    }
}

/// All hits.
#[derive(Debug, Clone)]
pub(crate) struct All<C> {
    hits: Vec<(f32, C)>,
}

impl<C> All<C> {
    /// The hits by t; those of equal t by `rank`, and else as they came.
    pub(crate) fn into_sorted(
        mut self,
        rank: impl Fn(&C) -> (u32, [u64; 2]),
    ) -> impl Iterator<Item = C> {
        sort_by_rank(&mut self.hits, |(t, hit)| {
            let (first, [second, third]) = rank(hit);
            [ordered_pair(*t, first), second, third]
        });
        self.hits.into_iter().map(|(_, hit)| hit)
    }
}

impl<C> Collector<C> for All<C> {
    const IS_ANY_ENOUGH: bool = false;

    fn new(_: f32) -> Self {
        Self { hits: Vec::new() }
    }

    fn consider(&mut self, t: f32, candidate: C, _: impl FnOnce(&C, &C) -> bool) -> bool {
        self.hits.push((t, candidate));
        true
    }

    fn t_max(&self) -> Option<f32> {
        Some(f32::INFINITY)
    }

    fn best(&self) -> Option<C> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Candidates by number, each at a t; of a tie the lower number is kept.
    fn closest(t_max: f32, candidates: &[(f32, u32)]) -> Option<u32> {
        let mut closest = Closest::new(t_max);
        for &(t, number) in candidates {
            closest.consider(t, number, |one, other| one < other);
        }
        closest.into_best()
    }

    #[test]
    fn the_closest_is_kept_and_of_ties_the_lowest() {
        for (t_max, candidates, expected) in [
            (f32::INFINITY, &[][..], None),
            (f32::INFINITY, &[(2.0, 7), (1.0, 9), (3.0, 1)], Some(9)),
            (f32::INFINITY, &[(2.0, 7), (2.0, 3), (2.0, 5)], Some(3)),
            // What lies at the limit itself still matters.
            (2.0, &[(2.0, 7)], Some(7)),
            (2.0, &[(2.5, 7)], None),
        ] {
            assert_eq!(closest(t_max, candidates), expected);
        }
    }

    #[test]
    fn any_hit_ends_the_search() {
        let mut any = <Any as Collector<u32>>::new(5.0);
        assert_eq!(Collector::<u32>::t_max(&any), Some(f32::INFINITY));
        assert!(any.consider(1.0, 0_u32, |_, _| false));
        assert_eq!(Collector::<u32>::t_max(&any), None);
        assert!(any.is_hit());
    }

    #[test]
    fn all_hits_come_by_t_and_ties_in_order() {
        let mut all = All::new(f32::INFINITY);
        for (t, number) in [(2.0, 4_u64), (1.0, 9), (2.0, 3), (2.0, 4)] {
            all.consider(t, number, |_, _| false);
        }
        let sorted: Vec<u64> = all.into_sorted(|number| (0, [*number, 0])).collect();
        assert_eq!(sorted, [9, 3, 4, 4]);
    }
}
