//! Poses as engines have them: a matrix for each joint.
//!
//! Such a pose costs a copy and a box around what each joint moves; all else is made by the first query
//! that reaches the model (`pose_state.rs`). Between two of them: `joints_between.rs`.

use super::pose_state::PoseState;
use super::{JointPose, PosedModel, Source};
use crate::model::check::{at, check_finite, check_length};
use crate::model::deform::{Deformation, Motion};
use crate::model::joint_matrix::{JointMatrices, JointMatrix, fill_with_identities};
use crate::model::{Model, NodeTransform, Pose};
use crate::simd::{Width, dispatch};
use crate::{Aabb, Error, ModelPlace};
use core::cmp::Ordering;
use glam::{Affine3A, DAffine3, DMat4};
use std::sync::{Arc, OnceLock};

impl PosedModel {
    /// The model where matrices have its joints, one for each of [`Model::joints`], in that order: a vertex goes to
    /// the sum of `weight * (matrix * inverse bind) * position`, its weights divided by their sum, in f64. A joint
    /// may be scaled to nothing, or mirror. `morph_weights` are those of all nodes, one node's after another's.
    ///
    /// Costs a copy and a bound of what each joint moves, as the model is deformed by the first query that reaches
    /// it. Answers are those of [`Self::new`] with each node where its matrix is, bit for bit where all matrices of
    /// that pose are f32.
    ///
    /// ```
    /// use hitscan::Ray;
    /// use hitscan::glam::{Affine3A, Vec3};
    /// use hitscan::model::{Model, PosedModel, SkinnedMeshData};
    /// use std::sync::Arc;
    /// let mesh = SkinnedMeshData {
    ///     positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
    ///     indices: vec![0, 1, 2],
    ///     joint_count: 1,
    ///     influences: 1,
    ///     joints: vec![0; 3],
    ///     weights: vec![1.0; 3],
    ///     ..SkinnedMeshData::default()
    /// };
    /// let model = Arc::new(Model::from_skinned_mesh(mesh)?);
    /// let joint = Affine3A::from_translation(Vec3::new(0.0, 0.0, -4.0));
    /// let posed = PosedModel::by_joints(&model, &[joint], &[])?;
    /// let ray = Ray::new([0.2, 0.2, 3.0], [0.0, 0.0, -1.0])?;
    /// assert_eq!(posed.cast_ray(&ray, ()).map(|hit| hit.t), Some(7.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongLength`] for another number of matrices or weights, and for a model with parts that no joint
    /// moves; [`Error::InModel`] that names a joint whose matrix is not finite, or a part that the joints take beyond
    /// ±1e18; [`Error::BadElement`] for a weight that is not finite.
    pub fn by_joints(
        model: &Arc<Model>,
        model_from_joints: &[Affine3A],
        morph_weights: &[f32],
    ) -> Result<Self, Error> {
        let weights = checked_weights(model, morph_weights)?;
        Self::with_joints(model, model_from_joints.into(), weights)
    }

    /// The same model, where matrices have its joints.
    pub(crate) fn moved_by(&self, model_from_joints: &[Affine3A]) -> Result<Self, Error> {
        Self::with_joints(&self.model, model_from_joints.into(), self.weights.clone())
    }

    /// The same model in the same pose, with other weights of the morph targets of all nodes.
    pub(crate) fn morphed(&self, morph_weights: &[f32]) -> Result<Self, Error> {
        let weights = checked_weights(&self.model, morph_weights)?;
        match &self.source {
            Source::Joints(joints) => {
                Self::with_joints(&self.model, joints.model_from_joints.clone(), weights)
            }
            Source::Clip { .. } | Source::Pose(_) => {
                Self::new(&self.model, &self.pose().with_all_weights(&weights))
            }
        }
    }

    /// The matrices of the joints, where the model was posed by them.
    #[must_use]
    pub fn joint_matrices(&self) -> Option<&[Affine3A]> {
        match &self.source {
            Source::Joints(joints) => Some(&joints.model_from_joints),
            Source::Clip { .. } | Source::Pose(_) => None,
        }
    }

    /// A box that holds a model that is posed by joint matrices, and may be larger than [`Self::bounds`]; `None`
    /// for one that is posed otherwise.
    pub(crate) fn bounds_by_joints(&self) -> Option<Option<Aabb>> {
        match &self.source {
            Source::Joints(joints) => Some(joints.bounds),
            Source::Clip { .. } | Source::Pose(_) => None,
        }
    }

    /// Whether the pose is worked out; one of joint matrices is by its first query.
    pub(crate) fn is_at_hand(&self) -> bool {
        self.state.get().is_some()
    }

    pub(super) fn with_joints(
        model: &Arc<Model>,
        model_from_joints: Box<[Affine3A]>,
        weights: Box<[f64]>,
    ) -> Result<Self, Error> {
        let skinned = model.parts.iter().filter(|part| part.skin.is_some());
        check_length("parts that joints move", model.parts.len(), skinned.count())?;
        check_length(
            "joint matrices",
            model.joints.len(),
            model_from_joints.len(),
        )?;
        for (joint, matrix) in model_from_joints.iter().enumerate() {
            if !matrix.is_finite() {
                let numbers = matrix.to_cols_array().map(f64::from);
                check_finite("joint matrix", numbers).map_err(at(ModelPlace::Joint(joint)))?;
            }
        }
        let bounds = bounds_by_joints(model, &model_from_joints, &weights);
        let state = match bounds {
            Some(_) => OnceLock::new(),
            // Beyond what f32 bounds each vertex is checked.
            None => OnceLock::from(state_of(model, &model_from_joints, &weights)?),
        };
        let bounds = bounds.unwrap_or_else(|| {
            let parts = state.get().into_iter().flat_map(|state| &state.parts);
            let boxes = parts.filter_map(|part| part.bounds);
            boxes.reduce(|all, one| all.union(&one))
        });
        let source = Source::Joints(JointPose {
            model_from_joints,
            bounds,
        });
        Ok(Self::with_state(model, source, weights, state))
    }

    /// What the joint matrices do to the parts; other poses have that from the start.
    #[cold]
    #[inline(never)]
    pub(super) fn state_of_joints(&self) -> PoseState {
        let matrices = self.joint_matrices().unwrap_or_default();
        state_of(&self.model, matrices, &self.weights).expect("the bounds show that it is in range")
    }

    /// The pose of all nodes whose joints are where their matrices are.
    pub(super) fn pose_of_joints(&self, joints: &JointPose) -> Pose {
        let model = &self.model;
        let mut pose = model.rest.with_all_weights(&self.weights);
        let mut model_from_nodes = vec![DAffine3::IDENTITY; model.nodes().len()];
        for &node in model.skeleton.parents_first() {
            let parent = model.nodes()[node].parent();
            let above = parent.map_or(DAffine3::IDENTITY, |parent| model_from_nodes[parent]);
            let inverse = above.inverse();
            let own = model.joints.binary_search(&node);
            let own = own.map(|joint| widened(&joints.model_from_joints[joint]));
            model_from_nodes[node] = match own {
                Ok(own) if inverse.is_finite() => {
                    let local = if parent.is_none() { own } else { inverse * own };
                    *pose.local_mut(node) = NodeTransform::Matrix(DMat4::from(local));
                    own
                }
                _ => above * DAffine3::from(&model.skeleton.at_rest(node)),
            };
        }
        pose
    }
}

/// The weights of all nodes' morph targets.
fn checked_weights(model: &Model, weights: &[f32]) -> Result<Box<[f64]>, Error> {
    let expected = model.rest.all_weights().len();
    check_length("morph weights", expected, weights.len())?;
    check_finite("morph weight", weights.iter().copied().map(f64::from))?;
    Ok(weights.iter().copied().map(f64::from).collect())
}

/// A matrix in f64, which holds it exactly.
pub(super) fn widened(matrix: &Affine3A) -> DAffine3 {
    let columns = matrix.to_cols_array().map(f64::from);
    DAffine3::from_cols_array(&columns)
}

/// The places of a model's nodes: joints are where their matrices are, and others move nothing.
fn places_of(model: &Model, model_from_joints: &[Affine3A]) -> JointMatrices {
    let mut nodes = JointMatrices::new();
    fill_with_identities(&mut nodes, model.nodes().len());
    for (&node, matrix) in model.joints.iter().zip(model_from_joints) {
        nodes[node] = JointMatrix::from(&widened(matrix));
    }
    nodes
}

fn state_of(
    model: &Model,
    model_from_joints: &[Affine3A],
    weights: &[f64],
) -> Result<PoseState, Error> {
    let nodes = places_of(model, model_from_joints);
    // Only of nodes without a skin.
    let orientation = |_: usize| Ordering::Equal;
    let room = model.joint_matrices_to_fill();
    PoseState::new(model, weights, (&nodes, &orientation), room)
}

/// A box that holds all triangles; `None` where f32 cannot bound a part.
fn bounds_by_joints(
    model: &Model,
    model_from_joints: &[Affine3A],
    weights: &[f64],
) -> Option<Option<Aabb>> {
    let nodes = places_of(model, model_from_joints);
    dispatch!(Width::default(), simd => {
        let mut joint_matrices = model.joint_matrices_to_fill();
        for skin in &model.skins {
            skin.model_from_bind(simd, &nodes, &mut joint_matrices);
        }
        let mut all: Option<Aabb> = None;
        for part in &model.parts {
            let Some(skin) = &part.skin else { continue };
            let weights = &weights[model.rest.weight_range(part.node())];
            let joints = &joint_matrices[model.joints_of(skin.skin())];
            let deformation = Deformation::new(part, weights, Motion::Skin(skin, joints));
            let extent = part.extent.in_pose(simd, &deformation.in_use, |joint| &joints[joint]);
            if !extent.fits_f32() {
                return None;
            }
            all = match (all, extent.bounds) {
                (Some(all), Some(one)) => Some(all.union(&one)),
                (all, one) => all.or(one),
            };
        }
        Some(all)
    })
}
