//! Point on a terrain triangle, up to rounding, and the triangle's height there.

use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF, nearest_f32};
use crate::exact::vector::{cross_product, difference, dot};
use core::cmp::Ordering;
use glam::DVec3;

/// Bound on the error of the difference of two products of differences, in units of the sum of the
/// products' magnitudes: 3u of each product, and 1u of the difference.
const TURN_ERROR: f64 = 5.0 * UNIT_ROUNDOFF;

/// More than what underflow takes from such a difference: 2^-1075 from each of the two products.
const UNDERFLOW: f64 = 1e-300;

/// Whether a point's x and z lie under the closed triangle, which faces up, and its y is the f32, or
/// the f64, nearest to the triangle's exact height there.
pub(crate) fn is_on_ground(point: DVec3, corners: &[DVec3; 3]) -> bool {
    if !is_below_closed(point, corners) {
        return false;
    }
    let above = HeightAbove::new(point, corners);
    let rounded = nearest_f32(point.y);
    let is_nearest_f32 = f64::from(rounded) == point.y && {
        let [down, up] = [rounded.next_down(), rounded.next_up()];
        let is_even = rounded.to_bits().is_multiple_of(2);
        above.is_within(f64::from(down), f64::from(up), is_even)
    };
    is_nearest_f32 || above.is_nearest()
}

/// The exact height of a triangle, which faces up, above x and z, rounded to the nearest f64.
pub(crate) fn ground_height([x, z]: [f64; 2], corners: &[DVec3; 3]) -> f64 {
    let from_zero = HeightAbove::new(DVec3::new(x, 0.0, z), corners);
    // A few units of f64 away at most.
    let y = from_zero.above.to_f64() / from_zero.normal_y.to_f64();
    let mut point = DVec3::new(x, y, z);
    loop {
        let above = HeightAbove::new(point, corners);
        if above.is_nearest() {
            return point.y + 0.0;
        }
        point.y = if above.sign().is_gt() {
            point.y.next_up()
        } else {
            point.y.next_down()
        };
    }
}

/// Whether a point's x and z lie in the closed triangle, seen from above.
fn is_below_closed(point: DVec3, corners: &[DVec3; 3]) -> bool {
    (0..3).all(|k| turn(corners[k], corners[(k + 1) % 3], point).is_ge())
}

/// On which side of the line from `p` to `q` a point lies, seen from above: `Greater` on the side of
/// the triangle, whose corners go counter-clockwise.
fn turn(p: DVec3, q: DVec3, point: DVec3) -> Ordering {
    let left = (q.z - p.z) * (point.x - p.x);
    let right = (q.x - p.x) * (point.z - p.z);
    let value = left - right;
    if value.abs() > TURN_ERROR * (left.abs() + right.abs()) + UNDERFLOW {
        return value.total_cmp(&0.0);
    }
    let exact = Expansion::from_difference;
    let left = exact(q.z, p.z).times(&exact(point.x, p.x));
    left.minus(&exact(q.x, p.x).times(&exact(point.z, p.z)))
        .sign()
}

/// How far a triangle's plane is above a point: the quotient of both numbers, the lower one positive.
struct HeightAbove {
    y: f64,
    above: Expansion,
    normal_y: Expansion,
}

impl HeightAbove {
    fn new(point: DVec3, corners: &[DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        let normal = cross_product(&difference(*b, *a), &difference(*c, *a));
        let above = dot(&normal, &difference(*a, point));
        let [_, normal_y, _] = normal;
        Self {
            y: point.y,
            above,
            normal_y,
        }
    }

    fn sign(&self) -> Ordering {
        self.above.sign()
    }

    /// Whether the point's y is the f64 nearest to the plane's.
    fn is_nearest(&self) -> bool {
        let is_even = self.y.to_bits().is_multiple_of(2);
        self.is_within(self.y.next_down(), self.y.next_up(), is_even)
    }

    /// Whether the plane's y is nearer to the point's than to `down` and `up`; as near, if `is_even`.
    fn is_within(&self, down: f64, up: f64, is_even: bool) -> bool {
        let two = Expansion::from_f64(2.0);
        let against = |neighbour: f64| {
            let gap = Expansion::from_difference(neighbour, self.y).times(&self.normal_y);
            two.times(&self.above).minus(&gap).sign()
        };
        let (above, below) = (against(up), against(down));
        if is_even {
            above.is_le() && below.is_ge()
        } else {
            above.is_lt() && below.is_gt()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle that faces up: y = 0.1 x, as rounded at its corners.
    fn slope() -> [DVec3; 3] {
        [
            DVec3::ZERO,
            DVec3::new(0.0, 0.0, 3.0),
            DVec3::new(3.0, 0.3, 0.0),
        ]
    }

    #[test]
    fn the_nearest_numbers_are_on_the_ground_and_no_others() {
        let corners = slope();
        let at = |x: f64, y: f64| DVec3::new(x, y, 1.0);
        let height = ground_height([1.0, 1.0], &corners);
        assert!(is_on_ground(at(1.0, height), &corners));
        assert!(!is_on_ground(at(1.0, height.next_up()), &corners));
        let rounded = nearest_f32(height);
        assert!(is_on_ground(at(1.0, f64::from(rounded)), &corners));
        for other in [rounded.next_up(), rounded.next_down()] {
            assert!(!is_on_ground(at(1.0, f64::from(other)), &corners));
        }
    }

    #[test]
    fn edges_belong_to_it_and_what_is_beyond_does_not() {
        let corners = slope();
        assert!(is_on_ground(DVec3::new(0.0, 0.0, 1.5), &corners));
        assert!(is_on_ground(corners[2], &corners));
        assert!(!is_on_ground(DVec3::new(-1.0, -0.1, 1.5), &corners));
    }
}
