//! A crowd of animated bodies in an app without a window, and rays at them.

use crate::numbers::Numbers;
use crate::skeleton::{self, JOINTS};
use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle};
use bevy_animation::{AnimatedBy, AnimationClip, AnimationPlayer, AnimationPlugin};
use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets};
use bevy_camera::visibility::{DynamicSkinnedMeshBounds, Visibility};
use bevy_ecs::error::BevyError;
use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d, MeshPlugin};
use bevy_shape::Ray3d;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use core::time::Duration;

/// The number of the body that an entity is a part of.
#[derive(Component, Clone, Copy)]
pub(crate) struct OfBody(pub(crate) u32);

/// A body: its skinned mesh and its joints.
pub(crate) struct Body {
    pub(crate) mesh: Entity,
    pub(crate) joints: Vec<Entity>,
}

/// Metres between neighbours.
const SPACING: f32 = 1.5;

/// How many stand in a row.
const ROW: u16 = 40;

/// Bevy without a window and a renderer: assets, time, animations, transforms.
pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        AssetPlugin::default(),
        TimePlugin,
        MeshPlugin,
        TransformPlugin,
        AnimationPlugin,
    ));
    let frame = Duration::from_micros(16_667);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    app
}

/// Spawns so many animated bodies, each at another time of its animation.
pub(crate) fn spawn(app: &mut App, count: u16) -> Result<Vec<Body>, BevyError> {
    let world = app.world_mut();
    let mesh = world.resource_mut::<Assets<Mesh>>().add(skeleton::mesh()?);
    let inverse_bindposes = world
        .resource_mut::<Assets<SkinnedMeshInverseBindposes>>()
        .add(skeleton::inverse_bindposes());
    let clip = skeleton::animation()?;
    let clip = world.resource_mut::<Assets<AnimationClip>>().add(clip);
    let (graph, node) = AnimationGraph::from_clip(clip);
    let graph = world.resource_mut::<Assets<AnimationGraph>>().add(graph);
    let targets: Vec<_> = (0..JOINTS.len()).map(skeleton::target).collect();
    let mut bodies = Vec::new();
    for number in 0..count {
        let at = [number % ROW, number / ROW].map(|place| f32::from(place) * SPACING);
        let mut player = AnimationPlayer::default();
        let time = f32::from(number % 97) / 97.0 * 2.0;
        player.play(node).repeat().seek_to(time);
        let root = world.spawn((
            Transform::from_xyz(at[0], 0.0, at[1]),
            Visibility::Inherited,
            player,
            AnimationGraphHandle(graph.clone()),
        ));
        let root = root.id();
        let mut joints: Vec<Entity> = Vec::new();
        for (number, joint) in JOINTS.iter().enumerate() {
            let parent = joint.parent.map_or(root, |parent| joints[parent]);
            let spawned = world.spawn((
                Name::new(format!("joint {number}")),
                Transform::from_translation(joint.offset),
                Visibility::Inherited,
                targets[number],
                AnimatedBy(root),
                ChildOf(parent),
            ));
            joints.push(spawned.id());
        }
        let skin = SkinnedMesh {
            inverse_bindposes: inverse_bindposes.clone(),
            joints: joints.clone(),
        };
        let mesh = world.spawn((
            Mesh3d(mesh.clone()),
            skin,
            DynamicSkinnedMeshBounds,
            Transform::IDENTITY,
            OfBody(u32::from(number)),
            ChildOf(root),
        ));
        let mesh = mesh.id();
        bodies.push(Body { mesh, joints });
    }
    Ok(bodies)
}

/// Rays from above and around the crowd at its members.
pub(crate) fn rays(count: usize, bodies: usize, numbers: &mut Numbers) -> Vec<Ray3d> {
    let rows = bodies.div_ceil(usize::from(ROW));
    let [wide, deep] = [usize::from(ROW), rows]
        .map(|places| f32::from(u16::try_from(places).unwrap_or(u16::MAX)) * SPACING);
    let ray = |_| loop {
        let target = Vec3::new(
            numbers.between(0.0, wide),
            numbers.between(0.1, 1.8),
            numbers.between(0.0, deep),
        );
        let away = numbers.direction() * numbers.between(3.0, 20.0);
        let origin = target + Vec3::new(away.x, away.y.abs() + 0.5, away.z);
        if let Ok(direction) = Dir3::new(target - origin) {
            return Ray3d::new(origin, direction);
        }
    };
    (0..count).map(ray).collect()
}
