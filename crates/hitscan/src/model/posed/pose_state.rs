//! The parts of a model in a pose: where its joints take bind space, and each part's state.

use super::part_state::PartState;
use crate::model::Model;
use crate::model::check::at;
use crate::model::deform::{Deformation, Motion};
use crate::model::joint_matrix::{JointMatrices, JointMatrix};
use crate::simd::{Width, dispatch};
use crate::{Error, ModelPlace};
use core::cmp::Ordering;
use fearless_simd::Simd;
use smallvec::SmallVec;

/// What a pose does to a model's parts.
pub(super) struct PoseState {
    /// Where joints take bind space in the model, one skin's after another's.
    pub(super) joint_matrices: Box<[JointMatrix]>,
    /// Most models have one.
    pub(super) parts: SmallVec<[PartState; 1]>,
}

impl PoseState {
    /// The parts where `nodes` gives the places of the model's nodes, and the sign of the determinant of each
    /// one's transform in its parent's space.
    pub(super) fn new(
        model: &Model,
        weights: &[f64],
        nodes: (&JointMatrices, &dyn Fn(usize) -> Ordering),
        joint_matrices: Vec<JointMatrix>,
    ) -> Result<Self, Error> {
        dispatch!(Width::default(), simd => {
            Self::with(simd, model, weights, nodes, joint_matrices)
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with<S: Simd>(
        simd: S,
        model: &Model,
        weights: &[f64],
        (model_from_nodes, orientation): (&JointMatrices, &dyn Fn(usize) -> Ordering),
        mut joint_matrices: Vec<JointMatrix>,
    ) -> Result<Self, Error> {
        for skin in &model.skins {
            skin.model_from_bind(simd, model_from_nodes, &mut joint_matrices);
        }
        let mut parts = SmallVec::with_capacity(model.parts.len());
        for (index, part) in model.parts.iter().enumerate() {
            let weights = &weights[model.rest.weight_range(part.node())];
            let state = match &part.skin {
                Some(skin) => {
                    let joints = &joint_matrices[model.joints_of(skin.skin())];
                    let deformation = Deformation::new(part, weights, Motion::Skin(skin, joints));
                    PartState::skinned(simd, part, &deformation, joints)
                }
                None => {
                    let winding = model.skeleton.winding(part.node(), orientation);
                    let joint_matrix = &model_from_nodes[part.node()];
                    PartState::rigid(simd, part, weights, joint_matrix, winding)
                }
            };
            parts.push(state.map_err(at(ModelPlace::Part(index)))?);
        }
        Ok(Self {
            joint_matrices: joint_matrices.into(),
            parts,
        })
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let meshes = self.parts.iter().filter_map(|part| part.mesh.get());
        meshes.map(|mesh| mesh.memory_bytes()).sum::<usize>()
            + size_of_val(self.joint_matrices.as_ref())
            + if self.parts.spilled() {
                size_of_val(self.parts.as_slice())
            } else {
                0
            }
    }
}
