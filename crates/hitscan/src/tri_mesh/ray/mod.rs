//! Rays against a mesh: the nearest hit, any hit, all that may be hit.

mod pairs;
mod closest_hits;
pub(crate) mod wavefront;
mod packet;
mod packet_group;
mod batch;
mod all_hits;

use super::TriMesh;
use super::triangle_block::{Shear, Sorted, TriangleBlock};
use crate::bvh::{Bvh, LEAF_ITEMS, TraversalQuery, TraversalRay};
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::{CandidateHit, TriangleHit, candidate_hit};
use crate::simd::dispatch;
use crate::simd::prefetch;
use crate::{Ray, RayCastSettings, RayHit, Sides, TriangleId};
use core::borrow::Borrow;
use core::ops::ControlFlow;
use fearless_simd::Simd;
use glam::DVec3;

impl TriMesh {
    /// The nearest hit of `ray`; of equal t the lowest triangle.
    ///
    /// # Accuracy
    /// Whether a triangle is hit is decided exactly; `t` is the exact value rounded to f32.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        self.nearest_hit(ray, settings.into().sides)
    }

    fn nearest_hit(&self, ray: &Ray, sides: Sides) -> Option<RayHit> {
        dispatch!(self.bvh.width(), simd => self.hit(simd, ray, sides))
    }

    #[inline(always)]
    fn hit<S: Simd>(&self, simd: S, ray: &Ray, sides: Sides) -> Option<RayHit> {
        let local = LocalRay::from(ray);
        let nearest = self.nearest_crossing(simd, &local, sides, f32::INFINITY)?;
        Some(hit_of(ray, &nearest))
    }

    /// Whether `ray` hits anything.
    #[must_use]
    #[inline]
    pub fn cast_ray_any(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> bool {
        self.is_hit(&LocalRay::from(ray), settings.into().sides)
    }

    /// The nearest crossing with t up to `limit`; of equal t the lowest triangle.
    #[inline]
    pub(crate) fn nearest(
        &self,
        ray: &LocalRay,
        sides: Sides,
        limit: f32,
    ) -> Option<(u32, TriangleHit)> {
        let width = self.bvh.width();
        dispatch!(width, simd => self.nearest_crossing(simd, ray, sides, limit))
    }

    #[inline]
    pub(crate) fn is_hit(&self, ray: &LocalRay, sides: Sides) -> bool {
        dispatch!(self.bvh.width(), simd => self.passes_any(simd, ray, sides))
    }

    /// Visits every triangle that the ray may hit.
    pub(crate) fn for_each_candidate(
        &self,
        ray: &LocalRay,
        mut visit: impl FnMut(u32, &[DVec3; 3]),
    ) {
        self.for_each_candidate_dyn(ray, &mut visit);
    }

    /// One walk for all visitors: each would be compiled for every vector width.
    fn for_each_candidate_dyn(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32, &[DVec3; 3])) {
        dispatch!(self.bvh.width(), simd => self.candidates(simd, ray, visit));
    }
}

/// The hit that a crossing of `ray` makes.
#[inline(always)]
pub(super) fn hit_of(ray: &Ray, (triangle, crossing): &(u32, TriangleHit)) -> RayHit {
    let id = TriangleId {
        part: 0,
        triangle: *triangle,
    };
    RayHit::on_triangle(ray, id, crossing)
}

impl Surface for TriMesh {
    #[inline(always)]
    fn bvh(&self) -> &Bvh<TriangleBlock> {
        &self.bvh
    }

    #[inline(always)]
    fn prepare_into<S: Simd>(&self, simd: S, ray: &LocalRay, image: &mut TraversalRay) -> bool {
        self.bvh
            .prepare_into(simd, &TraversalQuery::ray(ray), image)
    }

    #[inline(always)]
    fn walk_leaves<S: Simd>(
        &self,
        simd: S,
        (image, _): (&TraversalRay, &Shear),
        limit: f32,
        visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        self.bvh.cast_prepared(simd, image, limit, visit)
    }

    #[inline(always)]
    fn block<S: Simd>(&self, _: S, leaf: u32) -> impl Borrow<TriangleBlock> {
        self.bvh.block(leaf)
    }
}

/// Where in the tree a triangle stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(super) leaf: u32,
    /// The place in the leaf's block.
    pub(super) place: usize,
}

impl Slot {
    pub(super) const FIRST: Self = Self { leaf: 0, place: 0 };

    /// Takes the first triangle out of a set of a leaf's.
    #[inline(always)]
    pub(super) fn take(leaf: u32, set: &mut u32) -> Self {
        let place = set.trailing_zeros() as usize % LEAF_ITEMS;
        *set &= *set - 1;
        Self { leaf, place }
    }
}

/// Triangles in the blocks of a tree, wherever their corners and the boxes above them come from, and
/// what a ray meets of them.
pub(crate) trait Surface {
    /// The tree, whose items are the triangles.
    fn bvh(&self) -> &Bvh<TriangleBlock>;

    /// Makes the ray's image here; `false` where it is seen to miss.
    fn prepare_into<S: Simd>(&self, simd: S, ray: &LocalRay, image: &mut TraversalRay) -> bool;

    /// Visits every leaf that the image may touch until the limit, as [`Bvh::cast_prepared`] does.
    fn walk_leaves<S: Simd>(
        &self,
        simd: S,
        image: (&TraversalRay, &Shear),
        limit: f32,
        visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()>;

    /// The triangles of a leaf.
    fn block<S: Simd>(&self, simd: S, leaf: u32) -> impl Borrow<TriangleBlock>;

    /// Visits every triangle that the ray may hit.
    #[inline(always)]
    fn candidates<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]),
    ) {
        let visit = |slot: Slot, corners: &[DVec3; 3]| {
            visit(self.bvh().items(slot.leaf)[slot.place], corners);
            ControlFlow::Continue(f32::INFINITY)
        };
        // Nothing breaks off, so the way it ends says nothing.
        let _ = self.walk(simd, ray, f32::INFINITY, visit);
    }

    /// The nearest crossing with t up to `limit`; of equal t the lowest triangle.
    #[inline(always)]
    fn nearest_crossing<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        sides: Sides,
        mut limit: f32,
    ) -> Option<(u32, TriangleHit)> {
        let mut best: Option<(Slot, CandidateHit, [DVec3; 3])> = None;
        // The triangles' numbers lie elsewhere in memory, so they are asked for only where they matter.
        let number = |slot: Slot| self.bvh().items(slot.leaf)[slot.place % LEAF_ITEMS];
        let _ = self.walk(
            simd,
            ray,
            limit,
            #[inline(always)]
            |slot, corners| {
                prefetch(self.bvh().items(slot.leaf));
                if let Some(candidate) = candidate_hit(simd, ray, corners)
                    && sides.admits(candidate.side)
                {
                    let is_nearer = match &best {
                        Some((other, nearest, _)) => {
                            candidate.t < nearest.t
                                || candidate.t == nearest.t && number(slot) < number(*other)
                        }
                        None => candidate.t <= limit,
                    };
                    if is_nearer {
                        limit = candidate.t;
                        best = Some((slot, candidate, *corners));
                    }
                }
                ControlFlow::Continue(limit)
            },
        );
        let (slot, candidate, corners) = best?;
        Some((number(slot), candidate.triangle_hit(ray, &corners)))
    }

    #[inline(always)]
    fn passes_any<S: Simd>(&self, simd: S, ray: &LocalRay, sides: Sides) -> bool {
        self.walk_blocks(
            simd,
            ray,
            f32::INFINITY,
            #[inline(always)]
            |leaf, block, sorted| {
                if sorted.is_certain && sides == Sides::Both {
                    return ControlFlow::Break(());
                }
                self.visit_possible(
                    (leaf, block),
                    sorted.possible,
                    f32::INFINITY,
                    #[inline(always)]
                    |_, corners| match candidate_hit(simd, ray, corners) {
                        Some(candidate) if sides.admits(candidate.side) => ControlFlow::Break(()),
                        _ => ControlFlow::Continue(f32::INFINITY),
                    },
                )
            },
        )
        .is_break()
    }

    /// Visits every triangle that the ray may hit; `visit` answers up to which t they still matter.
    #[inline(always)]
    fn walk<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        mut limit: f32,
        mut visit: impl FnMut(Slot, &[DVec3; 3]) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        self.walk_blocks(
            simd,
            ray,
            limit,
            #[inline(always)]
            |leaf, block, sorted| {
                limit = self.visit_possible(
                    (leaf, block),
                    sorted.possible,
                    limit,
                    #[inline(always)]
                    |slot, corners| visit(slot, corners),
                )?;
                ControlFlow::Continue(limit)
            },
        )
    }

    /// Visits the blocks that the ray may meet, with what it may cross of each.
    #[inline(always)]
    fn walk_blocks<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        limit: f32,
        mut visit: impl FnMut(u32, &TriangleBlock, Sorted) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let mut image = TraversalRay::NONE;
        if !self.prepare_into(simd, ray, &mut image) {
            return ControlFlow::Continue(());
        }
        let shear = Shear::new(&image);
        let time_limit = image.time_limit(limit);
        self.walk_leaves(
            simd,
            (&image, &shear),
            limit,
            #[inline(always)]
            |leaf| {
                let block = self.block(simd, leaf);
                let block = block.borrow();
                visit(leaf, block, shear.sort_out(simd, block, time_limit))
            },
        )
    }

    /// Visits the triangles of a block whose bits are set; `limit` is the answer without any.
    #[inline(always)]
    fn visit_possible(
        &self,
        (leaf, block): (u32, &TriangleBlock),
        mut possible: u32,
        mut limit: f32,
        mut visit: impl FnMut(Slot, &[DVec3; 3]) -> ControlFlow<(), f32>,
    ) -> ControlFlow<(), f32> {
        while possible != 0 {
            let slot = Slot::take(leaf, &mut possible);
            limit = visit(slot, &block.triangle(slot.place))?;
        }
        ControlFlow::Continue(limit)
    }
}
