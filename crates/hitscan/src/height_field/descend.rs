//! Which cells a ray may meet, roughly front to back: the walk of the pyramid in vectors.
//!
//! It starts at the block of 16x16 cells in which the ray enters the map and climbs from there, so
//! a ray that ends nearby never sees the top of the pyramid. Cells are only left out here; `ray.rs`
//! decides what is met. `walk.rs` is the same for moving boxes, and for rays beyond f32.

use super::HeightField;
use super::lanes::Lanes;
use super::pyramid::{FAN_OUT, Node, SIDE};
use super::segment::{Axis, Segment};
use crate::simd::prefetch;
use core::ops::ControlFlow;
use fearless_simd::Simd;

/// Levels of the highest pyramid that is walked: f32 is too coarse beyond 4^10 cells a side.
const MOST_LEVELS: usize = 12;

/// The level of the block in which a walk begins, on maps that have so many.
pub(super) const HOME: usize = 2;

/// Is given the column and row of a cell, and answers up to which t others still matter.
pub(super) type CellVisit<'a> = &'a mut dyn FnMut(usize, usize) -> ControlFlow<(), f64>;

/// A block with the children that are still to be visited, in travel order. Those of a block of
/// level 1 are cells.
#[derive(Clone, Copy, Default)]
pub(super) struct Open {
    column: u32,
    row: u32,
    level: u16,
    mask: u16,
}

impl Open {
    #[inline(always)]
    fn whole(level: u16, column: u32, row: u32) -> Self {
        Self {
            column,
            row,
            level,
            mask: u16::MAX,
        }
    }

    /// Takes the next child: its column and row.
    #[inline(always)]
    fn take_child(&mut self, flip: u32) -> [u32; 2] {
        let child = self.mask.trailing_zeros() ^ flip;
        self.mask &= self.mask - 1;
        [
            self.column * SIDE + child % SIDE,
            self.row * SIDE + child / SIDE,
        ]
    }

    /// The block of the next level that this is a child of.
    #[inline(always)]
    fn parent(self) -> Self {
        Self::whole(self.level + 1, self.column / SIDE, self.row / SIDE)
    }
}

/// The blocks that a walk has opened and not finished.
pub(super) type Waiting = [Open; MOST_LEVELS];

/// How a walk ended.
pub(super) enum Walked {
    ToTheEnd,
    Stopped,
    /// Nowhere: the numbers are too far apart for f32.
    TooFine,
}

/// A ray made ready to go through the pyramid.
pub(super) struct Descent<S: Simd> {
    segment: Segment,
    lanes: Lanes<S>,
}

/// How far a ray has come.
#[derive(Clone, Copy, Default)]
pub(super) struct Progress {
    /// The s up to which something may still matter.
    limit: f32,
    /// How many blocks wait.
    depth: u32,
    /// The block that the walk has climbed to.
    home: Open,
    open: Open,
}

impl<S: Simd> Descent<S> {
    /// The walk of a segment.
    #[inline(always)]
    pub(super) fn new(simd: S, field: &HeightField, segment: Segment) -> Self {
        Self {
            lanes: Lanes::new(simd, &segment, field.grid.diagonal),
            segment,
        }
    }

    #[inline(always)]
    pub(super) fn with(segment: Segment, lanes: Lanes<S>) -> Self {
        Self { segment, lanes }
    }

    /// Visits the cells that the ray may cross, until `visit` breaks.
    #[inline(always)]
    pub(super) fn run(&self, field: &HeightField, visit: CellVisit) -> Walked {
        let flip = self.segment.flip();
        let mut waiting = Waiting::default();
        let mut progress = Progress::at_home(field, &self.segment);
        loop {
            if progress.is_at_block() {
                self.test_block(field, &mut progress);
                while progress.has_more() {
                    let [column, row] = progress.take_cell(flip);
                    let ControlFlow::Continue(t) = visit(column as usize, row as usize) else {
                        return Walked::Stopped;
                    };
                    progress.keep_before(&self.segment, t);
                }
            } else {
                self.test_node(field, &mut progress);
            }
            if progress.has_more() || progress.take_up(&waiting) {
                progress.enter_child(flip, &mut waiting);
            } else if progress.is_at_summit(field, &self.segment) {
                return Walked::ToTheEnd;
            } else {
                progress.climb(flip);
            }
        }
    }

    /// Leaves out the children of the open block of blocks that the segment does not touch.
    #[inline(always)]
    pub(super) fn test_node(&self, field: &HeightField, progress: &mut Progress) {
        let open = &mut progress.open;
        let cells_a_child = 1u32 << (2 * (open.level - 1));
        let first = [open.column, open.row].map(|block| (block * SIDE * cells_a_child) as f32);
        open.mask &= self.lanes.touched(
            open.node(field),
            first,
            cells_a_child as f32,
            progress.limit,
        );
    }

    /// Leaves out the cells of the open block that the segment does not cross.
    #[inline(always)]
    pub(super) fn test_block(&self, field: &HeightField, progress: &mut Progress) {
        let open = &mut progress.open;
        let first = [open.column, open.row].map(|block| (block * SIDE) as f32);
        let tile = field.tiles.at(open.column, open.row);
        open.mask = if tile.is_known() {
            self.lanes.crossed_cells_of(tile, first, progress.limit)
        } else {
            let rows = rows_to_the_end(field, *open);
            let [a, b, c, d, e] = &rows;
            self.lanes
                .crossed_cells([a, b, c, d, e], first, progress.limit)
                & cells_on_map(field, *open, self.segment.flip())
        };
    }
}

impl Progress {
    /// Before the first step of a walk that begins in this cell.
    #[inline(always)]
    pub(super) fn at(field: &HeightField, column: u32, row: u32) -> Self {
        let block = Open::whole(1, column / SIDE, row / SIDE);
        let home = if field.ranges.top() < HOME {
            block
        } else {
            block.parent()
        };
        Self::from(home)
    }

    /// Before the first step of a segment's walk, which is that of one block where it can be.
    #[inline(always)]
    fn at_home(field: &HeightField, segment: &Segment) -> Self {
        let column = entry_cell(segment.x.start, field.grid.columns);
        let row = entry_cell(segment.z.start, field.grid.rows);
        let block = Open::whole(1, column / SIDE, row / SIDE);
        if stays_in(field, segment, 1.0, block) {
            Self::from(block)
        } else {
            Self::at(field, column, row)
        }
    }

    fn from(home: Open) -> Self {
        Self {
            limit: 1.0,
            depth: 0,
            home,
            open: home,
        }
    }

    /// Whether what is open has children left.
    #[inline(always)]
    pub(super) fn has_more(&self) -> bool {
        self.open.mask != 0
    }

    /// Whether a block of cells is open.
    #[inline(always)]
    pub(super) fn is_at_block(&self) -> bool {
        self.open.level == 1
    }

    /// Leaves out what lies after t.
    #[inline(always)]
    pub(super) fn keep_before(&mut self, segment: &Segment, t: f64) {
        let nearer = segment.s_not_before(t);
        self.limit = if nearer < self.limit {
            nearer
        } else {
            self.limit
        };
    }

    /// Leaves out all that is still to come but what lies above the block that the walk has climbed to.
    #[inline(always)]
    pub(super) fn stop(&mut self) {
        self.open.mask = 0;
        self.depth = 0;
    }

    /// Opens the next child of the open block of blocks, which waits if it has others.
    #[inline(always)]
    pub(super) fn enter_child(&mut self, flip: u32, waiting: &mut Waiting) {
        // Changed apart and written once: reading what was just written in parts makes the
        // processor wait.
        let mut open = self.open;
        let [column, row] = open.take_child(flip);
        waiting[self.depth as usize] = open;
        self.depth += u32::from(open.mask != 0);
        self.open = Open::whole(open.level - 1, column, row);
    }

    /// Takes the next cell of the open block: its column and row.
    #[inline(always)]
    pub(super) fn take_cell(&mut self, flip: u32) -> [u32; 2] {
        self.open.take_child(flip)
    }

    /// Opens again what waits, if anything does.
    #[inline(always)]
    pub(super) fn take_up(&mut self, waiting: &Waiting) -> bool {
        if self.depth == 0 {
            return false;
        }
        self.depth -= 1;
        self.open = waiting[self.depth as usize];
        true
    }

    /// The level of the block that the walk has climbed to.
    #[inline(always)]
    pub(super) fn height(&self) -> u16 {
        self.home.level
    }

    /// Whether the walk has seen all of the segment that may still matter.
    #[inline(always)]
    pub(super) fn is_at_summit(&self, field: &HeightField, segment: &Segment) -> bool {
        (usize::from(self.home.level) == field.ranges.top())
            | stays_in(field, segment, self.limit, self.home)
    }

    /// Opens the block around the one that the walk has climbed to.
    #[inline(always)]
    pub(super) fn climb(&mut self, flip: u32) {
        let child = self.home.row % SIDE * SIDE + self.home.column % SIDE;
        let mut parent = self.home.parent();
        parent.mask &= !(1 << (child ^ flip));
        self.home = parent;
        self.open = parent;
    }

    /// Asks for the memory that the next test reads.
    #[inline(always)]
    pub(super) fn fetch(&self, field: &HeightField) {
        if self.is_at_block() {
            self.fetch_block(field);
        } else {
            self.fetch_node(field);
        }
    }

    #[inline(always)]
    pub(super) fn fetch_node(&self, field: &HeightField) {
        prefetch(self.open.node(field));
    }

    #[inline(always)]
    pub(super) fn fetch_block(&self, field: &HeightField) {
        prefetch(field.tiles.at(self.open.column, self.open.row));
    }
}

/// The cells of a block that the map has, in travel order.
#[cold]
fn cells_on_map(field: &HeightField, open: Open, flip: u32) -> u16 {
    let is_on_map = |child: &u32| {
        let column = open.column * SIDE + (child ^ flip) % SIDE;
        let row = open.row * SIDE + (child ^ flip) / SIDE;
        column as usize + 1 < field.grid.columns && row as usize + 1 < field.grid.rows
    };
    (0..SIDE * SIDE)
        .filter(is_on_map)
        .fold(0, |mask, child| mask | 1 << child)
}

impl Open {
    #[inline(always)]
    fn node(self, field: &HeightField) -> &Node {
        let Self {
            level, column, row, ..
        } = self;
        field
            .ranges
            .node(usize::from(level), column as usize, row as usize)
    }
}

/// Whether the segment up to the limit surely lies within the columns and rows of a block.
#[inline(always)]
fn stays_in(field: &HeightField, segment: &Segment, limit: f32, block: Open) -> bool {
    let size = 1usize << (2 * block.level);
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
    stays(&segment.x, block.column, field.grid.columns)
        & stays(&segment.z, block.row, field.grid.rows)
}

/// The cell along an axis in which the segment starts; any cell is right, this one is best.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from f32 keeps within the range of integers"
)]
#[inline(always)]
fn entry_cell(start: f32, lines: usize) -> u32 {
    (start as u32).min(lines as u32 - 2)
}

/// The samples of a block; where the map ends, copies of its last ones.
#[cold]
fn rows_to_the_end(field: &HeightField, open: Open) -> [[f32; 5]; 5] {
    let [column, row] = [open.column, open.row].map(|block| block as usize * FAN_OUT);
    let (columns, rows) = (field.grid.columns, field.grid.rows);
    core::array::from_fn(|j| {
        let row = (row + j).min(rows - 1);
        core::array::from_fn(|i| field.heights[row * columns + (column + i).min(columns - 1)])
    })
}
