//! Bounds of a point's distance from a triangle in f64, for most triangles that a search finds.
//!
//! A point of the triangle is an upper bound; the height of the lowest corner along any direction
//! is a lower bound. How the point and the direction were found does not matter to either.

use crate::exact::expansion::UNIT_ROUNDOFF;
use glam::DVec3;

/// By how many units of roundoff of the farthest corner's largest coordinate a bound may be off.
///
/// Corners relative to the point err by one unit of a coordinate. A weighted mean of them takes
/// three products and two sums a coordinate, with weights whose sum is 1 but for 4 units, and a
/// length 4 more: no more than 12 units of a coordinate, times the root of three. A scalar product
/// with a direction, divided by its length, errs by at most 3 + 4 units of the root of three times
/// a coordinate, times the root of three. 64 is more than either with the corners' own error.
const ERROR: f64 = 64.0 * UNIT_ROUNDOFF;

/// The sine of an angle from which on a triangle certainly has an area: its computed normal errs by
/// less than 16 units of its edges' product.
const MIN_SINE: f64 = 1024.0 * UNIT_ROUNDOFF;

/// Squares below this may have lost bits to underflow.
const MIN_SQUARE: f64 = 1e-250;

/// Bounds of the distance, or `None` for a triangle that may have no area or is too small to say.
#[inline]
pub(super) fn enclosure(point: DVec3, corners: &[DVec3; 3]) -> Option<(f64, f64)> {
    let (ab, ac) = (corners[1] - corners[0], corners[2] - corners[0]);
    let [a, b, c] = corners.map(|corner| corner - point);
    let normal = ab.cross(ac);
    let square = normal.dot(normal);
    let (bb, cc) = (ab.dot(ab), ac.dot(ac));
    if !(square > MIN_SINE * MIN_SINE * bb * cc && square > MIN_SQUARE) {
        return None;
    }
    let size = a.abs().max(b.abs()).max(c.abs()).max_element();
    let (witness, is_face) = nearest_point(a, b, c, (ab, ac));
    let high = witness.dot(witness).sqrt();
    let mut low = min_height(witness, [a, b, c]);
    if is_face {
        let toward = if a.dot(normal) < 0.0 { -normal } else { normal };
        low = low.max(min_height(toward, [a, b, c]));
    }
    let error = ERROR * size;
    let (low, high) = ((low - error).max(0.0), high + error);
    // What is not a number bounds nothing.
    (low <= high).then_some((low, high))
}

/// The height of the lowest corner along a direction; 0 for a direction without length.
#[inline]
fn min_height(direction: DVec3, corners: [DVec3; 3]) -> f64 {
    let square = direction.dot(direction);
    if square < MIN_SQUARE {
        return 0.0;
    }
    let [a, b, c] = corners.map(|corner| corner.dot(direction));
    a.min(b).min(c) / square.sqrt()
}

/// A point of the triangle, near the one that is nearest to 0, and whether it is inside.
#[inline]
fn nearest_point(a: DVec3, b: DVec3, c: DVec3, (ab, ac): (DVec3, DVec3)) -> (DVec3, bool) {
    let (a_b, a_c) = (-ab.dot(a), -ac.dot(a));
    if a_b <= 0.0 && a_c <= 0.0 {
        return (a, false);
    }
    let (b_b, b_c) = (-ab.dot(b), -ac.dot(b));
    if b_b >= 0.0 && b_c <= b_b {
        return (b, false);
    }
    let (c_b, c_c) = (-ab.dot(c), -ac.dot(c));
    if c_c >= 0.0 && c_b <= c_c {
        return (c, false);
    }
    let between = |p: DVec3, q: DVec3, weight: f64| {
        let weight = weight.clamp(0.0, 1.0);
        (p * (1.0 - weight) + q * weight, false)
    };
    let of_c = a_b * b_c - b_b * a_c;
    if of_c <= 0.0 && a_b >= 0.0 && b_b <= 0.0 {
        return between(a, b, a_b / (a_b - b_b));
    }
    let of_b = c_b * a_c - a_b * c_c;
    if of_b <= 0.0 && a_c >= 0.0 && c_c <= 0.0 {
        return between(a, c, a_c / (a_c - c_c));
    }
    let of_a = b_b * c_c - c_b * b_c;
    let (from_b, from_c) = (b_c - b_b, c_b - c_c);
    if of_a <= 0.0 && from_b >= 0.0 && from_c >= 0.0 {
        return between(b, c, from_b / (from_b + from_c));
    }
    // No weight is negative, whatever rounding has done.
    let [of_a, of_b, of_c] = [of_a, of_b, of_c].map(|weight| weight.max(0.0));
    let sum = of_a + of_b + of_c;
    (a * (of_a / sum) + b * (of_b / sum) + c * (of_c / sum), true)
}
