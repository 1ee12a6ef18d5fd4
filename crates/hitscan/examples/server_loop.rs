//! The loop of a shooter's server: players are boxes that move each tick, and each shot is answered as its
//! shooter saw the world, some ticks ago.
//!
//! Nothing in the loop returns an error for numbers that a client sent: a direction that is zero or NaN makes
//! an empty ray, which hits nothing.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::height_field::Grid;
use hitscan::{Aabb, Error, HeightField, ObjectId, QueryFilter, Ray, Snapshot, World};

/// The layers that a shot passes through or stops at, a bit each.
const PLAYERS: u32 = 0b01;
const STATIC: u32 = 0b10;

/// How many ticks of the past are kept: half a second at 60 ticks a second.
const HISTORY: usize = 30;

/// What a client sends.
struct Shot {
    shooter: ObjectId,
    muzzle: Vec3,
    direction: Vec3,
}

fn main() -> Result<(), Error> {
    let mut world = World::new();
    world.keep_history(HISTORY);
    let ground = HeightField::new(Grid::new(65, 65, [1.0, 1.0]), vec![0.0; 65 * 65])?;
    let ground = world.add(ground);
    world.set_layers(ground, STATIC)?;
    let hitbox = Aabb::new([-0.4, -0.9, -0.4], [0.4, 0.9, 0.4])?;
    let starts = (0..8_u8).map(|k| (hitbox, place(k, 0)));
    let players = world.add_batch(starts)?;

    let mut hits = 0;
    for tick in 0..120 {
        for (k, player) in (0..).zip(&players) {
            world.set_transform(*player, place(k, tick))?;
        }
        world.update();
        world.record(tick)?;
        if let Some(past) = world.at(tick as f64 - 6.5) {
            let shots = shots_of(&players, tick);
            hits += shots
                .iter()
                .filter(|shot| damages(world.now(), &past, shot))
                .count();
        }
    }
    println!("{hits} shots hit a player");
    assert!(hits > 0);

    // What a broken or hostile client sends is a miss.
    let bad = Ray::new_or_empty([0.0; 3], [f32::NAN, 0.0, 0.0]).limited_to(300.0);
    assert_eq!(world.now().cast_ray(&bad, ()), None);
    Ok(())
}

/// Whether a shot hits a player where its shooter saw one, and no wall is in the way now.
fn damages(now: &Snapshot, past: &Snapshot, shot: &Shot) -> bool {
    let ray = Ray::new_or_empty(shot.muzzle, shot.direction).limited_to(300.0);
    let others = QueryFilter::new().exclude_one(shot.shooter);
    let Some(hit) = past.cast_ray(&ray, others) else {
        return false;
    };
    let is_player = hit.object.and_then(|object| past.layers(object)) == Some(PLAYERS);
    let line = Ray::between_or_empty(shot.muzzle, hit.point);
    is_player && !now.cast_ray_any(&line, QueryFilter::new().layers(STATIC))
}

/// Where a player stands at a tick: on a circle, each with a phase of its own.
fn place(player: u8, tick: u64) -> DAffine3 {
    let angle = 0.02 * tick as f64 + f64::from(player) * 0.7;
    let (sin, cos) = angle.sin_cos();
    DAffine3::from_translation(DVec3::new(32.0 + 12.0 * cos, 0.9, 32.0 + 12.0 * sin))
}

/// Each player shoots at the next one, where that was half a dozen ticks ago.
fn shots_of(players: &[ObjectId], tick: u64) -> Vec<Shot> {
    let eye = |k: u8| place(k, tick).translation.as_vec3() + Vec3::Y * 0.7;
    let shot = |(k, shooter): (u8, &ObjectId)| {
        let target = place((k + 1) % 8, tick.saturating_sub(6))
            .translation
            .as_vec3();
        Shot {
            shooter: *shooter,
            muzzle: eye(k),
            direction: target - eye(k),
        }
    };
    (0..).zip(players).map(shot).collect()
}
