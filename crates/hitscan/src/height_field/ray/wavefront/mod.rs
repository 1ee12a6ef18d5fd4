//! Many rays against terrain at once: a wave of 128 takes each step together.
//!
//! `crate::query::wavefront` says why; what the rays look for is in `collector.rs`. The tests and the decisions are those
//! of one ray (`descend.rs`, `prism.rs`).

mod collector;
mod segments;
mod cursors;
mod decide;
mod vertical;

use crate::simd::dispatch;
pub(crate) use collector::{Any, Collector};

use crate::height_field::HeightField;
use crate::query::wavefront;
use crate::{Ray, Sides};
use cursors::Cursors;

/// How many rays go together.
pub(crate) const WAVE: usize = 128;

type List = wavefront::List<WAVE>;

/// Rays on their way, each with its aim.
pub(crate) struct Wave<A> {
    cursors: Cursors,
    collectors: [A; WAVE],
}

impl<A: Collector> Wave<A> {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            cursors: Cursors::NONE,
            collectors: core::array::from_fn(|_| A::new(Sides::Both, f32::INFINITY)),
        })
    }

    /// Answers for up to [`WAVE`] rays, each up to its limit, what each is answered alone.
    pub(crate) fn answer(
        &mut self,
        field: &HeightField,
        (rays, limits): (&[Ray], &[f32]),
        sides: Sides,
        answers: &mut [A::Answer],
    ) {
        if rays.iter().all(vertical::is_vertical) {
            vertical::answer::<A>(field, (rays, limits), sides, answers);
            return;
        }
        for (collector, limit) in self.collectors.iter_mut().zip(limits) {
            *collector = A::new(sides, *limit);
        }
        let alone = self.cursors.init(field, (rays, limits));
        while self.cursors.are_on_their_way() {
            self.cursors.test(field);
            self.decide(field, rays);
            self.cursors.advance(field);
        }
        dispatch!(field.width, _simd => {
            for ((ray, answer), collector) in rays.iter().zip(&mut *answers).zip(&self.collectors) {
                *answer = collector.answer(ray);
            }
        });
        for place in alone.iter() {
            answers[place] = A::alone(field, &rays[place], sides, limits[place]);
        }
    }
}
