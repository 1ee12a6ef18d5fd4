//! Heights at many points: the steps of `survey.rs`, eight points side by side.

use super::HeightField;
use super::cell_index::{ROUNDING, low_bits};
use super::grid::Diagonal;
use super::height_sampler::HeightSampler;
use crate::parallel::answer_chunks;
use crate::simd::dispatch;
use fearless_simd::{Simd, f32x16, f64x8, mask64x8, prelude::*, u64x8};

/// How many points are worked on together.
const LANES: usize = 8;

/// How many points a thread takes at once.
const CHUNK: usize = 1 << 13;

impl HeightField {
    /// [`HeightField::ground_height`] of each point (x, z), in order; on the threads of rayon's
    /// current pool where the feature `parallel` is on.
    #[must_use]
    pub fn ground_heights(&self, points: &[[f32; 2]]) -> Vec<Option<f32>> {
        let mut heights = vec![None; points.len()];
        self.ground_heights_into(points, &mut heights);
        heights
    }

    /// As [`HeightField::ground_heights`], into memory that is used again.
    ///
    /// # Panics
    /// If there are not as many places as points.
    pub fn ground_heights_into(&self, points: &[[f32; 2]], heights: &mut [Option<f32>]) {
        answer_chunks(points, heights, CHUNK, |points, heights| {
            self.fill_ground_heights(points, heights);
        });
    }

    fn fill_ground_heights(&self, points: &[[f32; 2]], heights: &mut [Option<f32>]) {
        dispatch!(self.width, simd => fill_ground_heights(simd, self, points, heights));
    }
}

/// Estimates the heights; what is not sure is asked one by one.
#[inline(always)]
fn fill_ground_heights<S: Simd>(
    simd: S,
    field: &HeightField,
    points: &[[f32; 2]],
    heights: &mut [Option<f32>],
) {
    let (points, rest) = points.as_chunks::<LANES>();
    let (heights, heights_of_rest) = heights.as_chunks_mut::<LANES>();
    for (points, heights) in points.iter().zip(heights) {
        let (found, is_sure) = estimates(simd, field, points);
        for (height, found) in heights.iter_mut().zip(found) {
            *height = Some(found);
        }
        let mut unsure = !is_sure & ((1 << LANES) - 1);
        while unsure != 0 {
            let lane = unsure.trailing_zeros() as usize;
            unsure &= unsure - 1;
            let [x, z] = points[lane];
            heights[lane] = field.ground_height_carefully(x, z);
        }
    }
    for (&[x, z], height) in rest.iter().zip(heights_of_rest) {
        *height = field.ground_height(x, z);
    }
}

/// The heights, and a bit for each that is sure.
#[inline(always)]
fn estimates<S: Simd>(
    simd: S,
    field: &HeightField,
    points: &[[f32; 2]; LANES],
) -> ([f32; LANES], u64) {
    let survey = &field.survey;
    let both = f32x16::from_slice(simd, points.as_flattened());
    let (columns, u, is_column_sure) = gaps(survey, 0, both.unzip_low(both).widen().0);
    let (rows, v, is_row_sure) = gaps(survey, 1, both.unzip_high(both).widen().0);
    let diagonal = field.grid.diagonal;
    let u = match diagonal {
        Diagonal::Anti => u,
        Diagonal::Main => -u + 1.0,
    };
    let w = u + v - 1.0;
    let is_place_sure = is_column_sure & is_row_sure;

    let mut north = [0; LANES];
    let mut south = [0; LANES];
    for lane in 0..LANES {
        let sample = low_bits(rows[lane]) * field.grid.columns + low_bits(columns[lane]);
        let samples = field.cell_samples(sample);
        [north[lane], south[lane]] =
            samples.map(|[west, east]| u64::from(west.to_bits()) | u64::from(east.to_bits()) << 32);
    }
    let north: f32x16<S> = u64x8::simd_from(simd, north).bitcast();
    let south: f32x16<S> = u64x8::simd_from(simd, south).bitcast();
    let (west, east) = (
        north.unzip_low(south).widen(),
        north.unzip_high(south).widen(),
    );
    let ((a, c), (b, d)) = match diagonal {
        Diagonal::Anti => (west, east),
        Diagonal::Main => (east, west),
    };
    let (p, q) = (b - a, c - a);
    let fold = d - b - q;
    let height = a + p * u + q * v + fold * w.max(0.0) + survey.y;
    let error = fold.abs() * survey.beyond_diagonal + survey.height_error;
    let (low, high) = (height - error).narrow(height + error).split();
    // As `nearest_f32`, without -0.
    let (low, high) = (low + 0.0, high + 0.0);
    let is_sure = low.simd_eq(high).to_bitmask() & is_place_sure.to_bitmask();
    (low.into(), is_sure)
}

/// The gap along an axis that each place lies in, as a number that ends in it, how far into the
/// gap the place is, and whether that is sure.
#[inline(always)]
pub(super) fn gaps<S: Simd>(
    survey: &HeightSampler,
    axis: usize,
    x: f64x8<S>,
) -> (f64x8<S>, f64x8<S>, mask64x8<S>) {
    let place = (x - survey.origin[axis]) * survey.per_spacing[axis];
    let rounded = place - 0.5 + ROUNDING;
    let into = place - (rounded - ROUNDING);
    let half = survey.half_cells[axis];
    // Written so that NaN is refused.
    let is_sure = (place - half).abs().simd_lt(half) & (into - 0.5).abs().simd_lt(survey.inner);
    (rounded, into, is_sure)
}
