//! The shape cast against terrain, and the triangles near a box at rest.
//!
//! The pyramid of ranges is searched best first: blocks are opened in the order of the least hit that
//! is possible in them, by t and then by the lowest triangle under the moving box at that t. So a box
//! that falls onto flat ground, where every triangle under it ties, opens one path of blocks. Box
//! against triangle is decided by `shape_cast/`.

use super::HeightField;
use super::grid::Lines;
use super::pyramid::FAN_OUT;
use super::ray::wide_walk::{Mover, Visit, walk};
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::shape_cast::{HitOrder, HitRank, ShapeCast, ShapeHit, box_triangle};
use core::cmp::Reverse;
use core::ops::ControlFlow;
use glam::DVec3;
use std::collections::BinaryHeap;

impl HeightField {
    /// The first hit of a moving shape with the terrain's triangles, or `None`; see
    /// [`Triangle::cast_shape`](crate::Triangle::cast_shape).
    ///
    /// Of hits with the same t an overlap at the start comes first, then the lowest triangle.
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{Aabb, HeightField, shape_cast::ShapeCast};
    /// let plain = HeightField::new(Grid::new(9, 9, [1.0, 1.0]), vec![0.0; 81])?;
    /// let crate_box = Aabb::new([1.5, 2.0, 1.5], [3.0, 3.0, 3.0])?;
    /// let hit = plain.cast_shape(&ShapeCast::new(crate_box, [0.0, -4.0, 0.0])?);
    /// assert_eq!(hit.map(|hit| (hit.t, hit.normal.y)), Some((0.5, 1.0)));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast) -> Option<ShapeHit> {
        self.first_hit(cast, HitOrder::END)
    }

    /// The first hit of a moving shape, if it comes before `limit`.
    pub(crate) fn first_hit(&self, cast: &ShapeCast, limit: HitOrder) -> Option<ShapeHit> {
        let mut search = Search::new(self, cast, limit);
        while search.step().is_continue() {}
        search.best
    }

    /// Calls `visit` for each triangle whose cell's box touches the box from `min` to `max`, until
    /// it breaks. The test of the boxes is exact.
    pub(crate) fn for_each_triangle_in(
        &self,
        min: DVec3,
        max: DVec3,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mover = Mover::new(min, max, DVec3::ZERO, 0.0);
        walk(self, &mover, 0.0, &mut |Visit { column, row, .. }| {
            let cell = self.cell(column, row);
            for half in 0..2 {
                if let Some(corners) = cell.triangle(half) {
                    let triangle = cell.first_triangle + u32::from(half == 1);
                    visit(triangle, &corners)?;
                }
            }
            ControlFlow::Continue(0.0)
        })
    }
}

/// A block that may hold a hit, by the least rank of one; of level 0 it is a cell.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Block {
    rank: HitRank,
    level: usize,
    column: usize,
    row: usize,
}

/// A search for the hit of the least rank.
struct Search<'a> {
    field: &'a HeightField,
    cast: &'a ShapeCast,
    lines: [Lines; 2],
    /// Only hits of a lower rank still matter.
    limit: HitRank,
    best: Option<ShapeHit>,
    blocks: BinaryHeap<Reverse<Block>>,
    /// The last footprint, as most blocks that tie have the same.
    footprint: (HitOrder, Footprint),
}

impl<'a> Search<'a> {
    fn new(field: &'a HeightField, cast: &'a ShapeCast, limit: HitOrder) -> Self {
        let mut search = Self {
            field,
            cast,
            lines: [field.grid.x_lines(), field.grid.z_lines()],
            limit: HitRank::new(limit, 0),
            best: None,
            blocks: BinaryHeap::new(),
            footprint: (HitOrder::END, Footprint::EMPTY),
        };
        let root = field.ranges.root();
        if !root.is_empty() {
            search.consider(field.ranges.top(), [0, 0], [root.min, root.max]);
        }
        search
    }

    /// Opens the best block, or visits it if it is a cell; breaks when no other matters.
    fn step(&mut self) -> ControlFlow<()> {
        let best = self.blocks.pop().filter(|best| best.0.rank < self.limit);
        let Some(Reverse(block)) = best else {
            return ControlFlow::Break(());
        };
        if block.level == 0 {
            self.visit_cell(&block);
        } else {
            self.open(&block);
        }
        ControlFlow::Continue(())
    }

    /// Considers a block's children.
    fn open(&mut self, block: &Block) {
        let level = block.level - 1;
        for place in 0..FAN_OUT * FAN_OUT {
            let column = block.column * FAN_OUT + place % FAN_OUT;
            let row = block.row * FAN_OUT + place / FAN_OUT;
            let is_on_map = column << (2 * level) < self.lines[0].last
                && row << (2 * level) < self.lines[1].last;
            if !is_on_map {
                continue;
            }
            let range = if level == 0 {
                self.field.cell_range(column, row)
            } else {
                let node = self.field.ranges.node(block.level, block.column, block.row);
                node.child(place)
            };
            if !range.is_empty() {
                self.consider(level, [column, row], [range.min, range.max]);
            }
        }
    }

    /// Keeps a block with these heights if it may hold a hit that matters.
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
        let Some(order) = self.cast.earliest_order(min, max) else {
            return;
        };
        if HitRank::new(order, 0) >= self.limit {
            return;
        }
        if self.footprint.0 != order {
            self.footprint = (order, Footprint::new(self.cast, order, &self.lines));
        }
        let rank = HitRank::new(order, self.lowest_triangle(columns, rows));
        if rank < self.limit {
            self.blocks.push(Reverse(Block {
                rank,
                level,
                column,
                row,
            }));
        }
    }

    /// The lowest triangle of these cells that may be hit at the footprint's t.
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
        let cell = self.field.cell(block.column, block.row);
        for half in 0..2 {
            let triangle = cell.first_triangle + u32::from(half == 1);
            if HitRank::new(block.rank.order(), triangle) >= self.limit {
                return;
            }
            let hit = cell
                .triangle(half)
                .and_then(|corners| box_triangle(self.cast, corners));
            let Some(hit) = hit else { continue };
            let rank = HitRank::new(hit.order(), triangle);
            if rank < self.limit {
                self.limit = rank;
                self.best = Some(hit.on(triangle));
            }
        }
    }
}

/// The first column and row of cells that the moving box touches at any t that is reported alike.
struct Footprint {
    first_column: usize,
    first_row: usize,
}

impl Footprint {
    const EMPTY: Self = Self {
        first_column: 0,
        first_row: 0,
    };

    fn new(cast: &ShapeCast, order: HitOrder, lines: &[Lines; 2]) -> Self {
        let first = |axis: usize, lines: &Lines| first_cell(cast, order, axis, lines);
        Self {
            first_column: first(0, &lines[0]),
            first_row: first(2, &lines[1]),
        }
    }
}

/// The index of the first cell along an axis in which a hit of this order is possible.
fn first_cell(cast: &ShapeCast, order: HitOrder, axis: usize, lines: &Lines) -> usize {
    let t = order.t();
    let start = f64::from(cast.start_bounds().min()[axis]);
    let motion = f64::from(cast.motion()[axis]);
    if motion == 0.0 || order == HitOrder::OVERLAP || (motion > 0.0 && t == 0.0) {
        // What lies beside the box and only touches it does not overlap it, and is not hit unless
        // it is approached.
        return match lines.cells_at(start) {
            Some([_, cell]) => cell,
            None if start < lines.first() => 0,
            None => lines.last,
        };
    }
    let earliest = if motion < 0.0 {
        t.next_up()
    } else {
        t.next_down()
    };
    let way = motion * f64::from(earliest.max(0.0));
    // The product and the sum are rounded once each.
    let margin = (start.abs() + way.abs()) * (4.0 * UNIT_ROUNDOFF);
    let reached = start + way - margin;
    match lines.cells_at(reached) {
        Some([cell, _]) => cell,
        None if reached < lines.first() => 0,
        None => lines.last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;
    use crate::height_field::Grid;

    fn plain(size: usize) -> HeightField {
        let grid = Grid {
            origin: [-0.5 * (size - 1) as f64, 0.0, -0.5 * (size - 1) as f64],
            ..Grid::new(size, size, [1.0, 1.0])
        };
        HeightField::new(grid, vec![0.0; size * size]).unwrap()
    }

    fn steps(field: &HeightField, cast: &ShapeCast) -> usize {
        let mut search = Search::new(field, cast, HitOrder::END);
        let mut steps = 0;
        while search.step().is_continue() {
            steps += 1;
        }
        assert!(search.best.is_some());
        steps
    }

    #[test]
    fn a_box_on_flat_ground_opens_one_path_whatever_its_size() {
        let field = plain(1025);
        for size in [1.0, 64.0, 256.0, 900.0] {
            for offset in [0.0, 0.25, 50.5] {
                for motion in [
                    [0.0, -4.0, 0.0],
                    [3.0, -4.0, 3.0],
                    [-3.0, -4.0, -5.0],
                    [0.1, -4.0, 0.3],
                ] {
                    let (low, high) = (offset - 0.5 * size, offset + 0.5 * size);
                    for bottom in [2.0, 0.0, -1.0] {
                        let start = Aabb::new([low, bottom, low], [high, bottom + 2.0, high]);
                        let cast = ShapeCast::new(start.unwrap(), motion).unwrap();
                        let steps = steps(&field, &cast);
                        assert!(steps <= 16, "{steps} steps: {cast:?}");
                    }
                }
            }
        }
    }
}
