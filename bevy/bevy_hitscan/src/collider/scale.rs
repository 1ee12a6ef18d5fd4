//! Checks of transforms for shapes that may only be scaled equally.

use bevy_math::{Affine3A, Vec3};

/// How far the products of a transform's axes may be from those of axes of one length at right angles, relative to
/// that length: transforms are propagated in f32, each step off by a few of its roundings, 2^-24.
const EQUAL: f32 = 1.0 / 65_536.0;

/// Whether all axes are scaled alike and stay at right angles.
pub(super) fn is_equal(affine: &Affine3A) -> bool {
    let [x, y, z] = axes(affine);
    let square = x.dot(x);
    let is_alike = |axis: Vec3| (axis.dot(axis) - square).abs() <= EQUAL * square;
    let is_right = |a: Vec3, b: Vec3| a.dot(b).abs() <= EQUAL * square;
    is_alike(y) && is_alike(z) && is_right(x, y) && is_right(y, z) && is_right(z, x)
}

/// The factors by which the axes are scaled.
pub(super) fn factors(affine: &Affine3A) -> Vec3 {
    Vec3::from_array(axes(affine).map(Vec3::length))
}

fn axes(affine: &Affine3A) -> [Vec3; 3] {
    let axes = affine.matrix3;
    [axes.x_axis, axes.y_axis, axes.z_axis].map(Vec3::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_math::Quat;

    #[test]
    fn what_turns_and_grows_is_equal_and_what_is_stretched_or_sheared_is_not() {
        let turn = Quat::from_xyzw(0.1, 0.7, -0.3, 0.5).normalize();
        let scaled = |scale| Affine3A::from_scale_rotation_translation(scale, turn, Vec3::X);
        assert!(is_equal(&Affine3A::IDENTITY));
        assert!(is_equal(&scaled(Vec3::splat(3.0))));
        assert!(is_equal(&scaled(Vec3::splat(-0.01))));
        assert!(!is_equal(&scaled(Vec3::new(1.0, 1.0, 1.001))));
        let sheared = Affine3A::from_scale(Vec3::new(1.0, 2.0, 1.0)) * scaled(Vec3::ONE);
        assert!(!is_equal(&sheared));
        assert_eq!(
            factors(&Affine3A::from_scale(Vec3::new(1.0, 2.0, 4.0))),
            Vec3::new(1.0, 2.0, 4.0)
        );
    }
}
