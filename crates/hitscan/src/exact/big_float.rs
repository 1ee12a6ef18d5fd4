//! Numbers of any precision and any magnitude: a whole number and a power of two.
//!
//! Sums and products of many coordinates leave f64's range of exponents, and expansions of f64 with
//! it; and where magnitudes from 1e18 m to 1e-38 m come together, an expansion has many terms of few
//! bits each. This is the last resort of predicates of such a degree, where f64 with an error bound does
//! not decide, and what products of long expansions are made by. An operation costs some ten nanoseconds a
//! digit, a product that for each pair of digits, and 64 bits are a digit: sums of the magnitudes above have 4,
//! products of three of them 12.

use core::cmp::Ordering;
use smallvec::SmallVec;

/// Digits in base 2^64, the lowest first. As many as coordinates and their products have are kept in place.
type Digits = SmallVec<[u64; 8]>;

/// `± digits · 2^(64 place)`.
#[derive(Debug, Clone)]
pub(crate) struct BigFloat {
    is_negative: bool,
    /// Neither the lowest nor the highest digit is 0; zero has no digits.
    digits: Digits,
    /// The place of the lowest digit. Whole digits are aligned, so that sums need no shifts.
    place: i64,
}

/// The bits of a digit.
const BITS: i64 = 64;

impl BigFloat {
    /// The number `a`.
    pub(crate) fn from_f64(a: f64) -> Self {
        Self::from_parts(a, 0)
    }

    /// `mantissa * 2^exponent`.
    pub(crate) fn from_parts(mantissa: f64, exponent: i64) -> Self {
        let bits = mantissa.to_bits();
        let (fraction, power) = (bits & ((1 << 52) - 1), bits >> 52 & 0x7FF);
        let (whole, power) = match power {
            0 => (fraction, 1),
            _ => (fraction | 1 << 52, power.cast_signed()),
        };
        let exponent = power - 1075 + exponent;
        // 53 bits, shifted by less than a digit, are two digits.
        let both = halves(u128::from(whole) << exponent.rem_euclid(BITS));
        let place = exponent.div_euclid(BITS);
        let (digits, place): (&[u64], i64) = match both {
            [0, 0] => (&[], place),
            [0, _] => (&both[1..], place + 1),
            [_, 0] => (&both[..1], place),
            _ => (&both, place),
        };
        Self {
            is_negative: mantissa < 0.0,
            digits: SmallVec::from_slice(digits),
            place,
        }
    }

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

    /// The number without its sign.
    pub(crate) fn magnitude(&self) -> Self {
        Self {
            is_negative: false,
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
        let exponent = BITS * (self.place + digit_count(lower)) - i64::from(shift);
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

    /// Numbers of 32 bits each that do not overlap, the smallest first, whose sum this is, as long as none
    /// of them leaves f64's range.
    pub(crate) fn terms(&self) -> impl Iterator<Item = f64> + '_ {
        let places = self.place..;
        let sign = if self.is_negative { -1.0 } else { 1.0 };
        self.digits
            .iter()
            .zip(places)
            .flat_map(move |(&digit, place)| {
                let parts = [(digit & 0xFFFF_FFFF, 0), (digit >> 32, 32)];
                let term = |(part, shift): (u64, i64)| {
                    sign * power_scaled(part as f64, BITS * place + shift)
                };
                parts.map(term).into_iter().filter(|term| *term != 0.0)
            })
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.combined(other, false)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.combined(other, true)
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut digits: Digits = smallvec::smallvec![0; self.digits.len() + other.digits.len()];
        for (i, &a) in self.digits.iter().enumerate() {
            let mut carry = 0;
            for (j, &b) in other.digits.iter().enumerate() {
                let product =
                    u128::from(a) * u128::from(b) + u128::from(digits[i + j]) + u128::from(carry);
                [digits[i + j], carry] = halves(product);
            }
            digits[i + other.digits.len()] = carry;
        }
        let is_negative = self.is_negative != other.is_negative;
        Self::trimmed(is_negative, digits, self.place + other.place)
    }

    /// A number from digits that may begin or end with zeros.
    fn trimmed(is_negative: bool, mut digits: Digits, place: i64) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        if zeros > 0 {
            digits.copy_within(zeros.., 0);
            digits.truncate(digits.len() - zeros);
        }
        Self {
            is_negative,
            place: place + i64::try_from(zeros).unwrap_or(0),
            digits,
        }
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
        if self.is_negative == other_is_negative {
            return self.summed(other);
        }
        match self.compare_magnitudes(other) {
            Ordering::Less => other.reduced_by(self, other_is_negative),
            _ => self.reduced_by(other, self.is_negative),
        }
    }

    fn end(&self) -> i64 {
        self.place + digit_count(&self.digits)
    }

    /// The digits from `place` to `end`, and where those of `other` begin in them.
    fn widened(&self, other: &Self, end: i64) -> (Digits, i64, usize) {
        let place = self.place.min(other.place);
        let count = |digits: i64| usize::try_from(digits).unwrap_or(0);
        let mut digits: Digits = smallvec::smallvec![0; count(end - place)];
        let start = count(self.place - place);
        digits[start..start + self.digits.len()].copy_from_slice(&self.digits);
        (digits, place, count(other.place - place))
    }

    /// The sum of both magnitudes, with the sign of `self`.
    fn summed(&self, other: &Self) -> Self {
        let end = self.end().max(other.end()) + 1;
        let (mut digits, place, start) = self.widened(other, end);
        let mut carry = false;
        for (i, digit) in digits[start..].iter_mut().enumerate() {
            let Some(&addend) = other.digits.get(i).or(carry.then_some(&0)) else {
                break;
            };
            (*digit, carry) = digit_sum(*digit, addend, carry);
        }
        Self::trimmed(self.is_negative, digits, place)
    }

    /// The magnitude less that of `other`, which is no greater.
    fn reduced_by(&self, other: &Self, is_negative: bool) -> Self {
        let (mut digits, place, start) = self.widened(other, self.end());
        let mut borrow = false;
        for (i, digit) in digits[start..].iter_mut().enumerate() {
            let Some(&subtrahend) = other.digits.get(i).or(borrow.then_some(&0)) else {
                break;
            };
            let (without_other, first) = digit.overflowing_sub(subtrahend);
            let (without_borrow, second) = without_other.overflowing_sub(u64::from(borrow));
            *digit = without_borrow;
            borrow = first || second;
        }
        Self::trimmed(is_negative, digits, place)
    }

    fn compare_magnitudes(&self, other: &Self) -> Ordering {
        self.end().cmp(&other.end()).then_with(|| {
            let (a, b) = (self.digits.iter().rev(), other.digits.iter().rev());
            // Of equal leading digits the longer number, whose lowest digit is not 0, is greater.
            a.cmp(b)
        })
    }
}

fn digit_sum(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (with_other, first) = a.overflowing_add(b);
    let (with_carry, second) = with_other.overflowing_add(u64::from(carry));
    (with_carry, first || second)
}

/// The low and the high half.
fn halves(number: u128) -> [u64; 2] {
    #[expect(clippy::cast_possible_truncation, reason = "the low and the high half")]
    [number as u64, (number >> 64) as u64]
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
    fn quotients_beyond_the_range_of_f64_are_scaled() {
        let tiny = big(3e-300).times(&big(1e-300));
        assert_eq!(tiny.scaled_f64(0), 0.0);
        let unit = tiny.magnitude_power().unwrap();
        assert!((0.5..1.0).contains(&tiny.scaled_f64(-unit)));
        let ratio = tiny.scaled_quotient(&big(1e-300), 0);
        assert!((ratio / 3e-300 - 1.0).abs() < 1e-15);
        assert_eq!(big(0.0).magnitude_power(), None);
    }

    #[test]
    fn terms_sum_up_to_the_number() {
        for a in NUMBERS {
            for b in NUMBERS {
                let number = big(a).minus(&big(b));
                let terms: Vec<f64> = number.terms().collect();
                let sum = terms
                    .iter()
                    .fold(big(0.0), |sum, term| sum.plus(&big(*term)));
                assert_eq!(sum.minus(&number).sign(), Ordering::Equal, "{a} {b}");
                assert!(terms.is_sorted_by(|a, b| a.abs() < b.abs()), "{terms:?}");
            }
        }
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
