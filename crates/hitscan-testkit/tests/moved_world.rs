//! A world whose objects come, move, change and go answers, bit for bit, as one built afresh of what
//! is left; and a recorded tick as the world did then, whatever happened since.

use glam::DAffine3;
use hitscan::{Aabb, Error, ObjectId, Snapshot, World};
use hitscan_testkit::Rng;
use hitscan_testkit::living_world::{LivingWorld, Questions};
use std::sync::Arc;

const SEED: u64 = 0x0B0E_0041;

fn bounds_and_pairs(world: &Snapshot, objects: &[ObjectId]) -> String {
    let place = |id: ObjectId| objects.binary_search(&id).expect("an object of this world");
    let pairs = world.broad_phase_pairs(()).into_iter();
    let pairs: Vec<_> = pairs
        .map(|pair| (place(pair.a), place(pair.b), pair.intersection))
        .collect();
    let boxes: Vec<_> = objects.iter().map(|id| world.object_bounds(*id)).collect();
    format!("{pairs:?} {boxes:?} {:?}", world.bounds())
}

#[test]
fn a_moved_world_answers_as_one_built_afresh() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut answered = 0;
    for _ in 0..6 {
        let mut kept = LivingWorld::new(&mut rng);
        for round in 0..30 {
            for _ in 0..rng.below(if round == 0 { 40 } else { 4 }) {
                kept.add(&mut rng);
            }
            for _ in 0..rng.below(12) {
                kept.change(&mut rng);
            }
            kept.world.update();
            let (afresh, order) = kept.afresh();
            let own: Vec<ObjectId> = afresh.now().objects().collect();
            assert_eq!(kept.world.now().objects().collect::<Vec<_>>(), order);
            assert_eq!(kept.world.now().object_count(), order.len());
            for _ in 0..40 {
                let questions = Questions::random(&mut rng);
                let found = questions.ask(kept.world.now(), &order);
                assert_eq!(found, questions.ask(afresh.now(), &own));
                answered += usize::from(found[0] != "None");
            }
            assert_eq!(
                bounds_and_pairs(kept.world.now(), &order),
                bounds_and_pairs(afresh.now(), &own)
            );
        }
    }
    println!("{answered} hits");
    assert!(answered > 1_000, "{answered} hits");
}

#[test]
fn a_recorded_tick_answers_as_the_world_did_then() {
    const KEPT: usize = 8;
    let mut rng = Rng::new(SEED + 1);
    let mut answered = 0;
    for _ in 0..4 {
        let mut kept = LivingWorld::new(&mut rng);
        kept.world.keep_history(KEPT);
        let mut then = Vec::new();
        for tick in 0..24_u64 {
            for _ in 0..rng.below(if tick == 0 { 40 } else { 4 }) {
                kept.add(&mut rng);
            }
            for _ in 0..rng.below(12) {
                kept.change(&mut rng);
            }
            kept.world.update();
            // Ticks need not follow each other.
            let number = 3 * tick + 7;
            kept.world.record(number).unwrap();
            assert!(kept.world.record(number).is_err());
            then.push((number, kept.afresh()));
            let first = then[then.len().saturating_sub(KEPT)].0;
            assert_eq!(kept.world.history(), Some(first..=number));
            assert!(kept.world.at(first as f64 - 0.5).is_none());
            assert!(kept.world.at(number as f64 + 0.5).is_none());
            assert!(kept.world.at(f64::NAN).is_none());
            // Changes that no update has made yet are nowhere to be seen.
            kept.change(&mut rng);
            for _ in 0..20 {
                let back = rng.below(then.len().min(KEPT));
                let (number, (afresh, order)) = &then[then.len() - 1 - back];
                let past = kept.world.at(*number as f64).unwrap();
                let questions = Questions::random(&mut rng);
                let own: Vec<ObjectId> = afresh.now().objects().collect();
                let found = questions.ask(&past, order);
                assert_eq!(found, questions.ask(afresh.now(), &own), "tick {number}");
                answered += usize::from(found[0] != "None");
            }
        }
    }
    println!("{answered} hits");
    assert!(answered > 500, "{answered} hits");
}

#[test]
fn stale_handles_and_wrong_kinds_are_refused() {
    let mut rng = Rng::new(SEED + 2);
    let mut kept = LivingWorld::new(&mut rng);
    let model = Arc::clone(kept.model());
    for _ in 0..20 {
        kept.add(&mut rng);
    }
    kept.world.update();
    while kept.gone.len() < 5 {
        kept.change(&mut rng);
    }
    let stale = |result: Result<(), Error>| matches!(result, Err(Error::StaleObject { .. }));
    let sphere = hitscan::Sphere::new([0.0; 3], 1.0).unwrap();
    for update in [false, true] {
        if update {
            kept.world.update();
            // Slots are used again; handles are not.
            for _ in 0..5 {
                kept.add(&mut rng);
            }
        }
        for id in kept.gone.clone() {
            let world = &mut kept.world;
            assert!(stale(world.remove(id)));
            assert!(stale(world.set_layers(id, 1)));
            assert!(stale(world.set_primitive(id, sphere)));
            assert!(stale(world.set_transform(id, DAffine3::IDENTITY)));
            assert!(stale(world.set_pose_at(id, 0, 0.0)));
            if update {
                assert_eq!(
                    (world.now().kind(id), world.now().object_bounds(id)),
                    (None, None)
                );
            }
        }
    }
    let mut world = World::new();
    let ball = world.add(sphere);
    let mesh = Arc::clone(model.parts()[0].mesh());
    let mesh = world.add_at(mesh, DAffine3::IDENTITY).unwrap();
    let wrong = |result: Result<(), Error>| matches!(result, Err(Error::WrongObject { .. }));
    assert!(wrong(world.set_pose(ball, model.rest_pose())));
    assert!(wrong(world.set_pose(mesh, model.rest_pose())));
    assert!(wrong(world.set_primitive(mesh, sphere)));
}

#[test]
fn memory_of_the_history_is_bounded_and_shared() {
    let mut world = World::new();
    let box_at = |x: f32| Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]).unwrap();
    let ids: Vec<ObjectId> = (0..1000_u16)
        .map(|place| world.add(box_at(2.0 * f32::from(place))))
        .collect();
    world.update();
    world.keep_history(16);
    for tick in 0..16 {
        world.record(tick).unwrap();
    }
    let still = world.history_bytes();
    let mut moved = Vec::new();
    for tick in 16..64_u16 {
        world
            .set_primitive(ids[0], box_at(f32::from(tick)))
            .unwrap();
        world.update();
        world.record(tick.into()).unwrap();
        moved.push(world.history_bytes());
    }
    let whole = world.memory_bytes();
    println!(
        "{still} bytes for 16 ticks of rest, {:?} in motion, {whole} the world",
        moved.last()
    );
    assert!(still < whole / 4, "what rests is kept once");
    let (before, after) = (moved[20], moved[47]);
    assert!(
        after < before + before / 50,
        "what is kept does not grow: {before} {after}"
    );
    world.keep_history(0);
    assert_eq!((world.history(), world.history_bytes()), (None, 0));
}

#[test]
fn posing_many_is_posing_each() {
    let mut rng = Rng::new(SEED + 3);
    let model = Arc::clone(LivingWorld::new(&mut rng).model());
    let mut one_by_one = World::new();
    let ids: Vec<ObjectId> = (0..500)
        .map(|_| one_by_one.add_model(&model, model.rest_pose(), DAffine3::IDENTITY))
        .collect::<Result<_, _>>()
        .unwrap();
    one_by_one.update();
    let mut together = one_by_one.clone();
    let mut poses: Vec<(ObjectId, usize, f64)> = ids
        .iter()
        .map(|id| (*id, rng.below(model.clips().len()), rng.uniform(-1.0, 3.0)))
        .collect();
    // Of several for one object the last counts.
    poses.push((ids[7], 0, 0.25));
    for (id, clip, time) in &poses {
        one_by_one.set_pose_at(*id, *clip, *time).unwrap();
    }
    together.set_poses_at(&poses).unwrap();
    one_by_one.update();
    together.update();
    for id in &ids {
        assert_eq!(together.now().pose(*id), one_by_one.now().pose(*id));
        let bounds = one_by_one.now().object_bounds(*id);
        assert_eq!(together.now().object_bounds(*id), bounds);
    }
    let ball = together.add(hitscan::Sphere::new([0.0; 3], 1.0).unwrap());
    together.update();
    let before = together.now().pose(ids[0]);
    for refused in [
        (ids[1], model.clips().len(), 0.0),
        (ids[1], 0, f64::NAN),
        (ball, 0, 0.0),
    ] {
        let poses = [(ids[0], 0, 0.5), refused];
        assert!(together.set_poses_at(&poses).is_err());
        together.update();
        assert_eq!(together.now().pose(ids[0]), before, "nothing is changed");
    }
    assert!(together.set_poses_at(&[]).is_ok());
}
