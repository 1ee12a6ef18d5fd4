//! The time at which a ray crosses a plane that slants: a quotient in f64 with a bound first, without rounding
//! where that does not decide.

use super::slabs::CrossingTime;
use crate::exact::adaptive::{Approx, Number, compare_quotients, decided};
use crate::exact::expansion::{Expansion, compare_quotient, nearest_f32, nearest_f32_quotient};
use core::cmp::Ordering;

/// When a ray crosses a plane.
pub(crate) trait PlaneTime: Copy {
    /// Whether both are of one plane.
    fn is_same(self, other: Self) -> bool;

    /// The quotient, where its bound is finite.
    fn quotient(self) -> Option<Approx>;

    /// The same with bounds of its own.
    fn tighter(self) -> Option<Approx>;

    /// Numerator and denominator.
    fn exact(self) -> (Expansion, Expansion);
}

impl<T: PlaneTime> CrossingTime for T {
    fn compare(self, other: Self) -> Ordering {
        if self.is_same(other) {
            return Ordering::Equal;
        }
        let apart = |a: Approx, b: Approx| a.minus(&b).sign();
        let approx = self.quotient().zip(other.quotient());
        decided(approx.and_then(|(a, b)| apart(a, b)), || {
            compare_quotients(&self.exact().into(), &other.exact().into())
        })
    }

    fn compare_f64(self, limit: f64) -> Ordering {
        let apart = |a: Approx| a.minus(&Approx::from_f64(limit)).sign();
        self.quotient().and_then(apart).unwrap_or_else(|| {
            let (numerator, denominator) = self.exact();
            compare_quotient(&numerator, &denominator, limit)
        })
    }

    fn nearest_f32(self) -> f32 {
        if let Some(Approx { value, error }) = self.quotient() {
            // Two units for the rounding of the ends themselves.
            let error = error + 2.0 * f64::EPSILON * value.abs();
            let (low, high) = (nearest_f32(value - error), nearest_f32(value + error));
            if low == high {
                return low;
            }
        }
        let (numerator, denominator) = self.exact();
        nearest_f32_quotient(&numerator, &denominator)
    }

    fn to_f64(self) -> f64 {
        let is_good = |quotient: &Approx| quotient.error <= 1e-12 * quotient.value.abs();
        let quotient = self.quotient().filter(is_good);
        if let Some(quotient) = quotient.or_else(|| self.tighter().filter(is_good)) {
            return quotient.value;
        }
        let (numerator, denominator) = self.exact();
        numerator.to_f64() / denominator.to_f64()
    }
}
