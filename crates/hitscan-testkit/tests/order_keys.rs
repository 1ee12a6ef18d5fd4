//! Order keys: objects that come in any order answer as those that came in the order of their keys, in every query.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use glam::{DAffine3, Vec2, Vec3};
use hitscan::baked::{Bytes, Reader, Writer};
use hitscan::height_field::{Footprint, Grid};
use hitscan::{
    Aabb, BallisticArc, Camera, CameraTile, Error, HeightField, ObjectCast, ObjectId, Primitive,
    Ray, ShapeCast, Snapshot, Sphere, SurfaceId, World,
};
use hitscan_testkit::living_world::{LivingWorld, Questions};
use hitscan_testkit::{Rng, rounds, shuffle};
use std::sync::Arc;

const SEED: u64 = 0x0B0E_0034;

/// What is in a world, all of it twice.
fn living(rng: &mut Rng) -> LivingWorld {
    let mut living = LivingWorld::new(rng);
    for _ in 0..8 + rng.below(10) {
        living.add(rng);
    }
    living
}

fn shuffled(count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    shuffle(rng, &mut order);
    order
}

/// A text with each handle in it replaced by its place among the objects.
fn named(answer: &impl core::fmt::Debug, objects: &[ObjectId]) -> String {
    let mut text = format!("{answer:?}");
    for (place, object) in objects.iter().enumerate() {
        text = text.replace(&format!("{object:?}"), &format!("#{place}"));
    }
    assert!(!text.contains("ObjectId"), "{text}");
    text
}

/// Answers of the queries that [`Questions`] does not ask: batches, pairs and whole lists.
fn more_answers(now: &Snapshot, objects: &[ObjectId], rng: &mut Rng) -> Vec<String> {
    let point = |rng: &mut Rng| {
        let point = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-8.0, 8.0)));
        if rng.one_in(2) { point.round() } else { point }
    };
    let points: Vec<Vec3> = (0..40).map(|_| point(rng)).collect();
    let pairs = || points.windows(2);
    let rays: Vec<Ray> = pairs()
        .map(|pair| Ray::between_or_empty(pair[0], pair[1]))
        .collect();
    let spheres: Vec<Primitive> = points[..6]
        .iter()
        .map(|point| Sphere::new(*point, 1.5).unwrap().into())
        .collect();
    let casts: Vec<ShapeCast> = spheres
        .iter()
        .zip(&points)
        .map(|(sphere, to)| ShapeCast::new_or_empty(sphere, *to))
        .collect();
    let turnings: Vec<_> = casts
        .iter()
        .take(2)
        .filter_map(|cast| cast.clone().turning([0.0, 1.0, 0.0], 0.4).ok())
        .collect();
    let arcs: Vec<BallisticArc> = pairs()
        .map(|pair| BallisticArc::new_or_empty(pair[0], pair[1] - pair[0], [0.0, -9.75, 0.0]))
        .collect();
    let movers: Vec<ObjectCast> = objects[..3]
        .iter()
        .map(|object| ObjectCast::new(*object, points[0]).unwrap())
        .collect();
    let grounds: Vec<Vec2> = points
        .iter()
        .map(|point| Vec2::new(point.x, point.z))
        .collect();
    let footprints: Vec<Footprint> = grounds[..6]
        .iter()
        .map(|at| Footprint::disc(*at, 1.0).unwrap())
        .collect();
    let camera = Camera::new([0.0, 6.0, 14.0], [0.0; 3], 0.9, [64, 48]).unwrap();
    let mut visited = Vec::new();
    for ray in &rays[..4] {
        let _ = now.visit_ray_hits(ray, (), |hit| {
            visited.push(*hit);
            core::ops::ControlFlow::Continue(())
        });
    }
    let named = |answer: &dyn core::fmt::Debug| named(&answer, objects);
    vec![
        named(&now.objects().collect::<Vec<_>>()),
        named(&now.cast_rays(&rays, ())),
        named(&now.cast_rays_all(&rays, ())),
        named(&now.cast_camera(&camera, &CameraTile::whole(&camera), ())),
        named(&now.cast_arcs(&arcs, ())),
        named(&now.cast_shapes(&casts, ())),
        named(&now.cast_shapes_all(&casts, ())),
        named(&now.cast_turnings(&turnings, ())),
        named(&now.cast_objects(&movers, ())),
        named(&now.cast_objects_all(&movers, ())),
        named(&now.contacts_of_shapes(&spheres, 0.2, hitscan::ContactsPer::Object, ())),
        named(&now.enclosures(spheres[0].clone(), ())),
        named(&now.closest_points(&points, 5.0, ())),
        named(&now.first_blockers(&points[..5], &points[5..10], ())),
        named(&now.heights(&grounds, ())),
        named(&now.max_height(grounds[0], 2.0, ())),
        named(&now.footprints(&footprints, ())),
        named(&now.broad_phase_pairs(())),
        named(&now.overlaps(())),
        named(&now.pairs_within(0.1, ())),
        named(&now.closest_pair(())),
        named(&visited),
    ]
}

/// A world and its handles, in the order of their places.
type Built = (World, Vec<ObjectId>);

fn assert_same(one: &Built, other: &Built, rng: &mut Rng) {
    assert!(one.1.is_sorted() && other.1.is_sorted());
    for _ in 0..6 {
        let questions = Questions::random(rng);
        let answers = |built: &Built| questions.ask(built.0.now(), &built.1);
        assert_eq!(answers(one), answers(other));
    }
    let seed = rng.below(1 << 30) as u64;
    let answers = |built: &Built| more_answers(built.0.now(), &built.1, &mut Rng::new(seed));
    for (one, other) in answers(one).iter().zip(&answers(other)) {
        assert_eq!(one, other);
    }
}

#[test]
fn shuffled_objects_answer_in_the_order_of_their_keys() {
    let mut rng = Rng::new(SEED);
    let mut ties = 0;
    for round in 0..rounds(30) {
        let living = living(&mut rng);
        let count = 2 * living.len();
        let in_order: Vec<usize> = (0..count).collect();
        let order = shuffled(count, &mut rng);
        let expected = living.doubled(&in_order, |_, id, _| id);
        let key = |place: usize| match round % 3 {
            0 => u32::MAX - u32::try_from(count - place).unwrap(),
            _ => u32::try_from(3 * place).unwrap(),
        };
        let keyed = living.doubled(&order, |world, id, place| {
            world.set_order_key(id, key(place)).unwrap()
        });
        for (place, id) in keyed.1.iter().enumerate() {
            assert_eq!(id.order_key(), key(place));
        }
        assert_same(&expected, &keyed, &mut rng);

        // Keys that are given after all objects are in the world.
        let (mut world, mut later) = living.doubled(&order, |_, id, _| id);
        for (place, id) in later.iter_mut().enumerate() {
            let before = *id;
            *id = world.set_order_key(before, key(place)).unwrap();
            let is_same = before == *id;
            assert_eq!(world.set_layers(before, 1).is_ok(), is_same);
            let layers = world.now().layers(before).unwrap();
            world.set_layers(*id, layers).unwrap();
        }
        world.update();
        assert_eq!(world.now().object_count(), count);
        assert_same(&expected, &(world, later), &mut rng);

        for _ in 0..20 {
            let ray = Questions::random(&mut rng).ray();
            let hits = keyed.0.now().cast_ray_all(&ray, ());
            ties += usize::from(hits.windows(2).any(|pair| pair[0].t == pair[1].t));
        }
    }
    assert!(ties > rounds(100), "{ties}");
}

#[test]
fn of_one_key_objects_are_in_the_order_of_adding() {
    let mut rng = Rng::new(SEED + 1);
    for _ in 0..rounds(6) {
        let living = living(&mut rng);
        let in_order: Vec<usize> = (0..2 * living.len()).collect();
        let expected = living.doubled(&in_order, |_, id, _| id);
        let keyed = living.doubled(&in_order, |world, id, place| {
            let key = u32::try_from(place / 5).unwrap();
            world.set_order_key(id, key).unwrap()
        });
        assert_same(&expected, &keyed, &mut rng);
    }
}

#[test]
fn a_baked_world_keeps_its_keys() {
    let mut rng = Rng::new(SEED + 2);
    for _ in 0..rounds(6) {
        let living = living(&mut rng);
        let order = shuffled(2 * living.len(), &mut rng);
        let keyed = living.doubled(&order, |world, id, place| {
            let key = u32::try_from(place).unwrap();
            world.set_order_key(id, key).unwrap()
        });
        let mut writer = Writer::new();
        keyed.0.now().bake(&mut writer);
        let (table, arrays) = writer.into_parts();
        let arrays = arrays.iter().map(|array| Bytes::lent(array)).collect();
        let mut again = World::from_baked(&mut Reader::new(&table, arrays)).unwrap();
        let objects: Vec<ObjectId> = again.now().objects().collect();
        let keys = |objects: &[ObjectId]| -> Vec<(u32, usize)> {
            let keys = objects.iter().map(|id| (id.order_key(), id.index()));
            keys.collect()
        };
        assert_eq!(keys(&objects), keys(&keyed.1));
        let next = again.add(Sphere::new([0.0; 3], 1.0).unwrap());
        let (again_now, index) = (again.clone(), next.index());
        assert_eq!(index, keyed.1.len());
        assert_same(&keyed, &(again_now, objects), &mut rng);
    }
}

#[test]
fn a_key_takes_the_surface_along_and_leaves_a_stale_handle() {
    let mut world = World::new();
    let field = HeightField::new(Grid::new(3, 3, [2.0; 2]), vec![0.0; 9]).unwrap();
    let field = Arc::new(field);
    let (settled, fresh) = (world.add(Arc::clone(&field)), world.add(field));
    let surface = Some(SurfaceId::new(7));
    world.set_surface(settled, surface).unwrap();
    world.update();
    world.set_surface(fresh, surface).unwrap();
    let keyed = [settled, fresh].map(|id| world.set_order_key(id, 9).unwrap());
    world.update();
    let now = world.now();
    assert_eq!(keyed.map(|id| now.surface(id)), [surface; 2]);
    assert_eq!([settled, fresh].map(|id| now.surface(id)), [None; 2]);
    assert_eq!(now.objects().collect::<Vec<_>>(), keyed);
    assert_eq!(
        keyed.map(ObjectId::index),
        [settled, fresh].map(ObjectId::index)
    );
    assert!(now.kind(settled).is_none());
    for stale in [settled, fresh] {
        let refused = world.set_order_key(stale, 1);
        assert!(matches!(refused, Err(Error::StaleObject { .. })));
        assert!(matches!(
            world.remove(stale),
            Err(Error::StaleObject { .. })
        ));
    }
    let same = world.set_order_key(keyed[0], 9).unwrap();
    world.update();
    assert_eq!((same, world.now().surface(same)), (keyed[0], surface));
    // Back to 0 it is first again.
    let first = world.set_order_key(keyed[1], 0).unwrap();
    world.update();
    assert_eq!(world.now().objects().collect::<Vec<_>>(), [first, keyed[0]]);
    assert_eq!(
        world.now().height_fields(()).next().map(|(id, _)| id),
        Some(first)
    );
}

#[test]
fn between_ticks_the_order_is_that_of_keys() {
    let mut world = World::new();
    world.keep_history(4);
    let boxed = |x: f32| Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]).unwrap();
    let added = [30, 10, 20].map(|key| {
        let id = world.add(boxed(0.0));
        world.set_order_key(id, key).unwrap()
    });
    for tick in 0..2_u8 {
        for id in added {
            world.set_primitive(id, boxed(f32::from(tick))).unwrap();
        }
        world.update();
        world.record(tick.into()).unwrap();
    }
    let between = world.at(0.5).unwrap();
    let ray = Ray::new([-3.0, 0.5, 0.5], [1.0, 0.0, 0.0]).unwrap();
    let hits = between.cast_ray_all(&ray, hitscan::Sides::Front);
    let keys: Vec<u32> = hits
        .iter()
        .map(|hit| hit.object.unwrap().order_key())
        .collect();
    assert_eq!(keys, [10, 20, 30]);
    assert_eq!(between.cast_ray(&ray, ()).unwrap().object, Some(added[1]));
    // Another key is another object to the history: it has no later place.
    let other = world.set_order_key(added[1], 40).unwrap();
    world
        .set_transform(other, DAffine3::from_translation([9.0, 0.0, 0.0].into()))
        .unwrap();
    world.update();
    world.record(2).unwrap();
    let between = world.at(1.5).unwrap();
    assert!(between.kind(other).is_none() && between.kind(added[1]).is_some());
    assert!(world.now().kind(other).is_some());
}
