//! The times at which linear functions are not negative, exactly: a closed interval whose ends are
//! quotients of expansions.

use super::expansion::{Expansion, nearest_f32_quotient};
use core::cmp::Ordering;

/// A closed interval of times.
#[derive(Debug, Clone)]
pub(crate) struct Times {
    begin: Quotient,
    end: Quotient,
    /// Whether a function without slope has left nothing.
    is_nothing: bool,
}

/// A quotient with a denominator above 0.
#[derive(Debug, Clone)]
struct Quotient {
    numerator: Expansion,
    denominator: Expansion,
}

impl Quotient {
    fn whole(number: f64) -> Self {
        Self {
            numerator: Expansion::from_f64(number),
            denominator: Expansion::from_f64(1.0),
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let left = self.numerator.times(&other.denominator);
        left.minus(&other.numerator.times(&self.denominator)).sign()
    }

    fn to_f64(&self) -> f64 {
        self.numerator.to_f64() / self.denominator.to_f64()
    }
}

impl Times {
    /// From `begin` to `end`, both included; empty where they are reversed.
    pub(crate) fn between(begin: f64, end: f64) -> Self {
        Self {
            begin: Quotient::whole(begin),
            end: Quotient::whole(end),
            is_nothing: false,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.is_nothing || self.begin.compare(&self.end).is_gt()
    }

    /// Both ends, nearly.
    pub(crate) fn ends(&self) -> [f64; 2] {
        [self.begin.to_f64(), self.end.to_f64()]
    }

    /// Where it begins, rounded once.
    pub(crate) fn begin(&self) -> f32 {
        nearest_f32_quotient(&self.begin.numerator, &self.begin.denominator)
    }

    /// Keeps the times at which `constant + slope * t >= 0`.
    pub(crate) fn keep_positive(&mut self, constant: &Expansion, slope: &Expansion) {
        let zero = Expansion::from_f64(0.0);
        match slope.sign() {
            Ordering::Equal => self.is_nothing |= constant.sign().is_lt(),
            Ordering::Greater => {
                let limit = Quotient {
                    numerator: zero.minus(constant),
                    denominator: slope.clone(),
                };
                if limit.compare(&self.begin).is_gt() {
                    self.begin = limit;
                }
            }
            Ordering::Less => {
                let limit = Quotient {
                    numerator: constant.clone(),
                    denominator: zero.minus(slope),
                };
                if limit.compare(&self.end).is_lt() {
                    self.end = limit;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_cut_the_interval_at_their_zeros() {
        let keep = |times: &mut Times, constant: f64, slope: f64| {
            times.keep_positive(&Expansion::from_f64(constant), &Expansion::from_f64(slope));
        };
        let mut times = Times::between(0.0, 9.0);
        keep(&mut times, -1.0, 3.0);
        assert_eq!((times.begin(), times.ends()[1]), (1.0 / 3.0, 9.0));
        keep(&mut times, 1.0, -3.0);
        assert!(!times.is_empty(), "both ends meet");
        keep(&mut times, 0.0, 0.0);
        assert!(!times.is_empty());
        let mut later = times.clone();
        keep(&mut later, -1.0 - 1e-16 * 4.0, 3.0);
        assert!(later.is_empty());
        keep(&mut times, -1.0, 0.0);
        assert!(times.is_empty());
    }
}
