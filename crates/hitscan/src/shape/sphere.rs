//! Solid spheres.

use super::aabb::{MAX_RADIUS, check_coordinates, stepped_up_if};
use super::placing::{longest_axis, placed_point};
use crate::exact::expansion::{Expansion, nearest_f32, two_sum};
use crate::exact::vector::{difference, dot};
use crate::{Aabb, Error};
use glam::{DAffine3, DVec3, Vec3};

/// A solid sphere.
///
/// ```
/// use hitscan::{Ray, Side, Sphere};
/// let planet = Sphere::new([0.0, 0.0, 0.0], 2.0)?;
/// let hit = planet.cast_ray(&Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])?, ()).unwrap();
/// assert_eq!((hit.t, hit.normal.x), (3.0, -1.0));
/// let inside = planet.cast_ray(&Ray::new([0.5, 0.0, 0.0], [1.0, 0.0, 0.0])?, ()).unwrap();
/// assert_eq!((inside.t, inside.side), (0.0, Side::Inside));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// An f32 each, but where a transform placed the sphere as a part of a compound.
    center: DVec3,
    radius: f64,
}

impl Sphere {
    /// The sphere around `center`, metres.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for a centre that is not finite or beyond
    /// ±1e18, [`Error::BadValue`] for a radius that is not positive or beyond 1e18.
    pub fn new(center: impl Into<Vec3>, radius: impl Into<f64>) -> Result<Self, Error> {
        Self::checked(center.into(), radius.into())
    }

    fn checked(center: Vec3, radius: f64) -> Result<Self, Error> {
        check_coordinates("sphere center", &[center])?;
        Self::around(center.as_dvec3(), radius)
    }

    /// The sphere around a centre in range.
    fn around(center: DVec3, radius: f64) -> Result<Self, Error> {
        if !(radius > 0.0 && radius <= MAX_RADIUS) {
            let (what, expected) = ("sphere radius", "positive and at most 1e18");
            return Err(Error::BadValue {
                what,
                expected,
                found: radius,
            });
        }
        Ok(Self { center, radius })
    }

    /// The sphere with a centre and a radius that another has.
    pub(crate) fn of_checked(center: Vec3, radius: f64) -> Self {
        let center = center.as_dvec3();
        Self { center, radius }
    }

    /// The sphere where a transform takes it: its centre taken once, in f64, its radius multiplied by the
    /// longest image of a unit axis.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for the centre, [`Error::BadValue`] for the radius.
    pub(crate) fn placed(&self, world_from_own: &DAffine3) -> Result<Self, Error> {
        let center = placed_point(world_from_own, self.center)?;
        Self::around(center, self.radius * longest_axis(world_from_own))
    }

    /// The centre, metres.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.center.as_vec3()
    }

    /// The centre that every query means.
    pub(crate) fn wide_center(&self) -> DVec3 {
        self.center
    }

    /// The radius, metres.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The smallest box of f32 around the sphere.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let (min, max) = bounds_around(self.center, self.center, self.radius);
        Aabb::from_ordered(min, max)
    }

    /// Whether `point` belongs to the closed sphere, exactly. A point that is not finite does not.
    #[must_use]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        point.is_finite() && self.holds(point.as_dvec3())
    }

    /// Whether `point` belongs to the closed sphere, exactly.
    pub(crate) fn holds(&self, point: DVec3) -> bool {
        let offset = difference(point, self.center);
        exact_excess(self, &offset).sign().is_le()
    }
}

/// The ends of the smallest box of f32 around all that is within a radius of the box from `min` to
/// `max`.
pub(crate) fn bounds_around(min: DVec3, max: DVec3, radius: f64) -> (Vec3, Vec3) {
    let up = |center: DVec3| Vec3::from_array(center.to_array().map(|x| rounded_up(x, radius)));
    // Adding zero turns -0 into +0.
    (-up(-min) + Vec3::ZERO, up(max))
}

/// The smallest f32 that is no less than the sum of a coordinate and a radius.
#[inline]
pub(crate) fn rounded_up(center: f64, radius: f64) -> f32 {
    let (sum, error) = two_sum(center, radius);
    let rounded = nearest_f32(sum);
    // The difference is exact, and more than the error unless it is 0.
    let excess = sum - f64::from(rounded);
    stepped_up_if((excess > 0.0) | ((excess == 0.0) & (error > 0.0)), rounded)
}

/// `m·m - r²`, exactly: positive outside, 0 on the surface, negative inside.
pub(crate) fn exact_excess(sphere: &Sphere, m: &[Expansion; 3]) -> Expansion {
    let radius = Expansion::from_f64(sphere.radius);
    dot(m, m).minus(&radius.times(&radius))
}

/// The power of two with the exponent of `x`, which is normal and positive.
pub(crate) fn power_of_two_near(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7FF0_0000_0000_0000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_exact_where_f32_can_hold_them() {
        let exact = Sphere::new([1.0, 0.0, -2.0], 0.5).unwrap().bounds();
        assert_eq!(
            exact,
            Aabb::new([0.5, -0.5, -2.5], [1.5, 0.5, -1.5]).unwrap()
        );
        let rounded = Sphere::new([1.0, 0.0, 0.0], 0.1).unwrap().bounds();
        assert!(f64::from(rounded.min().x) <= 0.9 && f64::from(rounded.max().x) >= 1.1);
        assert_eq!(rounded.max().y, 0.1);
    }

    #[test]
    fn the_largest_radius_is_accepted() {
        assert!(Sphere::new([0.0; 3], 1e18).is_ok());
        assert!(Sphere::new([0.0; 3], 1e18_f64.next_up()).is_err());
        assert!(crate::Capsule::new([0.0; 3], [1.0; 3], 1e18).is_ok());
    }
}
