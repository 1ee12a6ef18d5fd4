//! Many batch at once: slices in, answers out in the same order, on several threads where the
//! feature `parallel` is on. The answers are those of asking one by one, bit for bit.

use super::collector::{Candidate, ObjectCollector};
use super::wavefront::{BATCH, RayBatch, Wavefront};
use crate::Ray;
use crate::parallel::{answer_chunks, answer_rays};
use crate::query::collector::{Any, Closest};
use crate::shape_cast::BoxMotion;
use crate::world::{QueryFilter, Snapshot, WorldContact, WorldHit};

/// Fewer rays are cast one after the other, which needs no memory.
const MIN_WAVEFRONT: usize = 32;

/// How many queries a thread takes at once.
const CHUNK: usize = 256;

impl Snapshot<'_> {
    /// [`Snapshot::cast_ray`] for each ray, in order. Terrain and large meshes at rest are asked by many
    /// rays at once, which is faster. Up to 512 rays stay on the thread that asks.
    #[must_use]
    pub fn cast_rays<'f>(
        &self,
        rays: &[Ray],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Option<WorldHit>> {
        self.nearest_of_all(rays, &filter.into())
    }

    /// [`Snapshot::cast_ray_any`] for each ray, in order; see [`Snapshot::cast_rays`].
    #[must_use]
    pub fn cast_rays_any<'f>(&self, rays: &[Ray], filter: impl Into<QueryFilter<'f>>) -> Vec<bool> {
        self.any_of_all(rays, &filter.into())
    }

    /// [`Snapshot::sweep_box`] for each moving box.
    #[must_use]
    pub fn sweep_boxes<'f>(
        &self,
        boxes: &[BoxMotion],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Option<WorldContact>> {
        let filter = filter.into();
        let mut contacts = vec![None; boxes.len()];
        answer_chunks(boxes, &mut contacts, CHUNK, |boxes, contacts| {
            for (moving, contact) in boxes.iter().zip(contacts) {
                *contact = self.sweep_box(moving, filter);
            }
        });
        contacts
    }

    // What is generic is compiled by those who call it: these are not, so that wavefronts are compiled here.
    fn nearest_of_all(&self, rays: &[Ray], filter: &QueryFilter<'_>) -> Vec<Option<WorldHit>> {
        self.seek_all::<Closest<Candidate>>(rays, filter)
    }

    fn any_of_all(&self, rays: &[Ray], filter: &QueryFilter<'_>) -> Vec<bool> {
        self.seek_all::<Any>(rays, filter)
    }

    /// What each ray is answered alone; in a wavefront where there are enough of them.
    fn seek_all<A: ObjectCollector<Answer: Clone + Default + Send>>(
        &self,
        rays: &[Ray],
        filter: &QueryFilter<'_>,
    ) -> Vec<A::Answer> {
        if rays.len() < MIN_WAVEFRONT {
            let ask = |ray| self.seek::<A>(ray, filter).answer(self, ray);
            return rays.iter().map(ask).collect();
        }
        let mut answers = vec![A::Answer::default(); rays.len()];
        answer_rays(rays, &mut answers, |rays, answers| {
            let mut wavefront = Wavefront::<A>::new();
            for (rays, answers) in rays.chunks(BATCH).zip(answers.chunks_mut(BATCH)) {
                let batch = RayBatch {
                    snapshot: self,
                    rays,
                    filter,
                };
                wavefront.answer(&batch, answers);
            }
        });
        answers
    }
}
