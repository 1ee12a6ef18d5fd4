//! A map: ground seen from straight above, with objects and rays drawn on it.
//!
//! Heights become tints, light from the north-west and contour lines; north (the smallest z) is
//! up. The map asks a closure for heights and knows nothing else of the world. Read `strokes.rs`
//! for how lines are drawn.

use super::image::{Image, from_srgb};
use super::strokes::{disc, line, ring};
use glam::{DVec2, DVec3, Vec3};
use rayon::prelude::*;

/// What a map shows. Places are x and z in metres.
pub(crate) struct Map<'a> {
    /// The corner with the smallest x and z.
    pub(crate) min: DVec2,
    /// The corner with the greatest x and z.
    pub(crate) max: DVec2,
    /// The ground's height at a place, metres; `None` where there is no ground.
    pub(crate) height: &'a (dyn Fn(DVec2) -> Option<f64> + Sync),
    /// Objects, drawn in this order.
    pub(crate) marks: Vec<Mark>,
    /// Rays, drawn in this order over the objects.
    pub(crate) shots: Vec<Shot>,
}

/// An object on the map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    /// Its middle.
    pub(crate) center: DVec2,
    /// How far it reaches from its middle, metres; drawn no smaller than can be seen.
    pub(crate) radius: f64,
    /// Linear light.
    pub(crate) colour: Vec3,
}

/// A ray on the map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shot {
    /// Where it starts.
    pub(crate) from: DVec2,
    /// Where it hits, or where a ray without a hit ends.
    pub(crate) to: DVec2,
    /// How it ended.
    pub(crate) end: ShotEnd,
}

/// How a ray on the map ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShotEnd {
    /// At a hit.
    Hit,
    /// Nowhere.
    Miss,
    /// Where an approximate search believes its hit, which the exact answer contradicts.
    Mistake,
}

impl ShotEnd {
    fn colour(self) -> Vec3 {
        from_srgb(match self {
            Self::Hit => 0x00d4_1f1f,
            Self::Miss => 0x0020_4fd0,
            Self::Mistake => 0x00c8_1fc0,
        })
        .as_vec3()
    }
}

/// Tints from the lowest ground to the highest, in equal steps, sRGB.
const TINTS: [u32; 7] = [
    0x007f_ac72,
    0x00a5_bf7d,
    0x00d3_ca9d,
    0x00c9_ab7c,
    0x00b0_8a68,
    0x00b5_a9a0,
    0x00f7_f7f5,
];
const WATER: u32 = 0x007f_b4d8;
const VOID: u32 = 0x002b_2f36;
const CONTOUR: Vec3 = Vec3::new(0.16, 0.09, 0.04);
/// Towards the light: north-west, 45 degrees up, as maps are shaded by custom.
const LIGHT: DVec3 = DVec3::new(-0.5, std::f64::consts::FRAC_1_SQRT_2, -0.5);

/// Draws the map, `longest` pixels along its longer side.
///
/// `None` where the area is empty or not finite, or `longest` is zero.
pub(crate) fn draw(map: &Map<'_>, longest: u32) -> Option<Image> {
    let extent = map.max - map.min;
    if !(extent.is_finite() && extent.min_element() > 0.0) {
        return None;
    }
    let metres = extent.max_element() / f64::from(longest);
    let size = (extent / metres)
        .round()
        .max(DVec2::ONE)
        .min(DVec2::splat(f64::from(longest)));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and `longest`"
    )]
    let (width, height) = (size.x as u32, size.y as u32);
    let relief = Relief::sample(map, metres, width, height);
    let pixels = (0..height)
        .into_par_iter()
        .flat_map_iter(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| relief.colour(x as usize, y as usize))
        .collect();
    let mut image = Image::new(width, height, pixels)?;
    let pixel = |place: DVec2| (place - map.min) / metres;
    for mark in &map.marks {
        let radius = (mark.radius / metres).max(4.5);
        disc(&mut image, pixel(mark.center), radius + 1.6, Vec3::ONE);
        disc(&mut image, pixel(mark.center), radius, mark.colour);
    }
    for shot in &map.shots {
        let (from, to) = (pixel(shot.from), pixel(shot.to));
        line(&mut image, from, to, 4.0, Vec3::ONE);
        line(&mut image, from, to, 2.0, shot.end.colour());
    }
    for shot in &map.shots {
        draw_ends(&mut image, pixel(shot.from), pixel(shot.to), shot.end);
    }
    Some(image)
}

/// A small disc at a ray's start, and at its end a ring for a hit, a cross for a mistake.
fn draw_ends(image: &mut Image, from: DVec2, to: DVec2, end: ShotEnd) {
    disc(image, from, 4.0, Vec3::ONE);
    disc(image, from, 2.6, end.colour());
    match end {
        ShotEnd::Miss => {}
        ShotEnd::Hit => {
            ring(image, to, 5.5, 4.4, Vec3::ONE);
            ring(image, to, 5.5, 2.2, end.colour());
        }
        ShotEnd::Mistake => {
            for arm in [DVec2::new(5.0, 5.0), DVec2::new(5.0, -5.0)] {
                line(image, to - arm, to + arm, 4.4, Vec3::ONE);
            }
            for arm in [DVec2::new(5.0, 5.0), DVec2::new(5.0, -5.0)] {
                line(image, to - arm, to + arm, 2.2, end.colour());
            }
        }
    }
}

/// The ground's heights at the pixels' corners, from which tint, light and contours come.
struct Relief {
    /// `(width + 1) * (height + 1)` heights, row-major.
    corners: Vec<Option<f64>>,
    stride: usize,
    metres: f64,
    low: f64,
    high: f64,
    interval: f64,
}

impl Relief {
    fn sample(map: &Map<'_>, metres: f64, width: u32, height: u32) -> Self {
        let corners: Vec<Option<f64>> = (0..=height)
            .into_par_iter()
            .flat_map_iter(|y| (0..=width).map(move |x| (x, y)))
            .map(|(x, y)| {
                let place = map.min + DVec2::new(f64::from(x), f64::from(y)) * metres;
                (map.height)(place.min(map.max))
            })
            .collect();
        let known = || corners.iter().flatten().copied();
        let low = known().fold(f64::INFINITY, f64::min);
        let high = known().fold(f64::NEG_INFINITY, f64::max);
        Self {
            stride: width as usize + 1,
            metres,
            interval: contour_interval(high - low),
            low,
            high,
            corners,
        }
    }

    fn colour(&self, x: usize, y: usize) -> Vec3 {
        let corner = |dx: usize, dy: usize| self.corners[(y + dy) * self.stride + x + dx];
        let (Some(a), Some(b), Some(c), Some(d)) =
            (corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1))
        else {
            return from_srgb(VOID).as_vec3();
        };
        let level = (a + b + c + d) / 4.0;
        let slope = DVec2::new(b + d - a - c, c + d - a - b) / (2.0 * self.metres);
        let normal = DVec3::new(-slope.x, 1.0, -slope.y);
        let light = (normal.dot(LIGHT) / normal.length()).max(0.0);
        let span = self.high - self.low;
        // Water is what is exactly level at the bottom of ground that is not all level.
        let is_level = b == a && c == a && d == a;
        if is_level && span > 0.0 && a - self.low < span * 1e-6 {
            return from_srgb(WATER).as_vec3();
        }
        let share = if span > 0.0 {
            (level - self.low) / span
        } else {
            0.0
        };
        let shaded = tint(share) * (0.28 + 1.02 * light);
        let ink = self.contour_ink(level, slope.length());
        shaded.as_vec3().min(Vec3::ONE).lerp(CONTOUR, ink)
    }

    /// How much of a contour line covers a pixel: every fifth line is drawn heavier.
    fn contour_ink(&self, level: f64, steepness: f64) -> f32 {
        if self.interval <= 0.0 {
            return 0.0;
        }
        let lines = level / self.interval;
        let nearest = lines.round();
        let pixels = (lines - nearest).abs() * self.interval / (steepness * self.metres).max(1e-9);
        let (width, strength) = if nearest.rem_euclid(5.0) == 0.0 {
            (1.5, 0.62)
        } else {
            (0.9, 0.34)
        };
        let cover = (width / 2.0 - pixels + 0.5).clamp(0.0, 1.0) * strength;
        #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
        let ink = cover as f32;
        ink
    }
}

/// A round number of metres between contour lines: 1, 2 or 5 times a power of ten, about 25 lines.
fn contour_interval(span: f64) -> f64 {
    if !(span.is_finite() && span > 0.0) {
        return 0.0;
    }
    let wanted = span / 25.0;
    let decade = libm::pow(10.0, libm::floor(libm::log10(wanted)));
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * decade)
        .find(|&step| step >= wanted)
        .unwrap_or(decade * 10.0)
}

/// The tint at `share` of the way from the lowest ground to the highest.
fn tint(share: f64) -> DVec3 {
    let steps = share.clamp(0.0, 1.0) * (TINTS.len() - 1) as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of tints"
    )]
    let below = (steps as usize).min(TINTS.len() - 2);
    let (low, high) = (from_srgb(TINTS[below]), from_srgb(TINTS[below + 1]));
    low.lerp(high, steps - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map_of(height: &(dyn Fn(DVec2) -> Option<f64> + Sync)) -> Image {
        let map = Map {
            min: DVec2::ZERO,
            max: DVec2::new(20.0, 10.0),
            height,
            marks: vec![Mark {
                center: DVec2::new(5.0, 5.0),
                radius: 1.0,
                colour: Vec3::X,
            }],
            shots: vec![Shot {
                from: DVec2::ZERO,
                to: DVec2::new(20.0, 10.0),
                end: ShotEnd::Hit,
            }],
        };
        draw(&map, 64).unwrap()
    }

    #[test]
    fn a_map_keeps_the_shape_of_its_area_and_its_bits_on_one_thread() {
        let slope = |place: DVec2| (place.x < 15.0).then_some(place.x * 0.3 + place.y);
        let image = map_of(&slope);
        assert_eq!((image.width(), image.height()), (64, 32));
        let one = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap();
        assert_eq!(one.install(|| map_of(&slope)), image);
    }

    #[test]
    fn level_ground_holes_and_empty_areas_are_fine() {
        map_of(&|_| Some(3.0));
        map_of(&|_| None);
        let nothing = Map {
            min: DVec2::ONE,
            max: DVec2::ONE,
            height: &|_| None,
            marks: Vec::new(),
            shots: Vec::new(),
        };
        assert_eq!(draw(&nothing, 64), None);
    }

    #[test]
    fn contours_stand_at_round_metres() {
        for (span, interval) in [(100.0, 5.0), (40.0, 2.0), (0.0, 0.0), (2000.0, 100.0)] {
            assert_eq!(contour_interval(span), interval);
        }
    }
}
