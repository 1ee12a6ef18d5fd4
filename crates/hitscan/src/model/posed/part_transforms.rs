//! The transforms of a posed model's parts into the model, and a tree over the parts where they are many.
//!
//! They are worked out by the first query and kept, so that rays which are cast one by one share them.

use super::{PosedModel, PosedPart};
use crate::model::Winding;
use crate::model::part_tree::PartTree;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::query::watch::Unwatched;
use crate::tri_mesh::{MeshTransform, PlacedMesh, widened_query};
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3};
use smallvec::SmallVec;

/// How every part stands in the model.
#[derive(Debug)]
pub(super) struct PartTransforms {
    transforms: SmallVec<[PartTransform; 1]>,
    /// Over the parts that have triangles, if they are many.
    tree: Option<PartTree>,
}

/// How a part stands in the model.
#[derive(Debug)]
pub(super) struct PartTransform {
    /// Into the model; `None` for the identity.
    pub(super) transform: Option<MeshTransform>,
    /// How the sides of its triangles are turned where rays are cast at them: in the part's space, or in
    /// the model's where the transform does not take rays.
    pub(super) winding: Winding,
}

/// Visits a part by its index, and returns the t beyond which nothing matters.
type VisitPart<'v, 'a> =
    &'v mut dyn FnMut(u32, PosedPart<'a>, &'a PartTransform) -> ControlFlow<(), f32>;

impl PartTransforms {
    pub(super) fn new(posed_model: &PosedModel) -> Self {
        let transforms: SmallVec<[PartTransform; 1]> =
            posed_model.parts().map(PartTransform::new).collect();
        let boxes = (0..).zip(posed_model.parts()).filter_map(|(index, part)| {
            let bounds = part.placed_bounds(&part.model_from_part())?;
            Some((index, bounds))
        });
        let tree = PartTree::over(boxes);
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
        let is_identity = model_from_part == DAffine3::IDENTITY;
        let transform = (!is_identity).then(|| MeshTransform::new(model_from_part));
        // A ray that goes through a mirroring transform hits the outside as outside.
        let is_seen = (transform.as_ref()).is_some_and(|own| own.takes_rays() && own.is_mirrored());
        let winding = part.winding();
        Self {
            transform,
            winding: if is_seen { winding.reversed() } else { winding },
        }
    }

    /// The transform through which rays are brought to the part.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of_rays(&self) -> Option<&MeshTransform> {
        self.transform.as_ref().filter(|own| own.takes_rays())
    }

    /// The ray in the part's space, with the same t; itself where the transform does not take rays.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn local_ray(&self, ray: &LocalRay) -> LocalRay {
        match self.of_rays() {
            Some(transform) => ray.transformed(transform.ray_inverse()),
            None => *ray,
        }
    }

    /// The normal in the model of what a local ray hits, not of unit length. Outward stays outward.
    pub(super) fn model_normal(&self, local: DVec3) -> DVec3 {
        let normal = match self.of_rays() {
            Some(transform) => {
                // Divided by its largest component, so that the product stays in f64's range.
                let scaled = local / local.abs().max_element();
                transform.ray_inverse().matrix3.transpose() * scaled
            }
            None => local,
        };
        match self.winding {
            Winding::Kept => normal,
            Winding::Mirrored => -normal,
        }
    }

    /// The part in the model, where its transform does not take rays.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn in_model<'a>(&'a self, part: PosedPart<'a>) -> Option<PlacedMesh<'a>> {
        match &self.transform {
            Some(transform) if !transform.takes_rays() => Some(self.placed(part, 0)),
            _ => None,
        }
    }

    /// The part's triangles in the model, as those of the part with this index.
    pub(super) fn placed<'a>(&'a self, part: PosedPart<'a>, index: u32) -> PlacedMesh<'a> {
        PlacedMesh {
            mesh: part.mesh(),
            part: index,
            transform: self.transform.as_ref(),
            is_mirrored: part.winding() == Winding::Mirrored,
        }
    }
}
