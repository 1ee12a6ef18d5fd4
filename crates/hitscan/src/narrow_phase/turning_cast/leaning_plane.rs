//! A plane that stays between two that touch while they part: it rises, and it leans.
//!
//! What touches along a direction n lies in one plane: of each a face, an edge or a corner. A point x there of the
//! shape rises by f(x) = n · v(x) per t, which is linear. A plane whose points rise by a(x), linear too, stays between
//! if a < f for the points of the shape and a > 0 for those of the obstacle. There is one wherever f > 0 for all that
//! both share: the points of the shape lifted by f, and those of the obstacle as they are, are two convex
//! sets that do not meet.

use super::gap::{Seen, unit};
use super::screw::Screw;
use crate::narrow_phase::convex::{Core, CylinderCore, Supports, closest_by_supports};
use crate::shape::cylinder::across;
use core::iter::once;
use glam::DVec3;

/// A plane that moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeaningPlane {
    /// A point of it at the start, seen from the pivot.
    pub(super) through: DVec3,
    /// How fast it rises there, per t.
    pub(super) rise: f64,
    /// How its unit normal changes per t, across the normal.
    pub(super) lean: DVec3,
}

impl LeaningPlane {
    /// One halfway between what touches along a unit direction, if there is any between.
    pub(super) fn between(screw: &Screw<'_>, seen: &Seen<'_>, normal: DVec3) -> Option<Self> {
        let level = seen.highest(normal);
        let bound = 4.0 * seen.slack();
        let of_shape = match &screw.shape.core {
            Core::Cylinder(cylinder) => rim_points(&cylinder.seen_from(screw.pivot), -normal),
            core => core
                .corners()
                .iter()
                .map(|corner| *corner - screw.pivot)
                .collect(),
        };
        let of_obstacle = match &seen.cylinder {
            Some(cylinder) => rim_points(cylinder, normal),
            None => seen.corners.to_vec(),
        };
        let is_low = |point: &DVec3| normal.dot(*point) - level - seen.radius <= bound;
        let is_high = |point: &DVec3| level - normal.dot(*point) <= bound;
        let speed = |point: DVec3| normal.dot(screw.velocity_at_start(point));
        // Lifts are drawn about as long as the two are, so that the plane is well between.
        let fastest = of_shape
            .iter()
            .fold(0.0_f64, |most, point| most.max(speed(*point).abs()));
        let scale = seen.extent / fastest;
        let flat = |point: DVec3| point - normal * normal.dot(point);
        let lifted = |point: DVec3| flat(point) + normal * (speed(point) * scale);
        let shape: Vec<DVec3> = of_shape.into_iter().filter(is_low).map(lifted).collect();
        let obstacle: Vec<DVec3> = of_obstacle.into_iter().filter(is_high).map(flat).collect();
        if shape.is_empty() || obstacle.is_empty() {
            return None;
        }
        let [under, over] = [&obstacle, &shape].map(|points| Supports::Corners(points));
        let closest = closest_by_supports(under, over, DVec3::ZERO, normal);
        let offset = closest.on_shape - closest.on_obstacle;
        let (height, middle) = (
            normal.dot(offset),
            (closest.on_shape + closest.on_obstacle) * 0.5,
        );
        let lean = flat(offset) / (height * scale);
        // Also false for NaN.
        let is_between = height > 0.0 && lean.is_finite();
        is_between.then(|| Self {
            through: flat(middle) + normal * level,
            rise: normal.dot(middle) / scale,
            lean,
        })
    }

    /// How fast its normal turns, radians per t.
    pub(super) fn rate(&self) -> f64 {
        self.lean.length_squared().sqrt()
    }
}

/// The points of a cylinder's rims that are furthest along a direction; of an end across it a few all around.
fn rim_points(cylinder: &CylinderCore, along: DVec3) -> Vec<DVec3> {
    let (axis, _) = cylinder.axis();
    let radial = unit(axis.cross(along.cross(axis)));
    let furthest = radial.into_iter();
    let first = across(axis);
    let around = [first, axis.cross(first)];
    let around = around.into_iter().flat_map(|way| [way, -way]);
    let rims: Vec<DVec3> = furthest
        .chain(around)
        .map(|way| way * cylinder.radius)
        .collect();
    let ends = cylinder.ends.into_iter();
    ends.flat_map(|end| once(end).chain(rims.iter().map(move |rim| end + *rim)))
        .collect()
}
