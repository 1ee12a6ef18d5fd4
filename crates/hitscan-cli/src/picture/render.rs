//! A picture in which every pixel is a ray of the library.
//!
//! Each pixel is looked at once through its middle; where a neighbour differs, four more rays
//! through its quarters smooth the edge. Rows are drawn in parallel, and no pixel depends on
//! another's order, so the picture is the same on any number of threads. Read `shade.rs` for
//! what a ray brings back.

use super::image::Image;
use super::shade::{Seen, Shader};
use glam::{DVec3, Vec2, Vec3};
use hitscan::Camera;
use rayon::prelude::*;

/// How far apart two pixels' tone-mapped colours may be before an edge is smoothed.
const CONTRAST: f64 = 0.05;
/// How bright the picture is made before tone mapping.
const EXPOSURE: f64 = 0.62;
/// Where the four further rays of a pixel pass: a grid turned so that each has its own row and
/// column.
const QUARTERS: [Vec2; 4] = [
    Vec2::new(0.375, 0.125),
    Vec2::new(0.875, 0.375),
    Vec2::new(0.125, 0.625),
    Vec2::new(0.625, 0.875),
];

/// Draws what the camera shows; `None` only where it has no pixels.
///
/// `on_row` is told of each finished row, from any thread, twice a row: once for each pass.
pub(crate) fn draw(
    shader: &Shader<'_>,
    camera: &Camera,
    on_row: &(dyn Fn() + Sync),
) -> Option<Image> {
    let [width, height] = camera.size();
    let canvas = Canvas { shader, camera };
    let rows = || (0..height).into_par_iter();
    let first: Vec<Vec<Pixel>> = rows()
        .map(|y| {
            let row = (0..width)
                .map(|x| canvas.look(x, y, Vec2::splat(0.5)))
                .collect();
            on_row();
            row
        })
        .collect();
    let smoothed: Vec<Vec<Vec3>> = rows()
        .map(|y| {
            let row = (0..width).map(|x| canvas.smooth(&first, x, y)).collect();
            on_row();
            row
        })
        .collect();
    Image::new(width, height, smoothed.concat())
}

/// One ray's answer as it is shown.
#[derive(Debug, Clone, Copy)]
struct Pixel {
    /// Tone-mapped, linear light.
    colour: DVec3,
    matter: Option<(u32, u32)>,
}

struct Canvas<'a> {
    shader: &'a Shader<'a>,
    camera: &'a Camera,
}

impl Canvas<'_> {
    #[expect(clippy::cast_precision_loss, reason = "no picture is 2^24 pixels wide")]
    fn look(&self, x: u32, y: u32, within: Vec2) -> Pixel {
        let ray = self.camera.ray(x as f32 + within.x, y as f32 + within.y);
        let Seen { light, matter } = self.shader.look(&ray);
        Pixel {
            colour: tone(light),
            matter,
        }
    }

    fn smooth(&self, first: &[Vec<Pixel>], x: u32, y: u32) -> Vec3 {
        let pixel = |x: u32, y: u32| {
            let row = first.get(y as usize)?;
            row.get(x as usize)
        };
        let Some(middle) = pixel(x, y) else {
            return Vec3::ZERO;
        };
        let neighbours = [
            pixel(x.wrapping_sub(1), y),
            pixel(x.wrapping_add(1), y),
            pixel(x, y.wrapping_sub(1)),
            pixel(x, y.wrapping_add(1)),
        ];
        let differs = |other: &Pixel| {
            let apart = (other.colour - middle.colour).abs().max_element();
            other.matter != middle.matter || apart > CONTRAST
        };
        if !neighbours.into_iter().flatten().any(differs) {
            return middle.colour.as_vec3();
        }
        let quarters = QUARTERS.map(|within| self.look(x, y, within).colour);
        let sum = quarters
            .into_iter()
            .fold(DVec3::ZERO, |sum, colour| sum + colour);
        (sum / 4.0).as_vec3()
    }
}

/// Light of any strength as a colour between 0 and 1: bright parts are compressed, not cut off.
///
/// Source: Krzysztof Narkowicz, "ACES Filmic Tone Mapping Curve", 2016.
fn tone(light: DVec3) -> DVec3 {
    let x = light.max(DVec3::ZERO) * EXPOSURE;
    let curve = (x * (x * 2.51 + 0.03)) / (x * (x * 2.43 + 0.59) + 0.14);
    curve.clamp(DVec3::ZERO, DVec3::ONE)
}
