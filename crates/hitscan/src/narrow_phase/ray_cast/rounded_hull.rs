//! A ray or an arc against a rounded hull: all within a radius of a polytope.
//!
//! The distance from a convex set lies above its tangent planes: from the point of the path where it is known, the
//! path is at least as far as from the plane through the nearest point. So the next time that is tried is when
//! the path reaches that plane, less the radius: never after the contact, and Newton's step near it.
//!
//! # Accuracy
//! Let M be the largest magnitude of a coordinate of the hull and of the path up to t. A place on the path is off by
//! a few units of M, a distance from a polytope in f64 by some tens more, so that the path is followed to within
//! 2^-44 M of the surface.
//!
//! Source: Kelley, "The Cutting-Plane Method for Solving Convex Programs", 1960.

use super::hit::Side;
use super::ray::LocalRay;
use super::solid_hits::{SolidHit, SolidHits};
use crate::ConvexHull;
use crate::exact::expansion::nearest_f32;
use crate::shape::polytope::Placement;
use crate::shape::unit_vector::unit;
use glam::{DVec3, Vec3};

/// How often the time is improved: grazes halve what is left.
const STEPS: usize = 400;

/// A path through space: `origin + velocity t + half t²`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path {
    pub(crate) origin: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) half: DVec3,
}

impl Path {
    fn at(&self, t: f64) -> DVec3 {
        self.origin + (self.velocity + self.half * t) * t
    }

    fn velocity_at(&self, t: f64) -> DVec3 {
        self.velocity + self.half * (2.0 * t)
    }

    /// The same path from a time back.
    fn reversed_from(&self, t: f64) -> Self {
        Self {
            origin: self.at(t),
            velocity: -self.velocity_at(t),
            half: self.half,
        }
    }
}

impl ConvexHull {
    /// The distance of a place from the rounded hull, negative inside, and the direction away from it.
    fn gap(&self, place: DVec3) -> Placement {
        let placement = self.polytope().placement(place);
        Placement {
            distance: placement.distance - self.radius(),
            ..placement
        }
    }

    /// The first time from `from` to `to` at which a path that is outside comes to the surface.
    pub(crate) fn reached_by(&self, path: &Path, [from, to]: [f64; 2]) -> Option<f64> {
        let mut t = from;
        for _ in 0..STEPS {
            let place = path.at(t);
            let gap = self.gap(place);
            let size = place.abs().max_element() + self.radius() + self.size();
            if gap.distance <= size * (64.0 * f64::EPSILON) {
                return (t <= to).then_some(t);
            }
            let (speed, bend) = (
                gap.outward.dot(path.velocity_at(t)),
                gap.outward.dot(path.half),
            );
            // The first root of `distance + speed s + bend s²` after 0.
            let step = first_root(gap.distance, speed, bend)?;
            let next = t + step;
            if next > to {
                return None;
            }
            if next <= t {
                return Some(t);
            }
            t = next;
        }
        None
    }

    /// The first time from `from` to `to` at which a path that is inside comes to the surface.
    pub(crate) fn left_by(&self, path: &Path, [from, to]: [f64; 2]) -> Option<f64> {
        let mut t = from;
        for _ in 0..100 * STEPS {
            let place = path.at(t);
            let depth = -self.gap(place).distance;
            let size = place.abs().max_element() + self.radius() + self.size();
            if depth <= size * (64.0 * f64::EPSILON) && t > from {
                return Some(t);
            }
            // Nothing leaves a ball of that radius sooner than at its speed.
            let step = first_root(-depth, path.velocity_at(t).length(), path.half.length())
                .unwrap_or(f64::INFINITY);
            let next = t + step.max(t.abs() * f64::EPSILON);
            if next > to {
                return None;
            }
            t = next;
        }
        Some(t)
    }

    /// The largest coordinate.
    fn size(&self) -> f64 {
        let [min, max] = self.polytope().bounds();
        min.abs().max(max.abs()).max_element()
    }

    /// How a path lies to the surface at a time: outside, and the normal there.
    pub(crate) fn start_of(&self, path: &Path, t: f64) -> (core::cmp::Ordering, Vec3, Side) {
        let gap = self.gap(path.at(t));
        let order = gap
            .distance
            .partial_cmp(&0.0)
            .unwrap_or(core::cmp::Ordering::Equal);
        let is_entering = gap.outward.dot(path.velocity_at(t)) < 0.0;
        let side = if is_entering { Side::Front } else { Side::Back };
        (order, unit(gap.outward), side)
    }

    /// The outward normal near the surface.
    pub(crate) fn normal_at(&self, place: DVec3) -> Vec3 {
        unit(self.gap(place).outward)
    }

    /// How the ray passes through the rounded hull, or `None` where it misses.
    pub(super) fn rounded_hits(&self, ray: &LocalRay) -> Option<SolidHits> {
        let path = Path {
            origin: ray.origin,
            velocity: ray.direction,
            half: DVec3::ZERO,
        };
        let [low, high] = self.window(ray)?;
        let hit = |t: f64, side: Side| SolidHit {
            t: (nearest_f32(t), t),
            normal: self.normal_at(path.at(t)),
            side,
            face: None,
        };
        let (order, normal, side) = self.start_of(&path, ray.t_min);
        let entry = match order {
            core::cmp::Ordering::Greater => {
                let latest = high.min(ray.t_max);
                hit(self.reached_by(&path, [low, latest])?, Side::Front)
            }
            core::cmp::Ordering::Equal => SolidHit {
                t: (nearest_f32(ray.t_min), ray.t_min),
                normal,
                side,
                face: None,
            },
            core::cmp::Ordering::Less => SolidHit {
                t: (nearest_f32(ray.t_min), ray.t_min),
                normal: Vec3::ZERO,
                side: Side::Inside,
                face: None,
            },
        };
        if order.is_eq() && side == Side::Back {
            return Some(SolidHits::Through {
                entry: Some(entry),
                exit: None,
            });
        }
        // Along a line the inside is one piece: it is left where the way back from beyond first comes to it.
        let back = path.reversed_from(high);
        let exit = self
            .reached_by(&back, [0.0, high - entry.t.1])
            .map(|back| high - back);
        let exit = exit
            .filter(|t| *t <= ray.t_max)
            .map(|t| hit(t.max(entry.t.1), Side::Back));
        Some(SolidHits::Through {
            entry: Some(entry),
            exit,
        })
    }

    /// Times between which the ray may be near the hull, the second one certainly beyond it.
    fn window(&self, ray: &LocalRay) -> Option<[f64; 2]> {
        let [min, max] = self.polytope().bounds();
        let margin = DVec3::splat(self.radius() + (self.size() + self.radius()) * 1e-9);
        let (min, max) = (min - margin, max + margin);
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let (near, far) = (min[axis] - ray.origin[axis], max[axis] - ray.origin[axis]);
            let speed = ray.direction[axis];
            if speed == 0.0 {
                if near > 0.0 || far < 0.0 {
                    return None;
                }
                continue;
            }
            let (one, other) = (near / speed, far / speed);
            low = low.max(one.min(other));
            high = high.min(one.max(other));
        }
        let low = low.max(ray.t_min);
        (low <= high && low <= ray.t_max).then_some([low, high])
    }
}

/// The first root after 0 of `start + speed s + bend s²`, whose start is not 0.
fn first_root(start: f64, speed: f64, bend: f64) -> Option<f64> {
    let discriminant = speed * speed - 4.0 * bend * start;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    // Both roots without cancellation.
    let sum = if speed >= 0.0 {
        -speed - root
    } else {
        -speed + root
    };
    let roots = [2.0 * start / sum, sum / (2.0 * bend)];
    let after = roots
        .into_iter()
        .filter(|root| *root > 0.0 && root.is_finite());
    after.reduce(f64::min)
}
