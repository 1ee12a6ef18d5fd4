//! Objects of baked worlds: made when something first comes to them, changed as any, and refused where
//! their records are broken.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::baked::{Bytes, Reader, Writer};
use hitscan::glam::DAffine3;
use hitscan::model::{
    ChannelData, ClipData, Interpolation, Model, ModelData, NodeData, PartData, PosedModel,
    Property,
};
use hitscan::world::{ObjectKind, ObjectShape};
use hitscan::{Aabb, Error, ObjectId, Ray, Sphere, World};
use hitscan_testkit::living_world::{LivingWorld, Questions};
use hitscan_testkit::{Rng, rounds};
use std::sync::Arc;

struct Parts {
    table: Vec<u8>,
    arrays: Vec<Vec<u8>>,
}

impl Parts {
    fn of(world: &World) -> Self {
        let mut writer = Writer::new();
        world.now().bake(&mut writer);
        let (table, arrays) = writer.into_parts();
        let arrays = arrays.into_iter().map(|array| array.into_owned()).collect();
        Self { table, arrays }
    }

    fn read(&self) -> Result<World, Error> {
        let arrays = self.arrays.iter().map(|array| Bytes::lent(array)).collect();
        let mut reader = Reader::new(&self.table, arrays);
        let world = World::from_baked(&mut reader)?;
        reader.finish()?;
        Ok(world)
    }
}

/// A world of some number of objects that nothing has been removed from, so that a copy has its handles.
fn living_world(seed: u64, objects: usize) -> LivingWorld {
    let mut rng = Rng::new(seed);
    let mut living = LivingWorld::new(&mut rng);
    while living.len() < objects {
        living.add(&mut rng);
    }
    living.world.update();
    living
}

#[test]
fn baked_worlds_live_on_as_worlds_that_are_built_afresh() {
    let mut rng = Rng::new(3001);
    for round in 0..rounds(15) {
        let objects = [5, 40, 90, 150][rng.below(4)];
        let mut living = living_world(3100 + round as u64, objects);
        living.world = Parts::of(&living.world).read().unwrap();
        for _ in 0..6 {
            // Few changes, so that most objects are still those of the file, or many.
            for _ in 0..=rng.below(objects) / [1, 30][rng.below(2)] {
                living.change(&mut rng);
            }
            for _ in 0..rng.below(4) {
                living.add(&mut rng);
            }
            living.world.update();
            let (afresh, own) = living.afresh();
            let theirs: Vec<ObjectId> = afresh.now().objects().collect();
            assert_eq!(living.world.now().objects().collect::<Vec<_>>(), own);
            assert_eq!(living.world.now().object_count(), own.len());
            for _ in 0..12 {
                let questions = Questions::random(&mut rng);
                assert_eq!(
                    questions.ask(living.world.now(), &own),
                    questions.ask(afresh.now(), &theirs),
                    "{questions:?}"
                );
            }
            for gone in &living.gone {
                assert!(living.world.now().kind(*gone).is_none());
            }
            assert_eq!(
                Parts::of(&living.world).arrays.last(),
                Parts::of(&afresh).arrays.last(),
                "whatever a world went through, its tree is baked as that of a new one"
            );
        }
        living.world.clear();
        living.world.update();
        assert_eq!(living.world.now().objects().count(), 0);
        assert_eq!(living.world.now().bounds(), None);
    }
}

#[test]
fn the_history_of_a_baked_world_is_that_of_any() {
    for seed in 3201..3204 {
        let (mut own, mut other) = (living_world(seed, 60), living_world(seed, 60));
        other.world = Parts::of(&other.world).read().unwrap();
        let mut ids: Vec<ObjectId> = own.world.now().objects().collect();
        for living in [&mut own, &mut other] {
            let mut rng = Rng::new(seed);
            living.world.keep_history(4);
            for tick in 0..4 {
                living.world.record(tick).unwrap();
                for _ in 0..5 {
                    living.change(&mut rng);
                }
                living.add(&mut rng);
                living.world.update();
            }
        }
        ids.extend(own.world.now().objects());
        ids.sort_unstable();
        ids.dedup();
        let mut rng = Rng::new(seed);
        for _ in 0..40 {
            let questions = Questions::random(&mut rng);
            for time in [0.0, 0.25, 1.0, 2.5, 3.0] {
                let ask = |world: &World| questions.ask(&world.at(time).unwrap(), &ids);
                assert_eq!(ask(&other.world), ask(&own.world), "{time} {questions:?}");
            }
        }
    }
}

fn spheres(count: u16) -> World {
    let mut world = World::new();
    for x in 0..count {
        world.add(Sphere::new([f32::from(x) * 3.0, 0.0, 0.0], 1.0).unwrap());
    }
    world.update();
    world
}

#[test]
fn objects_take_memory_when_something_comes_to_them() {
    let world = spheres(3000);
    let baked = Parts::of(&world).read().unwrap();
    let at_first = baked.memory_bytes();
    assert!(at_first + 64 * 3000 <= world.memory_bytes());
    let down = Ray::new([300.0, 9.0, 0.0], [0.0, -1.0, 0.0]).unwrap();
    let hit = baked.now().cast_ray(&down, ()).unwrap();
    assert_eq!((hit.t, hit.object.unwrap().index()), (8.0, 100));
    let after_a_ray = baked.memory_bytes();
    assert!(at_first < after_a_ray && after_a_ray < at_first + 20_000);
    // Queries that the records answer make no object.
    assert_eq!(baked.now().objects().count(), 3000);
    assert_eq!(baked.memory_bytes(), after_a_ray);
    for object in baked.now().objects() {
        assert_eq!(baked.now().kind(object), Some(ObjectKind::Sphere));
    }
    assert!(baked.memory_bytes() >= at_first + 64 * 3000);
}

/// What is done to a world of 40 spheres, and what is said of it.
type Damage = (&'static str, fn(&mut Parts));

const RECORDS: usize = 0;
const ENDS: usize = 1;
const NODES: usize = 2;
/// Of a sphere: number, layers, user data, kind, centre, radius.
const RECORD: usize = 44;
/// Where a node has its children, and the bits of those that there are.
const CHILDREN: usize = 192;
const USED: usize = 224;
const NODE: usize = 256;

fn set(bytes: &mut [u8], at: usize, number: u32) {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

const DAMAGES: [Damage; 13] = [
    ("number of an object", |parts| {
        set(&mut parts.arrays[RECORDS], 7 * RECORD, 6);
    }),
    ("number of an object", |parts| {
        set(&mut parts.arrays[RECORDS], 39 * RECORD + 4, u32::MAX);
    }),
    ("kind of an object", |parts| {
        set(&mut parts.arrays[RECORDS], 3 * RECORD + 20, 999);
    }),
    ("terrain of an object", |parts| {
        set(&mut parts.arrays[RECORDS], 3 * RECORD + 20, 0);
    }),
    ("finite", |parts| {
        set(&mut parts.arrays[RECORDS], 3 * RECORD + 24, 0x7fc0_0000);
    }),
    ("objects", |parts| {
        parts.arrays[RECORDS].truncate(39 * RECORD)
    }),
    ("ends of objects", |parts| {
        set(&mut parts.arrays[ENDS], 8 * 4, 88);
    }),
    ("number of an object", |parts| {
        // The sixth ends where it begins.
        set(&mut parts.arrays[ENDS], 8 * 5, 220);
    }),
    ("tree nodes", |parts| {
        set(&mut parts.arrays[NODES], CHILDREN, 0);
    }),
    ("tree nodes", |parts| {
        // Two places of the last node, which has leaves alone, lead to one object.
        let nodes = &mut parts.arrays[NODES];
        let last = nodes.len() - NODE + CHILDREN;
        let leaf = number(nodes, last);
        set(nodes, last + 4, leaf);
    }),
    ("tree nodes", |parts| {
        let nodes = &mut parts.arrays[NODES];
        let last = nodes.len() - NODE + CHILDREN;
        set(nodes, last, 1 << 31 | 40);
    }),
    ("tree nodes", |parts| {
        // A node of one child, which would be no node after that is removed.
        let nodes = &mut parts.arrays[NODES];
        let last = nodes.len() - NODE;
        set(nodes, last + USED, 1);
        for axis in 0..3 {
            for place in 1..8 {
                let low = last + axis * 64 + place * 4;
                set(nodes, low, f32::INFINITY.to_bits());
                set(nodes, low + 32, f32::NEG_INFINITY.to_bits());
            }
        }
    }),
    ("tree nodes", |parts| parts.arrays[NODES].truncate(NODE)),
];

#[test]
fn broken_records_and_trees_are_refused_by_name() {
    let world = spheres(40);
    for (index, (what, damage)) in DAMAGES.iter().enumerate() {
        let mut parts = Parts::of(&world);
        assert_eq!(parts.arrays[RECORDS].len(), 40 * RECORD);
        damage(&mut parts);
        let message = parts.read().unwrap_err().to_string();
        assert!(message.contains(what), "{index}: {message}");
    }
    let mut parts = Parts::of(&world);
    // The list of terrains names a sphere: after four empty lists a count and a place.
    let terrains = 4 * 8;
    set(&mut parts.table, terrains, 1);
    parts.table.splice(terrains + 8..terrains + 8, [0; 4]);
    let message = parts.read().unwrap_err().to_string();
    assert!(message.contains("terrain"), "{message}");
}

/// A model that grows out of range in its clip.
fn growing_model() -> Arc<Model> {
    let model = Model::new(ModelData {
        nodes: vec![NodeData::default()],
        clips: vec![ClipData {
            channels: vec![ChannelData {
                node: 0,
                property: Property::Scale,
                interpolation: Interpolation::Linear,
                times: vec![0.0, 1.0],
                values: vec![1.0, 1.0, 1.0, 1e30, 1e30, 1e30],
            }],
            ..ClipData::default()
        }],
        parts: vec![PartData {
            positions: vec![
                [0.0; 3].into(),
                [1.0, 0.0, 0.0].into(),
                [0.0, 1.0, 0.0].into(),
            ],
            triangles: vec![[0, 1, 2]],
            ..PartData::default()
        }],
        ..ModelData::default()
    });
    Arc::new(model.unwrap())
}

#[test]
fn what_cannot_be_made_is_nothing_that_is_hit() {
    let model = growing_model();
    let mut world = World::new();
    let posed = |time| PosedModel::at_clip(&model, 0, time);
    world.add(posed(0.0).unwrap());
    let ball = world.add(Sphere::new([0.25, 0.25, -2.0], 1.0).unwrap());
    world.update();
    let ray = Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, -1.0]).unwrap();
    let mut parts = Parts::of(&world);
    let hit = |world: &World| world.now().cast_ray(&ray, ()).unwrap();
    assert_eq!(hit(&parts.read().unwrap()).t, 3.0);
    // Number, layers, user data, kind, model, that there is a clip, and which.
    let time = 8 + 4 + 8 + 4 + 8 + 4 + 8;
    let length = time + 8 + 12 * 8 + RECORD;
    let place = parts.arrays.len() - 3;
    let records = &mut parts.arrays[place];
    assert_eq!(records.len(), length);
    records[time..time + 8].copy_from_slice(&1.0_f64.to_le_bytes());
    let grown = posed(1.0).and_then(|grown| World::new().add_at(grown, DAffine3::IDENTITY));
    assert!(grown.is_err());
    let mut baked = parts.read().unwrap();
    assert_eq!(hit(&baked).object.map(ObjectId::index), Some(ball.index()));
    assert_eq!(baked.now().object_count(), 2);
    let objects: Vec<ObjectId> = baked.now().objects().collect();
    assert!(matches!(
        baked.now().shape(objects[0]),
        Some(ObjectShape::TriMesh(_))
    ));
    baked.remove(objects[0]).unwrap();
    baked.update();
    assert_eq!(baked.now().objects().collect::<Vec<_>>(), [objects[1]]);
}

/// Does to each object what can be done to it, and adds one.
fn change_all(world: &mut World, rng: &mut Rng) {
    let objects: Vec<ObjectId> = world.now().objects().collect();
    for object in objects {
        let place = [0; 3].map(|_| rng.uniform_f32(-8.0, 8.0));
        // Terrain takes no transform, an oriented box becomes a sphere.
        let _ = match rng.below(5) {
            0 => world.remove(object),
            1 => world.set_layers(object, 2),
            2 => world.set_primitive(object, Sphere::new(place, 1.0).unwrap()),
            3 => world.set_pose_at(object, 0, 0.5),
            _ => {
                let at = place.map(f64::from).into();
                world.set_transform(object, DAffine3::from_translation(at))
            }
        };
        if rng.one_in(4) {
            world.update();
        }
    }
    world.add(Aabb::new([0.0; 3], [1.0; 3]).unwrap());
    world.update();
}

#[test]
fn worlds_of_made_up_bytes_can_be_changed() {
    let mut rng = Rng::new(3401);
    let mut changed = 0;
    for round in 0..rounds(30) {
        let living = living_world(3500 + round as u64, 70);
        for _ in 0..30 {
            let mut parts = Parts::of(&living.world);
            // Records, their ends and nodes are the last three arrays.
            let from = parts.arrays.len() - 3;
            for _ in 0..=rng.below(3) {
                let bytes = &mut parts.arrays[from + rng.below(3)];
                let at = rng.below(bytes.len());
                bytes[at] ^= 1 << rng.below(8);
            }
            let Ok(mut world) = parts.read() else {
                continue;
            };
            changed += 1;
            change_all(&mut world, &mut rng);
            let objects: Vec<ObjectId> = world.now().objects().collect();
            let _ = Questions::random(&mut rng).ask(world.now(), &objects);
        }
    }
    println!("{changed} were read and changed");
    assert!(changed > 20);
}

/// Spheres and boxes that reach beyond the range of coordinates, as do their boxes in the tree.
#[test]
fn objects_that_reach_beyond_the_range_are_read_again() {
    let mut world = World::new();
    let huge = world.add(Sphere::new([0.0; 3], 1e18).unwrap());
    world.add(Sphere::new([1e18, 0.0, -1e18], 1e18).unwrap());
    world.add(Sphere::new([3.0, 0.0, 0.0], 1.0).unwrap());
    world.update();
    let read = Parts::of(&world).read().unwrap();
    assert_eq!(read.now().bounds(), world.now().bounds());
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    let hit = read.now().cast_ray(&ray, ()).unwrap();
    assert_eq!(hit.object, Some(huge));
    assert_eq!(
        read.now().cast_ray_all(&ray, ()),
        world.now().cast_ray_all(&ray, ())
    );
}
