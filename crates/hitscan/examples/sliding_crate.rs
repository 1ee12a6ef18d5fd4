//! A crate that slides over the ground and stops at the first thing it hits.
//!
//! A game moves the crate a little each frame and casts the moving box: it
//! stops at the hit's t, and the hit's normal is the side that it ran into. What it only
//! slides along, the floor under it or a wall beside it, is no obstacle.

use hitscan::glam::Vec3;
use hitscan::{Aabb, Error, ShapeCast, ShapeHit, Sphere, World};

const FRAME_SECS: f32 = 1.0 / 64.0;
/// What friction takes from the speed: metres a second, each second.
const FRICTION: f32 = 4.0;
const CRATE_SIZE: Vec3 = Vec3::ONE;

/// Pushes a crate, given by its lowest corner, and lets it slide until friction or an obstacle
/// stops it. Returns where it ends, and what it hit. The end is rounded, perhaps into the obstacle:
/// a game that goes on pushing should stop a hair before it.
fn slide(
    world: &World,
    mut corner: Vec3,
    mut velocity: Vec3,
) -> Result<(Vec3, Option<ShapeHit>), Error> {
    while velocity != Vec3::ZERO {
        let motion = velocity * FRAME_SECS;
        let crate_now = Aabb::new(corner, corner + CRATE_SIZE)?;
        let cast = ShapeCast::new(crate_now, motion)?;
        let first = world.now().cast_shape(&cast, ());
        if let Some(met) = first {
            return Ok((corner + motion * met.t, Some(met)));
        }
        corner += motion;
        velocity = velocity.move_towards(Vec3::ZERO, FRICTION * FRAME_SECS);
    }
    Ok((corner, None))
}

fn report(push: &str, (end, met): (Vec3, Option<ShapeHit>)) {
    match met {
        None => println!("{push}: friction stops it at {end:.3}"),
        Some(met) => println!(
            "{push}: object {} stops it at {end:.3}, with its side that faces {:.3}",
            met.object.map_or(0, |object| object.index()),
            met.normal,
        ),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    world.add(Aabb::new([-20.0, -1.0, -20.0], [20.0, 0.0, 20.0])?);
    let wall = world.add(Aabb::new([6.0, 0.0, -20.0], [7.0, 3.0, 20.0])?);
    let boulder = world.add(Sphere::new([3.0, 0.0, 3.0], 1.0)?);
    world.update();

    let soft = slide(&world, Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0))?;
    report("a soft push", soft);
    assert!(soft.1.is_none() && (0.5..0.6).contains(&soft.0.x));

    let hard = slide(&world, Vec3::ZERO, Vec3::new(12.0, 0.0, 0.0))?;
    report("a hard push", hard);
    let met = hard.1.ok_or("the wall must stop it")?;
    assert_eq!((met.object, met.normal), (Some(wall), Vec3::NEG_X));
    assert!(hard.0.abs_diff_eq(Vec3::new(5.0, 0.0, 0.0), 1e-5));

    // The boulder is hit where it is round: later than the box around it, which begins at x = 2.
    let aside = slide(&world, Vec3::ZERO, Vec3::new(9.0, 0.0, 9.0))?;
    report("a push at the boulder", aside);
    assert_eq!(aside.1.and_then(|met| met.object), Some(boulder));
    assert!(aside.0.x > 1.25);

    // A crate that touches the wall slides along it; one that overlaps it cannot start.
    let along = slide(&world, Vec3::new(5.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 4.0))?;
    report("a push along the wall", along);
    assert_eq!(along.1, None);
    let inside = slide(&world, Vec3::new(5.5, 0.0, 0.0), Vec3::new(0.0, 0.0, 4.0))?;
    assert!(inside.1.is_some_and(|met| met.is_overlap()));
    Ok(())
}
