//! Many rays against terrain at once: a wave of 128 takes each step together.
//!
//! `crate::wave` says why; what the rays look for is in `aim.rs`. The tests and the decisions are those of one ray (`descend.rs`,
//! `prism.rs`).

mod courses;
mod aim;
mod decide;
mod vertical;

pub(crate) use aim::{Aim, Any};

use super::HeightField;
use super::descend::{Progress, Waiting};
use crate::ray_triangle_lanes::LANES;
use crate::wave;
use crate::{Ray, Sides};
use courses::Courses;
use fearless_simd::dispatch;

/// How many rays go together.
pub(crate) const WAVE: usize = 128;

type List = wave::List<WAVE>;

/// Rays on their way, each with its aim.
pub(crate) struct Wave<A> {
    courses: Courses,
    progress: [Progress; WAVE],
    /// The level to which each climbs at most.
    summit: [u16; WAVE],
    waiting: [Waiting; WAVE],
    aims: [A; WAVE],
    /// The rays whose next step tests a block of blocks, or the cells of a block of 4x4.
    nodes: List,
    blocks: List,
    /// Those that stand before a cell, and where it is.
    cells: List,
    cell: [[u32; 2]; WAVE],
}

impl<A: Aim> Wave<A> {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self {
            courses: Courses::EMPTY,
            progress: [Progress::default(); WAVE],
            summit: [0; WAVE],
            waiting: [Waiting::default(); WAVE],
            aims: core::array::from_fn(|_| A::new(Sides::Both, f32::INFINITY)),
            nodes: List::EMPTY,
            blocks: List::EMPTY,
            cells: List::EMPTY,
            cell: [[0; 2]; WAVE],
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
        let alone = self.set_out(field, (rays, limits), sides);
        while !(self.nodes.is_empty() && self.blocks.is_empty() && self.cells.is_empty()) {
            test_nodes(field, &self.courses, &mut self.progress, &self.nodes);
            test_blocks(field, &self.courses, &mut self.progress, &self.blocks);
            self.decide(field, rays);
            self.go_on(field);
        }
        for ((ray, answer), aim) in rays.iter().zip(&mut *answers).zip(&self.aims) {
            *answer = aim.answer(ray);
        }
        for place in alone.iter() {
            answers[place] = A::alone(field, &rays[place], sides, limits[place]);
        }
    }

    /// Sets out with all rays but those that are better asked alone, which it tells.
    fn set_out(
        &mut self,
        field: &HeightField,
        (rays, limits): (&[Ray], &[f32]),
        sides: Sides,
    ) -> List {
        let mut alone = List::EMPTY;
        for first in (0..rays.len()).step_by(LANES) {
            let count = LANES.min(rays.len() - first);
            let mut eight = [rays[first]; LANES];
            eight[..count].copy_from_slice(&rays[first..first + count]);
            let mut until = [f32::INFINITY; LANES];
            until[..count].copy_from_slice(&limits[first..first + count]);
            let plotted = self.courses.plot(field, (&eight, &until), first);
            for (lane, ray) in eight[..count].iter().enumerate() {
                let place = first + lane;
                self.aims[place] = A::new(sides, until[lane]);
                if vertical::is_vertical(ray) || plotted.too_fine >> lane & 1 == 1 {
                    alone.push_if(place, true);
                } else {
                    let (progress, summit) = self.courses.set_out(field, place);
                    self.progress[place] = progress;
                    self.summit[place] = summit;
                    let is_there = plotted.nothing >> lane & 1 == 0;
                    let is_block = progress.is_at_block();
                    self.nodes.push_if(place, is_there & !is_block);
                    self.blocks.push_if(place, is_there & is_block);
                    progress.fetch(field);
                }
            }
        }
        alone
    }

    /// Finds each ray's next step, and asks for the memory that it will read.
    fn go_on(&mut self, field: &HeightField) {
        let mut at_nodes = List::EMPTY;
        let mut at_blocks = List::EMPTY;
        let mut finished = List::EMPTY;
        for place in self.nodes.iter() {
            let has_more = self.progress[place].has_more();
            at_nodes.push_if(place, has_more);
            finished.push_if(place, !has_more);
        }
        for list in [&self.blocks, &self.cells] {
            for place in list.iter() {
                let has_more = self.progress[place].has_more();
                at_blocks.push_if(place, has_more);
                finished.push_if(place, !has_more);
            }
        }
        self.nodes.clear();
        self.blocks.clear();
        self.cells.clear();
        for place in finished.iter() {
            let progress = &mut self.progress[place];
            if progress.take_up(&self.waiting[place]) {
                let is_block = progress.is_at_block();
                at_nodes.push_if(place, !is_block);
                at_blocks.push_if(place, is_block);
            } else {
                self.nodes
                    .push_if(place, progress.height() < self.summit[place]);
                progress.climb(self.courses.segment(place).flip());
            }
        }
        for place in at_nodes.iter() {
            let progress = &mut self.progress[place];
            progress.enter_child(self.courses.segment(place).flip(), &mut self.waiting[place]);
            let is_block = progress.is_at_block();
            self.nodes.push_if(place, !is_block);
            self.blocks.push_if(place, is_block);
        }
        for place in at_blocks.iter() {
            let [column, row] = self.progress[place].take_cell(self.courses.segment(place).flip());
            field.fetch_cell(column as usize, row as usize);
            self.cell[place] = [column, row];
            self.cells.push_if(place, true);
        }
        for place in self.nodes.iter() {
            self.progress[place].fetch_node(field);
        }
        for place in self.blocks.iter() {
            self.progress[place].fetch_block(field);
        }
    }
}

// The tests do not depend on what is looked for: apart from the wave they are compiled once for all
// aims.

fn test_nodes(
    field: &HeightField,
    courses: &Courses,
    progress: &mut [Progress; WAVE],
    nodes: &List,
) {
    dispatch!(field.width.level(), simd => for place in nodes.iter() {
        let descent = courses.descent(simd, place, field.grid.diagonal);
        descent.test_node(field, &mut progress[place]);
    });
}

fn test_blocks(
    field: &HeightField,
    courses: &Courses,
    progress: &mut [Progress; WAVE],
    blocks: &List,
) {
    dispatch!(field.width.level(), simd => for place in blocks.iter() {
        let descent = courses.descent(simd, place, field.grid.diagonal);
        descent.test_block(field, &mut progress[place]);
    });
}
