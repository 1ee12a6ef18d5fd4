//! Ballistic arcs against a mesh, in its own space or placed in the world.
//!
//! The tree is searched front to back; arc against triangle is decided in `arc_cast/`.

use super::mesh_transform::MeshTransform;
use super::transformed_box::{MARGIN, placed_bounds};
use super::{PlacedMesh, TriMesh};
use crate::narrow_phase::arc_cast::arc::BallisticArc;
use crate::narrow_phase::arc_cast::arc_triangle::Facing;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::parallel::answers_of;
use crate::{Aabb, RayCastSettings, RayHit, TriangleId};
use core::cell::Cell;
use core::ops::ControlFlow;
use glam::DAffine3;

impl TriMesh {
    /// The first hit of `arc`; of equal t the lowest triangle index.
    ///
    /// A triangle is hit where the arc crosses it or only touches it; an arc that lies in a triangle's
    /// plane misses it.
    ///
    /// # Accuracy
    /// Whether a triangle is hit is exact; `t` is the exact root rounded to f32. So no arc passes between
    /// triangles that share an edge.
    #[must_use]
    pub fn cast_arc(
        &self,
        arc: &BallisticArc,
        settings: impl Into<RayCastSettings>,
    ) -> Option<RayHit> {
        self.first_arc_hit(arc, settings.into())
    }

    fn first_arc_hit(&self, arc: &BallisticArc, settings: RayCastSettings) -> Option<RayHit> {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray(&ray, settings);
        }
        let mut search = ArcSearch::nearest(arc, settings);
        PlacedMesh::from(self).search_arc(&mut search);
        search.into_best()
    }

    /// Whether `arc` hits anything.
    #[must_use]
    pub fn cast_arc_any(&self, arc: &BallisticArc, settings: impl Into<RayCastSettings>) -> bool {
        self.is_arc_hit(arc, settings.into())
    }

    fn is_arc_hit(&self, arc: &BallisticArc, settings: RayCastSettings) -> bool {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray_any(&ray, settings);
        }
        let mut search = ArcSearch::any(arc, settings);
        PlacedMesh::from(self).search_arc(&mut search);
        search.is_hit()
    }

    /// [`TriMesh::cast_arc`] for each arc, in order; on the threads of rayon's current pool where the feature
    /// `parallel` is on.
    #[must_use]
    pub fn cast_arcs(
        &self,
        arcs: &[BallisticArc],
        settings: impl Into<RayCastSettings>,
    ) -> Vec<Option<RayHit>> {
        let settings = settings.into();
        answers_of(arcs, |arc| self.first_arc_hit(arc, settings))
    }

    /// [`TriMesh::cast_arc_any`] for each arc, in order; on threads as [`TriMesh::cast_arcs`].
    #[must_use]
    pub fn cast_arcs_any(
        &self,
        arcs: &[BallisticArc],
        settings: impl Into<RayCastSettings>,
    ) -> Vec<bool> {
        let settings = settings.into();
        answers_of(arcs, |arc| self.is_arc_hit(arc, settings))
    }
}

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
