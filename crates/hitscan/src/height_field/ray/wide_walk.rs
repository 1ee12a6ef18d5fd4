//! Traversal of the pyramid in f64 by a point or box that moves on a straight line: the cells that it
//! may touch, front to back.
//!
//! One traversal serves rays and moving boxes: a ray is a box without size. This only leaves cells
//! out, and each test here errs towards keeping one; what is hit in a cell is decided elsewhere.

use super::mover::{Mover, Slab, earlier, later};
use super::watch::{Block, FieldWatch, TestedChildren};
use crate::height_field::HeightField;
use crate::height_field::storage::grid::Lines;
use crate::height_field::storage::height_range::Range;
use crate::height_field::storage::pyramid::{FAN_OUT, Node, Span};
use crate::query::watch::Unwatched;
use core::ops::ControlFlow;

/// A cell that the mover may touch.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Visit {
    pub(in crate::height_field) column: usize,
    pub(in crate::height_field) row: usize,
    /// Between which t the mover is inside the cell's box, finite where there is motion.
    pub(in crate::height_field) t: [f64; 2],
}

/// The t at which the four children along an axis are entered and left, in travel order.
struct LineTimes {
    enter: [f64; FAN_OUT],
    leave: [f64; FAN_OUT],
}

impl LineTimes {
    #[inline]
    fn of_children(slab: &Slab, lines: &Lines, block: usize, cells_a_child: usize) -> Self {
        // Indices are whole numbers below 2^53, so their f64 and the lines made of it are exactly
        // those of `Lines::at`. Children beyond the map get an end of no width.
        let first = (block * FAN_OUT * cells_a_child) as f64;
        let (size, last) = (cells_a_child as f64, lines.last as f64);
        let (start, step) = if slab.goes_down() {
            (first + FAN_OUT as f64 * size, -size)
        } else {
            (first, size)
        };
        let mut times = Self {
            enter: [0.0; FAN_OUT],
            leave: [0.0; FAN_OUT],
        };
        let line = |travelled: usize| {
            let index = earlier(start + travelled as f64 * step, last);
            lines.origin + index * lines.spacing
        };
        // The choice is made outside of the loops, so that they become vector code.
        if slab.is_moving() {
            for k in 0..FAN_OUT {
                times.enter[k] = slab.enter_moving(line(k));
                times.leave[k] = slab.leave_moving(line(k + 1));
            }
        } else {
            for k in 0..FAN_OUT {
                [times.enter[k], times.leave[k]] = slab.span_resting(line(k), line(k + 1));
            }
        }
        times
    }
}

/// Children to open, in travel order, and when each is entered.
struct Opened {
    mask: u32,
    enter: [f64; FAN_OUT * FAN_OUT],
}

/// Walks the cells that the mover may touch between its `t_min` and `limit`.
///
/// `visit` returns up to which t cells still matter, or stops the traversal. Cells come in the order of
/// travel: row by row and column by column, with the signs of the direction folded away.
pub(in crate::height_field) fn walk(
    field: &HeightField,
    mover: &Mover,
    limit: f64,
    watch: impl FieldWatch,
    visit: &mut dyn FnMut(Visit) -> ControlFlow<(), f64>,
) -> ControlFlow<()> {
    let root = field.ranges.root();
    if root.is_empty() {
        watch.begins(false);
        return ControlFlow::Continue(());
    }
    let mut walk = Walk::new(field, mover, limit, watch, visit);
    let may_touch = walk.clip(mover.t_min, limit, root).is_some();
    walk.watch.begins(may_touch);
    if !may_touch {
        return ControlFlow::Continue(());
    }
    let top = field.ranges.top();
    walk.watch.climbed(Block::at(top, 0, 0));
    walk.open(top, 0, 0)
}

/// Walks as [`walk`] does, but only the cells of some columns and rows, first to last.
///
/// The traversal begins at the lowest level on which these are four blocks or fewer.
pub(in crate::height_field) fn walk_near(
    field: &HeightField,
    mover: &Mover,
    span: Span,
    limit: f64,
    visit: &mut dyn FnMut(Visit) -> ControlFlow<(), f64>,
) -> ControlFlow<()> {
    let top = field.ranges.top();
    let (level, blocks) = span.blocks_of(FAN_OUT).at_four_blocks(1, top);
    if level >= top {
        return walk(field, mover, limit, Unwatched, visit);
    }
    let mut walk = Walk::new(field, mover, limit, Unwatched, visit);
    for (column, row) in blocks.places() {
        let parent = field
            .ranges
            .node(level + 1, column / FAN_OUT, row / FAN_OUT);
        let range = parent.child(row % FAN_OUT * FAN_OUT + column % FAN_OUT);
        if walk.clip(mover.t_min, walk.limit, range).is_some() {
            walk.open(level, column, row)?;
        }
    }
    ControlFlow::Continue(())
}

struct Walk<'a, W> {
    field: &'a HeightField,
    mover: &'a Mover,
    x_lines: Lines,
    z_lines: Lines,
    limit: f64,
    watch: W,
    visit: &'a mut dyn FnMut(Visit) -> ControlFlow<(), f64>,
}

impl<'a, W: FieldWatch> Walk<'a, W> {
    fn new(
        field: &'a HeightField,
        mover: &'a Mover,
        limit: f64,
        watch: W,
        visit: &'a mut dyn FnMut(Visit) -> ControlFlow<(), f64>,
    ) -> Self {
        Self {
            field,
            mover,
            x_lines: field.grid.x_lines(),
            z_lines: field.grid.z_lines(),
            limit,
            watch,
            visit,
        }
    }

    /// Opens a block: the recursion is as deep as the pyramid is high, 16 levels at most.
    fn open(&mut self, level: usize, column: usize, row: usize) -> ControlFlow<()> {
        let cells_a_child = 1 << (2 * (level - 1));
        let x = LineTimes::of_children(&self.mover.x, &self.x_lines, column, cells_a_child);
        let z = LineTimes::of_children(&self.mover.z, &self.z_lines, row, cells_a_child);
        if level == 1 {
            return self.visit_cells(column, row, &x, &z);
        }
        let node = self.field.ranges.node(level, column, row);
        let mut opened = self.touched_children(node, &x, &z);
        self.watch
            .tested(Block::at(level, column, row), self.of_all(opened.mask));
        while opened.mask != 0 {
            let travelled = opened.mask.trailing_zeros() as usize;
            opened.mask &= opened.mask - 1;
            let child = travelled ^ self.mover.flip;
            let (column, row) = (
                column * FAN_OUT + child % FAN_OUT,
                row * FAN_OUT + child / FAN_OUT,
            );
            if opened.enter[travelled] <= self.limit {
                self.watch.entered(Block::at(level - 1, column, row));
                self.open(level - 1, column, row)?;
            } else {
                self.watch.left_out(Block::at(level - 1, column, row));
            }
        }
        ControlFlow::Continue(())
    }

    /// The test of a block's children: which boxes the mover may touch before the limit.
    #[inline]
    fn touched_children(&self, node: &Node, x: &LineTimes, z: &LineTimes) -> Opened {
        let mut opened = Opened {
            mask: 0,
            enter: [0.0; FAN_OUT * FAN_OUT],
        };
        for j in 0..FAN_OUT {
            let from = later(self.mover.t_min, z.enter[j]);
            let to = earlier(self.limit, z.leave[j]);
            if from > to {
                continue;
            }
            for i in 0..FAN_OUT {
                let (from, to) = (later(from, x.enter[i]), earlier(to, x.leave[i]));
                if from > to {
                    continue;
                }
                let travelled = j * FAN_OUT + i;
                let range = node.child(travelled ^ self.mover.flip);
                if let Some([from, _]) = self.clip(from, to, range) {
                    opened.mask |= 1 << travelled;
                    opened.enter[travelled] = from;
                }
            }
        }
        opened
    }

    /// As [`Self::touched_children`], for the cells of a block of 4x4, which are visited at once.
    fn visit_cells(
        &mut self,
        block_column: usize,
        block_row: usize,
        x: &LineTimes,
        z: &LineTimes,
    ) -> ControlFlow<()> {
        let mut touched = 0;
        for j in 0..FAN_OUT {
            let row = block_row * FAN_OUT + (j ^ (self.mover.flip / FAN_OUT));
            let from = later(self.mover.t_min, z.enter[j]);
            let to = earlier(self.limit, z.leave[j]);
            if from > to || row >= self.z_lines.last {
                continue;
            }
            for i in 0..FAN_OUT {
                let column = block_column * FAN_OUT + (i ^ (self.mover.flip % FAN_OUT));
                let from = later(from, x.enter[i]);
                let to = earlier(earlier(to, self.limit), x.leave[i]);
                if from > to || column >= self.x_lines.last {
                    continue;
                }
                let range = self.field.cell_range(column, row);
                if let Some(t) = self.clip(from, to, range) {
                    touched |= 1 << (j * FAN_OUT + i);
                    self.watch.entered_cell(column, row);
                    self.limit = (self.visit)(Visit { column, row, t })?;
                }
            }
        }
        self.watch
            .tested(Block::at(1, block_column, block_row), self.of_all(touched));
        ControlFlow::Continue(())
    }

    /// The set of all children, of whom these are touched.
    #[expect(clippy::cast_possible_truncation, reason = "sixteen children")]
    #[inline]
    fn of_all(&self, touched: u32) -> TestedChildren {
        TestedChildren {
            tested: u16::MAX,
            touched: touched as u16,
            flip: self.mover.flip as u32,
        }
    }

    /// The part of the t between `from` and `to` in which the mover may touch heights in `range`.
    #[inline]
    fn clip(&self, from: f64, to: f64, range: Range) -> Option<[f64; 2]> {
        if range.is_empty() {
            return None;
        }
        let [low, high] = [range.min, range.max].map(|height| self.field.grid.y(height));
        // Such a ray lies above, below, or in the plane.
        if self.mover.misses_level_ground && low == high {
            return None;
        }
        self.mover.y.clip(from, to, low, high)
    }
}
