//! Bevy's own: `MeshRayCast` as it is, and on meshes that are skinned for every ray, the way of bevy#23583.

use crate::crowd::OfBody;
use crate::measure::timed;
use crate::truth::Answer;
use bevy_app::App;
use bevy_asset::Assets;
use bevy_camera::primitives::Aabb;
use bevy_ecs::error::BevyError;
use bevy_ecs::prelude::*;
use bevy_ecs::system::{SystemParam, SystemState};
use bevy_math::{Affine3A, Mat4, Vec3};
use bevy_mesh::skinning::{
    SkinnedMesh, SkinnedMeshInverseBindposes, entity_aabb_from_skinned_mesh_bounds,
};
use bevy_mesh::{Indices, Mesh, Mesh3d, VertexAttributeValues};
use bevy_picking::mesh_picking::ray_cast::{
    Backfaces, MeshRayCast, MeshRayCastSettings, RayCastVisibility, ray_aabb_intersection_3d,
    ray_mesh_intersection,
};
use bevy_shape::{Aabb3d, Ray3d};
use bevy_transform::components::GlobalTransform;

/// The nearest hits of `MeshRayCast`, and the milliseconds that they took.
pub(crate) fn cast(app: &mut App, rays: &[Ray3d]) -> Result<(Vec<Answer>, f64), BevyError> {
    let mut state = SystemState::<(MeshRayCast, Query<&OfBody>)>::new(app.world_mut());
    let (mut cast, bodies) = state.get_mut(app.world_mut())?;
    let settings = MeshRayCastSettings::default().with_visibility(RayCastVisibility::Visible);
    Ok(timed(|| {
        let answers = rays.iter().map(|ray| {
            let (entity, hit) = cast.cast_ray(*ray, &settings).first()?;
            Some((bodies.get(*entity).ok()?.0, hit.distance))
        });
        answers.collect()
    }))
}

/// What skinning needs.
#[derive(SystemParam)]
struct Skins<'w, 's> {
    meshes: Res<'w, Assets<Mesh>>,
    inverse_bind: Res<'w, Assets<SkinnedMeshInverseBindposes>>,
    skinned: Query<
        'w,
        's,
        (
            &'static Mesh3d,
            &'static SkinnedMesh,
            &'static Aabb,
            &'static GlobalTransform,
            &'static OfBody,
        ),
    >,
    joints: Query<'w, 's, &'static GlobalTransform>,
}

impl Skins<'_, '_> {
    /// The nearest hit, of the meshes whose boxes the ray meets, nearest box first.
    fn cast_ray(&self, ray: Ray3d) -> Answer {
        let mut boxes: Vec<(f32, &Mesh3d, &SkinnedMesh, u32)> = Vec::new();
        for (mesh, skin, aabb, transform, body) in &self.skinned {
            let aabb = Aabb3d::new(aabb.center, aabb.half_extents);
            if let Some(near) = ray_aabb_intersection_3d(ray, &aabb, &transform.affine()) {
                boxes.push((near, mesh, skin, body.0));
            }
        }
        boxes.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut nearest: Answer = None;
        for (near, mesh, skin, body) in boxes {
            if nearest.is_some_and(|(_, distance)| near > distance) {
                break;
            }
            if let Some(distance) = self.hit(ray, mesh, skin)
                && nearest.is_none_or(|(_, other)| distance < other)
            {
                nearest = Some((body, distance));
            }
        }
        nearest
    }

    /// Skins all of a mesh, and tries all of its triangles.
    fn hit(&self, ray: Ray3d, mesh: &Mesh3d, skin: &SkinnedMesh) -> Option<f32> {
        let mesh = self.meshes.get(&mesh.0)?;
        let inverse_bind = self.inverse_bind.get(&skin.inverse_bindposes)?;
        let joints = self.joints.iter_many(&skin.joints);
        let matrices: Vec<Mat4> = joints
            .zip(inverse_bind.iter())
            .map(|(joint, inverse_bind)| joint.to_matrix() * *inverse_bind)
            .collect();
        let (
            Some(VertexAttributeValues::Float32x3(positions)),
            Some(VertexAttributeValues::Uint16x4(joints)),
            Some(VertexAttributeValues::Float32x4(weights)),
            Some(Indices::U32(indices)),
        ) = (
            mesh.attribute(Mesh::ATTRIBUTE_POSITION),
            mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX),
            mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT),
            mesh.indices(),
        )
        else {
            return None;
        };
        let skinned = positions.iter().zip(joints.iter().zip(weights));
        let skinned = skinned.map(|(at, (joints, weights))| {
            let terms = joints.iter().zip(weights);
            let terms = terms.map(|(joint, weight)| matrices[usize::from(*joint)] * *weight);
            let matrix: Mat4 = terms.sum();
            matrix.transform_point3(Vec3::from(*at)).to_array()
        });
        let skinned: Vec<[f32; 3]> = skinned.collect();
        let whole = Affine3A::IDENTITY;
        let hit = ray_mesh_intersection(
            ray,
            &whole,
            &skinned,
            None,
            Some(indices),
            None,
            Backfaces::Cull,
        );
        hit.map(|hit| hit.distance)
    }
}

/// The nearest hits with all bodies skinned for every ray that comes near, and the milliseconds that they took.
pub(crate) fn cast_skinned(app: &mut App, rays: &[Ray3d]) -> Result<(Vec<Answer>, f64), BevyError> {
    let mut state = SystemState::<Skins>::new(app.world_mut());
    let skins = state.get(app.world())?;
    Ok(timed(|| {
        crate::threads::cast_all(rays, |ray| skins.cast_ray(*ray))
    }))
}

/// Milliseconds in which Bevy brings the boxes of skinned meshes up to date, as its `update_skinned_mesh_bounds` does.
pub(crate) fn bounds(app: &mut App) -> Result<f64, BevyError> {
    type Boxed = (
        &'static mut Aabb,
        &'static Mesh3d,
        &'static SkinnedMesh,
        Option<&'static GlobalTransform>,
    );
    type Parameters<'w, 's> = (
        Res<'w, Assets<SkinnedMeshInverseBindposes>>,
        Res<'w, Assets<Mesh>>,
        Query<'w, 's, Boxed>,
        Query<'w, 's, &'static GlobalTransform>,
    );
    let mut state = SystemState::<Parameters>::new(app.world_mut());
    let (inverse_bind, meshes, mut boxed, joints) = state.get_mut(app.world_mut())?;
    let ((), ms) = timed(|| {
        boxed
            .par_iter_mut()
            .for_each(|(mut aabb, mesh, skin, transform)| {
                if let Some(inverse_bind) = inverse_bind.get(&skin.inverse_bindposes)
                    && let Some(mesh) = meshes.get(&mesh.0)
                    && let Ok(bounds) = entity_aabb_from_skinned_mesh_bounds(
                        &joints,
                        mesh,
                        skin,
                        inverse_bind,
                        transform,
                    )
                {
                    *aabb = bounds.into();
                }
            });
    });
    Ok(ms)
}
