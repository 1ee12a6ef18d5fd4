//! Gradient noise at eight points side by side: the values of `noise.rs` from vectors.
//!
//! Coordinates are of less than 2^51. Those of pictures are of less than 2^40: f32 holds no scene that is
//! farther from the origin than 2^25 times its size, and no pattern has more than 2^15 features to that.

use crate::noise::{ROTATION, SHIFT, SPREAD};
use fearless_simd::{Simd, f64x8, prelude::*, u64x8};
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// Added to a number of less than 2^51, it makes the sum a whole number, the nearest, in the lowest bits.
const ROUNDING: f64 = 1.5 * (1_u64 << 52) as f64;

/// As [`crate::noise::fractal`], without what is too fine to be seen where a pixel is `pixel` wide: an
/// octave fades out while its features shrink from three pixels to one and a half.
#[inline(always)]
pub(crate) fn visible_fractal<S: Simd>(
    p: [f64x8<S>; 2],
    octaves: u32,
    seed: u64,
    pixel: f64x8<S>,
) -> f64x8<S> {
    let mut sum = f64x8::splat(pixel.simd, 0.0);
    let (mut p, mut strength, mut pixel) = (p, 0.5, pixel);
    for octave in 0..octaves {
        // Where it is 0, it stays so, and the sum does.
        let visible = (2.0 - 3.0 * pixel).min(1.0).max(0.0);
        if visible.simd_gt(0.0).all_false() {
            break;
        }
        let noise = gradient_noise(p, seed.wrapping_add(u64::from(octave)));
        sum += strength * visible * noise;
        strength *= 0.5;
        pixel *= 2.0;
        p = finer(p);
    }
    sum
}

/// As [`crate::noise::gradient_noise`].
#[inline(always)]
fn gradient_noise<S: Simd>([x, y]: [f64x8<S>; 2], seed: u64) -> f64x8<S> {
    let ((column, left), (row, low)) = (floor(x), floor(y));
    let across = column * SPREAD[0];
    let along = row * SPREAD[1];
    let (west, east) = (across ^ seed, (across + SPREAD[0]) ^ seed);
    let (south, north) = (along, along + SPREAD[1]);
    let (x, y) = (x - left, y - low);
    let (from_west, from_east) = (Offset::new(x), Offset::new(x - 1.0));
    let (from_south, from_north) = (Offset::new(y), Offset::new(y - 1.0));
    let fade_x = fade(x);
    let near = mix(
        gradient_dot(hash(west ^ south), from_west, from_south),
        gradient_dot(hash(east ^ south), from_east, from_south),
        fade_x,
    );
    let far = mix(
        gradient_dot(hash(west ^ north), from_west, from_north),
        gradient_dot(hash(east ^ north), from_east, from_north),
        fade_x,
    );
    mix(near, far, fade(y)) * SQRT_2
}

/// The largest whole numbers that are not above `x`, and their bits as signed integers.
#[inline(always)]
fn floor<S: Simd>(x: f64x8<S>) -> (u64x8<S>, f64x8<S>) {
    let nearest = x + ROUNDING - ROUNDING;
    let floor = nearest.simd_gt(x).select(nearest - 1.0, nearest);
    ((floor + ROUNDING).to_bits() - ROUNDING.to_bits(), floor)
}

/// The finaliser of MurmurHash3, as in `noise.rs`; its lowest three bits count.
#[inline(always)]
fn hash<S: Simd>(spread: u64x8<S>) -> u64x8<S> {
    let mut h = spread;
    h = (h ^ (h >> 33)) * 0xff51_afd7_ed55_8ccd;
    h = (h ^ (h >> 33)) * 0xc4ce_b9fe_1a85_ec53;
    h ^ (h >> 33)
}

/// A coordinate of the offset from a lattice point.
#[derive(Clone, Copy)]
struct Offset<S: Simd> {
    /// Along an axis.
    along: f64x8<S>,
    /// Along a diagonal: its product with the root of a half.
    diagonal: f64x8<S>,
}

impl<S: Simd> Offset<S> {
    #[inline(always)]
    fn new(along: f64x8<S>) -> Self {
        let diagonal = along * FRAC_1_SQRT_2;
        Self { along, diagonal }
    }
}

/// The dot product of an offset with the gradient of this hash: the direction turned by so many eighths
/// as its lowest three bits say.
#[inline(always)]
fn gradient_dot<S: Simd>(hash: u64x8<S>, x: Offset<S>, y: Offset<S>) -> f64x8<S> {
    let (low, middle, high) = (hash, hash >> 1, hash >> 2);
    let is_diagonal = (low & 1).simd_eq(1);
    let is_upright = (middle & 1).simd_eq(1);
    let none = f64x8::splat(hash.simd, 0.0);
    let x = is_diagonal.select(x.diagonal, is_upright.select(none, x.along));
    let y = is_diagonal.select(y.diagonal, is_upright.select(y.along, none));
    let x_sign = (high ^ (middle & low)) << 63;
    let y_sign = (high & (middle | low)) << 63;
    f64x8::from_bits(x.to_bits() ^ x_sign) + f64x8::from_bits(y.to_bits() ^ y_sign)
}

#[inline(always)]
fn fade<S: Simd>(f: f64x8<S>) -> f64x8<S> {
    f * f * f * (f * (f * 6.0 - 15.0) + 10.0)
}

#[inline(always)]
fn mix<S: Simd>(a: f64x8<S>, b: f64x8<S>, t: f64x8<S>) -> f64x8<S> {
    a + (b - a) * t
}

/// As in `noise.rs`.
#[inline(always)]
fn finer<S: Simd>([x, y]: [f64x8<S>; 2]) -> [f64x8<S>; 2] {
    let [across, along] = ROTATION;
    [
        (x * across.x + y * across.y) * 2.0 + SHIFT.x,
        (x * along.x + y * along.y) * 2.0 + SHIFT.y,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise;
    use fearless_simd::{Level, dispatch};
    use glam::DVec2;
    use std::array;

    /// Points in eights: in all quadrants, on the lattice and beside it, far off.
    fn points() -> impl Iterator<Item = [DVec2; 8]> {
        let spread = (0..1500_u32).map(|step| {
            let turn = f64::from(step) * 2.399;
            let radius = 1e-3 * 1.013_f64.powi(step.cast_signed());
            let place = DVec2::new(libm::cos(turn), libm::sin(turn)) * radius;
            array::from_fn(|lane| place + DVec2::new(0.11, -0.07) * lane as f64)
        });
        let beside = [
            0.0, -0.0, 1.0, -1.0, -7.0, 1e9, -3e15, 0.5, -0.5, 2.5, 1e-300,
        ];
        let edges = beside.into_iter().flat_map(move |x| {
            beside.into_iter().map(move |y: f64| {
                let [xs, ys] = [x, y].map(|at: f64| [at, at.next_down(), at.next_up()]);
                array::from_fn(|lane| DVec2::new(xs[lane % 3], ys[lane / 3]))
            })
        });
        spread.chain(edges).filter(|points: &[DVec2; 8]| {
            points.iter().all(|point| point.abs().max_element() < 2e15)
        })
    }

    #[inline(always)]
    fn load<S: Simd>(simd: S, points: &[DVec2; 8]) -> [f64x8<S>; 2] {
        [0, 1].map(|axis| f64x8::load_array(simd, points.map(|point| point[axis])))
    }

    #[test]
    fn the_noise_is_that_of_one_point() {
        for seed in [0, 7, 0xc10d, u64::MAX] {
            for points in points() {
                let expected = points.map(|point| noise::gradient_noise(point, seed));
                for level in [Level::baseline(), Level::new()] {
                    let noise: [f64; 8] = dispatch!(level, simd => {
                        gradient_noise(load(simd, &points), seed).to_array()
                    });
                    assert_eq!(noise, expected, "{points:?}");
                }
            }
        }
    }

    #[test]
    fn octaves_fade_out_each_in_its_lane() {
        for points in points().filter(|points| points[0].length() < 1e6) {
            for octaves in 0..6 {
                let pixels = [0.0, 0.01, 0.05, 0.1, 0.3, 0.34, 0.66, 0.7];
                let noise: [f64; 8] = dispatch!(Level::new(), simd => {
                    let pixels = f64x8::load_array(simd, pixels);
                    visible_fractal(load(simd, &points), octaves, 9, pixels).to_array()
                });
                let expected: [f64; 8] = array::from_fn(|lane| {
                    noise::visible_fractal(points[lane], octaves, 9, pixels[lane])
                });
                assert_eq!(
                    noise.map(f64::to_bits),
                    expected.map(f64::to_bits),
                    "{points:?}"
                );
                assert_eq!(noise[0], noise::fractal(points[0], octaves, 9));
            }
        }
    }
}
