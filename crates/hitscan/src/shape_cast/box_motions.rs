//! Two moving boxes: when they first meet, exactly.
//!
//! Only the motion of one as the other sees it counts. It is a difference of f32, which f64 rounds;
//! what f64 cannot tell is decided on exact differences. Read `impacts_of.rs` next.

use super::box_box::against;
use super::meeting::{ExactProjection, Intersection, Overlap};
use super::time_span::{Along, Bounded, Projection};
use super::{BoxMotion, Contact};
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF, nearest_f32};
use glam::DVec3;

/// Relative difference of two times that is certain in f64.
///
/// A time is a rounded difference over a rounded difference, rounded: three roundings for each of
/// two times, and what comparing takes itself.
const CERTAIN: f64 = 16.0 * UNIT_ROUNDOFF;

/// The first contact of two moving boxes while t goes from 0 to 1, or `None`.
///
/// The rules are those of [`box_box`](super::box_box()) with `moving` seen from `other`: on each axis
/// on which their motions differ they touch or overlap during a closed interval of t, and without
/// relative motion they overlap always or never. The normal is that of the face of `other` that was
/// met; with the boxes exchanged it is the opposite one.
///
/// # Accuracy
/// Every decision is exact, and `t` is the exact time rounded once.
///
/// ```
/// use hitscan::{Aabb, sweep};
/// let crate_at = |x: f32| Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
/// let fast = shape_cast::BoxMotion::new(crate_at(0.0)?, [6.0, 0.0, 0.0])?;
/// let slow = shape_cast::BoxMotion::new(crate_at(3.0)?, [2.0, 0.0, 0.0])?;
/// let contact = shape_cast::box_motions(&fast, &slow).expect("the fast one catches up");
/// assert_eq!((contact.t, contact.normal.x), (0.5, -1.0));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn box_motions(moving: &BoxMotion, other: &BoxMotion) -> Option<Contact> {
    match estimate(moving, other) {
        Estimate::Miss => None,
        Estimate::Contact(contact) => Some(contact),
        Estimate::Unknown => decide(moving, other),
    }
}

/// What f64 knows.
enum Estimate {
    Miss,
    Contact(Contact),
    Unknown,
}

/// Answers where f64 is certain.
///
/// Differences in f64 of f32 have the right sign. So a still axis, an overlap at the start and an
/// axis that is left at or before t = 0 are always known; times are known up to [`CERTAIN`].
fn estimate(moving: &BoxMotion, other: &BoxMotion) -> Estimate {
    let speed = moving.motion.as_dvec3() - other.motion.as_dvec3();
    let near = other.start.min().as_dvec3() - moving.start.max().as_dvec3();
    let far = other.start.max().as_dvec3() - moving.start.min().as_dvec3();
    let (mut enter, mut second, mut leave) = (f64::NEG_INFINITY, f64::NEG_INFINITY, 1.0_f64);
    let mut axis_met = 0;
    let mut overlaps = true;
    for axis in 0..3 {
        let (near, far, speed) = (near[axis], far[axis], speed[axis]);
        let is_ahead = near >= 0.0;
        let is_behind = far <= 0.0;
        overlaps &= !(is_ahead || is_behind);
        if (is_ahead && speed <= 0.0) || (is_behind && speed >= 0.0) {
            return Estimate::Miss;
        }
        if speed == 0.0 {
            continue;
        }
        let (a, b) = (near / speed, far / speed);
        let own = a.min(b);
        leave = leave.min(a.max(b));
        second = second.max(own.min(enter));
        if own > enter {
            (enter, axis_met) = (own, axis);
        }
    }
    if overlaps {
        return Estimate::Contact(Contact::OVERLAP);
    }
    // Some axis is ahead or behind and is moved along, so that its entry is not negative.
    let slack = CERTAIN * enter;
    if enter - leave > slack {
        return Estimate::Miss;
    }
    let (low, high) = (nearest_f32(enter - slack), nearest_f32(enter + slack));
    if leave - enter <= slack || enter - second <= slack || low != high {
        return Estimate::Unknown;
    }
    let along = if speed[axis_met] > 0.0 {
        Along::Forward
    } else {
        Along::Backward
    };
    Estimate::Contact(Contact::hit(low, against(along, DVec3::AXES[axis_met])))
}

/// Decides exactly.
#[cold]
#[inline(never)]
fn decide(moving: &BoxMotion, other: &BoxMotion) -> Option<Contact> {
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
        Overlap::Overlap => Contact::OVERLAP,
        Overlap::Hit { t, axis, along } => Contact::hit(t, against(along, DVec3::AXES[axis])),
    })
}
