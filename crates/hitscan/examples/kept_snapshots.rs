//! The cost of a snapshot that is kept while the world changes: nothing where none is kept, and where
//! one is, a copy of the pointers to blocks of objects, of the blocks that change, and of the tree.
//!
//! Run with `cargo run --release -p hitscan --example kept_snapshots`.

use glam::Vec3;
use hitscan::{Aabb, ObjectId, Ray, Snapshot, World, glam};
use std::time::{Duration, Instant};

const OBJECTS: u16 = 40_000;
const FRAMES: usize = 60;

fn place(number: u16, frame: usize) -> Vec3 {
    let (x, z) = (f32::from(number % 200), f32::from(number / 200));
    Vec3::new(3.0 * x + 0.01 * frame as f32, 0.0, 3.0 * z)
}

fn crate_at(place: Vec3) -> Result<Aabb, hitscan::Error> {
    Aabb::new(place, place + 1.0)
}

/// The median time of an update in which the first `moved` objects move.
fn update_time(
    world: &mut World,
    ids: &[ObjectId],
    moved: usize,
    mut keep: impl FnMut(&Snapshot),
) -> Result<Duration, hitscan::Error> {
    let mut times = Vec::new();
    for frame in 0..FRAMES {
        keep(world.now());
        for (number, id) in (0..).zip(&ids[..moved]) {
            world.set_primitive(*id, crate_at(place(number, frame))?)?;
        }
        let begin = Instant::now();
        world.update();
        times.push(begin.elapsed());
    }
    times.sort_unstable();
    Ok(times[FRAMES / 2])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let mut ids = Vec::new();
    for number in 0..OBJECTS {
        ids.push(world.add(crate_at(place(number, 0))?));
    }
    world.update();
    println!("{OBJECTS} boxes, an update's median time:");
    for moved in [0, 100, 4_000, 40_000] {
        let alone = update_time(&mut world, &ids, moved, |_| {})?;
        let mut kept = Snapshot::default();
        let held = update_time(&mut world, &ids, moved, |now| kept = now.clone())?;
        println!("{moved:6} move: {alone:>9.1?} alone, {held:>9.1?} with the last snapshot kept");
    }

    // A thread queries what it was given while the world moves on.
    let before = world.now().clone();
    let down = Ray::new(
        place(7, FRAMES - 1) + Vec3::new(0.5, 5.0, 0.5),
        [0.0, -1.0, 0.0],
    )?;
    let hit = |snapshot: &Snapshot| snapshot.cast_ray(&down, ());
    let expected = hit(&before);
    let reader =
        std::thread::spawn(move || (0..1_000).all(|_| before.cast_ray(&down, ()) == expected));
    world.remove(ids[7])?;
    world.update();
    assert!(expected.is_some() && hit(world.now()).is_none());
    assert!(reader.join().map_err(|_| "the thread panicked")?);
    Ok(())
}
