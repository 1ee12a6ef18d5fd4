//! Heights at many points: slices in, answers out in the same order.
//!
//! Elevations are filtered as in `height_sampler.rs`, eight points side by side.

use super::ground::Ground;
use crate::height_field::HeightField;
use crate::height_field::storage::cell_index::low_bits;
use crate::height_field::storage::grid::Diagonal;
use crate::parallel::answer_chunks;
use crate::simd::dispatch_wide;
use fearless_simd::{Simd, f32x16, prelude::*, u64x8};
use glam::Vec2;

/// The number of points that are filtered together.
const LANES: usize = 8;

/// The number of points a task: whole vectors, so that only the last task has a partial one. A
/// compromise: large enough that starting a task costs little beside a few vector operations a point,
/// small enough for threads to end together.
const CHUNK: usize = 1 << 13;

impl HeightField {
    /// [`HeightField::height`] at each point (x, z), in order; on the threads of rayon's current
    /// pool where the feature `parallel` is on.
    #[must_use]
    pub fn heights(&self, points: &[Vec2]) -> Vec<Ground> {
        let mut grounds = vec![Ground::Outside; points.len()];
        self.heights_into(points, &mut grounds);
        grounds
    }

    /// As [`HeightField::heights`], into a slice.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn heights_into(&self, points: &[Vec2], grounds: &mut [Ground]) {
        fill_chunks(points, grounds, |points, grounds| {
            for (point, ground) in points.iter().zip(grounds) {
                *ground = self.height_at(*point);
            }
        });
    }

    /// [`HeightField::elevation`] at each point (x, z), in order; on threads as
    /// [`HeightField::heights`].
    #[must_use]
    pub fn elevations(&self, points: &[Vec2]) -> Vec<Option<f32>> {
        let mut heights = vec![None; points.len()];
        self.elevations_into(points, &mut heights);
        heights
    }

    /// As [`HeightField::elevations`], into a slice.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn elevations_into(&self, points: &[Vec2], heights: &mut [Option<f32>]) {
        fill_chunks(points, heights, |points, heights| {
            dispatch_wide!(self.width, simd => fill_elevations(simd, self, points, heights));
        });
    }
}

/// Calls `fill` for all points, in chunks on several threads where the feature `parallel` is on.
pub(crate) fn fill_chunks<A: Send>(
    points: &[Vec2],
    answers: &mut [A],
    fill: impl Fn(&[Vec2], &mut [A]) + Sync,
) {
    answer_chunks(points, answers, CHUNK, fill);
}

/// The filter for eight points at a time; the exact fallback for each that fails it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn fill_elevations<S: Simd>(
    simd: S,
    field: &HeightField,
    points: &[Vec2],
    heights: &mut [Option<f32>],
) {
    let (points, rest) = points.as_chunks::<LANES>();
    let (heights, heights_of_rest) = heights.as_chunks_mut::<LANES>();
    for (points, heights) in points.iter().zip(heights) {
        let (found, is_certain) = filtered_elevations(simd, field, points);
        for (height, found) in heights.iter_mut().zip(found) {
            *height = Some(found);
        }
        let mut uncertain = !is_certain & ((1 << LANES) - 1);
        while uncertain != 0 {
            let lane = uncertain.trailing_zeros() as usize;
            uncertain &= uncertain - 1;
            heights[lane] = field.exact_elevation(points[lane]);
        }
    }
    for (point, height) in rest.iter().zip(heights_of_rest) {
        *height = field.elevation(*point);
    }
}

/// The heights, and a bit for each that passes the filter.
#[cfg_attr(not(debug_assertions), inline(always))]
fn filtered_elevations<S: Simd>(
    simd: S,
    field: &HeightField,
    points: &[Vec2; LANES],
) -> ([f32; LANES], u64) {
    let sampler = &field.sampler;
    let mut coordinates = [0.0; 2 * LANES];
    for (pair, point) in coordinates.as_chunks_mut().0.iter_mut().zip(points) {
        *pair = point.to_array();
    }
    let both = f32x16::load_array(simd, coordinates);
    let columns = sampler.cells(0, both.unzip_low(both).widen().0);
    let rows = sampler.cells(1, both.unzip_high(both).widen().0);
    let (u, v) = (columns.fractions, rows.fractions);
    let diagonal = field.grid.diagonal;
    let u = match diagonal {
        Diagonal::Anti => u,
        Diagonal::Main => -u + 1.0,
    };
    let w = u + v - 1.0;
    let is_cell_certain = columns.is_certain & rows.is_certain;

    let mut north = [0; LANES];
    let mut south = [0; LANES];
    for lane in 0..LANES {
        let row_start = low_bits(rows.indices[lane]) * field.grid.columns;
        let samples = field.cell_samples(row_start + low_bits(columns.indices[lane]));
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
    let height = a + p * u + q * v + fold * w.max(0.0) + sampler.y;
    let error = fold.abs() * sampler.beyond_diagonal + sampler.height_error;
    let (low, high) = (height - error).narrow(height + error).split();
    // As `nearest_f32`, without -0.
    let (low, high) = (low + 0.0, high + 0.0);
    let is_certain = low.simd_eq(high).to_bitmask() & is_cell_certain.to_bitmask();
    (low.into(), is_certain)
}
