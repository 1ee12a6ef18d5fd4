//! Low-discrepancy sampling: points in a pixel, on the sun's disc, over a hemisphere. All of it is a
//! fixed function of the pixel and the pass.
//!
//! The sixteen passes of a pixel are the first sixteen points of a (0, 2)-sequence in base 2: one in
//! each sixteenth of the width and of the height, and one in each cell of the grids between. For light
//! the points are turned (shifted around the unit square) by an amount of the pixel's own, which its
//! neighbours differ from as much as can be, so that what noise is left is fine.
//!
//! Source: Thomas Kollig and Alexander Keller, "Efficient Multidimensional Sampling", Computer Graphics
//! Forum 21(3), 2002 (the sequence); R. Cranley and T. N. L. Patterson, "Randomization of Number
//! Theoretic Methods for Multiple Integration", SIAM J. Numer. Anal. 13(6), 1976 (the turn); Martin
//! Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018 (the amounts).

use glam::{DVec2, DVec3};

/// The maximum number of samples of a pixel: after them a picture is finished.
pub const MAX_SAMPLES: u32 = 16;

/// What a point of a sequence is used for; each use has its own order of the points, so that they are
/// not paired with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// The sun's disc.
    Sun,
    /// The directions of ambient occlusion.
    Sky,
}

/// Where in each pixel the ray of a pass goes, counted from 1: widths and heights from the pixel's upper
/// left corner.
pub(crate) fn place_in_pixel(pass: u32) -> [f32; 2] {
    let point = point(pass.wrapping_sub(1) % MAX_SAMPLES);
    // Into the middles of the sixteenths; multiples of 1/32 are exact.
    let middle = 0.5 / f64::from(MAX_SAMPLES);
    (point + middle).as_vec2().to_array()
}

/// Point number `index` of the unit square for a pixel.
pub(crate) fn pixel_point([x, y]: [u32; 2], index: u32, purpose: Use) -> DVec2 {
    let (order, seed) = match purpose {
        Use::Sun => (5, 0x9e37_79b9),
        Use::Sky => (10, 0x7f4a_7c15),
    };
    // Fractions of 2^32: the plane's irrational numbers of Roberts, in both orders.
    let turn = |a: u32, b: u32| {
        let turned = x
            .wrapping_mul(a)
            .wrapping_add(y.wrapping_mul(b))
            .wrapping_add(seed);
        f64::from(turned) / 4_294_967_296.0
    };
    let turn = DVec2::new(
        turn(0xc13f_a9a9, 0x91e1_0da5),
        turn(0x91e1_0da5, 0x3ec0_5657),
    );
    let turned = point(index ^ order) + turn;
    turned - turned.floor()
}

/// Point number `index` of the (0, 2)-sequence: the radical inverse in base 2, and Sobol's second
/// dimension.
fn point(index: u32) -> DVec2 {
    let mut second = 0_u32;
    let (mut rest, mut direction) = (index, 1_u32 << 31);
    while rest != 0 {
        if rest & 1 == 1 {
            second ^= direction;
        }
        rest >>= 1;
        direction ^= direction >> 1;
    }
    DVec2::new(f64::from(index.reverse_bits()), f64::from(second)) / 4_294_967_296.0
}

/// The direction within `radius` (the sine of the angle) of the unit vector `middle` for a point of the
/// unit square, uniformly over the disc; about unit length.
pub(crate) fn on_disc(point: DVec2, middle: DVec3, radius: f64) -> DVec3 {
    let [across, along] = tangents(middle);
    let place = disc(point) * radius;
    let forward = (1.0 - place.length_squared()).max(0.0).sqrt();
    across * place.x + along * place.y + middle * forward
}

/// A direction on the side of the unit normal for a point of the unit square, more often steep than
/// flat as the cosine says; about unit length.
pub(crate) fn in_cosine_lobe(point: DVec2, normal: DVec3) -> DVec3 {
    on_disc(point, normal, 1.0)
}

/// A point of the unit disc for one of the unit square, areas kept.
fn disc(point: DVec2) -> DVec2 {
    turned(point.x) * point.y.sqrt()
}

/// The cosine and sine of so many turns, from 0 to 1, within 1e-6: by their series in an eighth of a
/// turn, which is far quicker than the exact ones.
fn turned(turns: f64) -> DVec2 {
    let quarter = (turns * 4.0 + 0.5).floor();
    let angle = (turns - quarter / 4.0) * std::f64::consts::TAU;
    let square = angle * angle;
    let cos =
        1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0)));
    let sin = angle * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)));
    match quarter {
        1.0 => DVec2::new(-sin, cos),
        2.0 => DVec2::new(-cos, -sin),
        3.0 => DVec2::new(sin, -cos),
        _ => DVec2::new(cos, sin),
    }
}

/// Two unit vectors at right angles to a unit vector and to each other.
///
/// Source: Tom Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 6(1), 2017.
fn tangents(n: DVec3) -> [DVec3; 2] {
    let sign = 1_f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [
        DVec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        DVec3::new(b, sign + n.y * n.y * a, -n.y),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of `count` equal parts a number from 0 to 1 is in.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "below 17"
    )]
    fn part(value: f64, count: u32) -> u32 {
        (value * f64::from(count)) as u32
    }

    #[test]
    fn sixteen_places_fill_every_grid() {
        let places: Vec<[f64; 2]> = (1..=16)
            .map(|pass| place_in_pixel(pass).map(f64::from))
            .collect();
        for (columns, rows) in [(16, 1), (8, 2), (4, 4), (2, 8), (1, 16)] {
            let mut cells: Vec<u32> = places
                .iter()
                .map(|[x, y]| part(*x, columns) * rows + part(*y, rows))
                .collect();
            cells.sort_unstable();
            assert!(cells.iter().copied().eq(0..16), "{columns} x {rows}");
        }
        let mean = places
            .iter()
            .fold([0.0; 2], |[x, y], at| [x + at[0] / 16.0, y + at[1] / 16.0]);
        assert_eq!(mean, [0.5; 2]);
    }

    #[test]
    fn directions_are_unit_vectors_on_their_side() {
        let normals = [DVec3::Y, DVec3::NEG_Z, DVec3::new(0.6, 0.0, 0.8)];
        for normal in normals {
            for index in 0..64 {
                let pixel = [index * 7 % 13, index / 3];
                let place = pixel_point(pixel, index, Use::Sky);
                assert!(place.min_element() >= 0.0 && place.max_element() < 1.0);
                let direction = in_cosine_lobe(place, normal);
                assert!((direction.length() - 1.0).abs() < 1e-5, "{direction}");
                assert!(direction.dot(normal) >= 0.0);
                let near = on_disc(place, normal, 0.02);
                assert!(near.dot(normal) > 0.999);
            }
        }
    }

    #[test]
    fn turns_are_near_the_exact_ones() {
        for step in 0..1000_u32 {
            let turns = f64::from(step) / 1000.0;
            let angle = turns * std::f64::consts::TAU;
            let exact = DVec2::new(libm::cos(angle), libm::sin(angle));
            assert!((turned(turns) - exact).length() < 1e-6, "{turns}");
        }
    }

    #[test]
    fn the_cosine_lobe_has_its_mean() {
        // The mean cosine of a cosine lobe is 2/3.
        let count = 1 << 12;
        let sum: f64 = (0..count)
            .map(|index| in_cosine_lobe(point(index), DVec3::Y).y)
            .sum();
        assert!((sum / f64::from(count) - 2.0 / 3.0).abs() < 1e-3, "{sum}");
    }
}
