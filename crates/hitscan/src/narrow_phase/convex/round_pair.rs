//! The gap of two moving shapes, at least one of them with a radius, decided exactly.

use super::Convex;
use super::core::Way;
use super::difference::Difference;
use super::instant::Instant;
use crate::exact::big_float::BigFloat;
use ::core::cmp::Ordering::{self, Equal, Greater, Less};
use glam::DVec3;

/// The exact side of a moving pair: slow, used only where f64 does not decide.
#[derive(Debug, Clone)]
pub(super) struct RoundPair<'a> {
    difference: Difference<'a>,
    radii: [f64; 2],
}

/// After how many times before the contact the rest is searched for bit by bit.
const ROUNDS: usize = 32;

/// How often the time is tried at which another patch becomes nearest: it costs as much as twenty
/// times whose gap is compared.
const CHANGES: usize = 3;

/// A guess that is off by more of f64's steps is none.
const NEIGHBOURS: u64 = 4;

/// Guesses at the time of contact, as bits of f64, each tried once.
#[derive(Default)]
struct Guesses {
    /// The patch that is nearest at the last time that is known to be before the contact.
    at: Option<usize>,
    /// When that patch comes within the radii.
    root: Option<u64>,
    /// Shortly after and before the time at which another patch becomes nearest.
    beside_change: [Option<u64>; 2],
    /// How often that was computed.
    changes: usize,
}

/// The gap and its trend at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GapState {
    gap: Ordering,
    /// The sign of the gap's derivative.
    trend: Ordering,
}

impl<'a> RoundPair<'a> {
    pub(super) fn new(obstacle: &Convex<'a>, shape: &Convex<'a>, motion: DVec3) -> Self {
        Self {
            difference: Difference::new(&obstacle.core, &shape.core, motion),
            radii: [obstacle.radius, shape.radius],
        }
    }

    /// How the gap at `time` compares with 0.
    fn compare_gap(&self, time: &Instant<BigFloat>) -> Ordering {
        self.difference.compare_at(time, self.limit())
    }

    fn state_at(&self, time: &Instant<BigFloat>) -> GapState {
        let (gap, trend) = self.difference.compare_and_trend(time, self.limit());
        GapState { gap, trend }
    }

    fn limit(&self) -> [f64; 3] {
        [self.radii[0], self.radii[1], 0.0]
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
    ///
    /// While one patch is nearest the gap is a quadratic of time. So from a time before the contact the next
    /// one tried is where the patch that is nearest there comes within the radii, and, where that is beyond
    /// the contact, where another patch becomes nearest. That takes three times or four a patch, and there
    /// are a few on the way; halving f64's bits, which comes last, takes sixty.
    pub(super) fn floor(&self, guess: f64) -> f64 {
        // From 0 on the bits of f64 are ordered as the numbers are. `low` is not after the contact.
        let (mut low, mut high) = (0, 1.0_f64.to_bits() + 1);
        let mut guesses = Guesses::default();
        let (mut rounds, mut stride) = (0, 1_u64);
        let mut next = bits_of(guess);
        while low + 1 < high {
            let time = f64::from_bits(next);
            let is_by = self.compare_contact(&Instant::at(time)).is_ge();
            if is_by {
                low = next;
                rounds += 1;
                guesses.at = self.difference.last_place().filter(|_| rounds <= ROUNDS);
                guesses.root = guesses.at.and_then(|place| self.guess_root(place));
            } else {
                high = next;
            }
            if let Some(guess) = self.guess_between(&mut guesses, [low, high]) {
                (next, stride) = (guess, 1);
                continue;
            }
            if rounds == 0 && stride > NEIGHBOURS {
                // The guess was not near the contact, and nothing before it is known.
                next = 0;
                continue;
            }
            // From the last time on in strides that double, until halving is as good.
            let middle = low + (high - low) / 2;
            next = if is_by {
                middle.min(low.saturating_add(stride))
            } else {
                middle.max(high.saturating_sub(stride))
            };
            stride = stride.saturating_mul(2);
        }
        f64::from_bits(low)
    }

    /// When a patch comes within the radii, as bits of f64.
    fn guess_root(&self, place: usize) -> Option<u64> {
        self.difference.guess_by(place, self.limit()).map(bits_of)
    }

    /// The next guess between two times, the first before the contact and the second after it.
    fn guess_between(&self, guesses: &mut Guesses, [low, high]: [u64; 2]) -> Option<u64> {
        /// More than f64 takes from a quotient.
        const ROUNDING: f64 = 64.0 * f64::EPSILON;
        let is_between = |t: &mut u64| low < *t && *t < high;
        if let Some(root) = guesses.root.take_if(is_between) {
            return Some(root);
        }
        if let Some(place) = guesses.at.take_if(|_| guesses.changes < CHANGES) {
            guesses.changes += 1;
            let change = self.difference.guess_of_change(place, f64::from_bits(low));
            let beside = |fraction: f64| change.map(|change| bits_of(change * (1.0 + fraction)));
            guesses.beside_change = [beside(ROUNDING), beside(-ROUNDING)];
        }
        let mut all = guesses.beside_change.iter_mut();
        all.find_map(|guess| guess.take_if(is_between))
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

/// The bits of a time from 0 to 1.
fn bits_of(t: f64) -> u64 {
    let t = if t.is_nan() { 0.0 } else { t };
    // +0 for -0.
    (t.clamp(0.0, 1.0) + 0.0).to_bits()
}
