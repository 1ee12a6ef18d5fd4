//! Capsules: all that lies within a radius of a segment.

use super::aabb::{MAX_RADIUS, check_coordinates};
use super::placing::{longest_axis, placed_point};
use super::sphere::bounds_around;
use crate::exact::adaptive::{Formula, Number, between, cross, dot, sign};
use crate::{Aabb, Error};
use core::cmp::Ordering;
use glam::{DAffine3, DVec3, Vec3};

/// A solid capsule: all points within `radius` of the segment from `a` to `b`.
///
/// Where `a` and `b` are the same it is a sphere.
///
/// ```
/// use hitscan::{Capsule, Ray};
/// let guard = Capsule::new([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.5)?;
/// let chest = Ray::new([-4.0, 1.0, 0.0], [1.0, 0.0, 0.0])?;
/// assert_eq!(guard.cast_ray(&chest, ()).unwrap().t, 3.5);
/// let above = Ray::new([-4.0, 2.0, 0.1], [1.0, 0.0, 0.0])?;
/// assert_eq!(guard.cast_ray(&above, ()), None);
/// assert!(guard.contains([0.3, 0.2, 0.0]));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    /// The ends: f32 each, but where a transform placed the capsule as a part of a compound.
    a: DVec3,
    b: DVec3,
    radius: f64,
}

/// The smallest radius: f32's smallest number. It keeps squares inside f64.
const MIN_RADIUS: f32 = f32::from_bits(1);

impl Capsule {
    /// The capsule around the segment from `a` to `b`, metres.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for an end that is not finite or beyond
    /// ±1e18, [`Error::BadValue`] for a radius below f32's smallest number (1.4e-45) or beyond
    /// 1e18.
    pub fn new(
        a: impl Into<Vec3>,
        b: impl Into<Vec3>,
        radius: impl Into<f64>,
    ) -> Result<Self, Error> {
        Self::checked(a.into(), b.into(), radius.into())
    }

    fn checked(a: Vec3, b: Vec3, radius: f64) -> Result<Self, Error> {
        check_coordinates("capsule end", &[a, b])?;
        Self::around([a, b].map(Vec3::as_dvec3), radius)
    }

    /// The capsule around a segment whose ends are in range.
    fn around([a, b]: [DVec3; 2], radius: f64) -> Result<Self, Error> {
        if !(radius >= f64::from(MIN_RADIUS) && radius <= MAX_RADIUS) {
            return Err(Error::BadValue {
                what: "capsule radius",
                expected: "positive (at least 1.4e-45) and at most 1e18",
                found: radius,
            });
        }
        Ok(Self { a, b, radius })
    }

    /// The capsule with ends and a radius that another has.
    pub(crate) fn of_checked([a, b]: [Vec3; 2], radius: f64) -> Self {
        let [a, b] = [a, b].map(Vec3::as_dvec3);
        Self { a, b, radius }
    }

    /// The capsule where a transform takes it: each end taken once, in f64, its radius multiplied by the
    /// longest image of a unit axis.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] for an end, [`Error::BadValue`] for the radius.
    pub(crate) fn placed(&self, world_from_own: &DAffine3) -> Result<Self, Error> {
        let ends = [
            placed_point(world_from_own, self.a)?,
            placed_point(world_from_own, self.b)?,
        ];
        Self::around(ends, self.radius * longest_axis(world_from_own))
    }

    /// The segment's first end, metres.
    #[must_use]
    pub fn a(&self) -> Vec3 {
        self.a.as_vec3()
    }

    /// The segment's second end, metres.
    #[must_use]
    pub fn b(&self) -> Vec3 {
        self.b.as_vec3()
    }

    /// The radius, metres.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The smallest box of f32 around the capsule.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let (min, max) = bounds_around(self.a.min(self.b), self.a.max(self.b), self.radius);
        Aabb::from_ordered(min, max)
    }

    /// Whether `point` belongs to the closed capsule, exactly. A point that is not finite does
    /// not.
    #[must_use]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        point.is_finite() && self.compare_distance(point.as_dvec3(), 0.0).is_le()
    }

    /// The segment that every query means.
    pub(crate) fn segment(&self) -> [DVec3; 2] {
        [self.a, self.b]
    }

    /// How the distance of a point from the segment compares with the radius and `more` together;
    /// their sum must not be negative.
    pub(crate) fn compare_distance(&self, point: DVec3, more: f64) -> Ordering {
        compare_point_segment(point, self.segment(), [self.radius, more])
    }
}

/// How a point's distance from a segment compares with the sum of two lengths, which must not be
/// negative.
pub(crate) fn compare_point_segment(point: DVec3, [p, q]: [DVec3; 2], limit: [f64; 2]) -> Ordering {
    let from_end = |end: DVec3| sign(&PointBeyond { point, end, limit });
    if sign(&Along {
        point,
        from: p,
        to: q,
    })
    .is_le()
    {
        from_end(p)
    } else if sign(&Along {
        point,
        from: q,
        to: p,
    })
    .is_le()
    {
        from_end(q)
    } else {
        let line = [p, q];
        sign(&LineBeyond { point, line, limit })
    }
}

/// How far a point is along a segment, times the segment's length.
pub(crate) struct Along {
    pub(crate) point: DVec3,
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
}

impl Formula for Along {
    fn value<N: Number>(&self) -> N {
        dot::<N>(
            &between(self.from, self.to),
            &between(self.from, self.point),
        )
    }
}

/// The squared distance of two points, less the squared sum of two lengths.
struct PointBeyond {
    point: DVec3,
    end: DVec3,
    limit: [f64; 2],
}

impl Formula for PointBeyond {
    fn value<N: Number>(&self) -> N {
        let offset: [N; 3] = between(self.end, self.point);
        dot(&offset, &offset).minus(&squared_sum(self.limit))
    }
}

/// The squared distance of a point from a line, less the squared sum of two lengths, both times
/// the squared length of the line's segment.
pub(crate) struct LineBeyond {
    pub(crate) point: DVec3,
    pub(crate) line: [DVec3; 2],
    pub(crate) limit: [f64; 2],
}

impl Formula for LineBeyond {
    fn value<N: Number>(&self) -> N {
        let [p, q] = self.line;
        let edge: [N; 3] = between(p, q);
        let moment = cross(&edge, &between(p, self.point));
        let limit = squared_sum::<N>(self.limit).times(&dot(&edge, &edge));
        dot(&moment, &moment).minus(&limit)
    }
}

/// The square of the sum of two lengths.
pub(crate) fn squared_sum<N: Number>([a, b]: [f64; 2]) -> N {
    let sum = N::difference(a, -b);
    sum.times(&sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_are_refused() {
        let make = |radius| Capsule::new([0.0; 3], [1.0; 3], radius);
        for radius in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-50] {
            assert!(
                matches!(make(radius), Err(Error::BadValue { .. })),
                "{radius}"
            );
        }
        assert!(matches!(
            Capsule::new([0.0; 3], [0.0, f32::NAN, 0.0], 1.0),
            Err(Error::NotFinite { .. })
        ));
        assert!(matches!(
            Capsule::new([0.0; 3], [0.0, 2e18, 0.0], 1.0),
            Err(Error::OutOfRange { .. })
        ));
    }

    #[test]
    fn the_surface_belongs_to_it() {
        let capsule = Capsule::new([0.0; 3], [4.0, 0.0, 0.0], 5.0).unwrap();
        for (point, expected) in [
            ([2.0, 3.0, 4.0], true),
            ([2.0, 3.0, 4.0000005], false),
            ([-3.0, 4.0, 0.0], true),
            ([-3.0000002, 4.0, 0.0], false),
            ([7.0, 0.0, 4.0], true),
            ([7.0, 0.0, f32::INFINITY], false),
        ] {
            assert_eq!(capsule.contains(point), expected, "{point:?}");
        }
        let bounds = Aabb::new([-5.0; 3], [9.0, 5.0, 5.0]).unwrap();
        assert_eq!(capsule.bounds(), bounds);
    }
}
