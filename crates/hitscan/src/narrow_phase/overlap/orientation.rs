//! On which side: exact orientation of points in space and in the coordinate planes.
//!
//! Formulas that several files use; one that a single file needs is in that file.

use crate::exact::adaptive::{Formula, Number, between, cross, dot, sign};
use core::cmp::Ordering;
use glam::DVec3;

/// `(b - a) × (c - a) · (point - a)`: greater than zero on the side to which the normal points.
pub(super) struct PlaneSide<'a> {
    pub(super) plane: &'a [DVec3; 3],
    pub(super) point: DVec3,
}

impl Formula for PlaneSide<'_> {
    fn value<N: Number>(&self) -> N {
        let [a, b, c] = *self.plane;
        let normal: [N; 3] = cross(&between(a, b), &between(a, c));
        dot(&normal, &between(a, self.point))
    }
}

/// On which side of the plane of `plane` the point lies.
pub(super) fn plane_side(plane: &[DVec3; 3], point: DVec3) -> Ordering {
    sign(&PlaneSide { plane, point })
}

/// The coordinate plane that is left when an axis is dropped, as its first and second axis.
///
/// Its turn has the sign of the normal's component along the dropped axis.
pub(super) fn flattened(dropped: usize) -> (usize, usize) {
    ((dropped + 1) % 3, (dropped + 2) % 3)
}

/// `(q - p) × (r - p)` in the coordinate plane.
struct Turn {
    points: [[f64; 2]; 3],
}

impl Formula for Turn {
    fn value<N: Number>(&self) -> N {
        let [p, q, r] = self.points;
        let left = N::difference(q[0], p[0]).times(&N::difference(r[1], p[1]));
        let right = N::difference(q[1], p[1]).times(&N::difference(r[0], p[0]));
        left.minus(&right)
    }
}

/// Whether `p, q, r` turn left (greater), right (less) or not when the axis is dropped.
pub(super) fn turn(dropped: usize, p: DVec3, q: DVec3, r: DVec3) -> Ordering {
    let (i, j) = flattened(dropped);
    let points = [p, q, r].map(|point| [point[i], point[j]]);
    sign(&Turn { points })
}

/// An axis along which the triangle can be flattened without losing its area, and its turn then;
/// `None` for a triangle without area.
pub(super) fn flattening(triangle: &[DVec3; 3]) -> Option<(usize, Ordering)> {
    let [a, b, c] = *triangle;
    (0..3)
        .map(|axis| (axis, turn(axis, a, b, c)))
        .find(|(_, turn)| turn.is_ne())
}

/// `side`, as seen by someone for whom `unit` is the positive side. `unit` is not zero.
pub(super) fn relative(side: Ordering, unit: Ordering) -> Ordering {
    if unit.is_lt() { side.reverse() } else { side }
}

/// The smallest and the largest coordinates of the triangle.
pub(super) fn bounds(triangle: &[DVec3; 3]) -> (DVec3, DVec3) {
    let [a, b, c] = *triangle;
    (a.min(b).min(c), a.max(b).max(c))
}

/// The three edges in order, each with the corner across.
pub(super) fn edges(triangle: &[DVec3; 3]) -> [[DVec3; 3]; 3] {
    let [a, b, c] = *triangle;
    [[a, b, c], [b, c, a], [c, a, b]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normals_side_is_greater() {
        let plane = [DVec3::ZERO, DVec3::X, DVec3::Y];
        assert_eq!(plane_side(&plane, DVec3::Z), Ordering::Greater);
        assert_eq!(plane_side(&plane, DVec3::NEG_Z), Ordering::Less);
        assert_eq!(
            plane_side(&plane, DVec3::new(7.0, 0.1, 0.0)),
            Ordering::Equal
        );
        assert_eq!(flattening(&plane), Some((2, Ordering::Greater)));
    }

    #[test]
    fn three_points_in_line_have_no_area() {
        let line = [1.0, 2.0, 5.0].map(|t| DVec3::new(0.5, 3.0, -0.25) * t);
        assert_eq!(flattening(&line), None);
        // A corner off by one unit in the last place gives the triangle an area.
        let mut bent = line;
        bent[1].x = bent[1].x.next_up();
        assert!(flattening(&bent).is_some());
    }
}
