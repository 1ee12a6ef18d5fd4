//! Axis-aligned boxes: overlap, intersection and the ray against a solid box.
//!
//! Boxes are closed: faces, edges and corners belong to them.

use crate::Error;
use glam::{DVec3, Vec3};

/// The largest coordinate, in metres, that shapes accept.
///
/// It keeps products of several coordinates well inside f64 and bounds inside f32.
pub(crate) const MAX_COORDINATE: f32 = 1e18;

/// The largest radius, metres. It is an f64, and 1e18 is no f32.
pub(crate) const MAX_RADIUS: f64 = 1e18;

/// An axis-aligned box from `min` to `max`, solid, faces included. It may be flat.
///
/// ```
/// use hitscan::Aabb;
/// let a = Aabb::new([0.0; 3], [2.0; 3])?;
/// let b = Aabb::new([1.0, 1.0, 2.0], [3.0; 3])?;
/// assert!(a.touches(&b) && !a.overlaps(&b));
/// assert_eq!(a.intersection(&b), Some(Aabb::new([1.0, 1.0, 2.0], [2.0; 3])?));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    min: Vec3,
    max: Vec3,
}

impl Aabb {
    /// The box from `min` to `max`, metres.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN or infinity, [`Error::OutOfRange`] beyond ±1e18,
    /// [`Error::Reversed`] where `min > max` on an axis.
    pub fn new(min: impl Into<Vec3>, max: impl Into<Vec3>) -> Result<Self, Error> {
        let (min, max) = (min.into(), max.into());
        check_coordinates("box corner", &[min, max])?;
        for axis in 0..3 {
            if min[axis] > max[axis] {
                let (min, max) = (f64::from(min[axis]), f64::from(max[axis]));
                return Err(Error::Reversed {
                    what: "box",
                    min,
                    max,
                });
            }
        }
        Ok(Self { min, max })
    }

    /// The smallest box around `points`, metres.
    ///
    /// # Errors
    /// [`Error::WrongLength`] without points, else as [`Aabb::new`].
    pub fn from_points<P: Into<Vec3>>(points: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        let mut found: Option<(Vec3, Vec3)> = None;
        for (index, point) in points.into_iter().enumerate() {
            let point = point.into();
            check_coordinate("point of a box", index, point)?;
            let (min, max) = found.unwrap_or((point, point));
            found = Some((min.min(point), max.max(point)));
        }
        let found = found.map(|(min, max)| Self { min, max });
        found.ok_or(Error::WrongLength {
            what: "points of a box",
            expected: 1,
            found: 0,
        })
    }

    /// The box between corners that are known to be finite and ordered.
    pub(crate) const fn from_ordered(min: Vec3, max: Vec3) -> Self {
        Self { min, max }
    }

    /// The smallest box around `points`, or `None` without points.
    pub(crate) fn around(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        let (min, max) = points.fold((first, first), |(min, max), p| (min.min(p), max.max(p)));
        Some(Self { min, max })
    }

    /// The smallest box of f32 around points in f64.
    pub(crate) fn around_f64(points: impl IntoIterator<Item = DVec3>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        let (min, max) = points.fold((first, first), |(min, max), p| (min.min(p), max.max(p)));
        Some(Self {
            min: Vec3::from_array(min.to_array().map(rounded_down)),
            max: Vec3::from_array(max.to_array().map(rounded_up)),
        })
    }

    /// The corner with the smallest coordinates.
    #[must_use]
    pub fn min(&self) -> Vec3 {
        self.min
    }

    /// The corner with the largest coordinates.
    #[must_use]
    pub fn max(&self) -> Vec3 {
        self.max
    }

    /// The middle, rounded to f32.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        ((self.min.as_dvec3() + self.max.as_dvec3()) * 0.5).as_vec3()
    }

    /// Half of the extent along each axis, rounded to f32.
    #[must_use]
    pub fn half_size(&self) -> Vec3 {
        ((self.max.as_dvec3() - self.min.as_dvec3()) * 0.5).as_vec3()
    }

    /// The corners, metres, exactly. Bit `i` of a corner's index is set where it lies at the upper end
    /// of axis `i`, as in [`Obb::corners`](crate::Obb::corners): 0 is [`Aabb::min`], 7 is [`Aabb::max`],
    /// and the corners of an edge differ in one bit.
    ///
    /// ```
    /// use hitscan::{Aabb, glam::Vec3};
    /// let corners = Aabb::new([0.0; 3], [1.0, 2.0, 3.0])?.corners();
    /// assert_eq!(corners[0b001], Vec3::new(1.0, 0.0, 0.0));
    /// assert_eq!(corners[0b110], Vec3::new(0.0, 2.0, 3.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        self.wide_corners().map(DVec3::as_vec3)
    }

    /// The corners in f64.
    pub(crate) fn wide_corners(&self) -> [DVec3; 8] {
        corners_between([self.min.as_dvec3(), self.max.as_dvec3()])
    }

    /// The box moved by `motion`, metres, its corners rounded to f32.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::OutOfRange`] where a corner ends beyond ±1e18.
    pub fn translated(&self, motion: impl Into<Vec3>) -> Result<Self, Error> {
        let motion = motion.into();
        Self::new(self.min + motion, self.max + motion)
    }

    /// The box with each face moved outward by `margin`, metres, or inward by a negative one.
    ///
    /// # Errors
    /// As [`Aabb::new`]: [`Error::Reversed`] where nothing is left of the box.
    pub fn grown(&self, margin: f32) -> Result<Self, Error> {
        Self::new(self.min - margin, self.max + margin)
    }

    /// The box that ends at the next f32 outward.
    pub(crate) fn widened(&self) -> Self {
        let down = |end: Vec3| Vec3::from_array(end.to_array().map(f32::next_down));
        Self {
            min: down(self.min),
            max: -down(-self.max),
        }
    }

    /// Whether the closed boxes share a point.
    #[must_use]
    pub fn touches(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// Whether `min_a < max_b` and `min_b < max_a` on every axis, so that touching is not enough.
    ///
    /// A flat box strictly inside another overlaps it.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.min[axis] < other.max[axis] && other.min[axis] < self.max[axis])
    }

    /// The box that both share, flat where they only touch; `None` where they are apart.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        self.touches(other).then(|| Self {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        })
    }

    /// Whether `point` belongs to the closed box.
    #[must_use]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        (0..3).all(|axis| self.min[axis] <= point[axis] && point[axis] <= self.max[axis])
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

/// The corners of the box from one end to the other, in the order of [`Aabb::corners`].
pub(crate) fn corners_between(ends: [DVec3; 2]) -> [DVec3; 8] {
    core::array::from_fn(|corner| {
        let end = |axis: usize| ends[corner >> axis & 1][axis];
        DVec3::new(end(0), end(1), end(2))
    })
}

/// The smallest f32 that is no less than `x`.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "stepped up where it is less"
)]
fn rounded_up(x: f64) -> f32 {
    let rounded = x as f32;
    stepped_up_if(f64::from(rounded) < x, rounded)
}

/// The largest f32 that is no more than `x`.
#[inline]
fn rounded_down(x: f64) -> f32 {
    -rounded_up(-x)
}

/// The next larger f32, if so. No branch depends on it, as the way that a rounding goes cannot be predicted.
///
/// A number that is to be stepped up is not -0.
#[inline]
pub(super) fn stepped_up_if(is_stepped: bool, x: f32) -> f32 {
    let bits = x.to_bits().cast_signed();
    // The next bits from zero on, and towards it below: those of the next number.
    let step = i32::from(is_stepped) * (1 | bits >> 31);
    f32::from_bits((bits + step).cast_unsigned())
}

/// Refuses coordinates that are not finite or beyond [`MAX_COORDINATE`].
pub(crate) fn check_coordinates(what: &'static str, points: &[Vec3]) -> Result<(), Error> {
    for (index, point) in points.iter().enumerate() {
        check_coordinate(what, index, *point)?;
    }
    Ok(())
}

#[inline]
fn check_coordinate(what: &'static str, index: usize, point: Vec3) -> Result<(), Error> {
    // NaN is not within the range.
    if point.abs().cmple(Vec3::splat(MAX_COORDINATE)).all() {
        return Ok(());
    }
    bad_coordinate(what, index, point)
}

#[cold]
fn bad_coordinate(what: &'static str, index: usize, point: Vec3) -> Result<(), Error> {
    for x in point.to_array() {
        if !x.is_finite() {
            return Err(Error::NotFinite {
                what,
                found: f64::from(x),
            });
        }
        if x.abs() > MAX_COORDINATE {
            let (found, limit) = (f64::from(x), f64::from(MAX_COORDINATE));
            return Err(Error::OutOfRange {
                what,
                index,
                found,
                limit,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_made_of_points_and_moved() {
        let points = [[1.0, 5.0, -2.0], [3.0, 4.0, 0.0], [2.0, 6.0, -1.0]];
        let found = Aabb::from_points(points).unwrap();
        assert_eq!(found, Aabb::new([1.0, 4.0, -2.0], [3.0, 6.0, 0.0]).unwrap());
        assert_eq!(found.center(), Vec3::new(2.0, 5.0, -1.0));
        assert_eq!(found.half_size(), Vec3::ONE);
        let moved = found.translated([1.0, 0.0, 2.0]).unwrap();
        assert_eq!(moved, Aabb::new([2.0, 4.0, 0.0], [4.0, 6.0, 2.0]).unwrap());
        let grown = found.grown(0.5).unwrap();
        assert_eq!(grown.half_size(), Vec3::splat(1.5));
        assert_eq!(grown.grown(-0.5).unwrap(), found);
        assert!(matches!(found.grown(-2.0), Err(Error::Reversed { .. })));
    }

    #[test]
    fn points_are_refused_by_their_index() {
        let none: [Vec3; 0] = [];
        assert!(matches!(
            Aabb::from_points(none),
            Err(Error::WrongLength { .. })
        ));
        let far = [Vec3::ZERO, Vec3::splat(2e18)];
        let found = Aabb::from_points(far);
        assert!(matches!(found, Err(Error::OutOfRange { index: 1, .. })));
        let nan = Aabb::from_points([Vec3::NAN]);
        assert!(matches!(nan, Err(Error::NotFinite { .. })));
    }

    #[test]
    fn the_box_around_f64_is_the_smallest() {
        let mut rng = crate::test_rng::Rng(17);
        let ends = [
            0.0,
            -0.0,
            f64::from(f32::MAX) * 2.0,
            f64::NEG_INFINITY,
            f64::MIN_POSITIVE,
        ];
        let near = [
            1.0,
            f64::from(f32::MAX),
            f64::from(f32::MIN_POSITIVE),
            1e-45,
        ]
        .map(|x| [x, -x]);
        let near = near
            .into_iter()
            .flatten()
            .flat_map(|x| [x.next_down(), x, x.next_up()]);
        let random = (0..10_000)
            .map(|_| f64::from_bits(rng.next()))
            .filter(|x| !x.is_nan());
        for x in near.chain(ends).chain(random) {
            let found = Aabb::around_f64([DVec3::splat(x)]).unwrap();
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the rounding that is stepped"
            )]
            let rounded = x as f32;
            let low = if f64::from(rounded) > x {
                rounded.next_down()
            } else {
                rounded
            };
            let high = if f64::from(rounded) < x {
                rounded.next_up()
            } else {
                rounded
            };
            let bits = [found.min().x, found.max().x].map(f32::to_bits);
            assert_eq!(bits, [low, high].map(f32::to_bits), "{x:e}");
        }
    }
}
