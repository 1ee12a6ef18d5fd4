//! The queries that posed models share with terrain and meshes, in the model's space: what each finds, and
//! their public methods.
//!
//! Each part answers where it is placed (`placed_part.rs`); for rays what is left here is to choose among
//! parts. For the others each corner of a part is taken into the model once, in f64, and answers are exact
//! on those (`placed_parts.rs`).

use super::{PlacedPart, PosedModel};
use crate::camera::blocks::answer_tile;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::closest_point::{Reach, checked_max_distance};
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::convex::Outline;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::parallel::answer_each;
use crate::query::surface_queries::{self, SurfaceQueries, surface_verbs};
use crate::query::watch::Unwatched;
use crate::sorting::{ordered_bits, sort_by_rank};
use crate::tri_mesh::widened_query;
use crate::{
    BallisticArc, Camera, CameraTile, ClosestPoint, Contact, ContactsPer, Primitive, Ray,
    RayCastSettings, RayHit, ShapeCast, ShapeHit, Sides, TurningCast, TurningHit,
};
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

surface_verbs! { PosedModel {
    /// The nearest hit of `ray`, which is in the model's space; of equal t the
    /// lowest part index, then the lowest triangle index.
    ///
    /// Each part is hit as by [`PosedPart::cast_ray`](super::PosedPart::cast_ray). A world answers the same
    /// for the model where it is placed by the identity.
    cast_ray;

    /// All hits of `ray`, in order of t; of equal t in the order of parts, and within a
    /// part so that front and back alternate where they can.
    cast_ray_all;

    cast_rays;

    cast_rays_any;

    /// The rays are in the model's space.
    cast_camera;

    /// The first hit of `arc`, which is in the model's space; of equal t the lowest part index, then the lowest
    /// triangle; see [`TriMesh::cast_arc`](crate::TriMesh::cast_arc).
    ///
    /// Parts that the arc comes near are deformed as a whole.
    cast_arc;

    /// The shape is in the model's space. Of equal hits that of the lowest part index counts, then that of
    /// the lowest triangle; the parts are one surface. A world answers the same for the model where it is
    /// placed by the identity.
    cast_shape;

    /// The shape is in the model's space.
    contacts;

    /// The point is in the model's space. Corners of parts come into that in f64, and the answer is exact on
    /// them. A part that the pose deforms is deformed as a whole by the first query that comes near.
    closest_point;

    /// As [`Self::closest_point`], the model counting as a solid if its triangles are closed,
    /// and else each part that is closed by itself: see
    /// [`TriMesh::closest_point_signed`](crate::TriMesh::closest_point_signed).
    ///
    /// That is found out once, and once a pose for parts that it deforms or moves against one
    /// another.
    closest_point_signed;
}}

impl SurfaceQueries for PosedModel {
    fn nearest_hit(&self, ray: &Ray, sides: Sides) -> Option<RayHit> {
        let in_model = LocalRay::from(ray);
        let mut limit = f32::INFINITY;
        let mut nearest: Option<(PlacedPart<'_>, (u32, TriangleHit))> = None;
        // Nothing breaks off.
        let _ = self.cast(&in_model, &mut |part| {
            let local = part.local_ray(&in_model);
            if let Some(found) = part.nearest(&local, sides, limit, Unwatched) {
                let key = (found.1.t, part.index);
                if nearest.is_none_or(|(other, (_, hit))| key < (hit.t, other.index)) {
                    limit = found.1.t;
                    nearest = Some((part, found));
                }
            }
            ControlFlow::Continue(limit)
        });
        nearest.map(|(part, (triangle, found))| part.hit(ray, triangle, &found))
    }

    fn has_hit(&self, ray: &Ray, sides: Sides) -> bool {
        let in_model = LocalRay::from(ray);
        let flow = self.cast(&in_model, &mut |part| {
            if part.is_hit(&part.local_ray(&in_model), sides) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(f32::INFINITY)
            }
        });
        flow.is_break()
    }

    fn all_hits(&self, ray: &Ray, sides: Sides) -> Vec<RayHit> {
        let mut hits: Vec<RayHit> = Vec::new();
        // Nothing breaks off.
        let _ = self.cast(&LocalRay::from(ray), &mut |part| {
            hits.extend(part.all_hits(ray));
            ControlFlow::Continue(f32::INFINITY)
        });
        hits.retain(|hit| sides.admits(hit.side));
        // The sort is stable: the order within a part stays.
        let part = |hit: &RayHit| hit.part().map_or(0, u64::from);
        sort_by_rank(&mut hits, |hit| [ordered_bits(hit.t.into()), part(hit), 0]);
        hits
    }

    fn nearest_hits(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<RayHit>]) {
        answer_each(rays, hits, |ray| self.nearest_hit(ray, sides));
    }

    fn have_hits(&self, rays: &[Ray], sides: Sides, are_hits: &mut [bool]) {
        answer_each(rays, are_hits, |ray| self.has_hit(ray, sides));
    }

    fn camera_hits(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<Option<RayHit>> {
        self.answer_camera(view, &|ray| self.nearest_hit(ray, sides))
    }

    fn camera_any(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<bool> {
        self.answer_camera(view, &|ray| self.has_hit(ray, sides))
    }

    fn search_along_arc(&self, search: &mut ArcSearch) {
        self.placed_parts().search_arc(search);
    }

    fn closest(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        let max_distance = checked_max_distance(point, max_distance)?;
        (self.placed_parts()).closest(point, Reach::up_to(max_distance))
    }

    fn closest_signed(&self, point: Vec3, max_distance: f32) -> Option<ClosestPoint> {
        let max_distance = checked_max_distance(point, max_distance)?;
        (self.placed_parts()).closest_signed(point, Reach::up_to(max_distance))
    }
}

/// Visits a part, and returns the t beyond which nothing matters.
type VisitPart<'v, 'a> = &'v mut dyn FnMut(PlacedPart<'a>) -> ControlFlow<(), f32>;

impl PosedModel {
    /// Visits the parts that a ray may hit, in no certain order.
    ///
    /// One traversal for all visitors: each would be compiled for every vector width.
    fn cast<'a>(&'a self, ray: &LocalRay, visit: VisitPart<'_, 'a>) -> ControlFlow<()> {
        let parts = self.placed_parts();
        if parts.tree().is_some() {
            return parts.cast(&widened_query(ray), f32::INFINITY, visit);
        }
        parts.all().try_for_each(|part| match visit(part) {
            ControlFlow::Continue(_) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        })
    }

    fn answer_camera<A: Copy + Default + Send>(
        &self,
        view: (&Camera, &CameraTile),
        answer: &(dyn Fn(&Ray) -> A + Sync),
    ) -> Vec<A> {
        let answer_all = |(): &mut (), rays: &[Ray], answers: &mut [A]| {
            for (ray, one) in rays.iter().zip(answers) {
                *one = answer(ray);
            }
        };
        answer_tile(view, self.width, || (), answer_all)
    }
}

/// The triangles where they are in the model's space.
impl TriangleSource for PosedModel {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        self.placed_parts().for_each_in(min, max, visit)
    }

    fn for_each_near(
        &self,
        outline: &Outline,
        bounds: (DVec3, DVec3),
        visit: VisitTriangle<'_>,
    ) -> ControlFlow<()> {
        self.placed_parts().for_each_near(outline, bounds, visit)
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        self.placed_parts().best_first(swept, search);
    }
}
