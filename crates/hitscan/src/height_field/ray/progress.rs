//! The progress of a ray through the pyramid: the blocks that are open, and what of them is left.

use super::packed_cursor::PackedCursor;
use super::segment::{Axis, Segment};
use super::watch::{Block, TestedChildren};
use crate::height_field::HeightField;
use crate::height_field::storage::pyramid::SIDE;
use core::hint::select_unpredictable;

/// The number of blocks that are on the stack at most, one a level from 2 on: f32 is too coarse for maps
/// of more than 2^17 cells a side, which have nine levels.
const MAX_DEPTH: usize = 8;

/// The limit of a ray to which nothing matters any more.
pub(in crate::height_field) const ENDED: f32 = -1.0;

/// The level of the block in which a descent begins, on maps that have so many.
pub(in crate::height_field) const ENTRY_LEVEL: usize = 2;

/// The blocks that are opened and not finished.
pub(in crate::height_field) type Stack = [PackedCursor; MAX_DEPTH];

pub(in crate::height_field) const EMPTY_STACK: Stack = [PackedCursor::NONE; MAX_DEPTH];

/// How far a ray has come.
#[derive(Clone, Copy)]
pub(in crate::height_field) struct Progress {
    /// The s up to which something may still matter.
    pub(in crate::height_field) limit: f32,
    /// The number of blocks that are on the stack.
    depth: u32,
    /// The block that the traversal has climbed to.
    entry: PackedCursor,
    pub(super) open: PackedCursor,
}

impl Progress {
    pub(in crate::height_field) const NOWHERE: Self = Self {
        limit: 0.0,
        depth: 0,
        entry: PackedCursor::NONE,
        open: PackedCursor::NONE,
    };

    /// Before the first step of a descent that begins in this cell.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn at(field: &HeightField, column: u32, row: u32) -> Self {
        let block = PackedCursor::whole(1, column / SIDE, row / SIDE);
        let entry = if field.ranges.top() < ENTRY_LEVEL {
            block
        } else {
            block.parent()
        };
        Self::from(entry)
    }

    /// Before the first step of a segment's descent, which is in one block where it can be.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at_entry(field: &HeightField, segment: &Segment) -> Self {
        let column = entry_cell(segment.x.start, field.grid.columns);
        let row = entry_cell(segment.z.start, field.grid.rows);
        let block = PackedCursor::whole(1, column / SIDE, row / SIDE);
        if stays_in(field, segment, 1.0, block) {
            Self::from(block)
        } else {
            Self::at(field, column, row)
        }
    }

    fn from(entry: PackedCursor) -> Self {
        Self {
            limit: 1.0,
            depth: 0,
            entry,
            open: entry,
        }
    }

    /// Before the first step of a descent from the top.
    #[expect(clippy::cast_possible_truncation, reason = "a map has few levels")]
    pub(in crate::height_field) fn at_root(field: &HeightField, flip: u32) -> Self {
        // The block around the whole map is the one child that is left of another.
        let mut around = PackedCursor::whole(field.ranges.top() as u16 + 1, 0, 0);
        around.keep(1 << flip);
        Self::from(around)
    }

    /// The first cell of the open block, which is one of blocks, and the cells of a child a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn children_places(&self) -> ([f32; 2], f32) {
        let size = (1u32 << (2 * (self.open.level() - 1))) as f32;
        let first = self.open.place();
        (first.map(|block| block as f32 * (SIDE as f32 * size)), size)
    }

    /// The column and row of the open block among those of its level.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn block_place(&self) -> [u32; 2] {
        self.open.place()
    }

    /// Opens the block that another has open, with all of its children, as if the traversal had climbed to it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn enter_block_of(&mut self, other: &Self) {
        self.entry = other.open;
        self.open = other.open;
    }

    /// The block that is open.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn block(&self) -> Block {
        Block::open(self.open)
    }

    /// What is left of the open block's children of those that were tested.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tested_children(&self, tested: u16, flip: u32) -> TestedChildren {
        TestedChildren {
            tested,
            touched: self.open.children(),
            flip,
        }
    }

    /// Whether what is open has children left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn has_more(&self) -> bool {
        self.open.has_more()
    }

    /// Whether a block of cells is open.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn is_at_block(&self) -> bool {
        self.open.level() == 1
    }

    /// Whether a block of blocks of cells is open.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn is_above_blocks(&self) -> bool {
        self.open.level() == 2
    }

    /// Leaves out the open block's children that are not in `mask`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn keep(&mut self, mask: u16) {
        self.open.keep(mask);
    }

    /// Leaves out what lies after t.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn keep_before(&mut self, segment: &Segment, t: f64) {
        let nearer = segment.s_not_before(t);
        self.limit = if nearer < self.limit {
            nearer
        } else {
            self.limit
        };
    }

    /// Leaves out all that is still to come but what lies above the block that the traversal has
    /// climbed to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn stop(&mut self) {
        self.open.keep(0);
        self.depth = 0;
        self.limit = ENDED;
    }

    /// Whether blocks of blocks are on the stack.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn has_stacked(&self) -> bool {
        self.depth != 0
    }

    /// Opens the next child of the open block of blocks, which is pushed if it has others; where it has
    /// none, of the block on top of the stack.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn enter_child(&mut self, flip: u32, stack: &mut Stack) {
        let has_more = self.open.has_more();
        let depth = self.depth - u32::from(!has_more);
        let place = depth as usize % stack.len();
        let mut open = select_unpredictable(has_more, self.open, stack[place]);
        self.open = open.take_child(flip);
        stack[place] = open;
        self.depth = depth + u32::from(open.has_more());
    }

    /// Takes the next cell of the open block: its column and row.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn take_cell(&mut self, flip: u32) -> [u32; 2] {
        self.open.take_child(flip).place()
    }

    /// The level of the block that the traversal has climbed to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn height(&self) -> u16 {
        self.entry.level()
    }

    /// Whether the traversal has covered all of the segment that may still matter.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn is_at_exit(
        &self,
        field: &HeightField,
        segment: &Segment,
    ) -> bool {
        (usize::from(self.entry.level()) == field.ranges.top())
            | stays_in(field, segment, self.limit, self.entry)
    }

    /// Opens the block around the one that the traversal has climbed to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn climb(&mut self, flip: u32) {
        let mut parent = self.entry.parent();
        parent.keep(!(1 << (self.entry.child() ^ flip)));
        self.entry = parent;
        self.open = parent;
    }

    /// Where the children of the open block of blocks are kept.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn node_index(&self, field: &HeightField) -> usize {
        let [column, row] = self.open.place().map(|block| block as usize);
        let level = usize::from(self.open.level());
        field.ranges.index(level, column, row)
    }

    /// Where the tile of the open block of cells is kept.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn tile_index(&self, field: &HeightField) -> usize {
        let [column, row] = self.open.place().map(|block| block as usize);
        field.tile_index(column, row)
    }
}

/// Whether the segment up to the limit surely lies within the columns and rows of a block.
#[cfg_attr(not(debug_assertions), inline(always))]
fn stays_in(field: &HeightField, segment: &Segment, limit: f32, block: PackedCursor) -> bool {
    let size = 1usize << (2 * block.level());
    let [column, row] = block.place();
    let stays = |axis: &Axis, block: u32, lines: usize| {
        let block = block as usize;
        let end = axis.start + axis.travel * limit;
        let (low, high) = if axis.travel > 0.0 {
            (axis.start, end)
        } else {
            (end, axis.start)
        };
        // There is nothing beyond the map's borders.
        let is_first = block == 0;
        let is_last = (block + 1) * size + 1 >= lines;
        (is_first | (low - axis.error > (block * size) as f32))
            & (is_last | (high + axis.error < ((block + 1) * size) as f32))
    };
    stays(&segment.x, column, field.grid.columns) & stays(&segment.z, row, field.grid.rows)
}

/// The cell along an axis in which the segment starts; any cell is right, this one is best.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from f32 keeps within the range of integers"
)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn entry_cell(start: f32, lines: usize) -> u32 {
    (start as u32).min(lines as u32 - 2)
}
