//! Sixteen blocks of terrain, or the triangles of sixteen cells, tested against a moving shape at once.
//!
//! A block is bounded along x, y and z, a triangle also across its cell's diagonal and along its normal.
//! `near_shape.rs` has how that is rounded.

use super::near_shape::{BlockFrame, MIN_SPEED, MovingShape, SLACK, SlabTimes};
use crate::height_field::storage::grid::Diagonal;
use crate::height_field::storage::pyramid::{FAN_OUT, Node};
use crate::height_field::storage::tile::Corners;
use crate::simd::take_min;
use core::hint::select_unpredictable;
use fearless_simd::{Simd, f32x16, prelude::*};

pub(in crate::height_field) const CHILDREN: usize = FAN_OUT * FAN_OUT;

const COLUMNS: [f32; CHILDREN] = [
    0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0,
];
const ROWS: [f32; CHILDREN] = [
    0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0,
];

/// Candidates for a touch: a bit each, and a lower bound on the time.
pub(in crate::height_field) struct Touched<const N: usize> {
    pub(in crate::height_field) mask: u32,
    pub(in crate::height_field) enter: [f32; N],
}

impl<const N: usize> Touched<N> {
    /// Removes and returns the candidate with the earliest time, of equal ones the first.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn take_first(&mut self) -> Option<(usize, f32)> {
        let first = take_min(&mut self.mask, &self.enter)?;
        Some((first, self.enter[first]))
    }
}

/// The ground of sixteen cells, under a moving shape.
pub(in crate::height_field) struct Ground<S: Simd> {
    corners: Corners<S>,
    above: f32,
    /// Bound on the error of the corners' heights.
    error: f32,
    /// M along y.
    magnitude: f32,
    /// The times at which the shape overlaps slabs of heights.
    y: SlabTimes,
}

/// The time intervals of sixteen lanes.
#[derive(Clone, Copy)]
struct Times<S: Simd> {
    enter: f32x16<S>,
    leave: f32x16<S>,
}

impl<S: Simd> Times<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn around(middle: f32x16<S>, half: f32x16<S>) -> Self {
        Self {
            enter: middle - half,
            leave: middle + half,
        }
    }

    /// Those of the slabs that the lanes are in along an axis.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(simd: S, slab_times: &SlabTimes, places: f32x16<S>) -> Self {
        let middle = places * slab_times.step + slab_times.middle;
        Self::around(middle, f32x16::splat(simd, slab_times.half))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn and(self, other: Self) -> Self {
        Self {
            enter: self.enter.max(other.enter),
            leave: self.leave.min(other.leave),
        }
    }

    /// A bit for each lane whose interval overlaps the times from 0 to `limit`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a mask of sixteen lanes has sixteen bits"
    )]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mask(&self, limit: f32) -> u32 {
        let is_near = self.enter.max(0.0).simd_le(self.leave.min(limit));
        is_near.to_bitmask() as u32
    }
}

impl MovingShape {
    /// The children of a block that it may touch before `limit`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn touched_children<S: Simd>(
        &self,
        simd: S,
        frame: &BlockFrame,
        node: &Node,
        limit: f32,
    ) -> Touched<CHILDREN> {
        let goes_down = self.y.step < 0.0;
        let near = select_unpredictable(goes_down, &node.max, &node.min);
        let far = select_unpredictable(goes_down, &node.min, &node.max);
        let near = f32x16::from_slice(simd, near);
        let far = f32x16::from_slice(simd, far);
        // The intervals of empty children are empty.
        let y = Times {
            enter: near * self.y.step + (self.y.middle - self.y.half),
            leave: far * self.y.step + (self.y.middle + self.y.half),
        };
        let times = self.over_cells(simd, frame).and(y);
        Touched {
            mask: times.mask(limit),
            enter: times.enter.to_array(),
        }
    }

    /// The times at which it is over the columns and rows of children.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn over_cells<S: Simd>(&self, simd: S, frame: &BlockFrame) -> Times<S> {
        let x = Times::of(
            simd,
            &frame.slab_times[0],
            f32x16::from_slice(simd, &COLUMNS),
        );
        let z = Times::of(simd, &frame.slab_times[1], f32x16::from_slice(simd, &ROWS));
        x.and(z)
    }

    /// The triangles of a block of 4x4 cells that it may touch before `limit`: the first ones of all
    /// cells, then the second ones. Corners that are NaN may keep a triangle.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn touched_triangles<S: Simd>(
        &self,
        simd: S,
        frame: &BlockFrame,
        ground: &Ground<S>,
        limit: f32,
    ) -> Touched<{ 2 * CHILDREN }> {
        let cells = self.over_cells(simd, frame);
        let magnitude = frame.magnitude[0] + frame.magnitude[1];
        let across = SlabTimes::new(
            self.motion[0] + self.diagonal_sign * self.motion[2],
            [-(frame.place[0] + self.diagonal_sign * frame.place[1]), 1.0],
            self.extent_across + 0.5,
            magnitude,
        );
        let columns = f32x16::from_slice(simd, &COLUMNS);
        let rows = f32x16::from_slice(simd, &ROWS);
        let diagonals = rows * self.diagonal_sign + columns;
        let [north_west, north_east, south_west, south_east] = ground.corners;
        let (north, south) = (north_east - north_west, south_east - south_west);
        let (west, east) = (south_west - north_west, south_east - north_east);
        // Each triangle's right angle, the rises along its sides there, and how far its middle is across.
        let (ends, first, second) = match self.diagonal {
            Diagonal::Anti => (
                [north_east, south_west],
                ([0.0, 0.0], north_west, [north, west], 0.5),
                ([1.0, 1.0], south_east, [south, east], 1.5),
            ),
            Diagonal::Main => (
                [north_west, south_east],
                ([1.0, 0.0], north_east, [north, east], 0.5),
                ([0.0, 1.0], south_west, [south, west], -0.5),
            ),
        };
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let mut touched = Touched {
            mask: 0,
            enter: [0.0; 2 * CHILDREN],
        };
        for (half, (corner, height, rises, middle)) in [first, second].into_iter().enumerate() {
            let place = [
                columns + (corner[0] - frame.place[0]),
                rows + (corner[1] - frame.place[1]),
            ];
            let times = cells
                .and(Times::of(simd, &across, diagonals + middle))
                .and(self.along_y(ground, [low.min(height), high.max(height)]))
                .and(self.along_normal(frame, ground, (place, height), rises));
            touched.mask |= times.mask(limit) << (half * CHILDREN);
            touched.enter[half * CHILDREN..][..CHILDREN].copy_from_slice(&times.enter.to_array());
        }
        touched
    }

    /// The times at which it is between the lowest and the highest corners of triangles.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn along_y<S: Simd>(&self, ground: &Ground<S>, [low, high]: [f32x16<S>; 2]) -> Times<S> {
        let y = &ground.y;
        let middle = (low + high) * (0.5 * y.step) + y.middle;
        let half = (high - low) * (0.5 * y.step.abs()) + y.half;
        Times::around(middle, half)
    }

    /// The times at which it overlaps the planes of triangles that have these rises at a corner, whose
    /// position and height are given.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn along_normal<S: Simd>(
        &self,
        frame: &BlockFrame,
        ground: &Ground<S>,
        ([x, z], height): ([f32x16<S>; 2], f32x16<S>),
        [p, q]: [f32x16<S>; 2],
    ) -> Times<S> {
        // The normal is (-p, 1, -q).
        let ahead = height - ground.above - (p * x + q * z);
        let [motion_x, motion_y, motion_z] = self.motion;
        let speed = -(p * motion_x + q * motion_z) + motion_y;
        let (p_size, q_size) = (p.abs(), q.abs());
        let mut extent = p_size * self.place_error[0] + q_size * self.place_error[2] + ground.error;
        for &[half_x, half_y, half_z] in &self.halves[..self.edges] {
            extent += (p * half_x + q * half_z - half_y).abs();
        }
        if self.radius > 0.0 {
            let square = p * p * self.density[0] + q * q * self.density[1] + 1.0;
            extent += square.sqrt() * self.radius;
        }
        let magnitude =
            p_size * frame.magnitude[0] + q_size * frame.magnitude[1] + ground.magnitude;
        let speed = speed.abs().max(magnitude * MIN_SPEED).copysign(speed);
        let extent = extent + magnitude * SLACK;
        Times::around(ahead / speed, extent / speed.abs())
    }
}

impl<S: Simd> Ground<S> {
    /// Of corners that are metres above some height and may be off by `error`. The shape starts `above`
    /// that height, from which corners are up to `range` away.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn new(
        shape: &MovingShape,
        corners: Corners<S>,
        above: f32,
        [range, error]: [f32; 2],
    ) -> Self {
        let magnitude = shape.magnitude_along_y(above, range + error);
        let error = error + shape.place_error[1];
        Self {
            corners,
            above,
            magnitude,
            error,
            y: SlabTimes::new(
                shape.motion[1],
                [-above, 1.0],
                shape.extent[1] + error,
                magnitude,
            ),
        }
    }
}
