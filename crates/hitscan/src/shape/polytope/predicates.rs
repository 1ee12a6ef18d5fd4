//! On which side of a plane a point is, exactly: f64 with one bound a plane first.

use crate::exact::adaptive::{Approx, Formula, Number, between, cross, dot, sign};
use crate::exact::expansion::UNIT_ROUNDOFF;
use core::cmp::Ordering;
use glam::DVec3;

/// More than underflow takes from a product of three coordinates.
const UNDERFLOW: f64 = 1e-290;

/// The bound of a height in f64: a difference, two products and a difference make four units and a little
/// of the normal's magnitude, the way to the point one, its products one each and their sum two. Sixteen
/// leave room for the bound's own rounding.
const ROUNDING: f64 = 16.0 * UNIT_ROUNDOFF;

/// A bound on the error of the product of a direction whose components are off by `error`, and a way between
/// two corners, rounded, none of whose components is greater than `reach`: one unit from the way, one from each
/// product and two from the sum, and as much again.
#[inline]
pub(crate) fn height_error(direction: DVec3, error: f64, reach: f64) -> f64 {
    let sum = direction.x.abs() + direction.y.abs() + direction.z.abs();
    (8.0 * UNIT_ROUNDOFF * sum + 4.0 * error) * reach + UNDERFLOW
}

/// How far a way leads along a direction whose components are off by `error`, rounded.
#[inline]
pub(crate) fn height_along(direction: DVec3, error: f64, way: DVec3) -> Approx {
    Approx {
        value: direction.dot(way),
        error: height_error(direction, error, way.abs().max_element()),
    }
}

/// The plane of three points, seen from the side from which they go counter-clockwise.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    base: DVec3,
    normal: DVec3,
    /// Of each component of the normal the sum of its products' magnitudes.
    magnitude: DVec3,
}

impl Plane {
    pub(super) fn new([a, b, c]: [DVec3; 3]) -> Self {
        let (u, v) = (b - a, c - a);
        let component = |i: usize, j: usize| {
            let (plus, minus) = (u[i] * v[j], u[j] * v[i]);
            (plus - minus, plus.abs() + minus.abs())
        };
        let [x, y, z] = [component(1, 2), component(2, 0), component(0, 1)];
        Self {
            base: a,
            normal: DVec3::new(x.0, y.0, z.0),
            magnitude: DVec3::new(x.1, y.1, z.1),
        }
    }

    /// How high a point is over the plane, times the normal's length, and how far that may be off.
    #[inline]
    pub(super) fn height(&self, point: DVec3) -> (f64, f64) {
        let way = point - self.base;
        let bound = ROUNDING * self.magnitude.dot(way.abs()) + UNDERFLOW;
        (self.normal.dot(way), bound)
    }
}

/// On which side of the plane of three points another one is: `Greater` where they go counter-clockwise seen
/// from it.
#[inline]
pub(super) fn side(plane: &Plane, corners: [DVec3; 3], point: DVec3) -> Ordering {
    let (height, bound) = plane.height(point);
    if height > bound {
        Ordering::Greater
    } else if height < -bound {
        Ordering::Less
    } else {
        exact_side(corners, point)
    }
}

#[cold]
#[inline(never)]
fn exact_side(corners: [DVec3; 3], point: DVec3) -> Ordering {
    sign(&Height { corners, point })
}

/// Of a point over the plane of three others.
struct Height {
    corners: [DVec3; 3],
    point: DVec3,
}

impl Formula for Height {
    fn value<N: Number>(&self) -> N {
        let [a, b, c] = self.corners;
        dot(
            &cross(&between(a, b), &between(a, c)),
            &between(a, self.point),
        )
    }
}

/// A component of the normal of three points.
struct NormalComponent {
    corners: [DVec3; 3],
    axis: usize,
}

impl Formula for NormalComponent {
    fn value<N: Number>(&self) -> N {
        let [a, b, c] = self.corners;
        let [x, y, z]: [N; 3] = cross(&between(a, b), &between(a, c));
        match self.axis {
            0 => x,
            1 => y,
            _ => z,
        }
    }
}

/// The signs of the components of the normal of three points: all equal to 0 where these are on one line.
pub(super) fn normal_signs(corners: [DVec3; 3]) -> [Ordering; 3] {
    [0, 1, 2].map(|axis| sign(&NormalComponent { corners, axis }))
}

/// Whether three points are on one line.
pub(super) fn are_collinear(corners: [DVec3; 3]) -> bool {
    normal_signs(corners) == [Ordering::Equal; 3]
}

/// The order of points by x, then y, then z.
pub(super) fn compare_points(a: DVec3, b: DVec3) -> Ordering {
    let by = |axis: usize| a[axis].partial_cmp(&b[axis]).unwrap_or(Ordering::Equal);
    by(0).then(by(1)).then(by(2))
}
