//! The query: a moving shape that turns.

use super::turn::{Turn, check_pivot, check_tolerance, check_turn, defaults};
use crate::narrow_phase::convex::Convex;
use crate::narrow_phase::shape_cast::{InitialOverlap, ShapeCast};
use crate::{Error, Primitive};
use glam::{DVec3, Vec3};

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
    turn: Turn,
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
    /// with an angle, [`Error::BadValue`] for an angle beyond ±1e6.
    pub fn turning(self, axis: impl Into<Vec3>, angle: f64) -> Result<TurningCast, Error> {
        let axis = axis.into();
        check_turn(axis, angle)?;
        Ok(TurningCast::of_checked(self, axis, angle))
    }
}

impl TurningCast {
    /// As [`ShapeCast::turning`], of an axis and an angle that make a turn.
    pub(crate) fn of_checked(cast: ShapeCast, axis: Vec3, angle: f64) -> Self {
        let (bounds, radius) = core_bounds(cast.shape());
        let (pivot, tolerance) = defaults(bounds, radius);
        Self {
            cast: cast.with_initial_overlap(InitialOverlap::Stop),
            turn: Turn {
                axis,
                angle,
                pivot,
                tolerance,
            },
        }
    }

    /// The same turn about an axis through `pivot`, metres, which moves with the shape.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a pivot that is not finite.
    pub fn about(self, pivot: impl Into<Vec3>) -> Result<Self, Error> {
        let pivot = check_pivot(pivot.into())?;
        Ok(self.with_turn(|turn| turn.pivot = pivot))
    }

    /// How near the shape comes to what it hits, metres, where not even that is a hit: more than 0. Without it
    /// a ten-thousandth of the longest side of the box around the shape, and 1e-4 for a point.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a tolerance that is not finite and more than 0.
    pub fn with_tolerance(self, tolerance: f64) -> Result<Self, Error> {
        check_tolerance(tolerance)?;
        Ok(self.with_turn(|turn| turn.tolerance = tolerance))
    }

    /// The same with other numbers, which are checked.
    pub(crate) fn with_turn(mut self, change: impl FnOnce(&mut Turn)) -> Self {
        change(&mut self.turn);
        self
    }

    pub(crate) fn turn(&self) -> &Turn {
        &self.turn
    }

    /// The shape and its motion, without the turn.
    pub fn cast(&self) -> &ShapeCast {
        &self.cast
    }

    /// The axis, as it was given.
    #[must_use]
    pub fn axis(&self) -> Vec3 {
        self.turn.axis
    }

    /// The angle by which the shape has turned at t = 1, radians.
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.turn.angle
    }

    /// A point of the axis at t = 0, metres.
    #[must_use]
    pub fn pivot(&self) -> DVec3 {
        self.turn.pivot
    }

    /// How near the shape comes to what it hits, metres.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        self.turn.tolerance
    }
}

/// The box around a shape's core, and the shape's radius.
fn core_bounds(shape: &Primitive) -> ([DVec3; 2], f64) {
    let convex = Convex::from(shape);
    (convex.core.bounds(), convex.radius)
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
        assert_eq!(turn.tolerance(), 3.0 * 1e-4);
        let point = Aabb::new([1.0; 3], [1.0; 3]).unwrap();
        let turn = resting(point).turning([0.0, 1.0, 0.0], 1.0).unwrap();
        assert_eq!(turn.tolerance(), 1e-4);
    }
}
