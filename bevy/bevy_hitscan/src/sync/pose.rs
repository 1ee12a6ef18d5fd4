//! Poses of meshes: the transforms of their joints, and the weights of their morph targets.

use super::scene::{HittableItem, Scene};
use crate::HitscanError;
use crate::mesh::{Moved, Posing};
use crate::world::Pose;
use bevy_asset::AssetId;
use bevy_ecs::prelude::*;
use bevy_math::{Affine3A, Mat4};
use bevy_mesh::morph::MeshMorphWeights;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_transform::components::GlobalTransform;
use hitscan::Model;
use smallvec::SmallVec;

/// What poses an entity's mesh.
#[derive(Default)]
pub(super) struct PosedBy {
    pub(super) matrices: Option<AssetId<SkinnedMeshInverseBindposes>>,
    /// Its joints; then the entity whose weights it has.
    pub(super) followed: SmallVec<[Entity; 1]>,
    /// How many of these are joints.
    joint_count: usize,
    weights: Option<MeshMorphWeights>,
}

impl PosedBy {
    /// What poses an entity whose mesh can be moved like this.
    pub(super) fn new(own: &HittableItem<'_, '_>, moved: Moved, scene: &Scene) -> Self {
        let mut posed_by = Self::default();
        if let Some(skin) = own.skin.filter(|_| moved.by_joints) {
            let matrices = skin.inverse_bindposes.id();
            // As Bevy pairs them: what has no partner is skipped.
            let count = posed_by_matrices(scene, matrices).len();
            let joints = skin.joints.iter().copied().take(count);
            posed_by.followed.extend(joints);
            posed_by.joint_count = posed_by.followed.len();
            posed_by.matrices = Some(matrices);
        }
        if let Some(weights) = own.morph_weights.filter(|_| moved.by_morph_targets) {
            if let MeshMorphWeights::Reference(entity) = weights {
                posed_by.followed.push(*entity);
            }
            posed_by.weights = Some(weights.clone());
        }
        posed_by
    }

    /// How the mesh is to be baked, and the matrices of its joints.
    pub(super) fn posing<'a>(
        &self,
        scene: &'a Scene,
    ) -> Result<(Posing, &'a [Mat4]), HitscanError> {
        let Some(inverse_bind) = self.matrices else {
            let posing = match self.weights {
                Some(_) => Posing::Morphed,
                None => Posing::Rigid,
            };
            return Ok((posing, &[]));
        };
        let matrices = posed_by_matrices(scene, inverse_bind);
        if matrices.is_empty() {
            return Err(HitscanError::InverseBindposesMissing);
        }
        let parents = scene.parents_of(&self.followed[..self.joint_count]);
        let posing = Posing::Skinned {
            inverse_bind,
            parents,
        };
        Ok((posing, matrices))
    }

    /// The pose of a model as it is at present.
    pub(super) fn pose(&self, model: &Model, scene: &Scene) -> Result<Pose, HitscanError> {
        let joints = &self.followed[..self.joint_count];
        // The node after the joints has the weights.
        let weights = model.rest_pose().morph_weights(self.joint_count);
        let weight_count = weights.map_or(0, <[f64]>::len);
        Ok(Pose {
            joints: joint_matrices(joints, &scene.transforms)?,
            weights: self.weights(weight_count, scene)?,
        })
    }

    /// The weights of the morph targets; those that are missing are 0, and there may be too many.
    fn weights(&self, count: usize, scene: &Scene) -> Result<Vec<f32>, HitscanError> {
        let given = match &self.weights {
            None => &[],
            Some(MeshMorphWeights::Value { weights }) => weights.as_slice(),
            Some(MeshMorphWeights::Reference(entity)) => {
                let missing = |_| HitscanError::MorphWeightsMissing { entity: *entity };
                scene.morph_weights.get(*entity).map_err(missing)?.weights()
            }
        };
        let mut weights: Vec<f32> = given.iter().copied().take(count).collect();
        weights.resize(count, 0.0);
        match weights.iter().position(|weight| !weight.is_finite()) {
            Some(target) => Err(HitscanError::MorphWeightNotFinite { target }),
            None => Ok(weights),
        }
    }
}

/// The matrices of an asset; none where it is not loaded.
fn posed_by_matrices<'a>(scene: &'a Scene, id: AssetId<SkinnedMeshInverseBindposes>) -> &'a [Mat4] {
    let assets = scene.inverse_bind.as_deref();
    let matrices = assets.and_then(|assets| assets.get(id));
    matrices.map_or(&[], |matrices| matrices)
}

/// Where joints are, as they were last propagated.
pub(super) fn joint_matrices(
    joints: &[Entity],
    transforms: &Query<&GlobalTransform>,
) -> Result<Vec<Affine3A>, HitscanError> {
    let joints = joints.iter().copied().enumerate();
    let matrices = joints.map(|(number, joint)| {
        let missing = |_| HitscanError::JointMissing { number, joint };
        let matrix = transforms.get(joint).map_err(missing)?.affine();
        if !matrix.is_finite() {
            return Err(HitscanError::JointNotFinite { number, joint });
        }
        Ok(matrix)
    });
    matrices.collect()
}
