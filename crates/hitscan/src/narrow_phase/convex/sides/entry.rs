//! First contact of a moving polytope with an obstacle: the latest time at which a side that it moves against
//! is reached.

use super::enumeration::ApproxSide;
use super::side::{Side, SidePair};
use crate::exact::adaptive::{Approx, compare_quotients, decided};
use crate::exact::big_float::BigFloat;
use crate::exact::expansion::UNIT_ROUNDOFF;
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::DVec3;

/// How the two first meet.
pub(super) enum Entry {
    /// They overlap at t = 0.
    Overlap,
    /// The side that is entered last, and an enclosure of when.
    Hit(Side, [f64; 2]),
}

/// A side with the time at which it is entered or left.
#[derive(Clone, Copy)]
struct Crossing {
    side: Side,
    time: [f64; 2],
}

/// What is known of all sides.
struct Crossings<'a> {
    pair: &'a SidePair<'a>,
    motion: DVec3,
    entered: Vec<Crossing>,
    left: Vec<Crossing>,
    /// No entry can be before the one, no exit after the other.
    enter_low: f64,
    leave_high: f64,
    latest: f64,
}

/// How the shape, which is translated by `motion` while t goes from 0 to 1, first hits the obstacle; `None`
/// where it does not. Contacts after the time `latest` may be omitted.
pub(super) fn first_entry(pair: &SidePair<'_>, motion: DVec3, latest: f64) -> Option<Entry> {
    let mut crossings = Crossings {
        pair,
        motion,
        entered: Vec::new(),
        left: Vec::new(),
        enter_low: f64::NEG_INFINITY,
        leave_high: f64::INFINITY,
        latest,
    };
    let mut has_sides = false;
    let flow = pair.each_side(&mut |side| {
        has_sides = true;
        crossings.add(&side)
    });
    if flow.is_break() || !has_sides {
        return None;
    }
    crossings.decide()
}

impl Crossings<'_> {
    fn add(&mut self, side: &ApproxSide) -> ControlFlow<()> {
        let mut speed = side.speed(self.motion);
        let mut gap = side.gap;
        let sign = speed.sign().unwrap_or_else(|| {
            speed = rounded(&self.pair.speed(side.side, self.motion));
            speed.value.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
        });
        match sign {
            Ordering::Equal => {
                let order = gap
                    .sign()
                    .unwrap_or_else(|| self.pair.gap(side.side).sign());
                if order.is_ge() {
                    return ControlFlow::Break(());
                }
            }
            Ordering::Less | Ordering::Greater => {
                let mut time = quotient(gap, speed);
                if time.is_none() {
                    gap = rounded(&self.pair.gap(side.side));
                    speed = rounded(&self.pair.speed(side.side, self.motion));
                    time = quotient(gap, speed);
                }
                let time = time.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                let crossing = Crossing {
                    side: side.side,
                    time,
                };
                if sign.is_lt() {
                    self.enter_low = self.enter_low.max(time[0]);
                    self.entered.push(crossing);
                } else {
                    self.leave_high = self.leave_high.min(time[1]);
                    self.left.push(crossing);
                }
                let is_late = self.enter_low > self.leave_high.min(self.latest);
                if is_late || self.leave_high <= 0.0 {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn decide(&self) -> Option<Entry> {
        let is_over = |left: &Crossing| self.compare(left, 0.0).is_le();
        if self.left.iter().any(is_over) {
            return None;
        }
        let mut first: Option<&Crossing> = None;
        for crossing in &self.entered {
            // What is certainly entered before another side is not the last.
            if crossing.time[1] < self.enter_low {
                continue;
            }
            first = Some(match first {
                Some(best) if !self.is_hit_instead(crossing, best) => best,
                _ => crossing,
            });
        }
        // Without motion along any side they overlap on all.
        let Some(first) = first else {
            return Some(Entry::Overlap);
        };
        if self.compare(first, 0.0).is_lt() {
            return Some(Entry::Overlap);
        }
        let is_hit = self.compare(first, 1.0).is_le()
            && (self.left.iter()).all(|left| self.compare_times(first, left).is_le());
        is_hit.then(|| {
            let [low, high] = first.time;
            Entry::Hit(first.side, [low.max(0.0), high.min(1.0)])
        })
    }

    fn is_hit_instead(&self, a: &Crossing, b: &Crossing) -> bool {
        match self.compare_times(a, b) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => self.pair.rank(a.side) < self.pair.rank(b.side),
        }
    }

    /// How the exact times of two crossings compare.
    fn compare_times(&self, a: &Crossing, b: &Crossing) -> Ordering {
        if a.time[1] < b.time[0] {
            return Ordering::Less;
        }
        if a.time[0] > b.time[1] {
            return Ordering::Greater;
        }
        let [a, b] = [a, b].map(|crossing| self.exact(crossing.side));
        decided(None, || compare_quotients(&a, &b))
    }

    /// How the exact time of a crossing compares with `t`.
    fn compare(&self, crossing: &Crossing, t: f64) -> Ordering {
        let [low, high] = crossing.time;
        if high < t {
            Ordering::Less
        } else if low > t {
            Ordering::Greater
        } else if low == t && high == t {
            Ordering::Equal
        } else {
            compare_exactly(&self.exact(crossing.side), t)
        }
    }

    /// The gap, negated, and the speed: the time is their quotient.
    fn exact(&self, side: Side) -> [BigFloat; 2] {
        exact_time(self.pair, side, self.motion)
    }
}

/// When a side is crossed: a numerator and a denominator, which is not 0.
pub(super) fn exact_time(pair: &SidePair<'_>, side: Side, motion: DVec3) -> [BigFloat; 2] {
    [pair.gap(side).negated(), pair.speed(side, motion)]
}

/// How a quotient compares with `t`.
pub(super) fn compare_exactly([numerator, denominator]: &[BigFloat; 2], t: f64) -> Ordering {
    let order = numerator
        .minus(&denominator.times(&BigFloat::from_f64(t)))
        .sign();
    if denominator.sign().is_lt() {
        order.reverse()
    } else {
        order
    }
}

/// A number in f64 with a bound, its sign being right.
fn rounded(number: &BigFloat) -> Approx {
    let value = number.scaled_f64(0);
    Approx {
        value,
        error: 8.0 * UNIT_ROUNDOFF * value.abs(),
    }
}

/// An enclosure of when `gap + speed t` is 0, if the speed is far enough from 0.
pub(super) fn quotient(gap: Approx, speed: Approx) -> Option<[f64; 2]> {
    let time = Approx {
        value: -gap.value,
        error: gap.error,
    }
    .over(speed)?;
    if time.error == 0.0 {
        return Some([time.value; 2]);
    }
    Some([
        (time.value - time.error).next_down(),
        (time.value + time.error).next_up(),
    ])
}
