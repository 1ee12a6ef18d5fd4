//! The hull of points that have no volume: a polygon, a segment or a point.
//!
//! Source: Andrew, "Another Efficient Algorithm for Convex Hulls in Two Dimensions", Information Processing
//! Letters 9, 1979, for the polygon.

use super::predicates::{compare_points, normal_signs};
use crate::exact::adaptive::{Formula, Number, sign};
use crate::sorting::{ordered_bits, sort_by_rank};
use core::cmp::Ordering;
use glam::{DVec2, DVec3};

/// The corners of points in the plane of three of them, which are not on one line: counter-clockwise seen
/// from the side to which the plane's positive normal points.
pub(super) fn polygon(points: &[DVec3], plane: [DVec3; 3]) -> Vec<u32> {
    let signs = normal_signs(plane);
    // Seen along an axis along which the plane has an extent: the one along which it has most of it is
    // the most accurate.
    let [a, b, c] = plane;
    let size = (b - a).cross(c - a).abs();
    let is_seen = |axis: &usize| signs[*axis].is_ne();
    let axis = (0..3)
        .filter(is_seen)
        .reduce(|best, next| if size[next] > size[best] { next } else { best });
    let axis = axis.unwrap_or(0);
    let flat = |point: DVec3| DVec2::new(point[(axis + 1) % 3], point[(axis + 2) % 3]);
    let mut order: Vec<u32> = (0..).take(points.len()).collect();
    sort_by_rank(&mut order, |point| {
        let place = flat(points[*point as usize]);
        [ordered_bits(place.x), ordered_bits(place.y), 0]
    });
    let at = |point: u32| flat(points[point as usize]);
    let mut ring = chain(order.iter().copied(), &at);
    let mut back = chain(order.iter().rev().copied(), &at);
    // Each chain's end is the other's beginning.
    ring.pop();
    back.pop();
    ring.append(&mut back);
    // Seen along the axis they go counter-clockwise, so that their normal's part along it is positive.
    let first = signs.into_iter().find(|sign| sign.is_ne());
    if first != Some(signs[axis]) {
        ring.reverse();
    }
    ring
}

/// The corners to the right of which there are no points, from the first to the last.
fn chain(points: impl Iterator<Item = u32>, at: &dyn Fn(u32) -> DVec2) -> Vec<u32> {
    let mut chain: Vec<u32> = Vec::new();
    for point in points {
        while let [.., before, last] = chain[..] {
            if turn([before, last, point].map(at)).is_gt() {
                break;
            }
            chain.pop();
        }
        let is_new = chain.last().is_none_or(|last| at(*last) != at(point));
        if is_new {
            chain.push(point);
        }
    }
    chain
}

/// Whether three points turn left (`Greater`), right, or not.
fn turn(points: [DVec2; 3]) -> Ordering {
    sign(&Turn(points))
}

struct Turn([DVec2; 3]);

impl Formula for Turn {
    fn value<N: Number>(&self) -> N {
        let [a, b, c] = self.0;
        let way =
            |from: DVec2, to: DVec2| [N::difference(to.x, from.x), N::difference(to.y, from.y)];
        let (u, v) = (way(a, b), way(a, c));
        u[0].times(&v[1]).minus(&u[1].times(&v[0]))
    }
}

/// The ends of points on one line.
pub(super) fn ends(points: &[DVec3]) -> [u32; 2] {
    let mut ends = [0, 0];
    for (place, point) in (0..).zip(points) {
        if compare_points(*point, points[ends[0] as usize]).is_lt() {
            ends[0] = place;
        }
        if compare_points(*point, points[ends[1] as usize]).is_gt() {
            ends[1] = place;
        }
    }
    ends
}
