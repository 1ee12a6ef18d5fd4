//! A missile that explodes where it hits the ground between two frames.
//!
//! A fast missile is before a ridge in one frame and behind it in the next. So a game casts
//! the segment between the two places: the hit's t, from 0 to 1, is the part of the frame after
//! which the missile explodes.

use hitscan::glam::Vec3;
use hitscan::height_field::Grid;
use hitscan::{Error, HeightField, Ray, Side, World};
use std::sync::Arc;

const FRAME_SECS: f32 = 1.0 / 60.0;
const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

/// A plain of 300 m by 20 m, a sample each metre along x, with a ridge like a wall at x = 150: one
/// sample, 20 m high.
fn plain_with_ridge() -> Result<HeightField, Error> {
    let grid = Grid::new(301, 3, [1.0, 10.0]);
    let row = (0..grid.columns).map(|column| if column == 150 { 20.0 } else { 0.0 });
    HeightField::new(grid, row.cycle().take(grid.columns * grid.rows).collect())
}

/// Whether a point is above the ground: all that a test at each frame's end would look at.
fn is_above_ground(plain: &HeightField, point: Vec3) -> bool {
    match plain.elevation([point.x, point.z]) {
        Some(height) => point.y > height,
        None => true,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plain = Arc::new(plain_with_ridge()?);
    let mut world = World::new();
    let terrain = world.add(Arc::clone(&plain));
    world.update();

    let mut position = Vec3::new(3.0, 14.0, 10.0);
    let mut velocity = Vec3::new(300.0, 3.0, 0.0);
    for frame in 0..60_u8 {
        let next = position + velocity * FRAME_SECS;
        let path = Ray::between(position, next)?;
        let Some(hit) = world.now().cast_ray(&path, ()) else {
            (position, velocity) = (next, velocity + GRAVITY * FRAME_SECS);
            continue;
        };

        let secs = (f32::from(frame) + hit.t) * FRAME_SECS;
        println!("frame {frame}: from {position:.2} to {next:.2}, both above the ground");
        println!("explodes at {:.3}, {:.3} of the frame", hit.point, hit.t);
        println!(
            "{secs:.4} s after launch; the ground faces {:.3}",
            hit.normal
        );

        // Looking at the frames' ends alone, it would have flown on.
        assert!(is_above_ground(&plain, position) && is_above_ground(&plain, next));
        assert_eq!((hit.object, hit.side), (Some(terrain), Side::Front));
        assert!((0.0..=1.0).contains(&hit.t));
        // It hits the near face of the ridge, which faces the missile.
        assert!((149.0..150.0).contains(&hit.point.x) && hit.normal.x < 0.0);
        return Ok(());
    }
    Err("the missile must meet the ridge".into())
}
