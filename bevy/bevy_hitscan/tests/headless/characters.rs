//! Characters to be posed: skinned meshes with their joints.

use crate::stage::{add_mesh, triangles};
use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_math::{Mat4, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d, VertexAttributeValues};
use bevy_transform::components::Transform;

/// A skinned mesh and its joints.
pub(crate) struct Character {
    pub(crate) root: Entity,
    pub(crate) mesh: Entity,
    pub(crate) joints: Vec<Entity>,
}

/// Two legs, each a board of 0.2 m by 1 m in the plane z = 0 whose front looks towards +z: the left one about
/// x = -0.3, the right one about x = 0.3. Joint 0 moves the left, joint 1 the right one; both hang at height 1.
pub(crate) fn legs() -> Mesh {
    let board = |x: f32| {
        [
            [x - 0.1, 0.0, 0.0],
            [x + 0.1, 0.0, 0.0],
            [x + 0.1, 1.0, 0.0],
            [x - 0.1, 1.0, 0.0],
        ]
    };
    let positions = [board(-0.3), board(0.3)].concat();
    let indices = [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7];
    let joints = [[[0, 0, 0, 0]; 4], [[1, 0, 0, 0]; 4]].concat();
    skinned(
        triangles(&positions, &indices),
        joints,
        vec![[1.0, 0.0, 0.0, 0.0]; 8],
    )
}

pub(crate) fn skinned(mesh: Mesh, joints: Vec<[u16; 4]>, weights: Vec<[f32; 4]>) -> Mesh {
    mesh.with_inserted_attribute(
        Mesh::ATTRIBUTE_JOINT_INDEX,
        VertexAttributeValues::Uint16x4(joints),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights)
}

/// The hips of [`legs`].
pub(crate) const HIPS: [Vec3; 2] = [Vec3::new(-0.3, 1.0, 0.0), Vec3::new(0.3, 1.0, 0.0)];

/// Spawns [`legs`] standing at the origin.
pub(crate) fn spawn_legs(app: &mut App) -> Character {
    spawn_character(app, legs(), &HIPS)
}

/// Spawns a skinned mesh whose joints are at these places in bind space, all below one root.
pub(crate) fn spawn_character(app: &mut App, mesh: Mesh, places: &[Vec3]) -> Character {
    let mesh = add_mesh(app, mesh);
    let matrices = places.iter().map(|place| Mat4::from_translation(-*place));
    let matrices = SkinnedMeshInverseBindposes::from(matrices.collect::<Vec<_>>());
    let mut assets = app
        .world_mut()
        .resource_mut::<Assets<SkinnedMeshInverseBindposes>>();
    let inverse_bindposes = assets.add(matrices);
    let world = app.world_mut();
    let root = world.spawn(Transform::IDENTITY).id();
    let joint = |place: &Vec3| (Transform::from_translation(*place), ChildOf(root));
    let joints: Vec<Entity> = places
        .iter()
        .map(|place| world.spawn(joint(place)).id())
        .collect();
    let skin = SkinnedMesh {
        inverse_bindposes,
        joints: joints.clone(),
    };
    let mesh = world.spawn((Mesh3d(mesh), skin, ChildOf(root))).id();
    Character { root, mesh, joints }
}

/// Writes an entity's transform.
pub(crate) fn put(app: &mut App, entity: Entity, transform: Transform) {
    *app.world_mut()
        .get_mut::<Transform>(entity)
        .expect("it has a transform") = transform;
}
