//! The motion of a turning shape: each corner of its core goes round a centre that moves.
//!
//! Coordinates are those seen from the pivot, so that a shape far from the origin loses nothing.

use super::discs::Discs;
use super::orbit::{Orbit, SLACK, turned, unit_axis};
use super::rotation::sine_cosine;
use super::turn::Turn;
use crate::exact::adaptive::{Formula, Number, between, cross, dot, sign, vector};
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::exact::extremes::max_abs;
use crate::narrow_phase::convex::{Convex, Core, CylinderCore};
use core::cmp::Ordering;
use glam::DVec3;

/// Nothing is as far away as this, metres: trees and maps need no numbers beyond.
pub(super) const FARTHEST: f64 = 1e19;

/// A shape's motion, prepared for many obstacles.
#[derive(Debug)]
pub(crate) struct Screw<'a> {
    /// At the start, in the world.
    pub(super) shape: Convex<'a>,
    pub(super) pivot: DVec3,
    pub(super) motion: DVec3,
    /// As it was given.
    pub(super) axis: DVec3,
    /// Of unit length.
    pub(super) unit: DVec3,
    /// Whether the motion goes along the axis, against it, or across; exact.
    pub(super) way_along_axis: Ordering,
    /// Radians while t goes from 0 to 1.
    pub(super) angle: f64,
    pub(super) tolerance: f64,
    pub(super) orbits: Vec<Orbit>,
    /// Of a cylinder those around its corners.
    pub(super) discs: Option<Discs>,
    /// The sum of the largest coordinates of motion, core and radius.
    pub(super) extent: f64,
    /// The largest radius of an orbit of a corner.
    pub(super) reach: f64,
    /// Whether every corner lies on the axis, exactly, so that the shape is only translated.
    pub(super) is_still: bool,
}

/// The core at a time.
#[derive(Debug, Default)]
pub(super) struct Pose {
    pub(super) t: f64,
    pub(super) sine_cosine: [f64; 2],
    pub(super) corners: Vec<DVec3>,
    /// The core, where it is a cylinder.
    pub(super) cylinder: Option<CylinderCore>,
}

impl<'a> Screw<'a> {
    pub(crate) fn new(shape: Convex<'a>, motion: DVec3, turn: &Turn) -> Self {
        let (axis, pivot) = (turn.axis.as_dvec3(), turn.pivot);
        let unit = unit_axis(axis);
        let orbits: Vec<Orbit> = (shape.core.corners().iter())
            .map(|corner| Orbit::new(*corner - pivot, unit))
            .collect();
        let corners = shape.core.corners().iter();
        let size = corners.fold(0.0, |size: f64, corner| size.max(max_abs(*corner - pivot)));
        let is_on_axis = |way: [DVec3; 2]| {
            (0..3).all(|component| {
                let offset = OffAxis {
                    way,
                    axis,
                    component,
                };
                sign(&offset).is_eq()
            })
        };
        let cylinder = match &shape.core {
            Core::Cylinder(cylinder) => Some(cylinder),
            _ => None,
        };
        let mut corners = shape.core.corners().iter();
        let is_still = corners.all(|corner| is_on_axis([pivot, *corner]))
            && cylinder.is_none_or(|cylinder| is_on_axis(cylinder.ends));
        Self {
            reach: orbits
                .iter()
                .fold(0.0, |reach, orbit| reach.max(orbit.radius)),
            extent: max_abs(motion)
                + 2.0 * (size + cylinder.map_or(0.0, |cylinder| cylinder.radius))
                + shape.radius,
            is_still,
            discs: cylinder.map(|cylinder| Discs::new(cylinder, unit)),
            way_along_axis: sign(&AlongAxis {
                axis,
                way: [DVec3::ZERO, motion],
                radii: [0.0; 2],
            }),
            pivot,
            motion,
            axis,
            unit,
            angle: turn.angle,
            tolerance: turn.tolerance,
            orbits,
            shape,
        }
    }

    /// Brings the core to a time.
    pub(super) fn pose(&self, t: f64, pose: &mut Pose) {
        let [sine, cosine] = sine_cosine(self.angle, t);
        let moved = self.motion * t;
        pose.t = t;
        pose.sine_cosine = [sine, cosine];
        pose.corners.clear();
        let corners = self.orbits.iter();
        (pose.corners).extend(
            corners.map(|orbit| orbit.center + moved + orbit.across * cosine + orbit.ahead * sine),
        );
        pose.cylinder = match (&self.discs, &pose.corners[..]) {
            (Some(discs), [a, b]) => Some(discs.posed([*a, *b], pose.sine_cosine)),
            _ => None,
        };
    }

    /// How fast a corner goes round at a time, without the translation, per t.
    pub(super) fn swing(&self, orbit: &Orbit, pose: &Pose) -> DVec3 {
        orbit.swing(pose.sine_cosine) * self.angle
    }

    /// The velocity of a point that turns and moves along, at the start, per t.
    pub(super) fn velocity_at_start(&self, point: DVec3) -> DVec3 {
        self.motion + self.unit.cross(point) * self.angle
    }

    /// A direction that turns along, at a pose.
    pub(super) fn turned(&self, direction: DVec3, pose: &Pose) -> DVec3 {
        turned(direction, self.unit, pose.sine_cosine)
    }

    /// The rounding slack of a velocity bound, relative to more than any coordinate or speed of the motion.
    pub(super) fn velocity_slack(&self, extent: f64) -> f64 {
        SLACK * extent * (1.0 + self.angle.abs())
    }

    /// The corners, in the world, of a box around all that is within the tolerance of the shape in a
    /// span of time.
    ///
    /// A corner differs from what is interpolated between two of its places by at most an eighth of its
    /// maximum acceleration times the square of the time between; it never leaves its circle.
    pub(super) fn swept_box(&self, [first, last]: [f64; 2]) -> [DVec3; 2] {
        let mut ends = [Pose::default(), Pose::default()];
        self.pose(first, &mut ends[0]);
        self.pose(last, &mut ends[1]);
        let turn = self.angle.abs() * (last - first);
        let sagitta = turn * turn / 8.0;
        let [mut min, mut max] = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let places = [self.motion * first, self.motion * last];
        // How much of a circle's radius is seen along x, y and z.
        let seen = (DVec3::ONE - self.unit * self.unit).max(DVec3::ZERO);
        let seen = seen.to_array().map(|square| square.sqrt() + SLACK);
        let reach = [0, 1, 2].map(|i| {
            let discs = self.discs.as_ref();
            discs.map_or(0.0, |discs| discs.greatest_reach(DVec3::AXES[i], seen[i]))
        });
        let (seen, reach) = (DVec3::from_array(seen), DVec3::from_array(reach));
        for (i, orbit) in self.orbits.iter().enumerate() {
            let (low, high) = if sagitta < 1.0 {
                let [a, b] = [ends[0].corners[i], ends[1].corners[i]];
                let bulge = seen * (sagitta * orbit.radius);
                (a.min(b) - bulge, a.max(b) + bulge)
            } else {
                let [a, b] = places.map(|place| orbit.center + place);
                let circle = seen * orbit.radius;
                (a.min(b) - circle, a.max(b) + circle)
            };
            min = min.min(low);
            max = max.max(high);
        }
        let around = self.shape.radius + 1.5 * self.tolerance + SLACK * self.extent;
        // One rounding of the world's coordinates.
        let around = reach + around;
        let (low, high) = (min - around + self.pivot, max + around + self.pivot);
        let off = |place: DVec3| place.abs() * (2.0 * UNIT_ROUNDOFF);
        let in_reach = |place: DVec3| place.clamp(DVec3::splat(-FARTHEST), DVec3::splat(FARTHEST));
        [in_reach(low - off(low)), in_reach(high + off(high))]
    }

    /// About the longest side of the box around the core at the start, with the radius; never 0.
    pub(super) fn size(&self) -> f64 {
        let [min, max] = self.shape.core.bounds();
        let sides = max - min + 2.0 * self.shape.radius;
        sides.max_element().max(self.tolerance)
    }

    /// The longest way of a corner in a span of time, with what a disc around it reaches further.
    pub(super) fn longest_way(&self, [first, last]: [f64; 2]) -> f64 {
        let growth = self.discs.as_ref().map_or(0.0, Discs::growth);
        let speed = self.motion.length_squared().sqrt() + self.angle.abs() * (self.reach + growth);
        speed * (last - first)
    }
}

/// A component of the cross product of a way with the axis.
struct OffAxis {
    way: [DVec3; 2],
    axis: DVec3,
    component: usize,
}

impl Formula for OffAxis {
    fn value<N: Number>(&self) -> N {
        let [from, to] = self.way;
        let product: [N; 3] = cross(&between(from, to), &vector(self.axis));
        product[self.component].clone()
    }
}

/// A way's product with the axis; with radii the square of that less the square of their sum along the axis.
pub(super) struct AlongAxis {
    pub(super) axis: DVec3,
    pub(super) way: [DVec3; 2],
    pub(super) radii: [f64; 2],
}

impl Formula for AlongAxis {
    fn value<N: Number>(&self) -> N {
        let [from, to] = self.way;
        let axis: [N; 3] = vector(self.axis);
        let along = dot(&axis, &between(from, to));
        if self.radii == [0.0; 2] {
            return along;
        }
        let [first, second] = self.radii.map(N::from_f64);
        let radius = first.plus(&second);
        let squared = radius.times(&radius).times(&dot(&axis, &axis));
        along.times(&along).minus(&squared)
    }
}
