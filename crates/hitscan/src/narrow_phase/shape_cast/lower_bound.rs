//! The earliest hit that is possible inside a box, for best-first traversal.
//!
//! A hit with what is in a box is never before the time at which the moving box enters that box on all
//! three axes, and rounding is monotone. So the bound, rounded down to f64 as the times of hits are where
//! they are compared, has no slack where the shape is a box: a tree leaves out a node that can only tie
//! with a hit of a lower triangle.

use super::aabb_cast::AabbCast;
use crate::Aabb;
use crate::exact::expansion::{UNIT_ROUNDOFF, floor_difference_quotient, nearest_f32};
use crate::exact::extremes::{greater, lesser};
use glam::DVec3;

/// A time is a rounded difference by a speed, rounded: two units of roundoff, for each of two that are
/// compared, and what that takes itself.
pub(super) const ROUNDING: f64 = 8.0 * UNIT_ROUNDOFF;

/// The key of an overlap at the start: before all times.
pub(crate) const OVERLAP: f64 = -1.0;

impl AabbCast {
    /// A t before which nothing inside `bounds` is reported to be hit, or `None` where nothing inside is
    /// ever hit; for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn earliest_t(&self, bounds: &Aabb) -> Option<f32> {
        let time = self.earliest_floor(bounds.min().as_dvec3(), bounds.max().as_dvec3());
        time.map(|time| nearest_f32(time.max(0.0)))
    }

    /// No hit inside the box from `min` to `max` comes before this time, rounded down to f64, or is an
    /// overlap unless it is that; `None` where there is none.
    ///
    /// It is the time at which the boxes first touch, rounded down: a block that can only tie with a
    /// hit has the hit's own key.
    pub(crate) fn earliest_floor(&self, min: DVec3, max: DVec3) -> Option<f64> {
        let (start_min, start_max) = (self.start.min().as_dvec3(), self.start.max().as_dvec3());
        let (all_near, all_far) = (min - start_max, max - start_min);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let mut overlaps = true;
        for axis in 0..3 {
            // Rounded differences have the signs of the exact ones.
            let (near, far) = (all_near[axis], all_far[axis]);
            let speed = f64::from(self.motion[axis]);
            // Against the motion the axis is looked at the other way round.
            let (near, far, speed) = if speed < 0.0 {
                (-far, -near, -speed)
            } else {
                (near, far, speed)
            };
            overlaps &= near < 0.0 && far > 0.0;
            // It is left at t = 0, or never reached.
            if far <= 0.0 || near > speed * (1.0 + ROUNDING) || (speed == 0.0 && near >= 0.0) {
                return None;
            }
            if speed > 0.0 {
                enter = enter.max(near / speed);
                leave = leave.min(far / speed);
            }
        }
        if enter * (1.0 - ROUNDING) > leave * (1.0 + ROUNDING) {
            return None;
        }
        if overlaps {
            return Some(OVERLAP);
        }
        Some(self.entry_floor(min, max).clamp(0.0, 1.0))
    }

    /// When the box from `min` to `max` is entered on all axes, rounded down; at least 0.
    fn entry_floor(&self, min: DVec3, max: DVec3) -> f64 {
        let (start_min, start_max) = (self.start.min().as_dvec3(), self.start.max().as_dvec3());
        let mut entry = 0.0_f64;
        for axis in 0..3 {
            let speed = f64::from(self.motion[axis]);
            let (from, to) = if speed > 0.0 {
                (start_max[axis], min[axis])
            } else {
                // The same way and speed, seen the other way round.
                (-start_min[axis], -max[axis])
            };
            // A way that is not longer takes no time.
            if speed != 0.0 && to > from {
                entry = entry.max(floor_difference_quotient(to, from, speed.abs()));
            }
        }
        entry
    }
}

/// A moving box as quick bounds want it.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuickBounds {
    min: DVec3,
    max: DVec3,
    /// The reciprocals of the motion's components.
    inv_speeds: DVec3,
}

impl QuickBounds {
    pub(super) fn new(cast: &AabbCast) -> Self {
        Self {
            min: cast.start.min().as_dvec3(),
            max: cast.start.max().as_dvec3(),
            inv_speeds: cast.motion.as_dvec3().recip(),
        }
    }

    /// As [`AabbCast::earliest_floor`] without the exact rounding: a time not after that, and as quick
    /// as can be.
    #[inline]
    pub(super) fn earliest(&self, min: DVec3, max: DVec3) -> Option<f64> {
        earliest_contact([self.min, self.max], [min, max], self.inv_speeds)
    }
}

/// A time before which nothing inside a moving box hits anything inside a resting one, or [`OVERLAP`] where they may
/// overlap at the start; `None` where nothing inside ever does. Boxes are given by their corners, the motion by the
/// reciprocals of its components.
#[inline]
pub(crate) fn earliest_contact(
    moving: [DVec3; 2],
    resting: [DVec3; 2],
    inv_speeds: DVec3,
) -> Option<f64> {
    let (near, far) = (resting[0] - moving[1], resting[1] - moving[0]);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        let inv_speed = inv_speeds[axis];
        let (near, far) = (near[axis], far[axis]);
        if inv_speed.is_infinite() {
            if near > 0.0 || far < 0.0 {
                return None;
            }
            continue;
        }
        let (one, other) = (near * inv_speed, far * inv_speed);
        enter = greater(enter, lesser(one, other));
        leave = lesser(leave, greater(one, other));
    }
    // A difference, a reciprocal and a product round once each.
    let enter = enter * (1.0 - ROUNDING);
    if enter > leave + leave.abs() * ROUNDING {
        return None;
    }
    // The signs of differences are exact.
    let overlaps = near.cmplt(DVec3::ZERO).all() && far.cmpgt(DVec3::ZERO).all();
    Some(if overlaps { OVERLAP } else { enter })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::expansion::{Expansion, floor_quotient};
    use crate::test_rng::Rng;

    #[test]
    fn the_bound_is_the_time_of_a_box_that_is_hit() {
        let mut rng = Rng(7);
        let mut next = |span: f32| 0.5 * span * rng.signed();
        let mut hits = 0;
        for _ in 0..20_000 {
            let corner = [next(8.0), next(8.0), next(8.0)];
            let end = corner.map(|x| x + next(2.0).abs());
            let motion = [next(16.0), next(16.0), next(16.0)].map(|x| (x * 4.0).round() / 4.0);
            let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
            let cast = AabbCast::new(unit, motion).unwrap();
            let obstacle = Aabb::new(corner, end).unwrap();
            let Some(hit) = obstacle.cast_aabb(&cast) else {
                continue;
            };
            hits += 1;
            // Times so near a midpoint of two f32 that rounding twice shows are not among these.
            assert_eq!(cast.earliest_t(&obstacle), Some(hit.t));
        }
        assert!(hits > 300, "{hits}");
    }

    #[test]
    fn an_entry_is_rounded_down() {
        let start = Aabb::new([-1.0; 3], [0.0; 3]).unwrap();
        for speed in [3.0, 0.7, 1e-3, 11.0] {
            for near in [1.0, 0.1, 0.3_f64.next_up(), 1e-5, 7.0 / 3.0] {
                let cast = AabbCast::new(start, [speed, 0.0, 0.0]).unwrap();
                let min = DVec3::new(near, -2.0, -2.0);
                let Some(found) = cast.earliest_floor(min, DVec3::splat(3.0)) else {
                    assert!(near >= f64::from(speed));
                    continue;
                };
                let speed = Expansion::from_f64(f64::from(speed));
                assert_eq!(found, floor_quotient(&Expansion::from_f64(near), &speed));
            }
        }
    }
}
