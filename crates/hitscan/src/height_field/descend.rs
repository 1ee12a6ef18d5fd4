//! Which cells a ray may meet, roughly front to back: the walk of the pyramid in vectors.
//!
//! It starts at the block of 16x16 cells in which the ray enters the map and climbs from there, so
//! a ray that ends nearby never sees the top of the pyramid. Cells are only left out here; `ray.rs`
//! decides what is met. `walk.rs` is the same for moving boxes, and for rays beyond f32.

use super::HeightField;
use super::lanes::Lanes;
use super::pyramid::FAN_OUT;
use super::segment::{Axis, Clipped, Segment};
use crate::ray::LocalRay;
use core::ops::ControlFlow;
use fearless_simd::Simd;

/// Levels of the highest pyramid that is walked: f32 is too coarse beyond 4^10 cells a side.
const MOST_LEVELS: usize = 12;

/// All children of a block.
const ALL: u32 = (1 << (FAN_OUT * FAN_OUT)) - 1;

/// Is given the column and row of a cell, and answers up to which t others still matter.
pub(super) type CellVisit<'a> = &'a mut dyn FnMut(usize, usize) -> ControlFlow<(), f64>;

/// A block with the children that are still to be visited, in travel order. Those of a block of
/// level 1 are cells.
#[derive(Clone, Copy, Default)]
struct Open {
    level: usize,
    column: usize,
    row: usize,
    mask: u32,
}

impl Open {
    fn whole(level: usize, column: usize, row: usize) -> Self {
        Self {
            level,
            column,
            row,
            mask: ALL,
        }
    }
}

/// How a walk ended.
pub(super) enum Walked {
    ToTheEnd,
    Stopped,
    /// Nowhere: the numbers are too far apart for f32.
    TooFine,
}

/// A ray on its way through the pyramid.
pub(super) struct Descent<S: Simd> {
    segment: Segment,
    lanes: Lanes<S>,
    /// The block that the walk climbs from.
    home: Open,
}

impl<S: Simd> Descent<S> {
    /// The walk of the part of the ray up to `limit`, before its first step; or how it ends there.
    #[inline(always)]
    pub(super) fn new(
        simd: S,
        field: &HeightField,
        ray: &LocalRay,
        limit: f64,
    ) -> Result<Self, Walked> {
        let segment = match Segment::of_ray(simd, &field.frame, ray, limit) {
            Clipped::Nothing => return Err(Walked::ToTheEnd),
            Clipped::TooFine => return Err(Walked::TooFine),
            Clipped::Segment(segment) => segment,
        };
        let column = entry_cell(segment.x.start, field.grid.columns) / FAN_OUT;
        let row = entry_cell(segment.z.start, field.grid.rows) / FAN_OUT;
        let is_short = field.ranges.top() == 1 || stays_in(field, &segment, 1.0, [1, column, row]);
        let home = if is_short {
            Open::whole(1, column, row)
        } else {
            Open::whole(2, column / FAN_OUT, row / FAN_OUT)
        };
        Ok(Self {
            lanes: Lanes::new(simd, &segment, field.grid.diagonal),
            segment,
            home,
        })
    }

    /// Visits the cells that the ray may cross, until `visit` breaks.
    #[inline(always)]
    pub(super) fn run(&self, field: &HeightField, visit: CellVisit) -> Walked {
        let Self { segment, lanes, .. } = self;
        let top = field.ranges.top();
        let mut limit = 1.0;
        let mut waiting = [Open::default(); MOST_LEVELS];
        let mut depth = 0;
        let mut home = self.home;
        let mut open = home;
        loop {
            open.mask &= if open.level == 1 {
                let first = [open.column * FAN_OUT, open.row * FAN_OUT];
                let patch;
                let rows = if let Some(rows) = block_rows(field, first) {
                    rows
                } else {
                    patch = rows_at_end(field, first);
                    [&patch[0], &patch[1], &patch[2], &patch[3], &patch[4]]
                };
                lanes.crossed_cells(rows, first.map(|line| line as f32), limit)
            } else {
                self.touched(field, &open, limit)
            };
            loop {
                if open.mask == 0 {
                    if depth > 0 {
                        depth -= 1;
                        open = waiting[depth];
                        break;
                    }
                    let Open {
                        level, column, row, ..
                    } = home;
                    if level == top || stays_in(field, segment, limit, [level, column, row]) {
                        return Walked::ToTheEnd;
                    }
                    home = Open::whole(level + 1, column / FAN_OUT, row / FAN_OUT);
                    let child = row % FAN_OUT * FAN_OUT + column % FAN_OUT;
                    home.mask &= !(1 << (child ^ lanes.flip));
                    open = home;
                    break;
                }
                let child = open.mask.trailing_zeros() as usize ^ lanes.flip;
                open.mask &= open.mask - 1;
                let column = open.column * FAN_OUT + child % FAN_OUT;
                let row = open.row * FAN_OUT + child / FAN_OUT;
                if open.level > 1 {
                    waiting[depth] = open;
                    depth += usize::from(open.mask != 0);
                    open = Open::whole(open.level - 1, column, row);
                    break;
                }
                // A block at the map's end has cells beyond it.
                if column + 1 < field.grid.columns && row + 1 < field.grid.rows {
                    let ControlFlow::Continue(t) = visit(column, row) else {
                        return Walked::Stopped;
                    };
                    let nearer = segment.s_not_before(t);
                    limit = if nearer < limit { nearer } else { limit };
                }
            }
        }
    }

    /// The children of a block of level 2 or above that the segment may touch.
    #[inline(always)]
    fn touched(&self, field: &HeightField, open: &Open, limit: f32) -> u32 {
        let cells_a_child = 1 << (2 * (open.level - 1));
        let first = [open.column, open.row].map(|block| (block * FAN_OUT * cells_a_child) as f32);
        let node = field.ranges.node(open.level, open.column, open.row);
        self.lanes.touched(node, first, cells_a_child as f32, limit)
    }
}

/// Whether the segment up to the limit surely lies within the columns and rows of a block.
#[inline(always)]
fn stays_in(
    field: &HeightField,
    segment: &Segment,
    limit: f32,
    [level, column, row]: [usize; 3],
) -> bool {
    let size = 1 << (2 * level);
    let stays = |axis: &Axis, block: usize, lines: usize| {
        let end = axis.start + axis.travel * limit;
        let (low, high) = if axis.travel > 0.0 {
            (axis.start, end)
        } else {
            (end, axis.start)
        };
        // There is nothing beyond the map's borders.
        let is_first = block == 0;
        let is_last = (block + 1) * size + 1 >= lines;
        (is_first || low - axis.error > (block * size) as f32)
            && (is_last || high + axis.error < ((block + 1) * size) as f32)
    };
    stays(&segment.x, column, field.grid.columns) && stays(&segment.z, row, field.grid.rows)
}

/// The cell along an axis in which the segment starts; any cell is right, this one is best.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from f32 keeps within the range of integers"
)]
#[inline(always)]
fn entry_cell(start: f32, lines: usize) -> usize {
    (start as usize).min(lines - 2)
}

/// The samples of a block of 4x4 cells, where it has all of them.
#[inline(always)]
fn block_rows(field: &HeightField, [column, row]: [usize; 2]) -> Option<[&[f32; 5]; 5]> {
    let (columns, rows) = (field.grid.columns, field.grid.rows);
    if column + 4 >= columns || row + 4 >= rows {
        return None;
    }
    let start = row * columns + column;
    let line = |j: usize| field.heights[start + j * columns..].first_chunk();
    Some([line(0)?, line(1)?, line(2)?, line(3)?, line(4)?])
}

/// The samples of a block at the map's end; beyond it they are copies of the last ones.
#[cold]
fn rows_at_end(field: &HeightField, [column, row]: [usize; 2]) -> [[f32; 5]; 5] {
    let (columns, rows) = (field.grid.columns, field.grid.rows);
    core::array::from_fn(|j| {
        let row = (row + j).min(rows - 1);
        core::array::from_fn(|i| field.heights[row * columns + (column + i).min(columns - 1)])
    })
}
