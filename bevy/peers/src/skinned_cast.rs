//! Bevy's ray cast with meshes that are skinned on the CPU first, as bevy#23583 proposes: that skins a mesh anew for
//! each ray whose box test it passes, this once a frame for all rays, and on all threads.

use crate::brute_force::Answer;
use crate::crowd::PartOf;
use crate::parallel::cast_all;
use bevy_app::App;
use bevy_asset::Assets;
use bevy_camera::primitives::Aabb;
use bevy_math::{Affine3A, Mat4, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Indices, Mesh, Mesh3d, VertexAttributeValues};
use bevy_picking::mesh_picking::ray_cast::{
    Backfaces, ray_aabb_intersection_3d, ray_mesh_intersection,
};
use bevy_shape::{Aabb3d, Ray3d};
use bevy_tasks::ComputeTaskPool;
use bevy_transform::components::GlobalTransform;
use std::sync::OnceLock;

/// A skinned entity; its vertices are worked out when a ray first needs them.
struct Skinned<'a> {
    number: usize,
    bounds: Aabb3d,
    world_from_mesh: Affine3A,
    mesh: &'a Mesh,
    matrices: Vec<Mat4>,
    vertices: OnceLock<Vec<[f32; 3]>>,
}

/// The nearest hit of each ray.
///
/// # Panics
/// Where the meshes are not those of a [`Crowd`](crate::crowd::Crowd).
#[must_use]
pub(crate) fn cast_rays(app: &mut App, rays: &[Ray3d]) -> Vec<Answer> {
    let world = app.world_mut();
    let mut drawn = world.query::<(&PartOf, &Mesh3d, &SkinnedMesh, &Aabb, &GlobalTransform)>();
    let mut transforms = world.query::<&GlobalTransform>();
    let transforms = transforms.query(world);
    let meshes = world.resource::<Assets<Mesh>>();
    let all_matrices = world.resource::<Assets<SkinnedMeshInverseBindposes>>();
    let entities = drawn.iter(world).map(|(part, mesh, skin, aabb, at)| {
        let inverse = all_matrices.get(&skin.inverse_bindposes);
        let inverse = inverse.expect("the matrices are there");
        let joints = skin.joints.iter().zip(inverse.iter());
        let matrices = joints.map(|(joint, inverse)| {
            let joint = transforms.get(*joint).expect("the joint is there");
            joint.to_matrix() * *inverse
        });
        Skinned {
            number: part.0,
            bounds: Aabb3d::new(aabb.center, aabb.half_extents),
            world_from_mesh: at.affine(),
            mesh: meshes.get(&mesh.0).expect("the mesh is there"),
            matrices: matrices.collect(),
            vertices: OnceLock::new(),
        }
    });
    let entities: Vec<Skinned<'_>> = entities.collect();
    if let [ray] = rays {
        return vec![cast_ray(
            &entities,
            *ray,
            &boxes_in_parallel(&entities, *ray),
        )];
    }
    cast_all(rays, |_, ray| {
        let boxes = boxes(&entities, ray, 0);
        cast_ray(&entities, ray, &boxes)
    })
}

/// The entities whose boxes a ray hits, and at which distance.
fn boxes(entities: &[Skinned<'_>], ray: Ray3d, first: usize) -> Vec<(f32, usize)> {
    let numbered = (first..).zip(entities);
    let met = numbered.filter_map(|(number, entity)| {
        let near = ray_aabb_intersection_3d(ray, &entity.bounds, &entity.world_from_mesh)?;
        Some((near, number))
    });
    met.collect()
}

fn boxes_in_parallel(entities: &[Skinned<'_>], ray: Ray3d) -> Vec<(f32, usize)> {
    const PIECE: usize = 256;
    let pieces = ComputeTaskPool::get().scope(|scope| {
        for (piece, entities) in entities.chunks(PIECE).enumerate() {
            scope.spawn(async move { boxes(entities, ray, piece * PIECE) });
        }
    });
    pieces.concat()
}

fn cast_ray(entities: &[Skinned<'_>], ray: Ray3d, boxes: &[(f32, usize)]) -> Answer {
    let mut in_order = boxes.to_vec();
    in_order.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut nearest: Answer = None;
    for (near, number) in in_order {
        if nearest.is_some_and(|(_, nearest)| near > nearest) {
            break;
        }
        let entity = &entities[number];
        let Some(Indices::U32(indices)) = entity.mesh.indices() else {
            panic!("the mesh has indices of 32 bits");
        };
        let vertices = entity.vertices.get_or_init(|| entity.skin());
        let hit = ray_mesh_intersection(
            ray,
            &Affine3A::IDENTITY,
            vertices,
            None,
            Some(indices),
            None,
            Backfaces::Cull,
        );
        if let Some(hit) = hit
            && nearest.is_none_or(|(_, nearest)| hit.distance < nearest)
        {
            nearest = Some((entity.number, hit.distance));
        }
    }
    nearest
}

impl Skinned<'_> {
    fn skin(&self) -> Vec<[f32; 3]> {
        let (
            Some(VertexAttributeValues::Float32x3(positions)),
            Some(VertexAttributeValues::Uint16x4(joints)),
            Some(VertexAttributeValues::Float32x4(weights)),
        ) = (
            self.mesh.attribute(Mesh::ATTRIBUTE_POSITION),
            self.mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX),
            self.mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT),
        )
        else {
            panic!("the mesh is skinned");
        };
        let vertices = positions.iter().zip(joints).zip(weights);
        let posed = vertices.map(|((at, joints), weights)| {
            let mut matrix = Mat4::ZERO;
            for (joint, weight) in joints.iter().zip(weights) {
                if *weight > 0.0 {
                    matrix += self.matrices[usize::from(*joint)] * *weight;
                }
            }
            matrix.transform_point3(Vec3::from(*at)).to_array()
        });
        posed.collect()
    }
}
