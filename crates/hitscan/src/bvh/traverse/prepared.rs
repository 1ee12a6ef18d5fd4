//! The query of a traversal: a ray, or a box that moves along a line; and its prepared form in f32,
//! with which a tree's boxes are tested.
//!
//! Culling must never lose a box that the exact query touches, so every error of the prepared query is
//! bounded here and the tests are widened by it. It decides no answer.

use crate::Aabb;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::ray_cast::ray::LocalRay;
use fearless_simd::{Select, Simd, f32x4, f64x4, prelude::*};
use glam::DVec3;

/// Relative widening of an interval's ends in f64.
///
/// `(bound - origin) / direction` carries a rounding in the difference and one in the quotient, 2u
/// and a little; 8u also covers the widening's own roundings.
const WIDENING: f64 = 8.0 * UNIT_ROUNDOFF;

/// Half of f32's spacing at 1.
const UNIT_ROUNDOFF_32: f64 = f32::EPSILON as f64 / 2.0;

/// Bound on the error of the prepared query, in units of f32's roundoff times its reach.
///
/// The reach R bounds every coordinate of the tree and of the prepared query's start, so differences are at
/// most 2R. In units of uR, and of length along the axis. For a plane: the start is rounded (1), so
/// are the direction and the quotient that is its reciprocal (2 each); the reciprocal's product with
/// the start (1), the sum with the slack (1), the product with the plane (1) and the last sum (2)
/// round once each. A direction that is all but level is made steeper (2, see [`STEEPEST`]): 12. For
/// the shear of triangles: the start (1) and a corner's difference from it (2) along both axes, the
/// slope, a quotient of two rounded numbers (6), its product with the depth (2) and the last sum
/// (4): 18. The rest covers u².
const PREPARED_ERROR: f64 = 24.0;

/// Directions whose greatest component lies here are rounded to f32 as they are, the others first
/// brought to a greatest component of 1, so that their quotients stay in f32's range.
const PLAIN_SPEEDS: core::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// The greatest reciprocal of the prepared query's direction, whose greatest component is 1.
///
/// Where an axis' component is smaller than 2^-24, the prepared query moves along it by less than
/// `2^-24 * 2R` more or less than the query while it crosses the tree. That is 2uR.
const STEEPEST: f32 = 16_777_216.0;

/// Up to here coordinates of a prepared query are distinguished; beyond, its products might leave
/// f32's range.
const GREATEST_REACH: f64 = 1e20;

/// How many times as far from the origin as the tree itself a prepared query may start. Queries from beyond
/// are brought to where they enter the tree's bounds, so that the prepared query's error stays small.
const NEARBY: f32 = 4.0;

/// The error of prepared queries that start with their query and nearby, in units of the tree's own reach; a
/// little more, for its own rounding and that of places to f32. The constants are small numbers by
/// powers of two.
#[expect(clippy::cast_possible_truncation, reason = "nothing is lost")]
const NEARBY_ERROR: f32 = 1.001 * (PREPARED_ERROR * UNIT_ROUNDOFF_32) as f32 * NEARBY;

/// Trees that reach less than this stay in range with all that is nearby.
const PLAIN_REACH: f32 = 1e18;

/// A box from `min` to `max` that moves by `direction * t`; for a ray both are its origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TraversalQuery {
    min: DVec3,
    max: DVec3,
    direction: DVec3,
    t_min: f64,
    t_max: f64,
    /// Whether what lies in a plane of the query does not matter.
    misses_planes: bool,
}

impl TraversalQuery {
    /// A query for the hits of a ray: triangles in whose plane it lies may be left out.
    #[inline(always)]
    pub(crate) fn ray(ray: &LocalRay) -> Self {
        Self {
            misses_planes: true,
            ..Self::ray_in_planes(ray)
        }
    }

    /// A query for all triangles that a ray touches, those in whose plane it lies too.
    #[inline(always)]
    pub(crate) fn ray_in_planes(ray: &LocalRay) -> Self {
        Self::moving_box(
            (ray.origin, ray.origin),
            ray.direction,
            (ray.t_min, ray.t_max),
        )
    }

    /// A query for a box that moves.
    #[inline(always)]
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
            misses_planes: false,
        }
    }

    /// Whether its direction is 0 along an axis, and what lies in its planes does not matter.
    #[inline(always)]
    pub(super) fn may_miss_flat_boxes(&self) -> bool {
        let DVec3 { x, y, z } = self.direction;
        self.misses_planes && (x == 0.0 || y == 0.0 || z == 0.0)
    }

    /// Where a ray starts.
    pub(super) fn origin(&self) -> DVec3 {
        self.min
    }

    pub(super) fn direction(&self) -> DVec3 {
        self.direction
    }

    /// Whether the query may touch the box at a t that rounds to at most the limit.
    pub(crate) fn may_touch(&self, bounds: &Aabb, limit: f32) -> bool {
        let entry = self.entry(bounds);
        entry.is_some_and(|t| t <= f64::from(limit.next_up()))
    }

    /// From when on the query may touch the box; `None` where it never does.
    #[inline(never)]
    fn entry(&self, bounds: &Aabb) -> Option<f64> {
        let (low, high) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let (mut near, mut far) = (self.t_min, self.t_max);
        for axis in 0..3 {
            let (to_low, to_high) = (low[axis] - self.max[axis], high[axis] - self.min[axis]);
            if self.direction[axis] == 0.0 {
                if to_low > 0.0 || to_high < 0.0 {
                    return None;
                }
                continue;
            }
            // Whichever way it moves, it enters by the lesser of these and leaves by the greater.
            let below = to_low / self.direction[axis];
            let above = to_high / self.direction[axis];
            let (enter, leave) = (below.min(above), below.max(above));
            near = near.max(enter - enter.abs() * WIDENING);
            far = far.min(leave + leave.abs() * WIDENING);
        }
        (near <= far).then_some(near)
    }
}

/// A query in f32, from its start or from where it may first touch a tree, at a speed of 1 along its
/// fastest axis.
///
/// Its time is `(t - start) * speed`, metres along that axis, and never negative. It passes a plane
/// across an axis at `plane * reciprocal + enter` at the earliest, and at `plane * reciprocal + leave`
/// at the latest. The fourth lane of vectors means nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TraversalRay {
    /// Where a ray starts. Of a box it is the side that reaches others first, along each axis.
    pub(crate) front: [f32; 4],
    /// Within -1 and 1; the fastest axis' is exactly one of them.
    pub(crate) direction: [f32; 4],
    pub(crate) reciprocal: [f32; 4],
    pub(crate) enter: [f32; 4],
    pub(crate) leave: [f32; 4],
    /// 1 where it moves down the axis, else 0: through which of a box's sides it enters.
    pub(crate) first_side: [usize; 3],
    /// By how much a place of the prepared query may be off, metres.
    pub(crate) error: f32,
    start: f64,
    speed: f64,
    t_max: f64,
}

impl TraversalRay {
    /// Prepares `query` for a tree with these bounds, whose coordinates are at most `reach`;
    /// `false` if the query certainly never touches them.
    ///
    /// It is written in place: a copy of what was just written in other pieces is a
    /// store-to-load forwarding stall.
    #[inline(always)]
    pub(crate) fn set<S: Simd>(
        &mut self,
        simd: S,
        query: &TraversalQuery,
        bounds: &Aabb,
        reach: f32,
    ) -> bool {
        let speed = lanes(simd, query.direction).abs().reduce_max();
        let mut placed = Placed {
            min: to_f32(simd, lanes(simd, query.min)),
            max: to_f32(simd, lanes(simd, query.max)),
            start: query.t_min,
            error: reach * NEARBY_ERROR + f32::MIN_POSITIVE,
        };
        let size = placed.min.abs().max(placed.max.abs()).reduce_max();
        // One bound serves all that start near the tree, so that nothing waits for it.
        let is_plain = query.t_min == 0.0 && size <= NEARBY * reach && reach < PLAIN_REACH;
        if !is_plain {
            let Some(far) = Placed::new(simd, query, bounds, reach) else {
                return false;
            };
            if far.error == f32::INFINITY {
                self.touch_all(far.start, speed, query.t_max);
                return true;
            }
            placed = far;
        }
        let Placed {
            min,
            max,
            start,
            error,
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
        let pace = f32x4::splat(simd, direction.abs().reduce_max());
        let is_down = direction.is_sign_negative();
        let steepness = (pace / direction.abs()).min(STEEPEST);
        let reciprocal = steepness.copysign(direction);
        let direction = direction / pace;
        let (front, back) = (is_down.select(min, max), is_down.select(max, min));
        let slack = steepness * error;
        #[expect(clippy::cast_possible_truncation, reason = "the mask has 4 bits")]
        let down = is_down.to_bitmask() as usize;
        front.store_array(&mut self.front);
        direction.store_array(&mut self.direction);
        reciprocal.store_array(&mut self.reciprocal);
        (-(front * reciprocal) - slack).store_array(&mut self.enter);
        (slack - back * reciprocal).store_array(&mut self.leave);
        self.first_side = [down & 1, down >> 1 & 1, down >> 2 & 1];
        self.error = error;
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
        start: 0.0,
        speed: 0.0,
        t_max: 0.0,
    };

    /// Prepares a query that touches every box until the limit, for numbers beyond f32.
    #[cold]
    #[inline(never)]
    fn touch_all(&mut self, start: f64, speed: f64, t_max: f64) {
        *self = Self {
            enter: [f32::MIN; 4],
            leave: [f32::MAX; 4],
            error: f32::INFINITY,
            start,
            speed,
            t_max,
            ..Self::NONE
        };
    }

    /// The t at which the prepared query starts.
    pub(crate) fn start(&self) -> f64 {
        self.start
    }

    /// A t that is not after the prepared query's `time`; before all where that is its start.
    pub(crate) fn earliest(&self, time: f32) -> f64 {
        if time > 0.0 && self.speed > 0.0 {
            // A quotient and a sum round once each.
            (self.start + f64::from(time) / self.speed) * (1.0 - WIDENING)
        } else {
            f64::NEG_INFINITY
        }
    }

    /// The prepared query's time from which on nothing matters, if hits after `limit` do not.
    ///
    /// What is hit at a t that rounds to `limit` still matters, so that exact ties can be settled.
    #[inline(always)]
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
    start: f64,
    /// Infinite for numbers beyond f32.
    error: f32,
}

impl<S: Simd> Placed<S> {
    /// The query at its first t, or from afar where it may first touch the bounds;
    /// `None` if it never does.
    #[inline(always)]
    fn new(simd: S, query: &TraversalQuery, bounds: &Aabb, reach: f32) -> Option<Self> {
        let direction = lanes(simd, query.direction);
        let speed = direction.abs().reduce_max();
        let mut start = query.t_min;
        let mut min = lanes(simd, query.min) + direction * start;
        let mut max = lanes(simd, query.max) + direction * start;
        let mut size = min.abs().max(max.abs()).reduce_max();
        let reach = f64::from(reach);
        let is_nearby = size <= f64::from(NEARBY) * reach;
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
        let reach = if size > reach { size } else { reach };
        let error = 16.0 * UNIT_ROUNDOFF * summed
            + PREPARED_ERROR * UNIT_ROUNDOFF_32 * reach
            + f64::from(f32::MIN_POSITIVE);
        let is_in_range = reach + error < GREATEST_REACH;
        Some(Self {
            min: to_f32(simd, min),
            max: to_f32(simd, max),
            start,
            error: if is_in_range {
                upwards(error)
            } else {
                f32::INFINITY
            },
        })
    }
}

#[inline(always)]
fn lanes<S: Simd>(simd: S, v: DVec3) -> f64x4<S> {
    f64x4::load_array(simd, [v.x, v.y, v.z, 0.0])
}

#[inline(always)]
fn to_f32<S: Simd>(simd: S, v: f64x4<S>) -> f32x4<S> {
    let [x, y, z, w] = v.to_array();
    f32x4::load_array(simd, [nearest(x), nearest(y), nearest(z), nearest(w)])
}

#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to f32 is intended"
)]
fn nearest(x: f64) -> f32 {
    x as f32
}

/// An f32 above `x` by more than what rounding it, and a product with it, may lose.
#[inline(always)]
fn upwards(x: f64) -> f32 {
    nearest(x + x.abs() * (4.0 * UNIT_ROUNDOFF_32))
}
