//! Wavefront traversal of terrain by a batch of rays (`query/wavefront.rs`), with the tests and
//! decisions of one ray (`node_test.rs`, `cell.rs`).

mod collector;
mod segments;
mod vertical;
mod shaft;
mod packets;
mod cursors;
mod decide;
#[cfg(test)]
mod packet_tests;

pub(crate) use collector::TerrainCollector;

use crate::height_field::HeightField;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::query::closest_hits::ClosestHits;
use crate::query::watch::Unwatched;
use crate::query::wavefront::{self, Slots, Steps};
use crate::{Ray, Sides};
use core::cell::Cell;
use core::ops::Range;
use cursors::Cursors;

/// The number of rays in a wavefront.
pub(crate) const WAVEFRONT_SIZE: usize = 128;

type List = wavefront::List<WAVEFRONT_SIZE>;

/// A wavefront of rays over terrain.
pub(crate) struct Wavefront<C> {
    slots: Slots<u32, C, WAVEFRONT_SIZE>,
    cursors: Cursors,
    buffer: ClosestHits<u32>,
}

/// The steps of rays over one terrain.
struct TerrainSteps<'a> {
    field: &'a HeightField,
    rays: &'a [Ray],
    /// For each ray after which t hits do not matter.
    limits: &'a [f32],
    sides: Sides,
    cursors: &'a mut Cursors,
    /// How many rays were started and have not ended. They end together.
    count: usize,
}

impl<C: TerrainCollector> Wavefront<C> {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            slots: Slots::new(),
            cursors: Cursors::NONE,
            buffer: ClosestHits::new(),
        })
    }

    /// Answers each ray, up to its limit, as if it were cast alone.
    pub(crate) fn answer(
        &mut self,
        field: &HeightField,
        (rays, limits): (&[Ray], &[f32]),
        sides: Sides,
        answers: &mut [C::Answer],
    ) {
        if rays.iter().all(vertical::is_vertical) {
            vertical::answer::<C>(field, (rays, limits), sides, answers);
            return;
        }
        let mut steps = TerrainSteps {
            field,
            rays,
            limits,
            sides,
            cursors: &mut self.cursors,
            count: 0,
        };
        let (answers, buffer) = (
            Cell::from_mut(answers).as_slice_of_cells(),
            &mut self.buffer,
        );
        self.slots.run(rays.len(), &mut steps, &mut |ended| {
            C::answer(field, ended, buffer, rays, answers);
        });
    }
}

impl<C: TerrainCollector> Steps<u32, C, WAVEFRONT_SIZE> for TerrainSteps<'_> {
    /// Segments are prepared eight at a time, side by side, so all slots are filled at once.
    fn start(&mut self, slots: &mut Slots<u32, C, WAVEFRONT_SIZE>, numbers: Range<usize>) -> usize {
        if self.count > 0 {
            return numbers.start;
        }
        let first = numbers.start;
        let numbers = first..numbers.end.min(first + WAVEFRONT_SIZE);
        for (slot, number) in numbers.clone().enumerate() {
            slots.put(slot, number, self.limits[number]);
        }
        self.count = numbers.len();
        let next = numbers.end;
        let rays = &self.rays[numbers.clone()];
        let alone = self.cursors.init(self.field, (rays, &self.limits[numbers]));
        for slot in alone.iter() {
            let (ray, limit) = (LocalRay::from(&rays[slot]), self.limits[first + slot]);
            let found = (&mut slots.collectors[slot], &mut slots.hits[slot]);
            self.field.search(&ray, self.sides, limit, Unwatched, found);
        }
        next
    }

    fn is_idle(&self) -> bool {
        self.count == 0
    }

    fn step(&mut self, slots: &mut Slots<u32, C, WAVEFRONT_SIZE>) {
        self.cursors.test(self.field);
        self.decide(slots);
        self.cursors.advance(self.field);
        if self.cursors.any_active() {
            slots.ended.clear();
        } else {
            slots.ended = List::first(self.count);
            self.count = 0;
        }
    }
}
