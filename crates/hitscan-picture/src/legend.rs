//! The legend of a picture of counts.

use crate::cost::cividis;
use crate::image::Image;
use crate::text;
use glam::Vec3;

const CAPTION: &str = "boxes and triangles for each ray";
const PANEL: Vec3 = Vec3::new(0.008, 0.010, 0.014);
const INK: Vec3 = Vec3::new(0.86, 0.88, 0.90);

/// Draws a legend of counts from 0 to `end` into the lower left corner: a bar of their colours, with
/// numbers at its ends and in the middle, on a dark panel; `has_more` where there are
/// greater counts, which have the last colour. A picture that is too small for it has none.
pub(crate) fn draw(image: &mut Image, end: u32, has_more: bool) {
    let scale = (image.width() / 640).clamp(1, 4);
    let (margin, pad) = (8 * scale, 6 * scale);
    let line = text::HEIGHT * scale;
    let bar = [text::width(CAPTION) * scale, 10 * scale];
    let size = [bar[0] + 2 * pad, 2 * line + bar[1] + 4 * pad - 2 * scale];
    if image.width() < size[0] + 2 * margin || image.height() < size[1] + 2 * margin {
        return;
    }
    let [left, top] = [margin, image.height() - margin - size[1]];
    for place in 0..size[0] * size[1] {
        let [x, y] = [left + place % size[0], top + place / size[0]];
        image.blend(x, y, PANEL, 0.82);
    }
    let at = |y: u32| [left + pad, top + y];
    text::draw(image, CAPTION, at(pad), scale, INK);
    let bar_top = pad + line + pad;
    for column in 0..bar[0] {
        let color = cividis((f64::from(column) + 0.5) / f64::from(bar[0]));
        for row in 0..bar[1] {
            let [x, y] = at(bar_top + row);
            image.blend(x + column, y, color, 1.0);
        }
    }
    let numbers = bar_top + bar[1] + pad - 2 * scale;
    for (half, number) in [(0, 0), (1, end / 2), (2, end)] {
        // Of an odd end the middle is no whole number.
        if half == 1 && end % 2 == 1 {
            continue;
        }
        let number = match half == 2 && has_more {
            true => format!("{number} or more"),
            false => number.to_string(),
        };
        let width = text::width(&number) * scale;
        let [x, y] = at(numbers);
        let shift = (bar[0] * half / 2).saturating_sub(width * half / 2);
        text::draw(image, &number, [x + shift, y], scale, INK);
        let tick = (bar[0] * half / 2).min(bar[0] - 1);
        for row in 0..2 * scale {
            image.blend(left + pad + tick, top + bar_top + bar[1] + row, INK, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_fits_or_is_left_out() {
        for size in [[640, 360], [1920, 1080]] {
            let grey = vec![Vec3::splat(0.5); (size[0] * size[1]) as usize];
            let mut image = Image::new(size[0], size[1], grey).unwrap();
            draw(&mut image, 150, true);
            let scale = (size[0] / 640).max(1);
            let corner = image.pixel(9 * scale, size[1] - 9 * scale).unwrap();
            assert!(corner.x < 0.2, "the panel is dark: {corner}");
            assert_eq!(image.pixel(size[0] - 1, 0), Some(Vec3::splat(0.5)));
        }
        let mut small = Image::new(40, 30, vec![Vec3::ONE; 1200]).unwrap();
        let before = small.clone();
        draw(&mut small, 10, false);
        assert_eq!(small, before);
    }
}
