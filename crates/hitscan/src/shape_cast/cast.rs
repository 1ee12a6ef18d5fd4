//! The query: a shape and how far it is translated.

use crate::shape::aabb::Aabb;
use crate::{Error, Primitive};
use glam::Vec3;

/// A shape that is translated in a straight line while t goes from 0 to 1. The motion may be zero.
///
/// The shape is an [`Aabb`]. What it hits first is the answer of `cast_shape`, which every shape,
/// terrain, mesh and world has.
///
/// ```
/// use hitscan::Aabb;
/// use hitscan::shape_cast::ShapeCast;
/// let crate_box = Aabb::new([0.0; 3], [1.0; 3])?;
/// let sliding = ShapeCast::new(crate_box, [4.0, 0.0, 0.0])?;
/// let wall = Aabb::new([3.0, -1.0, -1.0], [4.0, 2.0, 2.0])?;
/// let hit = wall.cast_shape(&sliding).expect("the wall is in the way");
/// assert_eq!((hit.t, hit.normal.x), (0.5, -1.0));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct ShapeCast {
    pub(super) start: Aabb,
    pub(super) motion: Vec3,
}

impl ShapeCast {
    /// The box `shape` at t = 0, which has moved by `motion`, metres, at t = 1.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a component of the motion is NaN or infinite.
    pub fn new(shape: Aabb, motion: impl Into<Vec3>) -> Result<Self, Error> {
        Self::checked(shape, motion.into())
    }

    fn checked(start: Aabb, motion: Vec3) -> Result<Self, Error> {
        for component in motion.to_array() {
            if !component.is_finite() {
                return Err(Error::NotFinite {
                    what: "motion of a shape cast",
                    found: f64::from(component),
                });
            }
        }
        Ok(Self { start, motion })
    }

    /// The shape at t = 0.
    #[must_use]
    pub fn shape(&self) -> Primitive {
        self.start.into()
    }

    /// How far the shape moves while t goes from 0 to 1, metres.
    #[must_use]
    pub fn motion(&self) -> Vec3 {
        self.motion
    }

    /// The shape at `t`, rounded to f32; a t outside 0 to 1 counts as the nearer end, NaN as 0.
    ///
    /// At a hit's t it may overlap the obstacle by a rounding, where the next cast answers
    /// [`StartState::Overlap`](super::StartState::Overlap): stop a little before, by what the
    /// game's units allow.
    #[must_use]
    pub fn at(&self, t: f32) -> Primitive {
        let t = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) };
        let moved = self.motion.as_dvec3() * f64::from(t);
        let corner = |corner: Vec3| (corner.as_dvec3() + moved).as_vec3();
        Aabb::from_ordered(corner(self.start.min()), corner(self.start.max())).into()
    }

    /// A box around all that the shape passes through, rounded outward.
    #[must_use]
    pub fn swept_bounds(&self) -> Aabb {
        let (min, max) = (self.start.min().as_dvec3(), self.start.max().as_dvec3());
        let motion = self.motion.as_dvec3();
        let ends = [min, max, min + motion, max + motion];
        Aabb::around_f64(ends).unwrap_or(self.start)
    }

    /// The box at t = 0.
    pub(crate) fn start_bounds(&self) -> Aabb {
        self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_must_be_finite() {
        let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
        for bad in [f32::NAN, f32::INFINITY] {
            assert!(matches!(
                ShapeCast::new(unit, [0.0, bad, 0.0]),
                Err(Error::NotFinite { .. })
            ));
        }
    }

    #[test]
    fn swept_bounds_hold_both_ends() {
        let unit = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
        let moving = ShapeCast::new(unit, [2.0, -3.0, 0.0]).unwrap();
        let expected = Aabb::new([0.0, -3.0, 0.0], [3.0, 1.0, 1.0]).unwrap();
        assert_eq!(moving.swept_bounds(), expected);
    }
}
