//! The earliest hit that is possible inside a box, for best-first traversal.
//!
//! A triangle's hit is never before the time at which the moving box enters the triangle's bounds
//! on all three axes, and rounding to f32 is monotone. So this bound is that of the *reported* t,
//! without slack: a tree leaves out a node that can only tie with a hit of a lower triangle.

use super::cast::AabbCast;
use super::hit::{HitOrder, ImpactStart};
use super::time_interval::{Along, Bounded, Projection};
use crate::Aabb;
use crate::exact::expansion::{Expansion, nearest_f32, nearest_f32_quotient};
use glam::DVec3;

impl AabbCast {
    /// A t before which nothing inside `bounds` is hit, or `None` where nothing inside is ever hit.
    #[doc(hidden)]
    #[must_use]
    pub fn earliest_t(&self, bounds: &Aabb) -> Option<f32> {
        let order = self.earliest_order(bounds.min().as_dvec3(), bounds.max().as_dvec3());
        order.map(HitOrder::t)
    }

    /// No hit inside the box from `min` to `max` comes before this; `None` where there is none.
    pub(crate) fn earliest_order(&self, min: DVec3, max: DVec3) -> Option<HitOrder> {
        let (mut enter_low, mut enter_high, mut leave) = (0.0_f64, 0.0_f64, 1.0_f64);
        let mut overlaps = true;
        for axis in 0..3 {
            let projection = self.project(min, max, axis);
            let interval = projection.enclose()?;
            // A rounded difference has the sign of the exact one.
            overlaps &= projection.near.value < 0.0 && projection.far.value > 0.0;
            if interval.along != Along::Still {
                enter_low = enter_low.max(interval.enter.low);
                enter_high = enter_high.max(interval.enter.high);
                leave = leave.min(interval.leave.high);
            }
        }
        // What is left at t = 0 is not hit.
        if enter_low > leave || leave <= 0.0 {
            return None;
        }
        if overlaps {
            return Some(HitOrder::new(0.0, ImpactStart::Overlap));
        }
        let (low, high) = (nearest_f32(enter_low), nearest_f32(enter_high));
        let t = if low == high {
            low
        } else {
            self.exact_entry(min, max)
        };
        Some(HitOrder::new(t.min(1.0), ImpactStart::Separate))
    }

    /// The moving box and the box from `min` to `max` on the axis x, y or z (0, 1, 2).
    fn project(&self, min: DVec3, max: DVec3, axis: usize) -> Projection {
        let (start_min, start_max) = (self.start.min().as_dvec3(), self.start.max().as_dvec3());
        Projection {
            near: Bounded::difference(min[axis], start_max[axis]),
            far: Bounded::difference(max[axis], start_min[axis]),
            speed: Bounded::exactly(f64::from(self.motion[axis])),
        }
    }

    /// When the box from `min` to `max` is entered on all axes, rounded once; at least 0.
    #[cold]
    #[inline(never)]
    fn exact_entry(&self, min: DVec3, max: DVec3) -> f32 {
        let (start_min, start_max) = (self.start.min().as_dvec3(), self.start.max().as_dvec3());
        let mut entry = 0.0_f32;
        for axis in 0..3 {
            let speed = f64::from(self.motion[axis]);
            let way = if speed > 0.0 {
                Expansion::from_difference(min[axis], start_max[axis])
            } else {
                Expansion::from_difference(max[axis], start_min[axis])
            };
            if speed != 0.0 {
                entry = entry.max(nearest_f32_quotient(&way, &Expansion::from_f64(speed)));
            }
        }
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_the_reported_t_of_a_box_that_is_hit() {
        let mut state = 7_u32;
        let mut next = |span: f32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            span * ((state >> 8) as f32 / 16_777_216.0 - 0.5)
        };
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
            let (min, max) = (obstacle.min().as_dvec3(), obstacle.max().as_dvec3());
            assert_eq!(cast.earliest_order(min, max), Some(hit.order()));
        }
        assert!(hits > 300, "{hits}");
    }

    #[test]
    fn an_entry_at_a_midpoint_of_two_f32_is_rounded_exactly() {
        // 1 + 2^-24 lies between 1 and the next f32: half of it is a midpoint, which f64's
        // enclosure cannot round.
        let start = Aabb::new([-1.0; 3], [0.0; 3]).unwrap();
        let cast = AabbCast::new(start, [4.0, 0.0, 0.0]).unwrap();
        let near = 1.0 + f64::from(f32::EPSILON) / 2.0;
        let min = DVec3::new(near, -2.0, -2.0);
        let found = cast.earliest_order(min, DVec3::splat(3.0)).unwrap();
        assert_eq!(found.t(), 0.25);
        let found = cast.earliest_order(DVec3::new(near.next_up(), -2.0, -2.0), DVec3::splat(3.0));
        assert_eq!(found.unwrap().t(), 0.25_f32.next_up());
    }
}
