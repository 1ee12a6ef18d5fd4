//! The 25 samples of a block of 4x4 cells in half a cache line: rounded to steps, a byte each.
//!
//! A ray that may cross cells of a block reads this instead of five rows of the map, which lie in
//! five pages. What the rounding leaves open is decided on the samples themselves, as ever:
//! `ray/node_test.rs` adds it to its error.

use super::grid::Grid;
use super::height_range::Range;
use super::pyramid::{FAN_OUT, RangePyramid, Span};
use crate::Error;
use crate::baked::{Reader, check_length};
use crate::parallel::check_chunks;
use crate::shape::aabb::MAX_COORDINATE;
use crate::storage::Array;
use bytemuck::{Pod, Zeroable};
use fearless_simd::{Simd, f32x4, f32x16, i32x4, i32x16, prelude::*, u32x4, u32x16};
use std::sync::OnceLock;

/// How far a height may be from the one that its byte encodes, in steps: half a step, and more
/// than what f32 loses on the way, which is 2^-24 of up to 256 steps for each of two operations.
pub(in crate::height_field) const ROUNDING_ERROR: f32 = 0.51;

/// Steps are powers of two between these, so that neither they nor their reciprocals, times any
/// height, leave f32.
const MIN_EXPONENT: i32 = -60;
const MAX_EXPONENT: i32 = 60;
/// What is added to an exponent to keep it as that of an f32.
const BIAS: i32 = 127;

/// Samples of a block along each axis.
const SIDE: usize = FAN_OUT + 1;

/// For each of 16 cells, row by row, where the byte of its row begins in a column.
const ROW_BITS: [u32; FAN_OUT * FAN_OUT] = [0, 0, 0, 0, 8, 8, 8, 8, 16, 16, 16, 16, 24, 24, 24, 24];
const COLUMN_BITS: [u32; FAN_OUT] = [0, 8, 16, 24];

#[derive(Debug, Clone, Copy, PartialEq, Zeroable, Pod)]
#[repr(C, align(32))]
pub(in crate::height_field) struct Tile {
    /// For each column of samples its first four rows, the first in the lowest byte.
    columns: [u32; SIDE],
    /// The last row.
    south: [u8; SIDE],
    /// Of the step, as an f32 keeps it; 0 where the block is not whole or has a hole.
    exponent: u8,
    /// 0, so that no byte is undefined.
    spare: [u8; 2],
    /// The height of byte 0.
    base: f32,
}

/// The heights that a tile's bytes encode at the corners of its 16 cells, in steps above its base: at the
/// first column and row of each cell, the second column, the second row, and both.
pub(in crate::height_field) type Corners<S> = [f32x16<S>; 4];

impl Tile {
    const UNKNOWN: Self = Self {
        columns: [0; SIDE],
        south: [0; SIDE],
        exponent: 0,
        spare: [0; 2],
        base: 0.0,
    };

    /// Whether it is one as `of` makes them.
    fn is_sound(&self) -> bool {
        let exponent = i32::from(self.exponent) - BIAS;
        let is_kept = (MIN_EXPONENT..=MAX_EXPONENT).contains(&exponent);
        (is_kept || !self.is_known()) && self.base.abs() <= MAX_COORDINATE
    }

    /// Whether the tile bounds anything.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn is_known(&self) -> bool {
        self.exponent != 0
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn base(&self) -> f32 {
        self.base
    }

    /// Steps in a metre.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn per_step(&self) -> f32 {
        f32::from_bits((2 * BIAS as u32 - u32::from(self.exponent)) << 23)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn corners<S: Simd>(&self, simd: S) -> Corners<S> {
        let cells = |columns: &[u32]| -> f32x16<S> {
            let columns = u32x16::block_splat(u32x4::from_slice(simd, columns));
            let bytes = (columns >> u32x16::from_slice(simd, &ROW_BITS)) & 0xFF;
            bytes.bitcast::<i32x16<S>>().to_float()
        };
        let row = |bytes: u32| -> f32x16<S> {
            let bytes = (u32x4::splat(simd, bytes) >> u32x4::from_slice(simd, &COLUMN_BITS)) & 0xFF;
            let row: f32x4<S> = bytes.bitcast::<i32x4<S>>().to_float();
            f32x16::block_splat(row)
        };
        let south = |first: usize| {
            let bytes = self.south[first..].first_chunk().copied();
            row(u32::from_le_bytes(bytes.unwrap_or_default()))
        };
        let north_west = cells(&self.columns[..FAN_OUT]);
        let north_east = cells(&self.columns[1..]);
        let south_west = north_west.slide::<FAN_OUT>(south(0));
        let south_east = north_east.slide::<FAN_OUT>(south(1));
        [north_west, north_east, south_west, south_east]
    }

    /// The tile of a block's samples, whose heights have this range unless one is a hole.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of<S: Simd>(simd: S, samples: &[[f32; SIDE]; SIDE], range: Range) -> Self {
        let Range { min, max } = range;
        let step = (f64::from(max) - f64::from(min)) / f64::from(u8::MAX);
        // A step below the heights' ulp is no use.
        let min_magnitude = if min < -max { min } else { -max };
        let finest = f64::from(min_magnitude.abs()) * f64::from(f32::EPSILON);
        let Some(exponent) = exponent_of_step(if step > finest { step } else { finest }) else {
            return Self::UNKNOWN;
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 67 to 187"
        )]
        let mut tile = Self {
            exponent: (exponent + BIAS) as u8,
            base: min,
            ..Self::UNKNOWN
        };
        let per_step = tile.per_step();
        // NaN where there is a hole, which is less than nothing.
        let steps = |row: f32x4<S>| (row - min) * per_step + 0.5;
        let row = |j: usize| steps(f32x4::from_slice(simd, &samples[j][..FAN_OUT]));
        let (a, b, c, d, south) = (row(0), row(1), row(2), row(3), row(4));
        let last = |j: usize| samples[j][FAN_OUT];
        let east = [last(0), last(1), last(2), last(3)];
        let east = steps(f32x4::load_array(simd, east));
        let corner = steps(f32x4::splat(simd, last(FAN_OUT)));
        let is_whole = (a.simd_ge(0.0) & b.simd_ge(0.0) & c.simd_ge(0.0) & d.simd_ge(0.0))
            & (south.simd_ge(0.0) & east.simd_ge(0.0) & corner.simd_ge(0.0));
        if !is_whole.all_true() {
            return Self::UNKNOWN;
        }
        let bytes = |steps: f32x4<S>| -> u32x4<S> { steps.to_int() };
        let columns = bytes(a) | (bytes(b) << 8) | (bytes(c) << 16) | (bytes(d) << 24);
        tile.columns[..FAN_OUT].copy_from_slice(&columns.to_array());
        tile.columns[FAN_OUT] = packed(simd, bytes(east));
        tile.south[..FAN_OUT].copy_from_slice(&packed(simd, bytes(south)).to_le_bytes());
        [tile.south[FAN_OUT], ..] = packed(simd, bytes(corner)).to_le_bytes();
        tile
    }
}

/// The lanes' lowest bytes, that of the first lane lowest; the others are 0.
#[cfg_attr(not(debug_assertions), inline(always))]
fn packed<S: Simd>(simd: S, bytes: u32x4<S>) -> u32 {
    let shifted = bytes << u32x4::from_slice(simd, &COLUMN_BITS);
    let [a, b, c, d] = shifted.to_array();
    (a | b) | (c | d)
}

/// The exponent of the smallest power of two that is not less than `step`, where there is one.
#[cfg_attr(not(debug_assertions), inline(always))]
fn exponent_of_step(step: f64) -> Option<i32> {
    let bits = step.max(power_of_two(MIN_EXPONENT)).to_bits();
    let is_power = bits << 12 == 0;
    let exponent = (bits >> 52) as i32 - 1023 + i32::from(!is_power);
    (exponent <= MAX_EXPONENT).then_some(exponent)
}

/// 2 to this power, which is one of f64's.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::from((exponent + 1023).unsigned_abs()) << 52)
}

/// The tiles of all blocks, row by row; none before the first query that reads them.
#[derive(Debug, Clone)]
pub(in crate::height_field) struct Tiles {
    made: OnceLock<Array<Tile>>,
    columns: usize,
}

impl Tiles {
    /// Tiles that are not made yet.
    pub(in crate::height_field) fn none(grid: &Grid) -> Self {
        let [columns, _] = tile_counts(grid);
        Self {
            made: OnceLock::new(),
            columns,
        }
    }

    /// The tiles, which `make` makes for the first query.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn get_or_make(
        &self,
        make: impl FnOnce() -> Array<Tile>,
    ) -> &Array<Tile> {
        self.made.get_or_init(make)
    }

    /// The tiles that were baked next.
    pub(in crate::height_field) fn from_baked(
        reader: &mut Reader<'_>,
        grid: &Grid,
    ) -> Result<Self, Error> {
        let tiles: Array<Tile> = reader.items("tiles")?;
        let [columns, rows] = tile_counts(grid);
        check_length("tiles", columns * rows, tiles.len())?;
        check_chunks(&tiles, |first, tiles| {
            let wrong = tiles.iter().position(|tile| !tile.is_sound());
            wrong.map_or(Ok(()), |place| {
                Err(Error::Baked {
                    what: "tiles",
                    place: first + place,
                    expected: "steps of a power of two that is kept, above a height",
                })
            })
        })?;
        Ok(Self {
            made: tiles.into(),
            columns,
        })
    }

    /// All tiles of a map whose ranges are up to date.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn make<S: Simd>(
        simd: S,
        grid: &Grid,
        heights: &[f32],
        ranges: &RangePyramid,
    ) -> Array<Tile> {
        let [columns, rows] = tile_counts(grid);
        let mut tiles = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                tiles.push(tile_of_block(simd, (grid, heights), ranges, [column, row]));
            }
        }
        tiles.into()
    }

    /// Recomputes the tiles that hold these cells, whose ranges are up to date, where tiles are made.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn refresh<S: Simd>(
        &mut self,
        simd: S,
        grid: &Grid,
        heights: &[f32],
        ranges: &RangePyramid,
        cells: Span,
    ) {
        let Some(tiles) = self.made.get_mut() else {
            return;
        };
        let (columns, tiles) = (self.columns, tiles.to_mut());
        for (column, row) in cells.blocks_of(FAN_OUT).places() {
            tiles[row * columns + column] =
                tile_of_block(simd, (grid, heights), ranges, [column, row]);
        }
    }

    /// Where a block's tile is kept.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn index(&self, column: usize, row: usize) -> usize {
        row * self.columns + column
    }

    /// The tiles, where they are made.
    pub(in crate::height_field) fn get(&self) -> Option<&[Tile]> {
        self.made.get().map(|tiles| &**tiles)
    }

    pub(in crate::height_field) fn memory_bytes(&self) -> usize {
        self.get().map_or(0, size_of_val)
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn tile_of_block<S: Simd>(
    simd: S,
    (grid, heights): (&Grid, &[f32]),
    ranges: &RangePyramid,
    [column, row]: [usize; 2],
) -> Tile {
    match samples_of(grid, heights, column, row) {
        Some(samples) => Tile::of(simd, &samples, ranges.of_block(column, row)),
        None => Tile::UNKNOWN,
    }
}

/// The number of tiles in a row, and the number of rows.
fn tile_counts(grid: &Grid) -> [usize; 2] {
    [grid.columns, grid.rows].map(|samples| (samples - 1).div_ceil(FAN_OUT))
}

/// The samples of a block that is whole.
#[cfg_attr(not(debug_assertions), inline(always))]
fn samples_of(
    grid: &Grid,
    heights: &[f32],
    column: usize,
    row: usize,
) -> Option<[[f32; SIDE]; SIDE]> {
    let (column, row) = (column * FAN_OUT, row * FAN_OUT);
    if column + FAN_OUT >= grid.columns || row + FAN_OUT >= grid.rows {
        return None;
    }
    let mut samples = [[0.0; SIDE]; SIDE];
    for (j, samples) in samples.iter_mut().enumerate() {
        let start = (row + j) * grid.columns + column;
        *samples = *heights.get(start..)?.first_chunk()?;
    }
    Some(samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Width;
    use crate::simd::dispatch;

    fn tile_of(width: Width, samples: &[[f32; SIDE]; SIDE]) -> Tile {
        let all = || samples.as_flattened().iter().copied();
        let range = Range {
            min: all().fold(f32::INFINITY, f32::min),
            max: all().fold(f32::NEG_INFINITY, f32::max),
        };
        dispatch!(width, simd => Tile::of(simd, samples, range))
    }

    /// The heights at the corners of the cells, from the tile and from the samples.
    fn check(samples: [[f32; SIDE]; SIDE]) {
        for width in Width::available() {
            let tile = tile_of(width, &samples);
            assert!(tile.is_known(), "{samples:?}");
            assert_eq!(tile, tile_of(Width::default(), &samples));
            let corners = dispatch!(width, simd => {
                let [a, b, c, d] = tile.corners(simd);
                [a.to_array(), b.to_array(), c.to_array(), d.to_array()]
            });
            for (corner, lanes) in corners.iter().enumerate() {
                for (cell, steps) in lanes.iter().enumerate() {
                    let (row, column) = (cell / FAN_OUT + corner / 2, cell % FAN_OUT + corner % 2);
                    let height = f64::from(samples[row][column]) - f64::from(tile.base());
                    let off = height * f64::from(tile.per_step()) - f64::from(*steps);
                    assert!(off.abs() <= f64::from(ROUNDING_ERROR), "{off} {samples:?}");
                    assert!((0.0..=255.0).contains(steps));
                }
            }
        }
    }

    #[test]
    fn tiles_hold_heights_within_their_rounding_error() {
        check([[0.0; SIDE]; SIDE]);
        check([[-7.25; SIDE]; SIDE]);
        check([[f32::MIN_POSITIVE; SIDE]; SIDE]);
        for scale in [1e-30, 1e-3, 1.0, 1e6, 1e15] {
            for offset in [0.0, 1.0, -300.0, 1e4] {
                let sample = |i: usize, j: usize| scale * (((i * 7 + j * 13) % 17) as f32 + offset);
                check(core::array::from_fn(|j| {
                    core::array::from_fn(|i| sample(i, j))
                }));
            }
        }
        // A range of just 255 steps, and the smallest above it.
        for max in [255.0, 255.0f32.next_up(), 256.0] {
            let mut samples = [[0.5; SIDE]; SIDE];
            samples[4][4] = max + 0.5;
            check(samples);
        }
    }

    #[test]
    fn blocks_that_bytes_cannot_represent_are_unknown() {
        let mut samples = [[1.0; SIDE]; SIDE];
        samples[2][3] = f32::NAN;
        assert!(!tile_of(Width::default(), &samples).is_known());
        let mut samples = [[-1e38; SIDE]; SIDE];
        samples[0][0] = 1e38;
        assert!(!tile_of(Width::default(), &samples).is_known());
    }
}
