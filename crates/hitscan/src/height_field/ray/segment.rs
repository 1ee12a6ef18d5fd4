//! The part of one ray that lies in the map's box, in units of the grid and in f32, for culling.
//!
//! `clip.rs` has the formulas. How far f32 may be off is computed once a ray and carried along;
//! `node_test.rs` adds it to what it tests.

use super::clip::{COARSEST_ERRORS, Frame, Line};
use super::mover::{earlier, later};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use fearless_simd::{Simd, f64x4, prelude::*};

/// By how much a time is moved later for the division and the rounding to f32, relative to itself.
const TIME_WIDENING: f64 = 1.0 / (1 << 20) as f64;

/// One coordinate of the segment: `start + s * travel`, s from 0 to 1, in units of the grid.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Axis {
    pub(in crate::height_field) start: f32,
    /// Never so near to 0 that its reciprocal would leave f32.
    pub(in crate::height_field) travel: f32,
    /// 1 / travel.
    pub(in crate::height_field) per_travel: f32,
    /// Bound on the error of the coordinate and the lines it is compared with.
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn of_ray<S: Simd>(
        simd: S,
        frame: &Frame,
        ray: &LocalRay,
        limit: f64,
    ) -> Clipped {
        let load = |array: &[f64; 4]| f64x4::from_slice(simd, array);
        let line = Line {
            origin: load(&[ray.origin.x, ray.origin.y, ray.origin.z, 0.0]),
            direction: load(&[ray.direction.x, ray.direction.y, ray.direction.z, 0.0]),
        };
        let [enter, leave] = line.span(frame, load);
        let first = later(later(ray.t_min, enter[0]), later(enter[1], enter[2]));
        let last = limit.min(ray.t_max);
        let last = earlier(earlier(last, leave[0]), earlier(leave[1], leave[2]));
        if first > last {
            return Clipped::Nothing;
        }
        let ends = [f64x4::splat(simd, first), f64x4::splat(simd, last)];
        let part = line.between(frame, load, ends);
        // Written so that NaN is refused.
        if !part.error.simd_le(load(&COARSEST_ERRORS)).all_true() {
            return Clipped::TooFine;
        }
        let part = part.rounded(
            #[cfg_attr(not(debug_assertions), inline(always))]
            |low, high| low.narrow(high).split(),
        );
        let [per_travel, enter, leave] = part.passes();
        let (start, travel, error) = (part.start, part.travel, part.error);
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn flip(&self) -> u32 {
        u32::from(flip_of(self.direction_signs))
    }

    /// An s not before the point of the ray at `t`, at most 1.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the widening covers the rounding"
    )]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn s_not_before(&self, t: f64) -> f32 {
        let s = (t - self.t_start) * self.per_t;
        let s = s + s.abs() * TIME_WIDENING;
        // NaN, where the segment is one point, becomes 1.
        (if s < 1.0 { s } else { 1.0 }) as f32
    }
}

/// What [`Segment::flip`] is of these flips: along x the numbers of columns are turned round, along z
/// those of rows.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn flip_of(direction_signs: u8) -> u8 {
    (direction_signs & 1) * 0b0011 + (direction_signs >> 1 & 1) * 0b1100
}
