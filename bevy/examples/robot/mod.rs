//! A robot that walks: a skinned mesh of six boxes on six joints.

use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_camera::visibility::Visibility;
use bevy_ecs::name::Name;
use bevy_ecs::prelude::*;
use bevy_math::{Mat4, Quat, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_transform::components::Transform;

/// The joints: name, place in bind space, and centre and size of the box that hangs on it. The robot is 1.9 m high,
/// stands on the ground and looks along +z.
const JOINTS: [(&str, Vec3, Vec3, Vec3); 6] = [
    (
        "torso",
        Vec3::new(0.0, 1.2, 0.0),
        Vec3::new(0.0, 1.2, 0.0),
        Vec3::new(0.5, 0.7, 0.3),
    ),
    (
        "head",
        Vec3::new(0.0, 1.55, 0.0),
        Vec3::new(0.0, 1.75, 0.0),
        Vec3::splat(0.3),
    ),
    (
        "left leg",
        Vec3::new(0.15, 0.85, 0.0),
        Vec3::new(0.15, 0.425, 0.0),
        Vec3::new(0.18, 0.85, 0.2),
    ),
    (
        "right leg",
        Vec3::new(-0.15, 0.85, 0.0),
        Vec3::new(-0.15, 0.425, 0.0),
        Vec3::new(0.18, 0.85, 0.2),
    ),
    (
        "left arm",
        Vec3::new(0.35, 1.5, 0.0),
        Vec3::new(0.35, 1.15, 0.0),
        Vec3::new(0.15, 0.7, 0.2),
    ),
    (
        "right arm",
        Vec3::new(-0.35, 1.5, 0.0),
        Vec3::new(-0.35, 1.15, 0.0),
        Vec3::new(0.15, 0.7, 0.2),
    ),
];

/// A robot: the root that places it, the entity that has the mesh, its joints.
pub(crate) struct Robot {
    /// Moves all of it.
    #[allow(dead_code, reason = "not every example moves it")]
    pub(crate) root: Entity,
    /// What answers name.
    #[allow(dead_code, reason = "not every example asks for it")]
    pub(crate) mesh: Entity,
    /// In the order of the skin.
    pub(crate) joints: Vec<Entity>,
}

/// What all robots share.
pub(crate) struct Model {
    pub(crate) mesh: Handle<Mesh>,
    inverse_bindposes: Handle<SkinnedMeshInverseBindposes>,
}

/// Makes the mesh and its inverse bind matrices.
pub(crate) fn model(world: &mut World) -> Model {
    let matrices = JOINTS.map(|(_, place, _, _)| Mat4::from_translation(-place));
    let matrices = SkinnedMeshInverseBindposes::from(matrices.to_vec());
    Model {
        mesh: world.resource_mut::<Assets<Mesh>>().add(boxes()),
        inverse_bindposes: world
            .resource_mut::<Assets<SkinnedMeshInverseBindposes>>()
            .add(matrices),
    }
}

/// Spawns a robot at a place.
pub(crate) fn spawn(world: &mut World, model: &Model, at: Vec3) -> Robot {
    let root = world
        .spawn((Transform::from_translation(at), Visibility::Inherited))
        .id();
    let joints = JOINTS.map(|(name, place, _, _)| {
        let place = Transform::from_translation(place);
        world.spawn((Name::new(name), place, ChildOf(root))).id()
    });
    let skin = SkinnedMesh {
        inverse_bindposes: model.inverse_bindposes.clone(),
        joints: joints.to_vec(),
    };
    let mesh = world
        .spawn((Mesh3d(model.mesh.clone()), skin, ChildOf(root)))
        .id();
    Robot {
        root,
        mesh,
        joints: joints.to_vec(),
    }
}

/// Puts a robot into the pose that it has so many steps into its walk.
#[allow(dead_code, reason = "not every example walks")]
pub(crate) fn walk(world: &mut World, robot: &Robot, steps: f32) {
    let swing = 0.9 * (core::f32::consts::PI * steps).sin();
    let swings = [0.0, 0.0, swing, -swing, -swing, swing];
    for (number, joint) in robot.joints.iter().enumerate() {
        if let Some(mut transform) = world.get_mut::<Transform>(*joint) {
            transform.rotation = Quat::from_rotation_x(swings[number]);
        }
    }
}

/// The name of the joint that a hit is on.
#[allow(dead_code, reason = "not every example asks for it")]
pub(crate) fn name(world: &World, joint: Option<Entity>) -> &str {
    let name = joint.and_then(|joint| world.get::<Name>(joint));
    name.map_or("none", Name::as_str)
}

fn boxes() -> Mesh {
    let mut positions = Vec::new();
    let mut indices = Vec::new();
    let mut joints = Vec::new();
    for (joint, (_, _, centre, size)) in (0_u16..).zip(JOINTS) {
        let first = u32::try_from(positions.len()).unwrap_or(0);
        for corner in 0..8_u8 {
            let sign = |bit: u8| f32::from(corner >> bit & 1) - 0.5;
            let at = centre + size * Vec3::new(sign(0), sign(1), sign(2));
            positions.push(at.to_array());
        }
        joints.extend([[joint, 0, 0, 0]; 8]);
        // Each side counter-clockwise, seen from outside.
        let sides = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        for [a, b, c, d] in sides {
            indices.extend([a, b, c, a, c, d].map(|corner| first + corner));
        }
    }
    let weights = vec![[1.0, 0.0, 0.0, 0.0]; positions.len()];
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(
        Mesh::ATTRIBUTE_JOINT_INDEX,
        VertexAttributeValues::Uint16x4(joints),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights)
    .with_inserted_indices(Indices::U32(indices))
    // Edges are sharp where it is drawn.
    .with_duplicated_vertices()
    .with_computed_flat_normals()
}
