//! Lines that are drawn: they are counted, and no GPU draws them.

use crate::characters::spawn_legs;
use crate::stage::{app, ask, cast, spawn, square};
use bevy_app::App;
use bevy_asset::Assets;
use bevy_gizmos::config::GizmoConfigStore;
use bevy_gizmos::{GizmoAsset, GizmoHandles, GizmoPlugin};
use bevy_hitscan::hitscan::height_field::Grid;
use bevy_hitscan::hitscan::{HeightField, ShapeCast, Sphere};
use bevy_hitscan::prelude::*;
use bevy_hitscan::{HitscanGizmos, HitscanGizmosPlugin};
use bevy_math::Vec3;
use bevy_transform::components::Transform;

fn drawing_app() -> App {
    let mut app = app();
    app.add_plugins((GizmoPlugin, HitscanGizmosPlugin));
    app
}

fn show(app: &mut App, change: impl FnOnce(&mut HitscanGizmos)) {
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    change(store.config_mut::<HitscanGizmos>().1);
}

/// How many lines the next frame draws.
fn lines(app: &mut App) -> usize {
    app.update();
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let handles = app.world().resource::<GizmoHandles>().handles().values();
    let drawn = handles.flatten().filter_map(|handle| assets.get(handle));
    let ends = drawn.map(|gizmo| gizmo.buffer().list_positions.len());
    ends.sum::<usize>() / 2
}

#[test]
fn rays_are_drawn_with_the_triangle_and_the_normal_of_their_hit() {
    let mut app = drawing_app();
    spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    assert!(cast(&mut app, Vec3::new(0.5, 2.0, 0.25), Vec3::NEG_Y).is_some());
    assert_eq!(lines(&mut app), 1 + 3 + 1);
    assert!(cast(&mut app, Vec3::new(5.0, 2.0, 0.0), Vec3::NEG_Y).is_none());
    assert_eq!(lines(&mut app), 1, "a miss is a line");
    assert_eq!(lines(&mut app), 0, "each is drawn once");
    show(&mut app, |shown| shown.queries = false);
    cast(&mut app, Vec3::new(0.5, 2.0, 0.25), Vec3::NEG_Y);
    assert_eq!(lines(&mut app), 0);
}

#[test]
fn a_hit_on_a_skinned_mesh_has_a_line_to_its_joint() {
    let mut app = drawing_app();
    spawn_legs(&mut app);
    app.update();
    assert!(cast(&mut app, Vec3::new(0.3, 0.5, 5.0), Vec3::NEG_Z).is_some());
    assert_eq!(lines(&mut app), 1 + 3 + 1 + 1);
}

#[test]
fn moving_shapes_are_drawn_as_swept_boxes() {
    let mut app = drawing_app();
    spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    let ball = Sphere::new(Vec3::Y * 5.0, 0.5).unwrap();
    let falling = ShapeCast::new(ball, Vec3::NEG_Y * 20.0).unwrap();
    let hit = ask(&mut app, |hitscan| {
        hitscan.cast_shape(&falling, &HitscanFilter::new())
    });
    assert!(hit.is_some());
    assert_eq!(lines(&mut app), 12 + 12 + 8);
}

#[test]
fn outlines_colliders_and_trees_are_drawn_where_they_are_asked_for() {
    let mut app = drawing_app();
    let terrain = HeightField::new(Grid::new(3, 3, [1.0, 1.0]), vec![0.0; 9]).unwrap();
    let at = Transform::from_xyz(10.0, 0.0, 0.0);
    let world = app.world_mut();
    world.spawn((HeightFieldCollider::new(terrain), at));
    let ball = HitscanCollider::sphere(0.5);
    world.spawn((ball, Transform::from_xyz(-10.0, 0.0, 0.0)));
    spawn_legs(&mut app);
    spawn(&mut app, square(), Vec3::Z * 10.0);
    app.update();
    assert_eq!(lines(&mut app), 0);
    show(&mut app, |shown| shown.outlines = true);
    assert_eq!(lines(&mut app), 3 * (8 + 4 + 2), "terrain, legs and square");
    show(&mut app, |shown| shown.limit = 5);
    assert_eq!(lines(&mut app), 3 * 5);
    show(&mut app, |shown| {
        *shown = HitscanGizmos {
            colliders: true,
            ..HitscanGizmos::default()
        };
    });
    assert_eq!(lines(&mut app), 12);
    show(&mut app, |shown| {
        *shown = HitscanGizmos {
            tree_depth: Some(0),
            ..HitscanGizmos::default()
        };
    });
    assert_eq!(lines(&mut app), 12, "the box around everything");
    show(&mut app, |shown| {
        *shown = HitscanGizmos {
            queries: false,
            hit_boxes: Some(0),
            ..HitscanGizmos::default()
        };
    });
    cast(&mut app, Vec3::new(10.5, 2.0, 0.25), Vec3::NEG_Y);
    assert_eq!(
        lines(&mut app),
        12,
        "the box around the terrain that was hit"
    );
}
