//! Two shapes of which at least one has a radius, in motion: exact answers about their gap.

use super::Convex;
use super::core::Way;
use super::difference::Difference;
use super::instant::Instant;
use crate::exact::big_float::BigFloat;
use ::core::cmp::Ordering::{self, Equal, Greater, Less};
use glam::DVec3;

/// The exact side of a moving pair: slow, asked only where f64 does not decide.
#[derive(Debug, Clone)]
pub(super) struct RoundPair {
    difference: Difference,
    radii: [f64; 2],
}

/// The gap and its trend at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GapState {
    gap: Ordering,
    /// The sign of the gap's derivative.
    trend: Ordering,
}

impl RoundPair {
    pub(super) fn new(obstacle: &Convex, shape: &Convex, motion: DVec3) -> Self {
        Self {
            difference: Difference::new(&obstacle.core, &shape.core, motion),
            radii: [obstacle.radius, shape.radius],
        }
    }

    /// How the gap at `time` compares with 0.
    fn compare_gap(&self, time: &Instant<BigFloat>) -> Ordering {
        self.difference
            .compare_at(time, [self.radii[0], self.radii[1], 0.0])
    }

    fn state_at(&self, time: &Instant<BigFloat>) -> GapState {
        let gap = self.compare_gap(time);
        // Inside, the trend is not asked for.
        let trend = if gap.is_lt() {
            Equal
        } else {
            self.difference.trend(time)
        };
        GapState { gap, trend }
    }

    /// Whether the shapes overlap at t = 0.
    pub(super) fn overlaps_at_start(&self) -> bool {
        self.compare_gap(&Instant::at(0.0)).is_lt()
    }

    /// Whether shapes that do not overlap at t = 0 come into contact while t goes from 0 to 1.
    pub(super) fn is_hit(&self) -> bool {
        // The gap is convex: where it does not shrink at the start it never will.
        if self.state_at(&Instant::at(0.0)).trend != Less {
            return false;
        }
        let end = self.state_at(&Instant::at(1.0));
        match (end.gap, end.trend) {
            (Less, _) | (Equal, Less | Greater) => true,
            // The nearest that it comes is a touch at the end, or it ends still apart.
            (Equal, Equal) | (Greater, Less | Equal) => false,
            (Greater, Greater) => self.difference.closes(self.radii),
        }
    }

    /// How the time of contact compares with `time`. There must be one.
    pub(super) fn compare_contact(&self, time: &Instant<BigFloat>) -> Ordering {
        let state = self.state_at(time);
        match (state.gap, state.trend) {
            (Greater, Less) => Greater,
            (Equal, Less) => Equal,
            // It is inside, or moves away and has been inside.
            _ => Less,
        }
    }

    /// The time of contact rounded down to f64, between 0 and 1, given a guess.
    pub(super) fn floor(&self, guess: f64) -> f64 {
        // From 0 on the bits of f64 are ordered as the numbers are. `low` is not after the contact.
        let is_by_contact = |bits: u64| {
            let time = Instant::at(f64::from_bits(bits));
            self.compare_contact(&time).is_ge()
        };
        let last = 1.0_f64.to_bits();
        let guess = if guess.is_nan() { 0.0 } else { guess };
        // +0 for -0.
        let first = (guess.clamp(0.0, 1.0) + 0.0).to_bits();
        let (mut low, mut high) = (first, first);
        let mut stride = 1_u64;
        if is_by_contact(first) {
            high = (first + 1).min(last + 1);
            while high <= last && is_by_contact(high) {
                low = high;
                high = high.saturating_add(stride).min(last + 1);
                stride = stride.saturating_mul(2);
            }
        } else {
            low = first.saturating_sub(1);
            while low > 0 && !is_by_contact(low) {
                high = low;
                low = low.saturating_sub(stride);
                stride = stride.saturating_mul(2);
            }
        }
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if is_by_contact(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::from_bits(low)
    }

    /// The enclosure of the time of contact, given its floor: one f64, or two neighbours.
    pub(super) fn enclosure_from(&self, floor: f64) -> [f64; 2] {
        if self.compare_contact(&Instant::at(floor)).is_eq() {
            [floor, floor]
        } else {
            [floor, floor.next_up()]
        }
    }

    /// The direction from the obstacle's nearest point to the shape's at `time`, of any length, and
    /// their distance; `None` where the cores meet.
    pub(super) fn offset_at(&self, time: &Instant<BigFloat>) -> Option<(DVec3, f64)> {
        self.difference.offset_at(time)
    }

    /// The sign of `n · (to - from)` at the exact time of contact, whose floor is given.
    pub(super) fn compare_along_normal(&self, floor: f64, way: Way) -> Ordering {
        let low = Instant::at(floor);
        if self.compare_contact(&low).is_eq() {
            return self.difference.compare_along(&low, way);
        }
        let high = Instant::at(floor.next_up());
        let mut times = [low, high];
        if self
            .difference
            .nearest_throughout([&times[0], &times[1]])
            .is_none()
        {
            // The nearest patch changes between the two: closer times on both sides of the contact.
            for passing in self.difference.passings() {
                if !(times[0].is_before(&passing) && passing.is_before(&times[1])) {
                    continue;
                }
                match self.compare_contact(&passing) {
                    Equal => return self.difference.compare_along(&passing, way),
                    Greater => times[0] = passing,
                    Less => times[1] = passing,
                }
            }
        }
        let [low, high] = &times;
        // Along one patch the product is linear in t.
        let line = self
            .difference
            .nearest_throughout([low, high])
            .and_then(|patch| self.difference.along_of_patch(patch, low, way));
        let Some(line) = line else {
            return Equal;
        };
        let [at_low, at_high] = [low, high].map(|time| line.sign_at(time));
        match (at_low, at_high) {
            (Equal, other) | (other, Equal) => other,
            (low, high) if low == high => low,
            (at_low, at_high) => match line.zero() {
                None => at_low,
                Some(zero) => match self.compare_contact(&zero) {
                    Equal => Equal,
                    Greater => at_high,
                    Less => at_low,
                },
            },
        }
    }
}
