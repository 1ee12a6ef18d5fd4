//! The land cover of terrain: water, sand, grass, rock and snow, by height and slope.

use crate::lanes::{LANES, Vec3Lanes, gather, map_lanes, smooth_step};
use crate::noise_lanes::visible_fractal;
use crate::vectorize::vectorize;
use fearless_simd::{Simd, f64x8, prelude::*};
use glam::DVec3;

const GRASS: DVec3 = DVec3::new(0.070, 0.108, 0.032);
const DRY_GRASS: DVec3 = DVec3::new(0.165, 0.17, 0.062);
const ROCK: DVec3 = DVec3::new(0.235, 0.205, 0.18);
const DARK_ROCK: DVec3 = DVec3::new(0.12, 0.108, 0.10);
const SAND: DVec3 = DVec3::new(0.46, 0.38, 0.25);
const SNOW: DVec3 = DVec3::new(0.86, 0.89, 0.94);
/// The fraction of light that deep water reflects diffusely, linear.
pub(crate) const DEEP: DVec3 = DVec3::new(0.012, 0.045, 0.055);

/// A place of solid ground.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Land {
    pub(crate) point: DVec3,
    /// 0 on the lowest ground and 1 on the highest.
    pub(crate) elevation: f64,
    /// The unit normal of the surroundings, up.
    pub(crate) smooth_normal: DVec3,
    /// Metres from the ray's origin.
    pub(crate) distance: f64,
}

/// Whether the ground at this elevation is water, which reflects like a mirror: exactly level ground at
/// the very bottom, as elevation models store it. `normal` is the triangle's, up.
pub(crate) fn is_water(elevation: f64, normal: DVec3) -> bool {
    normal.y >= 1.0 && elevation < 1e-6
}

/// How finely the patterns of the ground are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detail {
    /// The size of the scene, metres: the patterns are made to it.
    pub(crate) scale: f64,
    /// The width of a pixel at no distance, and how much wider it is for each metre; patterns that are
    /// finer are omitted. Zeros draw them all.
    pub(crate) pixel: [f64; 2],
}

/// The fraction of light that each place reflects diffusely, linear.
pub(crate) fn land_albedos(lands: &[Land], detail: &Detail) -> Vec<DVec3> {
    vectorize!(simd => map_lanes(lands, #[inline(always)] |lands| {
        albedos(simd, lands, #[inline(always)] |land| land, detail)
    }))
}

/// As [`land_albedos`], of places that are part of something.
#[inline(always)]
pub(crate) fn albedos<S: Simd, T>(
    simd: S,
    places: &[T; LANES],
    land: impl Fn(&T) -> &Land,
    detail: &Detail,
) -> Vec3Lanes<S> {
    let Detail {
        scale,
        pixel: [width, spread],
    } = *detail;
    let elevation = gather(simd, places, |place| land(place).elevation);
    let pixel = (width + spread * gather(simd, places, |place| land(place).distance)) / scale;
    let x = gather(simd, places, |place| land(place).point.x) / scale;
    let z = gather(simd, places, |place| land(place).point.z) / scale;
    let broad = visible_fractal([x * 26.0, z * 26.0], 4, 0x9a55, pixel * 26.0);
    let fine = visible_fractal([x * 330.0, z * 330.0], 5, 0xf13e, pixel * 330.0);
    let steepness = 1.0 - gather(simd, places, |place| land(place).smooth_normal.y);

    let dry = smooth_step(-0.25, 0.4, broad + 0.6 * fine);
    let alpine = smooth_step(0.15, 0.45, elevation);
    let bare = smooth_step(0.13, 0.27, steepness + 0.12 * broad + 0.10 * fine);
    let bare = bare.max(smooth_step(0.5, 0.7, elevation + 0.2 * broad));
    // Where nothing is bare, the rock has no part in the mix.
    let dark = if bare.simd_gt(0.0).any_true() {
        let at = [elevation * 26.0 + broad * 3.0, fine + broad * 4.0];
        let strata = visible_fractal(at, 4, 0x57a7, pixel * 26.0);
        smooth_step(-0.3, 0.35, 0.5 * strata + 0.8 * fine)
    } else {
        f64x8::splat(simd, 0.0)
    };
    let shore = 1.0 - smooth_step(0.0035, 0.0085, elevation + 0.003 * fine);
    let beach = shore * (1.0 - smooth_step(0.1, 0.3, steepness));
    let snow_line = elevation + 0.14 * broad + 0.06 * fine - 0.42 * steepness;
    let snow = smooth_step(0.34, 0.42, snow_line) * (1.0 - smooth_step(0.46, 0.6, steepness));
    let light = 1.0 + 0.35 * fine;

    let color = |color: DVec3| Vec3Lanes::splat(simd, color);
    let meadow = color(GRASS).lerp(color(DRY_GRASS), dry);
    let grass = meadow.lerp(color(DRY_GRASS * 0.8), alpine);
    let rock = color(ROCK).lerp(color(DARK_ROCK), dark);
    let land = grass.lerp(rock, bare).lerp(color(SAND), beach);
    land.lerp(color(SNOW), snow) * light
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{smooth_step, visible_fractal};
    use glam::DVec2;

    fn land(elevation: f64, smooth_normal: DVec3) -> Land {
        Land {
            point: DVec3::new(3.0, 0.0, 4.0),
            elevation,
            smooth_normal,
            distance: 0.0,
        }
    }

    /// A pixel is as wide as its distance.
    fn detail(scale: f64) -> Detail {
        Detail {
            scale,
            pixel: [0.0, 1.0],
        }
    }

    #[test]
    fn heights_and_slopes_choose_the_cover() {
        let steep = DVec3::new(0.8, 0.6, 0.0);
        assert!(is_water(0.0, DVec3::Y));
        assert!(!is_water(0.0, steep) && !is_water(0.1, DVec3::Y));
        let lands = [land(0.1, DVec3::Y), land(0.95, DVec3::Y), land(0.5, steep)];
        let albedos = land_albedos(&lands, &detail(100.0));
        let [grass, snow, rock] = albedos[..] else {
            panic!("{albedos:?}");
        };
        assert!(grass.y > grass.x && grass.y > grass.z, "grass is green");
        assert!(snow.min_element() > 0.5, "snow is white");
        assert!(
            (rock.max_element() - rock.min_element()) < 0.15,
            "rock is grey"
        );
    }

    #[test]
    fn eight_places_have_the_bits_of_one() {
        let lands: Vec<Land> = (0..20_003_u32)
            .map(|step| {
                let turn = f64::from(step) * 2.399;
                let part = |count: u32| f64::from(step % count) / f64::from(count - 1);
                let tilt = part(101) * 0.9;
                Land {
                    point: DVec3::new(libm::cos(turn), 0.0, libm::sin(turn)) * (90.0 * part(997)),
                    elevation: part(61) * part(7),
                    smooth_normal: DVec3::new(tilt, (1.0 - tilt * tilt).sqrt(), 0.0),
                    // Runs of one width, and neighbours of all.
                    distance: 0.1 * part(11) * f64::from(step / 1000),
                }
            })
            .collect();
        let expected: Vec<DVec3> = lands.iter().map(|land| albedo(land, 150.0)).collect();
        let found = land_albedos(&lands, &detail(150.0));
        let bits = |colors: &[DVec3]| -> Vec<[u64; 3]> {
            colors
                .iter()
                .map(|color| color.to_array().map(f64::to_bits))
                .collect()
        };
        assert!(bits(&found) == bits(&expected));
    }

    /// The plain formula.
    fn albedo(land: &Land, scale: f64) -> DVec3 {
        let Land {
            point,
            elevation,
            smooth_normal,
            distance: pixel,
        } = *land;
        let pattern = DVec2::new(point.x, point.z) / scale;
        let pixel = pixel / scale;
        let broad = visible_fractal(pattern * 26.0, 4, 0x9a55, pixel * 26.0);
        let fine = visible_fractal(pattern * 330.0, 5, 0xf13e, pixel * 330.0);
        let steepness = 1.0 - smooth_normal.y;
        let meadow = GRASS.lerp(DRY_GRASS, smooth_step(-0.25, 0.4, broad + 0.6 * fine));
        let alpine = meadow.lerp(DRY_GRASS * 0.8, smooth_step(0.15, 0.45, elevation));
        let bare = smooth_step(0.13, 0.27, steepness + 0.12 * broad + 0.10 * fine);
        let bare = bare.max(smooth_step(0.5, 0.7, elevation + 0.2 * broad));
        let at = DVec2::new(elevation * 26.0 + broad * 3.0, fine + broad * 4.0);
        let strata = visible_fractal(at, 4, 0x57a7, pixel * 26.0);
        let dark = smooth_step(-0.3, 0.35, 0.5 * strata + 0.8 * fine);
        let land = alpine.lerp(ROCK.lerp(DARK_ROCK, dark), bare);
        let shore = 1.0 - smooth_step(0.0035, 0.0085, elevation + 0.003 * fine);
        let beach = land.lerp(SAND, shore * (1.0 - smooth_step(0.1, 0.3, steepness)));
        let snow_line = elevation + 0.14 * broad + 0.06 * fine - 0.42 * steepness;
        let snow = smooth_step(0.34, 0.42, snow_line) * (1.0 - smooth_step(0.46, 0.6, steepness));
        beach.lerp(SNOW, snow) * (1.0 + 0.35 * fine)
    }
}
