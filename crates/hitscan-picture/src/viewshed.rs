//! Viewsheds in pictures: as a map, the ground seen from straight above with the eye marked; and as a tint of
//! the ground in any picture of the world.

use crate::Error;
use crate::image::Image;
use crate::map::Map;
use crate::srgb::from_srgb;
use crate::strokes::{disc, ring};
use glam::{DVec2, DVec3, Vec3};
use hitscan::height_field::{Grid, Viewshed, Visibility};
use hitscan::{HeightField, ObjectId, RayHit};

/// The shortest and the longest side of a picture along its longer side, pixels.
const SIDES: [usize; 2] = [640, 2048];
const SEEN: u32 = 0x00ff_d21f;
const HIDDEN: u32 = 0x001a_2036;
const EYE: u32 = 0x00d4_1f1f;
/// How much of a pixel's colour is that of what is seen, and of what is hidden.
const SHARES: [f32; 2] = [0.5, 0.4];

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
                Some(Visibility::Visible) => image.blend(x, y, seen, SHARES[0]),
                Some(Visibility::Hidden) => image.blend(x, y, hidden, SHARES[1]),
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

/// A viewshed that tints the ground of its terrain in a picture of the world, in the colours of
/// [`draw_viewshed`]: what is seen yellow, what is hidden dark. A place has the tint of the sample nearest to it.
#[derive(Debug, Clone)]
pub struct ViewshedTint {
    terrain: ObjectId,
    grid: Grid,
    viewshed: Viewshed,
    /// Of what is seen and of what is hidden, linear light.
    colors: [DVec3; 2],
}

impl ViewshedTint {
    /// The tint of a terrain with this grid.
    #[must_use]
    pub fn new(terrain: ObjectId, grid: Grid, viewshed: Viewshed) -> Self {
        Self {
            terrain,
            grid,
            viewshed,
            colors: [SEEN, HIDDEN].map(from_srgb),
        }
    }

    /// The tone-mapped colour of a hit with the tint over it.
    pub(crate) fn over(&self, color: DVec3, hit: &RayHit) -> DVec3 {
        if hit.object != Some(self.terrain) {
            return color;
        }
        let kind = match self.at(hit.point.x.into(), hit.point.z.into()) {
            Some(Visibility::Visible) => 0,
            Some(Visibility::Hidden) => 1,
            Some(Visibility::Outside) | None => return color,
        };
        color.lerp(self.colors[kind], SHARES[kind].into())
    }

    /// What the sample nearest to (x, z) is.
    fn at(&self, x: f64, z: f64) -> Option<Visibility> {
        let [step_x, step_z] = self.grid.spacing;
        let column = ((x - self.grid.x(0)) / step_x).round();
        let row = ((z - self.grid.z(0)) / step_z).round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "of a hit they are on the map, and what is not is no sample"
        )]
        let sample = (column as usize, row as usize);
        self.viewshed.at(sample.0, sample.1)
    }
}
