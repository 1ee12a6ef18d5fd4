//! Many questions at once: slices in, answers out in the same order, on several threads where the
//! feature `parallel` is on. The answers are those of asking one by one, bit for bit.

use super::collector::{Any, Closest, Collector};
use super::wavefront::{BATCH, Questions, Wave};
use crate::Ray;
use crate::query::wavefront;
use crate::shape_cast::{ShapeCast, ShapeHit};
use crate::world::{QueryFilter, Snapshot, WorldHit};

/// Fewer rays are asked one after the other, which needs no memory.
const WORTH_A_WAVE: usize = 32;

/// How many questions a thread takes at once.
#[cfg(feature = "parallel")]
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

    /// [`Snapshot::cast_shape`] for each moving shape.
    #[must_use]
    pub fn cast_shapes<'f>(
        &self,
        casts: &[ShapeCast],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Option<ShapeHit>> {
        let filter = filter.into();
        answer_all(casts, |cast| self.cast_shape(cast, filter))
    }

    // What is generic is compiled by those who call it: these are not, so that waves are compiled here.
    fn nearest_of_all(&self, rays: &[Ray], filter: &QueryFilter<'_>) -> Vec<Option<WorldHit>> {
        self.seek_all::<Closest>(rays, filter)
    }

    fn any_of_all(&self, rays: &[Ray], filter: &QueryFilter<'_>) -> Vec<bool> {
        self.seek_all::<Any>(rays, filter)
    }

    /// What each ray is answered alone; in waves where there are enough of them.
    fn seek_all<A: Collector<Answer: Clone + Default + Send>>(
        &self,
        rays: &[Ray],
        filter: &QueryFilter<'_>,
    ) -> Vec<A::Answer> {
        if rays.len() < WORTH_A_WAVE {
            let ask = |ray| self.seek::<A>(ray, filter).answer(self, ray);
            return rays.iter().map(ask).collect();
        }
        let mut answers = vec![A::Answer::default(); rays.len()];
        wavefront::share(rays, &mut answers, |rays, answers| {
            let mut wave = Wave::<A>::new();
            for (rays, answers) in rays.chunks(BATCH).zip(answers.chunks_mut(BATCH)) {
                let questions = Questions {
                    moment: self,
                    rays,
                    filter,
                };
                wave.answer(&questions, answers);
            }
        });
        answers
    }
}

#[cfg(feature = "parallel")]
fn answer_all<Q: Sync, A: Send>(questions: &[Q], answer: impl Fn(&Q) -> A + Send + Sync) -> Vec<A> {
    use rayon::prelude::*;
    questions
        .par_iter()
        .with_min_len(CHUNK)
        .map(answer)
        .collect()
}

#[cfg(not(feature = "parallel"))]
fn answer_all<Q, A>(questions: &[Q], answer: impl Fn(&Q) -> A) -> Vec<A> {
    questions.iter().map(answer).collect()
}
