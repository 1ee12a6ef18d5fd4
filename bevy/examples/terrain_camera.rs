//! A camera that flies over hills, 2 m above the ground at least, and keeps sight of what it follows.

mod headless;

use bevy_ecs::error::BevyError;
use bevy_ecs::system::SystemState;
use bevy_hitscan::hitscan::HeightField;
use bevy_hitscan::hitscan::height_field::Grid;
use bevy_hitscan::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;

const COLUMNS: u16 = 201;

fn main() -> Result<(), BevyError> {
    let mut app = headless::app(HitscanPlugin::default());
    // Hills of up to 24 m, on 400 m by 400 m.
    let side = usize::from(COLUMNS);
    let heights = (0..COLUMNS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row)));
    let heights = heights.map(|(column, row)| {
        let [x, z] = [column, row].map(|place| f32::from(place) * 2.0);
        12.0 + 8.0 * (x / 21.0).sin() * (z / 33.0).cos() + 4.0 * (x / 9.0).cos()
    });
    let terrain = HeightField::new(Grid::new(side, side, [2.0, 2.0]), heights.collect())?;
    app.world_mut()
        .spawn((HeightFieldCollider::new(terrain), Transform::IDENTITY));
    app.update();

    let mut state = SystemState::<Hitscan>::new(app.world_mut());
    let hitscan = state.get(app.world())?;
    let filter = HitscanFilter::new();
    let ground = |x: f32, z: f32| {
        hitscan
            .height(bevy_math::Vec2::new(x, z), &filter)
            .map(|ground| ground.height)
    };
    let mut blocked = 0;
    for step in 0..12_u8 {
        let along = 60.0 + 20.0 * f32::from(step);
        let walker = Vec3::new(
            along,
            ground(along, 200.0).ok_or("off the map")? + 1.7,
            200.0,
        );
        let mut camera = walker + Vec3::new(-30.0, 6.0, 12.0);
        let floor = ground(camera.x, camera.z).ok_or("off the map")? + 2.0;
        camera.y = camera.y.max(floor);
        // A hill between the two: the camera goes up until it sees over it.
        let mut raised = 0;
        while !hitscan.is_sight_clear(camera, walker, &filter) && raised < 100 {
            camera.y += 1.0;
            raised += 1;
        }
        blocked += usize::from(raised > 0);
        println!(
            "walker at x = {along:.0}, height {:.1}: camera at height {:.1}, raised by {raised} m to see over the hill",
            walker.y - 1.7,
            camera.y
        );
    }
    println!("a hill was in the way {blocked} times of 12");
    Ok(())
}
