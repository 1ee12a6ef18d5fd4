//! Ballistic arcs against a mesh, in its own space or placed in the world.
//!
//! The tree is searched front to back; arc against triangle is decided in `arc_cast/`.

use super::PlacedMesh;
use super::mesh_transform::MeshTransform;
use super::transformed_box::{MARGIN, placed_bounds};
use crate::narrow_phase::arc_cast::arc_triangle::Facing;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::{Aabb, TriangleId};
use core::cell::Cell;
use core::ops::ControlFlow;
use glam::DAffine3;

impl PlacedMesh<'_> {
    /// Has the search consider the triangles as they are placed in the arc's space.
    pub(crate) fn search_arc(&self, search: &mut ArcSearch) {
        let bounds = match self.transform {
            None => Some(ArcBounds::from(&search.arc)),
            Some(transform) => match transform.inverse() {
                Some(inward) => self.arc_bounds(search, [&transform.world_from_mesh, inward]),
                None => return self.search_arc_outward(search, transform),
            },
        };
        let Some(bounds) = bounds else {
            return;
        };
        let (bvh, part, facing) = (&self.mesh.bvh, self.part, self.facing());
        // The search holds how the traversal ended.
        let _ = bvh.cast_arc(&bounds, search.limit(), &mut |triangle, (low, high)| {
            let corners = self.mesh.corners(triangle);
            let [a, b, c] = corners;
            let (min, max) = (a.min(b).min(c), a.max(b).max(c));
            if (low.cmple(max) & min.cmple(high)).all() {
                let corners = match self.transform {
                    Some(transform) => transform.placed(corners),
                    None => corners,
                };
                search.test_triangle(TriangleId { part, triangle }, &corners, facing);
            }
            search.flow()
        });
    }

    /// As [`Self::search_arc`], where the arc cannot be taken into the mesh's space: boxes are taken out.
    #[cold]
    #[inline(never)]
    fn search_arc_outward(&self, search: &mut ArcSearch, transform: &MeshTransform) {
        let (part, facing) = (self.part, self.facing());
        let arc = ArcBounds::from(&search.arc);
        let limit = Cell::new(search.limit());
        let mut chooses = |bounds: &Aabb| {
            let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
            let (min, max) = placed_bounds(&transform.world_from_mesh, min, max);
            arc.window(min, max, limit.get()).is_some()
        };
        // The search holds how the traversal ended.
        let _ = (self.mesh.bvh).visit_chosen(&mut chooses, &mut |triangle| {
            let corners = self.corners(triangle);
            search.test_triangle(TriangleId { part, triangle }, &corners, facing);
            match search.flow() {
                ControlFlow::Break(()) => return ControlFlow::Break(()),
                ControlFlow::Continue(next) => limit.set(next),
            }
            ControlFlow::Continue(())
        });
    }

    /// The arc in the mesh's space, where it touches whatever the arc touches in its own; `None` where it
    /// passes by.
    fn arc_bounds(
        &self,
        search: &ArcSearch,
        [outward, inward]: [&DAffine3; 2],
    ) -> Option<ArcBounds> {
        let arc = &search.arc;
        let [from, to] = placed_window(search, &self.mesh.bounds()?, outward)?;
        let t = from.abs().max(to.abs());
        let extent = arc.origin.abs()
            + (arc.velocity.abs() + arc.half.abs() * t) * t
            + outward.translation.abs();
        let matrix = &inward.matrix3;
        let stretch = matrix.x_axis.abs() + matrix.y_axis.abs() + matrix.z_axis.abs();
        let margin = stretch * (MARGIN * extent.max_element());
        let local = [
            inward.transform_point3(arc.origin),
            inward.transform_vector3(arc.velocity),
            inward.transform_vector3(arc.half),
        ];
        Some(ArcBounds::new(local, margin, [from, to]))
    }

    fn facing(&self) -> Facing {
        if self.is_mirrored {
            Facing::Mirrored
        } else {
            Facing::Kept
        }
    }
}

/// When the arc may be in what a transform makes of a box: the t up to the search's limit.
fn placed_window(search: &ArcSearch, bounds: &Aabb, outward: &DAffine3) -> Option<[f64; 2]> {
    let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
    let (min, max) = placed_bounds(outward, min, max);
    ArcBounds::from(&search.arc).window(min, max, search.limit())
}
