//! The query: a moving shape that turns.

use crate::exact::extremes::bounds_of;
use crate::narrow_phase::convex::Convex;
use crate::narrow_phase::shape_cast::{InitialOverlap, ShapeCast};
use crate::{Error, Primitive};
use glam::{DVec3, Vec3};

/// The greatest angle of a turn, radians.
const MAX_ANGLE: f64 = 1e6;

/// The tolerance, where none is given, by the longest side of the box around the shape.
const DEFAULT_TOLERANCE: f64 = 1e-4;

/// A shape that moves in a straight line and turns about an axis that moves with it, while t goes from 0 to 1.
///
/// It is made by [`ShapeCast::turning`]. A point x of the shape is at `p + t d + R(t angle) (x - p)`, where p is
/// the pivot, d the motion, and R turns about the axis by the right-hand rule. What it comes to first is the
/// answer of `cast_turning`, which every solid, terrain, mesh, posed model and world has.
///
/// ```
/// use hitscan::{Aabb, ShapeCast, Sphere, TurningStatus};
/// // A door of 1 m, on hinges at x = 0, swings by a right angle.
/// let door = Aabb::new([0.0, 0.0, -0.025], [1.0, 2.0, 0.025])?;
/// let swing = ShapeCast::new(door, [0.0; 3])?
///     .turning([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2)?
///     .about([0.0, 0.0, 0.0])?;
/// let ball = Sphere::new([0.5, 1.0, -0.5], 0.25)?;
/// let hit = ball.cast_turning(&swing).expect("the ball is in the way");
/// assert_eq!(hit.status, TurningStatus::Hit);
/// assert!(hit.t > 0.2 && hit.t < 0.3 && hit.gap <= 2e-4);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct TurningCast {
    cast: ShapeCast,
    axis: Vec3,
    angle: f64,
    pivot: DVec3,
    tolerance: f64,
}

impl ShapeCast {
    /// The same motion, while the shape turns by `angle` radians about `axis`, of any length, through the middle
    /// of the box around the shape; see [`TurningCast::about`] and [`TurningCast::with_tolerance`].
    ///
    /// An overlap at the start stops it ([`InitialOverlap::Stop`]), whatever this cast does with overlaps. With
    /// an angle of 0 it is answered as this cast, bit for bit.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for an axis or an angle that is not finite, [`Error::ZeroVector`] for a zero axis
    /// with an angle, [`Error::BadValue`] for an angle beyond ±1e6, and for one of a cylinder.
    pub fn turning(self, axis: impl Into<Vec3>, angle: f64) -> Result<TurningCast, Error> {
        TurningCast::checked(self, axis.into(), angle)
    }
}

impl TurningCast {
    fn checked(cast: ShapeCast, axis: Vec3, angle: f64) -> Result<Self, Error> {
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
        if angle != 0.0 && matches!(cast.shape(), Primitive::Cylinder(_)) {
            return Err(Error::BadValue {
                what: "angle of a turning cylinder",
                expected: "0, as cylinders are not turned",
                found: angle,
            });
        }
        if angle != 0.0 && axis == Vec3::ZERO {
            let what = "axis of a turn";
            return Err(Error::ZeroVector { what });
        }
        let ([min, max], radius) = core_bounds(cast.shape());
        let longest = (max - min).max_element() + 2.0 * radius;
        Ok(Self {
            cast: cast.with_initial_overlap(InitialOverlap::Stop),
            axis,
            angle,
            pivot: DVec3::from_array([0, 1, 2].map(|i| f64::midpoint(min[i], max[i]))),
            tolerance: if longest > 0.0 {
                DEFAULT_TOLERANCE * longest
            } else {
                DEFAULT_TOLERANCE
            },
        })
    }

    /// The same turn about an axis through `pivot`, metres, which moves with the shape.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a pivot that is not finite.
    pub fn about(self, pivot: impl Into<Vec3>) -> Result<Self, Error> {
        let pivot: Vec3 = pivot.into();
        match pivot.to_array().into_iter().find(|x| !x.is_finite()) {
            Some(found) => Err(Error::NotFinite {
                what: "pivot of a turn",
                found: found.into(),
            }),
            None => Ok(Self {
                pivot: pivot.as_dvec3(),
                ..self
            }),
        }
    }

    /// How near the shape comes to what it hits, metres, where not even that is a hit: more than 0. Without it
    /// a ten-thousandth of the longest side of the box around the shape, and 1e-4 for a point.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a tolerance that is not finite and more than 0.
    pub fn with_tolerance(self, tolerance: f64) -> Result<Self, Error> {
        // Also false for NaN.
        let is_positive = tolerance > 0.0 && tolerance.is_finite();
        if !is_positive {
            return Err(Error::BadValue {
                what: "tolerance of a turn",
                expected: "finite and more than 0",
                found: tolerance,
            });
        }
        Ok(Self { tolerance, ..self })
    }

    /// The shape and its motion, without the turn.
    pub fn cast(&self) -> &ShapeCast {
        &self.cast
    }

    /// The axis, as it was given.
    #[must_use]
    pub fn axis(&self) -> Vec3 {
        self.axis
    }

    /// The angle by which the shape has turned at t = 1, radians.
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// A point of the axis at t = 0, metres.
    #[must_use]
    pub fn pivot(&self) -> DVec3 {
        self.pivot
    }

    /// How near the shape comes to what it hits, metres.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }
}

/// The box around a shape's core, and the shape's radius.
fn core_bounds(shape: &Primitive) -> ([DVec3; 2], f64) {
    let convex = Convex::from(shape);
    (bounds_of(convex.core.corners()), convex.radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aabb, Sphere};

    fn resting(shape: impl Into<Primitive>) -> ShapeCast {
        ShapeCast::new(shape, [0.0; 3]).unwrap()
    }

    #[test]
    fn numbers_are_checked() {
        let ball = || resting(Sphere::new([0.0; 3], 1.0).unwrap());
        assert!(ball().turning([0.0; 3], 1.0).is_err());
        assert!(ball().turning([0.0; 3], 0.0).is_ok());
        assert!(ball().turning([0.0, 1.0, 0.0], 1.1e6).is_err());
        assert!(ball().turning([0.0, f32::NAN, 0.0], 1.0).is_err());
        let turn = ball().turning([0.0, 1.0, 0.0], -1e6).unwrap();
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(turn.clone().with_tolerance(bad).is_err());
        }
        assert!(turn.about([f32::INFINITY, 0.0, 0.0]).is_err());
    }

    #[test]
    fn pivot_and_tolerance_are_those_of_the_box_around() {
        let shape = Aabb::new([1.0, 2.0, 3.0], [2.0, 5.0, 4.0]).unwrap();
        let turn = resting(shape).turning([0.0, 1.0, 0.0], 1.0).unwrap();
        assert_eq!(turn.pivot(), DVec3::new(1.5, 3.5, 3.5));
        assert_eq!(turn.tolerance(), 3.0 * DEFAULT_TOLERANCE);
        let point = Aabb::new([1.0; 3], [1.0; 3]).unwrap();
        let turn = resting(point).turning([0.0, 1.0, 0.0], 1.0).unwrap();
        assert_eq!(turn.tolerance(), DEFAULT_TOLERANCE);
    }
}
