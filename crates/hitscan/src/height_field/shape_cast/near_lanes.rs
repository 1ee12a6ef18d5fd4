//! Sixteen blocks of terrain, or the triangles of sixteen cells, tested against a moving shape at once.
//!
//! A block is bounded along x, y and z, a triangle also across its cell's diagonal and along its normal.
//! `near_shape.rs` has how that is rounded.

use super::near_shape::{LEAST_SPEED, MovingShape, Over, Passing, SLACK};
use crate::height_field::storage::grid::Diagonal;
use crate::height_field::storage::pyramid::{FAN_OUT, Node};
use crate::height_field::storage::tile::Corners;
use crate::simd::take_least;
use core::hint::select_unpredictable;
use fearless_simd::{Simd, f32x16, prelude::*};

pub(in crate::height_field) const CHILDREN: usize = FAN_OUT * FAN_OUT;

const COLUMNS: [f32; CHILDREN] = [
    0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0,
];
const ROWS: [f32; CHILDREN] = [
    0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0,
];

/// What may be touched: a bit each, and how early it might be.
pub(in crate::height_field) struct Touched<const N: usize> {
    pub(in crate::height_field) mask: u32,
    pub(in crate::height_field) enter: [f32; N],
}

impl<const N: usize> Touched<N> {
    /// The one that may be touched first, of equal ones the first, and when; it is taken out.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn take_first(&mut self) -> Option<(usize, f32)> {
        let first = take_least(&mut self.mask, &self.enter)?;
        Some((first, self.enter[first]))
    }
}

/// The ground of sixteen cells, under a moving shape.
pub(in crate::height_field) struct Ground<S: Simd> {
    corners: Corners<S>,
    above: f32,
    /// How far corners may be off.
    error: f32,
    /// M along y.
    most: f32,
    /// When the shape passes heights.
    y: Passing,
}

/// From when to when sixteen things are near.
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

    /// Of the places along an axis at which the lanes are.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(simd: S, passing: &Passing, places: f32x16<S>) -> Self {
        let middle = places * passing.step + passing.middle;
        Self::around(middle, f32x16::splat(simd, passing.half))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn and(self, other: Self) -> Self {
        Self {
            enter: self.enter.max(other.enter),
            leave: self.leave.min(other.leave),
        }
    }

    /// A bit for each that is near at any time from 0 to `limit`.
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
        over: &Over,
        node: &Node,
        limit: f32,
    ) -> Touched<CHILDREN> {
        let goes_down = self.y.step < 0.0;
        let near = select_unpredictable(goes_down, &node.max, &node.min);
        let far = select_unpredictable(goes_down, &node.min, &node.max);
        let near = f32x16::from_slice(simd, near);
        let far = f32x16::from_slice(simd, far);
        // Empty children are entered never, and left before all.
        let y = Times {
            enter: near * self.y.step + (self.y.middle - self.y.half),
            leave: far * self.y.step + (self.y.middle + self.y.half),
        };
        let times = self.over_cells(simd, over).and(y);
        Touched {
            mask: times.mask(limit),
            enter: times.enter.to_array(),
        }
    }

    /// When it is over the columns and rows of children.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn over_cells<S: Simd>(&self, simd: S, over: &Over) -> Times<S> {
        let x = Times::of(simd, &over.passing[0], f32x16::from_slice(simd, &COLUMNS));
        let z = Times::of(simd, &over.passing[1], f32x16::from_slice(simd, &ROWS));
        x.and(z)
    }

    /// The triangles of a block of 4x4 cells that it may touch before `limit`: the first ones of all
    /// cells, then the second ones. Corners that are NaN may keep a triangle.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn touched_triangles<S: Simd>(
        &self,
        simd: S,
        over: &Over,
        ground: &Ground<S>,
        limit: f32,
    ) -> Touched<{ 2 * CHILDREN }> {
        let cells = self.over_cells(simd, over);
        let most = over.most[0] + over.most[1];
        let across = Passing::new(
            self.motion[0] + self.turn * self.motion[2],
            [-(over.place[0] + self.turn * over.place[1]), 1.0],
            self.reach_across + 0.5,
            most,
        );
        let columns = f32x16::from_slice(simd, &COLUMNS);
        let rows = f32x16::from_slice(simd, &ROWS);
        let diagonals = rows * self.turn + columns;
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
                columns + (corner[0] - over.place[0]),
                rows + (corner[1] - over.place[1]),
            ];
            let times = cells
                .and(Times::of(simd, &across, diagonals + middle))
                .and(self.along_y(ground, [low.min(height), high.max(height)]))
                .and(self.along_normal(over, ground, (place, height), rises));
            touched.mask |= times.mask(limit) << (half * CHILDREN);
            touched.enter[half * CHILDREN..][..CHILDREN].copy_from_slice(&times.enter.to_array());
        }
        touched
    }

    /// When it is at the heights of triangles.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn along_y<S: Simd>(&self, ground: &Ground<S>, [low, high]: [f32x16<S>; 2]) -> Times<S> {
        let y = &ground.y;
        let middle = (low + high) * (0.5 * y.step) + y.middle;
        let half = (high - low) * (0.5 * y.step.abs()) + y.half;
        Times::around(middle, half)
    }

    /// When it is at the planes of triangles that have these rises at a corner, whose place and height
    /// are given.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn along_normal<S: Simd>(
        &self,
        over: &Over,
        ground: &Ground<S>,
        ([x, z], height): ([f32x16<S>; 2], f32x16<S>),
        [p, q]: [f32x16<S>; 2],
    ) -> Times<S> {
        // The normal is (-p, 1, -q).
        let ahead = height - ground.above - (p * x + q * z);
        let [motion_x, motion_y, motion_z] = self.motion;
        let speed = -(p * motion_x + q * motion_z) + motion_y;
        let (p_size, q_size) = (p.abs(), q.abs());
        let mut reach = p_size * self.place_error[0] + q_size * self.place_error[2] + ground.error;
        for &[half_x, half_y, half_z] in &self.halves[..self.edges] {
            reach += (p * half_x + q * half_z - half_y).abs();
        }
        if self.radius > 0.0 {
            let square = p * p * self.density[0] + q * q * self.density[1] + 1.0;
            reach += square.sqrt() * self.radius;
        }
        let most = p_size * over.most[0] + q_size * over.most[1] + ground.most;
        let speed = speed.abs().max(most * LEAST_SPEED).copysign(speed);
        let reach = reach + most * SLACK;
        Times::around(ahead / speed, reach / speed.abs())
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
        let most = shape.most_along_y(above, range + error);
        let error = error + shape.place_error[1];
        Self {
            corners,
            above,
            most,
            error,
            y: Passing::new(shape.motion[1], [-above, 1.0], shape.reach[1] + error, most),
        }
    }
}
