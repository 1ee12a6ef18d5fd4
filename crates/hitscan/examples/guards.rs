//! Three guards watch a valley. Which of them sees the intruder, and what hides it from the others?
//!
//! cargo run --release -p hitscan --example guards

use hitscan::glam::Vec3;
use hitscan::height_field::{Grid, ViewshedQuery, Visibility};
use hitscan::{Aabb, Capsule, HeightField, ObjectId, QueryFilter, World};
use std::error::Error;
use std::sync::Arc;

const SIZE: usize = 129;
/// How high eyes are above the ground, metres.
const EYES: f32 = 1.7;

fn main() -> Result<(), Box<dyn Error>> {
    let ground = Arc::new(HeightField::new(
        Grid::new(SIZE, SIZE, [1.0; 2]),
        heights(),
    )?);
    let mut world = World::new();
    let terrain = world.add(Arc::clone(&ground));
    let on_ground = |x: f32, z: f32| -> Result<Vec3, Box<dyn Error>> {
        let height = ground
            .height([x, z])
            .ok()
            .ok_or("it is off the map")?
            .height;
        Ok(Vec3::new(x, height, z))
    };
    let barn = on_ground(60.0, 40.0)?;
    let size = Vec3::new(4.0, 9.0, 3.0);
    let barn = world.add(Aabb::new(barn - size, barn + size)?);

    // A guard's own body does not hide what it looks at.
    let mut person = |x: f32, z: f32| -> Result<(ObjectId, Vec3), Box<dyn Error>> {
        let feet = on_ground(x, z)?;
        let body = Capsule::new(feet + Vec3::Y * 0.3, feet + Vec3::Y * 1.5, 0.3)?;
        Ok((world.add(body), feet + Vec3::Y * EYES))
    };
    let guards = [
        ("on the slope", person(20.0, 64.0)?),
        ("behind the barn", person(58.0, 28.0)?),
        ("beyond the ridge", person(118.0, 70.0)?),
    ];
    let (intruder, head) = person(62.0, 70.0)?;
    world.update();

    let now = world.now();
    let name = |object: ObjectId| match object {
        object if object == terrain => "the ground",
        object if object == barn => "the barn",
        _ => "somebody",
    };
    for (place, (guard, eye)) in guards {
        let bodies = [guard, intruder];
        let filter = QueryFilter::new().exclude(&bodies);
        match now.first_blocker(eye, head, filter) {
            None => println!("The guard {place} sees the intruder."),
            Some(blocker) => println!(
                "The guard {place} does not: {} is in the way, {:.1} m off.",
                name(blocker.object),
                blocker.t * eye.distance(head),
            ),
        }
    }
    let (guard, eye) = guards[0].1;
    let own = [guard];
    let query = ViewshedQuery::at(eye);
    let seen = now.viewshed(terrain, &query, QueryFilter::new().exclude(&own));
    let seen = seen
        .ok_or("the terrain is there")?
        .count(Visibility::Visible);
    let share = 100.0 * seen as f64 / (SIZE * SIZE) as f64;
    println!("The guard on the slope sees {share:.0} % of the valley.");
    Ok(())
}

/// A valley along z, with a ridge in the east.
fn heights() -> Vec<f32> {
    let height = |x: f32, z: f32| {
        let valley = ((x - 60.0) / 24.0).powi(2);
        let ridge = 9.0 * libm::expf(-((x - 100.0) / 6.0).powi(2));
        valley + ridge + 0.4 * libm::sinf(0.3 * z)
    };
    (0..SIZE * SIZE)
        .map(|sample| height((sample % SIZE) as f32, (sample / SIZE) as f32))
        .collect()
}
