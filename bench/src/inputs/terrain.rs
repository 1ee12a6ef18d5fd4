//! The terrain: eight octaves of value noise, 0 to 120 m, samples 1 m apart.
//!
//! Octave k has lattice points 256 / 2^k m apart (256, 128, ..., 2 m) and amplitude 2^-k; the sum is
//! stretched so that the map's lowest sample is at 0 and its highest at 120 m, and rounded to
//! 1/1024 m, so that rays can be aimed at vertices and edges without rounding.

use super::noise::{blend, fade, lattice};
use super::on_grid;

const SEED: u64 = 0x7E44_A1A0;
const OCTAVES: u32 = 8;
/// The distance of the first octave's lattice points, metres.
const COARSEST: f64 = 256.0;
const HEIGHT: f64 = 120.0;
/// Heights are multiples of one part of so many a metre.
const PARTS: f64 = 1024.0;

/// A square map of `size` x `size` samples, row by row: sample (i, j) is at x = i, z = j.
#[derive(Clone)]
pub struct Terrain {
    pub size: usize,
    pub heights: Vec<f32>,
}

impl Terrain {
    pub fn new(size: usize) -> Self {
        let mut sums = vec![0.0_f64; size * size];
        for octave in 0..OCTAVES {
            add_octave(&mut sums, size, octave);
        }
        let (low, high) = sums
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), sum| {
                (low.min(*sum), high.max(*sum))
            });
        let stretch = HEIGHT / (high - low);
        let heights = sums
            .iter()
            .map(|sum| on_grid((sum - low) * stretch, PARTS) as f32)
            .collect();
        Self { size, heights }
    }

    /// Metres from the first to the last sample.
    pub fn length(&self) -> f64 {
        (self.size - 1) as f64
    }

    pub fn sample(&self, column: usize, row: usize) -> f32 {
        self.heights[row * self.size + column]
    }

    /// Its triangles, numbered as hitscan does.
    pub fn as_mesh(&self) -> super::Mesh {
        let size = self.size;
        let position = |index: usize| {
            let (column, row) = (index % size, index / size);
            [column as f32, self.heights[index], row as f32]
        };
        let cells = (0..size - 1).flat_map(|row| (0..size - 1).map(move |column| (column, row)));
        let triangles = cells.flat_map(|(column, row)| {
            let corner = |i: usize, j: usize| ((row + j) * size + column + i) as u32;
            [
                [corner(0, 0), corner(0, 1), corner(1, 0)],
                [corner(1, 0), corner(0, 1), corner(1, 1)],
            ]
        });
        super::Mesh {
            positions: (0..size * size).map(position).collect(),
            triangles: triangles.collect(),
        }
    }

    /// The height at (x, z), on the triangle below; each cell's diagonal runs from its (column + 1,
    /// row) to its (column, row + 1).
    pub fn height(&self, x: f64, z: f64) -> f64 {
        let cell = |coordinate: f64| (coordinate as usize).min(self.size - 2);
        let (column, row) = (cell(x), cell(z));
        let (u, v) = (x - column as f64, z - row as f64);
        let at = |i: usize, j: usize| f64::from(self.sample(column + i, row + j));
        if u + v <= 1.0 {
            at(0, 0) + (at(1, 0) - at(0, 0)) * u + (at(0, 1) - at(0, 0)) * v
        } else {
            at(1, 1) + (at(0, 1) - at(1, 1)) * (1.0 - u) + (at(1, 0) - at(1, 1)) * (1.0 - v)
        }
    }
}

/// Adds one octave to all samples. Lattice values along a row are blended in z once a row.
fn add_octave(sums: &mut [f64], size: usize, octave: u32) {
    let scale = f64::from(1_u32 << octave);
    let (spacing, amplitude) = (COARSEST / scale, 1.0 / scale);
    let seed = SEED + u64::from(octave);
    let points = (size as f64 / spacing) as usize + 2;
    let mut blended = vec![0.0; points];
    for (row, sums) in sums.chunks_exact_mut(size).enumerate() {
        let place = row as f64 / spacing;
        let (north, weight) = (place.floor() as i64, fade(place - place.floor()));
        for (point, blended) in blended.iter_mut().enumerate() {
            let at = |row: i64| lattice(seed, [point as i64, row, 0]);
            *blended = blend(at(north), at(north + 1), weight);
        }
        for (column, sum) in sums.iter_mut().enumerate() {
            let place = column as f64 / spacing;
            let west = place as usize;
            let weight = fade(place - place.floor());
            *sum += amplitude * blend(blended[west], blended[west + 1], weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_span_what_they_should() {
        let terrain = Terrain::new(257);
        let heights = terrain.heights.iter().copied();
        assert_eq!(heights.clone().fold(f32::INFINITY, f32::min), 0.0);
        assert_eq!(heights.fold(0.0, f32::max), 120.0);
    }

    #[test]
    fn the_height_at_a_sample_is_the_sample() {
        let terrain = Terrain::new(33);
        for (column, row) in [(0, 0), (5, 7), (32, 32), (32, 0)] {
            let height = terrain.height(column as f64, row as f64);
            assert_eq!(height, f64::from(terrain.sample(column, row)));
        }
    }
}
