//! The lowest and the highest height of blocks of 4x4 cells, of 16x16, and so on.
//!
//! They let a ray skip a whole block at once; the traversals are in `ray/`. `samples.rs` is the other
//! pyramid, of sums, for heights within a radius.
//!
//! A node holds the ranges of its 16 children side by side, so that a vector of lanes can test
//! them together. A block of 4x4 cells has no node: the ranges of its cells come from the samples.
//!
//! Source: Tevs, Ihrke, Seidel, "Maximum Mipmaps for Fast, Accurate, and Scalable Dynamic Height
//! Field Rendering", I3D 2008; here with minima too, and 4x4 children in place of 2x2.

use super::grid::Grid;
use super::height_range::{Range, cell_heights};
use crate::Error;
use crate::baked::check_length;
use crate::cancel::{Cancel, Cancelled};
use crate::storage::Array;
use bytemuck::{Pod, Zeroable};

/// Children of a block along each axis, as columns and rows of blocks are counted.
pub(in crate::height_field) const SIDE: u32 = 4;
pub(in crate::height_field) const FAN_OUT: usize = SIDE as usize;

/// The ranges of a block's children, row-major; children beyond the map are empty.
#[derive(Debug, Clone, Copy, PartialEq, Zeroable, Pod)]
#[repr(C, align(64))]
pub(in crate::height_field) struct Node {
    pub(in crate::height_field) min: [f32; FAN_OUT * FAN_OUT],
    pub(in crate::height_field) max: [f32; FAN_OUT * FAN_OUT],
}

impl Node {
    const EMPTY: Self = Self {
        min: [Range::EMPTY.min; FAN_OUT * FAN_OUT],
        max: [Range::EMPTY.max; FAN_OUT * FAN_OUT],
    };

    #[inline]
    pub(in crate::height_field) fn child(&self, index: usize) -> Range {
        Range {
            min: self.min[index],
            max: self.max[index],
        }
    }

    fn range(&self) -> Range {
        (0..FAN_OUT * FAN_OUT)
            .map(|index| self.child(index))
            .fold(Range::EMPTY, Range::union)
    }
}

/// One level's nodes in the array of all.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Level {
    first: usize,
    columns: usize,
    rows: usize,
}

/// The ranges of all blocks of a height field. A block of level L has 4^L cells a side.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::height_field) struct RangePyramid {
    /// All levels' nodes, from level 2 up.
    pub(in crate::height_field) nodes: Array<Node>,
    /// Level L is at index L; 0 and 1 have no nodes.
    levels: Vec<Level>,
    /// The range of the block that covers the whole map.
    root: Range,
}

/// Cells or blocks from the first to the last column and row, both included.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Span {
    pub(in crate::height_field) columns: [usize; 2],
    pub(in crate::height_field) rows: [usize; 2],
}

impl Span {
    /// The blocks of `size` elements a side that hold these elements.
    pub(in crate::height_field) fn blocks_of(self, size: usize) -> Self {
        Self {
            columns: self.columns.map(|column| column / size),
            rows: self.rows.map(|row| row / size),
        }
    }

    /// These blocks, or those of the lowest level above them on which they are four or fewer, up to the
    /// level `top`; with the level.
    pub(in crate::height_field) fn at_four_blocks(self, level: usize, top: usize) -> (usize, Self) {
        let is_wide = |[first, last]: [usize; 2]| last > first + 1;
        let (mut level, mut blocks) = (level, self);
        while level < top && (is_wide(blocks.columns) || is_wide(blocks.rows)) {
            blocks = blocks.blocks_of(FAN_OUT);
            level += 1;
        }
        (level, blocks)
    }

    /// All (column, row), row by row.
    pub(in crate::height_field) fn places(self) -> impl Iterator<Item = (usize, usize)> {
        let Self {
            columns: [first, last],
            rows,
        } = self;
        (rows[0]..=rows[1]).flat_map(move |row| (first..=last).map(move |column| (column, row)))
    }
}

impl RangePyramid {
    /// A pyramid in which each block is empty.
    pub(in crate::height_field) fn empty(grid: &Grid) -> Self {
        let (levels, count) = levels(grid);
        Self {
            nodes: vec![Node::EMPTY; count].into(),
            levels,
            root: Range::EMPTY,
        }
    }

    /// The pyramid over these heights whose blocks have these children, which are sound.
    pub(in crate::height_field) fn of_nodes(
        nodes: Array<Node>,
        grid: &Grid,
        heights: &[f32],
    ) -> Result<Self, Error> {
        let (levels, expected) = levels(grid);
        check_length("height ranges", expected, nodes.len())?;
        let root = match nodes.last() {
            Some(node) => node.range(),
            None => block_range(grid, heights, 0, 0),
        };
        Ok(Self {
            nodes,
            levels,
            root,
        })
    }

    /// Refits the blocks that hold these cells, so that all are as in a fresh build.
    #[cfg_attr(not(debug_assertions), inline(always))]
    ///
    /// # Errors
    /// [`Cancelled`]; then it is of no use.
    pub(in crate::height_field) fn refresh(
        &mut self,
        grid: &Grid,
        heights: &[f32],
        cells: Span,
        cancel: Cancel<'_>,
    ) -> Result<(), Cancelled> {
        let blocks = cells.blocks_of(FAN_OUT);
        for row in blocks.rows[0]..=blocks.rows[1] {
            cancel.check()?;
            for column in blocks.columns[0]..=blocks.columns[1] {
                let range = block_range(grid, heights, column, row);
                self.store(1, column, row, range);
            }
        }
        let mut blocks = blocks;
        for level in 2..self.levels.len() {
            cancel.check()?;
            blocks = blocks.blocks_of(FAN_OUT);
            for (column, row) in blocks.places() {
                let range = self.node(level, column, row).range();
                self.store(level, column, row, range);
            }
        }
        Ok(())
    }

    /// The level of the one block that covers the whole map, at least 1.
    pub(in crate::height_field) fn top(&self) -> usize {
        self.levels.len() - 1
    }

    /// The range of the whole map.
    #[inline]
    pub(in crate::height_field) fn root(&self) -> Range {
        self.root
    }

    /// The range of a block of 4x4 cells.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn of_block(&self, column: usize, row: usize) -> Range {
        if self.top() == 1 {
            return self.root;
        }
        let parent = self.node(2, column / FAN_OUT, row / FAN_OUT);
        parent.child(child_at(column, row))
    }

    /// The range of a block of level 1 or above.
    #[inline]
    pub(in crate::height_field) fn of(&self, level: usize, column: usize, row: usize) -> Range {
        if level == self.top() {
            return self.root;
        }
        let parent = self.node(level + 1, column / FAN_OUT, row / FAN_OUT);
        parent.child(child_at(column, row))
    }

    /// The children of a block of level 2 or above.
    #[inline]
    pub(in crate::height_field) fn node(&self, level: usize, column: usize, row: usize) -> &Node {
        self.at(self.index(level, column, row))
    }

    /// The children that are kept there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn at(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    pub(in crate::height_field) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.levels)
    }

    /// Where the children of a block of level 2 or above are kept.
    #[inline]
    pub(in crate::height_field) fn index(&self, level: usize, column: usize, row: usize) -> usize {
        let level = &self.levels[level];
        level.first + row * level.columns + column
    }

    /// Writes a block's range where its parent keeps it.
    fn store(&mut self, level: usize, column: usize, row: usize, range: Range) {
        if level == self.top() {
            self.root = range;
            return;
        }
        let parent = self.index(level + 1, column / FAN_OUT, row / FAN_OUT);
        let child = child_at(column, row);
        let parent = &mut self.nodes.to_mut()[parent];
        parent.min[child] = range.min;
        parent.max[child] = range.max;
    }
}

/// The levels of a map's pyramid, and how many nodes they have together.
fn levels(grid: &Grid) -> (Vec<Level>, usize) {
    let (mut columns, mut rows) = (grid.columns - 1, grid.rows - 1);
    let mut levels = Vec::new();
    let mut first = 0;
    loop {
        let has_nodes = levels.len() >= 2;
        levels.push(Level {
            first,
            columns,
            rows,
        });
        if has_nodes {
            first += columns * rows;
        }
        if levels.len() >= 2 && columns == 1 && rows == 1 {
            return (levels, first);
        }
        columns = columns.div_ceil(FAN_OUT);
        rows = rows.div_ceil(FAN_OUT);
    }
}

/// Which child of its parent a block is.
#[cfg_attr(not(debug_assertions), inline(always))]
fn child_at(column: usize, row: usize) -> usize {
    row % FAN_OUT * FAN_OUT + column % FAN_OUT
}

/// The range of a block of 4x4 cells, or of fewer at the map's end.
#[cfg_attr(not(debug_assertions), inline(always))]
fn block_range(grid: &Grid, heights: &[f32], column: usize, row: usize) -> Range {
    let (first_column, first_row) = (FAN_OUT * column, FAN_OUT * row);
    let is_whole = first_column + FAN_OUT < grid.columns && first_row + FAN_OUT < grid.rows;
    if is_whole && let Some(range) = whole_block_range(grid, heights, first_column, first_row) {
        return range;
    }
    let last = |first: usize, samples: usize| (first + FAN_OUT - 1).min(samples - 2);
    let cells = Span {
        columns: [first_column, last(first_column, grid.columns)],
        rows: [first_row, last(first_row, grid.rows)],
    };
    cells
        .places()
        .map(|(column, row)| {
            Range::of_cell(grid.diagonal, cell_heights(grid, heights, column, row))
        })
        .fold(Range::EMPTY, Range::union)
}

/// The range of a block that has all of its samples; `None` where one is a hole.
#[cfg_attr(not(debug_assertions), inline(always))]
fn whole_block_range(grid: &Grid, heights: &[f32], column: usize, row: usize) -> Option<Range> {
    let mut low = [f32::INFINITY; FAN_OUT];
    let mut high = [f32::NEG_INFINITY; FAN_OUT];
    let mut is_hole = [false; FAN_OUT];
    for j in 0..=FAN_OUT {
        let start = (row + j) * grid.columns + column;
        let line: &[f32; FAN_OUT + 1] = heights.get(start..)?.first_chunk()?;
        for i in 0..FAN_OUT {
            let (west, east) = (line[i], line[i + 1]);
            low[i] = lower(low[i], lower(west, east));
            high[i] = -lower(-high[i], lower(-west, -east));
            is_hole[i] |= west.is_nan() | east.is_nan();
        }
    }
    let [a, b, c, d] = low;
    let min = lower(lower(a, b), lower(c, d));
    let [a, b, c, d] = high;
    let max = -lower(lower(-a, -b), lower(-c, -d));
    (is_hole == [false; FAN_OUT]).then_some(Range { min, max })
}

/// The lower of two numbers, neither NaN: one instruction, unlike `f32::min`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_end_in_one_block() {
        for (columns, rows, top) in [(2, 2, 1), (5, 5, 1), (6, 2, 2), (1025, 1025, 5), (2, 66, 4)] {
            let grid = Grid::new(columns, rows, [1.0, 1.0]);
            let mut heights = vec![1.0; columns * rows];
            heights[columns * rows - 1] = 7.0;
            let mut pyramid = RangePyramid::empty(&grid);
            assert_eq!(pyramid.top(), top);
            let all = Span {
                columns: [0, columns - 2],
                rows: [0, rows - 2],
            };
            pyramid
                .refresh(&grid, &heights, all, Cancel::NEVER)
                .unwrap();
            assert_eq!(pyramid.root(), Range { min: 1.0, max: 7.0 });
        }
    }
}
