//! Numbers of any precision and any magnitude: a whole number and a power of two.
//!
//! Sums and products of many coordinates leave f64's range of exponents, and expansions of f64 with
//! it. This is the last resort of predicates of such a degree: it is called where f64 with an error
//! bound does not decide, so it is written for clarity.

use super::adaptive::Number;
use core::cmp::Ordering;

/// `± digits · 2^exponent`, the digits in base 2^64, the lowest first.
#[derive(Debug, Clone)]
pub(crate) struct BigFloat {
    is_negative: bool,
    /// Neither the lowest nor the highest digit is 0; zero has no digits.
    digits: Vec<u64>,
    exponent: i64,
}

/// The bits of a digit.
const BITS: i64 = 64;

impl BigFloat {
    const ZERO: Self = Self {
        is_negative: false,
        digits: Vec::new(),
        exponent: 0,
    };

    /// How the number compares with zero.
    pub(crate) fn sign(&self) -> Ordering {
        match (self.digits.is_empty(), self.is_negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    /// The number with the opposite sign.
    pub(crate) fn negated(&self) -> Self {
        Self {
            is_negative: !self.is_negative,
            ..self.clone()
        }
    }

    /// The number as `mantissa * 2^exponent`, the mantissa's magnitude from 2^63 to 2^64, cut off
    /// after 64 bits and rounded to f64: a relative error below 2^-52. Zero is 0 with an exponent of 0.
    pub(crate) fn to_parts(&self) -> (f64, i64) {
        let Some((&high, lower)) = self.digits.split_last() else {
            return (0.0, 0);
        };
        let shift = high.leading_zeros();
        let below = lower.last().copied().unwrap_or(0);
        // A shift by all 64 bits is none.
        let bits = high << shift | below.checked_shr(64 - shift).unwrap_or(0);
        let mantissa = bits as f64;
        let exponent = self.exponent + BITS * digit_count(lower) - i64::from(shift);
        (
            if self.is_negative {
                -mantissa
            } else {
                mantissa
            },
            exponent,
        )
    }

    /// The power of two by which a magnitude is from 1/2 to 1; `None` of zero.
    pub(crate) fn magnitude_power(&self) -> Option<i64> {
        let (mantissa, exponent) = self.to_parts();
        (mantissa != 0.0).then_some(exponent + BITS)
    }

    /// `self * 2^power` with a relative error below 2^-51, unless it leaves f64's range.
    pub(crate) fn scaled_f64(&self, power: i64) -> f64 {
        let (mantissa, exponent) = self.to_parts();
        power_scaled(mantissa, exponent + power)
    }

    /// `self / divisor * 2^power`, which the same is true of but for 2^-49.
    pub(crate) fn scaled_quotient(&self, divisor: &Self, power: i64) -> f64 {
        let ((above, up), (below, down)) = (self.to_parts(), divisor.to_parts());
        power_scaled(above / below, up - down + power)
    }

    /// `mantissa * 2^exponent`.
    pub(crate) fn from_parts(mantissa: f64, exponent: i64) -> Self {
        let number = Self::from_f64(mantissa);
        Self {
            exponent: number.exponent + exponent,
            ..number
        }
    }

    /// A number from digits that may begin or end with zeros.
    fn trimmed(is_negative: bool, mut digits: Vec<u64>, exponent: i64) -> Self {
        let kept = digits.iter().rposition(|digit| *digit != 0);
        digits.truncate(kept.map_or(0, |last| last + 1));
        let Some(zeros) = digits.iter().position(|digit| *digit != 0) else {
            return Self::ZERO;
        };
        let exponent = exponent + BITS * digit_count(&digits[..zeros]);
        digits.drain(..zeros);
        Self {
            is_negative,
            digits,
            exponent,
        }
    }

    /// The digits for a lower exponent.
    fn digits_at(&self, exponent: i64) -> Vec<u64> {
        let shift = (self.exponent - exponent).unsigned_abs();
        let mut digits: Vec<u64> = (0..shift / 64).map(|_| 0).collect();
        let mut carry = 0;
        for &digit in &self.digits {
            // A shift by the 64 bits of a digit leaves nothing.
            let shifted = u128::from(digit) << (shift % 64);
            #[expect(clippy::cast_possible_truncation, reason = "the low and the high half")]
            let halves = (shifted as u64, (shifted >> 64) as u64);
            digits.push(halves.0 | carry);
            carry = halves.1;
        }
        digits.push(carry);
        digits
    }

    /// `self + other`, where `other` counts with its sign turned if `is_difference`.
    fn combined(&self, other: &Self, is_difference: bool) -> Self {
        let other_is_negative = other.is_negative != is_difference;
        if self.digits.is_empty() {
            return Self {
                is_negative: other_is_negative,
                ..other.clone()
            };
        }
        if other.digits.is_empty() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        let (a, b) = (self.digits_at(exponent), other.digits_at(exponent));
        if self.is_negative == other_is_negative {
            return Self::trimmed(self.is_negative, sum(&a, &b), exponent);
        }
        match compare(&a, &b) {
            Ordering::Less => Self::trimmed(other_is_negative, difference(&b, &a), exponent),
            _ => Self::trimmed(self.is_negative, difference(&a, &b), exponent),
        }
    }
}

impl Number for BigFloat {
    fn from_f64(a: f64) -> Self {
        let bits = a.to_bits();
        let (fraction, power) = (bits & ((1 << 52) - 1), bits >> 52 & 0x7FF);
        let (mantissa, power) = match power {
            0 => (fraction, 1),
            _ => (fraction | 1 << 52, power.cast_signed()),
        };
        Self::trimmed(a < 0.0, vec![mantissa], power - 1075)
    }

    fn difference(a: f64, b: f64) -> Self {
        Self::from_f64(a).minus(&Self::from_f64(b))
    }

    fn plus(&self, other: &Self) -> Self {
        self.combined(other, false)
    }

    fn minus(&self, other: &Self) -> Self {
        self.combined(other, true)
    }

    fn times(&self, other: &Self) -> Self {
        let mut digits = vec![0; self.digits.len() + other.digits.len()];
        for (i, &a) in self.digits.iter().enumerate() {
            let mut carry = 0u64;
            for (j, &b) in other.digits.iter().enumerate() {
                let product =
                    u128::from(a) * u128::from(b) + u128::from(digits[i + j]) + u128::from(carry);
                #[expect(clippy::cast_possible_truncation, reason = "the low and the high half")]
                let halves = (product as u64, (product >> 64) as u64);
                (digits[i + j], carry) = halves;
            }
            digits[i + other.digits.len()] = carry;
        }
        let is_negative = self.is_negative != other.is_negative;
        Self::trimmed(is_negative, digits, self.exponent + other.exponent)
    }

    fn known_sign(&self) -> Option<Ordering> {
        Some(self.sign())
    }

    fn magnitude(&self) -> Self {
        Self {
            is_negative: false,
            ..self.clone()
        }
    }
}

/// How the whole numbers with these digits compare.
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    let digit = |digits: &[u64], place: usize| digits.get(place).copied().unwrap_or(0);
    (0..a.len().max(b.len()))
        .rev()
        .map(|place| digit(a, place).cmp(&digit(b, place)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (longer, shorter) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut digits = longer.to_vec();
    let mut carry = false;
    for (place, digit) in digits.iter_mut().enumerate() {
        let (with_other, first) = digit.overflowing_add(shorter.get(place).copied().unwrap_or(0));
        let (with_carry, second) = with_other.overflowing_add(u64::from(carry));
        *digit = with_carry;
        carry = first || second;
    }
    digits.push(u64::from(carry));
    digits
}

/// `a - b`, which is not negative.
fn difference(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut digits = a.to_vec();
    let mut borrow = false;
    for (place, digit) in digits.iter_mut().enumerate() {
        let (without_other, first) = digit.overflowing_sub(b.get(place).copied().unwrap_or(0));
        let (without_borrow, second) = without_other.overflowing_sub(u64::from(borrow));
        *digit = without_borrow;
        borrow = first || second;
    }
    digits
}

/// `x * 2^power`; far beyond f64's range one power is as good as another.
fn power_scaled(x: f64, power: i64) -> f64 {
    libm::scalbn(x, i32::try_from(power.clamp(-9999, 9999)).unwrap_or(0))
}

fn digit_count(digits: &[u64]) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::expansion::Expansion;

    const NUMBERS: [f64; 12] = [
        0.0,
        1.0,
        -1.0,
        0.1,
        -1.0 / 3.0,
        1e18,
        -1e-30,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        18_446_744_073_709_551_616.0,
        -0.75,
    ];

    fn big(a: f64) -> BigFloat {
        BigFloat::from_f64(a)
    }

    #[test]
    fn sums_and_products_have_the_signs_of_expansions() {
        let expansion = Expansion::from_f64;
        let moderate = || {
            NUMBERS
                .into_iter()
                .filter(|a| a.abs() < 1e30 && a.abs() > 1e-40)
        };
        for a in moderate() {
            for b in moderate() {
                for c in moderate() {
                    let found = big(a).times(&big(b)).plus(&big(c)).minus(&big(a));
                    let expected = expansion(a)
                        .times(&expansion(b))
                        .plus(&expansion(c))
                        .minus(&expansion(a));
                    assert_eq!(found.sign(), expected.sign(), "{a} {b} {c}");
                }
            }
        }
    }

    #[test]
    fn powers_beyond_the_range_of_f64_cancel_exactly() {
        for a in NUMBERS {
            for b in NUMBERS {
                // (a + b)² - a² - 2ab - b², to the fourth power and back.
                let (a, b) = (big(a), big(b));
                let (sum, two) = (a.plus(&b), big(2.0));
                let square = a
                    .times(&a)
                    .plus(&b.times(&b))
                    .plus(&two.times(&a).times(&b));
                assert_eq!(sum.times(&sum).minus(&square).sign(), Ordering::Equal);
                let fourth = square.times(&square);
                let again = sum.times(&sum).times(&sum).times(&sum);
                assert_eq!(fourth.minus(&again).sign(), Ordering::Equal);
                let more = fourth.plus(&big(5e-324));
                assert_eq!(more.minus(&again).sign(), Ordering::Greater);
            }
        }
    }

    #[test]
    fn quotients_beyond_the_range_of_f64_are_told_in_another_unit() {
        let tiny = big(3e-300).times(&big(1e-300));
        assert_eq!(tiny.scaled_f64(0), 0.0);
        let unit = tiny.magnitude_power().unwrap();
        assert!((0.5..1.0).contains(&tiny.scaled_f64(-unit)));
        let ratio = tiny.scaled_quotient(&big(1e-300), 0);
        assert!((ratio / 3e-300 - 1.0).abs() < 1e-15);
        assert_eq!(big(0.0).magnitude_power(), None);
    }

    #[test]
    fn parts_hold_the_leading_bits() {
        for a in NUMBERS {
            let (mantissa, exponent) = big(a).to_parts();
            assert_eq!(
                BigFloat::from_parts(mantissa, exponent)
                    .minus(&big(a))
                    .sign(),
                Ordering::Equal
            );
            let long = big(a).times(&big(1.0).plus(&big(1e-40)));
            assert_eq!(long.to_parts(), (mantissa, exponent));
        }
    }
}
