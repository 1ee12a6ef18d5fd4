//! A time without rounding: a quotient with a positive denominator.

use crate::exact::adaptive::{Approx, Number};
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF};
use ::core::cmp::Ordering;

/// `numerator / denominator`; the denominator is positive.
#[derive(Debug, Clone)]
pub(super) struct Instant<N> {
    pub(super) numerator: N,
    pub(super) denominator: N,
}

impl<N: Number> Instant<N> {
    /// The time `t`.
    pub(super) fn at(t: f64) -> Self {
        Self {
            numerator: N::from_f64(t),
            denominator: N::from_f64(1.0),
        }
    }
}

impl Instant<Expansion> {
    /// The same time in f64 with bounds.
    pub(super) fn approximately(&self) -> Instant<Approx> {
        let rounded = |x: &Expansion| {
            let value = x.to_f64();
            let error = if x.minus(&Expansion::from_f64(value)).sign().is_eq() {
                0.0
            } else {
                // An expansion is rounded with a relative error below two units.
                4.0 * UNIT_ROUNDOFF * value.abs()
            };
            Approx { value, error }
        };
        Instant {
            numerator: rounded(&self.numerator),
            denominator: rounded(&self.denominator),
        }
    }

    /// Whether this time is before the other.
    pub(super) fn is_before(&self, other: &Self) -> bool {
        let (mine, others) = (
            self.numerator.times(&other.denominator),
            other.numerator.times(&self.denominator),
        );
        mine.minus(&others).sign().is_lt()
    }

    /// The time at which `start + speed t` is `limit`; `None` without speed.
    pub(super) fn reaching(
        start: &Expansion,
        speed: &Expansion,
        limit: &Expansion,
    ) -> Option<Self> {
        let (way, zero) = (limit.minus(start), Expansion::from_f64(0.0));
        let (numerator, denominator) = match speed.sign() {
            Ordering::Equal => return None,
            Ordering::Greater => (way, speed.clone()),
            Ordering::Less => (zero.minus(&way), zero.minus(speed)),
        };
        Some(Self {
            numerator,
            denominator,
        })
    }
}

/// A number that is linear in time.
pub(super) struct Linear {
    pub(super) start: Expansion,
    pub(super) speed: Expansion,
}

impl Linear {
    /// The sign at a time.
    pub(super) fn sign_at(&self, time: &Instant<Expansion>) -> Ordering {
        let moved = self.speed.times(&time.numerator);
        self.start.times(&time.denominator).plus(&moved).sign()
    }

    /// When it is zero; `None` where it does not change.
    pub(super) fn zero(&self) -> Option<Instant<Expansion>> {
        Instant::reaching(&self.start, &self.speed, &Expansion::from_f64(0.0))
    }
}
