//! The parts of a model or of an instance where they are placed, and a tree over them where they are many.
//!
//! A [`PosedModel`] that is queried alone and an instance in a world each make theirs for the first query
//! that comes near, and answer all but single rays here.

use super::placed_part::{PartPlace, PartTransform, PlacedPart};
use super::{PosedModel, PosedPart};
use crate::bvh::{TraversalQuery, Watch};
use crate::model::part_tree::PartTree;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::convex::Outline;
use crate::query::watch::Unwatched;
use crate::tri_mesh::{MeshTransform, PlacedMesh, is_closed};
use crate::{Aabb, TriMesh};
use core::ops::ControlFlow;
use glam::DVec3;
use smallvec::{SmallVec, smallvec};
use std::sync::{Arc, OnceLock};

/// Where the parts are placed; `None` for those without triangles.
#[derive(Debug, Clone)]
pub(crate) struct PartPlaces {
    places: SmallVec<[Option<PartPlace>; 1]>,
    /// Over the parts, if they are many.
    tree: Option<Box<PartTree>>,
    /// Whether a transform takes them farther than into their model.
    is_moved: bool,
    /// Whether the triangles of all parts make a closed surface, once it was queried.
    closed: OnceLock<bool>,
}

impl PartPlaces {
    /// The place of a mesh, and the box that holds it there; see [`PlacedPart::culling_bounds`].
    pub(crate) fn of_mesh(
        mesh: &Arc<TriMesh>,
        transform: Option<&MeshTransform>,
        culling_bounds: Option<Aabb>,
    ) -> Self {
        let is_something = mesh.bounds().is_some();
        let place = is_something.then(|| PartPlace::of_mesh(mesh, transform, culling_bounds));
        Self::new(smallvec![place], transform.is_some())
    }

    /// The places of a model's parts, in the model where `outer_from_model` is `None`; and the box that holds
    /// them there, where that is known.
    pub(crate) fn of_model(
        posed_model: &PosedModel,
        outer_from_model: Option<&MeshTransform>,
        culling_bounds: Option<Aabb>,
    ) -> Self {
        // That of an only part.
        let culling_bounds = culling_bounds.filter(|_| posed_model.part_count() == 1);
        let place = |part: PosedPart<'_>| {
            let is_something = part.bounds().is_some();
            is_something.then(|| PartPlace::of_part(part, outer_from_model, culling_bounds))
        };
        let places = posed_model.parts().map(place).collect();
        Self::new(places, outer_from_model.is_some())
    }

    /// The places of a model whose only part is skinned, in this box; `None` for others. They cost next to
    /// nothing, as that part has no transform of its own.
    pub(crate) fn of_skinned(
        posed_model: &PosedModel,
        outer_from_model: Option<&MeshTransform>,
        culling_bounds: Aabb,
    ) -> Option<Self> {
        let part = posed_model.only_skinned_part()?;
        let place = PartPlace::of_part(part, outer_from_model, Some(culling_bounds));
        Some(Self::new(
            smallvec![Some(place)],
            outer_from_model.is_some(),
        ))
    }

    fn new(places: SmallVec<[Option<PartPlace>; 1]>, is_moved: bool) -> Self {
        let mut all = Self {
            places,
            tree: None,
            is_moved,
            closed: OnceLock::new(),
        };
        let places = (0..).zip(&all.places);
        let boxes =
            places.filter_map(|(index, place)| Some((index, place.as_ref()?.culling_bounds?)));
        all.tree = PartTree::over(boxes).map(Box::new);
        all
    }

    /// The parts, as those of this model, or a mesh, which this transform takes into the world.
    #[inline]
    pub(crate) fn of<'a>(
        &'a self,
        posed_model: Option<&'a PosedModel>,
        outer_from_model: &'a MeshTransform,
    ) -> PlacedParts<'a> {
        PlacedParts {
            all: self,
            posed_model,
            outer_from_model: self.is_moved.then_some(outer_from_model),
        }
    }

    /// The parts, as those of this model in its own space.
    pub(crate) fn unmoved<'a>(&'a self, posed_model: &'a PosedModel) -> PlacedParts<'a> {
        PlacedParts {
            all: self,
            posed_model: Some(posed_model),
            outer_from_model: None,
        }
    }

    /// The meshes that no pose deforms.
    pub(crate) fn meshes_at_rest(&self) -> impl Iterator<Item = &Arc<TriMesh>> {
        (self.places.iter().flatten()).filter_map(|place| place.mesh.as_ref())
    }

    /// The bytes that it takes on the heap, without what others share.
    pub(crate) fn memory_bytes(&self) -> usize {
        let beside = if self.places.spilled() {
            size_of_val(self.places.as_slice())
        } else {
            0
        };
        let places = self.places.iter().flatten();
        let own = places.filter(|place| matches!(place.transform, PartTransform::Own(_)));
        beside
            + own.count() * size_of::<MeshTransform>()
            + (self.tree.as_ref()).map_or(0, |tree| size_of::<PartTree>() + tree.memory_bytes())
    }
}

/// The placed parts of a model, or a mesh as its only part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedParts<'a> {
    all: &'a PartPlaces,
    posed_model: Option<&'a PosedModel>,
    /// Into the outer space; `None` for the identity.
    outer_from_model: Option<&'a MeshTransform>,
}

impl<'a> PlacedParts<'a> {
    fn placed(self, index: u32, place: &'a PartPlace) -> PlacedPart<'a> {
        PlacedPart {
            index,
            place,
            posed_model: self.posed_model,
            outer_from_model: self.outer_from_model,
        }
    }

    /// The part with this index, if it has triangles.
    #[inline]
    pub(crate) fn part(self, index: u32) -> Option<PlacedPart<'a>> {
        let place = self.all.places.get(index as usize)?.as_ref()?;
        Some(self.placed(index, place))
    }

    /// The parts that have triangles, in order.
    #[inline]
    pub(crate) fn all(self) -> impl Iterator<Item = PlacedPart<'a>> {
        (0..)
            .zip(&self.all.places)
            .filter_map(move |(index, place)| Some(self.placed(index, place.as_ref()?)))
    }

    /// The tree over the parts, if they are many.
    pub(crate) fn tree(self) -> Option<&'a PartTree> {
        self.all.tree.as_deref()
    }

    /// Visits the parts that `query` may touch until the limit; as [`Bvh::cast`](crate::bvh::Bvh::cast).
    pub(crate) fn cast(
        self,
        query: &TraversalQuery,
        limit: f32,
        visit: impl FnMut(PlacedPart<'a>) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        self.cast_watched(query, limit, Unwatched, visit)
    }

    /// As [`Self::cast`], with a watcher of the tree over the parts.
    pub(crate) fn cast_watched(
        self,
        query: &TraversalQuery,
        limit: f32,
        watch: impl Watch + Copy,
        mut visit: impl FnMut(PlacedPart<'a>) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        if let Some(tree) = self.tree() {
            return tree.cast_watched(query, limit, watch, |index| match self.part(index) {
                Some(part) => visit(part),
                None => ControlFlow::Continue(limit),
            });
        }
        for part in self.all() {
            visit(part)?;
        }
        ControlFlow::Continue(())
    }

    /// Has the search consider the triangles of all parts.
    pub(crate) fn search_arc(self, search: &mut ArcSearch) {
        let test = |part: PlacedPart<'_>, search: &mut ArcSearch| {
            if part.may_touch_arc(search) {
                part.placed_mesh().search_arc(search);
            }
            search.flow()
        };
        // The search holds how the traversal ended.
        if let Some(PartTree { tree, parts }) = self.tree() {
            let bounds = ArcBounds::from(&search.arc);
            let _ = tree.cast_arc(&bounds, search.limit(), &mut |item, _| match self
                .part(parts[item as usize])
            {
                Some(part) => test(part, search),
                None => search.flow(),
            });
            return;
        }
        for part in self.all() {
            if test(part, search).is_break() {
                return;
            }
        }
    }
}

impl PlacedParts<'_> {
    /// Whether all triangles together are a closed surface, by equal coordinates in the outer space; found
    /// out once.
    ///
    /// What is closed in the model is closed wherever one transform takes it, so most objects are looked
    /// through once, or once a pose; only parts that are open by themselves and have transforms of
    /// their own are looked through once a place.
    pub(crate) fn are_closed(self) -> bool {
        *self.all.closed.get_or_init(|| match self.posed_model {
            Some(posed_model) if self.all.is_moved && posed_model.has_one_transform() => {
                posed_model.placed_parts().are_closed()
            }
            _ => {
                // Closed parts are closed together.
                self.all().all(|part| part.mesh().is_closed())
                    || self.all.places.len() > 1 && {
                        let meshes = self.all().map(|part| part.placed_mesh());
                        let corners = meshes.flat_map(PlacedMesh::all_outward_corners);
                        is_closed(&corners.collect::<Vec<_>>())
                    }
            }
        })
    }
}

impl PlacedParts<'_> {
    /// Visits the meshes of all parts that may touch the box from `min` to `max`.
    fn visit_parts(
        &self,
        (min, max): (DVec3, DVec3),
        visit: &mut dyn FnMut(&PlacedMesh<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let motion = DVec3::ZERO;
        let query = TraversalQuery::moving_box((min, max), motion, (0.0, 1.0));
        let resting = MovingBox { min, max, motion };
        self.cast(&query, 1.0, |part| {
            if part.may_touch(&resting) {
                visit(&part.placed_mesh())?;
            }
            ControlFlow::Continue(1.0)
        })
    }
}

/// The triangles, for resting and moving shapes. Of equal hits that of the lowest part index counts, then that of
/// the lowest triangle index; the parts are one surface.
impl TriangleSource for PlacedParts<'_> {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        self.visit_parts((min, max), &mut |part| part.for_each_in(min, max, visit))
    }

    fn for_each_near(
        &self,
        outline: &Outline,
        bounds: (DVec3, DVec3),
        visit: VisitTriangle<'_>,
    ) -> ControlFlow<()> {
        self.visit_parts(bounds, &mut |part| {
            part.for_each_near(outline, bounds, visit)
        })
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        let corners = (swept.min, swept.max);
        let query = TraversalQuery::moving_box(corners, swept.motion, (0.0, 1.0));
        let limit = search.time_limit();
        // Nothing breaks off.
        let _ = self.cast(&query, limit, |part| {
            if part.may_touch(swept) {
                part.placed_mesh().best_first(swept, search);
            }
            ControlFlow::Continue(search.time_limit())
        });
    }
}
