//! What is sent through a tree: a ray, or a box that moves along a line; and its image in f32, with
//! which a tree's boxes are tested.
//!
//! Culling must never lose a box that the exact probe touches, so every error of the image is
//! bounded here and the tests are widened by it. It decides no answer.

use crate::Aabb;
use crate::exact::UNIT_ROUNDOFF;
use crate::ray::LocalRay;
use fearless_simd::{Simd, f64x4, prelude::*};
use glam::{DVec3, Vec3};

/// Relative widening of an interval's ends in f64.
///
/// `(bound - origin) * (1 / direction)` carries a rounding in the difference, one in the
/// reciprocal and one in the product, 3u and a little; 8u also covers the widening's own rounding.
const WIDENING: f64 = 8.0 * UNIT_ROUNDOFF;

/// Half of f32's spacing at 1.
const UNIT_ROUNDOFF_32: f64 = f32::EPSILON as f64 / 2.0;

/// Bound on the error of the image, in units of f32's roundoff times its reach.
///
/// The reach R bounds every coordinate of the tree and of the image's start, so differences are at
/// most 2R. In units of uR, and of length along the axis. For a plane: the start is rounded (1), so
/// is the reciprocal (2); its product with the start (1), the sum with the slack (1), the product
/// with the plane (1) and the last sum (2) round once each. A direction that is all but level is
/// made steeper (2, see [`STEEPEST`]): 10. For the shear of triangles: the start (1) and a corner's
/// difference from it (2) along both axes, the slope (2), its product with the depth (2) and the
/// last sum (4): 14. The rest covers u².
const IMAGE_ERROR: f64 = 16.0;

/// The greatest reciprocal of the image's direction, whose greatest component is 1.
///
/// Where an axis' component is smaller than 2^-24, the image moves along it by less than
/// `2^-24 * 2R` more or less than the probe while it crosses the tree. That is 2uR.
const STEEPEST: f64 = 16_777_216.0;

/// Up to here coordinates of an image are told apart; beyond, its products might leave f32's range.
const GREATEST_REACH: f64 = 1e20;

/// A box from `min` to `max` that moves by `direction * t`; for a ray both are its origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe {
    min: DVec3,
    max: DVec3,
    direction: DVec3,
    t_min: f64,
    t_max: f64,
}

impl Probe {
    /// A probe for a ray.
    #[inline]
    pub(crate) fn ray(ray: &LocalRay) -> Self {
        Self::moving_box((ray.origin, ray.origin), ray.direction, (ray.t_min, ray.t_max))
    }

    /// A probe for a box that moves.
    #[inline]
    pub(crate) fn moving_box(
        (min, max): (DVec3, DVec3),
        direction: DVec3,
        (t_min, t_max): (f64, f64),
    ) -> Self {
        Self {
            min,
            max,
            direction,
            t_min,
            t_max: t_max.min(f64::from(f32::MAX)),
        }
    }
}

/// A probe in f32, from where it may first touch a tree, at a speed of 1 along its fastest axis.
///
/// Its time is `(t - start) * speed`, metres along that axis, and never negative. The fourth lane of
/// vectors means nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Image {
    /// Along each axis the side of the box that reaches others first.
    pub(crate) front: [f32; 4],
    /// Along each axis the side of the box that leaves others last; a ray's is its front.
    pub(crate) back: [f32; 4],
    /// Within -1 and 1; the fastest axis' is exactly one of them.
    pub(crate) direction: [f32; 4],
    pub(crate) reciprocal: [f32; 4],
    /// By how much of time the probe may pass a plane of each axis earlier or later.
    pub(crate) slack: [f32; 4],
    /// 1 where it moves down the axis, else 0: which of a box's sides it meets first.
    pub(crate) first_side: [usize; 3],
    /// By how much a place of the image may be off, metres.
    pub(crate) error: f32,
    start: f64,
    speed: f64,
    t_max: f64,
}

impl Image {
    /// The image of `probe` in a tree with these bounds, or `None` if it never touches them.
    #[inline(always)]
    pub(crate) fn new<S: Simd>(simd: S, probe: &Probe, bounds: &Aabb) -> Option<Self> {
        let (low, high) = (of_f32(simd, bounds.min()), of_f32(simd, bounds.max()));
        let (min, max) = (lanes(simd, probe.min), lanes(simd, probe.max));
        let direction = lanes(simd, probe.direction);
        let zero = f64x4::splat(simd, 0.0);
        let infinity = f64x4::splat(simd, f64::INFINITY);

        // When the sides of the bounds are passed: whichever way the probe moves, it enters by the
        // lesser of the two and leaves by the greater. Where it rests it has always entered, or
        // never does, and the fourth lane rests in place.
        let rests = direction.simd_eq(zero);
        let reciprocal = f64x4::splat(simd, 1.0) / direction;
        let (to_low, to_high) = (low - max, high - min);
        let below = rests.select(
            to_low.simd_gt(zero).select(infinity, -infinity),
            to_low * reciprocal,
        );
        let above = rests.select(
            to_high.simd_lt(zero).select(-infinity, infinity),
            to_high * reciprocal,
        );
        let (enter, leave) = (below.min(above), below.max(above));
        let enter = (enter - enter.abs() * WIDENING).max(probe.t_min);
        let leave = (leave + leave.abs() * WIDENING).min(probe.t_max);
        let (start, end) = (enter.reduce_max(), leave.reduce_min());
        if start > end {
            return None;
        }

        let speed = direction.abs().reduce_max();
        let (min, max) = (min + direction * start, max + direction * start);
        let size = low.abs().max(high.abs()).max(min.abs()).max(max.abs());
        let reach = size.reduce_max();
        // The start's place is off by two roundings in f64 of what it is the sum of.
        let before = lanes(simd, probe.min).abs().max(lanes(simd, probe.max).abs());
        let travelled = before.reduce_max() + start.abs() * speed;
        let error = 16.0 * UNIT_ROUNDOFF * travelled
            + IMAGE_ERROR * UNIT_ROUNDOFF_32 * reach
            + f64::from(f32::MIN_POSITIVE);
        let is_in_range = reach + error < GREATEST_REACH;
        if !is_in_range {
            return Some(Self::touching_all(start, speed, probe.t_max));
        }
        // A probe at rest has time for nothing but its start: any speed will do.
        let pace = if speed == 0.0 { 1.0 } else { speed };
        let down = direction.simd_lt(zero);
        let steepness = rests
            .select(infinity, reciprocal.abs() * pace)
            .min(STEEPEST);
        Some(Self {
            front: to_f32(down.select(min, max)),
            back: to_f32(down.select(max, min)),
            direction: to_f32(direction * (1.0 / pace)),
            reciprocal: to_f32(down.select(-steepness, steepness)),
            slack: to_f32(steepness * (error * (1.0 + 4.0 * UNIT_ROUNDOFF_32))),
            first_side: [
                usize::from(probe.direction.x < 0.0),
                usize::from(probe.direction.y < 0.0),
                usize::from(probe.direction.z < 0.0),
            ],
            error: upwards(error),
            start,
            speed,
            t_max: probe.t_max,
        })
    }

    /// An image that touches every box until the limit, for numbers beyond f32.
    #[cold]
    #[inline(never)]
    fn touching_all(start: f64, speed: f64, t_max: f64) -> Self {
        Self {
            front: [0.0; 4],
            back: [0.0; 4],
            direction: [0.0; 4],
            reciprocal: [0.0; 4],
            slack: [f32::MAX; 4],
            first_side: [0; 3],
            error: f32::INFINITY,
            start,
            speed,
            t_max,
        }
    }

    /// The image's time from which on nothing matters, if hits after `limit` do not.
    ///
    /// What is met at a t that rounds to `limit` still matters, so that exact ties can be settled.
    #[inline]
    pub(crate) fn time_limit(&self, limit: f32) -> f32 {
        // Rounding is monotone: what is entered beyond the f32 above the limit cannot tie.
        let limit = f64::from(limit.next_up()).min(self.t_max);
        upwards((limit - self.start) * self.speed)
    }
}

#[inline(always)]
fn lanes<S: Simd>(simd: S, v: DVec3) -> f64x4<S> {
    f64x4::load_array(simd, [v.x, v.y, v.z, 0.0])
}

#[inline(always)]
fn of_f32<S: Simd>(simd: S, v: Vec3) -> f64x4<S> {
    lanes(simd, DVec3::new(f64::from(v.x), f64::from(v.y), f64::from(v.z)))
}

#[inline(always)]
fn to_f32<S: Simd>(v: f64x4<S>) -> [f32; 4] {
    let [x, y, z, w] = v.to_array();
    [nearest(x), nearest(y), nearest(z), nearest(w)]
}

#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to f32 is what is asked for"
)]
fn nearest(x: f64) -> f32 {
    x as f32
}

/// An f32 that is surely not less than `x`, and greater where `x` is not zero.
#[inline(always)]
fn upwards(x: f64) -> f32 {
    // A product with a number above 1 by two roundings, of which it loses one.
    let wider = x + x.abs() * (4.0 * UNIT_ROUNDOFF_32);
    nearest(wider)
}
