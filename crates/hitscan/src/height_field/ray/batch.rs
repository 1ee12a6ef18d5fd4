//! Ray batches against terrain: slices in, answers out in the same order, each that of the ray cast
//! alone.

use super::wavefront::{TerrainCollector, WAVEFRONT_SIZE, Wavefront};
use crate::height_field::HeightField;
use crate::parallel::answer_queries;
use crate::query::collector::{Any, Closest};
use crate::{Ray, RayCastSettings, RayHit, Sides};

impl HeightField {
    /// [`HeightField::cast_ray`] for each ray, in order, in a half to a fifth of the time; on the
    /// threads of rayon's current pool where the feature `parallel` is on.
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{HeightField, Ray};
    /// let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0, 1.0, 0.0, 1.0])?;
    /// let rays = [0.25, 5.0].map(|x| Ray::new([x, 3.0, 0.5], [0.0, -1.0, 0.0]).unwrap());
    /// let hits = field.cast_rays(&rays, ());
    /// assert_eq!(hits[0].map(|hit| hit.t), Some(2.75));
    /// assert!(hits[1].is_none());
    /// # Ok::<(), hitscan::Error>(())
    /// ```
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

    /// As [`HeightField::cast_rays`], into memory that is used again.
    ///
    /// # Panics
    /// If there are not as many answers as rays.
    #[inline]
    pub fn cast_rays_into(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        hits: &mut [Option<RayHit>],
    ) {
        self.nearest_hits(rays, settings.into().sides, hits);
    }

    fn nearest_hits(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<RayHit>]) {
        self.answer_queries::<Closest<u32>>(rays, sides, hits);
    }

    /// [`HeightField::cast_ray_any`] for each ray, in order; on threads as [`HeightField::cast_rays`].
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{HeightField, Ray};
    /// let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0, 1.0, 0.0, 1.0])?;
    /// let rays = [0.25, 5.0].map(|x| Ray::new([x, 3.0, 0.5], [0.0, -1.0, 0.0]).unwrap());
    /// assert_eq!(field.cast_rays_any(&rays, ()), [true, false]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn cast_rays_any(&self, rays: &[Ray], settings: impl Into<RayCastSettings>) -> Vec<bool> {
        let mut are_hits = vec![false; rays.len()];
        self.cast_rays_any_into(rays, settings, &mut are_hits);
        are_hits
    }

    /// As [`HeightField::cast_rays_any`], into memory that is used again.
    ///
    /// # Panics
    /// If there are not as many answers as rays.
    #[inline]
    pub fn cast_rays_any_into(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        are_hits: &mut [bool],
    ) {
        self.any_hits(rays, settings.into().sides, are_hits);
    }

    fn any_hits(&self, rays: &[Ray], sides: Sides, are_hits: &mut [bool]) {
        self.answer_queries::<Any>(rays, sides, are_hits);
    }

    fn answer_queries<C: TerrainCollector<Answer: Send>>(
        &self,
        rays: &[Ray],
        sides: Sides,
        answers: &mut [C::Answer],
    ) {
        answer_queries(rays, answers, |rays, answers| {
            let mut wavefront = Wavefront::<C>::new();
            for (rays, answers) in rays
                .chunks(WAVEFRONT_SIZE)
                .zip(answers.chunks_mut(WAVEFRONT_SIZE))
            {
                let unlimited = &[f32::INFINITY; WAVEFRONT_SIZE][..rays.len()];
                wavefront.answer(self, (rays, unlimited), sides, answers);
            }
        });
    }
}
