//! A model in a pose, of which only what queries reach is computed.
//!
//! [`Model::posed`] moves every vertex; a [`PosedModel`] moves joints, bounds the parts by them, and leaves
//! vertices to the rays that reach them.

mod box_transform;
mod root_bounds;
mod node_bounds;
mod surface;
mod part;
mod ray;
mod shape_cast;
mod closest_point;
mod arc;

use crate::simd::dispatch;
pub use part::PosedPart;

use super::check::at;
use super::deform::{Deformation, Motion};
use super::joint_matrix::{JointMatrices, JointMatrix};
use super::morph::TargetsInUse;
use super::part::Part;
use super::rigid::is_well_conditioned;
use super::skeleton::{orientation, orientation_of_scale, parent_from_node, scaled_turned_moved};
use super::skinned::{SkinnedPart, SkinnedShape};
use super::{Model, Pose, Winding};
use crate::simd::Width;
use crate::{Aabb, Error, ModelPlace, TriMesh};
use box_transform::MorphBounds;
use core::cmp::Ordering;
use core::sync::atomic::AtomicU32;
use fearless_simd::Simd;
use glam::DAffine3;
use root_bounds::RootBounds;
use smallvec::SmallVec;
use std::sync::{Arc, OnceLock};

/// A model in a pose, bounded at once and deformed only where queries reach it.
///
/// Every answer is that of [`Model::posed`]'s vertices, bit for bit.
///
/// ```
/// use hitscan::model::{Model, ModelData, NodeData, PartData, PosedModel};
/// use hitscan::{Ray, Sides};
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
/// let hit = posed_model.cast_ray(&ray, Sides::Both);
/// assert_eq!(hit.map(|hit| hit.t), Some(3.0));
/// # Ok::<(), hitscan::Error>(())
/// ```
///
/// # Source
/// Kavan, Zara, "Fast Collision Detection for Skeletally Deformable Models", Eurographics 2005.
pub struct PosedModel {
    model: Arc<Model>,
    source: Source,
    /// Where joints take bind space in the model, one skin's after another's.
    joint_matrices: Box<[JointMatrix]>,
    /// The morph weights of all nodes, as a pose has them.
    weights: Box<[f64]>,
    /// Most models have one.
    parts: SmallVec<[PartState; 1]>,
    width: Width,
    /// Whether the triangles of all parts make a closed surface, once it was queried.
    closed: OnceLock<bool>,
}

/// Which pose it is.
#[derive(Debug, Clone)]
enum Source {
    Clip { clip: usize, time_secs: f64 },
    Pose(Box<Pose>),
}

/// A part in its pose.
#[derive(Debug)]
struct PartState {
    shape: Shape,
    /// Where its node has it; the identity for a skinned part.
    model_from_node: DAffine3,
    winding: Winding,
    /// Holds the triangles, in the part's space.
    bounds: Option<Aabb>,
    /// Bounds the magnitudes of what is added up on the way there.
    max_abs: f32,
    /// Around its largest pieces, where it is deformed piece by piece.
    root_bounds: Option<RootBounds>,
    /// How many rays reached the part while it was not yet deformed as a whole.
    ray_count: AtomicU32,
    /// The whole part deformed, once it is.
    mesh: OnceLock<Arc<TriMesh>>,
}

/// What a pose does to a part's vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    /// They stay where the part's own mesh has them.
    AtRest,
    /// Morph targets or joints move them.
    Deformed,
    /// Its node flattens it: they are moved into the model's space, all at once.
    Flattened,
}

impl PosedModel {
    /// The model in `pose`.
    ///
    /// # Errors
    /// As [`Model::posed`].
    pub fn new(model: &Arc<Model>, pose: &Pose) -> Result<Self, Error> {
        model.check_pose(pose)?;
        let source = Source::Pose(Box::new(pose.clone()));
        let locals = pose.locals();
        dispatch!(Width::default(), simd => {
            let local = |node: usize| parent_from_node(&locals[node]);
            let orientation = |node: usize| orientation(&locals[node]);
            Self::from_locals(simd, model, source, pose.all_weights().into(), (local, orientation))
        })
    }

    /// The model `time_secs` into a clip: in the pose that [`Model::pose_at`] gives.
    ///
    /// # Errors
    /// As [`Model::pose_at`] and [`Model::posed`].
    pub fn at_clip(model: &Arc<Model>, clip: usize, time_secs: f64) -> Result<Self, Error> {
        model.check_time(clip, time_secs)?;
        let source = Source::Clip { clip, time_secs };
        let sample = model.clips[clip].at(time_secs);
        let mut weights: Box<[f64]> = model.rest.all_weights().into();
        sample.apply_all_weights(&model.rest, &mut weights);
        dispatch!(Width::default(), simd => {
            let local = |node: usize| match sample.local(node) {
                Some(trs) => scaled_turned_moved(trs.scale, trs.rotation, trs.translation),
                None => model.skeleton.at_rest(node),
            };
            let orientation = |node: usize| match sample.local(node) {
                Some(trs) => orientation_of_scale(trs.scale),
                None => model.skeleton.orientation_at_rest(node),
            };
            Self::from_locals(simd, model, source, weights, (local, orientation))
        })
    }

    /// The model where `local` gives each node's transform in its parent's space, and `orientation`
    /// the sign of its determinant.
    #[inline(always)]
    fn from_locals<S: Simd>(
        simd: S,
        model: &Arc<Model>,
        source: Source,
        weights: Box<[f64]>,
        (local, orientation): (impl Fn(usize) -> JointMatrix, impl Fn(usize) -> Ordering),
    ) -> Result<Self, Error> {
        let skeleton = &model.skeleton;
        let mut model_from_nodes = JointMatrices::new();
        skeleton.model_from_nodes(simd, &model.needed_nodes, local, &mut model_from_nodes);
        let mut joint_matrices = Vec::with_capacity(model.joint_starts[model.skins.len()]);
        for skin in &model.skins {
            skin.model_from_bind(simd, &model_from_nodes, &mut joint_matrices);
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
                    let winding = skeleton.winding(part.node(), &orientation);
                    let joint_matrix = &model_from_nodes[part.node()];
                    PartState::rigid(simd, part, weights, joint_matrix, winding)
                }
            };
            parts.push(state.map_err(at(ModelPlace::Part(index)))?);
        }
        Ok(Self {
            model: Arc::clone(model),
            source,
            weights,
            joint_matrices: joint_matrices.into(),
            parts,
            width: Width::default(),
            closed: OnceLock::new(),
        })
    }

    /// The same model in the same pose, its deformed parts queried with these vector instructions. Answers do not depend
    /// on them.
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

    /// The clip and the time in it that the pose comes from, if it does.
    pub(super) fn clip_time(&self) -> Option<(usize, f64)> {
        match &self.source {
            Source::Clip { clip, time_secs } => Some((*clip, *time_secs)),
            Source::Pose(_) => None,
        }
    }

    /// The pose, sampled anew where it came from a clip.
    #[must_use]
    pub fn pose(&self) -> Pose {
        match &self.source {
            Source::Pose(pose) => pose.as_ref().clone(),
            Source::Clip { clip, time_secs } => self.model.sampled(*clip, *time_secs),
        }
    }

    /// The model `alpha` of the way from this pose to another of the same model: in the blend of their
    /// poses ([`Pose::blended`]).
    ///
    /// # Errors
    /// As [`Pose::blended`] and [`Model::posed`].
    pub fn blended(&self, other: &Self, alpha: f64) -> Result<Self, Error> {
        Self::new(&self.model, &self.pose().blended(&other.pose(), alpha)?)
    }

    /// A bound on the distance from the model's origin of any point of the model, metres, in this
    /// pose, in another of the same model, and in any between ([`Model::max_displacement`]).
    ///
    /// # Errors
    /// As [`Model::max_displacement`].
    pub fn max_displacement(&self, other: &Self) -> Result<f64, Error> {
        self.model.max_displacement(&self.pose(), &other.pose())
    }

    /// How many parts there are: as many as the model has.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// A part, or `None` for no such part.
    #[must_use]
    #[inline]
    pub fn part(&self, index: usize) -> Option<PosedPart<'_>> {
        let state = self.parts.get(index)?;
        let part = self.model.parts.get(index)?;
        Some(PosedPart::new(self, part, state))
    }

    /// The parts, in the model's order.
    pub fn parts(&self) -> impl Iterator<Item = PosedPart<'_>> {
        let parts = self.model.parts.iter().zip(&self.parts);
        parts.map(|(part, state)| PosedPart::new(self, part, state))
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
        };
        let meshes = self.parts.iter().filter_map(|part| part.mesh.get());
        pose + meshes.map(|mesh| mesh.memory_bytes()).sum::<usize>()
            + size_of_val(self.joint_matrices.as_ref())
            + size_of_val(self.weights.as_ref())
            + if self.parts.spilled() {
                size_of_val(self.parts.as_slice())
            } else {
                0
            }
    }
}

impl PartState {
    /// A part that joints move.
    #[inline(always)]
    fn skinned<S: Simd>(
        simd: S,
        part: &Part,
        deformation: &Deformation<'_>,
        joints: &[JointMatrix],
    ) -> Result<Self, Error> {
        let in_use = &deformation.in_use;
        let extent = part.extent.in_pose(simd, in_use, |joint| &joints[joint]);
        if extent.fits_f32() {
            let state = Self::bounded(Shape::Deformed, (extent.bounds, extent.size));
            let joint_matrix = |joint: u16| &joints[usize::from(joint)];
            return Ok(state.with_root_bounds(simd, part, in_use, joint_matrix));
        }
        SkinnedPart::skinned(deformation).map(|posed| Self::whole(part, posed))
    }

    /// A part that its node moves.
    #[inline(always)]
    fn rigid<S: Simd>(
        simd: S,
        part: &Part,
        weights: &[f64],
        joint_matrix: &JointMatrix,
        winding: Winding,
    ) -> Result<Self, Error> {
        let model_from_node = &DAffine3::from(joint_matrix);
        let deformation = Deformation::new(part, weights, Motion::None);
        let in_use = &deformation.in_use;
        // What bounds the part in the model, and in its own space; which shows that it stays in range.
        let extent = part.extent.in_pose(simd, in_use, |_| joint_matrix);
        let identity = JointMatrix::IDENTITY;
        let own = part.extent.in_pose(simd, in_use, |_| &identity);
        if !(extent.fits_f32() && own.fits_f32()) {
            return SkinnedPart::rigid(part, weights, model_from_node, winding)
                .map(|posed| Self::whole(part, posed));
        }
        let state = if !is_well_conditioned(model_from_node) {
            Self::bounded(Shape::Flattened, (extent.bounds, extent.size))
        } else if deformation.moves_nothing() {
            Self::bounded(Shape::AtRest, (part.mesh().bounds(), 0.0))
        } else {
            Self::bounded(Shape::Deformed, (own.bounds, own.size)).with_root_bounds(
                simd,
                part,
                in_use,
                |_| &identity,
            )
        };
        Ok(Self {
            model_from_node: *model_from_node,
            winding,
            ..state
        })
    }

    /// A part in the model's space, not yet deformed.
    fn bounded(shape: Shape, (bounds, size): (Option<Aabb>, f64)) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "stepped up")]
        let max_abs = (size as f32).next_up();
        Self {
            shape,
            model_from_node: DAffine3::IDENTITY,
            winding: Winding::Kept,
            bounds,
            max_abs,
            root_bounds: None,
            ray_count: AtomicU32::new(0),
            mesh: OnceLock::new(),
        }
    }

    /// The same, bounded by its pieces, too: boxes around what a joint moves of each of them together are
    /// smaller than those around all that it moves.
    #[inline(always)]
    fn with_root_bounds<'a, S: Simd>(
        mut self,
        simd: S,
        part: &Part,
        in_use: &TargetsInUse<'_>,
        joint_matrix: impl Fn(u16) -> &'a JointMatrix,
    ) -> Self {
        if let (Some(joint_bounds), Some(bounds)) = (&part.joint_bounds, self.bounds) {
            let root_bounds = RootBounds::new(
                simd,
                joint_bounds,
                &MorphBounds::new(in_use),
                joint_matrix,
                self.max_abs,
            );
            self.bounds = bounds.intersection(&root_bounds.bounds(simd));
            self.root_bounds = Some(root_bounds);
        }
        self
    }

    /// A part that is deformed at once, because it may go beyond what f32 can bound.
    fn whole(part: &Part, posed: SkinnedPart) -> Self {
        let (shape, mesh) = match posed.shape {
            SkinnedShape::AtRest => (Shape::AtRest, Arc::clone(part.mesh())),
            SkinnedShape::Deformed(positions) => {
                (Shape::Deformed, Arc::new(part.mesh().moved(positions)))
            }
        };
        Self {
            model_from_node: posed.model_from_part,
            winding: posed.winding,
            mesh: OnceLock::from(Arc::clone(&mesh)),
            ..Self::bounded(shape, (mesh.bounds(), 0.0))
        }
    }
}
