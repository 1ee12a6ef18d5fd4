//! The gap between a moving box and a sphere's center at a given time: a floating-point filter, exact
//! where its bounds do not decide.
//!
//! Nothing is searched for here; `box_sphere.rs` does that.

use super::AabbCast;
use crate::convex::time_interval::Bounded;
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF};
use crate::exact::vector::dot;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// Distance and its trend at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GapState {
    /// How its distance from the center compares with the radius.
    pub(super) distance: Ordering,
    /// Whether the distance shrinks, stays or grows: the sign of its derivative.
    pub(super) trend: Ordering,
}

impl GapState {
    /// Whether the box enters the sphere before, now or after; it must enter it at some time.
    fn entry(self) -> Ordering {
        match (self.distance, self.trend) {
            (Ordering::Greater, Ordering::Less) => Ordering::Greater,
            (Ordering::Equal, Ordering::Less) => Ordering::Equal,
            // It is inside, or moves away and has been inside.
            _ => Ordering::Less,
        }
    }
}

/// The box as seen from the center, and the radius.
pub(super) struct Gap {
    min: DVec3,
    max: DVec3,
    center: DVec3,
    motion: DVec3,
    radius: f64,
}

impl Gap {
    pub(super) fn new(moving: &AabbCast, center: Vec3, radius: f64) -> Self {
        Self {
            min: moving.start.min().as_dvec3(),
            max: moving.start.max().as_dvec3(),
            center: center.as_dvec3(),
            motion: moving.motion.as_dvec3(),
            radius,
        }
    }

    /// The box's smallest corner seen from the center at t = 0.
    pub(super) fn low(&self) -> DVec3 {
        self.min - self.center
    }

    /// The box's greatest corner seen from the center at t = 0.
    pub(super) fn high(&self) -> DVec3 {
        self.max - self.center
    }

    pub(super) fn motion(&self) -> DVec3 {
        self.motion
    }

    /// The box's smallest and greatest corner seen from the center at `t`, rounded once.
    pub(super) fn sides_at(&self, t: &Expansion) -> (DVec3, DVec3) {
        let [low, high] = self.exact_sides(t, 1.0);
        let rounded = |side: [Expansion; 3]| DVec3::from_array(side.map(|x| x.to_f64()));
        (rounded(low), rounded(high))
    }

    /// How the time at which the box enters the sphere compares with `t`. It must enter it.
    pub(super) fn compare_entry(&self, t: f64) -> Ordering {
        self.state_at(t).entry()
    }

    pub(super) fn state_at(&self, t: f64) -> GapState {
        let (distance, speed) = self.estimate(t);
        GapState {
            distance: distance.sign().unwrap_or_else(|| self.compare_distance(t)),
            trend: speed
                .sign()
                .unwrap_or_else(|| self.trend(&Expansion::from_f64(t), 1.0)),
        }
    }

    /// Whether the box comes closer than the radius, where it is nearest close to `t`, between 0
    /// and 1.
    pub(super) fn closes_near(&self, t: f64) -> bool {
        let (distance, speed) = self.estimate(t);
        if distance.value < -distance.error {
            return true;
        }
        // A convex function lies above its tangents, and the nearest time is no more than 1 away.
        let descent = 2.0 * (speed.value.abs() + speed.error);
        if distance.value - distance.error > descent {
            return false;
        }
        self.closes()
    }

    /// The squared distance minus the squared radius, and half the derivative, both at `t`.
    fn estimate(&self, t: f64) -> (Bounded, Bounded) {
        let (low, high) = (self.low(), self.high());
        let way = self.motion * t;
        let offset = nearest_to_origin(low + way, high + way);
        // One unit each from the difference, the product and the sum; clamping adds none.
        let offset_error = (low.abs().max(high.abs()) + way.abs()) * (4.0 * UNIT_ROUNDOFF);
        let squares = offset.length_squared();
        let radius_squared = self.radius * self.radius;
        // |(g + e)² - g²| <= (2 |g| + |e|) |e|, and at most four roundings of what is added up.
        let spread = (offset.abs() * 2.0 + offset_error).dot(offset_error);
        let distance = Bounded {
            value: squares - radius_squared,
            error: 1.25 * spread + 8.0 * UNIT_ROUNDOFF * (squares + radius_squared),
        };
        let speed = self.motion.abs();
        let course = Bounded {
            value: offset.dot(self.motion),
            error: 1.25 * offset_error.dot(speed) + 8.0 * UNIT_ROUNDOFF * offset.abs().dot(speed),
        };
        (distance, course)
    }

    fn compare_distance(&self, t: f64) -> Ordering {
        let offset = nearest_exactly(self.exact_sides(&Expansion::from_f64(t), 1.0));
        dot(&offset, &offset).minus(&self.radius_squared()).sign()
    }

    /// The sign of the distance's derivative at `t / divisor`. The divisor is positive.
    fn trend(&self, t: &Expansion, divisor: f64) -> Ordering {
        let offset = nearest_exactly(self.exact_sides(t, divisor));
        dot(&offset, &self.exact_motion()).sign()
    }

    /// Whether the distance falls below the radius at any time after 0, where it shrinks at 0.
    fn closes(&self) -> bool {
        // The least distance lies in the piece after the last time, of those at which a face
        // passes the center, when the distance still shrinks.
        let mut from = (Expansion::from_f64(0.0), 1.0);
        for axis in 0..3 {
            let speed = self.motion[axis];
            if speed == 0.0 {
                continue;
            }
            for face in [self.min[axis], self.max[axis]] {
                let (center, divisor) = (self.center[axis], speed.abs());
                let t = if speed > 0.0 {
                    Expansion::from_difference(center, face)
                } else {
                    Expansion::from_difference(face, center)
                };
                let scaled = |t: &Expansion, by: f64| t.times(&Expansion::from_f64(by));
                let is_later = scaled(&t, from.1).minus(&scaled(&from.0, divisor)).sign();
                if is_later.is_gt() && self.trend(&t, divisor).is_lt() {
                    from = (t, divisor);
                }
            }
        }
        let [low, high] = self.exact_sides(&from.0, from.1);
        let mut offset = [0, 1, 2].map(|_| Expansion::from_f64(0.0));
        let mut speed = offset.clone();
        for i in 0..3 {
            let (d, low, high) = (self.motion[i], low[i].sign(), high[i].sign());
            // A face that just passes the center is the nearest afterwards if it moves away.
            let face = if low.is_gt() || (low.is_eq() && d > 0.0) {
                self.min[i]
            } else if high.is_lt() || (high.is_eq() && d < 0.0) {
                self.max[i]
            } else {
                continue;
            };
            offset[i] = Expansion::from_difference(face, self.center[i]);
            speed[i] = Expansion::from_f64(d);
        }
        // a t² + 2 b t + c falls below zero where b² > a c.
        let a = dot(&speed, &speed);
        let b = dot(&offset, &speed);
        let c = dot(&offset, &offset).minus(&self.radius_squared());
        b.times(&b).minus(&a.times(&c)).sign().is_gt()
    }

    /// The box's smallest and greatest corner seen from the center at `t / divisor`, times
    /// `divisor`.
    fn exact_sides(&self, t: &Expansion, divisor: f64) -> [[Expansion; 3]; 2] {
        [self.min, self.max].map(|corner| {
            [0, 1, 2].map(|i| {
                let way = t.times(&Expansion::from_f64(self.motion[i]));
                Expansion::from_difference(corner[i], self.center[i])
                    .times(&Expansion::from_f64(divisor))
                    .plus(&way)
            })
        })
    }

    fn exact_motion(&self) -> [Expansion; 3] {
        self.motion.to_array().map(Expansion::from_f64)
    }

    fn radius_squared(&self) -> Expansion {
        let radius = Expansion::from_f64(self.radius);
        radius.times(&radius)
    }
}

/// The point of the box from `low` to `high` that is nearest to the origin.
pub(super) fn nearest_to_origin(low: DVec3, high: DVec3) -> DVec3 {
    low.max(DVec3::ZERO) + high.min(DVec3::ZERO)
}

/// The same without rounding.
fn nearest_exactly([low, high]: [[Expansion; 3]; 2]) -> [Expansion; 3] {
    let mut nearest = low;
    for (low, high) in nearest.iter_mut().zip(high) {
        if high.sign().is_lt() {
            *low = high;
        } else if low.sign().is_lt() {
            *low = Expansion::from_f64(0.0);
        }
    }
    nearest
}
