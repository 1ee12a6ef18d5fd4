//! A server of a shooter: it ticks 60 times a second, remembers, and answers shots as the shooter saw the world.

mod headless;
mod robot;

use bevy_app::FixedPostUpdate;
use bevy_ecs::error::BevyError;
use bevy_ecs::system::SystemState;
use bevy_hitscan::prelude::*;
use bevy_math::{Dir3, Vec3};
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;

fn main() -> Result<(), BevyError> {
    let plugin = HitscanPlugin::default()
        .in_schedule(FixedPostUpdate)
        .bake_blocking();
    let mut app = headless::app(plugin);
    app.add_plugins(HitscanHistoryPlugin { ticks: 64 });
    let model = robot::model(app.world_mut());
    let shooter = robot::spawn(app.world_mut(), &model, Vec3::new(0.0, 0.0, 20.0));
    let runner = robot::spawn(app.world_mut(), &model, Vec3::ZERO);

    // The runner runs along x, 6 m/s and 3 steps a second.
    let x_at = |tick: f32| tick / 10.0;
    for tick in 1..=120_u16 {
        let time = f32::from(tick);
        let mut transform = app
            .world_mut()
            .get_mut::<Transform>(runner.root)
            .ok_or("the runner is gone")?;
        transform.translation.x = x_at(time);
        robot::walk(app.world_mut(), &runner, time / 20.0);
        app.world_mut().resource_mut::<HitscanTick>().0 = u64::from(tick);
        app.world_mut().run_schedule(FixedPostUpdate);
    }

    // The shooter's screen is 8.25 ticks behind: he aims at the head as it was then.
    let seen: f32 = 120.0 - 8.25;
    let eye = Vec3::new(0.0, 1.7, 20.0);
    let head = Vec3::new(x_at(seen), 1.75, 0.0);
    let shot = Ray3d::new(eye, Dir3::new(head - eye)?);
    let mut state = SystemState::<Hitscan>::new(app.world_mut());
    let hitscan = state.get(app.world())?;
    let filter = HitscanFilter::new()
        .excluding_tree(shooter.root)
        .max_distance(300.0);

    let now = hitscan.cast_ray(shot, &filter);
    println!(
        "at tick 120 the shot hits {}",
        if now.is_some() { "him" } else { "nothing" }
    );
    let past = hitscan.at(f64::from(seen)).ok_or("tick 111.75 is kept")?;
    let hit = past
        .cast_ray(shot, &filter)
        .ok_or("the shot was well aimed")?;
    let joint = robot::name(app.world(), past.detail(&hit).joint);
    println!(
        "at tick {seen}, which the shooter saw, it hits the {joint} of {} after {:.2} m",
        hit.entity, hit.distance
    );
    let too_old = hitscan.at(50.0).is_none();
    println!(
        "tick 50 is {}",
        if too_old { "no longer kept" } else { "kept" }
    );
    if now.is_none() && hit.entity == runner.mesh && too_old {
        Ok(())
    } else {
        Err("the rewound shot should hit, and the one at present should not".into())
    }
}
