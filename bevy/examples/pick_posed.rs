//! A ray at a walking robot: what `bevy_hitscan` says, and what Bevy's own ray cast says.

mod headless;
mod robot;

use bevy_ecs::error::BevyError;
use bevy_ecs::system::SystemState;
use bevy_hitscan::prelude::*;
use bevy_math::{Dir3, Vec3};
use bevy_picking::mesh_picking::ray_cast::{MeshRayCast, MeshRayCastSettings};
use bevy_shape::Ray3d;

fn main() -> Result<(), BevyError> {
    let mut app = headless::app(HitscanPlugin::default().bake_blocking());
    let model = robot::model(app.world_mut());
    let walker = robot::spawn(app.world_mut(), &model, Vec3::ZERO);
    // In the middle of a step: one leg half a metre in front, the other one behind.
    robot::walk(app.world_mut(), &walker, 0.5);
    app.update();

    let shots = [
        ("where the left foot stood", Vec3::new(0.15, 0.1, 5.0)),
        ("at the raised left foot", Vec3::new(0.15, 0.3, 5.0)),
        ("at the head", Vec3::new(0.0, 1.8, 5.0)),
    ];
    for (what, from) in shots {
        let ray = Ray3d::new(from, Dir3::NEG_Z);
        let mut state = SystemState::<Hitscan>::new(app.world_mut());
        let hitscan = state.get(app.world())?;
        let ours = match hitscan.cast_ray(ray, &HitscanFilter::new()) {
            Some(hit) => {
                let joint = robot::name(app.world(), hitscan.detail(&hit).joint);
                format!("the {joint}, {:.2} m away", hit.distance)
            }
            None => "nothing".to_owned(),
        };
        let mut state = SystemState::<MeshRayCast>::new(app.world_mut());
        let mut bevys = state.get_mut(app.world_mut())?;
        let settings = MeshRayCastSettings::default().with_visibility(RayCastVisibility::Any);
        let theirs = match bevys.cast_ray(ray, &settings).first() {
            Some((_, hit)) => format!("{:.2} m away", hit.distance),
            None => "nothing".to_owned(),
        };
        println!("a shot {what}: hitscan hits {ours}; MeshRayCast, in the bind pose: {theirs}");
    }
    Ok(())
}
