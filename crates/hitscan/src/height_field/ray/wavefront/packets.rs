//! Sixteen coherent rays that traverse the pyramid as one: blocks of blocks are tested once for all of them,
//! against their shaft; a block of cells with sixteen rays side by side, and its cells ray by ray.

use super::segments::{LaneAxes, PreparedSegments};
use super::shaft::Shaft;
use super::{List, WAVEFRONT_SIZE};
use crate::height_field::HeightField;
use crate::height_field::ray::descent::cells_without_a_tile;
use crate::height_field::ray::node_test::in_travel_order;
use crate::height_field::ray::progress::{EMPTY_STACK, ENDED, Progress, Stack};
use crate::height_field::storage::pyramid::SIDE;
use fearless_simd::{Simd, f32x16, prelude::*};

/// The rays of a packet.
pub(super) const PACKET: usize = 16;
const PACKETS: usize = WAVEFRONT_SIZE / PACKET;

/// Fewer rays that touch the map make no packet.
const MIN_RAYS: u32 = 8;

/// The packets of a wavefront: the rays of sixteen slots each.
pub(super) struct Packets {
    shafts: [Shaft; PACKETS],
    progress: [Progress; PACKETS],
    stacks: [Stack; PACKETS],
    /// The packets that have not ended, a bit each.
    active: u32,
}

/// The rays of a wavefront, by slots, and those whose next step tests a cell.
pub(super) struct PacketRays<'a> {
    pub(super) segments: &'a PreparedSegments,
    pub(super) progress: &'a mut [Progress; WAVEFRONT_SIZE],
    pub(super) cells: &'a mut List,
    pub(super) cell: &'a mut [[u32; 2]; WAVEFRONT_SIZE],
}

impl Packets {
    pub(super) const NONE: Self = Self {
        shafts: [Shaft::NONE; PACKETS],
        progress: [Progress::NOWHERE; PACKETS],
        stacks: [EMPTY_STACK; PACKETS],
        active: 0,
    };

    /// Starts a packet of the rays from slot `first` on, if they are coherent; `rays` marks those that have a
    /// segment. Returns whether they are coherent.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn init<S: Simd>(
        &mut self,
        simd: S,
        field: &HeightField,
        (segments, progress): (&mut PreparedSegments, &mut [Progress; WAVEFRONT_SIZE]),
        (first, rays): (usize, u16),
    ) -> bool {
        if rays.count_ones() < MIN_RAYS || !segments.make_alike(first, rays) {
            return false;
        }
        let Some(shaft) = Shaft::new(&segments.lanes(simd, first)) else {
            return false;
        };
        for lane in 0..PACKET {
            let slot = (first + lane) % WAVEFRONT_SIZE;
            let has_segment = rays >> lane & 1 == 1;
            progress[slot] = Progress::NOWHERE;
            progress[slot].limit = if has_segment { 1.0 } else { ENDED };
        }
        let packet = first / PACKET % PACKETS;
        self.shafts[packet] = shaft;
        self.progress[packet] = Progress::at_root(field, segments.flip(first));
        self.active |= 1 << packet;
        true
    }

    #[cfg(test)]
    pub(super) fn active_count(&self) -> u32 {
        self.active.count_ones()
    }

    /// Takes each packet of whose rays none has a cell to test to the next cells that they may cross.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn advance<S: Simd>(
        &mut self,
        simd: S,
        field: &HeightField,
        mut rays: PacketRays<'_>,
    ) {
        if self.active == 0 {
            return;
        }
        let busy = rays
            .cells
            .iter()
            .fold(0, |busy, slot| busy | 1 << (slot / PACKET));
        for packet in 0..PACKETS {
            let bit = 1 << packet;
            if self.active & !busy & bit != 0
                && !self.advance_packet(simd, field, packet, &mut rays)
            {
                self.active &= !bit;
            }
        }
    }

    /// Takes a packet to the next block of cells that rays of it may cross: whether there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn advance_packet<S: Simd>(
        &mut self,
        simd: S,
        field: &HeightField,
        packet: usize,
        rays: &mut PacketRays<'_>,
    ) -> bool {
        let first = packet * PACKET;
        let (flip, signs) = (
            rays.segments.flip(first),
            rays.segments.direction_signs(first),
        );
        let axes = rays.segments.lanes(simd, first);
        let limits: [f32; PACKET] = core::array::from_fn(|lane| rays.progress[first + lane].limit);
        let limits = f32x16::from_slice(simd, &limits);
        let shaft = &mut self.shafts[packet];
        shaft.shorten(&axes, limits);
        let (progress, stack) = (&mut self.progress[packet], &mut self.stacks[packet]);
        loop {
            if !(progress.has_more() | progress.has_stacked()) {
                return false;
            }
            progress.enter_child(flip, stack);
            if progress.is_at_block() {
                let touching = rays_at_block(simd, field, &axes, (progress, signs), limits);
                let has_cells = rays.list_cells(simd, field, (first, touching), progress);
                progress.keep(0);
                if has_cells {
                    return true;
                }
            } else {
                let node = field.ranges.at(progress.node_index(field));
                let (block, size) = progress.children_places();
                let touched = shaft.touched(simd, node, block, size);
                progress.keep(in_travel_order(usize::from(signs % 4), touched));
            }
        }
    }
}

impl PacketRays<'_> {
    /// Lists the rays, a bit each of those from slot `first` on, that may cross cells of the open block, each
    /// with its first: whether there are any.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn list_cells<S: Simd>(
        &mut self,
        simd: S,
        field: &HeightField,
        (first, rays): (usize, u64),
        block: &Progress,
    ) -> bool {
        let tile = &field.tiles()[block.tile_index(field)];
        let mut cells = self.cells.fill_on();
        let mut has_cells = false;
        let mut rays = rays;
        while rays != 0 {
            let slot = (first + rays.trailing_zeros() as usize) % WAVEFRONT_SIZE;
            rays &= rays - 1;
            let ray = &mut self.progress[slot];
            ray.enter_block_of(block);
            ray.keep(if tile.is_known() {
                let descent = self.segments.descent(simd, slot, field.grid.diagonal);
                descent.crossed_cells(tile, ray)
            } else {
                cells_without_a_tile(field, &self.segments.segment(slot), ray)
            });
            if ray.has_more() {
                let [column, row] = ray.take_cell(self.segments.flip(slot));
                field.fetch_cell(column as usize, row as usize);
                self.cell[slot] = [column, row];
                cells.push_if(slot, true);
                has_cells = true;
            }
        }
        has_cells
    }
}

/// Which rays may touch the open block of cells before their limits.
#[cfg_attr(not(debug_assertions), inline(always))]
fn rays_at_block<S: Simd>(
    simd: S,
    field: &HeightField,
    [x, y, z]: &[LaneAxes<S>; 3],
    (progress, signs): (&Progress, u8),
    limits: f32x16<S>,
) -> u64 {
    let [column, row] = progress.block_place();
    let range = field.ranges.of_block(column as usize, row as usize);
    let [left, top] = [column, row].map(|block| (block * SIDE) as f32);
    let side = SIDE as f32;
    let times = |axis: &LaneAxes<S>, [low, high]: [f32; 2], goes_down: bool| {
        let (near, far) = if goes_down { (high, low) } else { (low, high) };
        let at =
            |line: f32, time: f32x16<S>| f32x16::splat(simd, line).mul_add(axis.per_travel, time);
        [at(near, axis.enter), at(far, axis.leave)]
    };
    let [x_enter, x_leave] = times(x, [left, left + side], signs & 1 == 1);
    let [z_enter, z_leave] = times(z, [top, top + side], signs >> 1 & 1 == 1);
    let [y_enter, y_leave] = times(y, [range.min, range.max], signs >> 2 == 1);
    let enter = x_enter.max(z_enter).max(y_enter.max(0.0));
    let leave = x_leave.min(z_leave).min(y_leave.min(limits));
    enter.simd_le(leave).to_bitmask()
}
