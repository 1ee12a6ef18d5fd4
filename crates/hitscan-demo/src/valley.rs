//! The demo's terrain: a valley with a river, closed by mountains.
//!
//! The ground is a sum of noises shaped by the distance from a winding river. Its ridges are
//! creases one sample wide on purpose: a search that steps along a ray by half a cell misses some
//! of them.

use crate::Error;
use glam::DVec2;
use hitscan::HeightField;
use hitscan::height_field::Grid;
use hitscan_picture::noise::{fractal, gradient_noise, ridged, smooth_step};
use rayon::prelude::*;

/// Samples along each side.
pub(crate) const SIDE: u32 = 513;
/// Metres between samples.
pub(crate) const SPACING: f64 = 0.5;
/// The x and z of sample (0, 0), metres, so that the middle is at the origin.
pub(crate) const CORNER: f64 = -128.0;
/// The heights of code 0 and code 65535, metres. The river's water is code 0.
pub(crate) const RANGE: [f64; 2] = [0.0, 96.0];

/// The river's middle line: x in metres, where z is given.
pub(crate) fn river_x(z: f64) -> f64 {
    13.0 * libm::sin(z * 0.043 + 0.35) + 7.0 * libm::sin(z * 0.019 + 2.1) - 4.0
}

/// Where the eyes are that look for crests: beside the river, x and z in metres.
pub(crate) fn eyes_along_the_river() -> Vec<[f32; 2]> {
    (0..12_u8)
        .map(|step| {
            let z = f64::from(step) * 15.0 - 50.0;
            let point = DVec2::new(river_x(z) + 9.0, z).as_vec2();
            point.to_array()
        })
        .collect()
}

/// The ground's height at x, z, metres; what the demo shows lies well inside the valley.
pub(crate) fn ground_height(ground: &HeightField, x: f64, z: f64) -> f64 {
    let point = DVec2::new(x, z).as_vec2();
    ground.elevation(point).map_or(0.0, f64::from)
}

/// The height of the ground at x, z in metres, before it is rounded to a code.
pub(crate) fn height(x: f64, z: f64) -> f64 {
    let point = DVec2::new(x, z);
    // Domain warping: the plane is bent before the ridges are sampled, so that they wind.
    let warped = point
        + 9.0
            * DVec2::new(
                fractal(point / 48.0, 3, 11),
                fractal(point / 48.0 + 40.0, 3, 12),
            );
    let from_river = (x - river_x(z)).abs() + 5.0 * fractal(point / 22.0, 3, 13);
    let walls = smooth_step(13.0, 92.0, from_river);
    let head = smooth_step(-36.0, -150.0, z + 22.0 * gradient_noise(point / 44.0, 14));
    let rise = walls + head - walls * head;

    let mountains = rise * (16.0 + 74.0 * ridged(warped / 82.0, 8, 15));
    let knolls = smooth_step(9.0, 26.0, from_river) * 2.6 * (fractal(point / 17.0, 5, 16) + 0.32);
    let meadow = 0.35 + 0.035 * from_river.max(0.0) + 0.16 * fractal(point / 5.0, 4, 17);
    let bed = -1.6 * (1.0 - smooth_step(3.2, 7.5, from_river));
    (mountains * smooth_step(0.0, 0.25, rise) + knolls.max(0.0) + meadow + bed).clamp(0.0, RANGE[1])
}

/// The codes of all samples, row-major.
pub(crate) fn codes() -> Vec<u16> {
    let row = |j: u32| {
        let z = CORNER + f64::from(j) * SPACING;
        (0..SIDE).map(move |i| code(height(CORNER + f64::from(i) * SPACING, z)))
    };
    (0..SIDE).into_par_iter().flat_map_iter(row).collect()
}

/// The code nearest to a height.
fn code(height: f64) -> u16 {
    let fraction = (height - RANGE[0]) / (RANGE[1] - RANGE[0]);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the height is clamped to the range"
    )]
    let code = (fraction * f64::from(u16::MAX) + 0.5) as u16;
    code
}

/// The terrain as the scene file's reader makes it of the height map's codes.
pub(crate) fn field(codes: &[u16]) -> Result<HeightField, hitscan::Error> {
    let heights = codes
        .iter()
        .map(|&code| {
            let fraction = f64::from(code) / f64::from(u16::MAX);
            narrow(RANGE[0] + fraction * (RANGE[1] - RANGE[0]))
        })
        .collect();
    let mut grid = Grid::new(SIDE as usize, SIDE as usize, [SPACING; 2]);
    grid.origin = [CORNER, 0.0, CORNER];
    HeightField::new(grid, heights)
}

/// Rounds to the nearest f32, as terrain stores heights.
fn narrow(metres: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 is meant")]
    let stored = metres as f32;
    stored
}

/// The terrain as the bytes of a 16-bit grey PNG file.
pub(crate) fn png(codes: &[u16]) -> Result<Vec<u8>, Error> {
    encode(codes).map_err(|source| Error::Encode(source.into()))
}

fn encode(codes: &[u16]) -> Result<Vec<u8>, png::EncodingError> {
    let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_be_bytes()).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, SIDE, SIDE);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_valley_has_water_peaks_and_nothing_cut_off() {
        let codes = codes();
        assert_eq!(codes.len(), (SIDE * SIDE) as usize);
        let fraction = |wanted: &dyn Fn(u16) -> bool| {
            codes.iter().filter(|&&code| wanted(code)).count() as f64 / codes.len() as f64
        };
        let water = fraction(&|code| code == 0);
        assert!((0.01..0.1).contains(&water), "{water} is water");
        assert!(fraction(&|code| code > 40_000) > 0.02, "no peaks");
        assert_eq!(fraction(&|code| code == u16::MAX), 0.0, "a peak is cut off");
    }

    #[test]
    fn crests_are_narrower_than_a_step_of_the_march() {
        // A sample well above both neighbours is a crest that a ray can cross within one cell.
        let codes = codes();
        let side = SIDE as usize;
        let crests = (0..codes.len())
            .filter(|index| (1..side - 1).contains(&(index % side)))
            .filter(|&index| {
                let [west, here, east] =
                    [index - 1, index, index + 1].map(|at| f64::from(codes[at]));
                let metres = (RANGE[1] - RANGE[0]) / f64::from(u16::MAX);
                (here - west.max(east)) * metres > 0.1
            })
            .count();
        assert!(crests > 200, "only {crests} sharp crests");
    }
}
