//! The colours of counts: how much was tested for each pixel's ray.

use crate::srgb::from_srgb;
use glam::Vec3;

/// The colour of a value between 0 and 1 on the scale cividis, linear light: from dark blue to yellow,
/// of even steps in lightness, and alike to all eyes.
///
/// Source: Jamie R. Nuñez, Christopher R. Anderton, Ryan S. Renslow, "Optimizing colormaps with
/// consideration for color vision deficiency", PLoS ONE 13(7), 2018; by the polynomials of D3's
/// `interpolateCividis`.
pub(crate) fn cividis(value: f64) -> Vec3 {
    let t = value.clamp(0.0, 1.0);
    let red = -4.54 - t * (35.34 - t * (2381.73 - t * (6402.7 - t * (7024.72 - t * 2710.57))));
    let green = 32.49 + t * (170.73 + t * (52.82 - t * (131.46 - t * (176.58 - t * 67.37))));
    let blue = 81.24 + t * (442.36 - t * (2482.43 - t * (6167.24 - t * (6614.94 - t * 2475.67))));
    let [red, green, blue] = [red, green, blue].map(code);
    from_srgb(u32::from_be_bytes([0, red, green, blue])).as_vec3()
}

fn code(value: f64) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0.5 and 255.5"
    )]
    let code = (value.clamp(0.0, 255.0) + 0.5) as u8;
    code
}

/// How many of a thousand counts may be greater than the end of their legend: a few of them would take
/// the colours from all others.
const BEYOND: usize = 5;

/// The upper end of a legend for these counts: a round number, at least 10.
pub(crate) fn legend_end(counts: &[u32]) -> u32 {
    let mut counts = counts.to_vec();
    let beyond = counts.len() * BEYOND / 1000;
    let Some(last) = counts.len().checked_sub(beyond + 1) else {
        return round_end(0);
    };
    let (_, greatest, _) = counts.select_nth_unstable(last);
    round_end(*greatest)
}

fn round_end(greatest: u32) -> u32 {
    let mut tens = 1_u32;
    loop {
        for first in [10, 15, 20, 30, 40, 50, 60, 80] {
            let end = tens.saturating_mul(first);
            if end >= greatest {
                return end;
            }
        }
        tens = tens.saturating_mul(10);
    }
}

/// The colour of a count on a legend.
pub(crate) fn count_color(count: u32, end: u32) -> Vec3 {
    cividis(f64::from(count) / f64::from(end.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_gets_lighter_all_the_way() {
        let luminance = |color: Vec3| color.dot(Vec3::new(0.2126, 0.7152, 0.0722));
        let colors: Vec<f32> = (0..=50_u8)
            .map(|step| luminance(cividis(f64::from(step) / 50.0)))
            .collect();
        assert!(colors.is_sorted(), "{colors:?}");
        assert!(colors[0] < 0.02 && colors[50] > 0.7);
    }

    #[test]
    fn legends_end_at_round_numbers() {
        let ends = [0, 10, 11, 79, 81, 100, 101, 1600].map(round_end);
        assert_eq!(ends, [10, 10, 15, 80, 100, 100, 150, 2000]);
        assert_eq!(round_end(u32::MAX), u32::MAX);
        assert_eq!(legend_end(&[]), 10);
        assert_eq!(legend_end(&[7, 90]), 100);
        let mut counts = vec![30; 1000];
        counts[..5].fill(900);
        assert_eq!(legend_end(&counts), 30);
        counts[5] = 900;
        assert_eq!(legend_end(&counts), 1000);
    }
}
