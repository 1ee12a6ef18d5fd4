//! The camera's rays, and the colours of pixels made of them.
//!
//! Each pixel has one ray through its middle; where a neighbour differs, four more rays through its
//! quarters smooth the edge (adaptive supersampling). Rows are drawn in parallel, and no pixel
//! depends on the order, so the picture is the same on any number of threads.

use crate::camera::PictureCamera;
use crate::shade::{Sample, Shader};
use crate::{Error, Image};
use glam::{DVec3, Vec2, Vec3};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far apart two pixels' tone-mapped colours may be before an edge is smoothed.
const MAX_CONTRAST: f64 = 0.05;
/// How bright the picture is made before tone mapping.
const EXPOSURE: f64 = 0.62;
/// Where the four further rays of a pixel pass: a rotated grid, in which each has its own row and
/// column.
const ROTATED_GRID: [Vec2; 4] = [
    Vec2::new(0.375, 0.125),
    Vec2::new(0.875, 0.375),
    Vec2::new(0.125, 0.625),
    Vec2::new(0.625, 0.875),
];

/// Draws what the camera shows.
///
/// `on_row` is called for each finished row, from any thread, once in each of the two passes. Once
/// `cancel` is set no further row is begun.
pub(crate) fn draw(
    shader: &Shader<'_>,
    camera: &PictureCamera,
    cancel: &AtomicBool,
    on_row: &(dyn Fn() + Sync),
) -> Result<Image, Error> {
    let [width, height] = camera.size();
    let sampler = Sampler { shader, camera };
    let check = || match cancel.load(Ordering::Relaxed) {
        true => Err(Error::Cancelled),
        false => Ok(()),
    };
    let rows = || (0..height).into_par_iter();
    let first: Vec<Vec<Pixel>> = rows()
        .map(|y| {
            check()?;
            let row = (0..width).map(|x| sampler.pixel(x, y, Vec2::splat(0.5)));
            let row = row.collect();
            on_row();
            Ok(row)
        })
        .collect::<Result<_, Error>>()?;
    let smoothed: Vec<Vec<Vec3>> = rows()
        .map(|y| {
            check()?;
            let row = (0..width).map(|x| sampler.smoothed(&first, x, y)).collect();
            on_row();
            Ok(row)
        })
        .collect::<Result<_, Error>>()?;
    Image::new(width, height, smoothed.concat())
}

/// The colour that one ray gives a pixel.
#[derive(Debug, Clone, Copy)]
struct Pixel {
    /// Tone-mapped, linear light.
    color: DVec3,
    surface: Option<(u32, u32)>,
}

struct Sampler<'a> {
    shader: &'a Shader<'a>,
    camera: &'a PictureCamera,
}

impl Sampler<'_> {
    #[expect(clippy::cast_precision_loss, reason = "no picture is 2^24 pixels wide")]
    fn pixel(&self, x: u32, y: u32, within: Vec2) -> Pixel {
        let ray = self.camera.ray(x as f32 + within.x, y as f32 + within.y);
        let Sample { radiance, surface } = self.shader.sample(&ray);
        Pixel {
            color: tone_map(radiance),
            surface,
        }
    }

    fn smoothed(&self, first: &[Vec<Pixel>], x: u32, y: u32) -> Vec3 {
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
            let contrast = (other.color - middle.color).abs().max_element();
            other.surface != middle.surface || contrast > MAX_CONTRAST
        };
        if !neighbours.into_iter().flatten().any(differs) {
            return middle.color.as_vec3();
        }
        let quarters = ROTATED_GRID.map(|within| self.pixel(x, y, within).color);
        let sum = quarters
            .into_iter()
            .fold(DVec3::ZERO, |sum, color| sum + color);
        (sum / 4.0).as_vec3()
    }
}

/// Radiance of any strength as a colour between 0 and 1: bright parts are compressed, not cut off.
///
/// Source: Krzysztof Narkowicz, "ACES Filmic Tone Mapping Curve", 2016.
fn tone_map(radiance: DVec3) -> DVec3 {
    let x = radiance.max(DVec3::ZERO) * EXPOSURE;
    let curve = (x * (x * 2.51 + 0.03)) / (x * (x * 2.43 + 0.59) + 0.14);
    curve.clamp(DVec3::ZERO, DVec3::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atmosphere::Atmosphere;
    use crate::world_scene::WorldScene;
    use hitscan::Camera;
    use hitscan::World;
    use hitscan::height_field::{Grid, HeightField};
    use hitscan::{Aabb, Sphere};
    use std::sync::Arc;
    use std::sync::atomic::AtomicU32;

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
        let scene = WorldScene::new(&world, &|_| None);
        let shader = Shader {
            scene: &scene,
            air: Atmosphere::afternoon(14.0, 4.0),
            scale: 14.0,
        };
        let camera = Camera::new([1.0, 4.0, 14.0], [4.0, 2.0, 4.0], 0.8, [48, 27]).unwrap();
        let camera = PictureCamera::Perspective(camera);
        draw(&shader, &camera, &AtomicBool::new(false), on_row).unwrap()
    }

    #[test]
    fn one_thread_draws_the_same_picture_and_reports_each_row() {
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
    fn an_empty_world_is_sky_and_drawing_can_be_cancelled() {
        let world = World::new();
        let scene = WorldScene::new(&world, &|_| None);
        let shader = Shader {
            scene: &scene,
            air: Atmosphere::afternoon(0.0, 0.0),
            scale: 1.0,
        };
        let camera = Camera::new([0.0; 3], [0.0, 1.0, 3.0], 1.0, [4, 4]).unwrap();
        let camera = PictureCamera::Perspective(camera);
        let cancel = AtomicBool::new(false);
        assert!(draw(&shader, &camera, &cancel, &|| {}).is_ok());
        cancel.store(true, Ordering::Relaxed);
        let cancelled = draw(&shader, &camera, &cancel, &|| {});
        assert!(matches!(cancelled, Err(Error::Cancelled)));
    }

    #[test]
    fn tones_keep_their_order_and_stay_in_range() {
        let mut last = -1.0;
        for step in 0..100_u8 {
            let shade = tone_map(DVec3::splat(f64::from(step) * 0.2)).x;
            assert!((0.0..=1.0).contains(&shade) && shade >= last);
            last = shade;
        }
    }
}
