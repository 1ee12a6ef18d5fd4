//! The world follows the entities: what is spawned, changed and despawned, and nothing else.

use crate::stage::{add_mesh, app, app_with, ask, below, block, diagnostics, ray, spawn, square};
use bevy_app::FixedPostUpdate;
use bevy_asset::Assets;
use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_hitscan::HitscanDiagnostics;
use bevy_hitscan::prelude::*;
use bevy_math::Vec3;
use bevy_mesh::{Mesh, Mesh3d};
use bevy_transform::components::Transform;

#[test]
fn what_is_spawned_is_hit_and_what_is_despawned_is_not() {
    let mut app = app();
    let low = spawn(&mut app, square(), Vec3::ZERO);
    let high = spawn(&mut app, square(), Vec3::Y);
    app.update();
    assert_eq!(diagnostics(&app).added, 2);
    assert_eq!(below(&mut app, 0.5, 0.25), Some((high, 9.0)));
    app.world_mut().despawn(high);
    app.update();
    assert_eq!(diagnostics(&app).removed, 1);
    assert_eq!(below(&mut app, 0.5, 0.25), Some((low, 10.0)));
    app.world_mut().entity_mut(low).remove::<Mesh3d>();
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), None);
    assert_eq!(app.world().resource::<HitscanWorld>().entity_count(), 0);
}

#[test]
fn nothing_changes_where_nothing_has_changed() {
    let mut app = app();
    let square = spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    assert!(!diagnostics(&app).is_at_rest());
    app.update();
    assert!(diagnostics(&app).is_at_rest(), "{:?}", diagnostics(&app));
    // A write of the same value is no change.
    let mut transform = app.world_mut().get_mut::<Transform>(square).unwrap();
    transform.set_changed();
    let mut mesh = app.world_mut().get_mut::<Mesh3d>(square).unwrap();
    mesh.set_changed();
    app.update();
    assert!(diagnostics(&app).is_at_rest(), "{:?}", diagnostics(&app));
}

#[test]
fn moved_and_reparented_entities_are_where_they_are_drawn() {
    let mut app = app();
    let cart = app
        .world_mut()
        .spawn(Transform::from_xyz(5.0, 0.0, 0.0))
        .id();
    let crate_ = spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    app.world_mut()
        .get_mut::<Transform>(crate_)
        .unwrap()
        .translation
        .y = 3.0;
    app.update();
    assert_eq!(
        diagnostics(&app),
        HitscanDiagnostics {
            moved: 1,
            ..Default::default()
        }
    );
    assert_eq!(below(&mut app, 0.0, 0.5), Some((crate_, 7.0)));
    app.world_mut().entity_mut(crate_).insert(ChildOf(cart));
    app.update();
    assert_eq!(below(&mut app, 0.0, 0.5), None);
    assert_eq!(below(&mut app, 5.0, 0.5), Some((crate_, 7.0)));
    app.world_mut()
        .get_mut::<Transform>(cart)
        .unwrap()
        .translation
        .x = -5.0;
    app.update();
    assert_eq!(below(&mut app, -5.0, 0.5), Some((crate_, 7.0)));
}

#[test]
fn swapped_edited_and_removed_meshes_are_what_is_hit() {
    let mut app = app();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    // Another handle.
    let block = add_mesh(&mut app, block(Vec3::splat(2.0)));
    app.world_mut().get_mut::<Mesh3d>(entity).unwrap().0 = block.clone();
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 9.0)));
    // The same handle, another mesh: no Aabb and nothing else says so (bevy#18221).
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    *meshes.get_mut(&block).unwrap() = crate::stage::block(Vec3::splat(6.0));
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 7.0)));
    // The asset is removed, and comes back under the same handle.
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let mesh = meshes.remove(&block).unwrap();
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), None);
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    meshes.insert(&block, mesh).unwrap();
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 7.0)));
}

#[test]
fn one_tree_is_built_for_all_entities_with_a_mesh() {
    let mut app = app();
    let mesh = add_mesh(&mut app, square());
    for place in 0..50_u8 {
        let at = Transform::from_xyz(f32::from(place) * 3.0, 0.0, 0.0);
        app.world_mut().spawn((Mesh3d(mesh.clone()), at));
    }
    app.update();
    assert_eq!((diagnostics(&app).added, diagnostics(&app).baked), (50, 1));
}

#[test]
fn frames_do_not_wait_for_trees_unless_told() {
    let mut app = app_with(HitscanPlugin::default());
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    let mut frames = 0;
    while app.world().resource::<HitscanWorld>().pending() > 0 {
        assert!(frames < 1_000_000, "the tree is never done");
        frames += 1;
        std::thread::yield_now();
        app.update();
    }
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 10.0)));
}

#[test]
fn hidden_entities_are_not_hit_and_the_world_is_not_touched() {
    let mut app = app();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    app.world_mut()
        .entity_mut(entity)
        .insert(Visibility::Hidden);
    app.update();
    assert!(diagnostics(&app).is_at_rest(), "{:?}", diagnostics(&app));
    assert_eq!(below(&mut app, 0.5, 0.25), None);
    let any = HitscanFilter::new().visibility(RayCastVisibility::Any);
    let down = ray(Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y);
    assert!(ask(&mut app, |hitscan| hitscan.cast_ray_any(down, &any)));
    // Nothing has drawn it.
    let in_view = HitscanFilter::new().visibility(RayCastVisibility::VisibleInView);
    app.world_mut()
        .entity_mut(entity)
        .insert(Visibility::Visible);
    app.update();
    assert!(!ask(&mut app, |hitscan| hitscan.cast_ray_any(down, &in_view)));
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 10.0)));
}

#[test]
fn layers_are_inherited_and_ignored_trees_are_out() {
    let mut app = app();
    let root = app
        .world_mut()
        .spawn((Transform::IDENTITY, Visibility::Visible))
        .id();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    app.world_mut().entity_mut(entity).insert(ChildOf(root));
    app.update();
    let down = ray(Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y);
    let in_layers = |app: &mut bevy_app::App| {
        [1, 2, 4].map(|layers| {
            let filter = HitscanFilter::new().layers(layers);
            ask(app, |hitscan| hitscan.cast_ray_any(down, &filter))
        })
    };
    assert_eq!(in_layers(&mut app), [true, false, false]);
    app.world_mut().entity_mut(root).insert(HitscanLayers(2));
    app.update();
    assert_eq!(
        diagnostics(&app),
        HitscanDiagnostics {
            relayered: 1,
            ..Default::default()
        }
    );
    assert_eq!(in_layers(&mut app), [false, true, false]);
    app.world_mut().entity_mut(entity).insert(HitscanLayers(4));
    app.update();
    assert_eq!(in_layers(&mut app), [false, false, true]);
    app.world_mut().entity_mut(root).insert(HitscanIgnore);
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), None);
    app.world_mut().entity_mut(root).remove::<HitscanIgnore>();
    app.world_mut().entity_mut(entity).remove::<HitscanLayers>();
    app.update();
    assert_eq!(in_layers(&mut app), [false, true, false]);
}

#[test]
fn only_what_is_marked_is_taken_where_the_plugin_says_so() {
    let mut app = app_with(HitscanPlugin::default().bake_blocking().marked_only());
    let scene = app
        .world_mut()
        .spawn((Transform::IDENTITY, Visibility::Visible))
        .id();
    let below_scene = spawn(&mut app, square(), Vec3::ZERO);
    app.world_mut()
        .entity_mut(below_scene)
        .insert(ChildOf(scene));
    let alone = spawn(&mut app, square(), Vec3::X * 5.0);
    app.update();
    assert_eq!(app.world().resource::<HitscanWorld>().entity_count(), 0);
    app.world_mut().entity_mut(scene).insert(HitscanScene);
    app.world_mut().entity_mut(alone).insert(HitscanMesh);
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((below_scene, 10.0)));
    assert_eq!(below(&mut app, 5.5, 0.25), Some((alone, 10.0)));
    // What is spawned below the marker later is taken too.
    let later = spawn(&mut app, square(), Vec3::Y);
    app.world_mut().entity_mut(later).insert(ChildOf(scene));
    app.world_mut().entity_mut(alone).remove::<HitscanMesh>();
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((later, 9.0)));
    assert_eq!(below(&mut app, 5.5, 0.25), None);
}

#[test]
fn simplified_meshes_are_hit_in_place_of_what_is_drawn() {
    let mut app = app();
    let entity = spawn(&mut app, block(Vec3::splat(2.0)), Vec3::ZERO);
    let simple = add_mesh(&mut app, square());
    app.world_mut()
        .entity_mut(entity)
        .insert(SimplifiedMesh(simple));
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 10.0)));
    app.world_mut()
        .entity_mut(entity)
        .remove::<SimplifiedMesh>();
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 9.0)));
}

#[test]
fn backs_are_hit_where_an_entity_says_so() {
    let mut app = app();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    let up = ray(Vec3::new(0.5, -10.0, 0.25), Vec3::Y);
    let is_hit = |app: &mut bevy_app::App| {
        ask(app, |hitscan| {
            hitscan.cast_ray_any(up, &HitscanFilter::new())
        })
    };
    assert!(!is_hit(&mut app));
    app.world_mut().entity_mut(entity).insert(RayCastBackfaces);
    app.update();
    assert!(is_hit(&mut app));
    app.world_mut()
        .entity_mut(entity)
        .remove::<RayCastBackfaces>();
    app.update();
    assert!(!is_hit(&mut app));
}

#[test]
fn a_server_syncs_in_its_own_schedule_and_at_once() {
    let plugin = HitscanPlugin::default()
        .bake_blocking()
        .in_schedule(FixedPostUpdate);
    let mut app = app_with(plugin);
    let cart = app
        .world_mut()
        .spawn(Transform::from_xyz(0.0, 2.0, 0.0))
        .id();
    let entity = spawn(&mut app, square(), Vec3::Y);
    app.world_mut().entity_mut(entity).insert(ChildOf(cart));
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), None, "no tick has passed");
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 7.0)));
    app.world_mut().despawn(entity);
    HitscanWorld::sync_now(app.world_mut());
    assert_eq!(below(&mut app, 0.5, 0.25), None);
}

#[test]
fn components_are_registered_for_scene_files() {
    let mut app = app();
    app.update();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let names = [
        "HitscanLayers",
        "HitscanIgnore",
        "HitscanScene",
        "HitscanMesh",
        "HitscanOrder",
        "HitscanCollider",
        "HeightFieldCollider",
        "HitscanError",
        "SimplifiedMesh",
        "RayCastBackfaces",
    ];
    for name in names {
        let registration = registry.get_with_short_type_path(name);
        let registration = registration.unwrap_or_else(|| panic!("{name} is not registered"));
        assert!(registration.data::<ReflectComponent>().is_some(), "{name}");
    }
}
