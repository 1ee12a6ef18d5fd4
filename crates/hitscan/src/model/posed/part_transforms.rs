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

/// Visits a part by its index, and returns the t beyond which nothing matters.
type VisitPart<'v, 'a> =
    &'v mut dyn FnMut(u32, PosedPart<'a>, &'a PartTransform) -> ControlFlow<(), f32>;

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
    ///
    /// One traversal for all visitors: each would be compiled for every vector width.
    pub(super) fn cast<'a>(
        &'a self,
        posed_model: &'a PosedModel,
        ray: &LocalRay,
        visit: VisitPart<'_, 'a>,
    ) -> ControlFlow<()> {
        let mut visit = |index: u32| {
            let (model, at) = (&posed_model.model, index as usize);
            let part = PosedPart::new(posed_model, &model.parts[at], &posed_model.parts[at]);
            visit(index, part, &self.transforms[at])
        };
        if let Some(tree) = &self.tree {
            return tree.cast_watched(&widened_query(ray), f32::INFINITY, Unwatched, visit);
        }
        for (index, _) in (0..).zip(&self.transforms) {
            visit(index)?;
        }
        ControlFlow::Continue(())
    }

    /// The parts' transforms, in the model's order.
    pub(super) fn all(&self) -> &[PartTransform] {
        &self.transforms
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
    pub(super) fn is_close(&self, part: PosedPart<'_>) -> bool {
        self.part_from_model.is_none_or(|part_from_model| {
            let model_from_part = part.model_from_part();
            is_well_conditioned_by(&model_from_part, &part_from_model.matrix3)
                && relative_error(&model_from_part, &part_from_model) <= MARGIN
        })
    }
}
