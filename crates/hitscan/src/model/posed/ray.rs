//! Rays against a posed model as a whole, in the model's space.
//!
//! Each part answers in its own space, where the ray has the same t; what is left here is to choose
//! among parts and to bring normals and sides back. Rays that are asked together share the transforms into
//! the parts.

use super::{PosedModel, PosedPart};
use crate::model::Winding;
use crate::parallel::{answer_each, answers_of};
use crate::query::watch::Unwatched;
use crate::ray_cast::all_hits::PartHits;
use crate::ray_cast::camera_blocks::answer_tile;
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::TriangleHit;
use crate::{Aabb, Camera, CameraTile, Ray, RayCastSettings, RayHit, Sides, TriangleId};
use core::borrow::Borrow;
use glam::DAffine3;

impl PosedModel {
    /// The nearest hit of `ray`, which is in the model's space; of equal t the
    /// lowest part, then the lowest triangle.
    ///
    /// Each part is hit as by [`PosedPart::cast_ray`]. A world answers the same for the model
    /// where it is placed by the identity.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        nearest_hit(self.parts_in_model(), ray, settings.into().sides)
    }

    /// The parts with their transforms.
    fn parts_in_model(&self) -> impl Iterator<Item = PartInModel<'_>> {
        self.parts().map(PartInModel::new)
    }

    /// Whether `ray` hits anything.
    #[must_use]
    #[inline]
    pub fn cast_ray_any(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> bool {
        is_hit(self.parts_in_model(), ray, settings.into().sides)
    }

    /// All hits of `ray`, in order of t; of equal t in the order of parts, and within a
    /// part so that front and back alternate where they can.
    #[must_use]
    #[inline]
    pub fn cast_ray_all(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Vec<RayHit> {
        all_hits(self.parts_in_model(), ray, settings.into().sides)
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
        let parts: Vec<_> = self.parts_in_model().collect();
        answer_each(rays, hits, |ray| nearest_hit(parts.iter(), ray, sides));
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
        let parts: Vec<_> = self.parts_in_model().collect();
        answer_each(rays, are_hits, |ray| is_hit(parts.iter(), ray, sides));
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
        let parts: Vec<_> = self.parts_in_model().collect();
        answers_of(rays, |ray| all_hits(parts.iter(), ray, sides))
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
        let parts: Vec<_> = self.parts_in_model().collect();
        self.answer_camera((camera, tile), &|ray| nearest_hit(parts.iter(), ray, sides))
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
        let parts: Vec<_> = self.parts_in_model().collect();
        self.answer_camera((camera, tile), &|ray| is_hit(parts.iter(), ray, sides))
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
            let corners = bounds.corners().into_iter();
            Aabb::around_f64(corners.map(|corner| model_from_part.transform_point3(corner)))
        };
        let boxes = self.parts().filter_map(of_part);
        boxes.reduce(|all, one| all.union(&one))
    }
}

/// The nearest hit of a ray in the model's space.
fn nearest_hit<'a, P: Borrow<PartInModel<'a>>>(
    parts: impl Iterator<Item = P>,
    ray: &Ray,
    sides: Sides,
) -> Option<RayHit> {
    let in_model = LocalRay::from(ray);
    let mut nearest: Option<(u32, P, (u32, TriangleHit))> = None;
    let mut limit = f32::INFINITY;
    for (index, placed) in (0..).zip(parts) {
        let part = placed.borrow();
        let local = part.local_ray(&in_model);
        let sides = part.winding.mesh_sides(sides);
        let Some(found) = part.part.nearest(&local, sides, limit, Unwatched) else {
            continue;
        };
        if nearest.is_none() || found.1.t < limit {
            limit = found.1.t;
            nearest = Some((index, placed, found));
        }
    }
    nearest.map(|(index, part, found)| part.borrow().hit(ray, index, &found))
}

fn is_hit<'a, P: Borrow<PartInModel<'a>>>(
    mut parts: impl Iterator<Item = P>,
    ray: &Ray,
    sides: Sides,
) -> bool {
    let in_model = LocalRay::from(ray);
    parts.any(|placed| {
        let part = placed.borrow();
        let local = part.local_ray(&in_model);
        part.part.is_hit(&local, part.winding.mesh_sides(sides))
    })
}

fn all_hits<'a, P: Borrow<PartInModel<'a>>>(
    parts: impl Iterator<Item = P>,
    ray: &Ray,
    sides: Sides,
) -> Vec<RayHit> {
    let in_model = LocalRay::from(ray);
    let mut hits = Vec::new();
    for (index, placed) in (0..).zip(parts) {
        let part = placed.borrow();
        let local = part.local_ray(&in_model);
        let mut found = PartHits::default();
        part.part.for_each_candidate(&local, |triangle, corners| {
            found.test(&local, triangle, corners);
        });
        let sorted = found.into_sorted(|side| part.winding.turned(side));
        hits.extend(sorted.iter().map(|found| part.hit(ray, index, found)));
    }
    hits.retain(|hit| sides.admits(hit.side));
    // The sort is stable: of equal t the order of parts, and the order within a part, stay.
    hits.sort_by(|one, other| one.t.total_cmp(&other.t));
    hits
}

/// A part with its transform in the model.
struct PartInModel<'a> {
    part: PosedPart<'a>,
    /// `None` for the identity.
    part_from_model: Option<DAffine3>,
    /// Whether the vertices themselves are mirrored, which the transform does not show.
    winding: Winding,
}

impl<'a> PartInModel<'a> {
    fn new(part: PosedPart<'a>) -> Self {
        let model_from_part = part.model_from_part();
        let winding = part.winding();
        // A ray that goes through a mirroring transform hits the outside as outside.
        let is_mirrored_by_transform = model_from_part.matrix3.determinant() < 0.0;
        let is_identity = model_from_part == DAffine3::IDENTITY;
        Self {
            part,
            part_from_model: (!is_identity).then(|| model_from_part.inverse()),
            winding: if is_mirrored_by_transform {
                winding.reversed()
            } else {
                winding
            },
        }
    }

    fn local_ray(&self, ray: &LocalRay) -> LocalRay {
        match &self.part_from_model {
            Some(part_from_model) => ray.transformed(part_from_model),
            None => *ray,
        }
    }

    fn hit(&self, ray: &Ray, part: u32, (triangle, found): &(u32, TriangleHit)) -> RayHit {
        let normal = match &self.part_from_model {
            Some(part_from_model) => {
                // Divided by its largest component, so that the product stays in f64's range.
                let scaled = found.normal / found.normal.abs().max_element();
                part_from_model.matrix3.transpose() * scaled
            }
            None => found.normal,
        };
        let normal = match self.winding {
            Winding::Kept => normal,
            Winding::Mirrored => -normal,
        };
        let in_model = TriangleHit {
            normal,
            side: self.winding.turned(found.side),
            ..*found
        };
        let triangle = *triangle;
        RayHit::on_triangle(ray, TriangleId { part, triangle }, &in_model)
    }
}
