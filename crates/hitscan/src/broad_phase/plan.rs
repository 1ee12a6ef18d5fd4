//! Choosing the axis along which boxes are swept, and the grid across the other two.
//!
//! A sample of the boxes estimates how far they spread and how large they are; with that the price of
//! each grid is estimated. A bad estimate costs time, never a pair.

use super::sweep::Entry;
use crate::Aabb;

/// The number of boxes that are sampled.
const SAMPLE: usize = 256;
/// The most cells along an axis, a power of two; places of cells are bytes.
pub(super) const MAX_CELLS: usize = 128;
/// The smallest number of boxes in a column, on average.
const MIN_BOXES: f64 = 8.0;
/// The price of a box in a column: it is put there and brought next to its neighbours. All prices
/// are in tests of one box against eight.
const ENTRY: f64 = 3.0;

/// The cells that a box reaches into, on both axes: the first and the last.
pub(super) type CellRange = [[u8; 2]; 2];

/// Where boxes lie and how large they are, along one axis.
#[derive(Debug, Clone, Copy)]
struct Spread {
    /// Where the grid begins.
    from: f32,
    /// Its length.
    length: f32,
    /// The mean size of a box relative to the length, at most 1.
    mean_size: f64,
}

impl Spread {
    /// Of the boxes' `ends` along an axis.
    fn of(mut ends: Vec<(f32, f32)>) -> Self {
        // A few boxes far away must not make the others share a cell.
        let last = ends.len() - 1;
        ends.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (from, to) = (ends[last / 16].0, ends[last - last / 16].0);
        let length = to - from;
        let relative_size = |(low, high): &(f32, f32)| {
            let size = f64::from(high - low) / f64::from(length);
            // 0 / 0 is NaN, which `min` replaces.
            size.min(1.0)
        };
        let sum: f64 = ends.iter().map(relative_size).sum();
        Self {
            from,
            length,
            mean_size: sum / ends.len() as f64,
        }
    }
}

/// How a set of boxes is taken apart.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// Along which columns are swept.
    pub(super) axis: usize,
    /// Across the other two axes.
    pub(super) grids: [Grid; 2],
    /// The estimated price of a box.
    pub(super) price: f64,
}

/// Cells along one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    pub(super) axis: usize,
    /// A power of two.
    pub(super) cells: usize,
    from: f32,
    length: f32,
    /// Cells a metre.
    scale: f32,
}

impl Grid {
    fn new(axis: usize, spread: &Spread, cells: usize) -> Self {
        let mut grid = Self {
            axis,
            cells,
            from: spread.from,
            length: spread.length,
            scale: 0.0,
        };
        grid.set_cells(cells);
        grid
    }

    pub(super) fn set_cells(&mut self, cells: usize) {
        let scale = cells as f32 / self.length;
        self.cells = cells;
        self.scale = if scale.is_finite() { scale } else { 0.0 };
    }

    /// The cell of a coordinate: it grows with the coordinate, and the outermost cells have no end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and there are at most 128 cells"
    )]
    pub(super) fn cell(&self, coordinate: f32) -> u8 {
        let cell = ((coordinate - self.from) * self.scale) as u32;
        cell.min(self.cells as u32 - 1) as u8
    }
}

impl Plan {
    /// One column along x.
    pub(super) fn along_x() -> Self {
        let nowhere = Spread {
            from: 0.0,
            length: 0.0,
            mean_size: 1.0,
        };
        Self {
            axis: 0,
            grids: [1, 2].map(|axis| Grid::new(axis, &nowhere, 1)),
            price: f64::INFINITY,
        }
    }

    /// The plan that looks cheapest for some boxes, at least one.
    pub(super) fn of(boxes: &[Aabb], entries: &[Entry]) -> Self {
        let step = entries.len().div_ceil(SAMPLE);
        let sample = || {
            entries
                .iter()
                .step_by(step)
                .map(|entry| &boxes[entry.number as usize])
        };
        let spreads = [0, 1, 2].map(|axis| {
            Spread::of(
                sample()
                    .map(|item| (item.min()[axis], item.max()[axis]))
                    .collect(),
            )
        });
        let count = entries.len() as f64;
        let mut best = Self::along_x();
        for axis in 0..3 {
            let others = [(axis + 1) % 3, (axis + 2) % 3];
            let sizes = || (0..=MAX_CELLS.ilog2()).map(|exponent| 1usize << exponent);
            for first in sizes() {
                for second in sizes() {
                    let columns = (first * second) as f64;
                    if columns > 1.0 && columns * MIN_BOXES > count {
                        break;
                    }
                    let sizes = others.map(|axis| spreads[axis].mean_size);
                    let copies = (1.0 + sizes[0] * first as f64) * (1.0 + sizes[1] * second as f64);
                    let copies = if columns > 1.0 { copies } else { 1.0 };
                    let at_once = count * copies / columns * spreads[axis].mean_size;
                    let price = copies * (ENTRY + 1.0 + at_once / 8.0);
                    if price < best.price {
                        let grid = |place: usize, cells| {
                            Grid::new(others[place], &spreads[others[place]], cells)
                        };
                        let grids = [grid(0, first), grid(1, second)];
                        best = Self { axis, grids, price };
                    }
                }
            }
        }
        best
    }

    /// The number of columns.
    pub(super) fn columns(&self) -> usize {
        self.grids[0].cells * self.grids[1].cells
    }

    /// The column at these cells.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn column(&self, first: u8, second: u8) -> usize {
        usize::from(first) * self.grids[1].cells + usize::from(second)
    }

    /// Halves the cells along the axis that has more of them.
    pub(super) fn coarsen(&mut self) {
        let [first, second] = &mut self.grids;
        let finer = if first.cells > second.cells {
            first
        } else {
            second
        };
        finer.set_cells(finer.cells / 2);
    }

    /// Finds the cells that each box reaches into, and how many boxes reach into each column. Answers
    /// the sum of these.
    pub(super) fn count(
        &self,
        boxes: &[Aabb],
        entries: &[Entry],
        cell_ranges: &mut [CellRange],
        counts: &mut [usize],
    ) -> usize {
        let mut total = 0;
        for (entry, cell_range) in entries.iter().zip(cell_ranges) {
            let own = &boxes[entry.number as usize];
            let cells = |grid: &Grid| {
                let [first, last] = [own.min()[grid.axis], own.max()[grid.axis]];
                [grid.cell(first), grid.cell(last)]
            };
            *cell_range = [cells(&self.grids[0]), cells(&self.grids[1])];
            let [first, second] = *cell_range;
            for a in first[0]..=first[1] {
                let row = self.column(a, second[0])..=self.column(a, second[1]);
                total += row.end() - row.start() + 1;
                for count in &mut counts[row] {
                    *count += 1;
                }
            }
        }
        total
    }
}
