//! The open segment between two points against a triangle, decided exactly on both points.

use super::on_ground::is_on_ground;
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF, nearest_f32, nearest_f32_quotient};
use crate::exact::vector::{cross_product, difference, dot};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use core::cmp::Ordering;
use glam::DVec3;

/// Bound on the error of a determinant of three differences, in units of its permanent: Shewchuk's
/// `o3derrboundA`, (7 + 56 u) u, rounded up.
const ERROR: f64 = 8.0 * UNIT_ROUNDOFF;

/// More than what underflow takes from such a determinant: 2^-1074, 5e-324, from each minor, times a difference
/// of coordinates, which for those of f32 is at most 7e38: three such terms are 1e-284.
const UNDERFLOW: f64 = 1e-280;

/// A t at which the segment surely has ended, where its direction is rounded once.
const END: f64 = 1.0 + 8.0 * UNIT_ROUNDOFF;

/// The open segment between two points: its ends do not belong to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SightLine {
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
}

impl SightLine {
    /// Whether both points are one.
    pub(crate) fn is_point(&self) -> bool {
        self.from == self.to
    }

    /// The segment with a rounded direction, for finding what may be in its way: along each axis it is
    /// off by 1u of its length there.
    pub(crate) fn ray(&self) -> LocalRay {
        LocalRay {
            origin: self.from,
            direction: self.to - self.from,
            t_min: 0.0,
            t_max: END,
        }
    }

    /// Whether the closed triangle has a point of the open segment, and not both lie in one plane.
    pub(crate) fn crosses(&self, corners: &[DVec3; 3]) -> bool {
        let from = side(self.from, *corners);
        if from.is_eq() || side(self.to, *corners) != from.reverse() {
            return false;
        }
        let mut sides = [false; 2];
        for k in 0..3 {
            let edge = [corners[(k + 1) % 3], corners[(k + 2) % 3]];
            match side(self.from, [self.to, edge[0], edge[1]]) {
                Ordering::Less => sides[0] = true,
                Ordering::Greater => sides[1] = true,
                Ordering::Equal => {}
            }
            if sides == [true; 2] {
                return false;
            }
        }
        true
    }

    /// As [`Self::crosses`], for a terrain's triangle: one on which an end of the segment is does not
    /// count.
    pub(crate) fn crosses_ground(&self, corners: &[DVec3; 3]) -> bool {
        self.crosses(corners)
            && !is_on_ground(self.from, corners)
            && !is_on_ground(self.to, corners)
    }

    /// The exact t at which the segment crosses a triangle, from 0 at its start to 1, rounded once.
    pub(crate) fn t_of(&self, corners: &[DVec3; 3]) -> f32 {
        let ends = [self.from, self.to].map(|end| determinant(end, *corners));
        let [(from, from_error), (to, to_error)] = ends.map(|(value, error)| (value.abs(), error));
        let quotient = |near: f64, far: f64| near / (near + far);
        let low = quotient((from - from_error).max(0.0), to + to_error) * (1.0 - ERROR);
        let high = quotient(from + from_error, (to - to_error).max(0.0)) * (1.0 + ERROR);
        if nearest_f32(low) == nearest_f32(high) {
            return nearest_f32(low);
        }
        let [from, to] = [self.from, self.to].map(|end| exact_determinant(end, corners));
        nearest_f32_quotient(&from, &from.minus(&to))
    }
}

/// Whether a point is exactly in the plane of a triangle.
pub(crate) fn is_in_plane(point: DVec3, corners: &[DVec3; 3]) -> bool {
    side(point, *corners).is_eq()
}

/// On which side of a triangle's plane a point lies; `Equal` for a triangle without area.
fn side(point: DVec3, corners: [DVec3; 3]) -> Ordering {
    let (value, error) = determinant(point, corners);
    if value.abs() > error {
        return value.total_cmp(&0.0);
    }
    // Two of four points are one: as where a terrain's sample is looked at.
    let [a, b, c] = corners;
    if corners.contains(&point) || a == b || b == c || c == a {
        return Ordering::Equal;
    }
    exact_determinant(point, &corners).sign()
}

/// The determinant of the ways from a point to three others, and a bound on its error.
#[inline]
fn determinant(point: DVec3, corners: [DVec3; 3]) -> (f64, f64) {
    let [a, b, c] = corners.map(|corner| corner - point);
    let minor = |p: DVec3, q: DVec3| {
        let (one, other) = (p.x * q.y, q.x * p.y);
        (one - other, one.abs() + other.abs())
    };
    let (of_a, of_b, of_c) = (minor(b, c), minor(c, a), minor(a, b));
    let value = a.z * of_a.0 + b.z * of_b.0 + c.z * of_c.0;
    let permanent = a.z.abs() * of_a.1 + b.z.abs() * of_b.1 + c.z.abs() * of_c.1;
    (value, ERROR * permanent + UNDERFLOW)
}

#[cold]
fn exact_determinant(point: DVec3, corners: &[DVec3; 3]) -> Expansion {
    let [a, b, c] = corners.map(|corner| difference(corner, point));
    dot(&cross_product(&a, &b), &c)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALL: [DVec3; 3] = [
        DVec3::ZERO,
        DVec3::new(0.0, 4.0, 0.0),
        DVec3::new(0.0, 0.0, 4.0),
    ];

    fn line(from: [f64; 3], to: [f64; 3]) -> SightLine {
        let [from, to] = [from, to].map(DVec3::from);
        SightLine { from, to }
    }

    #[test]
    fn edges_and_corners_block_and_ends_do_not() {
        for (from, to, blocks) in [
            ([-1.0, 1.0, 1.0], [3.0, 1.0, 1.0], true),
            ([3.0, 1.0, 1.0], [-1.0, 1.0, 1.0], true),
            // Through an edge, a corner, past it.
            ([-1.0, 2.0, 2.0], [1.0, 2.0, 2.0], true),
            ([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], true),
            ([-1.0, 2.0, 2.1], [1.0, 2.0, 2.1], false),
            // It ends there, ends before, or lies in the plane.
            ([-1.0, 1.0, 1.0], [0.0, 1.0, 1.0], false),
            ([0.0, 1.0, 1.0], [1.0, 1.0, 1.0], false),
            ([0.0, 1.0, -1.0], [0.0, 1.0, 3.0], false),
            ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], false),
        ] {
            assert_eq!(line(from, to).crosses(&WALL), blocks, "{from:?} {to:?}");
        }
        assert_eq!(line([-1.0, 1.0, 1.0], [3.0, 1.0, 1.0]).t_of(&WALL), 0.25);
    }
}
