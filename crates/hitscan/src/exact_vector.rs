//! Vectors of exact numbers.

use crate::exact::Expansion;
use glam::DVec3;

/// `p - q`, exactly.
pub(crate) fn difference(p: DVec3, q: DVec3) -> [Expansion; 3] {
    [0, 1, 2].map(|axis| Expansion::from_difference(p[axis], q[axis]))
}

/// The vector product of two vectors.
pub(crate) fn cross_product(p: &[Expansion; 3], q: &[Expansion; 3]) -> [Expansion; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| p[j].times(&q[k]).minus(&p[k].times(&q[j])))
}

/// The scalar product of two vectors.
pub(crate) fn dot(p: &[Expansion; 3], q: &[Expansion; 3]) -> Expansion {
    let [x, y, z] = [0, 1, 2].map(|axis: usize| p[axis].times(&q[axis]));
    x.plus(&y).plus(&z)
}
