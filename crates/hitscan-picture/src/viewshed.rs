//! A viewshed as a map: the ground seen from straight above, what is seen tinted, the eye marked.

use crate::Error;
use crate::image::Image;
use crate::map::Map;
use crate::srgb::from_srgb;
use crate::strokes::{disc, ring};
use glam::{DVec2, DVec3, Vec3};
use hitscan::HeightField;
use hitscan::height_field::{Viewshed, Visibility};

/// The shortest and the longest side of a picture along its longer side, pixels.
const SIDES: [usize; 2] = [640, 2048];
const SEEN: u32 = 0x00ff_d21f;
const HIDDEN: u32 = 0x001a_2036;
const EYE: u32 = 0x00d4_1f1f;

/// Draws which ground of a terrain is seen: a shaded map, about one pixel a sample, at least 640 pixels
/// along its longer side and at most 2048. What is seen is yellow, what is hidden dark; holes and what is
/// too far have the map's own colours. A red disc marks the eye.
///
/// # Errors
/// As [`Map::draw`].
pub fn draw_viewshed(field: &HeightField, viewshed: &Viewshed) -> Result<Image, Error> {
    let grid = field.grid();
    let min = DVec2::new(grid.x(0), grid.z(0));
    let max = DVec2::new(grid.x(grid.columns - 1), grid.z(grid.rows - 1));
    let map = Map {
        min,
        max,
        height: &|point| field.height_f64(point),
        markers: Vec::new(),
        rays: Vec::new(),
        paths: Vec::new(),
    };
    let longest = grid.columns.max(grid.rows).clamp(SIDES[0], SIDES[1]);
    #[expect(clippy::cast_possible_truncation, reason = "2048 at most")]
    let mut image = map.draw(longest as u32)?;
    let size = DVec2::new(image.width().into(), image.height().into());
    let samples = DVec2::new((grid.columns - 1) as f64, (grid.rows - 1) as f64);
    let [seen, hidden] = [SEEN, HIDDEN].map(|code| from_srgb(code).as_vec3());
    for y in 0..image.height() {
        for x in 0..image.width() {
            let middle = (DVec2::new(x.into(), y.into()) + 0.5) / size;
            let sample = (middle * samples).round();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a sample of the map"
            )]
            let found = viewshed.at(sample.x as usize, sample.y as usize);
            match found {
                Some(Visibility::Visible) => image.blend(x, y, seen, 0.5),
                Some(Visibility::Hidden) => image.blend(x, y, hidden, 0.4),
                Some(Visibility::Outside) | None => {}
            }
        }
    }
    let DVec3 { x, z, .. } = viewshed.eye();
    let eye = (DVec2::new(x, z) - min) / (max - min) * size;
    disc(&mut image, eye, 6.5, Vec3::ONE);
    disc(&mut image, eye, 5.0, from_srgb(EYE).as_vec3());
    ring(&mut image, eye, 12.0, 2.0, Vec3::ONE);
    Ok(image)
}
