//! Planes.

use super::aabb::MAX_COORDINATE;
use crate::Error;
use glam::{DVec3, Vec3};

/// The plane of points p with `normal · p = offset`; its front is where `normal` points.
///
/// ```
/// use hitscan::{Plane, Ray};
/// let ground = Plane::new([0.0, 2.0, 0.0], 4.0)?; // 2y = 4
/// let hit = ground.cast_ray(&Ray::new([0.0, 5.0, 0.0], [0.0, -1.0, 0.0])?, ()).unwrap();
/// assert_eq!(hit.t, 3.0);
/// assert_eq!(ground.signed_distance([7.0, 1.0, 7.0]), -1.0);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
}

impl Plane {
    /// The plane `normal · p = offset`. The normal need not be of unit length.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN or infinity, [`Error::ZeroVector`] for a zero normal.
    pub fn new(normal: impl Into<Vec3>, offset: impl Into<f64>) -> Result<Self, Error> {
        Self::checked(normal.into(), offset.into())
    }

    fn checked(normal: Vec3, offset: f64) -> Result<Self, Error> {
        let numbers = normal.to_array().map(f64::from).into_iter().chain([offset]);
        if let Some(found) = numbers.into_iter().find(|x| !x.is_finite()) {
            return Err(Error::NotFinite {
                what: "plane",
                found,
            });
        }
        if normal == Vec3::ZERO {
            return Err(Error::ZeroVector {
                what: "plane normal",
            });
        }
        Ok(Self {
            normal: normal.as_dvec3(),
            offset,
        })
    }

    /// The plane through `point` with this normal.
    ///
    /// # Errors
    /// As [`Plane::new`]; [`Error::OutOfRange`] for a point beyond ±1e18.
    pub fn through(point: impl Into<Vec3>, normal: impl Into<Vec3>) -> Result<Self, Error> {
        let (point, normal) = (point.into(), normal.into());
        if let Some(found) = point
            .to_array()
            .into_iter()
            .find(|x| x.abs() > MAX_COORDINATE)
        {
            let (found, limit) = (f64::from(found), f64::from(MAX_COORDINATE));
            return Err(Error::OutOfRange {
                what: "plane point",
                index: 0,
                found,
                limit,
            });
        }
        Self::new(normal, normal.as_dvec3().dot(point.as_dvec3()))
    }

    /// The normal, as it was given.
    #[must_use]
    pub fn normal(&self) -> Vec3 {
        self.normal.as_vec3()
    }

    /// The offset: `normal · p` of the plane's points.
    #[must_use]
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// The distance of `point` from the plane, metres, positive in front of it.
    #[must_use]
    pub fn signed_distance(&self, point: impl Into<Vec3>) -> f64 {
        let height = self.normal.dot(point.into().as_dvec3()) - self.offset;
        height / self.normal.dot(self.normal).sqrt()
    }
}
