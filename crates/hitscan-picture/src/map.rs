//! A map: ground seen from straight above, with objects, rays and paths drawn on it.
//!
//! Heights become tints, light from the north-west and contour lines; north (the smallest z) is
//! up. A closure gives the heights, so that a map depends on no world. Lines are drawn by
//! `strokes.rs`.

use crate::Error;
use crate::image::Image;
use crate::srgb::from_srgb;
use crate::strokes::{disc, line, ring};
use glam::{DVec2, DVec3, Vec3};
use rayon::prelude::*;

/// Ground seen from straight above, with objects, rays and paths. Points are x and z in metres.
///
/// ```
/// use hitscan::glam::{DVec2, Vec3};
/// use hitscan_picture::{Map, Marker, RayEnd, RayMark};
/// let map = Map {
///     min: DVec2::ZERO,
///     max: DVec2::new(200.0, 100.0),
///     height: &|point| Some(0.1 * point.x),
///     markers: vec![Marker {
///         center: DVec2::new(150.0, 50.0),
///         radius: 4.0,
///         color: Vec3::X,
///     }],
///     rays: vec![RayMark {
///         from: DVec2::new(10.0, 50.0),
///         to: DVec2::new(146.0, 50.0),
///         end: RayEnd::Hit,
///     }],
///     paths: Vec::new(),
/// };
/// let image = map.draw(64)?;
/// assert_eq!((image.width(), image.height()), (64, 32));
/// # Ok::<(), hitscan_picture::Error>(())
/// ```
pub struct Map<'a> {
    /// The corner with the smallest x and z.
    pub min: DVec2,
    /// The corner with the largest x and z.
    pub max: DVec2,
    /// The ground's height at a point, metres; `None` where there is no ground.
    pub height: &'a (dyn Fn(DVec2) -> Option<f64> + Sync),
    /// Objects, drawn in this order.
    pub markers: Vec<Marker>,
    /// Rays, drawn in this order over the objects.
    pub rays: Vec<RayMark>,
    /// Paths, drawn in this order over the rays.
    pub paths: Vec<PathMark>,
}

/// An object on the map.
#[derive(Debug, Clone, Copy)]
pub struct Marker {
    /// Its middle.
    pub center: DVec2,
    /// Its horizontal extent from there, metres; drawn no smaller than can be seen.
    pub radius: f64,
    /// Linear light.
    pub color: Vec3,
}

/// A ray on the map.
#[derive(Debug, Clone, Copy)]
pub struct RayMark {
    /// Where it starts.
    pub from: DVec2,
    /// Where it hits, or where a ray without a hit ends.
    pub to: DVec2,
    /// How it ended.
    pub end: RayEnd,
}

/// The path of what flies over the map: a line with a dot at each point.
#[derive(Debug, Clone, Default)]
pub struct PathMark {
    /// Where it is, at equal times one after the other, so that dots far apart show speed.
    pub points: Vec<DVec2>,
    /// Where it lands, if it does.
    pub end: Option<DVec2>,
}

/// How a ray on the map ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RayEnd {
    /// At a hit.
    Hit,
    /// Nowhere.
    Miss,
    /// At the hit of an approximate search that the exact answer contradicts.
    Mistake,
}

impl RayEnd {
    fn color(self) -> Vec3 {
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
const PATH: u32 = 0x0024_1a3a;
const PATH_DOT: u32 = 0x00ff_c21f;
const WATER: u32 = 0x007f_b4d8;
const VOID: u32 = 0x002b_2f36;
const CONTOUR: Vec3 = Vec3::new(0.16, 0.09, 0.04);
/// Towards the light: north-west, 45 degrees up, as maps are shaded by custom.
const LIGHT: DVec3 = DVec3::new(-0.5, std::f64::consts::FRAC_1_SQRT_2, -0.5);

impl Map<'_> {
    /// Draws the map, `longest` pixels along its longer side.
    ///
    /// # Errors
    /// [`Error::MapArea`] where the area is empty or not finite, [`Error::PixelCount`] where
    /// `longest` is zero.
    pub fn draw(&self, longest: u32) -> Result<Image, Error> {
        let extent = self.max - self.min;
        if !(extent.is_finite() && extent.min_element() > 0.0) {
            return Err(Error::MapArea {
                width: extent.x,
                depth: extent.y,
            });
        }
        if longest == 0 {
            return Err(Error::PixelCount {
                width: 0,
                height: 0,
                found: 0,
            });
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
        let relief = Relief::sample(self, metres, width, height);
        let pixels = (0..height)
            .into_par_iter()
            .flat_map_iter(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| relief.color(x as usize, y as usize))
            .collect();
        let mut image = Image::new(width, height, pixels)?;
        let pixel = |point: DVec2| (point - self.min) / metres;
        for marker in &self.markers {
            let radius = (marker.radius / metres).max(4.5);
            disc(&mut image, pixel(marker.center), radius + 1.6, Vec3::ONE);
            disc(&mut image, pixel(marker.center), radius, marker.color);
        }
        for ray in &self.rays {
            let (from, to) = (pixel(ray.from), pixel(ray.to));
            line(&mut image, from, to, 4.0, Vec3::ONE);
            line(&mut image, from, to, 2.0, ray.end.color());
        }
        for ray in &self.rays {
            draw_ends(&mut image, pixel(ray.from), pixel(ray.to), ray.end);
        }
        for path in &self.paths {
            let points: Vec<DVec2> = path.points.iter().map(|&point| pixel(point)).collect();
            draw_path(&mut image, &points, path.end.map(pixel));
        }
        Ok(image)
    }
}

/// A small disc at a ray's start, and at its end a ring for a hit, a cross for a mistake.
fn draw_ends(image: &mut Image, from: DVec2, to: DVec2, end: RayEnd) {
    disc(image, from, 4.0, Vec3::ONE);
    disc(image, from, 2.6, end.color());
    match end {
        RayEnd::Miss => {}
        RayEnd::Hit => {
            ring(image, to, 5.5, 4.4, Vec3::ONE);
            ring(image, to, 5.5, 2.2, end.color());
        }
        RayEnd::Mistake => {
            for arm in [DVec2::new(5.0, 5.0), DVec2::new(5.0, -5.0)] {
                line(image, to - arm, to + arm, 4.4, Vec3::ONE);
            }
            for arm in [DVec2::new(5.0, 5.0), DVec2::new(5.0, -5.0)] {
                line(image, to - arm, to + arm, 2.2, end.color());
            }
        }
    }
}

/// A line through the points with a dot on each, and a ring where it lands.
fn draw_path(image: &mut Image, points: &[DVec2], end: Option<DVec2>) {
    let [path, dot] = [PATH, PATH_DOT].map(|code| from_srgb(code).as_vec3());
    let corners: Vec<DVec2> = points.iter().copied().chain(end).collect();
    for (width, color) in [(4.4, Vec3::ONE), (2.4, path)] {
        for pair in corners.windows(2) {
            line(image, pair[0], pair[1], width, color);
        }
    }
    for &point in points {
        disc(image, point, 3.4, path);
        disc(image, point, 2.2, dot);
    }
    if let Some(end) = end {
        ring(image, end, 6.5, 5.0, Vec3::ONE);
        ring(image, end, 6.5, 2.6, path);
        disc(image, end, 2.6, dot);
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
                let point = map.min + DVec2::new(f64::from(x), f64::from(y)) * metres;
                (map.height)(point.min(map.max))
            })
            .collect();
        let heights = || corners.iter().flatten().copied();
        let low = heights().fold(f64::INFINITY, f64::min);
        let high = heights().fold(f64::NEG_INFINITY, f64::max);
        Self {
            stride: width as usize + 1,
            metres,
            interval: contour_interval(high - low),
            low,
            high,
            corners,
        }
    }

    fn color(&self, x: usize, y: usize) -> Vec3 {
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
        let fraction = if span > 0.0 {
            (level - self.low) / span
        } else {
            0.0
        };
        let shaded = tint(fraction) * (0.28 + 1.02 * light);
        let ink = self.contour_ink(level, slope.length());
        shaded.as_vec3().min(Vec3::ONE).lerp(CONTOUR, ink)
    }

    /// How strongly a contour line covers a pixel: every fifth line is drawn heavier.
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
        let coverage = (width / 2.0 - pixels + 0.5).clamp(0.0, 1.0) * strength;
        #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
        let ink = coverage as f32;
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

/// The tint at a fraction of the way from the lowest ground to the highest.
fn tint(fraction: f64) -> DVec3 {
    let steps = fraction.clamp(0.0, 1.0) * (TINTS.len() - 1) as f64;
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
            markers: vec![Marker {
                center: DVec2::new(5.0, 5.0),
                radius: 1.0,
                color: Vec3::X,
            }],
            rays: vec![RayMark {
                from: DVec2::ZERO,
                to: DVec2::new(20.0, 10.0),
                end: RayEnd::Hit,
            }],
            paths: vec![PathMark {
                points: vec![DVec2::ZERO, DVec2::new(10.0, 2.0), DVec2::new(30.0, 3.0)],
                end: None,
            }],
        };
        map.draw(64).unwrap()
    }

    #[test]
    fn a_map_keeps_the_shape_of_its_area_and_its_bits_on_one_thread() {
        let slope = |point: DVec2| (point.x < 15.0).then_some(point.x * 0.3 + point.y);
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
            markers: Vec::new(),
            rays: Vec::new(),
            paths: Vec::new(),
        };
        assert!(matches!(nothing.draw(64), Err(Error::MapArea { .. })));
        let map = Map {
            max: DVec2::splat(2.0),
            ..nothing
        };
        assert!(matches!(map.draw(0), Err(Error::PixelCount { .. })));
    }

    #[test]
    fn contours_are_at_round_metres() {
        for (span, interval) in [(100.0, 5.0), (40.0, 2.0), (0.0, 0.0), (2000.0, 100.0)] {
            assert_eq!(contour_interval(span), interval);
        }
    }
}
