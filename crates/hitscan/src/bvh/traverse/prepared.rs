//! The prepared form in f32 of a traversal's query, with which a tree's boxes are tested.
//!
//! Culling must never lose a box that the exact query touches, so every error of the prepared query is
//! bounded here and the tests are widened by it. It decides no answer.

use super::slab_time::is_fused;
use super::traversal_query::{TraversalQuery, WIDENING};
use crate::Aabb;
use crate::exact::expansion::UNIT_ROUNDOFF;
use fearless_simd::{Select, Simd, f32x4, f32x8, f64x4, prelude::*};
use glam::DVec3;

/// Bound on the error of a prepared query's times relative to them, in f32 (see [`LATER`]): 8u, doubled for
/// the roundings of what they are compared with.
///
/// [`LATER`]: super::slab_time::LATER
const TIME_ERROR: f64 = 8.0 * f32::EPSILON as f64;

/// Bound on what is off in the prepared query's start, in units of f32's roundoff u times a coordinate of the
/// start: relative to that alone, wherever the planes and corners are that it is tested with.
///
/// In units of u, the coordinate, and length along the axis: the start is rounded (1), so is its product
/// with the reciprocal (1), and the sum of that with the slack, or of the start and the slack (1). What the
/// reciprocal is off by moves no plane past the start: it is proportional to the time, and in [`LATER`]. The
/// rest covers the slack's own rounding and u².
///
/// [`LATER`]: super::slab_time::LATER
const START_ERROR: f32 = 4.0 * (f32::EPSILON / 2.0);

/// Bound on the error of what is computed from the prepared query and corners, in units of f32's roundoff u
/// times R.
///
/// R bounds the coordinates of the corners and of the prepared query's start, so differences are at most 2R.
/// In units of uR, along an axis: a place's rounding (1), that of its difference from the start's (3), a
/// slope, which is a quotient of two rounded numbers, by a depth (6), its product (2) and the last sum (4):
/// 16. The rest covers u².
const PREPARED_ERROR: f32 = 24.0 * (f32::EPSILON / 2.0);

/// That error where the start is farther than the corners, in units of the start's own.
const OF_START: f32 = PREPARED_ERROR / START_ERROR;

/// Directions whose largest component lies here are rounded to f32 as they are, the others first
/// brought to a largest component of 1, so that their quotients stay in f32's range.
const PLAIN_SPEEDS: core::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// The largest reciprocal of the prepared query's direction, whose largest component is 1.
///
/// Where an axis' component is smaller than 2^-64, the prepared query moves along it by less than
/// `2^-64 T` more or less than the query until the time T.
const STEEPEST: f32 = 18_446_744_073_709_551_616.0;

/// The minimum slack, relative to R that bounds the coordinates of the tree and of the start: no box
/// is touched after a time of 2R. It also is what a box's side in the start's own plane is left later
/// by, at least, so that a query in that plane is in the box as long as it crosses the tree:
/// `MIN_SLACK R STEEPEST` is 16R.
const MIN_SLACK: f32 = 16.0 / STEEPEST;

/// Up to here coordinates of a prepared query are distinguished; beyond, differences by [`STEEPEST`] might
/// leave f32's range.
const MAX_COORDINATE: f64 = 8e18;

/// How many times as far from the origin as the tree itself a prepared query may start. Queries from beyond
/// are brought to where they enter the tree's bounds, so that the prepared query's error stays small.
const NEARBY: f32 = 4.0;

/// The smallest slack of prepared queries that start with their query and nearby, relative to the tree's own
/// largest coordinate.
const NEARBY_SLACK: f32 = MIN_SLACK * NEARBY;

/// Trees whose coordinates are smaller stay in range with all that is nearby.
const MAX_PLAIN_COORDINATE: f32 = 1e18;

/// A query in f32, from its start or from where it may first touch a tree, at a speed of 1 along its
/// fastest axis.
///
/// Its time is `(t - start) * speed`, metres along that axis, and never negative. When it passes a plane
/// across an axis is said by [`slab_time`], at the earliest with the offset `enter`, and at the latest with
/// `leave`, but for a relative error of the time: see [`LATER`]. The fourth lane of vectors means nothing.
///
/// [`slab_time`]: super::slab_time::slab_time
/// [`LATER`]: super::slab_time::LATER
#[derive(Debug, Clone, Copy)]
pub(crate) struct TraversalRay {
    /// Where a ray starts. Of a box it is the leading side, along each axis.
    pub(crate) front: [f32; 4],
    /// Within -1 and 1; the fastest axis' is exactly one of them.
    pub(crate) direction: [f32; 4],
    pub(crate) reciprocal: [f32; 4],
    pub(crate) enter: [f32; 4],
    pub(crate) leave: [f32; 4],
    /// 1 where it moves down the axis, else 0: through which of a box's sides it enters.
    pub(crate) first_side: [usize; 3],
    /// Four times what its start may be off by along an axis, metres: see [`START_ERROR`].
    pub(crate) error: f32,
    /// Bound on the error of what is computed with corners of the tree, metres.
    pub(crate) tree_error: f32,
    start: f64,
    speed: f64,
    t_max: f64,
}

impl TraversalRay {
    /// Prepares `query` for a tree with these bounds, whose coordinates are at most `max_abs`;
    /// `false` if the query certainly never touches them.
    ///
    /// It is written in place: a copy of what was just written in other pieces is a
    /// store-to-load forwarding stall.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn set<S: Simd>(
        &mut self,
        simd: S,
        query: &TraversalQuery,
        bounds: &Aabb,
        max_abs: f32,
    ) -> bool {
        let speed = lanes(simd, query.direction).abs().reduce_max();
        let (min, max) = (
            to_f32(simd, lanes(simd, query.min)),
            to_f32(simd, lanes(simd, query.max)),
        );
        let farthest = min.abs().max(max.abs());
        let mut placed = Placed {
            min,
            max,
            farthest,
            size: farthest.reduce_max(),
            start: query.t_min,
            slack: max_abs * NEARBY_SLACK + f32::MIN_POSITIVE,
        };
        // One slack serves all that start near the tree, so that nothing waits for it.
        let is_plain =
            query.t_min == 0.0 && placed.size <= NEARBY * max_abs && max_abs < MAX_PLAIN_COORDINATE;
        if !is_plain {
            let Some(far) = Placed::new(simd, query, bounds, max_abs) else {
                return false;
            };
            if far.slack == f32::INFINITY {
                self.touch_all(is_fused(simd), (far.start, speed, query.t_max));
                return true;
            }
            placed = far;
        }
        let Placed {
            min,
            max,
            farthest,
            size,
            start,
            slack: min_slack,
        } = placed;
        let direction = lanes(simd, query.direction);
        // A query at rest has time for nothing but its start: any direction will do.
        let direction = if PLAIN_SPEEDS.contains(&speed) {
            to_f32(simd, direction)
        } else if speed > 0.0 {
            to_f32(simd, direction / speed)
        } else {
            f32x4::load_array(simd, [1.0, 0.0, 0.0, 0.0])
        };
        let max_speed = f32x4::splat(simd, direction.abs().reduce_max());
        let is_down = direction.is_sign_negative();
        let steepness = (max_speed / direction.abs()).min(STEEPEST);
        let reciprocal = steepness.copysign(direction);
        let direction = direction / max_speed;
        let (front, back) = (is_down.select(min, max), is_down.select(max, min));
        let slack = farthest.mul_add(START_ERROR, min_slack);
        // Away from what lies ahead, so that it is entered earlier, and left later.
        let (enter, leave) = if is_fused(simd) {
            let slack = steepness * slack;
            (-(front * reciprocal) - slack, slack - back * reciprocal)
        } else {
            let slack = slack.copysign(direction);
            (front + slack, back - slack)
        };
        #[expect(clippy::cast_possible_truncation, reason = "the mask has 4 bits")]
        let down = is_down.to_bitmask() as usize;
        front.store_array(&mut self.front);
        direction.store_array(&mut self.direction);
        reciprocal.store_array(&mut self.reciprocal);
        enter.store_array(&mut self.enter);
        leave.store_array(&mut self.leave);
        self.first_side = [down & 1, down >> 1 & 1, down >> 2 & 1];
        self.error = size * START_ERROR + min_slack;
        self.tree_error = self.error_within(max_abs);
        self.start = start;
        self.speed = speed;
        self.t_max = query.t_max;
        true
    }

    /// A placeholder where there is no query.
    pub(crate) const NONE: Self = Self {
        front: [0.0; 4],
        direction: [0.0; 4],
        reciprocal: [0.0; 4],
        enter: [0.0; 4],
        leave: [0.0; 4],
        first_side: [0; 3],
        error: 0.0,
        tree_error: 0.0,
        start: 0.0,
        speed: 0.0,
        t_max: 0.0,
    };

    /// Prepares a query that touches every box until the limit, for numbers beyond f32.
    #[cold]
    #[inline(never)]
    fn touch_all(&mut self, is_fused: bool, (start, speed, t_max): (f64, f64, f64)) {
        // The reciprocal is 0. Where that multiplies the difference, the time is 0 for all planes.
        let last = if is_fused { f32::MAX } else { 0.0 };
        *self = Self {
            enter: [-last; 4],
            leave: [last; 4],
            error: f32::INFINITY,
            tree_error: f32::INFINITY,
            start,
            speed,
            t_max,
            ..Self::NONE
        };
    }

    /// Bound on the error of what is computed with corners, if their coordinates are at most `max_abs`: see
    /// [`PREPARED_ERROR`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn error_within(&self, max_abs: f32) -> f32 {
        self.error * OF_START + max_abs * PREPARED_ERROR
    }

    /// The same for eight.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn errors_within<S: Simd>(&self, simd: S, max_abs: f32x8<S>) -> f32x8<S> {
        max_abs * PREPARED_ERROR + f32x8::splat(simd, self.error * OF_START)
    }

    /// The t at which the prepared query starts.
    pub(crate) fn start(&self) -> f64 {
        self.start
    }

    /// A t that is not after the prepared query's `time`; before all where that is its start.
    pub(crate) fn earliest(&self, time: f32) -> f64 {
        if time > 0.0 && self.speed > 0.0 {
            // A quotient and a sum round once each; the time may be late by a relative error.
            let time = f64::from(time) * (1.0 - TIME_ERROR);
            (self.start + time / self.speed) * (1.0 - WIDENING)
        } else {
            f64::NEG_INFINITY
        }
    }

    /// The prepared query's time from which on nothing matters, if hits after `limit` do not.
    ///
    /// What is hit at a t that rounds to `limit` still matters, so that exact ties can be settled.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn time_limit(&self, limit: f32) -> f32 {
        // Rounding is monotone: what is entered beyond the f32 above the limit cannot tie.
        let limit = f64::from(limit.next_up()).min(self.t_max);
        upwards((limit - self.start) * self.speed)
    }
}

/// A query at the start of its prepared form.
struct Placed<S: Simd> {
    min: f32x4<S>,
    max: f32x4<S>,
    /// The greater magnitude of both along each axis, and the largest of all.
    farthest: f32x4<S>,
    size: f32,
    start: f64,
    /// The slack of the start along each axis, beside [`START_ERROR`]; infinite for numbers beyond f32.
    slack: f32,
}

impl<S: Simd> Placed<S> {
    /// The query at its first t, or from afar where it may first touch the bounds;
    /// `None` if it never does.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(simd: S, query: &TraversalQuery, bounds: &Aabb, max_abs: f32) -> Option<Self> {
        let direction = lanes(simd, query.direction);
        let speed = direction.abs().reduce_max();
        let mut start = query.t_min;
        let mut min = lanes(simd, query.min) + direction * start;
        let mut max = lanes(simd, query.max) + direction * start;
        let mut size = min.abs().max(max.abs()).reduce_max();
        let max_abs = f64::from(max_abs);
        let is_nearby = size <= f64::from(NEARBY) * max_abs;
        if !is_nearby {
            // A copy, so that the query itself can stay in registers.
            let far = *query;
            start = far.entry(bounds)?;
            min = lanes(simd, query.min) + direction * start;
            max = lanes(simd, query.max) + direction * start;
            size = min.abs().max(max.abs()).reduce_max();
        }
        // The place at the start is off by two roundings in f64 of what it is the sum of: the start's
        // way, and the query's own place, which is at most the way and the sum.
        let summed = size + 2.0 * (start.abs() * speed);
        let max_abs = if size > max_abs { size } else { max_abs };
        let slack = 64.0 * UNIT_ROUNDOFF * summed
            + f64::from(MIN_SLACK) * max_abs
            + f64::from(f32::MIN_POSITIVE);
        let is_in_range = max_abs + slack < MAX_COORDINATE;
        let (min, max) = (to_f32(simd, min), to_f32(simd, max));
        let farthest = min.abs().max(max.abs());
        Some(Self {
            min,
            max,
            farthest,
            size: farthest.reduce_max(),
            start,
            slack: if is_in_range {
                upwards(slack)
            } else {
                f32::INFINITY
            },
        })
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn lanes<S: Simd>(simd: S, v: DVec3) -> f64x4<S> {
    f64x4::load_array(simd, [v.x, v.y, v.z, 0.0])
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn to_f32<S: Simd>(simd: S, v: f64x4<S>) -> f32x4<S> {
    let [x, y, z, w] = v.to_array();
    f32x4::load_array(simd, [nearest(x), nearest(y), nearest(z), nearest(w)])
}

#[cfg_attr(not(debug_assertions), inline(always))]
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to f32 is intended"
)]
fn nearest(x: f64) -> f32 {
    x as f32
}

/// An f32 above `x` by more than what rounding it may lose, and by what times may be late.
#[cfg_attr(not(debug_assertions), inline(always))]
fn upwards(x: f64) -> f32 {
    nearest(x + x.abs() * TIME_ERROR)
}

#[cfg(test)]
mod tests;
