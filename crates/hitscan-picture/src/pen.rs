//! Lines with a pattern, a dark casing and ends, so that each says what it means twice: by its colour
//! and by its shape.

use crate::image::Image;
use crate::strokes::{disc, line, ring};
use glam::{DVec2, Vec3};

/// How the pixels along a line are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pattern {
    Solid,
    Dashed,
    Dotted,
}

impl Pattern {
    /// The lengths of a stroke and of the gap after it, in widths of the pen.
    fn lengths(self) -> [f64; 2] {
        match self {
            Self::Solid => [f64::INFINITY, 0.0],
            Self::Dashed => [4.5, 3.5],
            Self::Dotted => [0.0, 2.6],
        }
    }
}

/// What lines are drawn with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pen {
    /// Linear light.
    pub(crate) color: Vec3,
    /// Pixels.
    pub(crate) width: f64,
    pub(crate) pattern: Pattern,
}

/// The colour of what is around each line, linear light, so that it shows on any ground.
const CASING: Vec3 = Vec3::new(0.006, 0.008, 0.012);
/// How much wider the casing is than the line on each side, pixels.
const CASING_WIDTH: f64 = 1.3;

impl Pen {
    /// Draws a line through the points, the pattern running on around corners.
    pub(crate) fn line(self, image: &mut Image, points: &[DVec2]) {
        let strokes = self.strokes(image, points);
        for [from, to] in &strokes {
            line(image, *from, *to, self.width + 2.0 * CASING_WIDTH, CASING);
        }
        for [from, to] in &strokes {
            line(image, *from, *to, self.width, self.color);
        }
    }

    /// The parts of the line that are drawn: what is near the image, cut by the pattern.
    fn strokes(self, image: &Image, points: &[DVec2]) -> Vec<[DVec2; 2]> {
        let [stroke, gap] = self.pattern.lengths().map(|length| length * self.width);
        let mut strokes = Vec::new();
        // How far into the pattern the line is.
        let mut phase = 0.0;
        for pair in points.windows(2) {
            let Some([from, to]) = near(image, [pair[0], pair[1]]) else {
                continue;
            };
            let length = (to - from).length();
            if self.pattern == Pattern::Solid || length == 0.0 {
                strokes.push([from, to]);
                continue;
            }
            let period = stroke + gap;
            let at = |distance: f64| from + (to - from) * (distance / length).clamp(0.0, 1.0);
            let mut start = -phase;
            while start < length {
                let end = start + stroke;
                if end >= 0.0 {
                    strokes.push([at(start), at(end)]);
                }
                start += period;
            }
            phase = length - (start - period);
        }
        strokes
    }

    /// A full dot.
    pub(crate) fn dot(self, image: &mut Image, at: DVec2, radius: f64) {
        disc(image, at, radius + CASING_WIDTH, CASING);
        disc(image, at, radius, self.color);
    }

    /// A circle.
    pub(crate) fn ring(self, image: &mut Image, at: DVec2, radius: f64) {
        ring(image, at, radius, self.width + 2.0 * CASING_WIDTH, CASING);
        ring(image, at, radius, self.width, self.color);
    }

    /// An open arrow head at the end of a line that comes from `from`.
    pub(crate) fn open_arrow(self, image: &mut Image, from: DVec2, tip: DVec2, size: f64) {
        let Some([left, right]) = barbs(from, tip, size) else {
            return;
        };
        let solid = Self {
            pattern: Pattern::Solid,
            ..self
        };
        solid.line(image, &[left, tip, right]);
    }

    /// A full arrow head.
    pub(crate) fn full_arrow(self, image: &mut Image, from: DVec2, tip: DVec2, size: f64) {
        let Some([left, right]) = barbs(from, tip, size) else {
            return;
        };
        fill(image, &[left, tip, right], CASING_WIDTH, CASING);
        fill(image, &[left, tip, right], 0.0, self.color);
    }

    /// A full square.
    pub(crate) fn square(self, image: &mut Image, at: DVec2, half: f64) {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let corners = corners.map(|corner| at + DVec2::from(corner) * half);
        fill(image, &corners, CASING_WIDTH, CASING);
        fill(image, &corners, 0.0, self.color);
    }

    /// Lines at 45 degrees within a convex outline.
    pub(crate) fn hatch(self, image: &mut Image, outline: &[DVec2], spacing: f64) {
        let along = DVec2::new(
            std::f64::consts::FRAC_1_SQRT_2,
            -std::f64::consts::FRAC_1_SQRT_2,
        );
        let across = along.perp();
        let reaches = outline.iter().map(|corner| corner.dot(across));
        let (low, high) = reaches.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
            (low.min(at), high.max(at))
        });
        let longest = f64::from(image.width()) + f64::from(image.height());
        // What is not finite is not near.
        let is_near = high - low < 4.0 * longest;
        if !is_near {
            return;
        }
        let mut at = (low / spacing).ceil() * spacing;
        while at <= high {
            if let Some([from, to]) = chord(outline, across, at) {
                line(image, from, to, self.width, self.color);
            }
            at += spacing;
        }
    }
}

/// Where the line of points p with p · across = at enters and leaves a convex outline.
fn chord(outline: &[DVec2], across: DVec2, at: f64) -> Option<[DVec2; 2]> {
    let ends = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossings = ends.filter_map(|(from, to)| {
        let [a, b] = [from, to].map(|end| end.dot(across) - at);
        ((a < 0.0) != (b < 0.0)).then(|| from.lerp(*to, a / (a - b)))
    });
    let crossings: Vec<DVec2> = crossings.collect();
    Some([*crossings.first()?, *crossings.last()?])
}

/// The ends of an arrow head's barbs; `None` where the line has no direction.
fn barbs(from: DVec2, tip: DVec2, size: f64) -> Option<[DVec2; 2]> {
    let back = (from - tip).try_normalize()? * size;
    Some([1.0, -1.0].map(|side| tip + back + back.perp() * (0.5 * side)))
}

/// What of a segment is in the image or not far outside of it.
fn near(image: &Image, [from, to]: [DVec2; 2]) -> Option<[DVec2; 2]> {
    let parts = image.crossed([from, to])?;
    Some(parts.map(|part| from.lerp(to, part)))
}

/// Fills a convex outline, and `margin` pixels around it.
fn fill(image: &mut Image, outline: &[DVec2], margin: f64, color: Vec3) {
    let size = DVec2::new(f64::from(image.width()), f64::from(image.height()));
    let margin_around = DVec2::splat(margin + 1.0);
    let (Some(low), Some(high)) = (
        outline.iter().copied().reduce(DVec2::min),
        outline.iter().copied().reduce(DVec2::max),
    ) else {
        return;
    };
    if !(low.is_finite() && high.is_finite()) {
        return;
    }
    let (low, high) = (low - margin_around, high + margin_around);
    let (low, high) = (low.clamp(DVec2::ZERO, size), high.clamp(DVec2::ZERO, size));
    let area: f64 = pairs(outline).map(|[from, to]| from.perp_dot(to)).sum();
    let turn = area.signum();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the size of an image"
    )]
    let [columns, rows] = [
        low.x as u32..high.x as u32 + 1,
        low.y as u32..high.y as u32 + 1,
    ];
    for y in rows {
        for x in columns.clone() {
            let center = DVec2::new(f64::from(x), f64::from(y)) + 0.5;
            let inside = pairs(outline).filter_map(|[from, to]| {
                let along = (to - from).try_normalize()?;
                Some(along.perp_dot(center - from) * turn)
            });
            let depth = inside.fold(f64::INFINITY, f64::min) + margin;
            #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
            image.blend(x, y, color, (depth + 0.5).clamp(0.0, 1.0) as f32);
        }
    }
}

/// The edges of an outline.
fn pairs(outline: &[DVec2]) -> impl Iterator<Item = [DVec2; 2]> {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(from, to)| [*from, *to])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(width: u32, height: u32) -> Image {
        let pixels = vec![Vec3::splat(0.2); (width * height) as usize];
        Image::new(width, height, pixels).unwrap()
    }

    fn pen(pattern: Pattern) -> Pen {
        Pen {
            color: Vec3::ONE,
            width: 2.0,
            pattern,
        }
    }

    /// How many pixels of a row are as light as the pen.
    fn light(image: &Image, y: u32) -> usize {
        let row = (0..image.width()).filter_map(|x| image.pixel(x, y));
        row.filter(|pixel| pixel.x > 0.9).count()
    }

    #[test]
    fn patterns_leave_gaps_and_run_around_corners() {
        let ends = [DVec2::new(4.0, 8.0), DVec2::new(60.0, 8.0)];
        let drawn = |pattern, points: &[DVec2]| {
            let mut image = grey(64, 16);
            pen(pattern).line(&mut image, points);
            image
        };
        assert!(light(&drawn(Pattern::Solid, &ends), 7) >= 56);
        let dashed = light(&drawn(Pattern::Dashed, &ends), 7);
        assert!((30..50).contains(&dashed), "{dashed}");
        let dotted = light(&drawn(Pattern::Dotted, &ends), 7);
        assert!((5..30).contains(&dotted), "{dotted}");
        let middle = DVec2::new(23.0, 8.0);
        let bent = drawn(Pattern::Dashed, &[ends[0], middle, ends[1]]);
        assert_eq!(light(&bent, 7), dashed);
    }

    #[test]
    fn a_casing_is_around_each_line() {
        let mut image = grey(32, 16);
        pen(Pattern::Solid).line(&mut image, &[DVec2::new(-50.0, 8.0), DVec2::new(90.0, 8.0)]);
        let dark = image.pixel(16, 6).unwrap();
        assert!(dark.x < 0.1, "{dark}");
        assert_eq!(image.pixel(16, 2), Some(Vec3::splat(0.2)));
    }

    #[test]
    fn shapes_are_filled_within_their_outlines_and_nothing_else() {
        let mut image = grey(32, 32);
        pen(Pattern::Solid).square(&mut image, DVec2::splat(16.0), 4.0);
        assert_eq!(image.pixel(16, 16), Some(Vec3::ONE));
        assert_eq!(image.pixel(16, 25), Some(Vec3::splat(0.2)));
        let mut image = grey(32, 32);
        let head = DVec2::new(24.0, 16.0);
        pen(Pattern::Solid).full_arrow(&mut image, DVec2::new(4.0, 16.0), head, 12.0);
        assert_eq!(image.pixel(16, 16), Some(Vec3::ONE));
        let outline = [[8.0, 8.0], [24.0, 8.0], [24.0, 24.0], [8.0, 24.0]].map(DVec2::from);
        let mut image = grey(32, 32);
        pen(Pattern::Solid).hatch(&mut image, &outline, 6.0);
        assert!(light(&image, 16) > 2 && light(&image, 16) < 14);
        assert_eq!((light(&image, 4), light(&image, 28)), (0, 0));
    }

    #[test]
    fn what_is_not_finite_draws_nothing() {
        let mut image = grey(8, 8);
        let before = image.clone();
        for bad in [DVec2::NAN, DVec2::INFINITY] {
            pen(Pattern::Dotted).line(&mut image, &[DVec2::ZERO, bad]);
            pen(Pattern::Dotted).full_arrow(&mut image, bad, bad, 9.0);
            pen(Pattern::Dotted).hatch(&mut image, &[DVec2::ZERO, bad, DVec2::ONE], 3.0);
        }
        assert_eq!(image, before);
    }
}
