//! Many rays against terrain at once: a wave of 128 takes each step together.
//!
//! `crate::query::wavefront` says why; what the rays look for is in `aim.rs`. The tests and the decisions are those
//! of one ray (`descend.rs`, `prism.rs`).

mod collector;
mod segments;
mod cursors;
mod decide;
mod vertical;

pub(crate) use collector::{Aim, Any};

use crate::height_field::HeightField;
use crate::query::wavefront;
use crate::{Ray, Sides};
use cursors::Walkers;
use fearless_simd::dispatch;

/// How many rays go together.
pub(crate) const WAVE: usize = 128;

type List = wavefront::List<WAVE>;

/// Rays on their way, each with its aim.
pub(crate) struct Wave<A> {
    walkers: Walkers,
    aims: [A; WAVE],
}

impl<A: Aim> Wave<A> {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            walkers: Walkers::NONE,
            aims: core::array::from_fn(|_| A::new(Sides::Both, f32::INFINITY)),
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
        for (aim, limit) in self.aims.iter_mut().zip(limits) {
            *aim = A::new(sides, *limit);
        }
        let alone = self.walkers.set_out(field, (rays, limits));
        while self.walkers.are_on_their_way() {
            self.walkers.test(field);
            self.decide(field, rays);
            self.walkers.go_on(field);
        }
        dispatch!(field.width.level(), _simd => {
            for ((ray, answer), aim) in rays.iter().zip(&mut *answers).zip(&self.aims) {
                *answer = aim.answer(ray);
            }
        });
        for place in alone.iter() {
            answers[place] = A::alone(field, &rays[place], sides, limits[place]);
        }
    }
}
