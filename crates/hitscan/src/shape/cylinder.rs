//! Cylinders: all between two discs across an axis.

use super::aabb::{MAX_RADIUS, check_coordinates};
use super::capsule::{Along, LineBeyond};
use super::placing::{in_range, longest_axis, placed_point};
use super::sphere::rounded_up;
use crate::exact::adaptive::sign;
use crate::{Aabb, Error};
use core::cmp::Ordering;
use glam::{DAffine3, DVec3, Vec3};

/// A solid cylinder with flat ends: discs of `radius` around `a` and `b`, across the axis between them, and all
/// between the two.
///
/// ```
/// use hitscan::{Cylinder, Ray};
/// let barrel = Cylinder::new([0.0, 0.0, 0.0], [0.0, 2.0, 0.0], 0.5)?;
/// let side = Ray::new([-4.0, 1.0, 0.0], [1.0, 0.0, 0.0])?;
/// assert_eq!(barrel.cast_ray(&side, ()).unwrap().t, 3.5);
/// let lid = Ray::new([0.25, 5.0, 0.0], [0.0, -1.0, 0.0])?;
/// assert_eq!(barrel.cast_ray(&lid, ()).unwrap().t, 3.0);
/// assert!(barrel.contains([0.25, 2.0, 0.25]) && !barrel.contains([0.0, 2.1, 0.0]));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    /// The ends: f32 each, but where a transform placed the cylinder.
    a: DVec3,
    b: DVec3,
    radius: f64,
}

/// The smallest radius: f32's smallest number. It keeps squares inside f64.
const MIN_RADIUS: f32 = f32::from_bits(1);

impl Cylinder {
    /// The cylinder with ends around `a` and `b`, metres.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for an end that is not finite or beyond ±1e18,
    /// [`Error::BadValue`] for ends at one point, and for a radius below f32's smallest number (1.4e-45) or
    /// beyond 1e18.
    pub fn new(
        a: impl Into<Vec3>,
        b: impl Into<Vec3>,
        radius: impl Into<f64>,
    ) -> Result<Self, Error> {
        Self::checked(a.into(), b.into(), radius.into())
    }

    fn checked(a: Vec3, b: Vec3, radius: f64) -> Result<Self, Error> {
        check_coordinates("cylinder end", &[a, b])?;
        Self::around([a, b].map(Vec3::as_dvec3), radius)
    }

    /// The cylinder with ends in f64, as a transform leaves them.
    ///
    /// # Errors
    /// As [`Cylinder::new`].
    pub(crate) fn between_points([a, b]: [DVec3; 2], radius: f64) -> Result<Self, Error> {
        Self::around([in_range(a)?, in_range(b)?], radius)
    }

    /// The cylinder between ends that are in range.
    pub(crate) fn around([a, b]: [DVec3; 2], radius: f64) -> Result<Self, Error> {
        if !(radius >= f64::from(MIN_RADIUS) && radius <= MAX_RADIUS) {
            return Err(Error::BadValue {
                what: "cylinder radius",
                expected: "positive (at least 1.4e-45) and at most 1e18",
                found: radius,
            });
        }
        if a == b {
            return Err(Error::BadValue {
                what: "cylinder length",
                expected: "positive: its ends at two points",
                found: 0.0,
            });
        }
        Ok(Self { a, b, radius })
    }

    /// The cylinder where a transform takes it: each end taken once, in f64, its radius multiplied by the longest
    /// image of a unit axis. The ends stay across the axis.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for an end, [`Error::BadValue`] for the radius and for ends
    /// that fall together.
    pub fn placed(&self, world_from_own: &DAffine3) -> Result<Self, Error> {
        let ends = [
            placed_point(world_from_own, self.a)?,
            placed_point(world_from_own, self.b)?,
        ];
        Self::around(ends, self.radius * longest_axis(world_from_own))
    }

    /// The same between other ends.
    ///
    /// # Errors
    /// As [`Cylinder::placed`].
    pub(crate) fn between(&self, ends: [DVec3; 2]) -> Result<Self, Error> {
        Self::between_points(ends, self.radius)
    }

    /// The centre of the first end, metres.
    #[must_use]
    pub fn a(&self) -> Vec3 {
        self.a.as_vec3()
    }

    /// The centre of the second end, metres.
    #[must_use]
    pub fn b(&self) -> Vec3 {
        self.b.as_vec3()
    }

    /// The radius, metres.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// A box of f32 around the cylinder: the smallest but for a rounding where the axis slants.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let [min, max] = [self.a.min(self.b), self.a.max(self.b)];
        let reach = disc_reach(self.b - self.a, self.radius);
        let up = |center: DVec3| {
            Vec3::from_array([0, 1, 2].map(|i: usize| rounded_up(center[i], reach[i])))
        };
        // Adding zero turns -0 into +0.
        Aabb::from_ordered(-up(-min) + Vec3::ZERO, up(max))
    }

    /// Whether `point` belongs to the closed cylinder, exactly. A point that is not finite does not.
    #[must_use]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        point.is_finite() && self.compare(point.as_dvec3()).is_le()
    }

    /// The centres of the ends that every query means.
    pub(crate) fn segment(&self) -> [DVec3; 2] {
        [self.a, self.b]
    }

    /// Whether a point is strictly inside (`Less`), on the surface or outside, exactly.
    pub(crate) fn compare(&self, point: DVec3) -> Ordering {
        let [from, to] = self.segment();
        let line = [from, to];
        let limit = [self.radius, 0.0];
        let beyond_a = sign(&Along { point, from, to }).reverse();
        let beyond_b = sign(&Along {
            point,
            from: to,
            to: from,
        })
        .reverse();
        let beyond_side = sign(&LineBeyond { point, line, limit });
        beyond_a.max(beyond_b).max(beyond_side)
    }
}

/// How far a disc across an axis reaches along x, y and z, no less than exactly.
pub(crate) fn disc_reach(axis: DVec3, radius: f64) -> DVec3 {
    let scaled = axis / axis.abs().max_element();
    let squares = scaled * scaled;
    let whole = squares.x + squares.y + squares.z;
    let across = [
        squares.y + squares.z,
        squares.z + squares.x,
        squares.x + squares.y,
    ];
    DVec3::from_array(across.map(|across| {
        if across == whole {
            radius
        } else if across == 0.0 {
            0.0
        } else {
            radius * (across / whole).sqrt() * (1.0 + 8.0 * f64::EPSILON)
        }
    }))
    .min(DVec3::splat(radius))
}

/// A unit vector across an axis of unit length.
pub(crate) fn across(axis: DVec3) -> DVec3 {
    let size = axis.abs();
    let smallest = (0..3).fold(0, |min, i| if size[i] < size[min] { i } else { min });
    let across = axis.cross(DVec3::AXES[smallest]);
    across / across.length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_are_refused() {
        let make = |b: [f32; 3], radius| Cylinder::new([0.0; 3], b, radius);
        for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-50, 1e19] {
            let made = make([1.0; 3], radius);
            assert!(matches!(made, Err(Error::BadValue { .. })), "{radius}");
        }
        assert!(matches!(make([0.0; 3], 1.0), Err(Error::BadValue { .. })));
        assert!(matches!(
            make([0.0, f32::NAN, 0.0], 1.0),
            Err(Error::NotFinite { .. })
        ));
        assert!(matches!(
            make([0.0, 2e18, 0.0], 1.0),
            Err(Error::OutOfRange { .. })
        ));
        let barrel = make([0.0, 1.0, 0.0], 1.0).unwrap();
        let flat = DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0));
        assert!(barrel.placed(&flat).is_err());
        let wide = DAffine3::from_scale(DVec3::new(1.0, 2.0, -3.0));
        let placed = barrel.placed(&wide).unwrap();
        assert_eq!(placed, make([0.0, 2.0, 0.0], 3.0).unwrap());
    }

    #[test]
    fn the_surface_belongs_to_it() {
        let barrel = Cylinder::new([0.0; 3], [4.0, 0.0, 0.0], 5.0).unwrap();
        for (point, expected) in [
            ([2.0, 3.0, 4.0], true),
            ([2.0, 3.0, 4.0000005], false),
            ([0.0, 4.0, 3.0], true),
            ([-1e-45, 0.0, 0.0], false),
            ([4.0, 0.0, 0.0], true),
            ([4.0000005, 0.0, 0.0], false),
            ([2.0, 0.0, f32::INFINITY], false),
        ] {
            assert_eq!(barrel.contains(point), expected, "{point:?}");
        }
        let bounds = Aabb::new([0.0, -5.0, -5.0], [4.0, 5.0, 5.0]).unwrap();
        assert_eq!(barrel.bounds(), bounds);
        let slanted = Cylinder::new([0.0; 3], [3.0, 4.0, 0.0], 5.0).unwrap();
        let bounds = slanted.bounds();
        assert!((bounds.min().x + 4.0).abs() < 1e-6 && bounds.min().x <= -4.0);
        assert!((bounds.max().y - 7.0).abs() < 1e-6 && bounds.max().y >= 7.0);
        assert_eq!(bounds.max().z, 5.0);
    }
}
