//! The height of the ground at a point, in few steps and without branches.
//!
//! A height is estimated in f64 by products instead of quotients, with a bound on how far that may
//! be from the height of `height.rs`. Where no cell, triangle or rounding to f32 hangs on that
//! bound, the estimate is the answer, bit for bit; else `height.rs` is asked. Batches are in
//! `survey_batch.rs`.

use super::HeightField;
use super::cell_index::{ROUNDING, low_bits};
use super::grid::{Diagonal, Grid, Lines};
use super::height::WideGround;
use super::pyramid::Range;
use crate::exact::expansion::{UNIT_ROUNDOFF, nearest_f32};
use crate::simd::dispatch_baseline;
use fearless_simd::{Simd, f64x2, prelude::*};

/// Bound on how far a place in cells is from the one that the map's lines make, in units of the
/// greatest coordinate in cells.
///
/// A place is a difference, a quotient turned product and a product: 3u of itself, which is at most
/// two greatest coordinates. A line is rounded twice, 3u. `height.rs` divides by the distance of two
/// such lines, which changes a place within the cell by 6u of a greatest coordinate more, and by 3u
/// of itself.
const PLACE_ERROR: f64 = 32.0 * UNIT_ROUNDOFF;

/// Bound on the error of a height from roundings alone, in units of the greatest height.
///
/// The estimate has four rises of up to twice that height with weights of up to 1, each rounded
/// twice, and three sums; that of `height.rs` three terms: below 40u together.
const HEIGHT_ERROR: f64 = 64.0 * UNIT_ROUNDOFF;

/// What estimates of heights need to know of a map; pairs are of x and z.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeightSampler {
    pub(super) origin: [f64; 2],
    pub(super) per_spacing: [f64; 2],
    pub(super) half_cells: [f64; 2],
    /// How far from the middle of a gap, in cells, a point is surely in it.
    pub(super) inner: f64,
    /// How far from the diagonal, in cells, a point is surely on its side.
    pub(super) diagonal: f64,
    /// How far beyond the diagonal, in cells, a point may be that is taken for one of the other
    /// triangle: by as many times the fold the two planes differ there.
    pub(super) beyond_diagonal: f64,
    /// The y of height 0.
    pub(super) y: f64,
    pub(super) height_error: f64,
}

impl HeightSampler {
    /// Of a map whose heights lie in `range`.
    pub(super) fn new(grid: &Grid, range: Range) -> Self {
        let greatest = |lines: Lines| lines.first().abs().max(lines.end().abs()) / lines.spacing;
        let place_error = PLACE_ERROR * greatest(grid.x_lines()).max(greatest(grid.z_lines()));
        let tallest = grid.origin[1].abs() + f64::from(range.min.abs().max(range.max.abs()));
        let cells = |samples: usize| (samples - 1) as f64;
        Self {
            origin: [grid.origin[0], grid.origin[2]],
            y: grid.origin[1],
            per_spacing: grid.spacing.map(|spacing| 1.0 / spacing),
            half_cells: [cells(grid.columns) * 0.5, cells(grid.rows) * 0.5],
            inner: 0.5 - place_error,
            diagonal: 2.0 * place_error,
            // Where both sides may be meant, and the error of the place itself.
            beyond_diagonal: 4.0 * place_error,
            // A place that is off changes each of the four weights.
            height_error: (16.0 * place_error + HEIGHT_ERROR) * tallest,
        }
    }
}

impl HeightField {
    /// The y of the ground at (x, z), metres; `None` beyond the map and over a hole.
    ///
    /// The same bits as [`HeightField::height`] gives, in a fraction of the time.
    ///
    /// ```
    /// use hitscan::HeightField;
    /// use hitscan::height_field::Grid;
    /// let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0, 1.0, 0.0, 1.0])?;
    /// assert_eq!(field.ground_height(0.25, 0.5), Some(0.25));
    /// assert_eq!(field.ground_heights(&[[0.75, 0.5], [2.0, 0.0]]), [Some(0.75), None]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn ground_height(&self, x: f32, z: f32) -> Option<f32> {
        let height = dispatch_baseline!(simd => self.estimate(simd, x, z));
        match height {
            Some(height) => Some(height),
            None => self.ground_height_carefully(x, z),
        }
    }

    /// The height where the estimate is sure of it; x and z are worked on side by side.
    #[inline(always)]
    fn estimate<S: Simd>(&self, simd: S, x: f32, z: f32) -> Option<f32> {
        let survey = &self.survey;
        let load = |pair: [f64; 2]| f64x2::simd_from(simd, pair);
        let point = load([f64::from(x), f64::from(z)]);
        let place = (point - load(survey.origin)) * load(survey.per_spacing);
        let rounded = place - 0.5 + ROUNDING;
        let into = place - (rounded - ROUNDING);
        let half = load(survey.half_cells);
        // Written so that NaN is refused.
        let is_sure = (place - half).abs().simd_lt(half) & (into - 0.5).abs().simd_lt(survey.inner);
        let (u, v) = (into[0], into[1]);
        let u = match self.grid.diagonal {
            Diagonal::Anti => u,
            Diagonal::Main => 1.0 - u,
        };
        let w = u + v - 1.0;
        if !is_sure.all_true() {
            return None;
        }
        let sample = low_bits(rounded[1]) * self.grid.columns + low_bits(rounded[0]);
        let [north, south] = self.cell_samples(sample);
        let ([a, b], [c, d]) = match self.grid.diagonal {
            Diagonal::Anti => (north, south),
            Diagonal::Main => ([north[1], north[0]], [south[1], south[0]]),
        };
        let [a, b, c, d] = [f64::from(a), f64::from(b), f64::from(c), f64::from(d)];
        let (p, q) = (b - a, c - a);
        let fold = d - b - q;
        let beyond = if w > 0.0 { w } else { 0.0 };
        let height = a + p * u + q * v + fold * beyond + survey.y;
        let error = survey.height_error + fold.abs() * survey.beyond_diagonal;
        let (low, high) = (nearest_f32(height - error), nearest_f32(height + error));
        (low == high).then_some(low)
    }

    /// The samples of the cell whose first is `sample`, or of another where there is none.
    #[inline(always)]
    pub(super) fn cell_samples(&self, sample: usize) -> [[f32; 2]; 2] {
        let count = self.heights.len() - self.grid.columns;
        let (north, south) = (&self.heights[..count], &self.heights[self.grid.columns..]);
        // Written so that the compiler sees that no index is beyond the samples.
        let (Some(last), true) = (count.checked_sub(2), south.len() == count) else {
            return [[f32::NAN; 2]; 2];
        };
        let sample = sample.min(last);
        [
            [north[sample], north[sample + 1]],
            [south[sample], south[sample + 1]],
        ]
    }

    #[cold]
    #[inline(never)]
    pub(super) fn ground_height_carefully(&self, x: f32, z: f32) -> Option<f32> {
        match self.ground_at(f64::from(x), f64::from(z)) {
            WideGround::Height { height, .. } => Some(nearest_f32(height)),
            WideGround::Outside | WideGround::Hole => None,
        }
    }
}
