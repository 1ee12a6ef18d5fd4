//! From radiance of any strength to the colours of a picture.

use crate::lanes::Vec3Lanes;
use fearless_simd::{Simd, f64x8, prelude::*};

/// How bright the picture is made before tone mapping.
const EXPOSURE: f64 = 0.62;

/// Radiances of any strength as colours between 0 and 1: bright parts are compressed, not cut off.
///
/// Source: Krzysztof Narkowicz, "ACES Filmic Tone Mapping Curve", 2016.
#[inline(always)]
pub(crate) fn tone_map<S: Simd>(radiance: Vec3Lanes<S>) -> Vec3Lanes<S> {
    Vec3Lanes {
        x: curve(radiance.x),
        y: curve(radiance.y),
        z: curve(radiance.z),
    }
}

#[inline(always)]
fn curve<S: Simd>(radiance: f64x8<S>) -> f64x8<S> {
    let x = radiance.max(0.0) * EXPOSURE;
    let curve = (x * (x * 2.51 + 0.03)) / (x * (x * 2.43 + 0.59) + 0.14);
    curve.max(0.0).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::map_lanes;
    use fearless_simd::{Level, dispatch};
    use glam::DVec3;

    fn tones(radiances: &[DVec3]) -> Vec<DVec3> {
        dispatch!(Level::new(), simd => map_lanes(radiances, |radiances| {
            tone_map(Vec3Lanes::gather(simd, radiances, |radiance| *radiance))
        }))
    }

    #[test]
    fn tones_keep_their_order_and_stay_in_range() {
        let radiances = (0..100_u8).map(|step| DVec3::splat(f64::from(step) * 0.2));
        let tones = tones(&radiances.collect::<Vec<_>>());
        assert!(tones.is_sorted_by(|a, b| a.x <= b.x));
        assert!(tones[0].x >= 0.0 && tones[99].x <= 1.0);
    }

    #[test]
    fn eight_tones_have_the_bits_of_one() {
        let radiances = (0..20_003_u32).map(|step| {
            let x = f64::from(step) * 1e-3;
            DVec3::new(x - 1.0, x * x, 1e9 * x)
        });
        let radiances: Vec<DVec3> = radiances.collect();
        for (radiance, tone) in radiances.iter().zip(tones(&radiances)) {
            let x = radiance.max(DVec3::ZERO) * EXPOSURE;
            let curve = (x * (x * 2.51 + 0.03)) / (x * (x * 2.43 + 0.59) + 0.14);
            assert_eq!(tone, curve.clamp(DVec3::ZERO, DVec3::ONE));
        }
    }
}
