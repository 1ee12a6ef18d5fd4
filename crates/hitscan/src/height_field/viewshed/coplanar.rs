//! Ground that is exactly coplanar with the ground at the eye, or as high as the eye: no triangle of it
//! blocks a line of sight that ends on it, nor any line if the eye is in the plane too.
//!
//! Each such triangle is a candidate of every line of sight over it, and only exact arithmetic could
//! decide it. Here a sample is compared with a plane once, and the lines of sight in it are decided by
//! what else they pass over (`shadow.rs`).

use super::eye_triangles::EyeTriangle;
use super::reference_plane::ReferencePlane;
use super::start::{Start, Sweep};
use crate::height_field::storage::pyramid::{FAN_OUT, SIDE};
use crate::height_field::{Diagonal, HeightField};
use crate::parallel;
use core::ops::Range;

/// The most planes, a bit of a mask each.
const MAX_PLANES: usize = 6;

/// What is known of a line of sight to a sample, bits of its mask too.
pub(super) const SEEN: u8 = 1 << 6;
pub(super) const HIDDEN: u8 = 1 << 7;
const PLANES: u8 = (1 << MAX_PLANES) - 1;

/// Around the eye so many samples to each side are looked at for a plane, and so many must be in it:
/// less ground does not pay. Of a slope that the eye is not near it is half of them: bounds decide most
/// of whole metres, many of which are in one plane by chance.
const AROUND: usize = 8;
const MIN_AROUND: usize = 24;
const MIN_ON_SLOPE: usize = (2 * AROUND + 1).pow(2) / 2;

/// Planes with fewer pairs of neighbours do not pay either: their samples are decided one by one, in less
/// time than all of the ground is passed once more. They are counted in one of so many rows.
const MIN_NEIGHBOURS: usize = 64;
const COUNTED_ROWS: usize = 4;

/// The number of rows that a thread compares with the planes at once.
const ROWS: usize = 64;

/// The level of the blocks that may be skipped: of 16x16 cells.
const BLOCK_LEVEL: usize = 2;
const BLOCK: usize = FAN_OUT * FAN_OUT;

/// A plane, and what of the eye.
#[derive(Clone, Copy)]
pub(super) struct EyePlane {
    plane: ReferencePlane,
    /// Its bit of a mask.
    pub(super) bit: u8,
    /// Whether the eye is exactly in the plane.
    pub(super) has_eye: bool,
    /// Whether the eye is surely off the ground, and the plane level.
    pub(super) is_off_ground: bool,
}

/// Samples by the planes that they are in.
pub(super) struct Coplanar {
    pub(super) planes: Vec<EyePlane>,
    /// A mask a sample.
    pub(super) masks: Vec<u8>,
    /// The planes that samples of a block may be in, a mask a block: of 16x16 samples, without the next
    /// block's first ones.
    of_blocks: Vec<u8>,
    columns: usize,
    diagonal: Diagonal,
    /// The planes that the eye is in: their triangles block nothing.
    with_eye: u8,
    /// Whether what is looked at are the samples themselves.
    pub(super) is_at_samples: bool,
}

impl Coplanar {
    /// Compares all samples; `None` where no plane has enough of the ground.
    pub(super) fn new(sweep: &Sweep<'_>, at_eye: &[EyeTriangle]) -> Option<Self> {
        let field = sweep.field;
        let planes = planes(sweep, at_eye);
        if planes.is_empty() {
            return None;
        }
        if count_neighbours(field, &planes) < MIN_NEIGHBOURS {
            return None;
        }
        let columns = field.grid.columns;
        let mut masks = vec![0; field.heights.len()];
        let parts = (0..).step_by(ROWS).zip(masks.chunks_mut(ROWS * columns));
        parallel::map_all(parts.collect(), |(first, masks)| {
            compare(field, &planes, first, masks);
        });
        let with_eye = planes.iter().filter(|plane| plane.has_eye);
        Some(Self {
            of_blocks: planes_of_blocks(field, &planes),
            with_eye: with_eye.fold(0, |mask, plane| mask | plane.bit),
            planes,
            masks,
            columns,
            diagonal: field.grid.diagonal,
            is_at_samples: sweep.target_above == 0.0,
        })
    }

    /// The mask of a sample.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn mask(&self, sample: usize) -> u8 {
        self.masks[sample]
    }

    /// How many minor lines from `minor` on are in the same block as a sample on it, and whether samples of
    /// the block may be in one of these planes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn block_of(&self, sample: usize, minor: usize, planes: u8) -> (usize, bool) {
        let [column, row] = [sample % self.columns, sample / self.columns].map(|line| line / BLOCK);
        let block = row * self.columns.div_ceil(BLOCK) + column;
        (BLOCK - minor % BLOCK, self.of_blocks[block] & planes != 0)
    }

    /// Whether a sample is seen, where that is known.
    pub(super) fn is_seen(&self, sample: usize) -> Option<bool> {
        let mask = self.masks[sample];
        (mask & (SEEN | HIDDEN) != 0).then_some(mask & SEEN != 0)
    }

    /// The planes whose triangles block no line of sight to this sample, or above it.
    pub(super) fn planes_to(&self, sample: usize) -> u8 {
        let own = if self.is_at_samples {
            self.masks[sample]
        } else {
            0
        };
        (self.with_eye | own) & PLANES
    }

    /// Whether both triangles of a cell are in some of these planes.
    #[inline]
    pub(super) fn is_within(&self, planes: u8, column: usize, row: usize) -> bool {
        let [one, other] = [0, 1].map(|half| self.mask_of(column, row, half));
        one & planes != 0 && other & planes != 0
    }

    /// The planes that a triangle is in.
    #[inline]
    pub(super) fn mask_of(&self, column: usize, row: usize, half: usize) -> u8 {
        let north = row * self.columns + column;
        let south = north + self.columns;
        let mask = |sample: usize| self.masks[sample];
        let corners = match (self.diagonal, half) {
            (Diagonal::Anti, 0) => [north, south, north + 1],
            (Diagonal::Anti, _) => [north + 1, south, south + 1],
            (Diagonal::Main, 0) => [north, south + 1, north + 1],
            (Diagonal::Main, _) => [north, south, south + 1],
        };
        let [a, b, c] = corners.map(mask);
        a & b & c & PLANES
    }
}

/// The planes of the triangles at the eye where the ground there is large, and the level one of an eye
/// that is not on the ground.
fn planes(sweep: &Sweep<'_>, at_eye: &[EyeTriangle]) -> Vec<EyePlane> {
    let field = sweep.field;
    let mut planes: Vec<EyePlane> = Vec::new();
    let mut push = |plane: ReferencePlane, has_eye: bool, is_off_ground: bool| {
        if planes.len() < MAX_PLANES && planes.iter().all(|other| other.plane != plane) {
            let bit = 1 << planes.len();
            planes.push(EyePlane {
                plane,
                bit,
                has_eye,
                is_off_ground,
            });
        }
    };
    // Farther from level ground than this the eye sees it at an angle that bounds decide. Of a slope bounds
    // are loose, as a bin of azimuth has all of its rises.
    let steps = field.grid.columns.max(field.grid.rows) as f64;
    let is_near = |triangle: &EyeTriangle| {
        let [a, b, c] = triangle.corners;
        let normal = (b - a).cross(c - a);
        (normal.dot(sweep.eye - a) / normal.y).abs() <= 4.0 * sweep.error * steps
    };
    for triangle in at_eye {
        let Some(plane) = ReferencePlane::of(field, triangle) else {
            continue;
        };
        let min_around = match (is_near(triangle), plane.is_level()) {
            (true, _) => MIN_AROUND,
            (false, false) => MIN_ON_SLOPE,
            (false, true) => continue,
        };
        if count_around(sweep, &plane) >= min_around {
            push(plane, triangle.has_eye_in_plane, false);
        }
    }
    if matches!(sweep.start, Start::Above | Start::Below | Start::NoGround) && has_height(sweep) {
        let is_off_ground = sweep.start != Start::NoGround;
        push(ReferencePlane::level(sweep.eye.y), true, is_off_ground);
    }
    planes
}

/// Whether a sample may be exactly as high as the eye: there is a height that ends up there.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding is meant: the neighbours are tried too"
)]
fn has_height(sweep: &Sweep<'_>) -> bool {
    let grid = &sweep.field.grid;
    let range = sweep.field.ranges.root();
    let nearest = (sweep.eye.y - grid.origin[1]) as f32;
    [nearest.next_down(), nearest, nearest.next_up()]
        .into_iter()
        .any(|height| (range.min..=range.max).contains(&height) && grid.y(height) == sweep.eye.y)
}

/// How many of the samples around the eye are in a plane.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from f64 keeps within the range of integers"
)]
fn count_around(sweep: &Sweep<'_>, plane: &ReferencePlane) -> usize {
    let grid = &sweep.field.grid;
    let around = |place: f64, count: usize| {
        let place = place as usize;
        place.saturating_sub(AROUND)..(place + AROUND + 1).min(count)
    };
    let columns = around(sweep.place[0], grid.columns);
    let mut samples = 0;
    for row in around(sweep.place[1], grid.rows) {
        let of_row = plane.height_of_row(row);
        let row = row * grid.columns;
        let is_in = |column: &usize| {
            grid.y(sweep.field.heights[row + column]) == plane.height_at(of_row, *column)
        };
        samples += columns.clone().filter(is_in).count();
    }
    samples
}

/// How many pairs of neighbours in a counted row are in one of the planes: every triangle has two such
/// corners.
fn count_neighbours(field: &HeightField, planes: &[EyePlane]) -> usize {
    let grid = &field.grid;
    let rows = (0..grid.rows).step_by(ROWS).collect();
    let of_rows = |first: usize| {
        let rows = first..(first + ROWS).min(grid.rows);
        let mut count = 0;
        for EyePlane { plane, .. } in planes {
            for_each_stretch(field, plane, rows.clone(), &mut |row, columns| {
                if !row.is_multiple_of(COUNTED_ROWS) {
                    return;
                }
                let of_row = plane.height_of_row(row);
                let heights = &field.heights[row * grid.columns..][..grid.columns];
                let mut is_in_plane = false;
                for column in columns {
                    let is_in = grid.y(heights[column]) == plane.height_at(of_row, column);
                    count += usize::from(is_in && is_in_plane);
                    is_in_plane = is_in;
                }
            });
        }
        count
    };
    parallel::map_all(rows, of_rows).into_iter().sum()
}

/// Sets the bits of the planes that samples of whole rows, from `first` on, are in.
fn compare(field: &HeightField, planes: &[EyePlane], first: usize, masks: &mut [u8]) {
    let grid = &field.grid;
    let rows = first..first + masks.len() / grid.columns;
    for EyePlane { plane, bit, .. } in planes {
        for_each_stretch(field, plane, rows.clone(), &mut |row, columns| {
            let of_row = plane.height_of_row(row);
            let heights = &field.heights[row * grid.columns..][..grid.columns];
            let masks = &mut masks[(row - first) * grid.columns..][..grid.columns];
            for column in columns {
                let is_in = grid.y(heights[column]) == plane.height_at(of_row, column);
                masks[column] |= if is_in { *bit } else { 0 };
            }
        });
    }
}

/// The planes that samples of each block may be in: the level ones that its ground reaches up and down to,
/// and all others.
fn planes_of_blocks(field: &HeightField, planes: &[EyePlane]) -> Vec<u8> {
    let [columns, rows] = [field.grid.columns, field.grid.rows];
    let block_columns = columns.div_ceil(BLOCK);
    let mut of_blocks = vec![0; block_columns * rows.div_ceil(BLOCK)];
    for EyePlane { plane, bit, .. } in planes {
        for_each_stretch(field, plane, 0..rows, &mut |row, stretch| {
            let blocks = &mut of_blocks[row / BLOCK * block_columns..][..block_columns];
            for block in &mut blocks[stretch.start / BLOCK..stretch.end.div_ceil(BLOCK)] {
                *block |= *bit;
            }
        });
    }
    of_blocks
}

/// Visits the stretches of rows, each with a range of columns, where samples may be in a plane: of a level
/// plane only those of blocks that reach up and down to it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn for_each_stretch(
    field: &HeightField,
    plane: &ReferencePlane,
    rows: Range<usize>,
    visit: &mut dyn FnMut(usize, Range<usize>),
) {
    let (grid, ranges) = (&field.grid, &field.ranges);
    if !plane.is_level() {
        rows.for_each(|row| visit(row, 0..grid.columns));
        return;
    }
    let height = plane.height_of_row(0);
    let level = ranges.top().min(BLOCK_LEVEL);
    let side = 1 << (level * SIDE.ilog2() as usize);
    let blocks = |samples: usize| (samples - 1).div_ceil(side);
    let last_block = ((rows.end - 1) / side).min(blocks(grid.rows) - 1);
    // The first row is the last one of a block too.
    for block_row in rows.start.saturating_sub(1) / side..=last_block {
        let from = (block_row * side).max(rows.start);
        let end = (block_row * side + side + 1).min(rows.end);
        for block_column in 0..blocks(grid.columns) {
            let range = ranges.of(level, block_column, block_row);
            if height < grid.y(range.min) || grid.y(range.max) < height {
                continue;
            }
            let column = block_column * side;
            let columns = column..(column + side + 1).min(grid.columns);
            (from..end).for_each(|row| visit(row, columns.clone()));
        }
    }
}
