//! One part of a [`PosedModel`], and its queries.

use super::PosedModel;
use super::part_state::{PartState, Shape};
use super::surface::DeformedSurface;
use crate::bvh::TraversalQuery;
use crate::model::deform::{Deformation, Motion};
use crate::model::{Part, Winding};
use crate::narrow_phase::ray_cast::all_hits::PartHits;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::query::watch::Unwatched;
use crate::simd::{dispatch, prefetch};
use crate::tri_mesh::{Surface, TriangleWatch, placed_box, placed_outline};
use crate::{Aabb, Ray, RayCastSettings, RayHit, Sides, TriMesh, TriangleId};
use core::sync::atomic::Ordering;
use glam::{DAffine3, DVec3, Vec3};
use std::borrow::Cow;
use std::sync::Arc;

/// A part is deformed as a whole once as many rays came to it as it has vertices, divided by this, and
/// [`FEW_RAYS`] more.
///
/// To deform this many vertices and refit their part of the tree takes about as long as a ray gains by
/// it (measured: 23 ns a vertex, 470 ns a ray, on a character of 2,680 vertices), so that no number of
/// rays costs more than twice what it would with that number given from the start.
const VERTICES_A_RAY: usize = 20;

/// The number of rays that amortise the memory of the smallest mesh.
const FEW_RAYS: usize = 8;

/// The number of joints up to which all their matrices are prefetched for a ray, which reads those near it.
const FEW_JOINTS: usize = 64;

/// A part of a model in a pose. Rays and answers are in the part's space.
#[derive(Debug, Clone, Copy)]
pub struct PosedPart<'a> {
    posed_model: &'a PosedModel,
    part: &'a Part,
    state: &'a PartState,
}

impl<'a> PosedPart<'a> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(posed_model: &'a PosedModel, part: &'a Part, state: &'a PartState) -> Self {
        Self {
            posed_model,
            part,
            state,
        }
    }

    /// From the part's space to the model's: the identity for a skinned part, which is in the model's
    /// space already. It has no inverse where the part's node flattens it.
    #[must_use]
    pub fn model_from_part(&self) -> DAffine3 {
        self.state.model_from_node
    }

    /// Which way the triangles' winding, in the model's space, faces.
    #[must_use]
    pub fn winding(&self) -> Winding {
        self.state.winding
    }

    /// A box that holds the part, or `None` without triangles. It may be larger than the part: until
    /// that is deformed as a whole, only its joints are moved.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        self.state.bounds
    }

    /// A box that holds what a ray from 0 may hit that `outer_from_part` takes into the part's space, or
    /// `None` without triangles; see [`placed_box`].
    pub(crate) fn placed_bounds(&self, outer_from_part: &DAffine3) -> Option<Aabb> {
        if let Some(mesh) = self.at_rest() {
            return placed_outline(mesh.bvh(), outer_from_part);
        }
        let all = &self.bounds()?;
        match &self.state.root_bounds {
            Some(pieces) => pieces.placed(self.posed_model.width, all, outer_from_part),
            None => placed_box(all, outer_from_part),
        }
    }

    /// The whole part, deformed when this is first called; the part's own mesh where nothing
    /// deforms it.
    #[must_use]
    pub fn mesh(&self) -> &'a Arc<TriMesh> {
        if self.state.shape == Shape::AtRest {
            return self.part.mesh();
        }
        self.state.mesh.get_or_init(|| {
            let positions = self.deformation().positions();
            let mesh = self.part.mesh().moved(positions);
            self.posed_model.count_deformed(mesh.moved_bytes());
            Arc::new(mesh.with_width(self.posed_model.width))
        })
    }

    /// The corners of the triangles.
    pub(super) fn triangles(&self) -> &'a [[u32; 3]] {
        self.part.mesh().triangles()
    }

    /// Where the vertices are. They are deformed for this call alone where there is no mesh of the whole part.
    pub(super) fn positions(&self) -> Cow<'a, [Vec3]> {
        let mesh = self.at_rest().or(self.state.mesh.get());
        match mesh {
            Some(mesh) => Cow::Borrowed(mesh.positions()),
            None => Cow::Owned(self.deformation().positions()),
        }
    }

    /// The part's own mesh, where nothing deforms it.
    pub(crate) fn at_rest(&self) -> Option<&'a Arc<TriMesh>> {
        (self.state.shape == Shape::AtRest).then(|| self.part.mesh())
    }

    /// The nearest hit of `ray`; of equal t the lowest triangle index.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        self.nearest_hit(ray, settings.into().sides)
    }

    /// Whether `ray` hits anything.
    #[must_use]
    #[inline]
    pub fn cast_ray_any(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> bool {
        self.is_hit(&LocalRay::from(ray), settings.into().sides)
    }

    /// All hits of `ray`, nearest first, as [`crate::Snapshot::cast_ray_all`] has them.
    #[must_use]
    #[inline]
    pub fn cast_ray_all(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Vec<RayHit> {
        self.all_hits(ray, settings.into().sides)
    }

    fn nearest_hit(&self, ray: &Ray, sides: Sides) -> Option<RayHit> {
        let (triangle, hit) =
            self.nearest(&LocalRay::from(ray), sides, f32::INFINITY, Unwatched)?;
        let id = TriangleId { part: 0, triangle };
        Some(RayHit::on_triangle(ray, id, &hit))
    }

    fn all_hits(&self, ray: &Ray, sides: Sides) -> Vec<RayHit> {
        let local = LocalRay::from(ray);
        let mut hits = PartHits::default();
        self.for_each_candidate(&local, |triangle, corners| {
            hits.test(&local, triangle, corners);
        });
        hits.into_ray_hits(ray, sides)
    }

    /// The nearest hit with t up to `limit`; of equal t the lowest triangle index.
    #[inline]
    pub(crate) fn nearest(
        &self,
        ray: &LocalRay,
        sides: Sides,
        limit: f32,
        watch: impl TriangleWatch + Copy,
    ) -> Option<(u32, TriangleHit)> {
        let whole = if watch.is_watching() {
            if self.state.shape != Shape::AtRest
                && let Some(bounds) = &self.state.bounds
            {
                let may_touch = TraversalQuery::ray(ray).may_touch(bounds, limit);
                watch.tested_part(bounds, may_touch);
                if !may_touch {
                    return None;
                }
            }
            self.watched_whole()
        } else if self.is_missed(ray, limit) {
            return None;
        } else {
            self.whole()
        };
        match whole {
            Some(mesh) => mesh.nearest(ray, sides, limit, watch),
            None => self.lazily_nearest(ray, sides, limit, watch),
        }
    }

    /// Whether the ray hits anything from one of `sides`.
    #[inline]
    pub(crate) fn is_hit(&self, ray: &LocalRay, sides: Sides) -> bool {
        if self.is_missed(ray, f32::INFINITY) {
            return false;
        }
        match self.whole() {
            Some(mesh) => mesh.is_hit(ray, sides),
            None => self.is_lazily_hit(ray, sides),
        }
    }

    /// Visits every triangle that the ray may hit.
    pub(crate) fn for_each_candidate(
        &self,
        ray: &LocalRay,
        mut visit: impl FnMut(u32, &[DVec3; 3]),
    ) {
        if self.is_missed(ray, f32::INFINITY) {
            return;
        }
        if let Some(mesh) = self.whole() {
            mesh.for_each_candidate(ray, visit);
        } else if let Some(surface) = self.surface() {
            self.for_each_candidate_dyn(&surface, ray, &mut visit);
        }
    }

    /// One traversal for all visitors: each would be compiled for every vector width.
    fn for_each_candidate_dyn(
        &self,
        surface: &DeformedSurface<'a>,
        ray: &LocalRay,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]),
    ) {
        let width = self.posed_model.width;
        dispatch!(width, simd => surface.candidates(simd, ray, visit));
    }

    /// Whether the ray passes by a part that is not yet deformed as a whole, or by the boxes around all of
    /// its largest pieces.
    #[inline]
    fn is_missed(&self, ray: &LocalRay, limit: f32) -> bool {
        let bounds = self.outer_box();
        bounds.is_some_and(|bounds| !self.may_be_touched(ray, bounds, limit))
    }

    #[inline(never)]
    fn may_be_touched(&self, ray: &LocalRay, bounds: &Aabb, limit: f32) -> bool {
        let (query, max_abs) = (TraversalQuery::ray(ray), self.state.max_abs);
        match &self.state.root_bounds {
            Some(root_bounds) => dispatch!(self.posed_model.width, simd => {
                root_bounds.may_be_touched(simd, &query, (bounds, max_abs), limit)
            }),
            None => query.may_touch(bounds, limit),
        }
    }

    /// The box around a part that is not yet deformed as a whole. For a ray that passes by it, or by those
    /// around its pieces, joints need not be looked at, and it does not count among the rays that came.
    #[inline]
    fn outer_box(&self) -> Option<&'a Aabb> {
        let is_deformed = self.state.shape != Shape::AtRest;
        if is_deformed && self.state.mesh.get().is_none() {
            self.state.bounds.as_ref()
        } else {
            None
        }
    }

    /// The mesh of the whole part, where it is skinned already or this ray amortises that; `None` where only
    /// the pieces near the ray are skinned. The answer is the same.
    #[inline]
    fn whole(&self) -> Option<&'a TriMesh> {
        if self.state.shape == Shape::AtRest {
            return Some(self.part.mesh());
        }
        match self.state.mesh.get() {
            Some(mesh) => Some(mesh),
            None => self.skin_when_amortised(),
        }
    }

    /// As [`Self::whole`], for a ray that is watched: what it tests is not to depend on how many rays came
    /// before.
    fn watched_whole(&self) -> Option<&'a TriMesh> {
        let has_mesh = self.state.shape == Shape::AtRest || self.state.mesh.get().is_some();
        (has_mesh || self.has_room()).then(|| self.mesh().as_ref())
    }

    /// Counts a ray, and skins the whole part for the one with which that is amortised, if there is room then;
    /// concurrent rays do not wait.
    fn skin_when_amortised(&self) -> Option<&'a TriMesh> {
        let is_only_whole = self.state.bounds.is_none() || self.state.root_bounds.is_none();
        let before = self.state.ray_count.fetch_add(1, Ordering::Relaxed);
        let is_amortised = before as usize == self.rays_to_amortise();
        let is_whole = is_only_whole || is_amortised && self.has_room();
        if is_amortised && !is_whole {
            // As many rays later there may be room.
            self.state.ray_count.store(0, Ordering::Relaxed);
        }
        is_whole.then(|| self.mesh().as_ref())
    }

    /// The mesh of the whole part, if a batch of so many rays amortises skinning it: for fewer it is skinned
    /// piece by piece, when they are cast one by one.
    pub(crate) fn whole_for(&self, rays: usize) -> Option<&'a TriMesh> {
        if self.state.shape == Shape::AtRest {
            return Some(self.part.mesh());
        }
        if let Some(mesh) = self.state.mesh.get() {
            return Some(mesh);
        }
        let before = self.state.ray_count.load(Ordering::Relaxed) as usize;
        let is_amortised = before + rays > self.rays_to_amortise();
        (is_amortised && self.has_room()).then(|| self.mesh().as_ref())
    }

    /// As [`Self::whole_for`], for a query that deforms all vertices: two of them amortise the mesh, so that
    /// the third has it.
    pub(super) fn whole_for_all_triangles(&self) -> Option<&'a TriMesh> {
        let amortising = self.rays_to_amortise();
        let rays = amortising / 2;
        let whole = self.whole_for(rays);
        if whole.is_none() {
            // No further: the ray that reaches it is the one that requests room.
            let before = self.state.ray_count.load(Ordering::Relaxed);
            let after = (before as usize).saturating_add(rays).min(amortising);
            let after = u32::try_from(after).unwrap_or(u32::MAX);
            self.state.ray_count.store(after, Ordering::Relaxed);
        }
        whole
    }

    /// Whether the model's poses may keep one more deformed mesh.
    fn has_room(&self) -> bool {
        self.posed_model.model.deformed_memory.has_room()
    }

    /// The number of rays that cost as much as skinning the whole part.
    fn rays_to_amortise(&self) -> usize {
        FEW_RAYS + self.part.mesh().positions().len() / VERTICES_A_RAY
    }

    #[inline(never)]
    fn lazily_nearest(
        &self,
        ray: &LocalRay,
        sides: Sides,
        limit: f32,
        watch: impl TriangleWatch + Copy,
    ) -> Option<(u32, TriangleHit)> {
        let surface = self.surface()?;
        let width = watch.width(self.posed_model.width);
        dispatch!(width, simd => surface.closest_triangle_hit(simd, ray, sides, limit, watch))
    }

    #[inline(never)]
    fn is_lazily_hit(&self, ray: &LocalRay, sides: Sides) -> bool {
        let Some(surface) = self.surface() else {
            return false;
        };
        let width = self.posed_model.width;
        dispatch!(width, simd => surface.passes_any(simd, ray, sides))
    }

    /// The part as rays reach it; `None` without triangles, and for parts that are only deformed as a
    /// whole.
    #[inline]
    fn surface(&self) -> Option<DeformedSurface<'a>> {
        let extent = (self.state.bounds?, self.state.max_abs);
        let root_bounds = self.state.root_bounds.as_ref()?;
        let deformation = self.deformation();
        if let Motion::Skin(_, joints) = &deformation.motion
            && joints.len() <= FEW_JOINTS
        {
            joints.iter().for_each(|joint| prefetch(joint));
        }
        DeformedSurface::new(self.part, deformation, root_bounds, extent)
    }

    #[inline]
    fn deformation(&self) -> Deformation<'a> {
        let weights = self.posed_model.weights_of(self.part.node());
        let motion = match &self.part.skin {
            Some(skin) => Motion::Skin(skin, self.posed_model.joints_of(skin.skin())),
            None => Motion::None,
        };
        Deformation::new(self.part, weights, motion)
    }
}
