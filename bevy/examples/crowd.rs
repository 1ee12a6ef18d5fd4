//! A crowd of a thousand walking robots under fire: what a frame's sync and its rays cost.

mod headless;
mod robot;

use bevy_ecs::error::BevyError;
use bevy_ecs::system::SystemState;
use bevy_hitscan::HitscanDiagnostics;
use bevy_hitscan::prelude::*;
use bevy_math::{Dir3, Vec3};
use bevy_shape::Ray3d;
use std::collections::BTreeMap;
use std::time::Instant;

const ROBOTS: u16 = 1_000;
const RAYS: u16 = 1_000;

fn main() -> Result<(), BevyError> {
    let mut app = headless::app(HitscanPlugin::default().bake_blocking());
    let model = robot::model(app.world_mut());
    let places =
        (0..ROBOTS).map(|number| [number % 40, number / 40].map(|place| f32::from(place) * 1.5));
    let robots: Vec<_> = places
        .map(|[x, z]| robot::spawn(app.world_mut(), &model, Vec3::new(x, 0.0, z)))
        .collect();
    for frame in 0..5_u8 {
        for (number, robot) in (0_u16..).zip(&robots) {
            robot::walk(
                app.world_mut(),
                robot,
                f32::from(frame) / 20.0 + f32::from(number % 7) / 7.0,
            );
        }
        let start = Instant::now();
        app.update();
        let frame_ms = start.elapsed().as_secs_f64() * 1e3;
        let posed = app.world().resource::<HitscanDiagnostics>().posed;
        println!("frame {frame}: {posed} robots posed; all of Bevy's frame took {frame_ms:.1} ms");
    }

    // From towers at the edge, downwards into the crowd.
    let rays: Vec<Ray3d> = (0..RAYS)
        .map(|number| {
            let from = Vec3::new(f32::from(number % 60), 12.0, -20.0);
            let target = Vec3::new(
                f32::from(number * 7 % 600) / 10.0,
                1.0,
                f32::from(number * 11 % 370) / 10.0,
            );
            Dir3::new(target - from).map(|direction| Ray3d::new(from, direction))
        })
        .collect::<Result<_, _>>()?;
    let mut state = SystemState::<Hitscan>::new(app.world_mut());
    let hitscan = state.get(app.world())?;
    let start = Instant::now();
    let hits = hitscan.cast_rays(&rays, &HitscanFilter::new());
    let cast_ms = start.elapsed().as_secs_f64() * 1e3;
    let mut parts: BTreeMap<&str, usize> = BTreeMap::new();
    for hit in hits.iter().flatten() {
        let joint = robot::name(app.world(), hitscan.detail(hit).joint);
        *parts.entry(joint).or_default() += 1;
    }
    let count: usize = parts.values().sum();
    println!("{count} of {RAYS} rays hit a robot, in {cast_ms:.1} ms: {parts:?}");
    if count == 0 {
        return Err("nothing was hit".into());
    }
    Ok(())
}
