//! The circle of a corner that goes round, about an axis through the pivot.
//!
//! Coordinates are those seen from the pivot, so that a shape far from the origin loses nothing.

use super::rotation;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::exact::extremes::max_abs;
use glam::DVec3;

/// How far the product of a place with a unit vector may be off, by the sum of the largest coordinates.
///
/// A coordinate seen from the pivot is off by one unit. The unit axis is off by 8 units; so the part of a corner
/// along the axis is off by less than 24 units of the corner, the parts across by less than 32. Sine and
/// cosine are off by 4 units each. So a corner at a time is off by less than 88 units on each axis, which a unit
/// vector takes at most the root of three times: 153. The product's own rounding and the vector's length add less than
/// 16, the sums with the obstacle's and with radii less than 16: together less than 192.
pub(super) const SLACK: f64 = 184.0 * UNIT_ROUNDOFF + 2.0 * rotation::ERROR;

/// What is taken off a wait: more than all roundings of its arithmetic, a dozen of them.
pub(super) const SHORTER: f64 = 1.0 - 256.0 * f64::EPSILON;

/// A corner: its centre on the axis, and the circle around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Orbit {
    pub(super) center: DVec3,
    /// From the centre to the corner at the start.
    pub(super) across: DVec3,
    /// A quarter of a turn later.
    pub(super) ahead: DVec3,
    /// No less than the circle's radius.
    pub(super) radius: f64,
}

/// An axis at unit length, scaled first, so that no square underflows or overflows.
pub(super) fn unit_axis(axis: DVec3) -> DVec3 {
    let scaled = axis / max_abs(axis);
    scaled / scaled.length_squared().sqrt()
}

/// A direction turned about a unit axis, by the sine and the cosine of the angle.
pub(super) fn turned(direction: DVec3, unit: DVec3, [sine, cosine]: [f64; 2]) -> DVec3 {
    let along = unit * unit.dot(direction);
    let across = direction - along;
    along + across * cosine + unit.cross(across) * sine
}

impl Orbit {
    /// Where the corner is, by the sine and the cosine of the angle, without the translation.
    pub(super) fn at(&self, [sine, cosine]: [f64; 2]) -> DVec3 {
        self.center + self.across * cosine + self.ahead * sine
    }

    /// How fast the corner goes round there, per radian.
    pub(super) fn swing(&self, [sine, cosine]: [f64; 2]) -> DVec3 {
        self.ahead * cosine - self.across * sine
    }

    pub(super) fn new(corner: DVec3, unit: DVec3) -> Self {
        let center = unit * unit.dot(corner);
        let across = corner - center;
        let off = SLACK * max_abs(corner);
        Self {
            center,
            across,
            ahead: unit.cross(across),
            radius: across.length_squared().sqrt() + off,
        }
    }
}
