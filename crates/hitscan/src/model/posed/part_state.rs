//! A part in its pose: its bounds, computed at once, and its triangles, computed on the first query
//! that needs them.

use super::box_transform::MorphBounds;
use super::root_bounds::RootBounds;
use crate::model::Winding;
use crate::model::deform::{Deformation, Motion};
use crate::model::joint_matrix::JointMatrix;
use crate::model::part::Part;
use crate::model::skinned::{SkinnedPart, SkinnedShape};
use crate::model::skinning::morph::TargetsInUse;
use crate::{Aabb, Error, TriMesh};
use core::sync::atomic::AtomicU32;
use fearless_simd::Simd;
use glam::DAffine3;
use std::sync::{Arc, OnceLock};

/// A part in its pose.
#[derive(Debug)]
pub(super) struct PartState {
    pub(super) shape: Shape,
    /// Where its node has it; the identity for a skinned part.
    pub(super) model_from_node: DAffine3,
    pub(super) winding: Winding,
    /// Holds the triangles, in the part's space.
    pub(super) bounds: Option<Aabb>,
    /// Bounds the magnitudes of what is added up on the way there.
    pub(super) max_abs: f32,
    /// Around its largest pieces, where it is deformed piece by piece.
    pub(super) root_bounds: Option<RootBounds>,
    /// How many rays reached the part while it was not yet deformed as a whole.
    pub(super) ray_count: AtomicU32,
    /// The whole part deformed, once it is.
    pub(super) mesh: OnceLock<Arc<TriMesh>>,
}

/// What a pose does to a part's vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    /// They stay where the part's own mesh has them.
    AtRest,
    /// Morph targets or joints move them.
    Deformed,
}

impl PartState {
    /// A part that joints move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn skinned<S: Simd>(
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn rigid<S: Simd>(
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
        let state = if deformation.moves_nothing() {
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
    #[cfg_attr(not(debug_assertions), inline(always))]
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
            self.root_bounds = self.bounds.map(|all| root_bounds.within(simd, &all));
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
