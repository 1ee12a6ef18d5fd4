//! A mesh that a transform places, as a source of triangles.

use super::TriMesh;
use super::local_outline::LengthBounds;
use super::mesh_transform::MeshTransform;
use super::swept_block::SweptShape;
use super::transformed_box::placed_bounds;
use crate::Aabb;
use crate::bvh::{self, BestFirst as _, LEAF_ITEMS, LeafItems, TraversalQuery, TraversalRay};
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, SourceTriangle, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::convex::Outline;
use crate::narrow_phase::ray_cast::hit::TriangleId;
use crate::simd::{dispatch, take_min};
use core::ops::ControlFlow;
use fearless_simd::Simd;
use glam::DVec3;

/// A mesh with its transform into the world: a part of an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedMesh<'a> {
    pub(crate) mesh: &'a TriMesh,
    pub(crate) part: u32,
    /// Into the world; `None` where the mesh is in the world.
    pub(crate) transform: Option<&'a MeshTransform>,
    /// Whether its triangles' corners go clockwise seen from the front, in the world.
    pub(crate) is_mirrored: bool,
}

impl<'a> From<&'a TriMesh> for PlacedMesh<'a> {
    /// The mesh in its own space.
    fn from(mesh: &'a TriMesh) -> Self {
        Self {
            mesh,
            part: 0,
            transform: None,
            is_mirrored: false,
        }
    }
}

impl<'a> PlacedMesh<'a> {
    /// A triangle's corners in the world, each rounded once, so that triangles share them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        let corners = self.mesh.corners(triangle);
        match self.transform {
            None => corners,
            Some(transform) => transform.placed(corners),
        }
    }

    /// A triangle's corners in the world, counter-clockwise seen from the front.
    pub(super) fn outward_corners(&self, triangle: u32) -> [DVec3; 3] {
        let [a, b, c] = self.corners(triangle);
        if self.is_mirrored {
            [a, c, b]
        } else {
            [a, b, c]
        }
    }

    /// Those of all triangles, in order.
    pub(crate) fn all_outward_corners(self) -> impl Iterator<Item = [DVec3; 3]> + 'a {
        let triangles = (0..).zip(self.mesh.triangles());
        triangles.map(move |(triangle, _)| self.outward_corners(triangle))
    }

    /// A triangle in the world.
    pub(crate) fn triangle(&self, triangle: u32) -> SourceTriangle {
        SourceTriangle {
            id: TriangleId {
                part: self.part,
                triangle,
            },
            corners: self.corners(triangle),
            is_mirrored: self.is_mirrored,
        }
    }

    /// A box in the mesh's space that at every t holds the world's; `None` where there is none but all
    /// of space.
    fn local(&self, swept: &MovingBox) -> Option<MovingBox> {
        match self.transform {
            None => Some(*swept),
            Some(transform) => transform.local_box(swept),
        }
    }
}

impl TriangleSource for PlacedMesh<'_> {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        let mut visit = |item| visit(self.triangle(item));
        let resting = MovingBox {
            min,
            max,
            motion: DVec3::ZERO,
        };
        if let Some(local) = self.local(&resting) {
            return self.mesh.bvh.touching((local.min, local.max), visit);
        }
        let mut touches = |bounds: &Aabb| {
            let (low, high) = self.bounds_of(bounds);
            (low.cmple(max) & high.cmpge(min)).all()
        };
        self.mesh.bvh.visit_chosen(&mut touches, &mut visit)
    }

    fn for_each_near(
        &self,
        outline: &Outline,
        (min, max): (DVec3, DVec3),
        visit: VisitTriangle<'_>,
    ) -> ControlFlow<()> {
        let motion = DVec3::ZERO;
        let mut search = Near {
            outline,
            bounds: (min, max),
            visit,
            flow: ControlFlow::Continue(()),
        };
        self.best_first(&MovingBox { min, max, motion }, &mut search);
        search.flow
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        if search.is_done() {
            return;
        }
        let (local, keys) = self.local_search(swept, search);
        let corners = (local.min, local.max);
        let query = TraversalQuery::moving_box(corners, local.motion, (0.0, 1.0));
        let width = self.mesh.bvh.width();
        let way = (&keys, local.motion);
        dispatch!(width, simd => self.best_first_with(simd, &query, way, search));
    }
}

/// A search for all triangles that may touch what rests: their keys are 0.
struct Near<'a> {
    outline: &'a Outline,
    bounds: (DVec3, DVec3),
    visit: VisitTriangle<'a>,
    flow: ControlFlow<()>,
}

impl BestFirst for Near<'_> {
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        let (own_min, own_max) = self.bounds;
        (min.cmple(own_max) & max.cmpge(own_min))
            .all()
            .then_some(0.0)
    }

    fn outline(&self) -> Option<&Outline> {
        Some(self.outline)
    }

    fn admits(&mut self, _: f64, _: TriangleId) -> bool {
        !self.is_done()
    }

    fn is_done(&self) -> bool {
        self.flow.is_break()
    }

    fn time_limit(&self) -> f32 {
        0.0
    }

    fn visit(&mut self, triangle: SourceTriangle) {
        if self.flow.is_continue() {
            self.flow = (self.visit)(triangle);
        }
    }
}

/// A box that touches those of every mesh: coordinates are within ±1e18.
const EVERYWHERE: MovingBox = MovingBox {
    min: DVec3::splat(-4e18),
    max: DVec3::splat(4e18),
    motion: DVec3::ZERO,
};

/// What a search's keys are, and how what it looks for lies beside the mesh.
enum Keys {
    Times(Outline),
    /// Lengths are the world's, unless bounds of these are given.
    Separations(Outline, Option<LengthBounds>),
    Any,
}

impl PlacedMesh<'_> {
    /// A moving box in the mesh's space around what a search looks for, and its keys there.
    fn local_search(&self, swept: &MovingBox, search: &dyn BestFirst) -> (MovingBox, Keys) {
        let Some(transform) = self.transform else {
            let keys = match (search.outline(), search.resting()) {
                (Some(outline), _) => Keys::Times(*outline),
                (None, Some(outline)) => Keys::Separations(*outline, None),
                (None, None) => Keys::Any,
            };
            return (*swept, keys);
        };
        if let Some(outline) = search.outline() {
            return match transform.local_outline(outline, swept) {
                Some((outline, local)) => (local, Keys::Times(outline)),
                // The search's own bounds of boxes that are taken into the world cull alone.
                None => (EVERYWHERE, Keys::Any),
            };
        }
        let Some(local) = transform.local_box(swept) else {
            return (EVERYWHERE, Keys::Any);
        };
        let resting = search.resting();
        match resting.and_then(|outline| transform.local_resting(outline, swept)) {
            Some((outline, lengths)) => {
                // Errors are relative to the box's coordinates, the outline's should be no greater.
                let (min, max) = outline.bounds();
                let around = MovingBox {
                    min: local.min.min(min),
                    max: local.max.max(max),
                    ..local
                };
                (around, Keys::Separations(outline, Some(lengths)))
            }
            None => (local, Keys::Any),
        }
    }

    /// The ends of a box of the tree in the world, around all that is in it.
    pub(super) fn bounds_of(&self, bounds: &Aabb) -> (DVec3, DVec3) {
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        match self.transform {
            None => (min, max),
            Some(transform) => placed_bounds(&transform.world_from_mesh, min, max),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn best_first_with<S: Simd>(
        &self,
        simd: S,
        query: &TraversalQuery,
        (keys, motion): (&Keys, DVec3),
        search: &mut dyn BestFirst,
    ) {
        let mut prepared = TraversalRay::NONE;
        if !self.mesh.bvh.prepare_into(simd, query, &mut prepared) {
            return;
        }
        let mut search = InMesh {
            placed: self,
            search,
            keys,
            motion,
            prepared: &prepared,
            shape: None,
        };
        self.mesh.bvh.best_first(simd, &prepared, &mut search);
    }
}

/// Triangles whose f32 times are more than this part of the limit may tie with what is found. Any part will do:
/// it decides which bound is computed first.
const NEARLY_ALL: f32 = 0.999;

/// A search in one mesh.
struct InMesh<'a> {
    placed: &'a PlacedMesh<'a>,
    search: &'a mut dyn BestFirst,
    keys: &'a Keys,
    motion: DVec3,
    prepared: &'a TraversalRay,
    /// Made where the first leaf is reached: most searches reach none.
    shape: Option<SweptShape>,
}

impl bvh::BestFirst for InMesh<'_> {
    fn are_keys_times(&self) -> bool {
        matches!(self.keys, Keys::Times(_))
    }

    fn lower_bound(&self, bounds: &Aabb) -> Option<f64> {
        let (min, max) = self.placed.bounds_of(bounds);
        self.search.quick_bound(min, max)
    }

    fn admits(&mut self, bound: f64, triangle: u32) -> bool {
        let part = self.placed.part;
        self.search.admits(bound, TriangleId { part, triangle })
    }

    fn has_found(&self) -> bool {
        self.search.has_found()
    }

    fn is_done(&self) -> bool {
        self.search.is_done()
    }

    fn time_limit(&self) -> f32 {
        self.search.time_limit()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_leaf<S: Simd>(&mut self, simd: S, leaf: u32, time_limit: f32, bound: Option<f64>) {
        let bvh = &self.placed.mesh.bvh;
        let (block, items) = (bvh.block(leaf), bvh.items(leaf));
        let (Keys::Times(outline) | Keys::Separations(outline, _)) = self.keys else {
            let bounds = [bound.unwrap_or(f64::NEG_INFINITY); LEAF_ITEMS];
            return self.visit_by(block.used(), &bounds, items);
        };
        let (motion, prepared) = (self.motion, self.prepared);
        let new = || SweptShape::new(outline, motion, prepared);
        let shape = self.shape.get_or_insert_with(new);
        if let Keys::Separations(_, lengths) = self.keys {
            let mut separations = shape.separations(simd, prepared, block);
            if let Some(lengths) = lengths {
                let least = bound.unwrap_or(f64::NEG_INFINITY);
                separations = separations.map(|local| lengths.separation(local).max(least));
            }
            return self.visit_by(block.used(), &separations, items);
        }
        let test = shape.test_block(simd, prepared, block, time_limit);
        if test.possible != 0 {
            self.visit_in_time((test.possible, &test.times), items, (bound, time_limit));
        }
    }
}

impl InMesh<'_> {
    /// Visits triangles of a leaf, those first that may be touched first.
    #[inline(never)]
    fn visit_in_time(
        &mut self,
        (mut possible, times): (u32, &[f32; LEAF_ITEMS]),
        items: &LeafItems,
        (bound, mut limit): (Option<f64>, f32),
    ) {
        while let Some(place) = take_min(&mut possible, times) {
            if times[place] > limit {
                return;
            }
            let item = items[place];
            let may_tie = times[place] >= limit * NEARLY_ALL;
            if bound.is_none_or(|bound| self.admits(bound, item))
                && (!may_tie || self.admits_box_of(item))
            {
                self.search.visit(self.placed.triangle(item));
                if self.is_done() {
                    return;
                }
                limit = self.prepared.time_limit(self.time_limit());
            }
        }
    }

    /// Whether a triangle matters by the bound of its own box, which of one that faces along an axis is the
    /// exact key: a fraction of what a visit costs.
    #[inline(never)]
    fn admits_box_of(&mut self, item: u32) -> bool {
        let [a, b, c] = self.placed.corners(item);
        let bound = self.search.lower_bound(a.min(b).min(c), a.max(b).max(c));
        bound.is_some_and(|bound| self.admits(bound, item))
    }

    /// Visits triangles of a leaf that matter by bounds of their keys, those of the smallest first.
    #[inline(never)]
    fn visit_by(&mut self, mut possible: u32, bounds: &[f64; LEAF_ITEMS], items: &LeafItems) {
        while let Some(place) = take_min(&mut possible, bounds) {
            if self.admits(bounds[place], items[place]) {
                self.search.visit(self.placed.triangle(items[place]));
            }
        }
    }
}
