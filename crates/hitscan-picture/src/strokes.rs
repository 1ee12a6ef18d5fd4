//! Anti-aliased lines, discs and rings on an image.
//!
//! All are drawn by coverage: how far a shape's edge lies beyond a pixel's centre. Lines with patterns
//! and ends are made of these in `pen.rs`, text in `text.rs`.

use crate::image::Image;
use glam::{DVec2, Vec3};

/// The segment from which distances to a shape are measured; a point if its ends agree.
#[derive(Debug, Clone, Copy)]
struct Spine {
    from: DVec2,
    to: DVec2,
}

impl Spine {
    fn distance(&self, p: DVec2) -> f64 {
        let along = self.to - self.from;
        let length_squared = along.length_squared();
        let t = if length_squared > 0.0 {
            ((p - self.from).dot(along) / length_squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (p - self.from - along * t).length()
    }

    /// Between which x the points lie that are within `radius` of the spine at this y, or more widely.
    fn columns(&self, y: f64, radius: f64) -> [f64; 2] {
        let along = self.to - self.from;
        let at = |y: f64| {
            let t = (y - self.from.y) / along.y;
            // Of a level spine all of it is near.
            if t.is_finite() {
                t.clamp(0.0, 1.0)
            } else {
                0.0
            }
        };
        let ends = match along.y.abs() > 1e-9 * along.x.abs() {
            true => [at(y - radius), at(y + radius)],
            false => [0.0, 1.0],
        };
        let [a, b] = ends.map(|t| self.from.x + along.x * t);
        [a.min(b) - radius, a.max(b) + radius]
    }
}

/// Draws a line with round ends, `width` pixels wide; pixel centres are at halves.
pub(crate) fn line(image: &mut Image, from: DVec2, to: DVec2, width: f64, color: Vec3) {
    let half = width / 2.0;
    draw(image, Spine { from, to }, half, color, |distance| {
        half - distance
    });
}

/// Draws a filled disc.
pub(crate) fn disc(image: &mut Image, center: DVec2, radius: f64, color: Vec3) {
    let spine = Spine {
        from: center,
        to: center,
    };
    draw(image, spine, radius, color, |distance| radius - distance);
}

/// Draws a circle's line, `width` pixels wide, its middle `radius` from the centre.
pub(crate) fn ring(image: &mut Image, center: DVec2, radius: f64, width: f64, color: Vec3) {
    let spine = Spine {
        from: center,
        to: center,
    };
    draw(image, spine, radius + width, color, |distance| {
        width / 2.0 - (distance - radius).abs()
    });
}

/// Colours the pixels within `radius` of the spine; `depth` is how deep inside the shape a distance
/// from the spine lies.
fn draw(image: &mut Image, spine: Spine, radius: f64, color: Vec3, depth: impl Fn(f64) -> f64) {
    let size = DVec2::new(f64::from(image.width()), f64::from(image.height()));
    let outer = radius + 1.0;
    let low = spine.from.min(spine.to) - outer;
    let high = spine.from.max(spine.to) + outer;
    if !(low.is_finite() && high.is_finite()) {
        return;
    }
    let (low, high) = (low.clamp(DVec2::ZERO, size), high.clamp(DVec2::ZERO, size));
    for y in pixels(low.y, high.y) {
        let [left, right] = spine.columns(f64::from(y) + 0.5, outer);
        for x in pixels(left.clamp(low.x, high.x), right.clamp(low.x, high.x)) {
            let center = DVec2::new(f64::from(x), f64::from(y)) + 0.5;
            let coverage = (depth(spine.distance(center)) + 0.5).clamp(0.0, 1.0);
            #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
            image.blend(x, y, color, coverage as f32);
        }
    }
}

/// The pixels that begin between `low` and `high`, both within an image.
fn pixels(low: f64, high: f64) -> std::ops::RangeInclusive<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the size of an image"
    )]
    let (first, last) = (low as u32, high as u32);
    first..=last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sRGB codes of a black image with a white shape drawn on it.
    fn codes(width: u32, height: u32, draw: impl Fn(&mut Image)) -> Vec<u8> {
        let pixels = vec![Vec3::ZERO; (width * height) as usize];
        let mut image = Image::new(width, height, pixels).unwrap();
        draw(&mut image);
        let codes = image.to_srgb();
        codes.chunks(3).map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn a_line_covers_its_pixels_fully_and_its_neighbours_not() {
        let drawn = codes(3, 3, |image| {
            line(
                image,
                DVec2::new(-9.0, 1.5),
                DVec2::new(9.0, 1.5),
                1.0,
                Vec3::ONE,
            );
        });
        assert_eq!(drawn, [0, 0, 0, 255, 255, 255, 0, 0, 0]);
    }

    #[test]
    fn a_disc_and_a_ring_are_round() {
        let full = codes(5, 5, |image| {
            disc(image, DVec2::splat(2.5), 2.0, Vec3::ONE);
        });
        assert_eq!((full[12], full[0]), (255, 0));
        let hollow = codes(5, 5, |image| {
            ring(image, DVec2::splat(2.5), 2.0, 1.0, Vec3::ONE);
        });
        assert_eq!((hollow[12], hollow[10], hollow[14]), (0, 255, 255));
    }

    #[test]
    fn a_shape_far_away_or_not_finite_draws_nothing() {
        let drawn = codes(2, 2, |image| {
            disc(image, DVec2::splat(1e300), 2.0, Vec3::ONE);
            line(image, DVec2::ZERO, DVec2::INFINITY, 2.0, Vec3::ONE);
        });
        assert_eq!(drawn, [0; 4]);
    }
}
