//! A ray with its range of t, checked once, and the ray in a part's own space.

use crate::Error;
use crate::exact::expansion::nearest_f32;
use glam::{DAffine3, DVec3, Vec3};

/// The set of points `origin + t * direction` with `t_min <= t <= t_max`, both ends included.
///
/// `direction` need not be unit length: `t` counts in units of `direction`. A ray without an end
/// ends where t leaves the range of f32. Shapes lie within ±1e18 m, but a ray may start anywhere in
/// f32, and a [`Plane`](crate::Plane) is without bounds: where a hit's distance or a coordinate of its
/// point is beyond the range of f32, [`f32::MAX`] with its sign is the answer. No answer is infinite or
/// NaN.
///
/// A ray may be empty: no t belongs to it, and it hits nothing ([`Ray::between`], [`Ray::new_or_empty`]).
/// An empty ray stays empty.
///
/// ```
/// use hitscan::Ray;
/// let ray = Ray::new([0.0, 10.0, 0.0], [0.0, -2.0, 0.0])?.with_range(0.0, 4.0)?;
/// assert_eq!(ray.at(3.0).y, 4.0);
/// assert!(Ray::new([0.0; 3], [0.0; 3]).is_err());
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    origin: Vec3,
    direction: Vec3,
    t_min: f32,
    t_max: f32,
}

impl Ray {
    /// A ray from `origin` along `direction`, for t from 0 to infinity.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a component that is NaN or infinite, [`Error::ZeroVector`] for a
    /// zero direction.
    pub fn new(origin: impl Into<Vec3>, direction: impl Into<Vec3>) -> Result<Self, Error> {
        let (origin, direction) = (origin.into(), direction.into());
        check_finite("ray origin", origin)?;
        check_finite("ray direction", direction)?;
        if direction == Vec3::ZERO {
            return Err(Error::ZeroVector {
                what: "ray direction",
            });
        }
        Ok(Self::from_checked(origin, direction))
    }

    /// As [`Ray::new`], for game loops: where that is an error the ray is empty and hits nothing.
    ///
    /// ```
    /// use hitscan::Ray;
    /// assert!(!Ray::new_or_empty([0.0; 3], [1.0, 0.0, 0.0]).is_empty());
    /// assert!(Ray::new_or_empty([0.0; 3], [f32::NAN, 0.0, 0.0]).is_empty());
    /// ```
    #[must_use]
    pub fn new_or_empty(origin: impl Into<Vec3>, direction: impl Into<Vec3>) -> Self {
        Self::new(origin, direction).unwrap_or(Self::EMPTY)
    }

    /// A ray to which no t belongs.
    const EMPTY: Self = Self::empty_at(Vec3::ZERO);

    const fn empty_at(origin: Vec3) -> Self {
        Self {
            origin,
            direction: Vec3::X,
            t_min: 1.0,
            t_max: 0.0,
        }
    }

    /// A ray from parts that are known to be finite, with a direction that is not zero.
    pub(crate) fn from_checked(origin: Vec3, direction: Vec3) -> Self {
        Self {
            origin,
            direction,
            t_min: 0.0,
            t_max: f32::INFINITY,
        }
    }

    /// [`Ray::from_checked`] with a range that is in order.
    pub(crate) fn from_checked_range(
        origin: Vec3,
        direction: Vec3,
        (t_min, t_max): (f32, f32),
    ) -> Self {
        Self {
            t_min,
            t_max,
            ..Self::from_checked(origin, direction)
        }
    }

    /// The same ray limited to `t_min <= t <= t_max`. `t_max` may be infinite. An empty ray stays
    /// empty.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when `t_min` is not finite or `t_max` is NaN, [`Error::Reversed`] when
    /// `t_min > t_max`.
    pub fn with_range(self, t_min: f32, t_max: f32) -> Result<Self, Error> {
        if !t_min.is_finite() {
            return Err(Error::NotFinite {
                what: "ray t_min",
                found: f64::from(t_min),
            });
        }
        if t_max.is_nan() {
            return Err(Error::NotFinite {
                what: "ray t_max",
                found: f64::from(t_max),
            });
        }
        if t_min > t_max {
            let (min, max) = (f64::from(t_min), f64::from(t_max));
            return Err(Error::Reversed {
                what: "ray range",
                min,
                max,
            });
        }
        if self.is_empty() {
            return Ok(self);
        }
        // -0 becomes +0, so that an answer at t_min is never -0.
        Ok(Self {
            t_min: t_min + 0.0,
            t_max: t_max + 0.0,
            ..self
        })
    }

    /// The same ray, ended `distance` metres from its origin if it does not end before: t is at most
    /// `distance / |direction|`, rounded to f32. `distance` may be infinite.
    ///
    /// ```
    /// use hitscan::Ray;
    /// let ray = Ray::new([0.0; 3], [0.0, 3.0, 4.0])?.with_max_distance(10.0)?;
    /// assert_eq!((ray.t_min(), ray.t_max()), (0.0, 2.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN, [`Error::Reversed`] where the ray begins only beyond.
    pub fn with_max_distance(self, distance: impl Into<f64>) -> Result<Self, Error> {
        self.ended_at(distance.into())
    }

    fn ended_at(self, distance: f64) -> Result<Self, Error> {
        if distance.is_nan() {
            return Err(Error::NotFinite {
                what: "ray distance",
                found: distance,
            });
        }
        if self.is_empty() {
            return Ok(self);
        }
        let direction = self.direction.as_dvec3();
        let t_max = distance / direction.dot(direction).sqrt();
        // What is beyond the range of f32 becomes infinite, which is no limit.
        self.with_range(self.t_min, self.t_max.min(nearest_f32(t_max)))
    }

    /// As [`Ray::with_max_distance`], for game loops: where that is an error the ray is empty and hits
    /// nothing.
    #[must_use]
    pub fn limited_to(self, distance: impl Into<f64>) -> Self {
        let origin = self.origin;
        self.with_max_distance(distance)
            .unwrap_or(Self::empty_at(origin))
    }

    /// The segment from `start` (t = 0) to `end` (t = 1), ends included.
    ///
    /// Where both are equal the ray is empty and hits nothing, not even the solid that it lies in: what
    /// rests hits nothing on its way.
    ///
    /// ```
    /// use hitscan::{Ray, Sphere};
    /// let target = Sphere::new([3.0, 0.0, 0.0], 1.0)?;
    /// let shot = Ray::between([0.0; 3], [4.0, 0.0, 0.0])?;
    /// assert_eq!(target.cast_ray(&shot, ()).map(|hit| hit.t), Some(0.5));
    /// let resting = Ray::between([3.0, 0.0, 0.0], [3.0, 0.0, 0.0])?;
    /// assert!(resting.is_empty());
    /// assert_eq!(target.cast_ray(&resting, ()), None);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a component that is NaN or infinite, also of the way from one to the
    /// other.
    pub fn between(start: impl Into<Vec3>, end: impl Into<Vec3>) -> Result<Self, Error> {
        let (start, end) = (start.into(), end.into());
        if start == end && start.is_finite() {
            return Ok(Self::empty_at(start));
        }
        Self::new(start, end - start)?.with_range(0.0, 1.0)
    }

    /// As [`Ray::between`], for game loops: where that is an error the ray is empty and hits nothing.
    #[must_use]
    pub fn between_or_empty(start: impl Into<Vec3>, end: impl Into<Vec3>) -> Self {
        Self::between(start, end).unwrap_or(Self::EMPTY)
    }

    /// Whether no t belongs to the ray, so that it hits nothing.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.t_min > self.t_max
    }

    /// The ray's point at t = 0.
    #[must_use]
    #[inline]
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// How far the ray goes while t grows by one. Of an empty ray it means nothing.
    #[must_use]
    #[inline]
    pub fn direction(&self) -> Vec3 {
        self.direction
    }

    /// The smallest t that belongs to the ray; of an empty ray, greater than `t_max`.
    #[must_use]
    #[inline]
    pub fn t_min(&self) -> f32 {
        self.t_min
    }

    /// The largest t that belongs to the ray.
    #[must_use]
    #[inline]
    pub fn t_max(&self) -> f32 {
        self.t_max
    }

    /// The point at `t`, computed in f64; infinite where it is beyond the range of f32. An empty ray
    /// is at its origin.
    #[must_use]
    pub fn at(&self, t: f32) -> Vec3 {
        if self.is_empty() {
            return self.origin;
        }
        LocalRay::from(self).at(f64::from(t)).as_vec3()
    }
}

/// A ray in the space of the shape that it is tested with, in f64.
///
/// Transforms keep t: the direction is not normalised. Its components are finite, and not all are
/// zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalRay {
    pub(crate) origin: DVec3,
    pub(crate) direction: DVec3,
    pub(crate) t_min: f64,
    pub(crate) t_max: f64,
}

impl From<&Ray> for LocalRay {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn from(ray: &Ray) -> Self {
        Self {
            origin: ray.origin.as_dvec3(),
            direction: ray.direction.as_dvec3(),
            t_min: f64::from(ray.t_min),
            // t is answered as f32: what lies beyond its range is beyond the ray.
            t_max: f64::from(ray.t_max.min(f32::MAX)),
        }
    }
}

impl LocalRay {
    /// A value where there is no ray.
    pub(crate) const NONE: Self = Self {
        origin: DVec3::ZERO,
        direction: DVec3::ZERO,
        t_min: 0.0,
        t_max: 0.0,
    };

    /// Whether no t belongs to the ray.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_empty(&self) -> bool {
        self.t_min > self.t_max
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }

    /// The ray in the space that `local_from_world` leads to.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn transformed(&self, local_from_world: &DAffine3) -> Self {
        let origin = local_from_world.transform_point3(self.origin);
        let direction = local_from_world.transform_vector3(self.direction);
        Self {
            origin: flush_tiny(origin),
            direction: flush_tiny(direction),
            ..*self
        }
    }
}

/// Components below this, metres, become zero where a transform makes them.
///
/// Exact predicates multiply three components, and f64's smallest normal number is 2.2e-308: the
/// product of three that are not smaller, 1e-270, keeps its lost half above that. It is far below the
/// rounding of any transform of numbers that f32 can hold.
const TINY: f64 = 1e-90;

#[cfg_attr(not(debug_assertions), inline(always))]
fn flush_tiny(v: DVec3) -> DVec3 {
    let flushed = |x: f64| if x.abs() < TINY { 0.0 } else { x };
    DVec3::new(flushed(v.x), flushed(v.y), flushed(v.z))
}

fn check_finite(what: &'static str, v: Vec3) -> Result<(), Error> {
    match v.to_array().into_iter().find(|x| !x.is_finite()) {
        Some(found) => Err(Error::NotFinite {
            what,
            found: f64::from(found),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_rays_are_refused_when_made() {
        assert!(matches!(
            Ray::new([f32::NAN, 0.0, 0.0], [1.0; 3]),
            Err(Error::NotFinite { .. })
        ));
        assert!(matches!(
            Ray::new([0.0; 3], [0.0, -0.0, 0.0]),
            Err(Error::ZeroVector { .. })
        ));
        let ray = Ray::new([0.0; 3], [1e-45, 0.0, 0.0]).unwrap();
        assert!(matches!(
            ray.with_range(2.0, 1.0),
            Err(Error::Reversed { .. })
        ));
        assert!(matches!(
            ray.with_range(f32::NEG_INFINITY, 1.0),
            Err(Error::NotFinite { .. })
        ));
        assert!(ray.with_range(1.0, 1.0).is_ok());
    }
}
