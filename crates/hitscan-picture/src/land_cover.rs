//! The land cover of terrain: water, sand, grass, rock and snow, by height and slope.

use crate::noise::{smooth_step, visible_fractal};
use glam::{DVec2, DVec3};

/// What covers the ground at a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LandCover {
    /// The fraction of light that it reflects diffusely, linear.
    pub(crate) albedo: DVec3,
    /// Whether it reflects like a mirror.
    pub(crate) kind: CoverKind,
}

/// Whether the ground reflects like a mirror.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CoverKind {
    /// Solid ground, which does not.
    Land,
    /// A level surface of water, which does.
    Water,
}

const GRASS: DVec3 = DVec3::new(0.070, 0.108, 0.032);
const DRY_GRASS: DVec3 = DVec3::new(0.165, 0.17, 0.062);
const ROCK: DVec3 = DVec3::new(0.235, 0.205, 0.18);
const DARK_ROCK: DVec3 = DVec3::new(0.12, 0.108, 0.10);
const SAND: DVec3 = DVec3::new(0.46, 0.38, 0.25);
const SNOW: DVec3 = DVec3::new(0.86, 0.89, 0.94);
const DEEP: DVec3 = DVec3::new(0.012, 0.045, 0.055);

/// The land cover at `point`: `elevation` is 0 on the lowest ground and 1 on the highest, the normals are the
/// triangle's and that of its surroundings, both up; `scale` is the scene's size in metres,
/// and what is smaller than `pixel` metres is left out.
pub(crate) fn land_cover(
    point: DVec3,
    elevation: f64,
    [normal, smooth_normal]: [DVec3; 2],
    scale: f64,
    pixel: f64,
) -> LandCover {
    let pattern = DVec2::new(point.x, point.z) / scale;
    // Exactly level ground at the very bottom is water, as elevation models store it.
    if normal.y >= 1.0 && elevation < 1e-6 {
        return LandCover {
            albedo: DEEP,
            kind: CoverKind::Water,
        };
    }
    let pixel = pixel / scale;
    let broad = visible_fractal(pattern * 26.0, 4, 0x9a55, pixel * 26.0);
    let fine = visible_fractal(pattern * 330.0, 5, 0xf13e, pixel * 330.0);
    let steepness = 1.0 - smooth_normal.y;

    let meadow = GRASS.lerp(DRY_GRASS, smooth_step(-0.25, 0.4, broad + 0.6 * fine));
    let alpine = meadow.lerp(DRY_GRASS * 0.8, smooth_step(0.15, 0.45, elevation));
    let bare = smooth_step(0.13, 0.27, steepness + 0.12 * broad + 0.10 * fine);
    let bare = bare.max(smooth_step(0.5, 0.7, elevation + 0.2 * broad));
    let land = if bare > 0.0 {
        let at = DVec2::new(elevation * 26.0 + broad * 3.0, fine + broad * 4.0);
        let strata = visible_fractal(at, 4, 0x57a7, pixel * 26.0);
        let dark = smooth_step(-0.3, 0.35, 0.5 * strata + 0.8 * fine);
        alpine.lerp(ROCK.lerp(DARK_ROCK, dark), bare)
    } else {
        alpine
    };

    let shore = 1.0 - smooth_step(0.0035, 0.0085, elevation + 0.003 * fine);
    let beach = land.lerp(SAND, shore * (1.0 - smooth_step(0.1, 0.3, steepness)));
    let snow_line = elevation + 0.14 * broad + 0.06 * fine - 0.42 * steepness;
    let snow = smooth_step(0.34, 0.42, snow_line) * (1.0 - smooth_step(0.46, 0.6, steepness));
    LandCover {
        albedo: beach.lerp(SNOW, snow) * (1.0 + 0.35 * fine),
        kind: CoverKind::Land,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(elevation: f64, normal: DVec3) -> LandCover {
        land_cover(
            DVec3::new(3.0, 0.0, 4.0),
            elevation,
            [normal; 2],
            100.0,
            0.0,
        )
    }

    #[test]
    fn heights_and_slopes_choose_the_cover() {
        let steep = DVec3::new(0.8, 0.6, 0.0);
        assert_eq!(at(0.0, DVec3::Y).kind, CoverKind::Water);
        assert_eq!(at(0.0, steep).kind, CoverKind::Land);
        let grass = at(0.1, DVec3::Y).albedo;
        assert!(grass.y > grass.x && grass.y > grass.z, "grass is green");
        let snow = at(0.95, DVec3::Y).albedo;
        assert!(snow.min_element() > 0.5, "snow is white");
        let rock = at(0.5, steep).albedo;
        assert!(
            (rock.max_element() - rock.min_element()) < 0.15,
            "rock is grey"
        );
    }
}
