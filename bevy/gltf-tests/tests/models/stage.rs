//! An app that loads, spawns and animates models without a window, and the plugin in it.

use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle};
use bevy_animation::{AnimationPlayer, AnimationPlugin};
use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle, LoadState, RenderAssetUsages};
use bevy_camera::visibility::VisibilityPlugin;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemState;
use bevy_gltf::{Gltf, GltfLoaderSettings, GltfPlugin};
use bevy_hitscan::prelude::*;
use bevy_image::{CompressedImageFormatSupport, CompressedImageFormats, ImagePlugin};
use bevy_mesh::{Mesh3d, MeshPlugin};
use bevy_time::TimePlugin;
use bevy_transform::TransformPlugin;
use bevy_world_serialization::{WorldAssetRoot, WorldSerializationPlugin};
use std::path::Path;

/// A pose: the rest pose, or an animation at a time in seconds.
pub(crate) type AtTime = Option<(usize, f32)>;

/// Bevy without a window and a renderer, with the models of a folder, and the plugin.
pub(crate) fn app_with(plugin: HitscanPlugin, models: &Path) -> App {
    let mut app = App::new();
    app.insert_resource(CompressedImageFormatSupport(CompressedImageFormats::NONE));
    app.add_plugins((
        TaskPoolPlugin::default(),
        AssetPlugin {
            file_path: models.to_str().unwrap().to_owned(),
            ..AssetPlugin::default()
        },
        TimePlugin,
        MeshPlugin,
        ImagePlugin::default(),
        TransformPlugin,
        VisibilityPlugin,
        WorldSerializationPlugin,
        AnimationPlugin,
        GltfPlugin::default(),
    ));
    app.add_plugins(plugin);
    let types = app.world().resource::<AppTypeRegistry>().clone();
    types.write().register_derived_types();
    app.finish();
    app.cleanup();
    app
}

/// Loads a model without its materials, or says why Bevy refuses it.
pub(crate) fn load(app: &mut App, file: &str) -> Result<Handle<Gltf>, String> {
    let server = app.world().resource::<AssetServer>().clone();
    let without_materials = |settings: &mut GltfLoaderSettings| {
        settings.load_materials = RenderAssetUsages::empty();
    };
    let handle = server
        .load_builder()
        .with_settings(without_materials)
        .load::<Gltf>(file.to_owned());
    until(app, |_| {
        matches!(
            server.load_state(&handle),
            LoadState::Loaded | LoadState::Failed(_)
        )
    });
    match server.load_state(&handle) {
        LoadState::Failed(error) => Err(error.to_string()),
        _ => Ok(handle),
    }
}

/// Spawns the default scene in a pose, propagated and synced, with all trees built; returns its root.
pub(crate) fn spawn_posed(app: &mut App, model: &Handle<Gltf>, pose: AtTime) -> Entity {
    let gltf = app.world().resource::<Assets<Gltf>>().get(model).unwrap();
    let scene = gltf.default_scene.as_ref().unwrap_or(&gltf.scenes[0]);
    let scene = scene.clone();
    let clip = pose.map(|(animation, time)| (gltf.animations[animation].clone(), time));
    let root = app.world_mut().spawn(WorldAssetRoot(scene)).id();
    until(app, |app| app.world().get::<Children>(root).is_some());
    if let Some((clip, time)) = clip {
        let (graph, node) = AnimationGraph::from_clip(clip);
        let graph = app
            .world_mut()
            .resource_mut::<Assets<AnimationGraph>>()
            .add(graph);
        let world = app.world_mut();
        let mut players = world.query::<(Entity, &mut AnimationPlayer)>();
        let mut animated = Vec::new();
        for (entity, mut player) in players.iter_mut(world) {
            player.play(node).seek_to(time).pause();
            animated.push(entity);
        }
        assert!(!animated.is_empty(), "nothing plays the animation");
        for entity in animated {
            let handle = AnimationGraphHandle(graph.clone());
            world.entity_mut(entity).insert(handle);
        }
    }
    // One frame for the asset's events, one for what is animated by them.
    app.update();
    app.update();
    until(app, |app| {
        app.world().resource::<HitscanWorld>().pending() == 0
    });
    root
}

/// Runs frames until something is so.
fn until(app: &mut App, is_so: impl Fn(&App) -> bool) {
    for _ in 0..1_000_000 {
        if is_so(app) {
            return;
        }
        std::thread::yield_now();
        app.update();
    }
    panic!("a million frames have not done it");
}

/// The entities with meshes.
pub(crate) fn meshes(app: &mut App) -> Vec<Entity> {
    let world = app.world_mut();
    let mut meshes = world.query_filtered::<Entity, With<Mesh3d>>();
    meshes.iter(world).collect()
}

/// What `ask` answers by the system parameter.
pub(crate) fn ask<R>(app: &mut App, ask: impl FnOnce(&Hitscan<'_, '_>) -> R) -> R {
    let mut state = SystemState::<Hitscan>::new(app.world_mut());
    let hitscan = state.get(app.world()).unwrap();
    ask(&hitscan)
}
