//! Vectors of exact numbers.

use super::expansion::{Expansion, product_without_rounding, sum_without_rounding};
use glam::DVec3;

/// `p - q`, exactly.
pub(crate) fn difference(p: DVec3, q: DVec3) -> [Expansion; 3] {
    [0, 1, 2].map(|axis| Expansion::from_difference(p[axis], q[axis]))
}

/// The cross product of two vectors.
pub(crate) fn cross_product(p: &[Expansion; 3], q: &[Expansion; 3]) -> [Expansion; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| p[j].times(&q[k]).minus(&p[k].times(&q[j])))
}

/// The scalar product of two vectors.
pub(crate) fn dot(p: &[Expansion; 3], q: &[Expansion; 3]) -> Expansion {
    let [x, y, z] = [0, 1, 2].map(|axis: usize| p[axis].times(&q[axis]));
    x.plus(&y).plus(&z)
}

/// `direction · ((p - origin) × (q - origin))`, `None` if a step would round. Numbers of few digits do
/// not.
pub(crate) fn triple_product_without_rounding(
    direction: DVec3,
    origin: DVec3,
    [p, q]: [DVec3; 2],
) -> Option<f64> {
    let from_origin = |point: DVec3| -> Option<[f64; 3]> {
        let [x, y, z] = [0, 1, 2].map(|axis| sum_without_rounding(point[axis], -origin[axis]));
        Some([x?, y?, z?])
    };
    let (p, q) = (from_origin(p)?, from_origin(q)?);
    let mut sum = 0.0;
    for (axis, (j, k)) in [(1, 2), (2, 0), (0, 1)].into_iter().enumerate() {
        // A zero direction component adds nothing, so its cross product need not be representable.
        if direction[axis] == 0.0 {
            continue;
        }
        let one = product_without_rounding(p[j], q[k])?;
        let other = product_without_rounding(p[k], q[j])?;
        let component = sum_without_rounding(one, -other)?;
        let term = product_without_rounding(component, direction[axis])?;
        sum = sum_without_rounding(sum, term)?;
    }
    Some(sum)
}
