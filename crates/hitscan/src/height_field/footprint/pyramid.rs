//! The moments of blocks of 4x4 cells, of 16x16, and so on, each about the middle of its block.
//!
//! Each block is the sum of its children in a fixed order, so that an edit leaves the bits of a fresh
//! build.

use super::moments::Moments;
use crate::height_field::storage::grid::Grid;
use crate::height_field::storage::pyramid::{FAN_OUT, Span};
use crate::height_field::{Cell, HeightField};
use glam::DVec2;

/// The blocks of a level, row by row.
#[derive(Debug, Clone)]
struct Level {
    columns: usize,
    blocks: Vec<Moments>,
}

/// The moments of all blocks; level L has 4^(L+1) cells a side.
#[derive(Debug, Clone)]
pub(in crate::height_field) struct MomentPyramid {
    levels: Vec<Level>,
}

impl MomentPyramid {
    pub(super) fn new(field: &HeightField) -> Self {
        let grid = &field.grid;
        let (mut columns, mut rows) = (grid.columns - 1, grid.rows - 1);
        let mut levels = Vec::new();
        while levels.is_empty() || columns > 1 || rows > 1 {
            columns = columns.div_ceil(FAN_OUT);
            rows = rows.div_ceil(FAN_OUT);
            let blocks = vec![Moments::NOTHING; columns * rows];
            levels.push(Level { columns, blocks });
        }
        let mut pyramid = Self { levels };
        pyramid.refresh(
            field,
            Span {
                columns: [0, grid.columns - 2],
                rows: [0, grid.rows - 2],
            },
        );
        pyramid
    }

    /// Makes the blocks that hold these cells as in a fresh build.
    pub(in crate::height_field) fn refresh(&mut self, field: &HeightField, cells: Span) {
        let mut blocks = cells.blocks_of(FAN_OUT);
        for level in 0..self.levels.len() {
            if level > 0 {
                blocks = blocks.blocks_of(FAN_OUT);
            }
            for (column, row) in blocks.places() {
                let moments = match level.checked_sub(1) {
                    None => of_cells(field, column, row),
                    Some(below) => self.of_children(&field.grid, below, column, row),
                };
                let level = &mut self.levels[level];
                level.blocks[row * level.columns + column] = moments;
            }
        }
    }

    pub(super) fn top(&self) -> usize {
        self.levels.len() - 1
    }

    pub(super) fn block(&self, level: usize, column: usize, row: usize) -> &Moments {
        let level = &self.levels[level];
        &level.blocks[row * level.columns + column]
    }

    pub(in crate::height_field) fn memory_bytes(&self) -> usize {
        self.levels
            .iter()
            .map(|level| size_of_val(level.blocks.as_slice()))
            .sum()
    }

    fn of_children(&self, grid: &Grid, below: usize, column: usize, row: usize) -> Moments {
        let middle = middle(&block_ends(grid, below + 1, column, row));
        let level = &self.levels[below];
        let rows = level.blocks.len() / level.columns;
        let ends =
            |block: usize, count: usize| FAN_OUT * block..(FAN_OUT * block + FAN_OUT).min(count);
        let mut sum = Moments::NOTHING;
        for row in ends(row, rows) {
            for column in ends(column, level.columns) {
                let own = self::middle(&block_ends(grid, below, column, row));
                sum = sum.plus(&self.block(below, column, row).moved(own - middle));
            }
        }
        sum
    }
}

/// The cells of a block, as half-open ranges of columns and rows.
pub(super) fn block_cells(
    grid: &Grid,
    level: usize,
    column: usize,
    row: usize,
) -> [core::ops::Range<usize>; 2] {
    let size = FAN_OUT << (2 * level);
    [(column, grid.columns - 1), (row, grid.rows - 1)]
        .map(|(block, count)| block * size..(block * size + size).min(count))
}

/// The corners of a block with the smallest and the largest x and z.
pub(super) fn block_ends(grid: &Grid, level: usize, column: usize, row: usize) -> [DVec2; 2] {
    let [columns, rows] = block_cells(grid, level, column, row);
    [
        DVec2::new(grid.x(columns.start), grid.z(rows.start)),
        DVec2::new(grid.x(columns.end), grid.z(rows.end)),
    ]
}

pub(super) fn middle([min, max]: &[DVec2; 2]) -> DVec2 {
    (*min + *max) * 0.5
}

/// The triangles of a cell that are no holes: which half each is, its corners seen from above, and their
/// heights.
pub(super) fn triangles(cell: &Cell) -> impl Iterator<Item = (usize, [DVec2; 3], [f64; 3])> {
    let halves = [0, 1].map(|half| Some((half, cell.triangle(half)?)));
    halves.into_iter().flatten().map(|(half, corners)| {
        let at = corners.map(|corner| DVec2::new(corner.x, corner.z));
        (half, at, corners.map(|corner| corner.y))
    })
}

fn of_cells(field: &HeightField, column: usize, row: usize) -> Moments {
    let middle = middle(&block_ends(&field.grid, 0, column, row));
    let [columns, rows] = block_cells(&field.grid, 0, column, row);
    let mut sum = Moments::NOTHING;
    for row in rows {
        for column in columns.clone() {
            for (_, at, y) in triangles(&field.cell(column, row)) {
                sum = sum.plus(&Moments::of_triangle(at.map(|at| at - middle), y));
            }
        }
    }
    sum
}
