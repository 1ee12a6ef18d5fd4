//! Many questions at once: slices in, answers out in the same order, on several threads where the
//! feature `parallel` is on. The answers are those of asking one by one, bit for bit.

use super::{Filter, Moment, WorldContact, WorldHit};
use crate::Ray;
use crate::sweep::BoxMotion;

/// How many questions a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 256;

impl Moment<'_> {
    /// [`Moment::cast_ray`] for each ray.
    #[must_use]
    pub fn cast_rays<'f>(
        &self,
        rays: &[Ray],
        filter: impl Into<Filter<'f>>,
    ) -> Vec<Option<WorldHit>> {
        let filter = filter.into();
        answer_all(rays, |ray| self.cast_ray(ray, filter))
    }

    /// [`Moment::cast_ray_any`] for each ray.
    #[must_use]
    pub fn cast_rays_any<'f>(&self, rays: &[Ray], filter: impl Into<Filter<'f>>) -> Vec<bool> {
        let filter = filter.into();
        answer_all(rays, |ray| self.cast_ray_any(ray, filter))
    }

    /// [`Moment::sweep_box`] for each moving box.
    #[must_use]
    pub fn sweep_boxes<'f>(
        &self,
        boxes: &[BoxMotion],
        filter: impl Into<Filter<'f>>,
    ) -> Vec<Option<WorldContact>> {
        let filter = filter.into();
        answer_all(boxes, |moving| self.sweep_box(moving, filter))
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
