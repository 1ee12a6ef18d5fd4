//! Traversal of the pyramid by an arc: the cells that it may touch, front to back.
//!
//! The arc is cut where its shadow on the map turns back along an axis, twice at most: then it passes
//! the columns and rows of a block in one order, and what it may touch comes in the order of t. A
//! block is skipped where the heights of the arc over it are not those of the block. This only
//! culls cells, and each test here errs towards keeping one.

use super::course::{MonotoneAxis, apex};
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::HeightField;
use crate::height_field::ray::mover::{earlier, later};
use crate::height_field::storage::grid::Lines;
use crate::height_field::storage::height_range::Range;
use crate::height_field::storage::pyramid::FAN_OUT;
use crate::height_field::storage::tile::ROUNDING_ERROR;
use crate::narrow_phase::arc_cast::arc::WideArc;
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::simd::{dispatch, prefetch};
use crate::sorting::sort_few;
use core::ops::ControlFlow;
use fearless_simd::{Select, Simd, f32x8, f64x4, prelude::*};
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
    max_abs: DVec3,
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
            max_abs: arc.origin.abs() + (arc.velocity.abs() + arc.half.abs() * t) * t,
            apex,
            height_at_apex: arc.origin.y + 0.5 * arc.velocity.y * apex,
        })
    }

    /// Bounds the magnitudes of the terms of the arc's coordinates over the map.
    pub(super) fn max_abs(&self) -> DVec3 {
        self.max_abs
    }

    /// Visits the cells that the arc may touch.
    pub(super) fn run(&self, visit: CellVisit<'_>) -> ControlFlow<()> {
        let [from, to] = self.window;
        let arc = self.arc;
        let turns = [0, 2].map(|axis: usize| apex(arc.velocity[axis], arc.half[axis]));
        let mut ends = turns.map(|turn| turn.filter(|turn| from < *turn && *turn < to));
        sort_few(&mut ends, |one, other| one > other);
        let mut limit = to;
        let mut from = from;
        for end in ends.into_iter().flatten().chain([to]) {
            let piece_along = |axis: usize| {
                MonotoneAxis::from(from, [arc.origin[axis], arc.velocity[axis], arc.half[axis]])
            };
            let (x, z) = (piece_along(0), piece_along(2));
            let mut piece = Piece {
                walk: self,
                x,
                z,
                from,
                to: end.min(limit),
                limit,
                off: self.max_abs.y * (8.0 * UNIT_ROUNDOFF),
            };
            limit = dispatch!(self.field.width, simd => piece.run(simd, visit))?;
            if end > limit {
                break;
            }
            from = end;
        }
        ControlFlow::Continue(())
    }
}

/// A part of the arc that goes one way along each axis of the map.
struct Piece<'a> {
    walk: &'a Walk<'a>,
    x: MonotoneAxis,
    z: MonotoneAxis,
    from: f64,
    to: f64,
    /// What comes later does not matter.
    limit: f64,
    /// Bound on the error of a height of the arc.
    off: f64,
}

/// A block that is opened, and its children that are still to visit: a bit each, in travel order.
#[derive(Clone, Copy, Default)]
struct Opened {
    level: usize,
    column: usize,
    row: usize,
    children: u16,
}

/// The children of two rows.
const LANES: usize = 2 * FAN_OUT;

/// More than the levels of a pyramid.
const MAX_LEVELS: usize = 17;

impl Piece<'_> {
    /// Visits the cells that the arc may touch, and returns up to which t others matter.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<S: Simd>(&mut self, simd: S, visit: CellVisit<'_>) -> ControlFlow<(), f64> {
        let mut stack = [Opened::default(); MAX_LEVELS];
        let mut depth = 0;
        let mut block = Some([self.walk.field.ranges.top(), 0, 0]);
        loop {
            if let Some([level, column, row]) = block {
                let children = self.touched_children(simd, level, [column, row]);
                if level == 1 {
                    self.visit_cells([column, row], children, visit)?;
                } else {
                    self.fetch_children(level, [column, row], children);
                    stack[depth] = Opened {
                        level,
                        column,
                        row,
                        children,
                    };
                    depth += 1;
                }
            }
            let Some(top) = depth.checked_sub(1) else {
                return ControlFlow::Continue(self.limit);
            };
            let opened = &mut stack[top];
            block = None;
            if opened.children == 0 {
                depth = top;
            } else {
                let travelled = opened.children.trailing_zeros() as usize;
                opened.children &= opened.children - 1;
                let [column, row] = self.child([opened.column, opened.row], travelled);
                block = Some([opened.level - 1, column, row]);
            }
        }
    }

    /// The children of a block that the arc may touch, a bit each, in travel order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn touched_children<S: Simd>(&self, simd: S, level: usize, block: [usize; 2]) -> u16 {
        let heights = if level == 1 {
            self.cell_heights(simd, block)
        } else {
            let node = self.walk.field.ranges.node(level, block[0], block[1]);
            self.heights_of(simd, [&node.min, &node.max], (1.0, 0.0))
        };
        let cells_a_child = 1 << (2 * (level - 1));
        // Without closures, which are not always compiled with the instructions of their surroundings.
        let [x_lines, z_lines] = &self.walk.lines;
        let (columns, rows) = ((block[0], cells_a_child), (block[1], cells_a_child));
        let [enter_x, leave_x] = self.x.child_times(simd, x_lines, columns);
        let [enter_z, leave_z] = self.z.child_times(simd, z_lines, rows);
        let x = [enter_x.max(self.from), leave_x.min(self.to)];
        let enter_z = enter_z.max(self.from).to_array();
        let leave_z = leave_z.min(self.to).to_array();
        let mut touched = 0;
        for row in 0..FAN_OUT {
            let z = [enter_z[row], leave_z[row]];
            touched |= self.touched(simd, (x, z), heights[row]) << (row * FAN_OUT);
        }
        self.in_travel_order(touched)
    }

    /// The y between which a block's children lie, a row each, that are so many steps above a base. Those
    /// of empty children are infinite, and reversed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn heights_of<S: Simd>(
        &self,
        simd: S,
        [lowest, highest]: [&[f32; FAN_OUT * FAN_OUT]; 2],
        (step, base): (f64, f64),
    ) -> [[f64x4<S>; 2]; FAN_OUT] {
        let base = base + self.walk.field.grid.origin[1];
        let (a, b) = f32x8::from_slice(simd, &lowest[..LANES]).widen();
        let (c, d) = f32x8::from_slice(simd, &lowest[LANES..]).widen();
        let (e, f) = f32x8::from_slice(simd, &highest[..LANES]).widen();
        let (g, h) = f32x8::from_slice(simd, &highest[LANES..]).widen();
        [
            [a * step + base, e * step + base],
            [b * step + base, f * step + base],
            [c * step + base, g * step + base],
            [d * step + base, h * step + base],
        ]
    }

    /// As [`Self::heights_of`], of the cells of a block of 4x4. They come from the block's tile, where
    /// that has them: it is in one cache line.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cell_heights<S: Simd>(
        &self,
        simd: S,
        [column, row]: [usize; 2],
    ) -> [[f64x4<S>; 2]; FAN_OUT] {
        let field = self.walk.field;
        let tile = &field.tiles()[field.tile_index(column, row)];
        if tile.is_known() {
            let [a, b, c, d] = tile.corners(simd);
            let lowest = a.min(b).min(c.min(d)) - ROUNDING_ERROR;
            let highest = a.max(b).max(c.max(d)) + ROUNDING_ERROR;
            let (lowest, highest) = (lowest.to_array(), highest.to_array());
            // A power of two, so that only sums round: by far less than what the error has to spare.
            let step = f64::from(tile.per_step()).recip();
            let base = f64::from(tile.base());
            return self.heights_of(simd, [&lowest, &highest], (step, base));
        }
        let [columns, rows] = [&self.walk.lines[0], &self.walk.lines[1]].map(|lines| lines.last);
        let (mut lowest, mut highest) = ([0.0; FAN_OUT * FAN_OUT], [0.0; FAN_OUT * FAN_OUT]);
        for k in 0..FAN_OUT * FAN_OUT {
            let (column, row) = (column * FAN_OUT + k % FAN_OUT, row * FAN_OUT + k / FAN_OUT);
            let range = if column < columns && row < rows {
                field.cell_range(column, row)
            } else {
                Range::EMPTY
            };
            (lowest[k], highest[k]) = (range.min, range.max);
        }
        self.heights_of(simd, [&lowest, &highest], (1.0, 0.0))
    }

    /// Which children of a row the arc may touch, by when it is in their columns and in the row, and by the
    /// y between which they lie: those that it is over at any t, at such a height.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn touched<S: Simd>(
        &self,
        simd: S,
        ([enter_x, leave_x], [enter_z, leave_z]): ([f64x4<S>; 2], [f64; 2]),
        [lowest, highest]: [f64x4<S>; 2],
    ) -> u16 {
        let Walk {
            arc,
            apex,
            height_at_apex,
            ..
        } = *self.walk;
        let from = enter_x.max(enter_z);
        let to = leave_x.min(leave_z);
        let first = (from * arc.half.y + arc.velocity.y) * from + arc.origin.y;
        let last = (to * arc.half.y + arc.velocity.y) * to + arc.origin.y;
        let (mut low, mut high) = (first.min(last), first.max(last));
        // Comparisons with NaN, of an arc without an apex, are false.
        let turns = from.simd_lt(apex) & to.simd_gt(apex);
        let peak = f64x4::splat(simd, height_at_apex);
        if arc.half.y < 0.0 {
            high = turns.select(high.max(peak), high);
        } else {
            low = turns.select(low.min(peak), low);
        }
        let is_touched = from.simd_le(to)
            & (low - self.off).simd_le(highest)
            & (high + self.off).simd_ge(lowest);
        #[expect(clippy::cast_possible_truncation, reason = "the mask has 4 bits")]
        let bits = is_touched.to_bitmask() as u16;
        bits
    }

    /// Children that are numbered row by row in the order in which the arc comes to them, or back.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn in_travel_order(&self, children: u16) -> u16 {
        let mut children = children;
        if self.z.goes_down {
            children = children.reverse_bits();
        }
        if self.x.goes_down != self.z.goes_down {
            // Each row of four bits the other way round.
            children = (children & 0x5555) << 1 | (children >> 1) & 0x5555;
            children = (children & 0x3333) << 2 | (children >> 2) & 0x3333;
        }
        children
    }

    /// Prefetches what is needed to open these children.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fetch_children(&self, level: usize, block: [usize; 2], mut children: u16) {
        while children != 0 {
            let child = self.child(block, children.trailing_zeros() as usize);
            self.walk.field.fetch_block(level - 1, child);
            children &= children - 1;
        }
    }

    /// The column and row of a block's child, by its number in travel order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn child(&self, [column, row]: [usize; 2], travelled: usize) -> [usize; 2] {
        let (i, j) = (travelled % FAN_OUT, travelled / FAN_OUT);
        let turned = |k: usize, goes_down: bool| if goes_down { FAN_OUT - 1 - k } else { k };
        [
            column * FAN_OUT + turned(i, self.x.goes_down),
            row * FAN_OUT + turned(j, self.z.goes_down),
        ]
    }

    /// Visits cells of a block of 4x4.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_cells(
        &mut self,
        block: [usize; 2],
        mut cells: u16,
        visit: CellVisit<'_>,
    ) -> ControlFlow<()> {
        while cells != 0 {
            let travelled = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let [column, row] = self.child(block, travelled);
            let ([x, z], [from, to]) = (&self.walk.lines, [self.from, self.to]);
            let [enter_x, leave_x] = self.x.span(x, column);
            let [enter_z, leave_z] = self.z.span(z, row);
            let from = later(from, later(enter_x, enter_z));
            let to = earlier(to, earlier(leave_x, leave_z));
            if from <= to {
                let t = [from, to];
                self.limit = visit(Visit { column, row, t })?;
                self.to = earlier(self.to, self.limit);
            }
        }
        ControlFlow::Continue(())
    }
}

impl HeightField {
    /// Prefetches what is needed to open a block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fetch_block(&self, level: usize, [column, row]: [usize; 2]) {
        if level == 1 {
            prefetch(&self.tiles()[self.tile_index(column, row)]);
        } else {
            prefetch(self.ranges.node(level, column, row));
        }
    }

    /// Prefetches the smallest blocks in which an arc starts.
    pub(in crate::height_field) fn fetch_start(&self, arc: &WideArc) {
        let start = arc.at(arc.t_min);
        let cell = |lines: &Lines, place: f64| {
            let index = (place - lines.origin) / lines.spacing;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a checked grid has fewer than 2^32 lines; what is beside it is cut off"
            )]
            let index = index.max(0.0).min((lines.last - 1) as f64) as usize;
            index
        };
        let (column, row) = (
            cell(&self.grid.x_lines(), start.x),
            cell(&self.grid.z_lines(), start.z),
        );
        for level in (1..=self.ranges.top().min(3)).rev() {
            self.fetch_block(level, [column, row].map(|cell| cell >> (2 * level)));
        }
    }
}
