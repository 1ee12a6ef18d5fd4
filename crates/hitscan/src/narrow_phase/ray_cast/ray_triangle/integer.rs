//! The edge functions in 128-bit integers: exact where the coordinates are short multiples of a power of
//! two.
//!
//! A ray that passes exactly through a corner or an edge mostly comes from numbers of few bits, as grids
//! and rounded meshes have. Their products are long for f64 and short for an i128, which takes a tenth of
//! the time of expansions.

use crate::narrow_phase::ray_cast::ray::LocalRay;
use glam::DVec3;

/// What the largest of several numbers is scaled to: below 2^51, see [`INTEGERS`].
const SCALED_BITS: i32 = 51;

/// Added to a number of at most 2^51 this rounds it to an integer, which is then the difference of the
/// bits: from 2^52 to 2^53, f64's spacing is 1. Unlike conversions that is done side by side.
const INTEGERS: f64 = 6_755_399_441_055_744.0;
const _: () = assert!(INTEGERS == (3_u64 << SCALED_BITS) as f64);

/// The powers of two between which the largest number lies: scaling up never underflows, and products of
/// three scales are normal numbers.
const POWERS: core::ops::RangeInclusive<i32> = -200..=SCALED_BITS;

/// Up to this sum of twice the bits of a difference and the bits of the direction, no step overflows, and
/// the value has the bits that expansions give.
///
/// With differences below 2^k and components of the direction below 2^m, a product of two differences is
/// below 2^(2k), the difference of two such below 2^(2k + 1), its product with the direction below
/// 2^(2k + m + 1), and the sum of three such below 2^(2k + m + 3). That fits into an i128 up to 2^127; here
/// it is at most 2^105, for the rounding. The conversion of an i128 rounds to the nearest f64. So does the
/// sum of an expansion's terms: none of its partial sums is above 2^105 either, so what rounding took from
/// each, the smaller terms, is at most 2^51, and since they do not overlap, their sum is below 2^52. They
/// are integers, so only adding the largest term rounds.
const MAX_BITS: u32 = 102;

/// A triangle seen from a ray's origin, and the ray's direction, in integers.
pub(super) struct IntegerTriangle {
    from: [[i64; 3]; 3],
    direction: [i64; 3],
    /// What an edge function is multiplied by: a power of two.
    unit: f64,
}

impl IntegerTriangle {
    /// `None` where the numbers are too long or not in range.
    pub(super) fn new(ray: &LocalRay, [a, b, c]: &[DVec3; 3]) -> Option<Self> {
        let o = ray.origin;
        let (points, power) = scaled([a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, o.x, o.y, o.z])?;
        let (direction, direction_power) = scaled(ray.direction.to_array())?;
        let mut from = [[0; 3]; 3];
        for (i, from) in from.as_flattened_mut().iter_mut().enumerate() {
            *from = points[i] - points[9 + i % 3];
        }
        let (zeros, bits) = shorten(from.as_flattened_mut());
        let mut direction = direction;
        let (direction_zeros, direction_bits) = shorten(&mut direction);
        if 2 * bits + direction_bits > MAX_BITS {
            return None;
        }
        let unit = power_of_two(2 * (zeros - power) + direction_zeros - direction_power);
        Some(Self {
            from,
            direction,
            unit,
        })
    }

    /// The edge function of the edge opposite corner k, rounded.
    pub(super) fn edge_function(&self, k: usize) -> f64 {
        let [p, q] = [(k + 1) % 3, (k + 2) % 3].map(|corner| self.from[corner].map(i128::from));
        let d = self.direction.map(i128::from);
        let sum = (p[1] * q[2] - p[2] * q[1]) * d[0]
            + (p[2] * q[0] - p[0] * q[2]) * d[1]
            + (p[0] * q[1] - p[1] * q[0]) * d[2];
        sum as f64 * self.unit
    }
}

/// The numbers times a power of two, and the power; `None` if they are not integers then.
#[inline]
fn scaled<const N: usize>(numbers: [f64; N]) -> Option<([i64; N], i32)> {
    let larger = |max: f64, x: f64| if x > max { x } else { max };
    let max = numbers.iter().fold(0.0, |max, x| larger(max, x.abs()));
    // The power of two above the largest, which is a normal number if it is in range.
    let above = i32::try_from(max.to_bits() >> 52).ok()? - 1022;
    if !POWERS.contains(&above) {
        return None;
    }
    let power = SCALED_BITS - above;
    let scaled = numbers.map(|x| x * power_of_two(power));
    let moved = scaled.map(|x| x + INTEGERS);
    let lost = scaled.iter().zip(&moved);
    let lost = lost.fold(0.0, |sum, (x, moved)| sum + ((moved - INTEGERS) - x).abs());
    let integers = moved.map(|x| x.to_bits().cast_signed() - INTEGERS.to_bits().cast_signed());
    (lost == 0.0).then_some((integers, power))
}

/// Takes the zero bits from the end that all numbers have: how many, and how many bits are left.
#[inline]
fn shorten(numbers: &mut [i64]) -> (i32, u32) {
    let all = numbers
        .iter()
        .fold(0, |all, number| all | number.unsigned_abs());
    // Of zeros nothing is taken.
    let zeros = all.trailing_zeros() % u64::BITS;
    for number in numbers {
        *number >>= zeros;
    }
    (
        zeros.cast_signed(),
        u64::BITS - (all >> zeros).leading_zeros(),
    )
}

/// 2^power for the exponents of normal numbers.
#[inline]
fn power_of_two(power: i32) -> f64 {
    f64::from_bits(u64::from((1023 + power).cast_unsigned()) << 52)
}

#[cfg(test)]
mod tests {
    use super::super::exact::edge_function;
    use super::*;
    use crate::test_rng::Rng;

    /// Compares with expansions, bit for bit; whether there was anything to compare.
    fn is_as_in_expansions(origin: DVec3, direction: DVec3, corners: &[DVec3; 3]) -> bool {
        let (t_min, t_max) = (0.0, 1.0);
        let ray = LocalRay {
            origin,
            direction,
            t_min,
            t_max,
        };
        let Some(triangle) = IntegerTriangle::new(&ray, corners) else {
            return false;
        };
        for k in 0..3 {
            let [p, q] = [(k + 1) % 3, (k + 2) % 3].map(|corner| corners[corner]);
            let [found, expected] = [triangle.edge_function(k), edge_function(&ray, p, q)];
            assert_eq!(found + 0.0, expected + 0.0, "{ray:?} {corners:?} {k}");
        }
        true
    }

    #[test]
    fn values_are_those_of_expansions() {
        let mut rng = Rng(23);
        let mut compared = [0; 2];
        for case in 0..60_000 {
            // Up to 36 bits, so that some triangles are too long; powers as of f32 and transforms.
            let bits = [(); 2].map(|()| 1 + rng.below(36));
            let units = [(); 2].map(|()| power_of_two(-i32::try_from(rng.below(220)).unwrap()));
            let mut number = |i: usize| {
                let shift = 64 - bits[i];
                (rng.next().cast_signed() >> shift) as f64 * units[i]
            };
            let mut vector = |i: usize| DVec3::new(number(i), number(i), number(i));
            let (origin, [a, b, c]) = (vector(0), [(); 3].map(|()| vector(0)));
            // At a corner, at the middle of an edge, in the plane, or anywhere.
            let direction = match case % 4 {
                0 => a - origin,
                1 => b.midpoint(c) - origin,
                2 => b - a,
                _ => vector(1),
            };
            compared[case % 2] += usize::from(is_as_in_expansions(origin, direction, &[a, b, c]));
        }
        assert!(compared.iter().all(|count| *count > 20_000), "{compared:?}");
    }

    #[test]
    fn the_longest_numbers_do_not_overflow() {
        // Differences below 2^k, components of the direction below 2^m, all as large as can be.
        for m in (2..=100).step_by(2) {
            let k = (102 - m) / 2;
            let (long, along) = (
                power_of_two(k) - 1.0,
                power_of_two(m.min(SCALED_BITS)) - 1.0,
            );
            let corners = [
                DVec3::new(long, -long, long),
                DVec3::new(long, long, -long),
                DVec3::new(-long, long, long),
            ];
            let direction = DVec3::splat(along);
            assert!(is_as_in_expansions(DVec3::ZERO, direction, &corners));
        }
    }

    #[test]
    fn long_numbers_and_those_out_of_range_are_left_out() {
        let corners = [DVec3::X, DVec3::Y, DVec3::Z];
        let is_taken = |origin: DVec3| is_as_in_expansions(origin, DVec3::ONE, &corners);
        assert!(is_taken(DVec3::splat(0.25)));
        for origin in [1e-18, 1e-90, 1e19, 5e-324] {
            assert!(!is_taken(DVec3::splat(origin)), "{origin}");
        }
        let is_taken = |direction: DVec3, corners: &[DVec3; 3]| {
            is_as_in_expansions(DVec3::ZERO, direction, corners)
        };
        assert!(is_taken(DVec3::splat(1.0 + power_of_two(-50)), &corners));
        assert!(!is_taken(DVec3::splat(1.0 / 3.0), &corners));
        assert!(!is_taken(DVec3::ZERO, &corners));
        assert!(!is_taken(DVec3::ONE, &[DVec3::ZERO; 3]));
    }
}
