//! From radiance of any strength to the colours of a picture.

use glam::DVec3;

/// How bright the picture is made before tone mapping.
const EXPOSURE: f64 = 0.62;

/// Radiance of any strength as a colour between 0 and 1: bright parts are compressed, not cut off.
///
/// Source: Krzysztof Narkowicz, "ACES Filmic Tone Mapping Curve", 2016.
pub(crate) fn tone_map(radiance: DVec3) -> DVec3 {
    let x = radiance.max(DVec3::ZERO) * EXPOSURE;
    let curve = (x * (x * 2.51 + 0.03)) / (x * (x * 2.43 + 0.59) + 0.14);
    curve.clamp(DVec3::ZERO, DVec3::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_keep_their_order_and_stay_in_range() {
        let mut last = -1.0;
        for step in 0..100_u8 {
            let shade = tone_map(DVec3::splat(f64::from(step) * 0.2)).x;
            assert!((0.0..=1.0).contains(&shade) && shade >= last);
            last = shade;
        }
    }
}
