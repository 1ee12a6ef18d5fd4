//! Rays against a mesh: the nearest hit, any hit, all that may be hit.

pub(crate) mod watch;
mod pairs;
pub(super) mod wavefront;
mod packet;
mod packet_group;
pub(crate) mod ray_stream;
pub(super) mod batch;

use super::TriMesh;
use super::triangle_block::{BlockTest, Shear, TriangleBlock};
use crate::bvh::{BoxKind, Bvh, LEAF_ITEMS, TraversalQuery, TraversalRay};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{CandidateHit, TriangleHit, candidate_hit};
use crate::query::collector::{Any, Closest, Collector};
use crate::query::watch::{Outcome, Unwatched};
use crate::simd::dispatch;
use crate::simd::prefetch;
use crate::{Aabb, Sides};
use core::borrow::Borrow;
use core::ops::ControlFlow;
use fearless_simd::Simd;
use glam::DVec3;
use watch::TriangleWatch;

impl TriMesh {
    /// The closest hit with t up to `limit`; of equal t the lowest triangle index.
    pub(crate) fn nearest(
        &self,
        ray: &LocalRay,
        sides: Sides,
        limit: f32,
        watch: impl TriangleWatch + Copy,
    ) -> Option<(u32, TriangleHit)> {
        let width = watch.width(self.bvh.width());
        dispatch!(width, simd => self.closest_triangle_hit(simd, ray, sides, limit, watch))
    }

    /// Whether there is any hit.
    pub(crate) fn is_hit(&self, ray: &LocalRay, sides: Sides) -> bool {
        dispatch!(self.bvh.width(), simd => self.passes_any(simd, ray, sides))
    }

    /// Visits every triangle that the ray may hit, and where it hits any, those in whose plane it lies.
    pub(crate) fn for_each_candidate(
        &self,
        ray: &LocalRay,
        mut visit: impl FnMut(u32, &[DVec3; 3]),
    ) {
        self.for_each_candidate_dyn(ray, &mut visit);
    }

    /// One traversal for all visitors: each would be compiled for every vector width.
    fn for_each_candidate_dyn(&self, ray: &LocalRay, visit: &mut dyn FnMut(u32, &[DVec3; 3])) {
        // A ray may lie in the plane of thousands of triangles, which matter only beside a hit.
        let may_miss_flat_boxes = self.bvh.may_miss_flat_boxes(&TraversalQuery::ray(ray));
        if may_miss_flat_boxes && !self.is_hit(ray, Sides::Both) {
            return;
        }
        dispatch!(self.bvh.width(), simd => self.candidates(simd, ray, visit));
    }
}

impl Surface for TriMesh {
    const BOXES: BoxKind = BoxKind::Kept;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bounds(&self) -> Option<&Aabb> {
        self.bvh.bounds_ref()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bvh(&self) -> &Bvh<TriangleBlock> {
        &self.bvh
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn prepare_into<S: Simd>(
        &self,
        simd: S,
        query: &TraversalQuery,
        prepared: &mut TraversalRay,
    ) -> bool {
        self.bvh.prepare_into(simd, query, prepared)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn walk_leaves<S: Simd>(
        &self,
        simd: S,
        (prepared, _): (&TraversalRay, &Shear),
        limit: f32,
        watch: impl TriangleWatch + Copy,
        visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        self.bvh.cast_prepared(simd, prepared, limit, watch, visit)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn block<S: Simd>(&self, _: S, leaf: u32) -> impl Borrow<TriangleBlock> {
        self.bvh.block(leaf)
    }
}

impl TriMesh {
    /// The number of a triangle of the tree. It lies elsewhere in memory than the triangle.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn triangle_at(&self, triangle: LeafTriangle) -> u32 {
        number(&self.bvh, triangle)
    }

    /// Whether one triangle has a lower number than another.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_lower(&self, one: LeafTriangle, other: LeafTriangle) -> bool {
        number(&self.bvh, one) < number(&self.bvh, other)
    }
}

/// The number of a tree's triangle.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn number(bvh: &Bvh<TriangleBlock>, triangle: LeafTriangle) -> u32 {
    bvh.items(triangle.leaf)[triangle.place % LEAF_ITEMS]
}

/// A triangle by its leaf and its lane.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LeafTriangle {
    pub(crate) leaf: u32,
    /// The place in the leaf's block.
    pub(crate) place: usize,
}

impl LeafTriangle {
    pub(super) const FIRST: Self = Self { leaf: 0, place: 0 };

    /// Takes the first triangle out of a set of a leaf's.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn take(leaf: u32, set: &mut u32) -> Self {
        let place = set.trailing_zeros() as usize % LEAF_ITEMS;
        *set &= *set - 1;
        Self { leaf, place }
    }
}

/// Triangles in the blocks of a tree, wherever their corners and the boxes above them come from, and
/// what a ray hits of them.
pub(crate) trait Surface {
    /// Which boxes are above the triangles.
    const BOXES: BoxKind;

    /// The box around all.
    fn bounds(&self) -> Option<&Aabb>;

    /// The tree, whose items are the triangles.
    fn bvh(&self) -> &Bvh<TriangleBlock>;

    /// Makes the prepared ray here; `false` where it is seen to miss.
    fn prepare_into<S: Simd>(
        &self,
        simd: S,
        query: &TraversalQuery,
        prepared: &mut TraversalRay,
    ) -> bool;

    /// Visits every leaf that the prepared query may touch until the limit, as [`Bvh::cast_prepared`] does.
    fn walk_leaves<S: Simd>(
        &self,
        simd: S,
        prepared: (&TraversalRay, &Shear),
        limit: f32,
        watch: impl TriangleWatch + Copy,
        visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()>;

    /// The triangles of a leaf.
    fn block<S: Simd>(&self, simd: S, leaf: u32) -> impl Borrow<TriangleBlock>;

    /// Visits every triangle that the ray may hit, and those in whose plane it lies: they join the hits
    /// at their edges.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn candidates<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]),
    ) {
        // Nothing breaks off, so the result is not used.
        let _ = self.walk_blocks(
            simd,
            &TraversalQuery::ray_in_planes(ray),
            f32::INFINITY,
            Unwatched,
            #[cfg_attr(not(debug_assertions), inline(always))]
            |leaf, block, test| {
                let mut possible = test.possible;
                while possible != 0 {
                    let triangle = LeafTriangle::take(leaf, &mut possible);
                    visit(
                        number(self.bvh(), triangle),
                        &block.triangle(triangle.place),
                    );
                }
                ControlFlow::Continue(f32::INFINITY)
            },
        );
    }

    /// The closest hit with t up to `t_max`; of equal t the lowest triangle index.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn closest_triangle_hit<S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        sides: Sides,
        t_max: f32,
        watch: impl TriangleWatch + Copy,
    ) -> Option<(u32, TriangleHit)> {
        let closest: Closest<Candidate> = self.search(simd, ray, sides, t_max, watch);
        let (triangle, candidate, corners) = closest.into_best()?;
        let triangle = number(self.bvh(), triangle);
        Some((triangle, candidate.triangle_hit(ray, &corners)))
    }

    /// Whether there is any hit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn passes_any<S: Simd>(&self, simd: S, ray: &LocalRay, sides: Sides) -> bool {
        let any: Any = self.search(simd, ray, sides, f32::INFINITY, Unwatched);
        any.is_hit()
    }

    /// What a collector keeps of the triangles that the ray hits with t up to `t_max`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn search<C: Collector<Candidate>, S: Simd>(
        &self,
        simd: S,
        ray: &LocalRay,
        sides: Sides,
        t_max: f32,
        watch: impl TriangleWatch + Copy,
    ) -> C {
        let mut collector = C::new(t_max);
        // The collector holds how the search ended.
        let _ = self.walk_blocks(
            simd,
            &TraversalQuery::ray(ray),
            t_max,
            watch,
            #[cfg_attr(not(debug_assertions), inline(always))]
            |leaf, block, test| {
                if C::IS_ANY_ENOUGH && test.is_certain && sides == Sides::Both {
                    collector.record_certain_hit();
                    return ControlFlow::Break(());
                }
                let mut flow = collector.flow();
                let mut possible = test.possible;
                while possible != 0 {
                    let triangle = LeafTriangle::take(leaf, &mut possible);
                    let corners = block.triangle(triangle.place);
                    if !C::IS_ANY_ENOUGH {
                        // Ties are settled by the triangles' numbers, which lie elsewhere in memory.
                        prefetch(self.bvh().items(leaf));
                    }
                    if let Some(candidate) = candidate_hit(simd, ray, &corners)
                        && sides.admits(candidate.side)
                    {
                        let t = candidate.t;
                        let candidate = (triangle, candidate, corners);
                        let is_kept = collector.consider(t, candidate, |one, other| {
                            number(self.bvh(), one.0) < number(self.bvh(), other.0)
                        });
                        flow = collector.flow();
                        let outcome = Outcome::of_hit(t, is_kept);
                        watch.tested_triangle(self.bvh(), triangle, &corners, outcome);
                    } else {
                        watch.tested_triangle(self.bvh(), triangle, &corners, Outcome::Refused);
                    }
                    if flow.is_break() {
                        break;
                    }
                }
                flow
            },
        );
        collector
    }

    /// Visits the blocks that the ray may hit, with what it may cross of each; `visit` returns up to
    /// which t others matter.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn walk_blocks<S: Simd>(
        &self,
        simd: S,
        query: &TraversalQuery,
        limit: f32,
        watch: impl TriangleWatch + Copy,
        mut visit: impl FnMut(u32, &TriangleBlock, BlockTest) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let mut prepared = TraversalRay::NONE;
        let may_touch = self.prepare_into(simd, query, &mut prepared);
        watch.begins(Self::BOXES, self.bounds(), may_touch);
        if !may_touch {
            return ControlFlow::Continue(());
        }
        let shear = Shear::new(&prepared);
        let time_limit = prepared.time_limit(limit);
        self.walk_leaves(
            simd,
            (&prepared, &shear),
            limit,
            watch,
            #[cfg_attr(not(debug_assertions), inline(always))]
            |leaf| {
                let block = self.block(simd, leaf);
                let block = block.borrow();
                let test = shear.test_block(simd, block, time_limit);
                watch.tested_block(self.bvh(), leaf, block, test.possible);
                visit(leaf, block, test)
            },
        )
    }
}

/// A triangle that the ray hits, which is computed in full if it is the closest.
type Candidate = (LeafTriangle, CandidateHit, [DVec3; 3]);
