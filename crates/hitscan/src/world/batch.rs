//! Many questions at once: slices in, answers out in the same order, on several threads where the
//! feature `parallel` is on. The answers are those of asking one by one, bit for bit.

use super::{World, WorldContact, WorldHit};
use crate::sweep::BoxMotion;
use crate::{Ray, Sides};

/// How many questions a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 256;

impl World {
    /// [`World::cast_ray`] for each ray.
    #[must_use]
    pub fn cast_rays(&self, rays: &[Ray], sides: Sides) -> Vec<Option<WorldHit>> {
        answer_all(rays, |ray| self.cast_ray(ray, sides))
    }

    /// [`World::cast_ray_any`] for each ray.
    #[must_use]
    pub fn cast_rays_any(&self, rays: &[Ray], sides: Sides) -> Vec<bool> {
        answer_all(rays, |ray| self.cast_ray_any(ray, sides))
    }

    /// [`World::sweep_box`] for each moving box.
    #[must_use]
    pub fn sweep_boxes(&self, boxes: &[BoxMotion]) -> Vec<Option<WorldContact>> {
        answer_all(boxes, |moving| self.sweep_box(moving))
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
