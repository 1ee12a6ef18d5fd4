//! The traversal state of a wavefront's rays in the pyramid, for every collector.

use super::packets::{PACKET, PacketRays, Packets};
use super::segments::PreparedSegments;
use super::{List, WAVEFRONT_SIZE, vertical};
use crate::Ray;
use crate::height_field::HeightField;
use crate::height_field::ray::descent::cells_without_a_tile;
use crate::height_field::ray::progress::{EMPTY_STACK, Progress, Stack};
use crate::narrow_phase::ray_cast::ray_triangle::LANES;
use crate::query::wavefront::Filling;
use crate::simd::dispatch_wide;
use crate::simd::prefetch;
use fearless_simd::Simd;

/// Where each ray is, and which step it takes next, by slots.
pub(super) struct Cursors {
    pub(super) segments: PreparedSegments,
    pub(super) progress: [Progress; WAVEFRONT_SIZE],
    stack: [Stack; WAVEFRONT_SIZE],
    /// The index of the node or tile that the next test reads.
    index: [u32; WAVEFRONT_SIZE],
    /// The level to which each climbs at most.
    pub(super) exit_level: [u16; WAVEFRONT_SIZE],
    pub(super) packets: Packets,
    /// The rays whose next step tests a block of blocks, or the cells of a block of 4x4.
    nodes: List,
    blocks: List,
    /// The rays whose next step tests a cell, and its column and row.
    pub(super) cells: List,
    pub(super) cell: [[u32; 2]; WAVEFRONT_SIZE],
    /// How many cells each has visited in whose plane it lies.
    pub(super) level_cells: [u8; WAVEFRONT_SIZE],
    /// The rays that open the next child of a block, that take the next cell, and that have nothing left
    /// to open below the block that they have climbed to.
    openers: List,
    takers: List,
    finished: List,
}

impl Cursors {
    pub(super) const NONE: Self = Self {
        segments: PreparedSegments::EMPTY,
        progress: [Progress::NOWHERE; WAVEFRONT_SIZE],
        stack: [EMPTY_STACK; WAVEFRONT_SIZE],
        index: [0; WAVEFRONT_SIZE],
        exit_level: [0; WAVEFRONT_SIZE],
        packets: Packets::NONE,
        nodes: List::EMPTY,
        blocks: List::EMPTY,
        cells: List::EMPTY,
        cell: [[0; 2]; WAVEFRONT_SIZE],
        level_cells: [0; WAVEFRONT_SIZE],
        openers: List::EMPTY,
        takers: List::EMPTY,
        finished: List::EMPTY,
    };

    pub(super) fn any_active(&self) -> bool {
        !(self.nodes.is_empty() && self.blocks.is_empty() && self.cells.is_empty())
    }

    /// Starts all rays, each up to its limit, but those that are better cast alone, which it lists.
    pub(super) fn init(&mut self, field: &HeightField, rays: (&[Ray], &[f32])) -> List {
        dispatch_wide!(field.width, simd => self.init_with(simd, field, rays))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn init_with<S: Simd>(
        &mut self,
        simd: S,
        field: &HeightField,
        (rays, limits): (&[Ray], &[f32]),
    ) -> List {
        let mut alone = List::EMPTY;
        self.level_cells = [0; WAVEFRONT_SIZE];
        // Which slots have a segment, a bit each.
        let mut segments: u128 = 0;
        for first in (0..rays.len()).step_by(LANES) {
            let count = LANES.min(rays.len() - first);
            let mut eight = [rays[first]; LANES];
            eight[..count].copy_from_slice(&rays[first..first + count]);
            let mut eight_limits = [f32::INFINITY; LANES];
            eight_limits[..count].copy_from_slice(&limits[first..first + count]);
            let masks = self
                .segments
                .prepare(simd, field, (&eight, &eight_limits), first);
            for (lane, ray) in eight[..count].iter().enumerate() {
                let is_alone = vertical::is_vertical(ray) || masks.too_fine >> lane & 1 == 1;
                alone.push_if(first + lane, is_alone);
                let has_segment = !is_alone && masks.nothing >> lane & 1 == 0;
                segments |= u128::from(has_segment) << (first + lane);
            }
        }
        for first in (0..rays.len()).step_by(PACKET) {
            let of_packet = sixteen_bits(segments, first);
            let own = (&mut self.segments, &mut self.progress);
            if self.packets.init(simd, field, own, (first, of_packet)) {
                // Nothing is left to climb to.
                self.exit_level[first..first + PACKET].fill(0);
                continue;
            }
            for place in (first..first + PACKET).filter(|place| segments >> place & 1 == 1) {
                let (progress, exit_level) = self.segments.init(field, place);
                self.progress[place] = progress;
                self.exit_level[place] = exit_level;
                let is_block = progress.is_at_block();
                self.nodes.push_if(place, !is_block);
                self.blocks.push_if(place, is_block);
            }
        }
        self.advance_packets(simd, field);
        self.fetch(field);
        alone
    }

    /// Tests the blocks that the rays have opened.
    pub(super) fn test(&mut self, field: &HeightField) {
        dispatch_wide!(field.width, simd => self.test_with(simd, field));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn test_with<S: Simd>(&mut self, simd: S, field: &HeightField) {
        let mut openers = self.openers.refill();
        let mut takers = self.takers.refill();
        let mut finished = self.finished.refill();
        for place in self.nodes.iter() {
            let progress = &mut self.progress[place];
            let descent = self.segments.descent(simd, place, field.grid.diagonal);
            let node = field.ranges.at(self.index[place] as usize);
            progress.keep(descent.touched_children(node, progress));
            let is_active = progress.has_more() | progress.has_stacked();
            openers.push_if(place, is_active);
            finished.push_if(place, !is_active);
        }
        let tiles = field.tiles();
        for place in self.blocks.iter() {
            let progress = &mut self.progress[place];
            let tile = &tiles[self.index[place] as usize];
            progress.keep(if tile.is_known() {
                let descent = self.segments.descent(simd, place, field.grid.diagonal);
                descent.crossed_cells(tile, progress)
            } else {
                let segment = self.segments.segment(place);
                cells_without_a_tile(field, &segment, progress)
            });
            list_by_next_step(progress, place, [&mut takers, &mut openers, &mut finished]);
        }
    }

    /// Finds each ray's next step, and prefetches what it will read.
    pub(super) fn advance(&mut self, field: &HeightField) {
        dispatch_wide!(field.width, simd => self.choose(simd, field));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn choose<S: Simd>(&mut self, simd: S, field: &HeightField) {
        let mut openers = self.openers.fill_on();
        let mut takers = self.takers.fill_on();
        let mut finished = self.finished.fill_on();
        for place in self.cells.iter() {
            let progress = &self.progress[place];
            list_by_next_step(progress, place, [&mut takers, &mut openers, &mut finished]);
        }
        drop((openers, takers, finished));
        let mut nodes = self.nodes.refill();
        let mut blocks = self.blocks.refill();
        for place in self.finished.iter() {
            let progress = &mut self.progress[place];
            nodes.push_if(place, progress.height() < self.exit_level[place]);
            progress.climb(self.segments.flip(place));
        }
        for place in self.openers.iter() {
            let progress = &mut self.progress[place];
            progress.enter_child(self.segments.flip(place), &mut self.stack[place]);
            let is_block = progress.is_at_block();
            nodes.push_if(place, !is_block);
            blocks.push_if(place, is_block);
        }
        drop((nodes, blocks));
        for place in self.takers.iter() {
            let [column, row] = self.progress[place].take_cell(self.segments.flip(place));
            field.fetch_cell(column as usize, row as usize);
            self.cell[place] = [column, row];
        }
        core::mem::swap(&mut self.cells, &mut self.takers);
        self.advance_packets(simd, field);
        self.fetch(field);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn advance_packets<S: Simd>(&mut self, simd: S, field: &HeightField) {
        let rays = PacketRays {
            segments: &self.segments,
            progress: &mut self.progress,
            cells: &mut self.cells,
            cell: &mut self.cell,
        };
        self.packets.advance(simd, field, rays);
    }

    /// Prefetches what the next tests read.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a grid has fewer than 2^32 cells, so fewer blocks"
    )]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fetch(&mut self, field: &HeightField) {
        for place in self.nodes.iter() {
            let index = self.progress[place].node_index(field);
            self.index[place] = index as u32;
            prefetch(field.ranges.at(index));
        }
        let tiles = field.tiles();
        for place in self.blocks.iter() {
            let index = self.progress[place].tile_index(field);
            self.index[place] = index as u32;
            prefetch(&tiles[index]);
        }
    }
}

/// The sixteen bits from `first` on.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the others are those of other packets"
)]
fn sixteen_bits(bits: u128, first: usize) -> u16 {
    (bits >> first) as u16
}

/// Lists a ray that has tested cells of a block, or all of them, by what comes next.
#[cfg_attr(not(debug_assertions), inline(always))]
fn list_by_next_step(
    progress: &Progress,
    place: usize,
    [takers, openers, finished]: [&mut Filling<'_, WAVEFRONT_SIZE>; 3],
) {
    let (has_more, has_stacked) = (progress.has_more(), progress.has_stacked());
    takers.push_if(place, has_more);
    openers.push_if(place, !has_more & has_stacked);
    finished.push_if(place, !(has_more | has_stacked));
}
