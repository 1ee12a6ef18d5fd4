//! Gradient noise on the plane: smooth, random-looking and the same on every machine.
//!
//! Only `+ - * /`, `floor` and an integer hash are used, so the bits depend on nothing else. The
//! patterns of grass, rock and clouds are made of it, and terrain can be.
//!
//! ```
//! use hitscan::glam::DVec2;
//! use hitscan_picture::noise::fractal;
//! let height = |x: f64, z: f64| 20.0 * fractal(DVec2::new(x, z) / 64.0, 5, 1);
//! assert!((height(10.0, 3.0) - height(10.001, 3.0)).abs() < 0.01);
//! ```

use glam::DVec2;

/// The rotation from one octave to the next, so that their lattices do not line up: by the angle of
/// the triangle with sides 3, 4 and 5.
pub(crate) const ROTATION: [DVec2; 2] = [DVec2::new(0.8, 0.6), DVec2::new(-0.6, 0.8)];

/// The shift from one octave to the next, so that their lattices share no point.
pub(crate) const SHIFT: DVec2 = DVec2::new(17.3, -9.1);

/// The directions of the lattice's gradients, unit length.
const GRADIENTS: [DVec2; 8] = {
    const D: f64 = std::f64::consts::FRAC_1_SQRT_2;
    [
        DVec2::new(1.0, 0.0),
        DVec2::new(D, D),
        DVec2::new(0.0, 1.0),
        DVec2::new(-D, D),
        DVec2::new(-1.0, 0.0),
        DVec2::new(-D, -D),
        DVec2::new(0.0, -1.0),
        DVec2::new(D, -D),
    ]
};

/// What the coordinates of lattice points are spread by for the hash.
pub(crate) const SPREAD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f];

/// A random-looking number for a lattice point whose coordinates are spread: their exclusive or with the
/// seed, by the finaliser of MurmurHash3.
fn hash(spread: u64) -> u64 {
    let mut h = spread;
    h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}

/// The largest whole number that is not above `x`, which is within the range of i64.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "pictures and terrain are far smaller than 2^52, and the cast saturates"
)]
fn floor(x: f64) -> (i64, f64) {
    let toward_zero = x as i64;
    let floor = toward_zero - i64::from(toward_zero as f64 > x);
    (floor, floor as f64)
}

/// Gradient noise at `p`, between about -1 and 1, with features about 1 wide.
///
/// Source: Ken Perlin, "Improving Noise", SIGGRAPH 2002 (the quintic fade; the gradients are those
/// of the plane and the hash is ours).
#[must_use]
pub fn gradient_noise(p: DVec2, seed: u64) -> f64 {
    let [(x, left), (y, low)] = [floor(p.x), floor(p.y)];
    let f = p - DVec2::new(left, low);
    let across = x.cast_unsigned().wrapping_mul(SPREAD[0]);
    let along = y.cast_unsigned().wrapping_mul(SPREAD[1]);
    let corner = |right: bool, upper: bool, offset: DVec2| {
        let across = if right {
            across.wrapping_add(SPREAD[0])
        } else {
            across
        };
        let along = if upper {
            along.wrapping_add(SPREAD[1])
        } else {
            along
        };
        let h = hash(seed ^ across ^ along);
        let [low, ..] = h.to_le_bytes();
        GRADIENTS[usize::from(low % 8)].dot(f - offset)
    };
    let fade = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
    let near = mix(
        corner(false, false, DVec2::ZERO),
        corner(true, false, DVec2::X),
        fade.x,
    );
    let far = mix(
        corner(false, true, DVec2::Y),
        corner(true, true, DVec2::ONE),
        fade.x,
    );
    mix(near, far, fade.y) * std::f64::consts::SQRT_2
}

/// Fractal noise: `octaves` of gradient noise, each twice as fine and half as strong.
#[must_use]
pub fn fractal(p: DVec2, octaves: u32, seed: u64) -> f64 {
    let (mut p, mut sum, mut strength) = (p, 0.0, 0.5);
    for octave in 0..octaves {
        sum += strength * gradient_noise(p, seed.wrapping_add(u64::from(octave)));
        strength *= 0.5;
        p = finer(p);
    }
    sum
}

/// As [`fractal`], without what is too fine to be seen where a pixel is `pixel` wide: the plain formula,
/// which `noise_lanes.rs` has the values of.
#[cfg(test)]
pub(crate) fn visible_fractal(p: DVec2, octaves: u32, seed: u64, pixel: f64) -> f64 {
    let (mut p, mut sum, mut strength, mut pixel) = (p, 0.0, 0.5, pixel);
    for octave in 0..octaves {
        let visible = (2.0 - 3.0 * pixel).min(1.0);
        if visible <= 0.0 {
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

/// Ridged noise between 0 and about 1: creases where the gradient noise crosses zero, finer
/// creases mostly on the flanks of coarse ones.
///
/// Source: F. Kenton Musgrave, "Procedural Fractal Terrains", in Ebert et al., "Texturing and
/// Modeling: A Procedural Approach", 1994 (the ridged multifractal).
#[must_use]
pub fn ridged(p: DVec2, octaves: u32, seed: u64) -> f64 {
    let (mut p, mut sum, mut strength, mut weight) = (p, 0.0, 0.5, 1.0);
    for octave in 0..octaves {
        let crease = 1.0 - gradient_noise(p, seed.wrapping_add(u64::from(octave))).abs();
        let ridge = crease * crease * weight;
        sum += strength * ridge;
        weight = (ridge * 1.8).clamp(0.0, 1.0);
        strength *= 0.5;
        p = finer(p);
    }
    sum
}

fn finer(p: DVec2) -> DVec2 {
    DVec2::new(ROTATION[0].dot(p), ROTATION[1].dot(p)) * 2.0 + SHIFT
}

/// 0 below `low`, 1 above `high`, smooth between; `low` may be the greater, which falls from 1 to 0.
#[must_use]
pub fn smooth_step(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_bounded_zero_on_the_lattice_and_continuous() {
        for i in 0..2000_i32 {
            let p = DVec2::new(f64::from(i) * 0.137 - 90.0, f64::from(i) * -0.071 + 30.0);
            let here = gradient_noise(p, 7);
            assert!(here.abs() <= 1.0, "{here} at {p}");
            let beside = gradient_noise(p + DVec2::splat(1e-9), 7);
            assert!((here - beside).abs() < 1e-7, "a jump at {p}");
            assert_eq!(gradient_noise(p.floor(), 7), 0.0);
        }
    }

    #[test]
    fn octaves_fade_out_with_distance() {
        let p = DVec2::new(3.4, -8.7);
        let seen = |pixel| visible_fractal(p, 5, 1, pixel);
        assert_eq!(seen(0.0), fractal(p, 5, 1));
        assert_eq!(seen(1.0 / 3.0), fractal(p, 1, 1));
        assert_eq!(seen(0.7), 0.0);
        assert!((seen(0.3333) - seen(0.3334)).abs() < 1e-3);
    }

    #[test]
    fn seeds_give_different_noise() {
        let p = DVec2::new(3.4, -8.7);
        assert_ne!(gradient_noise(p, 1), gradient_noise(p, 2));
        assert_eq!(fractal(p, 5, 1), fractal(p, 5, 1));
    }
}
