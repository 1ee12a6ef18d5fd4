//! Meshes posed in f64, vertex by vertex, by the very joints and weights that Bevy has computed.

use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_math::{Affine3A, DAffine3, DMat4, DVec3, Mat4, Vec3};
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d, VertexAttributeValues};
use bevy_transform::components::GlobalTransform;

/// The triangles of an entity's mesh in the world.
pub(crate) struct PosedMesh {
    pub(crate) entity: Entity,
    pub(crate) triangles: Vec<[DVec3; 3]>,
}

impl PosedMesh {
    /// The mesh of an entity as Bevy has posed it.
    pub(crate) fn of(app: &App, entity: Entity) -> Self {
        let world = app.world();
        let handle = world.get::<Mesh3d>(entity).unwrap();
        let mesh = world.resource::<Assets<Mesh>>().get(&handle.0).unwrap();
        let vertices = vertices(world, entity, mesh);
        // Strips and lists, with and without indices.
        let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION).unwrap();
        let count = positions.len();
        let numbers: Vec<usize> = match mesh.indices() {
            Some(indices) => indices.iter().collect(),
            None => (0..count).collect(),
        };
        let triangles = match mesh.primitive_topology() {
            bevy_mesh::PrimitiveTopology::TriangleList => numbers.as_chunks::<3>().0.to_vec(),
            bevy_mesh::PrimitiveTopology::TriangleStrip => strip(&numbers),
            other => panic!("{other:?} has no triangles"),
        };
        let placed = |corners: [usize; 3]| corners.map(|corner| vertices[corner]);
        Self {
            entity,
            triangles: triangles.into_iter().map(placed).collect(),
        }
    }
}

/// The triangles of a strip, all with the same winding.
fn strip(numbers: &[usize]) -> Vec<[usize; 3]> {
    let triangles = numbers.windows(3).enumerate();
    let wound = triangles.map(|(place, corners)| match (place % 2, corners) {
        (0, &[a, b, c]) => [a, b, c],
        (_, &[a, b, c]) => [b, a, c],
        _ => panic!("windows of three"),
    });
    wound.collect()
}

fn vertices(world: &World, entity: Entity, mesh: &Mesh) -> Vec<DVec3> {
    let Some(VertexAttributeValues::Float32x3(positions)) =
        mesh.attribute(Mesh::ATTRIBUTE_POSITION)
    else {
        panic!("positions are three f32");
    };
    let mut vertices: Vec<DVec3> = positions
        .iter()
        .map(|at| Vec3::from(*at).as_dvec3())
        .collect();
    if let (Some(targets), Some(weights)) = (mesh.get_morph_targets(), weights(world, entity)) {
        for (target, weight) in targets.chunks_exact(positions.len()).zip(weights) {
            for (vertex, displacement) in vertices.iter_mut().zip(target) {
                *vertex += f64::from(weight) * displacement.position.as_dvec3();
            }
        }
    }
    let Some(skin) = world.get::<SkinnedMesh>(entity) else {
        let own = wide(&world.get::<GlobalTransform>(entity).unwrap().affine());
        return vertices
            .iter()
            .map(|at| own.transform_point3(*at))
            .collect();
    };
    let inverse_bind = world.resource::<Assets<SkinnedMeshInverseBindposes>>();
    let inverse_bind = inverse_bind.get(&skin.inverse_bindposes).unwrap();
    let joint = |(joint, inverse_bind): (&Entity, &Mat4)| {
        let joint = world.get::<GlobalTransform>(*joint).unwrap().affine();
        DMat4::from(wide(&joint)) * inverse_bind.as_dmat4()
    };
    let matrices: Vec<DMat4> = skin
        .joints
        .iter()
        .zip(inverse_bind.iter())
        .map(joint)
        .collect();
    let (
        Some(VertexAttributeValues::Uint16x4(joints)),
        Some(VertexAttributeValues::Float32x4(weights)),
    ) = (
        mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX),
        mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT),
    )
    else {
        panic!("four joints a vertex");
    };
    let influences = joints.iter().zip(weights);
    let skinned = vertices.iter().zip(influences);
    let skinned = skinned.map(|(at, (joints, weights))| {
        let weights = weights.map(f64::from);
        let terms = joints.iter().zip(weights);
        let places = terms
            .map(|(joint, weight)| weight * matrices[usize::from(*joint)].transform_point3(*at));
        places.sum::<DVec3>() / weights.iter().sum::<f64>()
    });
    skinned.collect()
}

/// The weights of an entity's morph targets.
fn weights(world: &World, entity: Entity) -> Option<Vec<f32>> {
    match world.get::<MeshMorphWeights>(entity)? {
        MeshMorphWeights::Value { weights } => Some(weights.clone()),
        MeshMorphWeights::Reference(other) => {
            let weights = world.get::<MorphWeights>(*other).unwrap();
            Some(weights.weights().to_vec())
        }
    }
}

fn wide(affine: &Affine3A) -> DAffine3 {
    let [x, y, z] =
        [affine.x_axis, affine.y_axis, affine.z_axis].map(|axis| Vec3::from(axis).as_dvec3());
    DAffine3::from_cols(x, y, z, Vec3::from(affine.translation).as_dvec3())
}
