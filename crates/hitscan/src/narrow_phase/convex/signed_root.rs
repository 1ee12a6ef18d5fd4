//! Exact lengths with a sign, each the root of a quotient: distances, and depths as negative ones.

use crate::exact::big_float::BigFloat;
use core::cmp::Ordering;

/// The root of a quotient by a positive number, or minus that root.
#[derive(Debug, Clone)]
pub(super) struct SignedRoot {
    pub(super) is_negative: bool,
    /// Numerator and denominator of the square.
    pub(super) squared: [BigFloat; 2],
}

impl SignedRoot {
    /// Zero.
    pub(super) fn zero() -> Self {
        Self {
            is_negative: false,
            squared: [0.0, 1.0].map(BigFloat::from_f64),
        }
    }

    fn sign(&self) -> Ordering {
        match (self.squared[0].sign(), self.is_negative) {
            (Ordering::Equal, _) => Ordering::Equal,
            (_, true) => Ordering::Less,
            (_, false) => Ordering::Greater,
        }
    }

    /// How the exact numbers compare.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let (sign, other_sign) = (self.sign(), other.sign());
        if sign != other_sign {
            return sign.cmp(&other_sign);
        }
        let ([a, b], [c, d]) = (&self.squared, &other.squared);
        let magnitudes = a.times(d).minus(&c.times(b)).sign();
        if self.is_negative {
            magnitudes.reverse()
        } else {
            magnitudes
        }
    }

    /// How the exact number compares with another and a sum of f64 together.
    pub(super) fn compare_with_more(&self, other: &Self, more: [f64; 2]) -> Ordering {
        let [a, b] = more.map(BigFloat::from_f64);
        let more = a.plus(&b);
        let square = more.times(&more);
        let against = Self {
            is_negative: more.sign().is_gt(),
            squared: [square.clone(), BigFloat::from_f64(1.0)],
        };
        let sum_sign = other.compare(&against);
        if self.sign() != sum_sign {
            return self.sign().cmp(&sum_sign);
        }
        // Of the same sign: the squares p of one and q + m² + 2 m y of the sum, so p - q - m² and 2 m y.
        let ([a, b], [c, d]) = (&self.squared, &other.squared);
        let below = b.times(d);
        let above = a.times(d).minus(&c.times(b)).minus(&square.times(&below));
        let difference = Self {
            is_negative: above.sign().is_lt(),
            squared: [above.times(&above), below.times(&below)],
        };
        let four = BigFloat::from_f64(4.0);
        let twice = Self {
            is_negative: more.sign().is_lt() != other.is_negative,
            squared: [four.times(&square).times(c), d.clone()],
        };
        let order = difference.compare(&twice);
        if sum_sign.is_lt() {
            order.reverse()
        } else {
            order
        }
    }

    /// How the exact number compares with a sum of f64.
    pub(super) fn compare_sum(&self, terms: [f64; 3]) -> Ordering {
        let [a, b, c] = terms.map(BigFloat::from_f64);
        let sum = a.plus(&b).plus(&c);
        self.compare(&Self {
            is_negative: sum.sign().is_lt(),
            squared: [sum.times(&sum), BigFloat::from_f64(1.0)],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_compare_by_sign_and_square() {
        let root = |sign: f64, n: f64, d: f64| SignedRoot {
            is_negative: sign < 0.0,
            squared: [n, d].map(BigFloat::from_f64),
        };
        assert_eq!(
            root(1.0, 2.0, 1.0).compare(&root(1.0, 6.0, 3.0)),
            Ordering::Equal
        );
        assert_eq!(
            root(-1.0, 2.0, 1.0).compare(&root(-1.0, 3.0, 1.0)),
            Ordering::Greater
        );
        assert_eq!(
            root(-1.0, 2.0, 1.0).compare(&root(1.0, 1.0, 9.0)),
            Ordering::Less
        );
        assert_eq!(
            root(-1.0, 0.0, 1.0).compare(&SignedRoot::zero()),
            Ordering::Equal
        );
        assert_eq!(
            root(1.0, 9.0, 4.0).compare_sum([1.0, 0.25, 0.25]),
            Ordering::Equal
        );
        assert_eq!(
            root(-1.0, 9.0, 4.0).compare_sum([-1.0, -0.5, 1e-300]),
            Ordering::Less
        );
        let roots = [-9.0, -4.0, -1.0, 0.0, 1.0, 4.0, 9.0, 16.0];
        for (x, y) in roots.iter().flat_map(|x| roots.map(|y| (*x, y))) {
            for more in [-5.0, -1.0, -0.25, 0.0, 0.5, 1.0, 2.0, 3.0] {
                let [one, other] = [x, y].map(|n: f64| root(n, 2.0 * n.abs(), 2.0));
                let length = |n: f64| n.signum() * n.abs().sqrt();
                let expected = length(x).total_cmp(&(length(y) + more + 0.0));
                let expected = if length(x) == length(y) + more {
                    Ordering::Equal
                } else {
                    expected
                };
                let found = one.compare_with_more(&other, [more + 2.0, -2.0]);
                assert_eq!(found, expected, "{x} {y} {more}");
            }
        }
    }
}
