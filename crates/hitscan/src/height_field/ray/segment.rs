//! The part of a ray that lies in the map's box, in units of the grid and in f32, for culling.
//!
//! It is counted from the point at which the ray enters the box, so that f32 is precise where it
//! matters, however far away the ray starts. How far f32 may be off is worked out once a ray and
//! carried along; `lanes.rs` adds it to what it tests.

use super::wide_walk::{earlier, later};
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::grid::Grid;
use crate::height_field::pyramid::Range;
use crate::ray_cast::ray::LocalRay;
use fearless_simd::{Simd, f32x4, f64x4, prelude::*};

/// Bound on the error of a coordinate of the ray in units of the grid, before it becomes f32, in
/// units of `(|ray origin| + |greatest line|) / spacing`.
///
/// A point of the ray at t costs 2u of its terms, of which one is at most origin plus line and the
/// other at most the line; its distance from the grid's origin u, the division 2u of that. The
/// lines themselves are rounded, 2u. 16u leaves room for u².
const PLACE_ERROR: f64 = 16.0 * UNIT_ROUNDOFF;

/// Bound on what f32 loses in `start`, `travel` and the time at which a line is passed, as a
/// distance, in units of the map's extent from the grid's origin.
///
/// With v = 2^-24, the start loses v, the travel v. In `lanes.rs` the time of a line is
/// `lane * (size * step) + (first * step + enter)`, with `lane` from 0 to 4, where `enter` is `-start * step` but for the
/// widening: the reciprocal v and the products v each, of numbers of at most the extent,
/// 2v + 2v + 2v; the sums 4v of at most twice the extent. These are 16v; the bound is twice that.
const SINGLE_ERROR: f64 = 32.0 * (f32::EPSILON as f64) / 2.0;

/// The smallest error that is counted, so that its reciprocal stays in f32.
const SMALLEST_ERROR: f64 = 1e-30;

/// The greatest error of a place, in cells, that is worth culling with.
pub(in crate::height_field) const COARSEST: f64 = 0.25;

/// The greatest error of a height, in metres, whose reciprocal and products stay in f32.
pub(in crate::height_field) const COARSEST_HEIGHT: f64 = 1e30;

/// By how much a time is moved later for the division and the rounding to f32, relative to itself.
const TIME_WIDENING: f64 = 1.0 / (1 << 20) as f64;

/// What a ray needs of the map's box, worked out once a map. Lanes are x, y, z and nothing.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Frame {
    /// The box around the map's triangles in the world's units.
    pub(in crate::height_field) low: [f64; 4],
    pub(in crate::height_field) high: [f64; 4],
    /// The greatest magnitude of a coordinate in the world.
    pub(in crate::height_field) reach: [f64; 4],
    pub(in crate::height_field) origin: [f64; 4],
    /// Grid units in one of the world's: 1 / spacing, and 1 for y.
    pub(in crate::height_field) scale: [f64; 4],
    /// The error of a place in units of the grid: what it is for a ray from the world's origin,
    /// and how it grows with a coordinate of the ray's.
    pub(in crate::height_field) error: [f64; 4],
    pub(in crate::height_field) error_growth: [f64; 4],
}

impl Frame {
    /// The frame of a map whose heights lie in `range`.
    pub(in crate::height_field) fn new(grid: &Grid, range: Range) -> Self {
        let (x, z) = (grid.x_lines(), grid.z_lines());
        let low = [x.first(), grid.y(range.min), z.first(), 0.0];
        let high = [x.end(), grid.y(range.max), z.end(), 0.0];
        let reach: [f64; 4] = core::array::from_fn(|k| low[k].abs().max(high[k].abs()));
        let scale = [1.0 / grid.spacing[0], 1.0, 1.0 / grid.spacing[1], 0.0];
        let tallest = f64::from(range.min.abs().max(range.max.abs()));
        let extent = [x.last as f64, tallest, z.last as f64, 1.0];
        let error_growth = scale.map(|scale| 4.0 * PLACE_ERROR * scale);
        Self {
            low,
            high,
            reach,
            origin: [grid.origin[0], grid.origin[1], grid.origin[2], 0.0],
            scale,
            error: core::array::from_fn(|k| {
                error_growth[k] * reach[k] + SINGLE_ERROR * extent[k] + SMALLEST_ERROR
            }),
            error_growth,
        }
    }
}

/// One coordinate of the segment: `start + s * travel`, s from 0 to 1, in units of the grid.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Axis {
    pub(in crate::height_field) start: f32,
    /// Never so near to 0 that its reciprocal would leave f32; `error` covers what that changes.
    pub(in crate::height_field) travel: f32,
    /// 1 / travel.
    pub(in crate::height_field) per_travel: f32,
    /// How far the coordinate and the lines it is compared with may be off.
    pub(in crate::height_field) error: f32,
    /// When the line with the coordinate 0 is passed, early enough for entering what lies beyond
    /// any line, and late enough for leaving what lies before it.
    pub(in crate::height_field) enter: f32,
    pub(in crate::height_field) leave: f32,
}

/// The part of a ray in the map's box.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Segment {
    pub(in crate::height_field) x: Axis,
    pub(in crate::height_field) y: Axis,
    pub(in crate::height_field) z: Axis,
    pub(in crate::height_field) t_start: f64,
    pub(in crate::height_field) per_t: f64,
    /// Whether it goes down along x (1), z (2) and y (4).
    pub(in crate::height_field) direction_signs: u8,
}

/// What is left of a ray in the map's box.
pub(in crate::height_field) enum Clipped {
    Nothing,
    Segment(Segment),
    /// The numbers are too far apart for f32.
    TooFine,
}

impl Segment {
    /// The part of `ray` up to t = `limit` in the map's box.
    #[inline(always)]
    pub(in crate::height_field) fn of_ray<S: Simd>(
        simd: S,
        frame: &Frame,
        ray: &LocalRay,
        limit: f64,
    ) -> Clipped {
        let load = |array: &[f64; 4]| f64x4::from_slice(simd, array);
        let origin = load(&[ray.origin.x, ray.origin.y, ray.origin.z, 0.0]);
        let direction = load(&[ray.direction.x, ray.direction.y, ray.direction.z, 0.0]);
        let reach = load(&frame.reach);
        // The difference, the reciprocal and the product below round once each. What is added last
        // keeps a plane from passing through the origin, so that 0 / 0 does not occur.
        let padding = (origin.abs() + reach) * (8.0 * UNIT_ROUNDOFF) + f64::MIN_POSITIVE;
        let reciprocal = f64x4::splat(simd, 1.0) / direction;
        let low = (load(&frame.low) - padding - origin) * reciprocal;
        let high = (load(&frame.high) + padding - origin) * reciprocal;
        let (enter, leave) = (low.min(high), low.max(high));
        let first = later(later(ray.t_min, enter[0]), later(enter[1], enter[2]));
        let last = limit.min(ray.t_max);
        let last = earlier(earlier(last, leave[0]), earlier(leave[1], leave[2]));
        if first > last {
            return Clipped::Nothing;
        }
        let place = |t: f64| (origin + direction * t - load(&frame.origin)) * load(&frame.scale);
        let (from, to) = (place(first), place(last));
        let error = origin.abs() * load(&frame.error_growth) + load(&frame.error);
        // Written so that NaN is refused.
        let coarsest = load(&[COARSEST, COARSEST_HEIGHT, COARSEST, f64::MAX]);
        if !error.simd_le(coarsest).all_true() {
            return Clipped::TooFine;
        }
        // A ray that hardly moves along an axis is told to move by the error: no more of a lie.
        let travel = to - from;
        let travel = travel
            .abs()
            .simd_lt(error)
            .select(error.copysign(travel), travel);
        let (start, travel) = from.narrow(travel).split();
        let (error, _) = (error * 2.0).narrow(error).split();
        let per_travel = f32x4::splat(simd, 1.0) / travel;
        let at_start = start * per_travel;
        let widening = error * per_travel.abs();
        let (enter, leave) = (-at_start - widening, widening - at_start);
        let axis = |k: usize| Axis {
            start: start[k],
            travel: travel[k],
            per_travel: per_travel[k],
            error: error[k],
            enter: enter[k],
            leave: leave[k],
        };
        Clipped::Segment(Self {
            x: axis(0),
            y: axis(1),
            z: axis(2),
            t_start: first,
            per_t: 1.0 / (last - first),
            direction_signs: u8::from(travel[0] < 0.0)
                + 2 * u8::from(travel[2] < 0.0)
                + 4 * u8::from(travel[1] < 0.0),
        })
    }

    /// What turns the number of a block's child in travel order into its number in the block.
    #[inline(always)]
    pub(in crate::height_field) fn flip(&self) -> u32 {
        u32::from(flip_of(self.direction_signs))
    }

    /// An s not before the point of the ray at `t`, at most 1.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the widening covers the rounding"
    )]
    #[inline(always)]
    pub(in crate::height_field) fn s_not_before(&self, t: f64) -> f32 {
        let s = (t - self.t_start) * self.per_t;
        let s = s + s.abs() * TIME_WIDENING;
        // NaN, where the segment is one point, becomes 1.
        (if s < 1.0 { s } else { 1.0 }) as f32
    }
}

/// What [`Segment::flip`] is of these flips: along x the numbers of columns are turned round, along z
/// those of rows.
#[inline(always)]
pub(in crate::height_field) fn flip_of(direction_signs: u8) -> u8 {
    (direction_signs & 1) * 0b0011 + (direction_signs >> 1 & 1) * 0b1100
}
