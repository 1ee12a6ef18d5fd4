//! Sixteen children of a block, or sixteen cells, tested against a segment at once, in f32.
//!
//! Each test errs towards keeping a child: places are widened by the segment's error, so that
//! neither rounding nor a fused multiply-add can leave out what the ray hits. `descent.rs` traverses
//! with these tests; what is hit in a cell is decided exactly.
//!
//! # Lanes and bits
//! Lane k of each vector is child (or cell) k of the block, row by row. Masks are returned in travel order,
//! the child that is entered first in the lowest bit: child k is bit `k ^ flip`, where the flip is 0b0011 for
//! a ray toward smaller x, 0b1100 toward smaller z, and both together (`flip_of`).
//!
//! ```text
//!      lane of each child           its bit, for a ray toward
//!       x ->                   smaller x        smaller z       smaller x and z
//!   z   0  1  2  3            3  2  1  0      12 13 14 15        15 14 13 12
//!   |   4  5  6  7            7  6  5  4       8  9 10 11        11 10  9  8
//!   v   8  9 10 11           11 10  9  8       4  5  6  7         7  6  5  4
//!      12 13 14 15           15 14 13 12       0  1  2  3         3  2  1  0
//! ```

use super::segment::{Axis, Segment};
use crate::height_field::storage::grid::Diagonal;
use crate::height_field::storage::pyramid::{FAN_OUT, Node};
use crate::height_field::storage::tile::{Corners, ROUNDING_ERROR, Tile};
use core::hint::select_unpredictable;
use fearless_simd::{Simd, f32x4, f32x16, prelude::*};

pub(in crate::height_field) const CHILDREN: usize = FAN_OUT * FAN_OUT;

/// The column and the row of each lane.
pub(in crate::height_field) const COLUMNS: [f32; CHILDREN] = [
    0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0,
];
pub(in crate::height_field) const ROWS: [f32; CHILDREN] = [
    0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0,
];

/// The lines at which a block's children are entered and left, along x and along z.
struct Lines {
    near: [[f32; CHILDREN]; 2],
    far: [[f32; CHILDREN]; 2],
}

/// The lines by what goes down: nothing, x (1), z (2), both (3).
static LINES: [Lines; 4] = [
    lines(false, false),
    lines(true, false),
    lines(false, true),
    lines(true, true),
];

const fn lines(flip_x: bool, flip_z: bool) -> Lines {
    let mut near = [COLUMNS, ROWS];
    let mut far = near;
    let mut child = 0;
    while child < CHILDREN {
        let behind_x = if flip_x { &mut near } else { &mut far };
        behind_x[0][child] += 1.0;
        let behind_z = if flip_z { &mut near } else { &mut far };
        behind_z[1][child] += 1.0;
        child += 1;
    }
    Lines { near, far }
}

/// For a byte of a mask over two rows, the byte in travel order: columns reversed (1), rows
/// swapped (2), both (3).
const TRAVEL_ORDER: [[u8; 256]; 4] = travel_order();

const fn travel_order() -> [[u8; 256]; 4] {
    let mut table = [[0; 256]; 4];
    let mut direction_signs = 0;
    while direction_signs < 4 {
        let flip = (direction_signs & 1) * 3 + (direction_signs >> 1) * 4;
        let mut byte = 0;
        while byte < 256 {
            let mut bit = 0;
            while bit < 8 {
                if byte >> bit & 1 == 1 {
                    table[direction_signs][byte] |= 1 << (bit ^ flip);
                }
                bit += 1;
            }
            byte += 1;
        }
        direction_signs += 1;
    }
    table
}

/// What the travel along x adds to that across the diagonals.
#[cfg_attr(not(debug_assertions), inline(always))]
fn travel_across(diagonal: Diagonal, x: f32) -> f32 {
    match diagonal {
        Diagonal::Anti => x,
        Diagonal::Main => -x,
    }
}

/// When the segment passes the lines of a block's children along one axis, in units of s.
#[derive(Clone, Copy)]
struct LineTimes {
    per_travel: f32,
    enter: f32,
    leave: f32,
}

impl LineTimes {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(axis: &Axis) -> Self {
        Self {
            per_travel: axis.per_travel,
            enter: axis.enter,
            leave: axis.leave,
        }
    }

    /// When the children of `size` cells a side are entered and left, of the block whose first
    /// line has the index `first`; near and far are the children's lines along the axis.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn times<S: Simd>(
        &self,
        simd: S,
        [near, far]: [&[f32; CHILDREN]; 2],
        first: f32,
        size: f32,
    ) -> [f32x16<S>; 2] {
        let step = f32x16::splat(simd, self.per_travel * size);
        let at = first * self.per_travel;
        let (enter, leave) = (at + self.enter, at + self.leave);
        [
            f32x16::from_slice(simd, near).mul_add(step, f32x16::splat(simd, enter)),
            f32x16::from_slice(simd, far).mul_add(step, f32x16::splat(simd, leave)),
        ]
    }
}

/// A segment prepared for tests against blocks.
pub(in crate::height_field) struct Lanes<S: Simd> {
    simd: S,
    x: LineTimes,
    z: LineTimes,
    y_per_travel: f32,
    y_enter: f32,
    y_leave: f32,
    goes_down: bool,
    direction_signs: usize,
    diagonal: Diagonal,
    start: [f32; 3],
    travel: [f32; 3],
    per_diagonal: f32,
    /// The error of a height above the surface, and what is added for each unit of slope.
    height_error: f32,
    place_error: f32,
}

impl<S: Simd> Lanes<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn new(simd: S, segment: &Segment, diagonal: Diagonal) -> Self {
        let Segment { x, z, .. } = segment;
        let place_error = 2.0 * x.error.max(z.error);
        let across = travel_across(diagonal, x.travel) + z.travel;
        // Where the ray runs along the diagonals, any point will do: see `crossed`.
        let across = if across.abs() < place_error {
            place_error
        } else {
            across
        };
        Self::with(simd, segment, diagonal, place_error, 1.0 / across)
    }

    /// As [`Self::new`], with the numbers known that cost most.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn with(
        simd: S,
        segment: &Segment,
        diagonal: Diagonal,
        place_error: f32,
        per_diagonal: f32,
    ) -> Self {
        let Segment { x, y, z, .. } = segment;
        let travel_x = travel_across(diagonal, x.travel);
        Self {
            simd,
            x: LineTimes::new(x),
            z: LineTimes::new(z),
            y_per_travel: y.per_travel,
            y_enter: y.enter,
            y_leave: y.leave,
            goes_down: segment.direction_signs >> 2 == 1,
            direction_signs: usize::from(segment.direction_signs % 4),
            diagonal,
            start: [x.start, y.start, z.start],
            travel: [travel_x, y.travel, z.travel],
            per_diagonal,
            height_error: 2.0 * y.error,
            place_error,
        }
    }

    /// When the children of `size` cells a side are entered and left along x and z, of the block
    /// whose first cell is `first`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn times(&self, first: [f32; 2], size: f32) -> [[f32x16<S>; 2]; 2] {
        let Lines { near, far } = &LINES[self.direction_signs];
        [
            self.x.times(self.simd, [&near[0], &far[0]], first[0], size),
            self.z.times(self.simd, [&near[1], &far[1]], first[1], size),
        ]
    }

    /// The children of a block that the segment may touch before `limit`, a bit each, in the order
    /// of travel. The block's first cell is `first`, a child has `size` cells a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn touched(
        &self,
        node: &Node,
        first: [f32; 2],
        size: f32,
        limit: f32,
    ) -> u16 {
        let simd = self.simd;
        let [[x_enter, x_leave], [z_enter, z_leave]] = self.times(first, size);
        let near = select_unpredictable(self.goes_down, &node.max, &node.min);
        let far = select_unpredictable(self.goes_down, &node.min, &node.max);
        let (near, far) = (
            f32x16::from_slice(simd, near),
            f32x16::from_slice(simd, far),
        );
        let per_travel = f32x16::splat(simd, self.y_per_travel);
        let y_enter = near.mul_add(per_travel, f32x16::splat(simd, self.y_enter));
        let y_leave = far.mul_add(per_travel, f32x16::splat(simd, self.y_leave));
        let enter = x_enter.max(z_enter).max(y_enter.max(0.0));
        let leave = x_leave.min(z_leave).min(y_leave.min(limit));
        in_travel_order(self.direction_signs, enter.simd_le(leave).to_bitmask())
    }

    /// The cells of a block of 4x4 whose triangles the segment may cross before `limit`, a bit
    /// each, in the order of travel. `rows` are the block's samples, five rows of five.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn crossed_cells(
        &self,
        rows: [&[f32; 5]; 5],
        first: [f32; 2],
        limit: f32,
    ) -> u16 {
        let simd = self.simd;
        let west = |row: usize| f32x4::from_slice(simd, &rows[row][..4]);
        let east = |row: usize| f32x4::from_slice(simd, &rows[row][1..]);
        let west = [west(0), west(1), west(2), west(3), west(4)];
        let east = [east(0), east(1), east(2), east(3), east(4)];
        let stack = |rows: &[f32x4<S>; 5], from: usize| {
            let north = rows[from].combine(rows[from + 1]);
            north.combine(rows[from + 2].combine(rows[from + 3]))
        };
        let corners = [
            stack(&west, 0),
            stack(&east, 0),
            stack(&west, 1),
            stack(&east, 1),
        ];
        let heights = Heights {
            corners,
            start: self.start[1],
            travel: self.travel[1],
            error: self.height_error,
            slope_error: 0.0,
        };
        self.crossed(&heights, first, limit)
    }

    /// As [`Self::crossed_cells`], of the block's tile: what its bytes leave open is kept.
    ///
    /// The ground lies within the rounding of a height of where the tile has it. Beside a cell by
    /// e, where places are not exact, that grows by as many times e as p, q and 2f may be off, 6
    /// steps; and as much may be missing from (|p| + |q| + 2|f|) e.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn crossed_cells_of(
        &self,
        tile: &Tile,
        first: [f32; 2],
        limit: f32,
    ) -> u16 {
        let per_step = tile.per_step();
        let heights = Heights {
            corners: tile.corners(self.simd),
            start: (self.start[1] - tile.base()) * per_step,
            travel: self.travel[1] * per_step,
            error: self.height_error * per_step + ROUNDING_ERROR,
            slope_error: 12.0,
        };
        self.crossed(&heights, first, limit)
    }

    /// Over a cell, with u and v from 0 to 1 along its width and depth from the corner of triangle
    /// 0, the ground is `h00 + p u + q v + f max(u + v - 1, 0)`: p and q are the rises of triangle
    /// 0, f is what the fourth corner rises above its plane. So the ray's height above the ground
    /// is linear but for a knee at the diagonal, and has one sign over the cell if it has that at
    /// both ends and at the knee. A place that is off by e changes it by (|p| + |q| + 2|f|) e at
    /// most, and so does a knee that is sought in the wrong place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn crossed(&self, heights: &Heights<S>, first: [f32; 2], limit: f32) -> u16 {
        let simd = self.simd;
        let splat = |value: f32| f32x16::splat(simd, value);
        let [west, east, south_west, south_east] = heights.corners;
        let [h00, h10, h01, h11] = match self.diagonal {
            Diagonal::Anti => [west, east, south_west, south_east],
            Diagonal::Main => [east, west, south_east, south_west],
        };
        let (p, q) = (h10 - h00, h01 - h00);
        let f = h11 - h10 - q;

        let columns = f32x16::from_slice(simd, &COLUMNS);
        let rows = f32x16::from_slice(simd, &ROWS);
        let [[x_enter, x_leave], [z_enter, z_leave]] = self.times(first, 1.0);
        let enter = x_enter.max(z_enter).max(0.0);
        let leave = x_leave.min(z_leave).min(limit);

        let u = match self.diagonal {
            Diagonal::Anti => splat(self.start[0] - first[0]) - columns,
            Diagonal::Main => columns + (first[0] + 1.0 - self.start[0]),
        };
        let v = splat(self.start[2] - first[1]) - rows;
        let w = u + v - 1.0;
        let across = splat(self.travel[0] + self.travel[2]);
        let rise = splat(heights.start) - h00 - p * u - q * v;
        let climb = splat(heights.travel) - p * self.travel[0] - q * self.travel[2];
        let knee = (w * (-self.per_diagonal)).max(enter).min(leave);
        let ground = Ground {
            rise,
            climb,
            fold: f,
            w,
            across,
        };
        let (a, b, c) = (ground.below(enter), ground.below(knee), ground.below(leave));
        let slopes = p.abs() + q.abs() + f.abs() * 2.0 + heights.slope_error;
        let error = slopes.mul_add(splat(self.place_error), splat(heights.error));
        let lowest = a.min(b).min(c);
        let highest = a.max(b).max(c);
        // NaN, from a hole, is not surely on one side.
        let is_apart = lowest.simd_gt(error) | highest.simd_lt(-error);
        let may_cross = enter.simd_le(leave) & !is_apart;
        in_travel_order(self.direction_signs, may_cross.to_bitmask())
    }
}

/// A mask of sixteen children in travel order, for what goes down: nothing, x (1), z (2), both (3).
#[expect(
    clippy::cast_possible_truncation,
    reason = "a mask of sixteen lanes has sixteen bits"
)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn in_travel_order(direction_signs: usize, mask: u64) -> u16 {
    let table = &TRAVEL_ORDER[direction_signs];
    let [low, high] = (mask as u16).to_le_bytes();
    let (low, high) = (table[usize::from(low)], table[usize::from(high)]);
    let rows_swapped = u16::from_le_bytes([low, high]);
    rows_swapped.rotate_left(8 * (direction_signs as u32 >> 1))
}

/// The ground of sixteen cells and the segment's heights, in the same unit.
struct Heights<S: Simd> {
    /// As [`Corners`] has them.
    corners: Corners<S>,
    start: f32,
    travel: f32,
    /// Bounds on the error of heights, and of p, q and 2f together.
    error: f32,
    slope_error: f32,
}

/// The ray over the ground of sixteen cells, as [`Lanes::crossed`] has it.
#[derive(Clone, Copy)]
struct Ground<S: Simd> {
    /// The height above triangle 0's plane: at s = 0, and what s adds.
    rise: f32x16<S>,
    climb: f32x16<S>,
    fold: f32x16<S>,
    /// How far beyond the diagonal: at s = 0, and what s adds.
    w: f32x16<S>,
    across: f32x16<S>,
}

impl<S: Simd> Ground<S> {
    /// How far below the ray the ground is at `s`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn below(&self, s: f32x16<S>) -> f32x16<S> {
        let beyond = self.across.mul_add(s, self.w).max(0.0);
        self.climb.mul_add(s, self.rise) - self.fold * beyond
    }
}
