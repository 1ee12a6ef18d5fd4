//! What is sent through a tree: a ray, or a box that moves along a line, and when it may touch a
//! resting box.
//!
//! Culling must never lose a candidate, so intervals of t are widened by the rounding of their own
//! arithmetic. They decide no answer.

use crate::exact::UNIT_ROUNDOFF;
use crate::ray::LocalRay;
use glam::DVec3;

/// Relative widening of an interval's ends.
///
/// `(bound - origin) * (1 / direction)` carries a rounding in the difference, one in the
/// reciprocal and one in the product, 3u and a little; 8u also covers the widening's own rounding.
const WIDENING: f64 = 8.0 * UNIT_ROUNDOFF;

/// A box from `min` to `max` that moves by `direction * t`; for a ray both are its origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe {
    min: DVec3,
    max: DVec3,
    direction: DVec3,
    reciprocal: DVec3,
    t_min: f64,
    t_max: f64,
}

impl Probe {
    /// A probe for a ray.
    pub(crate) fn ray(ray: &LocalRay) -> Self {
        let LocalRay {
            origin,
            direction,
            t_min,
            t_max,
        } = *ray;
        Self::moving_box((origin, origin), direction, (t_min, t_max))
    }

    /// A probe for a box that moves.
    pub(crate) fn moving_box(
        (min, max): (DVec3, DVec3),
        direction: DVec3,
        (t_min, t_max): (f64, f64),
    ) -> Self {
        Self {
            min,
            max,
            direction,
            reciprocal: direction.recip(),
            t_min,
            t_max,
        }
    }

    /// For each of `N` boxes the t from which on they may touch, at least `t_min`; infinite where
    /// they never do up to `t_max`.
    #[inline]
    pub(crate) fn entries<const N: usize>(
        &self,
        box_min: &[[f32; N]; 3],
        box_max: &[[f32; N]; 3],
    ) -> [f64; N] {
        let mut near = [self.t_min; N];
        let mut far = [self.t_max; N];
        for axis in 0..3 {
            let (low, high) = if self.direction[axis] >= 0.0 {
                (&box_min[axis], &box_max[axis])
            } else {
                (&box_max[axis], &box_min[axis])
            };
            if self.direction[axis] == 0.0 {
                for lane in 0..N {
                    let is_apart = f64::from(low[lane]) > self.max[axis]
                        || f64::from(high[lane]) < self.min[axis];
                    far[lane] = if is_apart {
                        f64::NEG_INFINITY
                    } else {
                        far[lane]
                    };
                }
                continue;
            }
            let is_forward = self.direction[axis] > 0.0;
            let (leading, trailing) = if is_forward {
                (self.max[axis], self.min[axis])
            } else {
                (self.min[axis], self.max[axis])
            };
            let reciprocal = self.reciprocal[axis];
            for lane in 0..N {
                let enter = (f64::from(low[lane]) - leading) * reciprocal;
                let leave = (f64::from(high[lane]) - trailing) * reciprocal;
                let enter = enter - enter.abs() * WIDENING;
                let leave = leave + leave.abs() * WIDENING;
                near[lane] = if enter > near[lane] {
                    enter
                } else {
                    near[lane]
                };
                far[lane] = if leave < far[lane] { leave } else { far[lane] };
            }
        }
        for lane in 0..N {
            near[lane] = if near[lane] <= far[lane] {
                near[lane]
            } else {
                f64::INFINITY
            };
        }
        near
    }
}
