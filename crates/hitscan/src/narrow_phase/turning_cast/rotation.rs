//! Sine and cosine of a turn at a time, the same bits everywhere.

use crate::exact::expansion::{UNIT_ROUNDOFF, two_product};

/// How far a sine or cosine of [`sine_cosine`] may be from that of the exact angle.
///
/// `libm` computes what FreeBSD's msun does: the argument is reduced to two f64 that differ from the exact
/// remainder by less than 2^-68, the polynomials err by less than 2^-58 (K. C. Ng, comments of `k_sin.c` and
/// `k_cos.c`), and the last additions by less than an ulp, 2^-53 for a number below 1. What the rounded product
/// lost, below 2^-33 for angles to 1e6, is added to first order; its square is below 2^-66, and adding it rounds
/// once more.
pub(super) const ERROR: f64 = 4.0 * UNIT_ROUNDOFF;

/// Sine and cosine of `angle * t`, the exact product, each within [`ERROR`].
pub(super) fn sine_cosine(angle: f64, t: f64) -> [f64; 2] {
    let (product, lost) = two_product(angle, t);
    let (sine, cosine) = (libm::sin(product), libm::cos(product));
    [sine + lost * cosine, cosine - lost * sine]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::big_float::BigFloat;

    /// Sine and cosine of a number of magnitude below 4 by their series, exactly to 2^-80 or so, but for one
    /// quotient that is rounded.
    fn by_series(x: &BigFloat) -> [f64; 2] {
        const LAST: u8 = 40;
        let mut powers = vec![BigFloat::from_f64(1.0)];
        for n in 1..LAST {
            powers.push(powers[usize::from(n) - 1].times(x));
        }
        // The term x^n / n! by the factorial of the last: from the last back, its weight grows.
        let mut sums = [BigFloat::from_f64(0.0), BigFloat::from_f64(0.0)];
        let mut weight = BigFloat::from_f64(1.0);
        for n in (0..LAST).rev() {
            let term = powers[usize::from(n)].times(&weight);
            let sum = &mut sums[usize::from(n % 2 == 0)];
            *sum = if n % 4 < 2 {
                sum.plus(&term)
            } else {
                sum.minus(&term)
            };
            weight = weight.times(&BigFloat::from_f64(n.max(1).into()));
        }
        let factorial = weight.scaled_f64(0);
        sums.map(|sum| sum.scaled_f64(0) / factorial)
    }

    #[test]
    fn both_are_within_the_bound_of_the_series() {
        for (angle, t) in [(3.0, 0.7), (-0.1, 1.0), (1.5, 1.0 / 3.0), (3.75, 0.999)] {
            let exact = BigFloat::from_f64(angle).times(&BigFloat::from_f64(t));
            let expected = by_series(&exact);
            let found = sine_cosine(angle, t);
            for (found, expected) in found.iter().zip(expected) {
                // Both parts of the quotient are off by up to four units, and it is rounded.
                assert!(
                    (found - expected).abs() <= ERROR + 10.0 * UNIT_ROUNDOFF,
                    "{angle} {t}"
                );
            }
        }
    }

    #[test]
    fn what_a_large_product_loses_is_not_lost() {
        // 999983.5 * (1 + 2^-52) is beyond f64's digits: its sine is that of both parts.
        let (angle, t) = (999_983.5, 1.0 - f64::EPSILON / 2.0);
        let [sine, _] = sine_cosine(angle, t);
        let lost = angle * f64::EPSILON / 2.0;
        let expected = libm::sin(angle) - lost * libm::cos(angle);
        assert!((sine - expected).abs() <= ERROR);
        assert!((libm::sin(angle * t) - expected).abs() > 4.0 * ERROR);
    }
}
