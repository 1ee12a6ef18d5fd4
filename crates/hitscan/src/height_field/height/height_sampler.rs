//! The height sampler: the elevation at a point, without branches.
//!
//! A floating-point filter: the height is computed in f64 with products instead of quotients, and a
//! bound on how far that may be from the height of `height.rs`. Where neither the cell, the triangle
//! nor the rounding to f32 depends on the error, it is the answer, bit for bit; else `height.rs` is
//! the fallback.

use crate::exact::expansion::{UNIT_ROUNDOFF, nearest_f32};
use crate::height_field::HeightField;
use crate::height_field::WideGround;
use crate::height_field::storage::cell_index::{CellLanes, LineLanes, locate, low_bits};
use crate::height_field::storage::grid::{Diagonal, Grid, Lines};
use crate::height_field::storage::height_range::Range;
use crate::simd::dispatch_baseline;
use fearless_simd::{Simd, f64x2, f64x8, mask64x8, prelude::*};
use glam::Vec2;

/// Bound on how far a position in cells is from the one that the map's lines make, in units of the
/// largest coordinate in cells.
///
/// A position is a difference, a quotient turned product and a product: 3u of itself, which is at
/// most two largest coordinates. A line is rounded twice, 3u. `height.rs` divides by the distance of
/// two such lines, which changes a position within the cell by 6u of a largest coordinate more, and
/// by 3u of itself.
const POSITION_ERROR: f64 = 32.0 * UNIT_ROUNDOFF;

/// Bound on the error of a height from roundings alone, in units of the largest height.
///
/// The filter has four rises of up to twice that height with weights of up to 1, each rounded
/// twice, and three sums; `height.rs` has three terms: below 40u together.
const HEIGHT_ERROR: f64 = 64.0 * UNIT_ROUNDOFF;

/// The constants of the filter for one map; pairs are of x and z.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct HeightSampler {
    pub(in crate::height_field) origin: [f64; 2],
    pub(in crate::height_field) inv_spacing: [f64; 2],
    pub(in crate::height_field) half_cells: [f64; 2],
    /// How far from the middle of a cell, in cells, a point is certainly in it.
    pub(in crate::height_field) inner: f64,
    /// How far from the diagonal, in cells, a point is certainly on its side.
    pub(in crate::height_field) diagonal: f64,
    /// How far beyond the diagonal, in cells, a point may be that is taken for one of the other
    /// triangle: by as many times the fold the two planes differ there.
    pub(in crate::height_field) beyond_diagonal: f64,
    /// The y of height 0.
    pub(in crate::height_field) y: f64,
    pub(in crate::height_field) height_error: f64,
}

impl HeightSampler {
    /// The constants for a map whose heights lie in `range`.
    pub(in crate::height_field) fn new(grid: &Grid, range: Range) -> Self {
        let max_abs = |lines: Lines| lines.first().abs().max(lines.end().abs()) / lines.spacing;
        let position_error = POSITION_ERROR * max_abs(grid.x_lines()).max(max_abs(grid.z_lines()));
        let max_height = grid.origin[1].abs() + f64::from(range.min.abs().max(range.max.abs()));
        let cells = |samples: usize| (samples - 1) as f64;
        Self {
            origin: [grid.origin[0], grid.origin[2]],
            y: grid.origin[1],
            inv_spacing: grid.spacing.map(|spacing| 1.0 / spacing),
            half_cells: [cells(grid.columns) * 0.5, cells(grid.rows) * 0.5],
            inner: 0.5 - position_error,
            diagonal: 2.0 * position_error,
            // Where both sides may be meant, and the error of the position itself.
            beyond_diagonal: 4.0 * position_error,
            // An error of the position changes each of the four weights.
            height_error: (16.0 * position_error + HEIGHT_ERROR) * max_height,
        }
    }

    /// The cells along an axis, 0 for x or 1 for z, that eight coordinates are in.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn cells<S: Simd>(
        &self,
        axis: usize,
        coordinates: f64x8<S>,
    ) -> CellLanes<f64x8<S>, mask64x8<S>> {
        let splat = |value: f64| f64x8::splat(coordinates.simd, value);
        let lines = LineLanes {
            origin: splat(self.origin[axis]),
            inv_spacing: splat(self.inv_spacing[axis]),
            half_cells: splat(self.half_cells[axis]),
        };
        locate(coordinates, lines, self.inner)
    }
}

impl HeightField {
    /// The y of the ground at a point (x, z), metres; `None` beyond the map and over a hole.
    ///
    /// The bits of [`HeightField::height`] without the surface, in a fraction of the time.
    ///
    /// ```
    /// use hitscan::HeightField;
    /// use hitscan::height_field::Grid;
    /// let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0, 1.0, 0.0, 1.0])?;
    /// assert_eq!(field.elevation([0.25, 0.5]), Some(0.25));
    /// let points = [[0.75, 0.5].into(), [2.0, 0.0].into()];
    /// assert_eq!(field.elevations(&points), [Some(0.75), None]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn elevation(&self, point: impl Into<Vec2>) -> Option<f32> {
        let point = point.into();
        let height = dispatch_baseline!(simd => self.filtered_elevation(simd, point));
        match height {
            Some(height) => Some(height),
            None => self.exact_elevation(point),
        }
    }

    /// The height where the filter passes; x and z are worked on side by side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn filtered_elevation<S: Simd>(&self, simd: S, point: Vec2) -> Option<f32> {
        let sampler = &self.sampler;
        let load = |pair: [f64; 2]| f64x2::simd_from(simd, pair);
        let lines = LineLanes {
            origin: load(sampler.origin),
            inv_spacing: load(sampler.inv_spacing),
            half_cells: load(sampler.half_cells),
        };
        let coordinates = load([f64::from(point.x), f64::from(point.y)]);
        let CellLanes {
            indices,
            fractions,
            is_certain,
        } = locate(coordinates, lines, sampler.inner);
        let (u, v) = (fractions[0], fractions[1]);
        let u = match self.grid.diagonal {
            Diagonal::Anti => u,
            Diagonal::Main => 1.0 - u,
        };
        let w = u + v - 1.0;
        if !is_certain.all_true() {
            return None;
        }
        let sample = low_bits(indices[1]) * self.grid.columns + low_bits(indices[0]);
        let [north, south] = self.cell_samples(sample);
        let ([a, b], [c, d]) = match self.grid.diagonal {
            Diagonal::Anti => (north, south),
            Diagonal::Main => ([north[1], north[0]], [south[1], south[0]]),
        };
        let [a, b, c, d] = [f64::from(a), f64::from(b), f64::from(c), f64::from(d)];
        let (p, q) = (b - a, c - a);
        let fold = d - b - q;
        let beyond = if w > 0.0 { w } else { 0.0 };
        let height = a + p * u + q * v + fold * beyond + sampler.y;
        let error = sampler.height_error + fold.abs() * sampler.beyond_diagonal;
        let (low, high) = (nearest_f32(height - error), nearest_f32(height + error));
        (low == high).then_some(low)
    }

    /// The samples of the cell whose first is `sample`, or of another where there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn cell_samples(&self, sample: usize) -> [[f32; 2]; 2] {
        let count = self.heights.len() - self.grid.columns;
        let (north, south) = (&self.heights[..count], &self.heights[self.grid.columns..]);
        // The two lengths and the minimum let the compiler leave out the bounds checks.
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
    pub(in crate::height_field) fn exact_elevation(&self, point: Vec2) -> Option<f32> {
        match self.ground_at(f64::from(point.x), f64::from(point.y)) {
            WideGround::Height { height, .. } => Some(nearest_f32(height)),
            WideGround::Outside | WideGround::Hole => None,
        }
    }
}
