//! Rays against a posed model as a whole, in the model's space.
//!
//! Each part answers where it is placed (`placed_part.rs`); what is left here is to choose among parts.

use super::{PlacedPart, PosedModel, PosedPart};
use crate::camera::blocks::answer_tile;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::parallel::{answer_each, answers_of};
use crate::query::watch::Unwatched;
use crate::sorting::{ordered_bits, sort_by_rank};
use crate::tri_mesh::widened_query;
use crate::{Aabb, Camera, CameraTile, Ray, RayCastSettings, RayHit, Sides};
use core::ops::ControlFlow;

impl PosedModel {
    /// The nearest hit of `ray`, which is in the model's space; of equal t the
    /// lowest part index, then the lowest triangle index.
    ///
    /// Each part is hit as by [`PosedPart::cast_ray`]. A world answers the same for the model
    /// where it is placed by the identity.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        self.nearest_hit(ray, settings.into().sides)
    }

    /// Whether `ray` hits anything.
    #[must_use]
    #[inline]
    pub fn cast_ray_any(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> bool {
        self.is_hit(ray, settings.into().sides)
    }

    /// All hits of `ray`, in order of t; of equal t in the order of parts, and within a
    /// part so that front and back alternate where they can.
    #[must_use]
    #[inline]
    pub fn cast_ray_all(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Vec<RayHit> {
        self.all_hits(ray, settings.into().sides)
    }

    /// [`PosedModel::cast_ray`] for each ray, in order; on the threads of rayon's current pool where
    /// the feature `parallel` is on.
    #[must_use]
    #[inline]
    pub fn cast_rays(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
    ) -> Vec<Option<RayHit>> {
        let mut hits = vec![None; rays.len()];
        self.cast_rays_into(rays, settings, &mut hits);
        hits
    }

    /// As [`PosedModel::cast_rays`], into a slice.
    ///
    /// # Panics
    /// If the lengths differ.
    #[inline]
    pub fn cast_rays_into(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        hits: &mut [Option<RayHit>],
    ) {
        self.fill_nearest(rays, settings.into().sides, hits);
    }

    fn fill_nearest(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<RayHit>]) {
        answer_each(rays, hits, |ray| self.nearest_hit(ray, sides));
    }

    /// [`PosedModel::cast_ray_any`] for each ray, in order; on threads as [`PosedModel::cast_rays`].
    #[must_use]
    #[inline]
    pub fn cast_rays_any(&self, rays: &[Ray], settings: impl Into<RayCastSettings>) -> Vec<bool> {
        let mut are_hits = vec![false; rays.len()];
        self.cast_rays_any_into(rays, settings, &mut are_hits);
        are_hits
    }

    /// As [`PosedModel::cast_rays_any`], into a slice.
    ///
    /// # Panics
    /// If the lengths differ.
    #[inline]
    pub fn cast_rays_any_into(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        are_hits: &mut [bool],
    ) {
        self.fill_any(rays, settings.into().sides, are_hits);
    }

    fn fill_any(&self, rays: &[Ray], sides: Sides, are_hits: &mut [bool]) {
        answer_each(rays, are_hits, |ray| self.is_hit(ray, sides));
    }

    /// [`PosedModel::cast_ray_all`] for each ray, in order; on threads as [`PosedModel::cast_rays`].
    #[must_use]
    #[inline]
    pub fn cast_rays_all(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
    ) -> Vec<Vec<RayHit>> {
        self.all_hits_of_each(rays, settings.into().sides)
    }

    fn all_hits_of_each(&self, rays: &[Ray], sides: Sides) -> Vec<Vec<RayHit>> {
        answers_of(rays, |ray| self.all_hits(ray, sides))
    }

    /// What [`PosedModel::cast_ray`] answers for each of the tile's rays, which are in the model's
    /// space, as [`Snapshot::cast_camera`](crate::Snapshot::cast_camera).
    #[must_use]
    #[inline]
    pub fn cast_camera(
        &self,
        camera: &Camera,
        tile: &CameraTile,
        settings: impl Into<RayCastSettings>,
    ) -> Vec<Option<RayHit>> {
        let sides = settings.into().sides;
        self.answer_camera((camera, tile), &|ray| self.nearest_hit(ray, sides))
    }

    /// What [`PosedModel::cast_ray_any`] answers for each of the tile's rays, as
    /// [`PosedModel::cast_camera`].
    #[must_use]
    #[inline]
    pub fn cast_camera_any(
        &self,
        camera: &Camera,
        tile: &CameraTile,
        settings: impl Into<RayCastSettings>,
    ) -> Vec<bool> {
        let sides = settings.into().sides;
        self.answer_camera((camera, tile), &|ray| self.is_hit(ray, sides))
    }

    fn answer_camera<A: Copy + Default + Send>(
        &self,
        view: (&Camera, &CameraTile),
        answer: &(dyn Fn(&Ray) -> A + Sync),
    ) -> Vec<A> {
        answer_tile(
            view,
            self.width,
            || (),
            |(), rays, answers| {
                for (ray, one) in rays.iter().zip(answers) {
                    *one = answer(ray);
                }
            },
        )
    }

    /// A box that holds the model, or `None` without triangles. It may be larger than the model, as
    /// [`PosedPart::bounds`] may be.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        let of_part = |part: PosedPart<'_>| {
            let model_from_part = part.model_from_part();
            let bounds = part.bounds()?;
            let corners = bounds.wide_corners().into_iter();
            Aabb::around_f64(corners.map(|corner| model_from_part.transform_point3(corner)))
        };
        let boxes = self.parts().filter_map(of_part);
        boxes.reduce(|all, one| all.union(&one))
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

    fn is_hit(&self, ray: &Ray, sides: Sides) -> bool {
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
}
