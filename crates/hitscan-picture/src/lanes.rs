//! Eight values side by side in vectors, a lane each: how what many pixels need is computed.
//!
//! A function of lanes does what its scalar formula says, operation for operation, so every width of
//! vectors gives the same bits. The width is chosen once a batch, by [`fearless_simd::dispatch`].

use fearless_simd::{Simd, f64x8, prelude::*};
use glam::DVec3;
use std::array;
use std::ops::{Add, Mul, MulAssign};

/// How many values are computed side by side.
pub(crate) const LANES: usize = 8;

/// The vectors that `compute` makes of all items, [`LANES`] at a time; lanes beyond the last item repeat
/// one.
#[inline(always)]
pub(crate) fn map_lanes<T: Copy, S: Simd>(
    items: &[T],
    compute: impl Fn(&[T; LANES]) -> Vec3Lanes<S>,
) -> Vec<DVec3> {
    let (chunks, rest) = items.as_chunks::<LANES>();
    let mut vectors = Vec::with_capacity(items.len() + LANES);
    for chunk in chunks {
        vectors.extend_from_slice(&compute(chunk).to_array());
    }
    if let Some(first) = rest.first() {
        let padded = array::from_fn(|lane| *rest.get(lane).unwrap_or(first));
        vectors.extend_from_slice(&compute(&padded).to_array());
        vectors.truncate(items.len());
    }
    vectors
}

/// One number of each item.
#[inline(always)]
pub(crate) fn gather<S: Simd, T>(
    simd: S,
    items: &[T; LANES],
    number: impl Fn(&T) -> f64,
) -> f64x8<S> {
    f64x8::load_array(simd, array::from_fn(|lane| number(&items[lane])))
}

/// Eight vectors or colours, as [`DVec3`] has them.
#[derive(Clone, Copy)]
pub(crate) struct Vec3Lanes<S: Simd> {
    pub(crate) x: f64x8<S>,
    pub(crate) y: f64x8<S>,
    pub(crate) z: f64x8<S>,
}

impl<S: Simd> Vec3Lanes<S> {
    #[inline(always)]
    pub(crate) fn splat(simd: S, vector: DVec3) -> Self {
        Self {
            x: f64x8::splat(simd, vector.x),
            y: f64x8::splat(simd, vector.y),
            z: f64x8::splat(simd, vector.z),
        }
    }

    /// One vector of each item.
    #[inline(always)]
    pub(crate) fn gather<T>(simd: S, items: &[T; LANES], vector: impl Fn(&T) -> DVec3) -> Self {
        Self {
            x: gather(simd, items, |item| vector(item).x),
            y: gather(simd, items, |item| vector(item).y),
            z: gather(simd, items, |item| vector(item).z),
        }
    }

    /// The vector of each lane.
    #[inline(always)]
    fn to_array(self) -> [DVec3; LANES] {
        let (x, y, z) = (self.x.to_array(), self.y.to_array(), self.z.to_array());
        array::from_fn(|lane| DVec3::new(x[lane], y[lane], z[lane]))
    }

    #[inline(always)]
    pub(crate) fn dot(self, with: DVec3) -> f64x8<S> {
        self.x * with.x + self.y * with.y + self.z * with.z
    }

    #[inline(always)]
    pub(crate) fn length(self) -> f64x8<S> {
        (self.x * self.x + self.y * self.y + self.z * self.z).sqrt()
    }

    #[inline(always)]
    pub(crate) fn lerp(self, to: Self, t: f64x8<S>) -> Self {
        self * (1.0 - t) + to * t
    }
}

impl<S: Simd> Mul<f64x8<S>> for Vec3Lanes<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f64x8<S>) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }
}

/// Axis by axis.
impl<S: Simd> Mul for Vec3Lanes<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self {
            x: self.x * other.x,
            y: self.y * other.y,
            z: self.z * other.z,
        }
    }
}

impl<S: Simd> Add for Vec3Lanes<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

/// As [`crate::noise::smooth_step`], of numbers.
#[inline(always)]
pub(crate) fn smooth_step<S: Simd>(low: f64, high: f64, x: f64x8<S>) -> f64x8<S> {
    let t = ((x - low) / (high - low)).max(0.0).min(1.0);
    t * t * (3.0 - 2.0 * t)
}

/// `x` to a whole power, by squares, for numbers and for lanes of them.
#[inline(always)]
pub(crate) fn power<T: Copy + MulAssign>(one: T, x: T, exponent: u32) -> T {
    let (mut product, mut square, mut rest) = (one, x, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            product *= square;
        }
        square *= square;
        rest >>= 1;
    }
    product
}

/// As [`libm::exp`], for numbers from -700 to 0.
///
/// Source: that of libm, FreeBSD's `e_exp.c`.
#[inline(always)]
pub(crate) fn exp<S: Simd>(x: f64x8<S>) -> f64x8<S> {
    const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
    const P: [f64; 5] = [
        1.666_666_666_666_660_2e-1,
        -2.777_777_777_701_559_3e-3,
        6.613_756_321_437_934e-5,
        -1.653_390_220_546_525_2e-6,
        4.138_136_797_057_238_5e-8,
    ];
    // The bounds are those of numbers' upper halves of bits.
    let [negligible, half_ln_2, three_halves_ln_2] =
        [0x3e30_0001_u64, 0x3fd6_2e43, 0x3ff0_a2b2].map(|high| f64::from_bits(high << 32));
    // exp(x) = 2^k exp(r), r between -ln 2 / 2 and ln 2 / 2.
    let size = -x;
    let splat = |number: f64| f64x8::splat(x.simd, number);
    let far = (std::f64::consts::LOG2_E * x - 0.5).trunc();
    let near = size.simd_ge(half_ln_2).select(splat(-1.0), splat(0.0));
    let k = size.simd_ge(three_halves_ln_2).select(far, near);
    let (high, low) = (x - k * LN_2[0], k * LN_2[1]);
    let r = high - low;
    let rr = r * r;
    let c = r - rr * (P[0] + rr * (P[1] + rr * (P[2] + rr * (P[3] + rr * P[4]))));
    let y = 1.0 + (r * c / (2.0 - c) - low + high);
    let power_of_2 = f64x8::from_bits((k + ROUNDING_TO_EXPONENT).to_bits() << 52);
    size.simd_ge(negligible).select(y * power_of_2, 1.0 + x)
}

/// Added to the exponent of a power of two, it makes the sum's lowest bits those of the exponent in the
/// power's own bits.
const ROUNDING_TO_EXPONENT: f64 = 1.5 * (1_u64 << 52) as f64 + 1023.0;

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn exponentials_have_the_bits_of_one() {
        let check = |x: [f64; LANES]| {
            let expected = x.map(|x| libm::exp(x).to_bits());
            for level in [Level::baseline(), Level::new()] {
                let found: [f64; LANES] = dispatch!(level, simd => {
                    exp(f64x8::load_array(simd, x)).to_array()
                });
                assert_eq!(found.map(f64::to_bits), expected, "{x:?}");
            }
        };
        for step in 0..400_000_u32 {
            // From 700 down to 1e-12, and evenly up to 4.
            let small = -700.0 * libm::exp(f64::from(step) * -8.5e-5);
            let even = f64::from(step) * -1e-5;
            let ln_2 = even.round() * 0.5 * std::f64::consts::LN_2;
            let beside = [ln_2.next_down(), ln_2, ln_2.next_up().min(0.0)];
            let [a, b, c] = beside;
            check([small, even, small / 3.0, a, b, c, -0.0, 0.0]);
        }
        for high in [0x3e30_0000_u64, 0x3fd6_2e42, 0x3ff0_a2b1] {
            let bound = -f64::from_bits((high + 1) << 32);
            let (down, up) = (bound.next_down(), bound.next_up());
            check([
                down,
                bound,
                up,
                bound * 1.5,
                bound * 0.5,
                down * 0.99,
                -1.0,
                -64.0,
            ]);
        }
    }

    #[test]
    fn lanes_beyond_the_last_item_are_left_out() {
        for count in 0..20_u8 {
            let items: Vec<f64> = (0..count).map(f64::from).collect();
            let vectors = dispatch!(Level::new(), simd => map_lanes(&items, |items| {
                let numbers = gather(simd, items, |item| *item);
                Vec3Lanes { x: numbers, y: numbers * 2.0, z: numbers * 3.0 }
            }));
            let expected = items.iter().map(|item| DVec3::new(1.0, 2.0, 3.0) * *item);
            assert!(expected.eq(vectors));
        }
    }
}
