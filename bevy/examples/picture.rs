//! A picture of robots on hills, every pixel a ray: `cargo run --example picture -- FILE.png`.

mod headless;
mod robot;

use bevy_ecs::error::BevyError;
use bevy_ecs::system::SystemState;
use bevy_hitscan::hitscan::HeightField;
use bevy_hitscan::hitscan::height_field::Grid;
use bevy_hitscan::prelude::*;
use bevy_math::{Dir3, Vec3};
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;
use std::fs::File;
use std::io::BufWriter;

const WIDTH: u16 = 640;
const HEIGHT: u16 = 360;
const SIDE: u16 = 61;

fn main() -> Result<(), BevyError> {
    let path = std::env::args_os().nth(1).map_or_else(
        || std::env::temp_dir().join("bevy_hitscan_picture.png"),
        Into::into,
    );
    let mut app = headless::app(HitscanPlugin::default().bake_blocking());
    let hill = |x: f32, z: f32| 1.2 * (x / 4.0).sin() * (z / 5.0).cos();
    let places = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (column, row)));
    let heights = places.map(|(column, row)| hill(f32::from(column) - 30.0, f32::from(row) - 30.0));
    let side = usize::from(SIDE);
    let grid = Grid {
        origin: [-30.0, 0.0, -30.0],
        ..Grid::new(side, side, [1.0, 1.0])
    };
    let terrain = HeightField::new(grid, heights.collect())?;
    let ground = app
        .world_mut()
        .spawn((HeightFieldCollider::new(terrain), Transform::IDENTITY))
        .id();
    let model = robot::model(app.world_mut());
    for number in 0..15_u8 {
        let [x, z] = [
            f32::from(number % 5) * 2.2 - 4.4,
            f32::from(number / 5) * -3.0 + 2.0,
        ];
        let walker = robot::spawn(app.world_mut(), &model, Vec3::new(x, hill(x, z), z));
        robot::walk(app.world_mut(), &walker, f32::from(number) * 0.23);
    }
    app.update();

    let eye = Vec3::new(1.0, 3.2, 9.0);
    let view = Transform::from_translation(eye).looking_at(Vec3::new(0.0, 0.8, -2.0), Vec3::Y);
    let pixels = (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
    let rays = pixels.map(|(column, row)| {
        let right = (f32::from(column) + 0.5) / f32::from(HEIGHT) * 2.0 - 16.0 / 9.0;
        let up = 1.0 - (f32::from(row) + 0.5) / f32::from(HEIGHT) * 2.0;
        let direction = view.rotation * Vec3::new(right * 0.6, up * 0.6, -1.0);
        Dir3::new(direction).map(|direction| Ray3d::new(eye, direction))
    });
    let rays = rays.collect::<Result<Vec<_>, _>>()?;
    let mut state = SystemState::<Hitscan>::new(app.world_mut());
    let hitscan = state.get(app.world())?;
    let filter = HitscanFilter::new();
    let hits = hitscan.cast_rays(&rays, &filter);
    let sun = Vec3::new(0.5, 0.8, 0.35).normalize();
    // From a little above the surface towards the sun.
    let to_sun = hits.iter().map(|hit| {
        let from = hit
            .as_ref()
            .map_or(Vec3::Y * 1e6, |hit| hit.point + hit.normal * 1e-3);
        Dir3::new(sun).map(|direction| Ray3d::new(from, direction))
    });
    let to_sun = to_sun.collect::<Result<Vec<_>, _>>()?;
    let is_shaded = hitscan.cast_rays_any(&to_sun, &filter);

    let mut bytes = Vec::new();
    let mut on_robots = 0;
    for (hit, is_shaded) in hits.iter().zip(is_shaded) {
        let Some(hit) = hit else {
            bytes.extend([150, 190, 230]);
            continue;
        };
        let colour = if hit.entity == ground {
            [0.36, 0.52, 0.24]
        } else {
            on_robots += 1;
            match robot::name(app.world(), hitscan.detail(hit).joint) {
                "head" => [0.9, 0.75, 0.3],
                "torso" => [0.35, 0.45, 0.75],
                "left arm" | "right arm" => [0.75, 0.35, 0.3],
                _ => [0.55, 0.55, 0.6],
            }
        };
        let light = if is_shaded {
            0.35
        } else {
            0.35 + 0.65 * hit.normal.dot(sun).max(0.0)
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "rounded to a byte"
        )]
        bytes.extend(colour.map(|share: f32| (share * light * 255.0).round() as u8));
    }
    let mut encoder = png::Encoder::new(
        BufWriter::new(File::create(&path)?),
        WIDTH.into(),
        HEIGHT.into(),
    );
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&bytes)?;
    println!(
        "{on_robots} of {} pixels are on robots: {}",
        rays.len(),
        path.display()
    );
    if on_robots == 0 {
        return Err("no robot is in the picture".into());
    }
    Ok(())
}
