//! Quotients of f64 differences that compare exactly: when a slab is entered or left.

use super::adaptive::{compare_quotients, decided};
use super::expansion::{
    Expansion, UNIT_ROUNDOFF, compare_quotient, nearest_f32, nearest_f32_quotient,
};
use core::cmp::Ordering;

/// `(minuend - subtrahend) / divisor`, kept unrounded. The divisor is not zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ratio {
    minuend: f64,
    subtrahend: f64,
    divisor: f64,
}

impl Ratio {
    pub(crate) fn new(minuend: f64, subtrahend: f64, divisor: f64) -> Self {
        Self {
            minuend,
            subtrahend,
            divisor,
        }
    }

    /// The value in f64, with a relative error below 4u.
    pub(crate) fn to_f64(self) -> f64 {
        (self.minuend - self.subtrahend) / self.divisor
    }

    /// The nearest f32, never -0.
    pub(crate) fn nearest_f32(self) -> f32 {
        let value = self.to_f64();
        let off = 4.0 * UNIT_ROUNDOFF * value.abs();
        let (low, high) = (nearest_f32(value - off), nearest_f32(value + off));
        if low == high {
            return low;
        }
        nearest_f32_quotient(&self.numerator(), &Expansion::from_f64(self.divisor))
    }

    /// How the exact values compare.
    pub(crate) fn compare(self, other: Self) -> Ordering {
        let (a, b) = (self.to_f64(), other.to_f64());
        if (a - b).abs() > 8.0 * UNIT_ROUNDOFF * (a.abs() + b.abs()) {
            return a.total_cmp(&b);
        }
        let exact = |ratio: Self| [ratio.numerator(), Expansion::from_f64(ratio.divisor)];
        decided(None, || compare_quotients(&exact(self), &exact(other)))
    }

    /// How the exact value compares with `limit`.
    pub(crate) fn compare_f64(self, limit: f64) -> Ordering {
        let value = self.to_f64();
        if (value - limit).abs() > 8.0 * UNIT_ROUNDOFF * (value.abs() + limit.abs()) {
            return value.total_cmp(&limit);
        }
        compare_quotient(&self.numerator(), &Expansion::from_f64(self.divisor), limit)
    }

    fn numerator(self) -> Expansion {
        Expansion::from_difference(self.minuend, self.subtrahend)
    }
}
