//! Which cells an arc may touch, front to back.
//!
//! The arc is cut where its shadow on the map turns back along an axis, twice at most: then it passes
//! the columns and rows of a block in one order, and what it may touch comes in the order of t. A
//! block is left out where the heights of the arc over it are not those of the block. This only
//! leaves cells out, and each test here errs towards keeping one.

use super::course::{Course, LineTimes, apex};
use crate::arc_cast::arc::WideArc;
use crate::arc_cast::window::ArcBounds;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::HeightField;
use crate::height_field::grid::Lines;
use crate::height_field::pyramid::{FAN_OUT, Range};
use crate::height_field::ray::wide_walk::{earlier, later};
use core::ops::ControlFlow;
use glam::DVec3;

/// A cell that the arc may touch, and between which t.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    pub(super) column: usize,
    pub(super) row: usize,
    pub(super) t: [f64; 2],
}

/// Takes a cell, and returns up to which t others matter, or stops.
type CellVisit<'a> = &'a mut dyn FnMut(Visit) -> ControlFlow<(), f64>;

/// An arc over a map.
pub(super) struct Walk<'a> {
    field: &'a HeightField,
    arc: &'a WideArc,
    lines: [Lines; 2],
    /// When it may be in the map's box.
    window: [f64; 2],
    /// Bounds the magnitudes of the terms of the arc's coordinates there.
    reach: DVec3,
    /// When it is highest or lowest; NaN where it never is.
    apex: f64,
    /// The height then.
    height_at_apex: f64,
}

impl<'a> Walk<'a> {
    /// `None` where the arc passes by the map before `limit`.
    pub(super) fn new(field: &'a HeightField, arc: &'a WideArc, limit: f64) -> Option<Self> {
        let root = field.ranges.root();
        if root.is_empty() {
            return None;
        }
        let lines = [field.grid.x_lines(), field.grid.z_lines()];
        let [low, high] = [root.min, root.max].map(|height| field.grid.y(height));
        let min = DVec3::new(lines[0].first(), low, lines[1].first());
        let max = DVec3::new(lines[0].end(), high, lines[1].end());
        let window = ArcBounds::from(arc).window(min, max, limit)?;
        let t = window[0].abs().max(window[1].abs());
        let apex = apex(arc.velocity.y, arc.half.y).unwrap_or(f64::NAN);
        Some(Self {
            field,
            arc,
            lines,
            window,
            reach: arc.origin.abs() + (arc.velocity.abs() + arc.half.abs() * t) * t,
            apex,
            height_at_apex: arc.origin.y + 0.5 * arc.velocity.y * apex,
        })
    }

    /// Bounds the magnitudes of the terms of the arc's coordinates over the map.
    pub(super) fn reach(&self) -> DVec3 {
        self.reach
    }

    /// Visits the cells that the arc may touch.
    pub(super) fn run(&self, visit: CellVisit<'_>) -> ControlFlow<()> {
        let [from, to] = self.window;
        let arc = self.arc;
        let turns = [0, 2].map(|axis: usize| apex(arc.velocity[axis], arc.half[axis]));
        let mut ends = turns.map(|turn| turn.filter(|turn| from < *turn && *turn < to));
        ends.sort_by(|one, other| one.partial_cmp(other).unwrap_or(core::cmp::Ordering::Equal));
        let mut limit = to;
        let mut from = from;
        for end in ends.into_iter().flatten().chain([to]) {
            let course = |axis: usize| {
                Course::from(
                    from,
                    [arc.origin[axis], arc.velocity[axis], arc.half[axis]],
                )
            };
            let (x, z) = (course(0), course(2));
            let flip_row = if z.goes_down { FAN_OUT * (FAN_OUT - 1) } else { 0 };
            let mut piece = Piece {
                walk: self,
                flip: if x.goes_down { FAN_OUT - 1 } else { 0 } + flip_row,
                x,
                z,
                from,
                to: end.min(limit),
                off: self.reach.y * (8.0 * UNIT_ROUNDOFF),
                limit: &mut limit,
                visit,
            };
            piece.open(self.field.ranges.top(), 0, 0)?;
            if end > limit {
                break;
            }
            from = end;
        }
        ControlFlow::Continue(())
    }
}

/// A part of the arc that goes one way along each axis of the map.
struct Piece<'a, 'v> {
    walk: &'a Walk<'a>,
    x: Course,
    z: Course,
    /// What turns the number of a child in travel order into its number in the node: as both axes
    /// have four children, bits are flipped where the arc goes down an axis.
    flip: usize,
    from: f64,
    to: f64,
    /// By how much a height of the arc may be off.
    off: f64,
    /// What comes later does not matter.
    limit: &'v mut f64,
    visit: CellVisit<'v>,
}

impl Piece<'_, '_> {
    /// Opens a block: the recursion is as deep as the pyramid is high, 16 levels at most.
    fn open(&mut self, level: usize, column: usize, row: usize) -> ControlFlow<()> {
        let field = self.walk.field;
        let cells_a_child = 1 << (2 * (level - 1));
        let x = self.x.line_times(&self.walk.lines[0], column, cells_a_child);
        let z = self.z.line_times(&self.walk.lines[1], row, cells_a_child);
        if level == 1 {
            return self.visit_cells(column, row, &x, &z);
        }
        let node = field.ranges.node(level, column, row);
        for j in 0..FAN_OUT {
            let from = later(self.from, z.enter[j]);
            if from > earlier(self.to, z.leave[j]) {
                continue;
            }
            for i in 0..FAN_OUT {
                let child = (j * FAN_OUT + i) ^ self.flip;
                let from = later(from, x.enter[i]);
                let to = earlier(earlier(self.to, z.leave[j]), x.leave[i]);
                if from <= to && self.touches([from, to], node.child(child)) {
                    let column = column * FAN_OUT + child % FAN_OUT;
                    let row = row * FAN_OUT + child / FAN_OUT;
                    self.open(level - 1, column, row)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// As [`Self::open`], for the cells of a block of 4x4, which are visited at once.
    fn visit_cells(
        &mut self,
        block_column: usize,
        block_row: usize,
        x: &LineTimes,
        z: &LineTimes,
    ) -> ControlFlow<()> {
        let [columns, rows] = [&self.walk.lines[0], &self.walk.lines[1]].map(|lines| lines.last);
        for j in 0..FAN_OUT {
            let row = block_row * FAN_OUT + (j ^ (self.flip / FAN_OUT));
            let from = later(self.from, z.enter[j]);
            if from > earlier(self.to, z.leave[j]) || row >= rows {
                continue;
            }
            for i in 0..FAN_OUT {
                let column = block_column * FAN_OUT + (i ^ (self.flip % FAN_OUT));
                let from = later(from, x.enter[i]);
                let to = earlier(earlier(self.to, z.leave[j]), x.leave[i]);
                if from > to || column >= columns {
                    continue;
                }
                let t = [from, to];
                if self.touches(t, self.walk.field.cell_range(column, row)) {
                    *self.limit = (self.visit)(Visit { column, row, t })?;
                    self.to = earlier(self.to, *self.limit);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the arc may have a height of the range between two t.
    #[inline]
    fn touches(&self, [from, to]: [f64; 2], range: Range) -> bool {
        if range.is_empty() {
            return false;
        }
        let Walk {
            arc,
            apex,
            height_at_apex,
            field,
            ..
        } = *self.walk;
        let height = |t: f64| arc.origin.y + (arc.velocity.y + arc.half.y * t) * t;
        let (first, last) = (height(from), height(to));
        let (mut low, mut high) = (earlier(first, last), later(first, last));
        if from < apex && apex < to {
            low = earlier(low, height_at_apex);
            high = later(high, height_at_apex);
        }
        let [least, greatest] = [range.min, range.max].map(|height| field.grid.y(height));
        low - self.off <= greatest && least <= high + self.off
    }
}
