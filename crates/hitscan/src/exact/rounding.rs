//! The nearest f32 to a number that can only be compared, such as a root.

use super::expansion::nearest_f32;
use core::cmp::Ordering;

/// The nearest f32 to a number, ties to even, never -0.
///
/// `compare` compares the number with an f64, exactly. The nearer `guess` is, the fewer
/// times it is called: twice if rounding the guess gives the answer. The number must lie within the
/// range of f32.
pub(crate) fn nearest_f32_by(guess: f64, compare: &dyn Fn(f64) -> Ordering) -> f32 {
    // Whether the number, rounded, is no greater than the f32 of this rank.
    let is_by = |rank: i32| {
        let (this, next) = (from_rank(rank), from_rank(rank + 1));
        match compare(f64::midpoint(f64::from(this), f64::from(next))) {
            Ordering::Less => true,
            Ordering::Equal => this.to_bits().is_multiple_of(2),
            Ordering::Greater => false,
        }
    };
    let limit = rank(f32::MAX);
    let first = rank(nearest_f32(guess.clamp(-LARGEST, LARGEST)));
    // Bounds with `is_by(high)` and not `is_by(low)`, found by strides that double.
    let (mut low, mut high) = (first, first);
    let mut stride = 1;
    if first >= limit || is_by(first) {
        low = (first - 1).max(-limit);
        while low > -limit && is_by(low) {
            high = low;
            low = low.saturating_sub(stride).max(-limit);
            stride = stride.saturating_mul(2);
        }
    } else {
        high = (first + 1).min(limit);
        while high < limit && !is_by(high) {
            low = high;
            high = high.saturating_add(stride).min(limit);
            stride = stride.saturating_mul(2);
        }
    }
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if is_by(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    from_rank(high) + 0.0
}

/// The largest f32.
const LARGEST: f64 = f32::MAX as f64;

/// The number of a finite f32 in the order of all of them, 0 for zero.
fn rank(x: f32) -> i32 {
    let magnitude = (x.to_bits() & 0x7FFF_FFFF).cast_signed();
    if x < 0.0 { -magnitude } else { magnitude }
}

/// The f32 with this number.
fn from_rank(rank: i32) -> f32 {
    let magnitude = f32::from_bits(rank.unsigned_abs());
    if rank < 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_guess_leads_to_the_nearest() {
        let numbers = [0.0, 0.1, -0.3, 1e-45, 7e-46, 3.3e38, -2.5e-40, 1.0 + 1e-9];
        for number in numbers {
            for guess in [0.0, number, number * 1.000_001, -number, 1e30, -1e-30, 1e60] {
                let found = nearest_f32_by(guess, &|x| number.total_cmp(&x));
                assert_eq!(
                    found.to_bits(),
                    nearest_f32(number).to_bits(),
                    "{number} {guess}"
                );
            }
        }
    }

    #[test]
    fn ties_go_to_the_even() {
        let ulp = f64::from(f32::EPSILON);
        for (number, expected) in [
            (1.0 + 0.5 * ulp, 1.0),
            (1.0 + 1.5 * ulp, 1.0 + 2.0 * f32::EPSILON),
            (-1.0 - 0.5 * ulp, -1.0),
        ] {
            let found = nearest_f32_by(number, &|x| number.total_cmp(&x));
            assert_eq!(found, expected);
        }
    }
}
