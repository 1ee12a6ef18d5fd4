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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::atmosphere::Atmosphere;
    use crate::picture::world_scene::WorldScene;
    use hitscan::World;
    use hitscan::height_field::{Grid, HeightField};
    use hitscan::{Aabb, Sphere};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A red ball and a box on a slope beside water.
    fn picture(on_row: &(dyn Fn() + Sync)) -> Image {
        let heights = (0..81_u8)
            .map(|index| f32::from((index % 9).saturating_sub(3)))
            .collect();
        let field = HeightField::new(Grid::new(9, 9, [1.0, 1.0]), heights).unwrap();
        let mut world = World::new();
        world.add_height_field(Arc::new(field));
        world.add_sphere(Sphere::new([2.0, 1.5, 4.0], 1.0).unwrap());
        world.add_aabb(Aabb::new([5.0, 2.0, 5.0], [6.0, 5.0, 6.0]).unwrap());
        world.update();
        let scene = WorldScene::new(&world);
        let shader = Shader {
            scene: &scene,
            air: Atmosphere::afternoon(14.0, 4.0),
            scale: 14.0,
        };
        let camera = Camera::new([1.0, 4.0, 14.0], [4.0, 2.0, 4.0], 0.8, [48, 27]).unwrap();
        draw(&shader, &camera, on_row).unwrap()
    }

    #[test]
    fn one_thread_draws_the_same_picture_and_tells_of_each_row() {
        let rows = AtomicU32::new(0);
        let image = picture(&|| {
            rows.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(rows.load(Ordering::Relaxed), 2 * 27);
        let one = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap();
        assert_eq!(one.install(|| picture(&|| {})), image);
    }

    #[test]
    fn an_empty_world_is_sky() {
        let world = World::new();
        let scene = WorldScene::new(&world);
        let shader = Shader {
            scene: &scene,
            air: Atmosphere::afternoon(0.0, 0.0),
            scale: 1.0,
        };
        let camera = Camera::new([0.0; 3], [0.0, 1.0, 3.0], 1.0, [4, 4]).unwrap();
        assert!(draw(&shader, &camera, &|| {}).is_some());
    }

    #[test]
    fn tones_keep_their_order_and_stay_in_range() {
        let mut last = -1.0;
        for step in 0..100_u8 {
            let shade = tone(DVec3::splat(f64::from(step) * 0.2)).x;
            assert!((0.0..=1.0).contains(&shade) && shade >= last);
            last = shade;
        }
    }
}
