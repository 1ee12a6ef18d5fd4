//! Maxima, sums and counts of blocks of samples, and what lies within a radius by them.
//!
//! A block that lies in the circle as a whole is taken as a whole, so a large radius does not
//! touch each sample. Sums are added in a fixed tree, block by block: an edit works out the blocks
//! it touches from their parts again, and so leaves the same bits as a fresh build.

use super::grid::Grid;
use super::pyramid::Span;

/// Samples of a block of the lowest level along each axis.
const BASE: usize = 8;
/// Blocks of one level in a block of the next, along each axis.
const FAN_OUT: usize = 4;

/// What a group of samples comes to; holes are not counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tally {
    pub(super) sum: f64,
    pub(super) count: u32,
    /// Minus infinity where nothing was counted.
    pub(super) highest: f32,
}

impl Tally {
    pub(super) const EMPTY: Self = Self {
        sum: 0.0,
        count: 0,
        highest: f32::NEG_INFINITY,
    };

    fn add_sample(&mut self, height: f32) {
        if !height.is_nan() {
            self.sum += f64::from(height);
            self.count += 1;
            self.highest = self.highest.max(height);
        }
    }

    fn add(&mut self, other: &Self) {
        self.sum += other.sum;
        self.count += other.count;
        self.highest = self.highest.max(other.highest);
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Level {
    first: usize,
    columns: usize,
    rows: usize,
    /// Samples of one block along each axis.
    size: usize,
}

/// The tallies of all blocks of a height field's samples.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SamplePyramid {
    blocks: Vec<Tally>,
    levels: Vec<Level>,
}

impl SamplePyramid {
    /// A pyramid in which nothing is counted yet.
    pub(super) fn empty(grid: &Grid) -> Self {
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
                break;
            }
            size *= FAN_OUT;
        }
        Self {
            blocks: vec![Tally::EMPTY; first],
            levels,
        }
    }

    /// Works out anew the blocks that hold these samples, so that all are as if built afresh.
    pub(super) fn refresh(&mut self, grid: &Grid, heights: &[f32], samples: Span) {
        let mut blocks = samples.blocks_of(BASE);
        for (column, row) in blocks.places() {
            let mut tally = Tally::EMPTY;
            for (column, row) in clipped(column, row, BASE, [grid.columns, grid.rows]).places() {
                tally.add_sample(heights[row * grid.columns + column]);
            }
            let index = self.levels[0].index(column, row);
            self.blocks[index] = tally;
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

    /// How many samples are no holes.
    pub(super) fn count(&self) -> u32 {
        self.blocks.last().map_or(0, |root| root.count)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.blocks) + size_of_val(&*self.levels)
    }

    /// The samples within the circle.
    pub(super) fn within(&self, grid: &Grid, heights: &[f32], circle: Circle) -> Reached {
        let mut search = Search {
            pyramid: self,
            grid,
            heights,
            circle,
            reached: Reached {
                tally: Tally::EMPTY,
                is_any: false,
            },
        };
        search.descend(self.levels.len() - 1, 0, 0);
        search.reached
    }
}

impl Level {
    fn index(&self, column: usize, row: usize) -> usize {
        self.first + row * self.columns + column
    }
}

/// The elements of block (column, row) of `size` a side, without those beyond `counts`.
fn clipped(column: usize, row: usize, size: usize, counts: [usize; 2]) -> Span {
    let ends = |block: usize, count: usize| [block * size, (block * size + size).min(count) - 1];
    Span {
        columns: ends(column, counts[0]),
        rows: ends(row, counts[1]),
    }
}

/// The place and the radius of a question, in f64.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circle {
    pub(super) x: f64,
    pub(super) z: f64,
    /// The radius times itself; NaN reaches nothing.
    pub(super) radius_squared: f64,
}

/// The samples that a circle reaches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    pub(super) tally: Tally,
    /// Whether any sample was reached, holes too.
    pub(super) is_any: bool,
}

struct Search<'a> {
    pyramid: &'a SamplePyramid,
    grid: &'a Grid,
    heights: &'a [f32],
    circle: Circle,
    reached: Reached,
}

/// The least and the greatest squared offset of lines along an axis.
struct Offsets {
    near: f64,
    far: f64,
}

impl Search<'_> {
    fn descend(&mut self, level: usize, column: usize, row: usize) {
        let Level { size, .. } = self.pyramid.levels[level];
        let samples = clipped(column, row, size, [self.grid.columns, self.grid.rows]);
        let x = offsets(samples.columns.map(|i| self.grid.x(i) - self.circle.x));
        let z = offsets(samples.rows.map(|j| self.grid.z(j) - self.circle.z));
        // Rounding is monotone: no sample of the block has a smaller sum of squares, as rounded,
        // than the first of these, nor a greater one than the second. So a block is left out or
        // taken only where the same would happen to each of its samples by itself.
        let limit = self.circle.radius_squared;
        let reaches_some = x.near + z.near <= limit;
        if !reaches_some {
            return;
        }
        if x.far + z.far <= limit {
            let index = self.pyramid.levels[level].index(column, row);
            self.reached.is_any = true;
            self.reached.tally.add(&self.pyramid.blocks[index]);
        } else if level == 0 {
            self.take_samples(samples);
        } else {
            let children = self.pyramid.levels[level - 1];
            let span = clipped(column, row, FAN_OUT, [children.columns, children.rows]);
            for (column, row) in span.places() {
                self.descend(level - 1, column, row);
            }
        }
    }

    fn take_samples(&mut self, samples: Span) {
        let [first, last] = samples.columns;
        let mut dx_squared = [0.0; BASE];
        for (square, column) in dx_squared.iter_mut().zip(first..=last) {
            let dx = self.grid.x(column) - self.circle.x;
            *square = dx * dx;
        }
        for row in samples.rows[0]..=samples.rows[1] {
            let dz = self.grid.z(row) - self.circle.z;
            let dz_squared = dz * dz;
            let start = row * self.grid.columns;
            let heights = &self.heights[start + first..=start + last];
            for (height, square) in heights.iter().zip(dx_squared) {
                if square + dz_squared <= self.circle.radius_squared {
                    self.reached.is_any = true;
                    self.reached.tally.add_sample(*height);
                }
            }
        }
    }
}

/// The squared offsets of ascending lines, of which the first and the last are given.
fn offsets([first, last]: [f64; 2]) -> Offsets {
    let squares = [first * first, last * last];
    let far = squares[0].max(squares[1]);
    let near = if first <= 0.0 && last >= 0.0 {
        0.0
    } else {
        squares[0].min(squares[1])
    };
    Offsets { near, far }
}
