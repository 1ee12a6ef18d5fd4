//! Whole numbers of any size, for arithmetic that rounds nothing: slow and plain.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// A sign and a magnitude, 32 bits a digit, the lowest first, without zeros at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Whole {
    is_negative: bool,
    digits: Vec<u32>,
}

/// By how many binary digits f32 are shifted to be whole.
const SHIFT: usize = 149;

impl Whole {
    /// `number * 2^149`, which is whole of every f32 that is finite.
    pub(crate) fn of(number: f32) -> Self {
        let bits = number.to_bits();
        let exponent = (bits >> 23 & 0xFF) as usize;
        assert!(exponent < 0xFF, "{number} is not finite");
        let fraction = bits & 0x007F_FFFF;
        // Numbers below the normal ones have the exponent of the least of these.
        let (mantissa, shift) = match exponent {
            0 => (fraction, 0),
            _ => (fraction | 0x0080_0000, exponent - 1),
        };
        Self::shifted(mantissa, shift, bits >> 31 == 1)
    }

    /// 2^149, by which [`Self::of`] multiplies.
    pub(crate) fn unit() -> Self {
        Self::shifted(1, SHIFT, false)
    }

    fn shifted(mantissa: u32, shift: usize, is_negative: bool) -> Self {
        let wide = u64::from(mantissa) << (shift % 32);
        let mut digits = vec![0; shift / 32];
        digits.extend([low(wide), low(wide >> 32)]);
        Self::new(digits, is_negative)
    }

    fn new(mut digits: Vec<u32>, is_negative: bool) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        let is_negative = is_negative && !digits.is_empty();
        Self {
            is_negative,
            digits,
        }
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.is_negative
    }

    pub(crate) fn is_positive(&self) -> bool {
        !self.is_negative && !self.digits.is_empty()
    }

    /// About this number divided by another.
    pub(crate) fn quotient(&self, by: &Self) -> f64 {
        let [(one, places), (other, other_places)] = [self, by].map(Self::leading);
        let exponent = |places| 32 * i32::try_from(places).expect("few digits");
        one / other * 2.0_f64.powi(exponent(places) - exponent(other_places))
    }

    /// The four highest digits as a number, and how many digits are below them.
    fn leading(&self) -> (f64, usize) {
        let below = self.digits.len().saturating_sub(4);
        let highest = self.digits[below..].iter().rev();
        let value = highest.fold(0.0, |sum, digit| sum * 4_294_967_296.0 + f64::from(*digit));
        (if self.is_negative { -value } else { value }, below)
    }
}

/// The lowest 32 bits.
fn low(wide: u64) -> u32 {
    u32::try_from(wide & 0xFFFF_FFFF).expect("32 bits")
}

fn compared(one: &[u32], other: &[u32]) -> Ordering {
    let by_length = one.len().cmp(&other.len());
    by_length.then_with(|| one.iter().rev().cmp(other.iter().rev()))
}

fn sum(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut carry = 0;
    let length = one.len().max(other.len()) + 1;
    let digit = |of: &[u32], place: usize| u64::from(of.get(place).copied().unwrap_or(0));
    let sums = (0..length).map(|place| {
        let wide = digit(one, place) + digit(other, place) + carry;
        carry = wide >> 32;
        low(wide)
    });
    sums.collect()
}

/// The difference of magnitudes, the first of which is not the smaller.
fn difference(greater: &[u32], smaller: &[u32]) -> Vec<u32> {
    let mut borrowed = 0;
    let differences = greater.iter().enumerate().map(|(place, digit)| {
        let taken = u64::from(smaller.get(place).copied().unwrap_or(0)) + borrowed;
        let wide = (1 << 32) + u64::from(*digit) - taken;
        borrowed = 1 - (wide >> 32);
        low(wide)
    });
    differences.collect()
}

impl Add<&Whole> for &Whole {
    type Output = Whole;

    fn add(self, other: &Whole) -> Whole {
        if self.is_negative == other.is_negative {
            return Whole::new(sum(&self.digits, &other.digits), self.is_negative);
        }
        match compared(&self.digits, &other.digits) {
            Ordering::Less => {
                Whole::new(difference(&other.digits, &self.digits), other.is_negative)
            }
            _ => Whole::new(difference(&self.digits, &other.digits), self.is_negative),
        }
    }
}

impl Neg for &Whole {
    type Output = Whole;

    fn neg(self) -> Whole {
        Whole::new(self.digits.clone(), !self.is_negative)
    }
}

impl Sub<&Whole> for &Whole {
    type Output = Whole;

    fn sub(self, other: &Whole) -> Whole {
        self + &-other
    }
}

impl Mul<&Whole> for &Whole {
    type Output = Whole;

    fn mul(self, other: &Whole) -> Whole {
        let mut digits = vec![0_u32; self.digits.len() + other.digits.len()];
        for (place, one) in self.digits.iter().enumerate() {
            let mut carry = 0;
            for (step, other) in other.digits.iter().enumerate() {
                let wide =
                    u64::from(*one) * u64::from(*other) + u64::from(digits[place + step]) + carry;
                digits[place + step] = low(wide);
                carry = wide >> 32;
            }
            digits[place + other.digits.len()] = low(carry);
        }
        Whole::new(digits, self.is_negative != other.is_negative)
    }
}

#[test]
fn whole_numbers_are_added_and_multiplied_without_rounding() {
    let [one, tiny, big] = [1.0, f32::from_bits(1), -3.0e38].map(Whole::of);
    assert_eq!(one, Whole::unit());
    assert_eq!(tiny, Whole::new(vec![1], false));
    let all = &(&one + &tiny) + &big;
    assert!(all.is_negative() && big.is_negative() && tiny.is_positive());
    assert_eq!(&(&all - &big) - &one, tiny);
    assert_eq!(&all - &all, Whole::new(Vec::new(), false));
    // (1 + e)(1 - e) = 1 - e^2.
    let left = &(&one + &tiny) * &(&one - &tiny);
    assert_eq!(left, &(&one * &one) - &(&tiny * &tiny));
    let quotient = Whole::of(1.5).quotient(&Whole::of(-0.25));
    assert!((quotient + 6.0).abs() < 1e-15, "{quotient}");
}
