//! Solids that are hit in place of meshes.

use crate::characters::put;
use crate::stage::{app, cast, diagnostics, spawn, square};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_hitscan::HitscanError;
use bevy_hitscan::prelude::*;
use bevy_math::{Isometry3d, Quat, Vec3};
use bevy_transform::components::Transform;
use core::f32::consts::{FRAC_PI_2, FRAC_PI_4, SQRT_2};

fn spawn_collider(app: &mut App, collider: HitscanCollider, transform: Transform) -> Entity {
    app.world_mut().spawn((collider, transform)).id()
}

/// How far a ray along -z from 10 m away at this x and y goes.
fn depth(app: &mut App, x: f32, y: f32) -> Option<f32> {
    cast(app, Vec3::new(x, y, 10.0), Vec3::NEG_Z).map(|hit| hit.distance)
}

#[test]
fn each_shape_is_hit_where_it_is() {
    let hull = [
        [-1.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let cases = [
        (HitscanCollider::sphere(2.0), (0.0, 0.0), 8.0),
        (HitscanCollider::cuboid(2.0, 4.0, 6.0), (0.9, 1.9), 7.0),
        (
            HitscanCollider::capsule(0.5, 2.0),
            (0.0, 1.2),
            10.0 - 0.21_f32.sqrt(),
        ),
        (HitscanCollider::cylinder(0.5, 2.0), (0.3, 0.9), 9.6),
        (
            HitscanCollider::convex_hull(hull.map(Vec3::from)),
            (0.0, 0.25),
            9.25,
        ),
        (bevy_shape::Sphere::new(2.0).into(), (0.0, 0.0), 8.0),
        (
            bevy_shape::Cuboid::new(2.0, 4.0, 6.0).into(),
            (0.9, 1.9),
            7.0,
        ),
        (
            bevy_shape::Capsule3d::new(0.5, 2.0).into(),
            (0.0, 1.2),
            10.0 - 0.21_f32.sqrt(),
        ),
        (bevy_shape::Cylinder::new(0.5, 2.0).into(), (0.3, 0.9), 9.6),
    ];
    for (collider, (x, y), expected) in cases {
        let mut app = app();
        spawn_collider(&mut app, collider.clone(), Transform::IDENTITY);
        app.update();
        let found = depth(&mut app, x, y).unwrap_or_else(|| panic!("{collider:?} is not hit"));
        assert!(
            (found - expected).abs() < 1e-5,
            "{collider:?}: {found} and not {expected}"
        );
        assert_eq!(depth(&mut app, 5.0, 0.0), None);
    }
}

#[test]
fn colliders_move_turn_and_grow_with_their_entity() {
    let mut app = app();
    let cube = spawn_collider(
        &mut app,
        HitscanCollider::cuboid(2.0, 2.0, 2.0),
        Transform::IDENTITY,
    );
    app.update();
    assert_eq!(depth(&mut app, 0.0, 0.0), Some(9.0));
    put(
        &mut app,
        cube,
        Transform::from_rotation(Quat::from_rotation_y(FRAC_PI_4)),
    );
    app.update();
    assert_eq!(diagnostics(&app).moved, 1);
    let corner = depth(&mut app, 0.0, 0.0).unwrap();
    assert!((corner - (10.0 - SQRT_2)).abs() < 1e-5, "{corner}");
    put(
        &mut app,
        cube,
        Transform::from_scale(Vec3::new(1.0, 1.0, 3.0)),
    );
    app.update();
    assert_eq!(depth(&mut app, 0.0, 0.0), Some(7.0));
    let sphere = spawn_collider(
        &mut app,
        HitscanCollider::sphere(1.0),
        Transform::from_xyz(5.0, 0.0, 0.0),
    );
    put(
        &mut app,
        sphere,
        Transform::from_xyz(5.0, 0.0, 0.0).with_scale(Vec3::splat(2.0)),
    );
    app.update();
    assert_eq!(depth(&mut app, 5.0, 0.0), Some(8.0));
}

#[test]
fn something_round_under_unequal_scale_is_an_error() {
    for (collider, shape) in [
        (HitscanCollider::sphere(1.0), "sphere"),
        (HitscanCollider::capsule(1.0, 1.0), "capsule"),
        (HitscanCollider::cylinder(1.0, 1.0), "cylinder"),
    ] {
        let mut app = app();
        let entity = spawn_collider(&mut app, collider, Transform::IDENTITY);
        app.update();
        let scale = Vec3::new(1.0, 2.0, 1.0);
        put(&mut app, entity, Transform::from_scale(scale));
        app.update();
        app.update();
        let error = app.world().get::<HitscanError>(entity).cloned();
        let expected = HitscanError::UnequalScale {
            shape: shape.to_owned(),
            scale,
        };
        assert_eq!(error, Some(expected));
        assert_eq!(depth(&mut app, 0.0, 0.0), None);
        put(&mut app, entity, Transform::IDENTITY);
        app.update();
        assert_eq!(depth(&mut app, 0.0, 0.0), Some(9.0));
    }
}

#[test]
fn the_solids_of_a_compound_are_named_by_their_numbers() {
    let head = (
        Isometry3d::from_translation(Vec3::Y * 1.7),
        HitscanCollider::sphere(0.2),
    );
    let body = (
        Isometry3d::from_translation(Vec3::Y * 0.8),
        HitscanCollider::capsule(0.3, 1.0),
    );
    let turned = Isometry3d::new(Vec3::Y * 0.8, Quat::from_rotation_z(FRAC_PI_2));
    let arms = (turned, HitscanCollider::capsule(0.1, 2.0));
    let mut app = app();
    let guard = HitscanCollider::compound([head, body, arms]);
    let entity = spawn_collider(&mut app, guard, Transform::from_xyz(1.0, 0.0, 0.0));
    app.update();
    for (x, y, solid) in [(1.0, 1.75, 0), (1.0, 0.5, 1), (1.9, 0.8, 2), (0.1, 0.8, 2)] {
        let shot = crate::stage::ray(Vec3::new(x, y, 10.0), Vec3::NEG_Z);
        let hit = crate::stage::ask(&mut app, |hitscan| {
            let hit = hitscan.cast_ray(shot, &HitscanFilter::new())?;
            Some((hit.entity, hitscan.detail(&hit).shape))
        });
        assert_eq!(hit, Some((entity, Some(solid))), "at {x}, {y}");
    }
}

#[test]
fn a_collider_stands_in_for_the_mesh_of_its_entity() {
    let mut app = app();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    app.world_mut()
        .entity_mut(entity)
        .insert(HitscanCollider::sphere(3.0));
    app.update();
    assert_eq!(depth(&mut app, 0.0, 0.0), Some(7.0));
    app.world_mut()
        .entity_mut(entity)
        .insert(HitscanCollider::sphere(4.0));
    app.update();
    assert_eq!(depth(&mut app, 0.0, 0.0), Some(6.0));
    app.world_mut()
        .entity_mut(entity)
        .remove::<HitscanCollider>();
    app.update();
    assert_eq!(depth(&mut app, 0.0, 0.5), None);
    assert!(cast(&mut app, Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y).is_some());
}

#[test]
fn shapes_that_are_none_are_errors() {
    for collider in [
        HitscanCollider::sphere(-1.0),
        HitscanCollider::sphere(f32::NAN),
        HitscanCollider::convex_hull([]),
        HitscanCollider::compound([]),
    ] {
        let mut app = app();
        let entity = spawn_collider(&mut app, collider.clone(), Transform::IDENTITY);
        app.update();
        app.update();
        let error = app.world().get::<HitscanError>(entity);
        assert!(
            matches!(error, Some(HitscanError::ColliderRefused { .. })),
            "{collider:?}: {error:?}"
        );
    }
}
