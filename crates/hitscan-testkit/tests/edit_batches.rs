//! Batches of edits: many objects that one call moves are, bit for bit, as if each were moved by a call of
//! its own, with any number of threads; and where one is refused, nothing is changed.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::world::{ObjectKind, ObjectShape};
use hitscan::{Capsule, Error, Obb, ObjectId, Primitive, Sphere, World};
use hitscan_testkit::Rng;
use hitscan_testkit::living_world::{LivingWorld, Questions};
use hitscan_testkit::random_world::placement;
use rayon::{ThreadPool, ThreadPoolBuilder};

const SEED: u64 = 0x0B0E_0065;

/// What tells of each object: whether it changes with the next update, and what it is.
fn described(world: &World, objects: &[ObjectId]) -> Vec<String> {
    let now = world.now();
    let object = |id: &ObjectId| {
        format!(
            "{} {:?} {:?} {:?} {:?}",
            world.is_pending(*id),
            now.transform(*id),
            now.object_bounds(*id),
            now.layers(*id),
            now.kind(*id)
        )
    };
    objects.iter().map(object).collect()
}

/// Both worlds are the same, before their next update and behind it.
fn assert_same(one: &World, other: &World, objects: &[ObjectId], rng: &mut Rng) {
    assert_eq!(described(one, objects), described(other, objects));
    let (mut one, mut other) = (one.clone(), other.clone());
    one.update();
    other.update();
    assert_eq!(described(&one, objects), described(&other, objects));
    let order: Vec<ObjectId> = one.now().objects().collect();
    assert_eq!(order, other.now().objects().collect::<Vec<_>>());
    for _ in 0..5 {
        let questions = Questions::random(rng);
        assert_eq!(
            questions.ask(one.now(), &order),
            questions.ask(other.now(), &order)
        );
    }
}

/// What the calls one by one leave, and the index of the first that is refused, which leaves the world as
/// it was.
fn one_by_one<E: Clone>(
    world: &World,
    entries: &[E],
    edit: impl Fn(&mut World, E) -> Result<(), Error>,
) -> (World, Option<(usize, Error)>) {
    let mut edited = world.clone();
    for (index, entry) in entries.iter().enumerate() {
        if let Err(error) = edit(&mut edited, entry.clone()) {
            return (world.clone(), Some((index, error)));
        }
    }
    (edited, None)
}

fn pools() -> [ThreadPool; 2] {
    [1, 3].map(|threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads can be started")
    })
}

/// A world of some objects, with some changes that are yet to be made.
fn living(rng: &mut Rng) -> LivingWorld {
    let mut living = LivingWorld::new(rng);
    for _ in 0..40 {
        living.add(rng);
    }
    living.world.update();
    for _ in 0..rng.below(20) {
        living.change(rng);
    }
    living
}

/// A rotation and a translation.
fn rigid(rng: &mut Rng) -> DAffine3 {
    let parts = [0; 4].map(|_| rng.uniform(-1.0, 1.0));
    let at = [0; 3].map(|_| rng.uniform(-8.0, 8.0));
    DAffine3::from_rotation_translation(DQuat::from_array(parts).normalize(), DVec3::from_array(at))
}

/// Objects of these kinds, some of them twice, and rarely one of another kind or that is no more.
fn chosen(
    living: &LivingWorld,
    takes: impl Fn(ObjectKind) -> bool,
    rng: &mut Rng,
) -> Vec<ObjectId> {
    let now = living.world.now();
    let mut objects: Vec<ObjectId> = (now.objects())
        .filter(|id| !living.gone.contains(id))
        .filter(|id| now.kind(*id).is_some_and(&takes) || rng.one_in(200))
        .collect();
    objects.extend(living.gone.iter().filter(|_| rng.one_in(20)));
    let count = objects.len().max(1);
    for _ in 0..rng.below(10) {
        objects.extend(objects.get(rng.below(count)).copied());
    }
    objects
}

#[test]
fn transforms_of_many_are_those_one_by_one_or_none() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let (mut moved, mut refused, mut named) = (0, 0, 0);
    let pools = pools();
    for _ in 0..150 {
        let living = living(&mut rng);
        let takes = |kind| !matches!(kind, ObjectKind::HeightField | ObjectKind::Aabb);
        let transforms: Vec<(ObjectId, DAffine3)> = chosen(&living, takes, &mut rng)
            .into_iter()
            .map(|id| {
                let is_solid = living
                    .world
                    .now()
                    .shape(id)
                    .is_some_and(|shape| matches!(shape, ObjectShape::Primitive(_)));
                let at = match is_solid {
                    _ if rng.one_in(200) => DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0)),
                    true => rigid(&mut rng),
                    false => placement(&mut rng, 8.0),
                };
                (id, at)
            })
            .collect();
        let objects: Vec<ObjectId> = living.world.now().objects().collect();
        let (expected, error) = one_by_one(&living.world, &transforms, |world, (id, at)| {
            world.set_transform(id, at)
        });
        for pool in &pools {
            let mut world = living.world.clone();
            let found = pool.install(|| world.set_transforms(&transforms));
            match (&error, found) {
                (None, Ok(())) => moved += 1,
                (
                    Some((at, Error::BadValue { found: value, .. })),
                    Err(Error::BadElement { index, found, .. }),
                ) => {
                    assert_eq!((index, found.to_bits()), (*at, value.to_bits()));
                    named += 1;
                }
                (Some((_, error)), Err(found)) => {
                    assert_eq!(*error, found);
                    refused += 1;
                }
                (expected, found) => panic!("{expected:?} {found:?}"),
            }
            assert_same(&world, &expected, &objects, &mut rng);
        }
    }
    println!("{moved} moved, {refused} refused, {named} by the index of the entry");
    assert!(moved > 50 && refused > 20 && named > 10);
}

fn solid(rng: &mut Rng) -> Primitive {
    let mut point = || Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-8.0, 8.0)));
    let (a, b) = (point(), point());
    let turn = rigid(rng).matrix3;
    let solid = match rng.below(3) {
        0 => Sphere::new(a, 0.7).map(Primitive::from),
        1 => Capsule::new(a, b, 0.3).map(Primitive::from),
        _ => Obb::new(a, b.abs(), DQuat::from_mat3(&turn)).map(Primitive::from),
    };
    solid.expect("it is in range")
}

#[test]
fn solids_of_many_are_those_one_by_one_or_none() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 1);
    let (mut moved, mut refused) = (0, 0);
    for _ in 0..300 {
        let living = living(&mut rng);
        let is_solid = |kind| {
            use ObjectKind::{Aabb, Capsule, Obb, Sphere};
            matches!(kind, Aabb | Capsule | Obb | Sphere)
        };
        let solids: Vec<(ObjectId, Primitive)> = chosen(&living, is_solid, &mut rng)
            .into_iter()
            .map(|id| (id, solid(&mut rng)))
            .collect();
        let objects: Vec<ObjectId> = living.world.now().objects().collect();
        let (expected, error) = one_by_one(&living.world, &solids, |world, (id, solid)| {
            world.set_primitive(id, solid)
        });
        let mut world = living.world.clone();
        let found = world.set_primitives(&solids);
        match (&error, &found) {
            (None, Ok(())) => moved += 1,
            (Some((_, error)), Err(found)) if error == found => refused += 1,
            _ => panic!("{error:?} {found:?}"),
        }
        assert_same(&world, &expected, &objects, &mut rng);
    }
    println!("{moved} moved, {refused} refused");
    assert!(moved > 50 && refused > 20);
}

/// Snapshots that are held and ticks of the history keep what they were.
#[test]
fn what_was_kept_does_not_move() {
    let mut world = World::new();
    world.keep_history(4);
    let capsule = |x: f32| Capsule::new([x, 0.0, 0.0], [x, 1.0, 0.0], 0.5).expect("it is in range");
    let objects: Vec<ObjectId> = (0..100_u16)
        .map(|x| world.add(capsule(f32::from(x))))
        .collect();
    for tick in 0..4_u8 {
        let at = |(index, id): (u16, &ObjectId)| {
            (*id, capsule(f32::from(index) + 100.0 * f32::from(tick)))
        };
        let solids: Vec<_> = (0..).zip(&objects).map(at).collect();
        world.set_primitives(&solids).unwrap();
        world.update();
        world.record(tick.into()).unwrap();
    }
    let held = world.now().clone();
    let away = objects
        .iter()
        .map(|id| (*id, DAffine3::from_translation(DVec3::splat(-50.0))));
    world.set_transforms(&away.collect::<Vec<_>>()).unwrap();
    world.update();
    for (tick, seen) in [(0, world.at(0.0)), (2, world.at(2.0)), (3, Some(held))] {
        let seen = seen.unwrap();
        for (index, id) in (0_u16..).zip(&objects) {
            let min = seen.object_bounds(*id).unwrap().min();
            assert_eq!(min.x, f32::from(index) + 100.0 * tick as f32 - 0.5);
        }
    }
}
