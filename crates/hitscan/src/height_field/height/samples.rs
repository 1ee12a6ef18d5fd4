//! Maxima, sums and counts of blocks of samples, for queries within a radius.
//!
//! Sums are added in a fixed tree, block by block: an edit refits the blocks that it touches from
//! their parts, and so leaves the same bits as a fresh build.

use crate::Error;
use crate::baked::{Reader, Writer, check_length};
use crate::height_field::storage::grid::Grid;
use crate::height_field::storage::pyramid::Span;
use crate::shape::aabb::MAX_COORDINATE;
use crate::storage::Array;
use bytemuck::{Pod, Zeroable};

/// Samples of a block of the lowest level along each axis.
pub(in crate::height_field) const BASE: usize = 8;
/// Blocks of one level in a block of the next, along each axis.
pub(in crate::height_field) const FAN_OUT: usize = 4;

/// The maximum, sum and count of a group of samples; holes are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Zeroable, Pod)]
#[repr(C)]
pub(in crate::height_field) struct Tally {
    pub(in crate::height_field) sum: f64,
    pub(in crate::height_field) count: u32,
    /// Minus infinity where nothing was counted.
    pub(in crate::height_field) max: f32,
}

impl Tally {
    pub(in crate::height_field) const EMPTY: Self = Self {
        sum: 0.0,
        count: 0,
        max: f32::NEG_INFINITY,
    };

    /// Whether it may be that of some of so many samples.
    fn is_sound(&self, samples: usize) -> bool {
        let count = self.count as usize;
        if count == 0 {
            return self.sum == 0.0 && self.max == f32::NEG_INFINITY;
        }
        let max_sum = f64::from(MAX_COORDINATE) * f64::from(self.count);
        count <= samples && self.sum.abs() <= max_sum && self.max.abs() <= MAX_COORDINATE
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn add(&mut self, other: &Self) {
        self.sum += other.sum;
        self.count += other.count;
        self.max = higher(self.max, other.max);
    }
}

/// The tallies of eight columns side by side, which are added up in a fixed order.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct ColumnTallies {
    sum: [f64; BASE],
    count: [u32; BASE],
    max: [f32; BASE],
}

impl ColumnTallies {
    pub(in crate::height_field) const EMPTY: Self = Self {
        sum: [0.0; BASE],
        count: [0; BASE],
        max: [f32::NEG_INFINITY; BASE],
    };

    /// Adds the samples of a row that are wanted and no holes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn add(&mut self, row: &[f32; BASE], is_wanted: [bool; BASE]) {
        for k in 0..BASE {
            let counts = is_wanted[k] & !row[k].is_nan();
            self.sum[k] += if counts { f64::from(row[k]) } else { 0.0 };
            self.count[k] += u32::from(counts);
            let height = if counts { row[k] } else { f32::NEG_INFINITY };
            self.max[k] = higher(self.max[k], height);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn total(&self) -> Tally {
        let [a, b, c, d, e, f, g, h] = self.sum;
        Tally {
            sum: ((a + b) + (c + d)) + ((e + f) + (g + h)),
            count: self.count.iter().sum(),
            max: self.max.into_iter().fold(f32::NEG_INFINITY, higher),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::height_field) struct Level {
    first: usize,
    pub(in crate::height_field) columns: usize,
    pub(in crate::height_field) rows: usize,
    /// Samples of one block along each axis.
    pub(in crate::height_field) size: usize,
}

/// The tallies of all blocks of a height field's samples.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::height_field) struct SamplePyramid {
    pub(in crate::height_field) blocks: Array<Tally>,
    pub(in crate::height_field) levels: Vec<Level>,
}

impl SamplePyramid {
    /// The pyramid over these heights.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn of(grid: &Grid, heights: &[f32]) -> Self {
        let (levels, count) = levels(grid);
        let mut pyramid = Self {
            blocks: vec![Tally::EMPTY; count].into(),
            levels,
        };
        let all = Span {
            columns: [0, grid.columns - 1],
            rows: [0, grid.rows - 1],
        };
        pyramid.refresh(grid, heights, all);
        pyramid
    }

    pub(in crate::height_field) fn bake<'a>(&'a self, writer: &mut Writer<'a>) {
        writer.array(self.blocks.bytes());
    }

    /// The pyramid that was baked next.
    pub(in crate::height_field) fn from_baked(
        reader: &mut Reader<'_>,
        grid: &Grid,
    ) -> Result<Self, Error> {
        let blocks: Array<Tally> = reader.items("tallies of samples")?;
        let (levels, expected) = levels(grid);
        check_length("tallies of samples", expected, blocks.len())?;
        for level in &levels {
            let places = (0..level.rows).flat_map(|row| (0..level.columns).map(move |c| (c, row)));
            for (column, row) in places {
                let span = clipped(column, row, level.size, [grid.columns, grid.rows]);
                let count = |[first, last]: [usize; 2]| last - first + 1;
                let place = level.index(column, row);
                if !blocks[place].is_sound(count(span.columns) * count(span.rows)) {
                    return Err(Error::Baked {
                        what: "tallies of samples",
                        place,
                        expected: "of no more samples than the block has",
                    });
                }
            }
        }
        Ok(Self { blocks, levels })
    }

    /// Refits the blocks that hold these samples: all are then as a fresh build makes them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn refresh(&mut self, grid: &Grid, heights: &[f32], samples: Span) {
        let mut blocks = samples.blocks_of(BASE);
        for (column, row) in blocks.places() {
            let samples = clipped(column, row, BASE, [grid.columns, grid.rows]);
            let index = self.levels[0].index(column, row);
            self.blocks[index] = tally_of(grid, heights, samples);
        }
        for upper in 1..self.levels.len() {
            blocks = blocks.blocks_of(FAN_OUT);
            let children = self.levels[upper - 1];
            for (column, row) in blocks.places() {
                let mut tally = Tally::EMPTY;
                let span = clipped(column, row, FAN_OUT, [children.columns, children.rows]);
                for (column, row) in span.places() {
                    tally.add(&self.blocks[children.index(column, row)]);
                }
                let index = self.levels[upper].index(column, row);
                self.blocks[index] = tally;
            }
        }
    }

    /// The number of samples that have a height.
    pub(in crate::height_field) fn count(&self) -> u32 {
        self.blocks.last().map_or(0, |root| root.count)
    }

    pub(in crate::height_field) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.blocks) + size_of_val(&*self.levels)
    }
}

impl Level {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn index(&self, column: usize, row: usize) -> usize {
        self.first + row * self.columns + column
    }
}

/// The levels of a map's pyramid, and how many blocks they have together.
fn levels(grid: &Grid) -> (Vec<Level>, usize) {
    let mut size = BASE;
    let mut levels = Vec::new();
    let mut first = 0;
    loop {
        let (columns, rows) = (grid.columns.div_ceil(size), grid.rows.div_ceil(size));
        levels.push(Level {
            first,
            columns,
            rows,
            size,
        });
        first += columns * rows;
        if columns == 1 && rows == 1 {
            return (levels, first);
        }
        size *= FAN_OUT;
    }
}

/// The elements of block (column, row) of `size` a side, without those beyond `counts`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn clipped(
    column: usize,
    row: usize,
    size: usize,
    counts: [usize; 2],
) -> Span {
    let ends = |block: usize, count: usize| [block * size, (block * size + size).min(count) - 1];
    Span {
        columns: ends(column, counts[0]),
        rows: ends(row, counts[1]),
    }
}

/// The tally of a block of the lowest level.
#[cfg_attr(not(debug_assertions), inline(always))]
fn tally_of(grid: &Grid, heights: &[f32], samples: Span) -> Tally {
    let [first, last] = samples.columns;
    let is_wanted = core::array::from_fn(|k| first + k <= last);
    let mut columns = ColumnTallies::EMPTY;
    for row in samples.rows[0]..=samples.rows[1] {
        columns.add(&eight_from(heights, row * grid.columns + first), is_wanted);
    }
    columns.total()
}

/// Eight samples from index `start` on; holes beyond the last.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn eight_from(heights: &[f32], start: usize) -> [f32; BASE] {
    if let Some(eight) = heights[start..].first_chunk() {
        return *eight;
    }
    let mut eight = [f32::NAN; BASE];
    let rest = &heights[start..];
    eight[..rest.len()].copy_from_slice(rest);
    eight
}

/// The higher of two numbers, neither NaN: one instruction, unlike `f32::max`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn higher(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
