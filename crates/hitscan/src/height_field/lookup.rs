//! The height of the ground at a point, in few steps and without branches.
//!
//! A point's cell is guessed by a product and confirmed by the cell's own lines, its triangle by
//! the sign of the diagonal's edge where that is clear; what remains unsure, lies beyond the map
//! or over a hole goes to `height.rs`, whose answers these are bit for bit. Batches do the same
//! steps for many points side by side.

use super::HeightField;
use super::grid::{Diagonal, Grid, Lines};
use super::height::{DIAGONAL_ERROR, WideGround};
use crate::exact::nearest_f32;
use fearless_simd::{Simd, dispatch};

/// How many points of a batch are worked on together.
const LANES: usize = 16;

/// How many points of a batch a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 1 << 13;

/// Adding it to a number from 0 to 2^51 rounds that to a whole number, whose lowest bits then hold
/// it: cheaper than a conversion, and vector code everywhere.
const ROUNDING: f64 = (1u64 << 52) as f64;

/// The two lines around a point along one axis.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Gap {
    pub(super) index: usize,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether the map has such a gap, and this is it.
    pub(super) is_sure: bool,
}

impl Gap {
    /// The lowest gap whose closed interval holds `x`, if `is_sure`.
    #[inline(always)]
    pub(super) fn of(lines: &Lines, per_spacing: f64, x: f64) -> Self {
        let guess = ((x - lines.origin) * per_spacing - 0.5 + ROUNDING) - ROUNDING;
        // A point on a line belongs to the gap before it, too.
        let is_before = x <= lines.origin + guess * lines.spacing && guess > 0.0;
        let index = if is_before { guess - 1.0 } else { guess };
        let low = lines.origin + index * lines.spacing;
        let high = lines.origin + (index + 1.0) * lines.spacing;
        let is_first = index == 0.0 && x == low;
        let is_inside = (low < x || is_first) && x <= high;
        let is_on_map = index >= 0.0 && index < lines.last as f64;
        Self {
            index: whole(index),
            low,
            high,
            is_sure: is_inside && is_on_map,
        }
    }
}

/// A whole number from 0 to 2^32 - 1 as an integer; of others something.
#[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
#[inline(always)]
fn whole(x: f64) -> usize {
    (x + ROUNDING).to_bits() as u32 as usize
}

/// Where a point's ground comes from.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The heights at the triangle's right angle, beside it along x, and beside it along z.
    samples: [usize; 3],
    /// How far the point is along the triangle's legs, from 0 to 1.
    u: f64,
    v: f64,
    is_sure: bool,
}

impl Place {
    #[inline(always)]
    fn of(grid: &Grid, per_spacing: [f64; 2], x: f64, z: f64) -> Self {
        let across = Gap::of(&grid.x_lines(), per_spacing[0], x);
        let along = Gap::of(&grid.z_lines(), per_spacing[1], z);
        let is_main = grid.diagonal == Diagonal::Main;
        // As `side_of_diagonal`.
        let (from, to) = if is_main {
            (along.low, along.high)
        } else {
            (along.high, along.low)
        };
        let left = (across.high - across.low) * (z - from);
        let right = (to - from) * (x - across.low);
        let difference = left - right;
        let is_clear = difference.abs() > DIAGONAL_ERROR * (left.abs() + right.abs());
        let is_second = difference > 0.0;
        // As `plane_height`: the right angle stands at the far column for one of the triangles.
        let is_far = is_second != is_main;
        let (x_from, x_to) = ordered(across, is_far);
        let (z_from, z_to) = ordered(along, is_second);
        let corner = along.index * grid.columns + across.index;
        let [near_column, far_column] = [usize::from(is_far), usize::from(!is_far)];
        let [near_row, far_row] =
            [is_second, !is_second].map(|is_low| if is_low { grid.columns } else { 0 });
        Self {
            samples: [
                corner + near_row + near_column,
                corner + near_row + far_column,
                corner + far_row + near_column,
            ],
            u: (x - x_from) / (x_to - x_from),
            v: (z - z_from) / (z_to - z_from),
            is_sure: is_clear && across.is_sure && along.is_sure,
        }
    }

    /// The y of the ground; NaN where that is not sure.
    #[inline(always)]
    fn height(&self, origin: f64, [corner, beside, below]: [f32; 3]) -> f64 {
        let [corner, beside, below] = [corner, beside, below].map(|h| origin + f64::from(h));
        let height = (1.0 - self.u - self.v) * corner + self.u * beside + self.v * below;
        if self.is_sure { height } else { f64::NAN }
    }
}

#[inline(always)]
fn ordered(gap: Gap, is_reversed: bool) -> (f64, f64) {
    if is_reversed {
        (gap.high, gap.low)
    } else {
        (gap.low, gap.high)
    }
}

impl HeightField {
    /// The y of the ground at (x, z), metres; `None` beyond the map and over a hole.
    ///
    /// The same bits as [`HeightField::height`], in a fraction of the time.
    #[must_use]
    #[inline]
    pub fn ground_height(&self, x: f32, z: f32) -> Option<f32> {
        let place = Place::of(&self.grid, self.per_spacing, f64::from(x), f64::from(z));
        let last = self.heights.len() - 1;
        let samples = place.samples.map(|index| self.heights[index.min(last)]);
        let height = place.height(self.grid.origin[1], samples);
        if height.is_nan() {
            self.ground_height_carefully(x, z)
        } else {
            Some(nearest_f32(height))
        }
    }

    /// [`HeightField::ground_height`] of each point (x, z), in order.
    #[must_use]
    pub fn ground_heights(&self, points: &[[f32; 2]]) -> Vec<Option<f32>> {
        let mut heights = vec![None; points.len()];
        #[cfg(feature = "parallel")]
        if points.len() > CHUNK {
            use rayon::prelude::*;
            points
                .par_chunks(CHUNK)
                .zip(heights.par_chunks_mut(CHUNK))
                .for_each(|(points, heights)| self.fill_ground_heights(points, heights));
            return heights;
        }
        self.fill_ground_heights(points, &mut heights);
        heights
    }

    fn fill_ground_heights(&self, points: &[[f32; 2]], heights: &mut [Option<f32>]) {
        dispatch!(self.width.level(), simd => fill_ground_heights(simd, self, points, heights));
    }

    #[cold]
    #[inline(never)]
    fn ground_height_carefully(&self, x: f32, z: f32) -> Option<f32> {
        match self.ground_at(f64::from(x), f64::from(z)) {
            WideGround::Height { height, .. } => Some(nearest_f32(height)),
            WideGround::Outside | WideGround::Hole => None,
        }
    }
}

/// The scalar lines of [`HeightField::ground_height`], each for all lanes before the next, so that
/// they become vector code and the samples of many points are fetched at once.
#[inline(always)]
fn fill_ground_heights<S: Simd>(
    _simd: S,
    field: &HeightField,
    points: &[[f32; 2]],
    heights: &mut [Option<f32>],
) {
    let last = field.heights.len() - 1;
    let (points, rest) = points.as_chunks::<LANES>();
    let (heights, heights_of_rest) = heights.as_chunks_mut::<LANES>();
    for (points, heights) in points.iter().zip(heights) {
        let mut corner = [0; LANES];
        let mut beside = [0; LANES];
        let mut below = [0; LANES];
        let mut u = [0.0; LANES];
        let mut v = [0.0; LANES];
        let mut is_sure = [false; LANES];
        for lane in 0..LANES {
            let [x, z] = points[lane];
            let place = Place::of(&field.grid, field.per_spacing, f64::from(x), f64::from(z));
            [corner[lane], beside[lane], below[lane]] = place.samples;
            (u[lane], v[lane]) = (place.u, place.v);
            is_sure[lane] = place.is_sure;
        }
        let mut samples = [[0.0; LANES]; 3];
        for lane in 0..LANES {
            samples[0][lane] = field.heights[corner[lane].min(last)];
            samples[1][lane] = field.heights[beside[lane].min(last)];
            samples[2][lane] = field.heights[below[lane].min(last)];
        }
        let mut found = [0.0; LANES];
        for lane in 0..LANES {
            let place = Place {
                samples: [0; 3],
                u: u[lane],
                v: v[lane],
                is_sure: is_sure[lane],
            };
            let samples = [samples[0][lane], samples[1][lane], samples[2][lane]];
            found[lane] = nearest_f32(place.height(field.grid.origin[1], samples));
        }
        for lane in 0..LANES {
            let [x, z] = points[lane];
            heights[lane] = if found[lane].is_nan() {
                field.ground_height_carefully(x, z)
            } else {
                Some(found[lane])
            };
        }
    }
    for (&[x, z], height) in rest.iter().zip(heights_of_rest) {
        *height = field.ground_height(x, z);
    }
}
