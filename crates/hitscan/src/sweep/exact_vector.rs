//! Vectors of exact numbers: the one product that box, sphere and triangle share.

use crate::exact::Expansion;

/// The scalar product of two vectors.
pub(super) fn dot(a: &[Expansion; 3], b: &[Expansion; 3]) -> Expansion {
    let [x, y, z] = [0, 1, 2].map(|i: usize| a[i].times(&b[i]));
    x.plus(&y).plus(&z)
}
