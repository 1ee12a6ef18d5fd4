//! A gun behind a ridge: both elevations that hit a target on the other side of it.
//!
//! The line of sight ends at the ridge. A shell's path is one arc, exact to the triangle on which it
//! lands, so elevations are found as gunners do: fire, see where it lands, correct. Up to 45 degrees a
//! greater elevation carries farther, and beyond that less far; one that the ridge stops is short.

use hitscan::glam::DVec3;
use hitscan::height_field::Grid;
use hitscan::{BallisticArc, Error, HeightField, Ray, RayHit, Snapshot, World};
use std::sync::Arc;

/// Metres a second.
const MUZZLE_SPEED: f64 = 120.0;
/// Where the gun and its target are, metres along x; both in the middle of the map.
const GUN: f32 = 100.0;
const TARGET: f32 = 1100.0;
const MIDDLE: f32 = 130.0;

/// A plain with a ridge of 60 m across it, 10 m between samples.
fn plain_with_ridge() -> Result<HeightField, Error> {
    let grid = Grid::new(161, 27, [10.0, 10.0]);
    let row = (0..161u8).map(|column| {
        let away = (f32::from(column) * 10.0 - 450.0) / 120.0;
        60.0 / (1.0 + away * away * away * away)
    });
    HeightField::new(grid, row.cycle().take(grid.columns * grid.rows).collect())
}

/// Where a shell lands that is fired from `muzzle` at an elevation, radians.
fn fire(world: &Snapshot, muzzle: [f32; 3], elevation: f64) -> Result<RayHit, Error> {
    let (up, along) = libm::sincos(elevation);
    let velocity = DVec3::new(along, up, 0.0) * MUZZLE_SPEED;
    let path = BallisticArc::new(muzzle, velocity.as_vec3(), BallisticArc::GRAVITY)?;
    let hit = world.cast_arc(&path, ());
    Ok(hit.expect("every shell of this gun lands on the map"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plain = Arc::new(plain_with_ridge()?);
    let ground = |x: f32| plain.elevation([x, MIDDLE]).unwrap_or(0.0);
    let muzzle = [GUN, ground(GUN) + 2.0, MIDDLE];
    let target = [TARGET, ground(TARGET), MIDDLE];
    let mut world = World::new();
    world.add(Arc::clone(&plain));
    world.update();
    let world = world.now();

    let sight = Ray::between(muzzle, target)?;
    let ridge = world.cast_ray(&sight, ());
    let ridge = ridge.ok_or("the target is in sight")?;
    println!("the line of sight ends at {:.1}", ridge.point);
    assert!(ridge.point.x < 450.0);

    for [short, long] in [[10.0, 45.0], [85.0, 45.0]] {
        let (mut short, mut long) = (f64::to_radians(short), f64::to_radians(long));
        for _ in 0..40 {
            let middle = f64::midpoint(short, long);
            if fire(world, muzzle, middle)?.point.x < TARGET {
                short = middle;
            } else {
                long = middle;
            }
        }
        let hit = fire(world, muzzle, short)?;
        println!(
            "{:.3} degrees: lands after {:.2} s at {:.2}, {:.2} m from the target",
            short.to_degrees(),
            hit.t,
            hit.point,
            hit.point.distance(target.into()),
        );
        assert!(hit.point.distance(target.into()) < 0.01);
    }
    Ok(())
}
