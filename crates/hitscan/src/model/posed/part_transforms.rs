//! The transforms of a posed model's parts into the model, and a tree over the parts where they are many.
//!
//! They are worked out by the first query and kept, so that rays which are cast one by one share them.

use super::{PosedModel, PosedPart};
use crate::model::part_tree::PartTree;
use crate::model::{Winding, is_well_conditioned_by};
use crate::query::watch::Unwatched;
use crate::ray_cast::ray::LocalRay;
use crate::tri_mesh::{MARGIN, relative_error, widened_query};
use core::ops::ControlFlow;
use glam::DAffine3;
use smallvec::SmallVec;

/// How every part stands in the model.
#[derive(Debug)]
pub(super) struct PartTransforms {
    transforms: SmallVec<[PartTransform; 1]>,
    /// Over the parts that have triangles, if they are many and no ray is displaced beyond its boxes.
    tree: Option<PartTree>,
}

/// How a part stands in the model.
#[derive(Debug)]
pub(super) struct PartTransform {
    /// `None` for the identity.
    pub(super) part_from_model: Option<DAffine3>,
    /// Whether the vertices themselves are mirrored, which the transform does not show.
    pub(super) winding: Winding,
}

impl PartTransforms {
    pub(super) fn new(posed_model: &PosedModel) -> Self {
        let transforms: SmallVec<[PartTransform; 1]> =
            posed_model.parts().map(PartTransform::new).collect();
        let placed = || posed_model.parts().zip(&transforms);
        let is_close = placed().all(|(part, transform)| transform.is_close(part));
        let boxes = (0..).zip(posed_model.parts()).filter_map(|(index, part)| {
            let bounds = part.placed_bounds(&part.model_from_part())?;
            Some((index, bounds))
        });
        let tree = is_close.then(|| PartTree::over(boxes)).flatten();
        Self { transforms, tree }
    }

    /// Visits the parts that a ray in the model's space may hit, in no certain order, with their indices
    /// and transforms. `visit` returns the t beyond which nothing matters.
    pub(super) fn cast<'a>(
        &'a self,
        posed_model: &'a PosedModel,
        ray: &LocalRay,
        mut visit: impl FnMut(u32, PosedPart<'a>, &'a PartTransform) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let Some(tree) = &self.tree else {
            for (index, (part, transform)) in (0..).zip(posed_model.parts().zip(&self.transforms)) {
                visit(index, part, transform)?;
            }
            return ControlFlow::Continue(());
        };
        tree.cast_watched(
            &widened_query(ray),
            f32::INFINITY,
            Unwatched,
            |index| match posed_model.part(index as usize) {
                Some(part) => visit(index, part, &self.transforms[index as usize]),
                None => ControlFlow::Break(()),
            },
        )
    }

    /// The bytes that it takes on the heap.
    pub(super) fn memory_bytes(&self) -> usize {
        let beside = if self.transforms.spilled() {
            size_of_val(self.transforms.as_slice())
        } else {
            0
        };
        beside + self.tree.as_ref().map_or(0, PartTree::memory_bytes)
    }
}

impl PartTransform {
    fn new(part: PosedPart<'_>) -> Self {
        let model_from_part = part.model_from_part();
        let winding = part.winding();
        // A ray that goes through a mirroring transform hits the outside as outside.
        let is_mirrored_by_transform = model_from_part.matrix3.determinant() < 0.0;
        let is_identity = model_from_part == DAffine3::IDENTITY;
        Self {
            part_from_model: (!is_identity).then(|| model_from_part.inverse()),
            winding: if is_mirrored_by_transform {
                winding.reversed()
            } else {
                winding
            },
        }
    }

    /// The ray in the part's space, with the same t.
    #[inline(always)]
    pub(super) fn local_ray(&self, ray: &LocalRay) -> LocalRay {
        match &self.part_from_model {
            Some(part_from_model) => ray.transformed(part_from_model),
            None => *ray,
        }
    }

    /// Whether a transformed ray is displaced by no more than [`MARGIN`].
    fn is_close(&self, part: PosedPart<'_>) -> bool {
        self.part_from_model.is_none_or(|part_from_model| {
            let model_from_part = part.model_from_part();
            is_well_conditioned_by(&model_from_part, &part_from_model.matrix3)
                && relative_error(&model_from_part, &part_from_model) <= MARGIN
        })
    }
}
