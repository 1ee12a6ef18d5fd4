//! The terrain as a source of triangles: those near a box at rest, and a best-first search.
//!
//! The pyramid of ranges is searched best first: blocks are opened in the order of the smallest key that
//! is possible in them, and then by the lowest triangle index under the moving box at that time. So a box
//! that falls onto flat ground, where every triangle under it ties, opens one path of blocks.

use super::near_search::source_triangle;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::HeightField;
use crate::height_field::ray::mover::Mover;
use crate::height_field::ray::wide_walk::{Visit, walk, walk_near};
use crate::height_field::storage::grid::Lines;
use crate::height_field::storage::pyramid::FAN_OUT;
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::ray_cast::hit::TriangleId;
use crate::query::watch::Unwatched;
use core::cmp::{Ordering, Reverse};
use core::ops::ControlFlow;
use glam::DVec3;
use std::collections::BinaryHeap;

impl HeightField {
    /// Calls `visit` for each triangle whose cell's box touches the box from `min` to `max`, until
    /// it breaks. The test of the boxes is exact.
    pub(crate) fn for_each_triangle_in(
        &self,
        min: DVec3,
        max: DVec3,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mover = Mover::new(min, max, DVec3::ZERO, 0.0);
        let mut visit_cell = |Visit { column, row, .. }: Visit| {
            let cell = self.cell(column, row);
            for half in 0..2 {
                if let Some(corners) = cell.triangle(half) {
                    let triangle = cell.first_triangle + u32::from(half == 1);
                    visit(triangle, &corners)?;
                }
            }
            ControlFlow::Continue(0.0)
        };
        let resting = MovingBox {
            min,
            max,
            motion: DVec3::ZERO,
        };
        match self.narrow_span(&resting) {
            Some(span) => walk_near(self, &mover, span, 0.0, &mut visit_cell),
            None => walk(self, &mover, 0.0, Unwatched, &mut visit_cell),
        }
    }
}

impl TriangleSource for HeightField {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        self.for_each_triangle_in(min, max, &mut |triangle, corners| {
            visit(source_triangle(triangle, *corners))
        })
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        if let Some(span) = self.narrow_span(swept) {
            self.search_along(swept, span, search);
            return;
        }
        let mut descent = Descent::new(self, swept, search);
        while descent.step().is_continue() {}
    }
}

/// A block that may hold what is searched for, by the smallest key of it and the lowest triangle index; of level 0
/// it is a cell.
#[derive(Clone, Copy)]
struct Block {
    bound: f64,
    lowest: u32,
    level: u8,
    column: u32,
    row: u32,
}

impl Block {
    /// In the order in which blocks are opened.
    fn compare(&self, other: &Self) -> Ordering {
        let place = |block: &Self| (block.lowest, block.level, block.column, block.row);
        self.bound
            .total_cmp(&other.bound)
            .then(place(self).cmp(&place(other)))
    }
}

impl PartialEq for Block {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other).is_eq()
    }
}

impl Eq for Block {}

impl PartialOrd for Block {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Block {
    fn cmp(&self, other: &Self) -> Ordering {
        self.compare(other)
    }
}

/// The number of blocks that have room before memory is allocated again.
const USUAL_BLOCKS: usize = 64;

/// A search for the triangle of the smallest key.
struct Descent<'a> {
    field: &'a HeightField,
    swept: &'a MovingBox,
    search: &'a mut dyn BestFirst,
    lines: [Lines; 2],
    blocks: BinaryHeap<Reverse<Block>>,
    /// The last footprint with its key, as most blocks that tie have the same.
    footprint: (f64, Footprint),
}

impl<'a> Descent<'a> {
    fn new(field: &'a HeightField, swept: &'a MovingBox, search: &'a mut dyn BestFirst) -> Self {
        let mut descent = Self {
            field,
            swept,
            search,
            lines: [field.grid.x_lines(), field.grid.z_lines()],
            blocks: BinaryHeap::with_capacity(USUAL_BLOCKS),
            footprint: (f64::NAN, Footprint::EMPTY),
        };
        let root = field.ranges.root();
        if !root.is_empty() {
            descent.consider(field.ranges.top(), [0, 0], [root.min, root.max]);
        }
        descent
    }

    /// Opens the best block, or visits it if it is a cell; breaks when no other matters.
    fn step(&mut self) -> ControlFlow<()> {
        let Some(Reverse(block)) = self.blocks.pop() else {
            return ControlFlow::Break(());
        };
        // Those that remain have no lower bounds, and of the same bound no lower triangles.
        if !self.admits(block.bound, block.lowest) {
            return ControlFlow::Break(());
        }
        if block.level == 0 {
            self.visit_cell(&block);
        } else {
            self.open(&block);
        }
        ControlFlow::Continue(())
    }

    fn admits(&mut self, bound: f64, triangle: u32) -> bool {
        self.search.admits(bound, TriangleId { part: 0, triangle })
    }

    /// Considers a block's children.
    fn open(&mut self, block: &Block) {
        let level = usize::from(block.level) - 1;
        let [first_column, first_row] = [block.column, block.row].map(|index| index as usize);
        for place in 0..FAN_OUT * FAN_OUT {
            let column = first_column * FAN_OUT + place % FAN_OUT;
            let row = first_row * FAN_OUT + place / FAN_OUT;
            let is_on_map = column << (2 * level) < self.lines[0].last
                && row << (2 * level) < self.lines[1].last;
            if !is_on_map {
                continue;
            }
            let range = if level == 0 {
                self.field.cell_range(column, row)
            } else {
                let node = self.field.ranges.node(level + 1, first_column, first_row);
                node.child(place)
            };
            if !range.is_empty() {
                self.consider(level, [column, row], [range.min, range.max]);
            }
        }
    }

    /// Keeps a block with these heights if it may hold what matters.
    fn consider(&mut self, level: usize, [column, row]: [usize; 2], heights: [f32; 2]) {
        let cells = |index: usize, lines: &Lines| {
            let first = index << (2 * level);
            [first, (first + (1 << (2 * level))).min(lines.last)]
        };
        let (columns, rows) = (cells(column, &self.lines[0]), cells(row, &self.lines[1]));
        let [x, z] = [(columns, &self.lines[0]), (rows, &self.lines[1])]
            .map(|(ends, lines)| ends.map(|end| lines.at(end)));
        let [low, high] = heights.map(|height| self.field.grid.y(height));
        let (min, max) = (DVec3::new(x[0], low, z[0]), DVec3::new(x[1], high, z[1]));
        let Some(bound) = self.search.lower_bound(min, max) else {
            return;
        };
        if !self.admits(bound, 0) {
            return;
        }
        if self.footprint.0 != bound {
            self.footprint = (bound, Footprint::new(self.swept, bound, &self.lines));
        }
        let lowest = self.lowest_triangle(columns, rows);
        if self.admits(bound, lowest) {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "there are at most 2^32 cells, and 16 levels"
            )]
            self.blocks.push(Reverse(Block {
                bound,
                lowest,
                level: level as u8,
                column: column as u32,
                row: row as u32,
            }));
        }
    }

    /// The lowest triangle index of these cells that may be touched at the footprint's time.
    fn lowest_triangle(&self, columns: [usize; 2], rows: [usize; 2]) -> u32 {
        let footprint = &self.footprint.1;
        let column = columns[0].max(footprint.first_column);
        let row = rows[0].max(footprint.first_row);
        if column >= columns[1] || row >= rows[1] {
            return u32::MAX;
        }
        self.field.grid.first_triangle(column, row)
    }

    fn visit_cell(&mut self, block: &Block) {
        let cell = self.field.cell(block.column as usize, block.row as usize);
        for half in 0..2 {
            let triangle = cell.first_triangle + u32::from(half == 1);
            if !self.admits(block.bound, triangle) {
                return;
            }
            if let Some(corners) = cell.triangle(half) {
                self.search.visit(source_triangle(triangle, corners));
            }
        }
    }
}

/// The first column and row of cells that the moving box touches at any time of one key.
struct Footprint {
    first_column: usize,
    first_row: usize,
}

impl Footprint {
    const EMPTY: Self = Self {
        first_column: 0,
        first_row: 0,
    };

    fn new(swept: &MovingBox, key: f64, lines: &[Lines; 2]) -> Self {
        let first = |axis: usize, lines: &Lines| first_cell(swept, key, axis, lines);
        Self {
            first_column: first(0, &lines[0]),
            first_row: first(2, &lines[1]),
        }
    }
}

/// The index of the first cell along an axis in which a triangle of this key is possible. Keys that are
/// not positive are those at the start.
fn first_cell(swept: &MovingBox, key: f64, axis: usize, lines: &Lines) -> usize {
    let (start, motion) = (swept.min[axis], swept.motion[axis]);
    let at = |x: f64, side: usize| match lines.cells_at(x) {
        Some(cells) => cells[side],
        None if x < lines.first() => 0,
        None => lines.last,
    };
    if swept.motion == DVec3::ZERO {
        // What only touches a resting box is not deep in it.
        return at(start, usize::from(key < 0.0));
    }
    if motion == 0.0 || key < 0.0 || (motion > 0.0 && key == 0.0) {
        // What lies beside the box and only touches it does not overlap it, and is not hit unless
        // it is approached.
        return at(start, 1);
    }
    // The exact time lies between the key and the next f64.
    let way = motion * if motion < 0.0 { key.next_up() } else { key };
    // The product and the sum are rounded once each.
    let margin = (start.abs() + way.abs()) * (4.0 * UNIT_ROUNDOFF);
    at(start + way - margin, 0)
}

#[cfg(test)]
mod tests;
