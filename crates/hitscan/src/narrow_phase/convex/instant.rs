//! A time without rounding: a quotient with a positive denominator.

use crate::exact::adaptive::{Approx, Number};
use crate::exact::big_float::BigFloat;
use crate::exact::expansion::UNIT_ROUNDOFF;
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

impl Instant<BigFloat> {
    /// The same time in f64 with bounds, both numbers scaled by one power of two.
    pub(super) fn approximately(&self) -> Instant<Approx> {
        let (_, exponent) = self.denominator.to_parts();
        // The denominator lies from 1 to 2.
        let scale = -exponent - 63;
        let rounded = |x: &BigFloat| {
            let value = x.scaled_f64(scale);
            let is_exact =
                value.is_finite() && x.minus(&BigFloat::from_parts(value, -scale)).sign().is_eq();
            let error = if is_exact {
                0.0
            } else {
                // Cut off after 64 bits and rounded twice, the second time maybe to nothing.
                8.0 * UNIT_ROUNDOFF * value.abs() + f64::MIN_POSITIVE
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
    pub(super) fn reaching(start: &BigFloat, speed: &BigFloat, limit: &BigFloat) -> Option<Self> {
        let (way, zero) = (limit.minus(start), BigFloat::from_f64(0.0));
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
    pub(super) start: BigFloat,
    pub(super) speed: BigFloat,
}

impl Linear {
    /// The sign at a time.
    pub(super) fn sign_at(&self, time: &Instant<BigFloat>) -> Ordering {
        let moved = self.speed.times(&time.numerator);
        self.start.times(&time.denominator).plus(&moved).sign()
    }

    /// When it is zero; `None` where it does not change.
    pub(super) fn zero(&self) -> Option<Instant<BigFloat>> {
        Instant::reaching(&self.start, &self.speed, &BigFloat::from_f64(0.0))
    }
}
