//! Many rays against terrain at once: a wave of 64 takes each step together.
//!
//! One ray alone spends its time waiting: for samples, for a mask before it can choose, for a branch
//! that was guessed wrong. In a wave all rays' blocks are tested one after the other without a
//! branch, then all choose their next block, and all ask for its memory before any reads it. The
//! tests and the decisions are those of one ray (`descend.rs`, `prism.rs`).
//!
//! Source: Laine, Karras, Aila, "Megakernels Considered Harmful: Wavefront Path Tracing on GPUs",
//! High-Performance Graphics 2013; here for the caches and branches of a CPU.

mod courses;
mod decide;
mod hits;
mod list;
mod vertical;

use super::HeightField;
use super::descend::{Descent, Progress, Waiting};
use super::ray::{Nearest, hit_of};
use crate::{Hit, Ray, Sides};
use courses::{Courses, LANES};
use fearless_simd::Simd;
use list::List;

/// How many rays go together.
pub(super) const WAVE: usize = 128;

/// Rays on their way.
pub(super) struct Wave {
    courses: Courses,
    progress: [Progress; WAVE],
    /// The level to which each climbs at most.
    summit: [u16; WAVE],
    waiting: [Waiting; WAVE],
    nearest: [Nearest; WAVE],
    /// The rays whose next step tests a block of blocks, or the cells of a block of 4x4.
    nodes: List,
    blocks: List,
    /// Those that stand before a cell, and where it is.
    cells: List,
    cell: [[u32; 2]; WAVE],
}

impl Wave {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            courses: Courses::EMPTY,
            progress: [Progress::default(); WAVE],
            summit: [0; WAVE],
            waiting: [Waiting::default(); WAVE],
            nearest: core::array::from_fn(|_| Nearest::new(Sides::Both, f32::INFINITY)),
            nodes: List::EMPTY,
            blocks: List::EMPTY,
            cells: List::EMPTY,
            cell: [[0; 2]; WAVE],
        })
    }

    /// Answers for up to [`WAVE`] rays what [`HeightField::cast_ray`] answers for each.
    #[inline(always)]
    pub(super) fn answer<S: Simd>(
        &mut self,
        simd: S,
        field: &HeightField,
        rays: &[Ray],
        sides: Sides,
        hits: &mut [Option<Hit>],
    ) {
        if rays.iter().all(vertical::is_vertical) {
            vertical::answer(simd, field, rays, sides, hits);
            return;
        }
        self.set_out(simd, field, rays, sides, hits);
        while !(self.nodes.is_empty() && self.blocks.is_empty() && self.cells.is_empty()) {
            self.look(simd, field, rays);
            self.go_on(field);
        }
        for (place, (ray, hit)) in rays.iter().zip(hits).enumerate() {
            if let Some(best) = &self.nearest[place].best {
                *hit = Some(hit_of(ray, best));
            }
        }
    }

    #[inline(always)]
    fn set_out<S: Simd>(
        &mut self,
        simd: S,
        field: &HeightField,
        rays: &[Ray],
        sides: Sides,
        hits: &mut [Option<Hit>],
    ) {
        for first in (0..rays.len()).step_by(LANES) {
            let count = LANES.min(rays.len() - first);
            let mut eight = [rays[first]; LANES];
            eight[..count].copy_from_slice(&rays[first..first + count]);
            let plotted = self.courses.plot(simd, field, &eight, first);
            for lane in 0..count {
                let place = first + lane;
                let ray = &eight[lane];
                hits[place] = None;
                self.nearest[place] = Nearest::new(sides, f32::INFINITY);
                if vertical::is_vertical(ray) || plotted.too_fine >> lane & 1 == 1 {
                    hits[place] = field.cast_ray(ray, sides);
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
    }

    /// Tests what all rays have before them.
    #[inline(always)]
    fn look<S: Simd>(&mut self, simd: S, field: &HeightField, rays: &[Ray]) {
        for place in self.nodes.clone().iter() {
            self.descent(simd, field, place).test_node(field, &mut self.progress[place]);
        }
        for place in self.blocks.clone().iter() {
            self.descent(simd, field, place).test_block(field, &mut self.progress[place]);
        }
        self.decide(simd, field, rays);
    }

    #[inline(always)]
    fn descent<S: Simd>(&self, simd: S, field: &HeightField, place: usize) -> Descent<S> {
        Descent::with(
            self.courses.segment(place),
            self.courses.lanes(simd, place, field.grid.diagonal),
        )
    }

    /// Finds each ray's next step, and asks for the memory that it will read.
    #[inline(always)]
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
                self.nodes.push_if(place, progress.height() < self.summit[place]);
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
            self.cell[place] = self.progress[place].take_cell(self.courses.segment(place).flip());
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
