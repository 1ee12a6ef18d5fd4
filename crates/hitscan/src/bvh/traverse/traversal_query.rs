//! The query of a traversal: a ray, or a box that moves along a line.

use crate::Aabb;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use glam::DVec3;

/// Relative widening of an interval's ends in f64.
///
/// `(bound - origin) / direction` carries a rounding in the difference and one in the quotient, 2u
/// and a little; 8u also covers the widening's own roundings.
pub(super) const WIDENING: f64 = 8.0 * UNIT_ROUNDOFF;

/// A box from `min` to `max` that moves by `direction * t`; for a ray both are its origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TraversalQuery {
    pub(super) min: DVec3,
    pub(super) max: DVec3,
    pub(super) direction: DVec3,
    pub(super) t_min: f64,
    pub(super) t_max: f64,
    /// Whether what lies in a plane of the query does not matter.
    misses_planes: bool,
}

impl TraversalQuery {
    /// A query for the hits of a ray: triangles in whose plane it lies may be skipped.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn ray(ray: &LocalRay) -> Self {
        Self {
            misses_planes: true,
            ..Self::ray_in_planes(ray)
        }
    }

    /// A query for all triangles that a ray touches, those in whose plane it lies too.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn ray_in_planes(ray: &LocalRay) -> Self {
        Self::moving_box(
            (ray.origin, ray.origin),
            ray.direction,
            (ray.t_min, ray.t_max),
        )
    }

    /// A query for a box that moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn may_miss_flat_boxes(&self) -> bool {
        let DVec3 { x, y, z } = self.direction;
        self.misses_planes && (x == 0.0 || y == 0.0 || z == 0.0)
    }

    /// Whether the query may touch the box at a t that rounds to at most the limit.
    pub(crate) fn may_touch(&self, bounds: &Aabb, limit: f32) -> bool {
        let entry = self.entry(bounds);
        entry.is_some_and(|t| t <= f64::from(limit.next_up()))
    }

    /// From when on the query may touch the box; `None` where it never does.
    #[inline(never)]
    pub(super) fn entry(&self, bounds: &Aabb) -> Option<f64> {
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
