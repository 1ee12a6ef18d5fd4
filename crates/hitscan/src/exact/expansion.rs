//! Exact arithmetic on f64: sums, differences and products without rounding.
//!
//! A number is kept as an expansion, a sum of f64 that do not overlap, smallest first. Predicates
//! elsewhere try f64 with a derived error bound and come here only when that cannot decide,
//! so this code is written for clarity, not speed. Nothing here depends on geometry.
//!
//! Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
//! Predicates", Discrete & Computational Geometry 18, 1997. Products are exact as long as none of
//! them leaves f64's range, which the limits on shapes and rays ensure.

use super::big_float::BigFloat;
use core::cmp::Ordering;

/// Half of f64's spacing at 1: the largest relative error of one rounded operation.
pub(crate) const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Expansions of more terms are compressed.
///
/// A product of two has up to twice as many terms as their lengths' product, most of them small
/// parts of a few f64: where magnitudes from 1e18 m to 1e-38 m come together, the lengths, and the time
/// with them, would grow with each factor. Compressed, an expansion has no more terms than its bits
/// need. Numbers of one magnitude never become so long.
const LONG: usize = 24;

/// Pairs of terms up to which expansions are combined term by term: each pair of a product takes time with
/// the number of terms so far, which with some hundred pairs is tens of microseconds.
const COSTLY: usize = 64;

/// A number as a sum of non-overlapping f64, smallest magnitude first, without zeros.
#[derive(Debug, Clone)]
pub(crate) struct Expansion {
    terms: Vec<f64>,
}

impl Expansion {
    fn pair(high: f64, low: f64) -> Self {
        Self {
            terms: [low, high]
                .into_iter()
                .filter(|term| *term != 0.0)
                .collect(),
        }
    }

    /// The number `a`.
    pub(crate) fn from_f64(a: f64) -> Self {
        Self::pair(a, 0.0)
    }

    /// `a - b`.
    pub(crate) fn from_difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        Self::pair(high, low)
    }

    /// `self + other`.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        if self.is_costly_with(other) {
            return Self::from_big(&self.to_big().plus(&other.to_big()));
        }
        let mut sum = self.clone();
        for &term in &other.terms {
            sum.grow(term);
        }
        sum.shorten();
        sum
    }

    /// `self - other`.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        if self.is_costly_with(other) {
            return Self::from_big(&self.to_big().minus(&other.to_big()));
        }
        let mut sum = self.clone();
        for &term in &other.terms {
            sum.grow(-term);
        }
        sum.shorten();
        sum
    }

    /// `self * other`.
    pub(crate) fn times(&self, other: &Self) -> Self {
        if self.is_costly_with(other) {
            return Self::from_big(&self.to_big().times(&other.to_big()));
        }
        let mut product = Self {
            terms: Vec::with_capacity(2 * self.terms.len() * other.terms.len()),
        };
        for &a in &self.terms {
            for &b in &other.terms {
                let (high, low) = two_product(a, b);
                product.grow(low);
                product.grow(high);
            }
            product.shorten();
        }
        product
    }

    /// Whether combining two expansions term by term costs more than as [`BigFloat`]s. Expansions of
    /// coordinates of one magnitude have few terms.
    fn is_costly_with(&self, other: &Self) -> bool {
        self.terms.len() * other.terms.len() > COSTLY
    }

    #[cold]
    #[inline(never)]
    fn to_big(&self) -> BigFloat {
        let terms = self.terms.iter();
        terms.fold(BigFloat::from_f64(0.0), |sum, term| {
            sum.plus(&BigFloat::from_f64(*term))
        })
    }

    #[cold]
    #[inline(never)]
    fn from_big(number: &BigFloat) -> Self {
        let mut same = Self {
            terms: number.terms().collect(),
        };
        same.shorten();
        same
    }

    /// How the number compares with zero.
    pub(crate) fn sign(&self) -> Ordering {
        match self.terms.last() {
            None => Ordering::Equal,
            Some(largest) if *largest > 0.0 => Ordering::Greater,
            Some(_) => Ordering::Less,
        }
    }

    /// The number rounded to f64, with a relative error below two units of roundoff.
    pub(crate) fn to_f64(&self) -> f64 {
        self.terms.iter().sum()
    }

    /// Compresses a long expansion: terms that fit into one f64 together become one (Shewchuk's
    /// `COMPRESS`). The number stays the same.
    fn shorten(&mut self) {
        let terms = &mut self.terms;
        let count = terms.len();
        if count <= LONG {
            return;
        }
        // Downward, the sums of neighbours are kept from `bottom` on, the largest last.
        let mut bottom = count - 1;
        let mut carry = terms[bottom];
        for read in (0..count - 1).rev() {
            let (high, low) = two_sum(carry, terms[read]);
            carry = high;
            if low != 0.0 {
                terms[bottom] = high;
                bottom -= 1;
                carry = low;
            }
        }
        terms[bottom] = carry;
        // Upward again, what a sum loses is a term, and summation continues.
        let mut kept = 0;
        for read in bottom + 1..count {
            let (high, low) = two_sum(terms[read], carry);
            carry = high;
            if low != 0.0 {
                terms[kept] = low;
                kept += 1;
            }
        }
        terms[kept] = carry;
        terms.truncate(kept + 1);
    }

    /// Adds one f64 in place.
    fn grow(&mut self, addend: f64) {
        if addend == 0.0 {
            return;
        }
        let mut carry = addend;
        let mut kept = 0;
        for read in 0..self.terms.len() {
            let (high, low) = two_sum(carry, self.terms[read]);
            carry = high;
            if low != 0.0 {
                self.terms[kept] = low;
                kept += 1;
            }
        }
        self.terms.truncate(kept);
        if carry != 0.0 {
            self.terms.push(carry);
        }
    }
}

/// `a + b`, where rounding takes nothing from it.
pub(crate) fn sum_without_rounding(a: f64, b: f64) -> Option<f64> {
    let (sum, lost) = two_sum(a, b);
    (lost == 0.0).then_some(sum)
}

/// `a * b`, where rounding takes nothing from it.
pub(crate) fn product_without_rounding(a: f64, b: f64) -> Option<f64> {
    let (product, lost) = two_product(a, b);
    (lost == 0.0).then_some(product)
}

/// `x` rounded to f32, with +0 for -0.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn nearest_f32(x: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
    let rounded = x as f32;
    rounded + 0.0
}

/// The quotient `numerator / denominator` rounded to the nearest f32, ties to even, never -0.
///
/// The denominator must not be zero.
pub(crate) fn nearest_f32_quotient(numerator: &Expansion, denominator: &Expansion) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is meant")]
    let guess = (numerator.to_f64() / denominator.to_f64()) as f32;
    if !guess.is_finite() {
        return guess;
    }
    // f64's quotient is off by a few units in its last place at most, so the nearest f32 is the
    // guess or, where the quotient lies by a midpoint of two f32, one of its neighbours.
    let midpoint = |other: f32| f64::midpoint(f64::from(guess), f64::from(other));
    let up = guess.next_up();
    let down = guess.next_down();
    let is_even = guess.to_bits().is_multiple_of(2);
    let above = compare_quotient(numerator, denominator, midpoint(up));
    let below = compare_quotient(numerator, denominator, midpoint(down));
    let rounded = if up.is_finite() && (above.is_gt() || (above.is_eq() && !is_even)) {
        up
    } else if down.is_finite() && (below.is_lt() || (below.is_eq() && !is_even)) {
        down
    } else {
        guess
    };
    rounded + 0.0
}

/// The quotient `numerator / denominator` rounded down to f64, with +0 for -0.
///
/// The denominator must not be zero, and the quotient within f64's range.
pub(crate) fn floor_quotient(numerator: &Expansion, denominator: &Expansion) -> f64 {
    // Beside zero the next f64 is so small that products with it underflow.
    if numerator.sign().is_eq() {
        return 0.0;
    }
    let mut floor = numerator.to_f64() / denominator.to_f64();
    // f64's quotient is off by a few units in its last place at most. Far below the range in which
    // products are exact, nothing is decided by more steps.
    for _ in 0..4 {
        if compare_quotient(numerator, denominator, floor).is_ge() {
            break;
        }
        floor = floor.next_down();
    }
    for _ in 0..4 {
        if compare_quotient(numerator, denominator, floor.next_up()).is_lt() {
            break;
        }
        floor = floor.next_up();
    }
    floor + 0.0
}

/// The quotient `(a - b) / speed` rounded down to f64, for a positive `speed`; +0 for -0.
pub(crate) fn floor_difference_quotient(a: f64, b: f64, speed: f64) -> f64 {
    let (difference, lost) = two_sum(a, -b);
    let quotient = difference / speed;
    let (product, low) = two_product(quotient, speed);
    let exactly = || {
        floor_quotient(
            &Expansion::from_difference(a, b),
            &Expansion::from_f64(speed),
        )
    };
    if lost != 0.0 || quotient.abs() < SMALLEST_QUOTIENT || difference.abs() < SMALLEST_QUOTIENT {
        return if difference == 0.0 { 0.0 } else { exactly() };
    }
    // The product is within a few units of the difference, so that subtracting it loses nothing, and
    // the remainder's sign is that of one rounded difference.
    if difference - product < low {
        quotient.next_down() + 0.0
    } else {
        quotient
    }
}

/// Above this magnitude products of quotient and divisor lose nothing to underflow.
const SMALLEST_QUOTIENT: f64 = 1e-100;

/// How `numerator / denominator` compares with `limit`, exactly. The denominator must not be zero.
pub(crate) fn compare_quotient(
    numerator: &Expansion,
    denominator: &Expansion,
    limit: f64,
) -> Ordering {
    if limit.is_infinite() {
        return 0.0f64.total_cmp(&limit);
    }
    let excess = numerator.minus(&denominator.times(&Expansion::from_f64(limit)));
    match denominator.sign() {
        Ordering::Less => excess.sign().reverse(),
        _ => excess.sign(),
    }
}

/// `a + b` as the rounded sum and what the rounding lost (Knuth).
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_virtual = sum - a;
    let a_virtual = sum - b_virtual;
    (sum, (a - a_virtual) + (b - b_virtual))
}

/// `a * b` as the rounded product and what the rounding lost (Dekker, with Veltkamp's split).
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

/// `a` as two halves of 26 bits each.
fn split(a: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancellation_leaves_the_exact_remainder() {
        let big = Expansion::from_f64(1e30);
        let sum = big.plus(&Expansion::from_f64(1.0)).minus(&big);
        assert_eq!(sum.to_f64(), 1.0);
        assert_eq!(sum.minus(&Expansion::from_f64(1.0)).sign(), Ordering::Equal);
    }

    #[test]
    fn products_are_exact() {
        let third = 1.0 / 3.0;
        let square = Expansion::from_f64(third).times(&Expansion::from_f64(third));
        // (1/3)² is not an f64: the rounded product must differ from the exact one.
        let difference = square.minus(&Expansion::from_f64(third * third));
        assert_ne!(difference.sign(), Ordering::Equal);
        assert!(difference.to_f64().abs() < UNIT_ROUNDOFF * third * third);
    }

    #[test]
    fn products_of_all_magnitudes_stay_short() {
        // Powers of a sum over 200 binary orders of magnitude: 200 bits a factor, 4 terms.
        let number = [1e18, -3.7e3, 1.1e-11, 7.3e-24, -1.3e-38]
            .into_iter()
            .fold(Expansion::from_f64(0.0), |sum, x| {
                sum.plus(&Expansion::from_f64(x))
            });
        let mut power = number.clone();
        for factors in 2..=6 {
            let next = power.times(&number);
            assert!(
                next.terms.len() <= LONG + 8 * factors,
                "{}",
                next.terms.len()
            );
            // (p - 1) n + n is p n, whatever the terms are.
            let one = Expansion::from_f64(1.0);
            let again = power.minus(&one).times(&number).plus(&number);
            assert_eq!(next.minus(&again).sign(), Ordering::Equal);
            power = next;
        }
    }

    #[test]
    fn quotients_round_to_the_nearest_f32() {
        let quotient =
            |a: f64, b: f64| nearest_f32_quotient(&Expansion::from_f64(a), &Expansion::from_f64(b));
        assert_eq!(quotient(1.0, 3.0), 1.0 / 3.0);
        // Half way between 1 and the next f32 goes to the even one, and so does the next midpoint.
        let ulp = f64::from(f32::EPSILON);
        assert_eq!(quotient(1.0 + ulp / 2.0, 1.0), 1.0);
        assert_eq!(quotient(1.0 + 1.5 * ulp, 1.0), 1.0 + 2.0 * f32::EPSILON);
        assert_eq!(quotient(-0.0, -1.0).to_bits(), 0);
        assert_eq!(quotient(-1e-60, 1.0).to_bits(), 0);
    }
}
