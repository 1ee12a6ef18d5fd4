//! Rays and lines of sight at a mesh in the world, by its triangles' corners there.
//!
//! It is the path of rays where the transform is too ill-conditioned to bring them to the mesh as
//! exactly as f64 has them, and of lines of sight always. The query only culls in the mesh's space;
//! corners are taken into the world once each, so neighbours share them.

use super::PlacedMesh;
use super::ray::watch::TriangleWatch;
use crate::Aabb;
use crate::Sides;
use crate::bvh::{BoxKind, TraversalQuery};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{TriangleHit, intersect};
use crate::narrow_phase::sight::SightLine;
use crate::query::collector::{Closest, Collector};
use crate::query::watch::Outcome;
use core::cell::Cell;
use core::ops::ControlFlow;
use glam::DVec3;

/// A visitor of triangles by their corners in the world, which returns the t beyond which others do not
/// matter.
type Visit<'a> = &'a mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<(), f32>;

impl PlacedMesh<'_> {
    /// The nearest hit with t up to `limit` of a ray of the world, from one of `sides` by the order of
    /// the corners there; of equal t the lowest triangle index.
    #[inline(never)]
    pub(crate) fn nearest(
        &self,
        ray: &LocalRay,
        sides: Sides,
        limit: f32,
        watch: impl TriangleWatch + Copy,
    ) -> Option<(u32, TriangleHit)> {
        watch.begins(BoxKind::Kept, None, true);
        let mut closest: Closest<(u32, TriangleHit)> = Closest::new(limit);
        // The collector holds how the search ended.
        let _ = self.for_each_near(ray, limit, &mut |triangle, corners| {
            let hit = intersect(ray, corners).filter(|hit| sides.admits(hit.side));
            let outcome = hit.map_or(Outcome::Refused, |hit| {
                let is_lower = |one: &(u32, _), other: &(u32, _)| one.0 < other.0;
                Outcome::of_hit(hit.t, closest.consider(hit.t, (triangle, hit), is_lower))
            });
            watch.tested_in_world(triangle, corners, outcome);
            closest.flow()
        });
        closest.into_best()
    }

    /// Whether a ray of the world hits anything from one of `sides`, as [`Self::nearest`].
    #[inline(never)]
    pub(crate) fn is_hit(&self, ray: &LocalRay, sides: Sides) -> bool {
        self.for_each_near(
            ray,
            f32::INFINITY,
            &mut |_, corners| match intersect(ray, corners) {
                Some(hit) if sides.admits(hit.side) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(f32::INFINITY),
            },
        )
        .is_break()
    }

    /// Visits every triangle that a ray of the world may hit, and those in whose plane it lies.
    #[inline(never)]
    pub(crate) fn for_each_candidate(
        &self,
        ray: &LocalRay,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]),
    ) {
        // Nothing breaks off.
        let _ = self.for_each_near(ray, f32::INFINITY, &mut |triangle, corners| {
            visit(triangle, corners);
            ControlFlow::Continue(f32::INFINITY)
        });
    }

    /// Calls `visit` for each triangle, as it is in the world, that the line crosses, until it breaks.
    pub(crate) fn for_each_in_the_way(
        &self,
        line: &SightLine,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_near(&line.ray(), f32::MAX, &mut |triangle, corners| {
            if line.crosses(corners) {
                visit(triangle, corners)?;
            }
            ControlFlow::Continue(f32::MAX)
        })
    }

    fn for_each_near(&self, ray: &LocalRay, limit: f32, visit: Visit<'_>) -> ControlFlow<()> {
        let bvh = self.mesh.bvh();
        let Some(bounds) = bvh.bounds_ref() else {
            return ControlFlow::Continue(());
        };
        let mut visit = |triangle| visit(triangle, &self.corners(triangle));
        let in_world = TraversalQuery::ray_in_planes(ray);
        let Some(transform) = self.transform else {
            return bvh.cast(&in_world, limit, visit);
        };
        if let Some(query) = transform.local_query(ray, bounds) {
            return bvh.cast(&query, limit, visit);
        }
        let limit = Cell::new(limit);
        let mut chooses = |bounds: &Aabb| {
            let placed = transform.placed_box(bounds);
            placed.is_some_and(|bounds| in_world.may_touch(&bounds, limit.get()))
        };
        bvh.visit_chosen(&mut chooses, &mut |triangle| {
            limit.set(limit.get().min(visit(triangle)?));
            ControlFlow::Continue(())
        })
    }
}
