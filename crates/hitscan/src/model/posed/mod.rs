//! A model in a pose, computed lazily: only the parts that queries reach.
//!
//! [`Model::skinned`] moves every vertex; a [`PosedModel`] moves joints, bounds the parts by them, and leaves
//! vertices to the rays that reach them.

mod box_transform;
mod root_bounds;
mod node_bounds;
mod surface;
mod part_state;
mod pose_state;
mod part;
mod placed_part;
mod placed_triangles;
mod placed_parts;
mod placed_closest;
mod queries;
mod by_joints;
mod joints_between;
mod baked;

use crate::simd::dispatch;
pub(crate) use baked::BakedPose;
pub use part::PosedPart;
pub(crate) use placed_part::PlacedPart;
pub(crate) use placed_parts::{PartPlaces, PlacedParts};

use super::joint_matrix::{JointMatrices, JointMatrix};
use super::skeleton::{orientation, orientation_of_scale, parent_from_node, scaled_turned_moved};
use super::{Model, Pose};
use crate::simd::Width;
use crate::{Aabb, Error};
use core::cmp::Ordering;
use core::sync::atomic::AtomicUsize;
use core::sync::atomic::Ordering::Relaxed;
use glam::{Affine3A, DVec3};
use pose_state::PoseState;
use std::sync::{Arc, OnceLock};

/// A model in a pose, bounded at once and deformed only where queries reach it.
///
/// Every answer is that of [`Model::skinned`]'s vertices, bit for bit.
///
/// ```
/// use hitscan::model::{Model, ModelData, NodeData, PartData, PosedModel};
/// use hitscan::Ray;
/// use std::sync::Arc;
/// let part = PartData {
///     positions: vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()],
///     triangles: vec![[0, 1, 2]],
///     ..PartData::default()
/// };
/// let nodes = vec![NodeData::default()];
/// let model = Arc::new(Model::new(ModelData { nodes, parts: vec![part], ..ModelData::default() })?);
/// let posed_model = PosedModel::new(&model, model.rest_pose())?;
/// let ray = Ray::new([0.2, 0.2, 3.0], [0.0, 0.0, -1.0])?;
/// let hit = posed_model.cast_ray(&ray, ());
/// assert_eq!(hit.map(|hit| hit.t), Some(3.0));
/// # Ok::<(), hitscan::Error>(())
/// ```
///
/// # Source
/// Kavan, Zara, "Fast Collision Detection for Skeletally Deformable Models", Eurographics 2005.
pub struct PosedModel {
    model: Arc<Model>,
    source: Source,
    /// The morph weights of all nodes, as a pose has them.
    weights: Box<[f64]>,
    /// There from the start, but for a pose of joint matrices: the first query makes that one's.
    state: OnceLock<PoseState>,
    width: Width,
    /// Where the parts are in the model, once one was queried.
    places: OnceLock<PartPlaces>,
    /// What the meshes take that were made for queries, as counted in the model.
    deformed_bytes: AtomicUsize,
}

/// Which pose it is.
#[derive(Debug, Clone)]
enum Source {
    Clip { clip: usize, time_secs: f64 },
    Pose(Box<Pose>),
    Joints(JointPose),
}

/// The matrices of all joints, in the order of [`Model::joints`], and a box that holds all triangles then.
#[derive(Debug, Clone)]
struct JointPose {
    model_from_joints: Box<[Affine3A]>,
    bounds: Option<Aabb>,
}

impl PosedModel {
    /// The model in `pose`.
    ///
    /// # Errors
    /// As [`Model::skinned`].
    pub fn new(model: &Arc<Model>, pose: &Pose) -> Result<Self, Error> {
        model.check_pose(pose)?;
        let joint_matrices = model.joint_matrices_to_fill();
        let source = Source::Pose(Box::new(pose.clone()));
        let locals = pose.locals();
        let mut nodes = JointMatrices::new();
        dispatch!(Width::default(), simd => {
            let local = |node: usize| parent_from_node(&locals[node]);
            model.skeleton.model_from_nodes(simd, &model.needed_nodes, local, &mut nodes);
        });
        let orientation = |node: usize| orientation(&locals[node]);
        let weights = pose.all_weights().into();
        Self::from_nodes(
            model,
            source,
            weights,
            (&nodes, &orientation),
            joint_matrices,
        )
    }

    /// The model `time_secs` into a clip: in the pose that [`Model::pose_at`] gives.
    ///
    /// # Errors
    /// As [`Model::pose_at`] and [`Model::skinned`].
    pub fn at_clip(model: &Arc<Model>, clip: usize, time_secs: f64) -> Result<Self, Error> {
        model.check_time(clip, time_secs)?;
        let joint_matrices = model.joint_matrices_to_fill();
        let source = Source::Clip { clip, time_secs };
        let sample = model.clips[clip].at(time_secs);
        let mut weights: Box<[f64]> = model.rest.all_weights().into();
        sample.apply_all_weights(&model.rest, &mut weights);
        let mut nodes = JointMatrices::new();
        dispatch!(Width::default(), simd => {
            let local = |node: usize| match sample.local(node) {
                Some(trs) => scaled_turned_moved(trs.scale, trs.rotation, trs.translation),
                None => model.skeleton.at_rest(node),
            };
            model.skeleton.model_from_nodes(simd, &model.needed_nodes, local, &mut nodes);
        });
        let orientation = |node: usize| match sample.local(node) {
            Some(trs) => orientation_of_scale(trs.scale),
            None => model.skeleton.orientation_at_rest(node),
        };
        Self::from_nodes(
            model,
            source,
            weights,
            (&nodes, &orientation),
            joint_matrices,
        )
    }

    /// The model with its nodes at these places, where `orientation` gives the sign of the determinant of
    /// a node's transform in its parent's space.
    fn from_nodes(
        model: &Arc<Model>,
        source: Source,
        weights: Box<[f64]>,
        nodes: (&JointMatrices, &dyn Fn(usize) -> Ordering),
        joint_matrices: Vec<JointMatrix>,
    ) -> Result<Self, Error> {
        let state = PoseState::new(model, &weights, nodes, joint_matrices)?;
        Ok(Self::with_state(
            model,
            source,
            weights,
            OnceLock::from(state),
        ))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with_state(
        model: &Arc<Model>,
        source: Source,
        weights: Box<[f64]>,
        state: OnceLock<PoseState>,
    ) -> Self {
        Self {
            model: Arc::clone(model),
            source,
            weights,
            state,
            width: Width::default(),
            places: OnceLock::new(),
            deformed_bytes: AtomicUsize::new(0),
        }
    }

    #[inline]
    fn state(&self) -> &PoseState {
        self.state.get_or_init(|| self.state_of_joints())
    }

    /// Counts a mesh that was made for queries, for as long as this pose is kept.
    fn count_deformed(&self, bytes: usize) {
        self.deformed_bytes.fetch_add(bytes, Relaxed);
        self.model.deformed_memory.add(bytes);
    }

    /// The same model in the same pose, its deformed parts queried with these vector instructions.
    /// Answers do not depend on them.
    #[doc(hidden)]
    #[must_use]
    pub fn with_width(mut self, width: Width) -> Self {
        self.width = width;
        self
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The pose, sampled anew where it came from a clip.
    ///
    /// Of [joint matrices](Self::by_joints) it is the pose whose nodes are there, as nearly as f64 has it: each
    /// joint's matrix in the space of its parent, where that has an inverse; other nodes, and joints below a joint
    /// that is flattened, are at rest in their parents' spaces.
    #[must_use]
    pub fn pose(&self) -> Pose {
        match &self.source {
            Source::Pose(pose) => pose.as_ref().clone(),
            Source::Clip { clip, time_secs } => self.model.sampled(*clip, *time_secs),
            Source::Joints(joints) => self.pose_of_joints(joints),
        }
    }

    /// The model `alpha` of the way from this pose to another of the same model: in the blend of their
    /// poses ([`Pose::blended`]).
    ///
    /// Between two poses of [joint matrices](Self::by_joints) each joint is interpolated in its parent's space, so
    /// that limbs keep their length; below a joint that one of them flattens, which has no space, in the model's.
    /// Its rotation and its stretch are taken apart as those of nodes that are matrices. Joint matrices are rounded
    /// to f32.
    ///
    /// # Errors
    /// As [`Pose::blended`] and [`Model::skinned`].
    pub fn blended(&self, other: &Self, alpha: f64) -> Result<Self, Error> {
        if let (Source::Joints(from), Source::Joints(to)) = (&self.source, &other.source) {
            return self.joints_blended((from, to), other, alpha);
        }
        self.nodes_blended(other, alpha)
    }

    /// In the blend of the poses of all nodes.
    pub(super) fn nodes_blended(&self, other: &Self, alpha: f64) -> Result<Self, Error> {
        Self::new(&self.model, &self.pose().blended(&other.pose(), alpha)?)
    }

    /// A bound on the distance from the model's origin of any point of the model, metres, in this
    /// pose, in another of the same model, and in any between ([`Model::max_displacement`]).
    ///
    /// # Errors
    /// As [`Model::max_displacement`].
    pub fn max_displacement(&self, other: &Self) -> Result<f64, Error> {
        if let Some(bounds) = self.bounds_to(other) {
            let far = bounds.map_or(DVec3::ZERO, |bounds| {
                bounds.min().abs().max(bounds.max().abs()).as_dvec3()
            });
            return Ok(far.length() * (1.0 + 8.0 * f64::EPSILON));
        }
        self.model.max_displacement(&self.pose(), &other.pose())
    }

    /// The number of parts: as many as the model has.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.model.parts.len()
    }

    /// A part, or `None` for no such part.
    #[must_use]
    #[inline]
    pub fn part(&self, index: usize) -> Option<PosedPart<'_>> {
        let part = self.model.parts.get(index)?;
        let state = self.state().parts.get(index)?;
        Some(PosedPart::new(self, part, state))
    }

    /// The parts, in the model's order.
    pub fn parts(&self) -> impl Iterator<Item = PosedPart<'_>> {
        let parts = self.model.parts.iter().zip(&self.state().parts);
        parts.map(|(part, state)| PosedPart::new(self, part, state))
    }

    /// The only part, if there is one only and joints move it.
    fn only_skinned_part(&self) -> Option<PosedPart<'_>> {
        let [part] = self.model.parts.as_slice() else {
            return None;
        };
        part.skin.as_ref()?;
        self.part(0)
    }

    /// A box that holds the model, or `None` without triangles. It may be larger than the model, as
    /// [`PosedPart::bounds`] may be.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        let of_part = |part: PosedPart<'_>| {
            let model_from_part = part.model_from_part();
            let bounds = part.bounds()?;
            let corners = bounds.wide_corners().into_iter();
            Aabb::around_f64(corners.map(|corner| model_from_part.transform_point3(corner)))
        };
        let boxes = self.parts().filter_map(of_part);
        boxes.reduce(|all, one| all.union(&one))
    }

    /// The parts where they are in the model.
    #[inline]
    fn placed_parts(&self) -> PlacedParts<'_> {
        let places = (self.places).get_or_init(|| PartPlaces::of_model(self, None, None));
        places.unmoved(self)
    }

    /// Whether all parts share one transform, so that their corners coincide in one place if they
    /// do in another.
    fn has_one_transform(&self) -> bool {
        let mut transforms = self.parts().map(|part| part.model_from_part());
        let first = transforms.next();
        transforms.all(|transform| Some(transform) == first)
    }

    /// Where the joints of a skin take bind space in the model.
    #[inline]
    fn joints_of(&self, skin: usize) -> &[JointMatrix] {
        &self.state().joint_matrices[self.model.joints_of(skin)]
    }

    fn weights_of(&self, node: usize) -> &[f64] {
        &self.weights[self.model.rest.weight_range(node)]
    }

    /// The bytes that the posed model takes on the heap, without the model and with meshes that were
    /// made for it.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let pose = match &self.source {
            Source::Pose(pose) => pose.memory_bytes() + size_of::<Pose>(),
            Source::Clip { .. } => 0,
            Source::Joints(joints) => size_of_val(joints.model_from_joints.as_ref()),
        };
        pose + self.state.get().map_or(0, PoseState::memory_bytes)
            + (self.places.get()).map_or(0, PartPlaces::memory_bytes)
            + size_of_val(self.weights.as_ref())
    }
}

impl Drop for PosedModel {
    fn drop(&mut self) {
        let bytes = *self.deformed_bytes.get_mut();
        if bytes > 0 {
            self.model.deformed_memory.remove(bytes);
        }
    }
}
