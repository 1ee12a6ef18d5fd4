//! Two moving boxes: when they first hit, exactly.
//!
//! Only the relative motion counts. It is a difference of f32, which f64 rounds; where the
//! floating-point filter fails, exact differences decide.

use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF, nearest_f32};
use crate::narrow_phase::convex::interval_intersection::{
    ExactProjection, FirstContact, Intersection,
};
use crate::narrow_phase::convex::separating_axes::against;
use crate::narrow_phase::convex::time_interval::{Along, Bounded, Projection};
use crate::narrow_phase::shape_cast::{AabbCast, PairHit};
use glam::DVec3;

/// Relative difference of two times that is certain in f64.
///
/// A time is a rounded difference over a rounded difference, rounded: three roundings for each of
/// two times, and what comparing takes itself.
const CERTAIN: f64 = 16.0 * UNIT_ROUNDOFF;

/// The first contact of two moving boxes while t goes from 0 to 1, or `None`.
///
/// The rules are those of [`Aabb::cast_aabb`](crate::Aabb::cast_aabb) with `moving` seen from
/// `other`. The normal is that of the face of `other` that is hit; with the boxes exchanged it is the
/// opposite one. Every decision is exact, and `t` is the exact time rounded once.
pub(super) fn moving_boxes(moving: &AabbCast, other: &AabbCast) -> Option<PairHit> {
    match filter(moving, other) {
        Filtered::Miss => None,
        Filtered::Hit(hit) => Some(hit),
        Filtered::Unknown => decide(moving, other),
    }
}

/// The filter's answer.
enum Filtered {
    Miss,
    Hit(PairHit),
    Unknown,
}

/// Answers where f64 is certain.
///
/// Differences in f64 of f32 have the right sign. So a still axis, an overlap at the start and an
/// axis that is left at or before t = 0 are always known; times are known up to [`CERTAIN`].
fn filter(moving: &AabbCast, other: &AabbCast) -> Filtered {
    let speed = moving.motion.as_dvec3() - other.motion.as_dvec3();
    let near = other.start.min().as_dvec3() - moving.start.max().as_dvec3();
    let far = other.start.max().as_dvec3() - moving.start.min().as_dvec3();
    let (mut enter, mut second, mut leave) = (f64::NEG_INFINITY, f64::NEG_INFINITY, 1.0_f64);
    let mut last_axis = 0;
    let mut overlaps = true;
    for axis in 0..3 {
        let (near, far, speed) = (near[axis], far[axis], speed[axis]);
        let is_ahead = near >= 0.0;
        let is_behind = far <= 0.0;
        overlaps &= !(is_ahead || is_behind);
        if (is_ahead && speed <= 0.0) || (is_behind && speed >= 0.0) {
            return Filtered::Miss;
        }
        if speed == 0.0 {
            continue;
        }
        let (a, b) = (near / speed, far / speed);
        let own = a.min(b);
        leave = leave.min(a.max(b));
        second = second.max(own.min(enter));
        if own > enter {
            (enter, last_axis) = (own, axis);
        }
    }
    if overlaps {
        return Filtered::Hit(PairHit::OVERLAP);
    }
    // Some axis is ahead or behind and is moved along, so that its entry is not negative.
    let slack = CERTAIN * enter;
    if enter - leave > slack {
        return Filtered::Miss;
    }
    let (low, high) = (nearest_f32(enter - slack), nearest_f32(enter + slack));
    if leave - enter <= slack || enter - second <= slack || low != high {
        return Filtered::Unknown;
    }
    let along = if speed[last_axis] > 0.0 {
        Along::Forward
    } else {
        Along::Backward
    };
    Filtered::Hit(PairHit::at(low, against(along, DVec3::AXES[last_axis])))
}

/// Decides exactly.
#[cold]
#[inline(never)]
fn decide(moving: &AabbCast, other: &AabbCast) -> Option<PairHit> {
    let numbers = |axis: usize| {
        let wide = |x: f32| f64::from(x);
        let (start, obstacle) = (moving.start, other.start);
        [
            [wide(obstacle.min()[axis]), wide(start.max()[axis])],
            [wide(obstacle.max()[axis]), wide(start.min()[axis])],
            [wide(moving.motion[axis]), wide(other.motion[axis])],
        ]
    };
    let mut intersection = Intersection::<usize, 3>::new();
    for (rank, axis) in (0..).zip(0..3) {
        let [near, far, speed] = numbers(axis).map(|[a, b]| Bounded::difference(a, b));
        intersection.add(rank, axis, &Projection { near, far, speed })?;
    }
    let exactly = |axis: usize| {
        let [near, far, speed] = numbers(axis).map(|[a, b]| Expansion::from_difference(a, b));
        ExactProjection { near, far, speed }
    };
    Some(match intersection.decide(&exactly)? {
        FirstContact::Overlap => PairHit::OVERLAP,
        FirstContact::Hit(entry) => {
            let normal = against(entry.along, DVec3::AXES[entry.axis]);
            PairHit::at(entry.t(&exactly), normal)
        }
    })
}
