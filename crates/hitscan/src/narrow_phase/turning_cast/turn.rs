//! The numbers of a turn, checked: axis, angle, pivot, tolerance.

use crate::Error;
use glam::{DVec3, Vec3};

/// The maximum angle of a turn, radians.
const MAX_ANGLE: f64 = 1e6;

/// The tolerance, where none is given, by the longest side of the box around what turns; for a point that itself,
/// metres.
const DEFAULT_TOLERANCE: f64 = 1e-4;

/// A turn about an axis that moves with what turns, while t goes from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Turn {
    /// As it was given.
    pub(crate) axis: Vec3,
    /// Radians.
    pub(crate) angle: f64,
    /// A point of the axis at t = 0.
    pub(crate) pivot: DVec3,
    /// How near is near enough, metres.
    pub(crate) tolerance: f64,
}

/// Whether an axis and an angle make a turn.
pub(crate) fn check_turn(axis: Vec3, angle: f64) -> Result<(), Error> {
    let numbers = axis.to_array().map(f64::from);
    let all = numbers.into_iter().chain([angle]);
    if let Some(found) = all.into_iter().find(|number| !number.is_finite()) {
        let what = "axis or angle of a turn";
        return Err(Error::NotFinite { what, found });
    }
    if angle.abs() > MAX_ANGLE {
        return Err(Error::BadValue {
            what: "angle of a turn",
            expected: "within ±1e6 radians",
            found: angle,
        });
    }
    if angle != 0.0 && axis == Vec3::ZERO {
        let what = "axis of a turn";
        return Err(Error::ZeroVector { what });
    }
    Ok(())
}

/// A pivot in f64, if it is finite.
pub(crate) fn check_pivot(pivot: Vec3) -> Result<DVec3, Error> {
    match pivot.to_array().into_iter().find(|x| !x.is_finite()) {
        Some(found) => Err(Error::NotFinite {
            what: "pivot of a turn",
            found: found.into(),
        }),
        None => Ok(pivot.as_dvec3()),
    }
}

/// Whether a tolerance is finite and more than 0.
pub(crate) fn check_tolerance(tolerance: f64) -> Result<(), Error> {
    // Also false for NaN.
    let is_positive = tolerance > 0.0 && tolerance.is_finite();
    if is_positive {
        return Ok(());
    }
    Err(Error::BadValue {
        what: "tolerance of a turn",
        expected: "finite and more than 0",
        found: tolerance,
    })
}

/// The pivot and the tolerance where none are given, of what lies between two corners with a radius around.
pub(crate) fn defaults([min, max]: [DVec3; 2], radius: f64) -> (DVec3, f64) {
    let longest = (max - min).max_element() + 2.0 * radius;
    let tolerance = if longest > 0.0 {
        DEFAULT_TOLERANCE * longest
    } else {
        DEFAULT_TOLERANCE
    };
    let middle = [0, 1, 2].map(|i| f64::midpoint(min[i], max[i]));
    (DVec3::from_array(middle), tolerance)
}
