//! When a part can keep its mesh in its own space, so that rays are brought there.

use glam::{DAffine3, DMat3};

/// The largest condition number of a transform through whose inverse rays are brought.
///
/// A point that goes through a computed inverse and back is off by a few `k² * 2^-53` of its
/// magnitude, k being the condition number: at 2^12 by some 2^-28, a tenth of an f32's spacing.
const MAX_CONDITION: f64 = 4096.0;

/// The range of a transform's Frobenius norm in which coordinates up to 1e18 m stay within f32's
/// range on both sides of it, and determinants far from the ends of f64's.
const NORM_RANGE: core::ops::RangeInclusive<f64> = 1e-12..=1e12;

/// Whether rays may be brought into the space that `outer_from_part` comes from.
///
/// Not so for a transform that flattens, or nearly does, or scales absurdly: such a part is better
/// queried with its corners moved out, each rounded once. Both ways answer the same question, so this
/// chooses the better conditioned of the two and decides no answer.
pub(crate) fn is_well_conditioned(outer_from_part: &DAffine3) -> bool {
    is_well_conditioned_by(outer_from_part, &outer_from_part.matrix3.inverse())
}

/// [`is_well_conditioned`], where the inverse of the matrix is at hand.
pub(crate) fn is_well_conditioned_by(outer_from_part: &DAffine3, inverse: &DMat3) -> bool {
    let norm = frobenius_norm(&outer_from_part.matrix3);
    // Without an inverse the product is infinite or NaN, and the comparison false.
    outer_from_part.translation.is_finite()
        && NORM_RANGE.contains(&norm)
        && norm * frobenius_norm(inverse) <= MAX_CONDITION
}

fn frobenius_norm(matrix: &DMat3) -> f64 {
    let squares = matrix.to_cols_array().map(|x| x * x);
    squares.iter().sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    #[test]
    fn flat_absurd_and_broken_transforms_are_refused() {
        let turn = DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5);
        let at = DVec3::new(1.0, 2.0, 3.0);
        for (scale, keeps) in [
            (DVec3::ONE, true),
            (DVec3::new(-1.0, 2.0, 0.01), true),
            (DVec3::splat(1e-6), true),
            (DVec3::splat(1e6), true),
            (DVec3::new(1.0, 0.0, 1.0), false),
            (DVec3::new(1.0, 1e-7, 1.0), false),
            (DVec3::ZERO, false),
            (DVec3::splat(1e-200), false),
            (DVec3::splat(1e200), false),
            (DVec3::splat(f64::INFINITY), false),
            (DVec3::splat(f64::NAN), false),
        ] {
            let transform = DAffine3::from_scale_rotation_translation(scale, turn, at);
            assert_eq!(is_well_conditioned(&transform), keeps, "{scale}");
        }
        assert!(!is_well_conditioned(&DAffine3::from_translation(
            DVec3::NAN
        )));
    }
}
