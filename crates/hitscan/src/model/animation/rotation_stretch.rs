//! The rotation-stretch decomposition of an affine transform: what poses and placements are
//! interpolated by.

use super::quaternion::{matrix, rotation_of};
use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A transform as `stretch`, then `rotation`, then `translation`.
///
/// The rotation is that of the matrix's columns made orthogonal (Gram, Schmidt), so that the stretch
/// is triangular to rounding, and not symmetric as in a polar decomposition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RotationStretch {
    pub(crate) translation: DVec3,
    pub(crate) rotation: DQuat,
    /// Scale on the diagonal, shear above it, rounding below. Mirrors where the transform does.
    pub(crate) stretch: DMat3,
}

impl RotationStretch {
    pub(crate) fn new(transform: &DAffine3) -> Self {
        let rotation = rotation_of(&transform.matrix3);
        Self {
            translation: transform.translation,
            rotation,
            stretch: matrix(rotation).transpose() * transform.matrix3,
        }
    }
}
