//! The ends of a turning cylinder: discs around its corners, across an axis that turns along.
//!
//! Along a unit direction n a disc of radius r reaches r |n × u| further than its centre, where u is the unit axis. As
//! u turns, that is the length of a vector that moves smoothly: bounds of its speed and acceleration bound how the
//! reach grows.

use super::orbit::{Orbit, SLACK};
use crate::narrow_phase::convex::CylinderCore;
use glam::DVec3;

/// The discs of a cylinder that turns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Discs {
    cylinder: CylinderCore,
    /// The cylinder's unit axis, which goes round as a corner does.
    axis: Orbit,
}

impl Discs {
    /// Those of a cylinder that turns about a unit axis.
    pub(super) fn new(cylinder: &CylinderCore, unit: DVec3) -> Self {
        Self {
            cylinder: *cylinder,
            axis: Orbit::new(cylinder.axis().0, unit),
        }
    }

    /// The cylinder with its ends at these places, turned by the angle of this sine and cosine.
    pub(super) fn posed(&self, ends: [DVec3; 2], sine_cosine: [f64; 2]) -> CylinderCore {
        self.cylinder.moved_to(ends, self.axis.at(sine_cosine))
    }

    /// How far they reach at most at any time along a unit direction whose component across the axis of the
    /// turn has the length `tilt`.
    pub(super) fn greatest_reach(&self, normal: DVec3, tilt: f64) -> f64 {
        let along = normal.dot(self.axis.center).abs() - self.axis.radius * tilt - SLACK;
        let along = along.max(0.0);
        self.cylinder.radius * ((1.0 - along * along).max(0.0).sqrt() + SLACK)
    }

    /// How much further they reach at most for each radian that they turn.
    pub(super) fn growth(&self) -> f64 {
        self.cylinder.radius * self.axis.radius
    }

    /// The velocity of the unit axis, per t.
    pub(super) fn swing(&self, sine_cosine: [f64; 2], angle: f64) -> DVec3 {
        self.axis.swing(sine_cosine) * angle
    }

    /// The maximum acceleration of the unit axis, per t².
    pub(super) fn acceleration(&self, angle: f64) -> f64 {
        angle * angle * self.axis.radius
    }
}

/// Bounds of how the discs of a cylinder reach further along a unit direction: pairs of a speed and an
/// acceleration, each of which holds. The axis u moves with `velocity`, the direction n with `lean`, and n × u with no
/// more than this acceleration.
///
/// With w = n × u it is |w + w' t| + t² |w''| / 2 at most, where |w + w' t| is no more than |w| + |w'| t, and no more
/// than |w| + t w · w' / |w| + t² |w'|² / (2 |w|).
pub(super) fn growths(
    cylinder: &CylinderCore,
    normal: DVec3,
    [velocity, lean]: [DVec3; 2],
    acceleration: f64,
) -> [[f64; 2]; 2] {
    let (axis, _) = cylinder.axis();
    let place = normal.cross(axis);
    let change = normal.cross(velocity) + lean.cross(axis);
    let [length, speed] = [place, change].map(|vector| vector.length_squared().sqrt());
    let fastest = velocity.length_squared().sqrt() + lean.length_squared().sqrt();
    let kinked = [speed + SLACK * fastest, acceleration];
    let smooth = if length > 64.0 * SLACK {
        // The direction of w is off by less than this.
        let off = 16.0 * SLACK / length;
        [
            place.dot(change) / length + off * fastest,
            acceleration + (speed + SLACK * fastest).powi(2) / (length * (1.0 - off)),
        ]
    } else {
        kinked
    };
    [kinked, smooth].map(|bound| bound.map(|number| number * cylinder.radius * (1.0 + SLACK)))
}
