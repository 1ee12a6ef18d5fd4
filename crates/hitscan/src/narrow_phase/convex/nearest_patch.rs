//! The patch of two cores' difference that is nearest at an exact time: certified by its support plane.
//!
//! A box and a capsule have 70 patches, and where their numbers are far apart most of them take
//! arithmetic of hundreds of bits, some ten microseconds each. So the patch that was nearest the last time is
//! tried first, and after it the others by what their distances are in f64: which of them proves to be
//! nearest does not depend on the order, but for ties, whose offsets have the same direction.

use super::difference::{Difference, QueryTime};
use super::instant::Instant;
use super::patch::{Offset, Patch};
use crate::exact::adaptive::{Approx, Number, decided};
use crate::exact::big_float::BigFloat;
use crate::sorting::sort_by_rank;

impl Difference<'_> {
    /// The patch at which the distance is smallest, and the offset where it has been computed.
    pub(super) fn nearest(
        &self,
        time: &QueryTime<'_>,
    ) -> Option<(&Patch, Option<Offset<BigFloat>>)> {
        self.last_nearest(time)
            .or_else(|| self.nearest_of_all(time))
    }

    /// The patch that was nearest the last time, if it still is.
    pub(super) fn last_nearest(
        &self,
        time: &QueryTime<'_>,
    ) -> Option<(&Patch, Option<Offset<BigFloat>>)> {
        let patch = &self.patches[self.last.get()?];
        match self.is_nearest_in(patch, &time.approx) {
            Some(is_nearest) => is_nearest.then_some((patch, None)),
            None => self
                .exactly_nearest(patch, time)
                .map(|offset| (patch, Some(offset))),
        }
    }

    pub(super) fn nearest_of_all(
        &self,
        time: &QueryTime<'_>,
    ) -> Option<(&Patch, Option<Offset<BigFloat>>)> {
        let mut undecided = Vec::new();
        for (place, patch) in self.patches.iter().enumerate() {
            match self.is_nearest_in(patch, &time.approx) {
                Some(true) => {
                    self.last.set(Some(place));
                    return Some((patch, None));
                }
                Some(false) => {}
                None => undecided.push(place),
            }
        }
        self.nearest_of(undecided, time)
    }

    /// The nearest patch, of those that f64 does not decide.
    #[cold]
    #[inline(never)]
    fn nearest_of(
        &self,
        mut undecided: Vec<usize>,
        time: &QueryTime<'_>,
    ) -> Option<(&Patch, Option<Offset<BigFloat>>)> {
        let time_f64 = Instant {
            numerator: time.approx.numerator.value,
            denominator: time.approx.denominator.value,
        };
        // The bits of numbers that are not negative are ordered as they are.
        sort_by_rank(&mut undecided, |&place| {
            let distance = self.patches[place].rough_distance(self.motion, &time_f64);
            [distance.to_bits(), 0, 0]
        });
        let found = undecided.into_iter().find_map(|place| {
            let offset = self.exactly_nearest(&self.patches[place], time)?;
            Some((place, offset))
        });
        let (place, offset) = found?;
        self.last.set(Some(place));
        Some((&self.patches[place], Some(offset)))
    }

    fn exactly_nearest(&self, patch: &Patch, time: &QueryTime<'_>) -> Option<Offset<BigFloat>> {
        let offset = patch.offset(self.motion, time.exact).flatten()?;
        let supports = patch.supports(&offset, &self.obstacle, &self.shape);
        (supports == Some(true)).then_some(offset)
    }

    /// The patch at which the distance is smallest at t = 0, where f64 decides that.
    pub(super) fn clearly_nearest(&self) -> Option<Patch> {
        let start = Instant::<Approx>::at(0.0);
        let mut patches = self.patches.iter();
        let nearest = patches.find(|patch| self.is_nearest_in(patch, &start) == Some(true));
        nearest.copied()
    }

    fn is_nearest_in<N: Number>(&self, patch: &Patch, time: &Instant<N>) -> Option<bool> {
        match patch.offset(self.motion, time)? {
            None => Some(false),
            Some(offset) => patch.supports(&offset, &self.obstacle, &self.shape),
        }
    }

    /// The first patch at which the distance is smallest at both times, and so between them too.
    pub(super) fn nearest_throughout(&self, times: [&Instant<BigFloat>; 2]) -> Option<&Patch> {
        let times = times.map(QueryTime::new);
        self.patches.iter().find(|patch| {
            times.iter().all(|time| {
                decided(self.is_nearest_in(patch, &time.approx), || {
                    self.is_nearest_in(patch, time.exact)
                })
            })
        })
    }
}
