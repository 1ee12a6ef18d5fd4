//! Queries and what they consider.

use crate::characters::spawn_legs;
use crate::stage::{Numbers, app, ask, block, ray, spawn, square};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_hitscan::hitscan::{ShapeCast, Sides, Sphere};
use bevy_hitscan::prelude::*;
use bevy_math::Vec3;
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;

/// Boxes of different sizes at random places, an eighth of them hit from both sides, with colliders among them.
fn crowded(app: &mut App, numbers: &mut Numbers) -> Vec<Entity> {
    let spawned = (0..40).map(|number| {
        let at = numbers.point(4.0);
        let size = numbers.point(0.4) + Vec3::splat(1.0);
        let entity = spawn(app, block(size), at);
        if number % 8 == 0 {
            app.world_mut().entity_mut(entity).insert(RayCastBackfaces);
        }
        if number % 5 == 0 {
            app.world_mut()
                .entity_mut(entity)
                .insert(HitscanCollider::sphere(0.7));
        }
        entity
    });
    let spawned = spawned.collect();
    app.update();
    spawned
}

fn random_rays(numbers: &mut Numbers, count: usize) -> Vec<Ray3d> {
    (0..count)
        .map(|_| Ray3d::new(numbers.point(6.0), numbers.direction()))
        .collect()
}

#[test]
fn batches_answer_as_one_after_the_other() {
    let mut numbers = Numbers(7);
    let mut app = app();
    let spawned = crowded(&mut app, &mut numbers);
    let rays = random_rays(&mut numbers, 3_000);
    let is_odd = |entity: Entity| entity.index_u32() % 2 == 1;
    let filters = [
        HitscanFilter::new(),
        HitscanFilter::new().sides(Sides::Both).max_distance(6.0),
        HitscanFilter::new()
            .excluding(spawned[3])
            .excluding(spawned[4]),
        HitscanFilter::new().predicate(&is_odd),
        HitscanFilter::new().visibility(RayCastVisibility::Any),
    ];
    for filter in filters {
        let (batch, any, single) = ask(&mut app, |hitscan| {
            let single: Vec<_> = rays
                .iter()
                .map(|ray| hitscan.cast_ray(*ray, &filter))
                .collect();
            (
                hitscan.cast_rays(&rays, &filter),
                hitscan.cast_rays_any(&rays, &filter),
                single,
            )
        });
        assert_eq!(batch, single, "{filter:?}");
        let is_hit: Vec<bool> = single.iter().map(Option::is_some).collect();
        assert_eq!(any, is_hit, "{filter:?}");
        let hits = is_hit.iter().filter(|is_hit| **is_hit).count();
        assert!(hits > 200, "{filter:?}: {hits} hits");
    }
}

#[test]
fn the_first_of_all_hits_is_the_nearest() {
    let mut numbers = Numbers(11);
    let mut app = app();
    crowded(&mut app, &mut numbers);
    let filter = HitscanFilter::new();
    let mut several = 0;
    for ray in random_rays(&mut numbers, 1_000) {
        let (all, nearest, any) = ask(&mut app, |hitscan| {
            let all = hitscan.cast_ray_all(ray, &filter);
            (
                all,
                hitscan.cast_ray(ray, &filter),
                hitscan.cast_ray_any(ray, &filter),
            )
        });
        assert_eq!(
            all.first().map(|hit| (hit.entity, hit.t)),
            nearest.map(|hit| (hit.entity, hit.t))
        );
        assert_eq!(any, nearest.is_some());
        assert!(all.is_sorted_by_key(|hit| hit.t));
        several += usize::from(all.len() > 1);
    }
    assert!(several > 50, "{several}");
}

#[test]
fn the_shooter_and_all_that_hangs_on_him_is_shot_through() {
    let mut app = app();
    let shooter = app.world_mut().spawn(Transform::IDENTITY).id();
    let gun = spawn(&mut app, square(), Vec3::Y * 2.0);
    let scope = spawn(&mut app, square(), Vec3::Y);
    app.world_mut().entity_mut(gun).insert(ChildOf(shooter));
    app.world_mut().entity_mut(scope).insert(ChildOf(gun));
    let target = spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    let down = ray(Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y);
    let hit = |app: &mut App, filter: &HitscanFilter<'_>| {
        ask(app, |hitscan| {
            hitscan.cast_ray(down, filter).map(|hit| hit.entity)
        })
    };
    assert_eq!(hit(&mut app, &HitscanFilter::new()), Some(scope));
    assert_eq!(
        hit(&mut app, &HitscanFilter::new().excluding(scope)),
        Some(gun)
    );
    assert_eq!(
        hit(&mut app, &HitscanFilter::new().excluding_tree(shooter)),
        Some(target)
    );
    assert_eq!(
        hit(&mut app, &HitscanFilter::new().excluding_tree(target)),
        Some(scope)
    );
}

#[test]
fn distances_end_at_the_limit_which_counts() {
    let mut app = app();
    spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    let down = ray(Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y);
    for (limit, is_hit) in [
        (10.0, true),
        (9.999, false),
        (f32::INFINITY, true),
        (0.0, false),
    ] {
        let filter = HitscanFilter::new().max_distance(limit);
        assert_eq!(
            ask(&mut app, |hitscan| hitscan.cast_ray_any(down, &filter)),
            is_hit,
            "{limit}"
        );
    }
}

#[test]
fn shapes_points_and_sight() {
    let mut app = app();
    let ground = spawn(&mut app, block(Vec3::new(20.0, 2.0, 20.0)), Vec3::NEG_Y);
    let wall = app.world_mut().spawn((
        HitscanCollider::cuboid(1.0, 4.0, 4.0),
        Transform::from_xyz(5.0, 2.0, 0.0),
    ));
    let wall = wall.id();
    app.update();
    let filter = HitscanFilter::new();
    ask(&mut app, |hitscan| {
        let ball = Sphere::new([0.0, 1.0, 0.0], 0.5).unwrap();
        let cast = ShapeCast::new(ball, [10.0, 0.0, 0.0]).unwrap();
        let hit = hitscan.cast_shape(&cast, &filter).unwrap();
        assert_eq!(hit.entity, wall);
        assert!((hit.t - 0.4).abs() < 1e-6, "{hit:?}");
        assert_eq!(
            hitscan.cast_shapes(&[cast.clone(), cast], &filter),
            [Some(hit), Some(hit)]
        );
        let close = Sphere::new([4.2, 0.5, 0.0], 0.4).unwrap();
        let touched: Vec<Entity> = hitscan
            .contacts(close, 0.2, &filter)
            .iter()
            .map(|contact| contact.entity)
            .collect();
        assert_eq!(touched.len(), 2);
        assert!(touched.contains(&ground) && touched.contains(&wall));
        assert!(!hitscan.overlaps_shape(Sphere::new([0.0, 1.0, 0.0], 0.5).unwrap(), &filter));
        assert!(hitscan.overlaps_shape(Sphere::new([4.6, 2.0, 0.0], 0.5).unwrap(), &filter));
        let closest = hitscan
            .closest_point(Vec3::new(3.0, 2.5, 0.0), &filter)
            .unwrap();
        assert_eq!((closest.entity, closest.distance), (wall, 1.5));
        let points = [Vec3::new(3.0, 2.5, 0.0), Vec3::new(-5.0, 2.0, 0.0)];
        let closest = hitscan.closest_points(&points, &filter);
        assert_eq!(
            closest
                .iter()
                .flatten()
                .map(|point| point.entity)
                .collect::<Vec<_>>(),
            [wall, ground]
        );
        let [here, there] = [Vec3::new(0.0, 1.0, 0.0), Vec3::new(9.0, 1.0, 0.0)];
        assert!(!hitscan.is_sight_clear(here, there, &filter));
        assert_eq!(
            hitscan
                .first_blocker(here, there, &filter)
                .map(|blocker| blocker.entity),
            Some(wall)
        );
        assert!(hitscan.is_sight_clear(here, there, &HitscanFilter::new().excluding(wall)));
        let apart = hitscan.distance([ground, wall], &filter).unwrap();
        assert_eq!(apart.distance, 0.0);
    });
}

#[test]
fn systems_that_ask_run_side_by_side() {
    // Two systems that only read may share a stage; a system that would write the world could not.
    fn one(hitscan: Hitscan) {
        assert!(hitscan.world().entity_count() > 0);
    }
    fn other(hitscan: Hitscan, mut asked: Local<usize>) {
        *asked += hitscan.world().entity_count();
    }
    let mut app = app();
    spawn_legs(&mut app);
    app.update();
    app.edit_schedule(bevy_app::Update, |schedule| {
        let mut settings = schedule.get_build_settings();
        settings.ambiguity_detection = bevy_ecs::schedule::LogLevel::Error;
        schedule.set_build_settings(settings);
    });
    app.add_systems(bevy_app::Update, (one, other));
    app.update();
}
