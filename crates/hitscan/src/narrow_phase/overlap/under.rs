//! A point straight below a triangle, decided exactly.

use super::orientation::{edges, plane_side, turn};
use core::cmp::Ordering;
use glam::DVec3;

/// Whether the vertical line upwards from `point`, the point itself excluded, has a point of the closed
/// triangle. A triangle that has no area seen from above is over nothing.
pub(crate) fn is_under(point: DVec3, triangle: &[DVec3; 3]) -> bool {
    /// The axis that is dropped.
    const Y: usize = 1;
    let [a, b, c] = *triangle;
    let own_turn = turn(Y, a, b, c);
    own_turn != Ordering::Equal
        && edges(triangle)
            .iter()
            .all(|[p, q, _]| turn(Y, *p, *q, point) != own_turn.reverse())
        && plane_side(triangle, point) == own_turn.reverse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_belong_to_the_triangle_and_its_plane_does_not() {
        // From above: (0, 0), (4, 0), (0, 4); it rises by x.
        let [a, b, c] = [[0.0, 1.0, 0.0], [0.0, 1.0, 4.0], [4.0, 5.0, 0.0]].map(DVec3::from);
        for triangle in [[a, b, c], [c, b, a]] {
            let under = |x, y, z| is_under(DVec3::new(x, y, z), &triangle);
            assert!(under(1.0, 1.5, 1.0) && !under(1.0, 2.0, 1.0) && !under(1.0, 2.5, 1.0));
            assert!(under(0.0, 0.0, 0.0) && under(2.0, 0.0, 2.0) && under(4.0, 4.5, 0.0));
            assert!(!under(2.0, 0.0, 2.0_f64.next_up()) && !under(-f64::MIN_POSITIVE, 0.0, 1.0));
            assert!(under(1.0, 2.0_f64.next_down(), 1.0));
        }
        let upright = [DVec3::ZERO, DVec3::X, DVec3::new(0.5, 1.0, 0.0)];
        assert!(!is_under(DVec3::new(0.5, -1.0, 0.0), &upright));
    }
}
