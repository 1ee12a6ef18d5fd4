//! The hits that a visitor receives along a ray, against casts at each object alone, sorted plainly.

use core::ops::ControlFlow;
use hitscan::{
    QueryFilter, Ray, RayCastSettings, RayHit, RayStart, Sides, Snapshot, Sphere, World,
};
use hitscan_testkit::living_world::{LivingWorld, Questions};
use hitscan_testkit::{Rng, rounds};
use std::cell::Cell;

const SEED: u64 = 0x0B0E_0035;

/// The nearest hit on each object, by t and then by object.
fn one_by_one(now: &Snapshot, ray: &Ray, settings: RayCastSettings, layers: u32) -> Vec<RayHit> {
    let alone = |object| {
        let is_it = |other| other == object;
        let filter = QueryFilter::new().layers(layers).predicate(&is_it);
        now.cast_ray(ray, (settings, filter))
    };
    let mut hits: Vec<RayHit> = now.objects().filter_map(alone).collect();
    hits.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.object.cmp(&b.object)));
    hits
}

/// The first `count` hits that are visited, and whether the visit was broken off.
fn visited(
    now: &Snapshot,
    ray: &Ray,
    (settings, layers): (RayCastSettings, u32),
    count: usize,
) -> (Vec<RayHit>, bool) {
    let mut hits = Vec::new();
    let filter = QueryFilter::new().layers(layers);
    let flow = now.visit_ray_hits(ray, (settings, filter), |hit| {
        hits.push(*hit);
        match hits.len() < count {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    (hits, flow.is_break())
}

#[test]
fn each_object_is_met_once_in_order_until_the_visitor_breaks() {
    let mut rng = Rng::new(SEED);
    let (mut hits, mut ties, mut broken) = (0, 0, 0);
    for round in 0..rounds(60) {
        let mut living = LivingWorld::new(&mut rng);
        for _ in 0..4 + rng.below(30) {
            living.add(&mut rng);
        }
        let order: Vec<usize> = (0..2 * living.len()).collect();
        let (mut world, objects) = living.doubled(&order, |_, id, _| id);
        // Of some worlds a time between two ticks.
        world.keep_history(2);
        world.record(0).unwrap();
        if let Some(first) = objects.first() {
            world.remove(*first).unwrap();
        }
        world.update();
        world.record(1).unwrap();
        let snapshot = match round % 2 {
            0 => world.now().clone(),
            _ => world.at(0.5).unwrap(),
        };
        for _ in 0..100 {
            let ray = Questions::random(&mut rng).ray();
            let ray = match rng.below(3) {
                0 => ray,
                1 => ray.limited_to(rng.uniform_f32(0.0, 3.0)),
                _ => Ray::new(ray.origin() - ray.direction() * 4.0, ray.direction()).unwrap(),
            };
            let settings: RayCastSettings = match rng.below(4) {
                0 => Sides::Front.into(),
                1 => Sides::Back.into(),
                2 => RayStart::Hollow.into(),
                _ => Sides::Both.into(),
            };
            let options = (settings, [1, 3, u32::MAX][rng.below(3)]);
            let expected = one_by_one(&snapshot, &ray, settings, options.1);
            let (all, is_broken) = visited(&snapshot, &ray, options, usize::MAX);
            assert_eq!(all, expected, "{ray:?}");
            assert!(!is_broken);
            let filter = QueryFilter::new().layers(options.1);
            assert_eq!(
                snapshot.cast_ray(&ray, (settings, filter)),
                all.first().copied()
            );
            for count in 1..=all.len() {
                let (some, is_broken) = visited(&snapshot, &ray, options, count);
                assert_eq!(some, expected[..count], "{ray:?}");
                assert!(is_broken);
                broken += 1;
            }
            hits += all.len();
            ties += usize::from(all.windows(2).any(|pair| pair[0].t == pair[1].t));
        }
    }
    assert!(
        hits > rounds(5_000) && broken == hits && ties > rounds(1_500),
        "{hits} {ties}"
    );
}

#[test]
fn little_behind_the_last_visited_hit_is_looked_at() {
    let mut world = World::new();
    for x in 0..2_000_u16 {
        world.add(Sphere::new([4.0 * f32::from(x), 0.0, 0.0], 1.0).unwrap());
    }
    world.update();
    let ray = Ray::new([-5.0, 0.25, 0.0], [1.0, 0.0, 0.0]).unwrap();
    for count in [1, 2, 3, 10, 100] {
        let looked_at = Cell::new(0_usize);
        let now = world.now();
        let mut visited = 0;
        // The predicate is called for objects that the query comes near.
        let seen = std::sync::Mutex::new(std::collections::BTreeSet::new());
        let is_seen = |object| {
            seen.lock().unwrap().insert(object);
            true
        };
        let _ = now.visit_ray_hits(&ray, QueryFilter::new().predicate(&is_seen), |hit| {
            assert_eq!(hit.object.unwrap().index(), visited);
            visited += 1;
            looked_at.set(seen.lock().unwrap().len());
            match visited < count {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        assert_eq!(visited, count);
        // As many again, and the leaves of the tree that these are in.
        assert!(
            looked_at.get() <= 2 * count + 16,
            "{count}: {}",
            looked_at.get()
        );
    }
}

#[test]
fn empty_rays_and_empty_worlds_visit_nothing() {
    let mut world = World::new();
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    let visit = |_: &RayHit| -> ControlFlow<()> { panic!("there is nothing to visit") };
    assert!(world.now().visit_ray_hits(&ray, (), visit).is_continue());
    world.add(Sphere::new([3.0, 0.0, 0.0], 1.0).unwrap());
    world.update();
    let empty = Ray::new_or_empty([0.0; 3], [f32::NAN; 3]);
    assert!(world.now().visit_ray_hits(&empty, (), visit).is_continue());
    let no_layer = QueryFilter::new().layers(0);
    assert!(
        world
            .now()
            .visit_ray_hits(&ray, no_layer, visit)
            .is_continue()
    );
}
