//! Properties of every world: order decides exact ties only, batches and threads change no bit, and the
//! highest terrain wins.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use glam::{Vec2, Vec3};
use hitscan::height_field::{Ground, GroundHeight};
use hitscan::shape_cast::ShapeCast;
use hitscan::simd::Width;
use hitscan::{Aabb, Ray, RayHit, Sides, World};
use hitscan_testkit::Rng;
use hitscan_testkit::random_world::{Shape, world_of};

const SEED: u64 = 0x0B0E_0002;

fn shapes(count: usize, rng: &mut Rng) -> Vec<Shape> {
    (0..count).map(|_| Shape::random(rng, 8.0)).collect()
}

/// Rays among the shapes, many from and to whole coordinates.
fn ray(rng: &mut Rng) -> Ray {
    loop {
        let [from, to] = [0; 2].map(|_| {
            let p = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-9.0, 9.0)));
            if rng.one_in(2) { p.round() } else { p }
        });
        if let Ok(ray) = Ray::new(from, to - from) {
            return ray;
        }
    }
}

fn shuffled(count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, rng.below(last + 1));
    }
    order
}

/// What does not depend on the object's number.
fn without_object(hit: &RayHit) -> String {
    // Shortest round-trip printing shows all bits but the sign of NaN.
    format!(
        "{:?}",
        RayHit {
            object: None,
            ..*hit
        }
    )
}

#[test]
fn every_vector_width_gives_the_same_bits() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 9);
    let widths = Width::available();
    assert!(widths.len() > 1, "only {widths:?} to compare");
    let (mut hits, mut contacts) = (0, 0);
    for _ in 0..30 {
        let world = world_of(&shapes(3 + rng.below(30), &mut rng));
        let worlds: Vec<World> = widths
            .iter()
            .map(|width| world.clone().with_width(*width))
            .collect();
        for _ in 0..100 {
            let ray = ray(&mut rng);
            let size = Vec3::splat(rng.uniform_f32(0.0, 2.0));
            let start = Aabb::new(ray.origin(), ray.origin() + size);
            let moving = start.and_then(|start| ShapeCast::new(start, ray.direction()));
            let moving = moving.expect("the box is in range");
            // Shortest round-trip printing shows all bits but the sign of NaN.
            let answers = |world: &World| {
                let (nearest, all) = (
                    world.now().cast_ray(&ray, ()),
                    world.now().cast_ray_all(&ray, ()),
                );
                let (any, contact) = (
                    world.now().cast_ray_any(&ray, Sides::Front),
                    world.now().cast_shape(&moving, ()),
                );
                format!("{nearest:?} {all:?} {any:?} {contact:?}")
            };
            let first = answers(&worlds[0]);
            for (width, world) in widths.iter().zip(&worlds) {
                assert_eq!(answers(world), first, "{width:?}: {ray:?} {moving:?}");
            }
            hits += usize::from(worlds[0].now().cast_ray_any(&ray, ()));
            contacts += usize::from(worlds[0].now().cast_shape(&moving, ()).is_some());
        }
    }
    println!("{hits} hits, {contacts} contacts in {widths:?}");
    assert!(
        hits > 1000 && contacts > 1000,
        "{hits} hits, {contacts} contacts"
    );
}

#[test]
fn the_order_of_objects_decides_exact_ties_only() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let (mut hits, mut ties) = (0, 0);
    for _ in 0..30 {
        let mut all = shapes(3 + rng.below(12), &mut rng);
        // Some are there twice, at the same place.
        for _ in 0..3 {
            let duplicate = all[rng.below(all.len())].clone();
            all.push(duplicate);
        }
        let order = shuffled(all.len(), &mut rng);
        let (world, other_world) = (world_of(&all), world_of(order.iter().map(|i| &all[*i])));
        for _ in 0..200 {
            let ray = ray(&mut rng);
            let sides = [Sides::Both, Sides::Front, Sides::Back][rng.below(3)];
            let found = world.now().cast_ray(&ray, sides);
            let other = other_world.now().cast_ray(&ray, sides);
            let Some((found, other)) = found.zip(other) else {
                assert!(found.is_none() && other.is_none(), "{ray:?}");
                continue;
            };
            hits += 1;
            assert_eq!(found.t.to_bits(), other.t.to_bits(), "{ray:?}");
            // Which objects, by their numbers in the first world, have a hit with this t.
            let tied: Vec<usize> = (0..all.len())
                .filter(|i| {
                    let alone = world_of([&all[*i]]).now().cast_ray(&ray, sides);
                    alone.is_some_and(|alone| alone.t == found.t)
                })
                .collect();
            assert_eq!(
                tied.first(),
                Some(&found.object.unwrap().index()),
                "{ray:?}"
            );
            let first_there = order.iter().position(|i| tied.contains(i));
            assert_eq!(first_there, Some(other.object.unwrap().index()), "{ray:?}");
            if order[other.object.unwrap().index()] == found.object.unwrap().index() {
                assert_eq!(without_object(&found), without_object(&other), "{ray:?}");
            }
            ties += usize::from(tied.len() > 1);
            let alone = world_of([&all[found.object.unwrap().index()]]);
            let alone = alone.now().cast_ray(&ray, sides).unwrap();
            assert_eq!(without_object(&found), without_object(&alone), "{ray:?}");
        }
    }
    println!("{hits} hits, {ties} ties");
    assert!(hits > 1_000 && ties > 200);
}

#[test]
fn batches_and_threads_change_no_bit() {
    let mut rng = Rng::new(SEED + 1);
    let world = world_of(&shapes(20, &mut rng));
    let rays: Vec<Ray> = (0..5_000).map(|_| ray(&mut rng)).collect();
    let boxes: Vec<ShapeCast> = (0..1_000)
        .map(|_| {
            let from = ray(&mut rng);
            let start = Aabb::new(from.origin(), from.origin() + 0.5).unwrap();
            ShapeCast::new(start, from.direction()).unwrap()
        })
        .collect();
    let one_by_one: Vec<_> = rays
        .iter()
        .map(|ray| world.now().cast_ray(ray, ()))
        .collect();
    let any: Vec<_> = rays
        .iter()
        .map(|ray| world.now().cast_ray_any(ray, Sides::Front))
        .collect();
    let contacts: Vec<_> = boxes
        .iter()
        .map(|one| world.now().cast_shape(one, ()))
        .collect();
    assert!(one_by_one.iter().flatten().count() > 1_000);
    assert!(contacts.iter().flatten().count() > 300);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let found = world.now().cast_rays(&rays, ());
            assert_eq!(format!("{found:?}"), format!("{one_by_one:?}"));
            assert_eq!(world.now().cast_rays_any(&rays, Sides::Front), any);
            assert_eq!(
                format!("{:?}", world.now().cast_shapes(&boxes, ())),
                format!("{contacts:?}")
            );
        });
    }
}

#[test]
fn the_highest_terrain_wins() {
    let mut rng = Rng::new(SEED + 2);
    let mut counts = [0; 3];
    for _ in 0..40 {
        let all = shapes(16, &mut rng);
        let world = world_of(&all);
        let fields: Vec<_> = (0..)
            .zip(&all)
            .filter_map(|(object, shape): (usize, _)| match shape {
                Shape::Terrain(field) => Some((object, field)),
                _ => None,
            })
            .collect();
        let mut points = Vec::new();
        for _ in 0..100 {
            let [x, z] = [0; 2].map(|_| rng.uniform_f32(-10.0, 10.0));
            let grounds = fields
                .iter()
                .map(|(object, field)| (*object, field.height([x, z])));
            let grounds: Vec<_> = grounds.collect();
            let highest = grounds
                .iter()
                .filter_map(|(object, ground)| match ground {
                    Ground::Height(ground) => Some((*object, *ground)),
                    _ => None,
                })
                .reduce(|best, one| {
                    if one.1.height > best.1.height {
                        one
                    } else {
                        best
                    }
                });
            match (world.now().height([x, z], ()), highest) {
                (Ground::Height(ground), Some(expected)) => {
                    assert_eq!(by_object(ground), expected);
                    counts[0] += 1;
                }
                (Ground::Hole, None) => {
                    assert!(grounds.iter().any(|one| one.1 == Ground::Hole));
                    counts[1] += 1;
                }
                (Ground::Outside, None) => {
                    assert!(grounds.iter().all(|one| one.1 == Ground::Outside));
                    counts[2] += 1;
                }
                other => panic!("{x} {z}: {other:?}"),
            }
            points.push(Vec2::new(x, z));
            let radius = rng.uniform(0.0, 2.0);
            check_sampled(
                world.now().max_height([x, z], radius, ()),
                fields
                    .iter()
                    .map(|(object, field)| (*object, field.max_height([x, z], radius))),
            );
            check_sampled(
                world.now().mean_height([x, z], radius, ()),
                fields
                    .iter()
                    .map(|(object, field)| (*object, field.mean_height([x, z], radius))),
            );
        }
        let snapshot = world.now();
        let alone = points.iter().map(|point| snapshot.height(*point, ()));
        let alone: Vec<Ground> = alone.collect();
        assert_eq!(snapshot.heights(&points, ()), alone);
    }
    println!("heights, holes, outside: {counts:?}");
    assert!(counts.iter().all(|count| *count > 100));
}

/// A world's answer as the object and what that terrain answers alone.
fn by_object(ground: GroundHeight) -> (usize, GroundHeight) {
    let alone = GroundHeight {
        object: None,
        ..ground
    };
    (ground.object.unwrap().index(), alone)
}

fn check_sampled(found: Ground, single: impl Iterator<Item = (usize, Ground)> + Clone) {
    let heights = single.clone().filter_map(|(object, ground)| match ground {
        Ground::Height(height) => Some((object, height)),
        _ => None,
    });
    let highest = heights.reduce(|best, one| {
        if one.1.height > best.1.height {
            one
        } else {
            best
        }
    });
    let has = |wanted| single.clone().any(|(_, ground)| ground == wanted);
    let expected = match highest {
        Some(_) => None,
        None if has(Ground::Hole) => Some(Ground::Hole),
        None if has(Ground::Empty) => Some(Ground::Empty),
        None => Some(Ground::Outside),
    };
    match found {
        Ground::Height(ground) => assert_eq!(Some(by_object(ground)), highest),
        other => assert_eq!(Some(other), expected),
    }
}
