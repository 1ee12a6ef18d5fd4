//! The space in which a tree's boxes are, with the ray in it: when the ray's line is in a box, and where
//! the box is in the world.

use super::visits::VisitVerdict;
use crate::Aabb;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::shape::aabb::corners_between;
use glam::{DAffine3, DVec3};

/// A space, and the ray in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Space {
    pub(super) world_from_local: DAffine3,
    pub(super) ray: LocalRay,
}

impl Space {
    /// The corners of a box in the world.
    pub(super) fn corners(&self, ends: [DVec3; 2]) -> [[f32; 3]; 8] {
        corners_between(ends).map(|at| rounded(self.world_from_local.transform_point3(at)))
    }

    /// From when to when the ray's line is in a box. Where it is not, the first number is the greater.
    pub(super) fn times(&self, ends: [DVec3; 2]) -> [f64; 2] {
        let LocalRay {
            origin, direction, ..
        } = self.ray;
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let planes = ends.map(|end| end[axis] - origin[axis]);
            let [first, last] = if direction[axis] != 0.0 {
                planes.map(|plane| plane / direction[axis])
            } else if planes[0] <= 0.0 && planes[1] >= 0.0 {
                continue;
            } else {
                [f64::INFINITY, f64::NEG_INFINITY]
            };
            let is_moving = direction[axis] != 0.0;
            let (first, last) = match is_moving {
                true => (first.min(last), first.max(last)),
                false => (first, last),
            };
            enter = enter.max(first);
            leave = leave.min(last);
        }
        [enter, leave]
    }

    /// Why a box is not looked into, whose line is in it at these times. Where rounding kept it out, it
    /// is missed.
    pub(super) fn refusal(&self, [enter, leave]: [f64; 2], best: Option<f32>) -> VisitVerdict {
        if enter > leave {
            VisitVerdict::Missed
        } else if leave < self.ray.t_min {
            VisitVerdict::Behind
        } else if enter > self.ray.t_max {
            VisitVerdict::Beyond
        } else if best.is_some_and(|best| enter > f64::from(best)) {
            VisitVerdict::Farther
        } else {
            VisitVerdict::Missed
        }
    }
}

/// The ends of a box, finite.
pub(super) fn ends(bounds: &Aabb) -> [DVec3; 2] {
    let most = DVec3::splat(f64::from(f32::MAX));
    [bounds.min(), bounds.max()].map(|end| end.as_dvec3().clamp(-most, most))
}

/// The ends of the box around points.
pub(super) fn ends_around(points: &[DVec3]) -> [DVec3; 2] {
    let low = points.iter().copied().reduce(DVec3::min);
    let high = points.iter().copied().reduce(DVec3::max);
    [low, high].map(Option::unwrap_or_default)
}

/// The nearest f32, finite.
#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
pub(super) fn finite(x: f64) -> f32 {
    (x as f32).clamp(f32::MIN, f32::MAX)
}

/// A point in f32, finite.
pub(super) fn rounded(at: DVec3) -> [f32; 3] {
    at.to_array().map(finite)
}
