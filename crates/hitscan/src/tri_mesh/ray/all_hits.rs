//! All hits of a ray on a mesh.

use crate::narrow_phase::ray_cast::all_hits::PartHits;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::parallel::answers_of;
use crate::tri_mesh::TriMesh;
use crate::{Ray, RayCastSettings, RayHit, Sides};

impl TriMesh {
    /// All hits of `ray`, nearest first.
    ///
    /// A hit at an edge or corner that triangles share counts as if the ray were perturbed by one
    /// fixed infinitesimal, so that the hits of a closed mesh alternate between front and back; a
    /// touch that this would lose is one front and one back hit. Of a ray that starts where it runs in
    /// the plane of a triangle, on it, the first hit may be from either side.
    #[must_use]
    #[inline]
    pub fn cast_ray_all(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Vec<RayHit> {
        self.all_hits(ray, settings.into().sides)
    }

    /// [`TriMesh::cast_ray_all`] for each ray, in order.
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
        self.for_each_candidate(&local, |triangle, corners| {
            hits.test(&local, triangle, corners);
        });
        hits.into_ray_hits(ray, sides)
    }
}
