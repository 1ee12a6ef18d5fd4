//! The same answers, whatever the order in which a scene is spawned, however its trees are built, on one thread and on
//! several.

use crate::stage::{Numbers, app_with, ask, below, block, spawn, square};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_hitscan::hitscan::executor::{Executor, OneThread, with_executor};
use bevy_hitscan::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;
use std::sync::Arc;

/// What a scene is of: boxes, many of them at the very same place, so that exact ties are decided.
fn things() -> Vec<(u32, Vec3, Quat, bool)> {
    let mut numbers = Numbers(23);
    let mut things = Vec::new();
    for number in 0..60_u32 {
        let at = numbers.point(6.0);
        let turn = Quat::from_axis_angle(*numbers.direction(), numbers.between(0.0, 6.0));
        let is_round = number % 7 == 0;
        things.push((2 * number + 1, at, turn, is_round));
        things.push((2 * number + 2, at, turn, is_round));
    }
    things
}

#[derive(Component)]
struct Name(u32);

fn hash_of(plugin: HitscanPlugin, shuffle: u64, order: fn(u32) -> u64) -> u64 {
    let mut app: App = app_with(plugin);
    let mut things = things();
    let mut numbers = Numbers(shuffle);
    for place in (1..things.len()).rev() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a place in the list"
        )]
        #[expect(clippy::cast_precision_loss, reason = "a short list")]
        let other = (numbers.share() * (place + 1) as f32) as usize;
        things.swap(place, other);
    }
    for (name, at, turn, is_round) in things {
        let mesh = if is_round {
            square()
        } else {
            block(Vec3::ONE * 2.0)
        };
        let entity = spawn(&mut app, mesh, at);
        let mut spawned = app.world_mut().entity_mut(entity);
        spawned.insert((Name(name), HitscanOrder(order(name))));
        spawned.insert(Transform::from_translation(at).with_rotation(turn));
    }
    app.update();
    while app.world().resource::<HitscanWorld>().pending() > 0 {
        std::thread::yield_now();
        app.update();
    }
    let mut numbers = Numbers(5);
    let rays: Vec<Ray3d> = (0..100_000)
        .map(|_| Ray3d::new(numbers.point(12.0), numbers.direction()))
        .collect();
    let filter = HitscanFilter::new();
    let hits = ask(&mut app, |hitscan| hitscan.cast_rays(&rays, &filter));
    let one_thread: Arc<dyn Executor> = Arc::new(OneThread);
    let alone = with_executor(&one_thread, || {
        ask(&mut app, |hitscan| hitscan.cast_rays(&rays, &filter))
    });
    assert_eq!(hits, alone, "on Bevy's threads and on one");
    assert!(hits.iter().flatten().count() > 10_000);
    // FNV-1a of names, triangles and bits of distances.
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut add = |word: u32| hash = (hash ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01B3);
    for hit in hits {
        let Some(hit) = hit else {
            add(0);
            continue;
        };
        add(app.world().get::<Name>(hit.entity).map_or(0, |name| name.0));
        add(hit.triangle.and_then(|id| id.number()).unwrap_or(u32::MAX));
        add(hit.distance.to_bits());
    }
    hash
}

#[test]
fn three_orders_and_both_ways_to_bake_give_one_hash() {
    let blocking = HitscanPlugin::default().bake_blocking();
    let first = hash_of(blocking.clone(), 1, u64::from);
    for shuffle in [2, 3] {
        assert_eq!(
            hash_of(blocking.clone(), shuffle, u64::from),
            first,
            "shuffle {shuffle}"
        );
        assert_eq!(
            hash_of(HitscanPlugin::default(), shuffle, u64::from),
            first,
            "shuffle {shuffle}, baked aside"
        );
    }
    // Orders that no 32 bits hold, in the same order.
    let wide = |name: u32| u64::from(name) << 56 | u64::from(name);
    assert_eq!(hash_of(blocking, 2, wide), first, "orders of 64 bits");
}

#[test]
fn orders_of_64_bits_decide_ties_whenever_they_come() {
    let mut app = app_with(HitscanPlugin::default().bake_blocking());
    let orders = [
        5,
        1 << 40,
        7,
        (1 << 40) + 1,
        1 << 39,
        u64::MAX,
        3,
        u64::MAX - 1,
    ];
    let mut alive: Vec<(u64, Entity)> = Vec::new();
    let first = |app: &mut App| below(app, 0.5, 0.25).map(|(entity, _)| entity);
    for order in orders {
        let entity = spawn(&mut app, square(), Vec3::ZERO);
        app.world_mut()
            .entity_mut(entity)
            .insert(HitscanOrder(order));
        app.update();
        alive.push((order, entity));
        let lowest = alive.iter().min().map(|(_, entity)| *entity);
        assert_eq!(first(&mut app), lowest, "with order {order}");
    }
    alive.sort_unstable();
    for (order, entity) in alive {
        assert_eq!(first(&mut app), Some(entity), "order {order}");
        app.world_mut().despawn(entity);
        app.update();
    }
    assert_eq!(first(&mut app), None);
}
