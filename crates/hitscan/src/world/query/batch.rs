//! Query batches: slices in, answers out in the same order, on several threads where the feature
//! `parallel` is on. The answers are those of one query after the other, bit for bit.

use super::bundle::BundleCast;
use super::closest_object::ClosestObject;
use super::collector::ObjectCollector;
use super::together::RayBatch;
use super::wavefront::{BATCH, Wavefront};
use crate::bvh::BUNDLE;
use crate::narrow_phase::shape_cast::{ShapeCast, ShapeHit};
use crate::parallel::{answer_chunks, answer_queries};
use crate::query::collector::Any;
use crate::query::filter::QueryFilter;
use crate::query::options::QueryOptions;
use crate::query::watch::Unwatched;
use crate::world::Snapshot;
use crate::{Contact, ContactsPer, Primitive, Ray, RayCastSettings, RayHit, Sides};

/// Fewer rays are cast one after the other, which needs no memory.
const MIN_WAVEFRONT: usize = 32;

/// Fewer rays make no bundle.
const MIN_BUNDLE: usize = 32;

const _: () = assert!(BATCH <= BUNDLE, "a batch is one bundle");

/// The square of the smallest cosine between rays of a bundle, which are a quarter of a right angle apart.
const COHERENT: f32 = 0.85;

/// One ray in so many is sampled for whether all are coherent.
const SAMPLED: usize = 13;

/// The number of queries a task. A compromise: large enough that starting a task costs little beside its
/// queries, small enough that a few thousand queries keep all threads busy to the end.
const CHUNK: usize = 256;

impl Snapshot {
    /// [`Snapshot::cast_ray`] for each ray, in order. Rays go through terrain and large meshes at rest
    /// together, which is faster. Up to 512 rays stay on the calling thread.
    #[must_use]
    #[inline]
    pub fn cast_rays<'f>(
        &self,
        rays: &[Ray],
        options: impl Into<QueryOptions<'f>>,
    ) -> Vec<Option<RayHit>> {
        let mut hits = vec![None; rays.len()];
        self.cast_rays_into(rays, options, &mut hits);
        hits
    }

    /// As [`Snapshot::cast_rays`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    #[inline]
    pub fn cast_rays_into<'f>(
        &self,
        rays: &[Ray],
        options: impl Into<QueryOptions<'f>>,
        hits: &mut [Option<RayHit>],
    ) {
        let options = options.into();
        self.nearest_hits(rays, options.settings, &options.filter, hits);
    }

    /// [`Snapshot::cast_ray_any`] for each ray, in order; see [`Snapshot::cast_rays`].
    #[must_use]
    #[inline]
    pub fn cast_rays_any<'f>(
        &self,
        rays: &[Ray],
        options: impl Into<QueryOptions<'f>>,
    ) -> Vec<bool> {
        let mut are_hits = vec![false; rays.len()];
        self.cast_rays_any_into(rays, options, &mut are_hits);
        are_hits
    }

    /// As [`Snapshot::cast_rays_any`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    #[inline]
    pub fn cast_rays_any_into<'f>(
        &self,
        rays: &[Ray],
        options: impl Into<QueryOptions<'f>>,
        are_hits: &mut [bool],
    ) {
        let options = options.into();
        self.any_hits(rays, options.settings, &options.filter, are_hits);
    }

    /// [`Snapshot::cast_ray_all`] for each ray, in order.
    #[must_use]
    #[inline]
    pub fn cast_rays_all<'f>(
        &self,
        rays: &[Ray],
        options: impl Into<QueryOptions<'f>>,
    ) -> Vec<Vec<RayHit>> {
        let options = options.into();
        self.all_hits_of_each(rays, options.settings, &options.filter)
    }

    /// [`Snapshot::cast_shape`] for each moving shape, in order.
    #[must_use]
    pub fn cast_shapes<'f>(
        &self,
        casts: &[ShapeCast],
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> Vec<Option<ShapeHit>> {
        let mut hits = vec![None; casts.len()];
        self.cast_shapes_into(casts, options, &mut hits);
        hits
    }

    /// As [`Snapshot::cast_shapes`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn cast_shapes_into<'f>(
        &self,
        casts: &[ShapeCast],
        options: impl Into<QueryOptions<'f, Sides>>,
        hits: &mut [Option<ShapeHit>],
    ) {
        let options = options.into();
        fill_all(casts, hits, |cast| self.first_shape_hit(cast, options));
    }

    /// [`Snapshot::cast_shape_any`] for each moving shape, in order.
    #[must_use]
    pub fn cast_shapes_any<'f>(
        &self,
        casts: &[ShapeCast],
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> Vec<bool> {
        let mut are_hits = vec![false; casts.len()];
        self.cast_shapes_any_into(casts, options, &mut are_hits);
        are_hits
    }

    /// As [`Snapshot::cast_shapes_any`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn cast_shapes_any_into<'f>(
        &self,
        casts: &[ShapeCast],
        options: impl Into<QueryOptions<'f, Sides>>,
        are_hits: &mut [bool],
    ) {
        let options = options.into();
        fill_all(casts, are_hits, |cast| self.is_shape_hit(cast, options));
    }

    /// [`Snapshot::cast_shape_all`] for each moving shape, in order.
    #[must_use]
    pub fn cast_shapes_all<'f>(
        &self,
        casts: &[ShapeCast],
        options: impl Into<QueryOptions<'f, Sides>>,
    ) -> Vec<Vec<ShapeHit>> {
        let options = options.into();
        answer_all(casts, |cast| self.shape_hits(cast, options))
    }

    /// [`Snapshot::contacts`] for each shape, in order.
    #[must_use]
    pub fn contacts_of_shapes<'f>(
        &self,
        shapes: &[Primitive],
        margin: f32,
        each: ContactsPer,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Vec<Contact>> {
        let filter = filter.into();
        answer_all(shapes, |shape| {
            self.contacts_of(shape, margin, each, filter)
        })
    }

    /// [`Snapshot::overlaps_shape`] for each shape, in order.
    #[must_use]
    pub fn overlaps_shapes<'f>(
        &self,
        shapes: &[Primitive],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<bool> {
        let mut overlap = vec![false; shapes.len()];
        self.overlaps_shapes_into(shapes, filter, &mut overlap);
        overlap
    }

    /// As [`Snapshot::overlaps_shapes`], into a slice.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn overlaps_shapes_into<'f>(
        &self,
        shapes: &[Primitive],
        filter: impl Into<QueryFilter<'f>>,
        overlap: &mut [bool],
    ) {
        let filter = filter.into();
        fill_all(shapes, overlap, |shape| self.overlaps_any(shape, filter));
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
        match self.lone_shape(filter) {
            Some(lone) => lone.nearest_hits(rays, settings, hits),
            None => self.search_all::<ClosestObject>(rays, settings, filter, hits),
        }
    }

    fn any_hits(
        &self,
        rays: &[Ray],
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
        are_hits: &mut [bool],
    ) {
        match self.lone_shape(filter) {
            Some(lone) => lone.any_hits(rays, settings, are_hits),
            None => self.search_all::<Any>(rays, settings, filter, are_hits),
        }
    }

    /// The answer of each ray cast alone; computed in a wavefront where there are enough rays.
    fn search_all<A: ObjectCollector<Answer: Send>>(
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
            let mut cast = BatchCast::<A>::new();
            for (rays, answers) in rays.chunks(BATCH).zip(answers.chunks_mut(BATCH)) {
                let batch = RayBatch {
                    snapshot: self,
                    rays,
                    settings,
                    filter,
                };
                cast.answer(&batch, answers);
            }
        });
    }
}

/// Coherent rays in bundles, others in a wavefront.
pub(super) struct BatchCast<A: ObjectCollector> {
    bundle: Option<Box<BundleCast<A>>>,
    wavefront: Option<Box<Wavefront<A>>>,
}

impl<A: ObjectCollector> BatchCast<A> {
    pub(super) fn new() -> Self {
        Self {
            bundle: None,
            wavefront: None,
        }
    }

    /// Answers each ray as if it were cast alone.
    fn answer(&mut self, batch: &RayBatch<'_>, answers: &mut [A::Answer]) {
        if batch.rays.len() >= MIN_BUNDLE && seem_coherent(batch.rays) {
            self.answer_bundle(batch, answers);
        } else {
            self.answer_in_wavefront(batch, answers);
        }
    }

    /// As [`Self::answer`], of up to [`BUNDLE`] rays that are coherent.
    pub(super) fn answer_bundle(&mut self, batch: &RayBatch<'_>, answers: &mut [A::Answer]) {
        let bundle = (self.bundle).get_or_insert_with(|| Box::new(BundleCast::new()));
        if !bundle.answer(batch, answers) {
            self.answer_in_wavefront(batch, answers);
        }
    }

    fn answer_in_wavefront(&mut self, batch: &RayBatch<'_>, answers: &mut [A::Answer]) {
        let wavefront = (self.wavefront).get_or_insert_with(|| Box::new(Wavefront::new()));
        wavefront.answer(batch, answers);
    }
}

/// Whether rays seem coherent, by the directions of a few of them.
fn seem_coherent(rays: &[Ray]) -> bool {
    let Some(first) = rays.first() else {
        return false;
    };
    let first = first.direction();
    let others = rays.iter().skip(1).step_by(SAMPLED);
    others.chain(rays.last()).all(|other| {
        let other = other.direction();
        let cosine = first.dot(other);
        cosine > 0.0 && cosine * cosine > COHERENT * first.dot(first) * other.dot(other)
    })
}

/// What `answer` makes of each query, in order.
fn answer_all<Q: Sync, A: Clone + Default + Send>(
    queries: &[Q],
    answer: impl Fn(&Q) -> A + Sync,
) -> Vec<A> {
    let mut answers = vec![A::default(); queries.len()];
    fill_all(queries, &mut answers, answer);
    answers
}

/// Fills in what `answer` makes of each query.
///
/// # Panics
/// If there are not as many answers as queries.
pub(super) fn fill_all<Q: Sync, A: Send>(
    queries: &[Q],
    answers: &mut [A],
    answer: impl Fn(&Q) -> A + Sync,
) {
    answer_chunks(queries, answers, CHUNK, |queries, answers| {
        for (query, one) in queries.iter().zip(answers) {
            *one = answer(query);
        }
    });
}
