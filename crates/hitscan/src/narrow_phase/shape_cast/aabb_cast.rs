//! A moving axis-aligned box: what pairs of many boxes are made of.

use crate::Error;
use crate::shape::aabb::Aabb;
use glam::Vec3;

/// An axis-aligned box that is translated in a straight line while t goes from 0 to 1. The motion may
/// be zero.
///
/// It is what [`impacts`](crate::broad_phase::impacts()) and [`times_of_impact`](crate::broad_phase::times_of_impact()) take,
/// where there are many: [`ShapeCast`](super::ShapeCast) holds any shape, and is made of one by `into`.
///
/// ```
/// use hitscan::Aabb;
/// use hitscan::shape_cast::AabbCast;
/// let sliding = AabbCast::new(Aabb::new([0.0; 3], [1.0; 3])?, [4.0, 0.0, 0.0])?;
/// let wall = Aabb::new([3.0, -1.0, -1.0], [4.0, 2.0, 2.0])?;
/// assert_eq!(sliding.time_of_impact(&wall), Some(0.5));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct AabbCast {
    pub(crate) start: Aabb,
    pub(crate) motion: Vec3,
}

impl AabbCast {
    /// The box `start` at t = 0, which has moved by `motion`, metres, at t = 1.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a component of the motion is NaN or infinite.
    pub fn new(start: Aabb, motion: impl Into<Vec3>) -> Result<Self, Error> {
        let motion = motion.into();
        check_motion(motion)?;
        Ok(Self { start, motion })
    }

    /// The box at t = 0.
    #[must_use]
    pub fn start(&self) -> Aabb {
        self.start
    }

    /// How far the box moves while t goes from 0 to 1, metres.
    #[must_use]
    pub fn motion(&self) -> Vec3 {
        self.motion
    }

    /// When the box hits the resting box, or `None`: the t of
    /// [`Aabb::cast_shape`](crate::Aabb::cast_shape).
    #[must_use]
    pub fn time_of_impact(&self, resting: &Aabb) -> Option<f32> {
        resting.cast_aabb(self).map(|hit| hit.t)
    }
}

/// # Errors
/// [`Error::NotFinite`] when a component is NaN or infinite.
pub(crate) fn check_motion(motion: Vec3) -> Result<(), Error> {
    for component in motion.to_array() {
        if !component.is_finite() {
            return Err(Error::NotFinite {
                what: "motion of a shape cast",
                found: f64::from(component),
            });
        }
    }
    Ok(())
}
