//! All hits of a ray on terrain.

use crate::height_field::HeightField;
use crate::narrow_phase::ray_cast::all_hits::PartHits;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::parallel::answers_of;
use crate::{Ray, RayCastSettings, RayHit, Sides};
use core::ops::ControlFlow;

impl HeightField {
    /// All hits of `ray`, nearest first.
    ///
    /// A hit at an edge or corner that triangles share counts as if the ray were perturbed by one
    /// fixed infinitesimal; a touch that this would lose is one front and one back hit.
    #[must_use]
    #[inline]
    pub fn cast_ray_all(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Vec<RayHit> {
        self.all_hits(ray, settings.into().sides)
    }

    /// [`HeightField::cast_ray_all`] for each ray, in order.
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

    fn all_hits(&self, ray: &Ray, sides: Sides) -> Vec<RayHit> {
        let local = LocalRay::from(ray);
        let mut hits = PartHits::default();
        // Nothing breaks off, so the result is not used.
        let _ = self.for_each_candidate(&local, &mut |triangle, corners| {
            hits.test(&local, triangle, corners);
            ControlFlow::Continue(())
        });
        hits.into_ray_hits(ray, sides)
    }
}
