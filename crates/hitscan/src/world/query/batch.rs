//! Many queries at once: slices in, answers out in the same order, on several threads where the
//! feature `parallel` is on. The answers are those of one query after the other, bit for bit.

use super::collector::{Candidate, ObjectCollector};
use super::wavefront::{BATCH, RayBatch, Wavefront};
use crate::parallel::{answer_chunks, answer_queries};
use crate::query::collector::{Any, Closest};
use crate::query::filter::QueryFilter;
use crate::query::watch::Unwatched;
use crate::shape_cast::{ShapeCast, ShapeHit};
use crate::world::Snapshot;
use crate::{Contact, Each, Primitive, Ray, RayCastSettings, RayHit, Sides};

/// Fewer rays are cast one after the other, which needs no memory.
const MIN_WAVEFRONT: usize = 32;

/// How many queries a thread takes at once.
const CHUNK: usize = 256;

impl Snapshot {
    /// [`Snapshot::cast_ray`] for each ray, in order. Rays go through terrain and large meshes at rest
    /// together, which is faster. Up to 512 rays stay on the calling thread.
    #[must_use]
    #[inline]
    pub fn cast_rays(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        filter: QueryFilter<'_>,
    ) -> Vec<Option<RayHit>> {
        let mut hits = vec![None; rays.len()];
        self.cast_rays_into(rays, settings, filter, &mut hits);
        hits
    }

    /// As [`Snapshot::cast_rays`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    #[inline]
    pub fn cast_rays_into(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        filter: QueryFilter<'_>,
        hits: &mut [Option<RayHit>],
    ) {
        self.nearest_hits(rays, settings.into(), &filter, hits);
    }

    /// [`Snapshot::cast_ray_any`] for each ray, in order; see [`Snapshot::cast_rays`].
    #[must_use]
    #[inline]
    pub fn cast_rays_any(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        filter: QueryFilter<'_>,
    ) -> Vec<bool> {
        let mut are_hits = vec![false; rays.len()];
        self.cast_rays_any_into(rays, settings, filter, &mut are_hits);
        are_hits
    }

    /// As [`Snapshot::cast_rays_any`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    #[inline]
    pub fn cast_rays_any_into(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        filter: QueryFilter<'_>,
        are_hits: &mut [bool],
    ) {
        self.any_hits(rays, settings.into(), &filter, are_hits);
    }

    /// [`Snapshot::cast_ray_all`] for each ray, in order.
    #[must_use]
    #[inline]
    pub fn cast_rays_all(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        filter: QueryFilter<'_>,
    ) -> Vec<Vec<RayHit>> {
        self.all_hits_of_each(rays, settings.into(), &filter)
    }

    /// [`Snapshot::cast_shape`] for each moving shape, in order.
    #[must_use]
    pub fn cast_shapes(
        &self,
        casts: &[ShapeCast],
        sides: Sides,
        filter: QueryFilter<'_>,
    ) -> Vec<Option<ShapeHit>> {
        answer_all(casts, |cast| self.cast_shape(cast, sides, filter))
    }

    /// [`Snapshot::cast_shape_any`] for each moving shape, in order.
    #[must_use]
    pub fn cast_shapes_any(
        &self,
        casts: &[ShapeCast],
        sides: Sides,
        filter: QueryFilter<'_>,
    ) -> Vec<bool> {
        answer_all(casts, |cast| self.cast_shape_any(cast, sides, filter))
    }

    /// [`Snapshot::cast_shape_all`] for each moving shape, in order.
    #[must_use]
    pub fn cast_shapes_all(
        &self,
        casts: &[ShapeCast],
        sides: Sides,
        filter: QueryFilter<'_>,
    ) -> Vec<Vec<ShapeHit>> {
        answer_all(casts, |cast| self.cast_shape_all(cast, sides, filter))
    }

    /// [`Snapshot::contacts`] for each shape, in order.
    #[must_use]
    pub fn contacts_of_shapes(
        &self,
        shapes: &[Primitive],
        margin: f32,
        each: Each,
        filter: QueryFilter<'_>,
    ) -> Vec<Vec<Contact>> {
        answer_all(shapes, |shape| {
            self.contacts_of(shape, margin, each, filter)
        })
    }

    /// [`Snapshot::overlaps_shape`] for each shape, in order.
    #[must_use]
    pub fn overlaps_shapes(&self, shapes: &[Primitive], filter: QueryFilter<'_>) -> Vec<bool> {
        answer_all(shapes, |shape| self.overlaps_any(shape, filter))
    }

    fn all_hits_of_each(
        &self,
        rays: &[Ray],
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
    ) -> Vec<Vec<RayHit>> {
        answer_all(rays, |ray| self.all_hits(ray, settings, filter))
    }

    fn nearest_hits(
        &self,
        rays: &[Ray],
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
        hits: &mut [Option<RayHit>],
    ) {
        self.seek_all::<Closest<Candidate>>(rays, settings, filter, hits);
    }

    fn any_hits(
        &self,
        rays: &[Ray],
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
        are_hits: &mut [bool],
    ) {
        self.seek_all::<Any>(rays, settings, filter, are_hits);
    }

    /// The answer of each ray cast alone; computed in a wavefront where there are enough rays.
    fn seek_all<A: ObjectCollector<Answer: Send>>(
        &self,
        rays: &[Ray],
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
        answers: &mut [A::Answer],
    ) {
        answer_queries(rays, answers, |rays, answers| {
            if rays.len() < MIN_WAVEFRONT {
                for (ray, answer) in rays.iter().zip(answers) {
                    *answer = self
                        .search::<A, _>(ray, settings, filter, Unwatched)
                        .answer(self, ray);
                }
                return;
            }
            let mut wavefront = Wavefront::<A>::new();
            for (rays, answers) in rays.chunks(BATCH).zip(answers.chunks_mut(BATCH)) {
                let batch = RayBatch {
                    snapshot: self,
                    rays,
                    settings,
                    filter,
                };
                wavefront.answer(&batch, answers);
            }
        });
    }
}

/// What `answer` makes of each query, in order.
pub(super) fn answer_all<Q: Sync, A: Clone + Default + Send>(
    queries: &[Q],
    answer: impl Fn(&Q) -> A + Sync,
) -> Vec<A> {
    let mut answers = vec![A::default(); queries.len()];
    answer_chunks(queries, &mut answers, CHUNK, |queries, answers| {
        for (query, one) in queries.iter().zip(answers) {
            *one = answer(query);
        }
    });
    answers
}
