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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height_field::Grid;
    use crate::query::collector::{Any, Closest};

    const SIZE: usize = 514;

    /// Counts the steps of a wavefront.
    struct Counted<'a>(TerrainSteps<'a>, usize);

    impl<C: TerrainCollector> Steps<u32, C, WAVEFRONT_SIZE> for Counted<'_> {
        fn start(
            &mut self,
            slots: &mut Slots<u32, C, WAVEFRONT_SIZE>,
            numbers: Range<usize>,
        ) -> usize {
            self.0.start(slots, numbers)
        }

        fn is_idle(&self) -> bool {
            Steps::<u32, C, WAVEFRONT_SIZE>::is_idle(&self.0)
        }

        fn step(&mut self, slots: &mut Slots<u32, C, WAVEFRONT_SIZE>) {
            self.1 += 1;
            self.0.step(slots);
        }
    }

    /// The steps to the end of all rays, whose answers must be those of rays alone.
    fn steps<C: TerrainCollector<Answer: PartialEq + core::fmt::Debug>>(
        field: &HeightField,
        rays: &[Ray],
        sides: Sides,
    ) -> usize {
        let limits = vec![f32::INFINITY; rays.len()];
        let mut wavefront = Wavefront::<C>::new();
        let mut answers = vec![C::Answer::default(); rays.len()];
        wavefront.answer(field, (rays, &limits), sides, &mut answers);
        for (ray, answer) in rays.iter().zip(answers) {
            let alone = C::alone(field, ray, sides, f32::INFINITY);
            assert_eq!(answer, alone, "{ray:?} {sides:?}");
        }
        let steps = TerrainSteps {
            field,
            rays,
            limits: &limits,
            sides,
            cursors: &mut wavefront.cursors,
            count: 0,
        };
        let mut counted = Counted(steps, 0);
        (wavefront.slots).run(rays.len(), &mut counted, &mut |_| {});
        counted.1
    }

    #[test]
    fn level_rays_take_few_steps_over_level_ground() {
        // Ground at height 3 with a few posts of a sample each, and a hole.
        let mut heights = vec![3.0; SIZE * SIZE];
        for (column, row, height) in [
            (70, 100, 5.0),
            (300, 150, 4.0),
            (411, 99, 2.0),
            (500, 100, f32::NAN),
        ] {
            heights[row * SIZE + column] = height;
        }
        let field = HeightField::new(Grid::new(SIZE, SIZE, [1.0, 1.0]), heights).unwrap();
        let rays: Vec<Ray> = (0_u8..100)
            .map(|i| {
                let z = 90.25 + 0.75 * f32::from(i);
                let slope = f32::from(i % 3) * 0.002;
                Ray::new([-1.0, 3.0, z], [1.0, 0.0, slope]).unwrap()
            })
            .collect();
        for sides in [Sides::Both, Sides::Front, Sides::Back] {
            let count = [
                steps::<Closest<u32>>(&field, &rays, sides),
                steps::<Any>(&field, &rays, sides),
            ];
            assert!(count.iter().all(|count| *count < 100), "{count:?}");
        }
        let above = Ray::new([-1.0, 3.5, 100.0], [1.0, 0.0, 0.0]).unwrap();
        let hit = field.cast_ray(&above, ());
        assert!(hit.is_some_and(|hit| hit.t > 70.0));
    }
}
