//! Interpolation of transforms by their rotation-stretch decomposition, and its bound.

use crate::model::{RotationStretch, normalized, rotation_matrix, slerp};
use glam::{DAffine3, DMat3, DVec3};

impl RotationStretch {
    /// The transform `alpha` of the way from here to `other`.
    pub(crate) fn toward(&self, other: &Self, alpha: f64) -> DAffine3 {
        let rotation = normalized(slerp(self.rotation, other.rotation, alpha));
        let stretch = self.stretch * (1.0 - alpha) + other.stretch * alpha;
        DAffine3 {
            matrix3: rotation_matrix(rotation) * stretch,
            translation: lerp(self.translation, other.translation, alpha),
        }
    }

    /// By how much it stretches at most, or a little more.
    ///
    /// The largest stretch of a matrix is at most the root of the product of its largest sums of
    /// magnitudes along columns and along rows.
    pub(super) fn stretch_bound(&self) -> f64 {
        let max_sum = |matrix: DMat3| {
            let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
            columns
                .into_iter()
                .map(|column| column.abs().element_sum())
                .fold(0.0, f64::max)
        };
        (max_sum(self.stretch) * max_sum(self.stretch.transpose())).sqrt()
    }
}

/// The place `alpha` of the way from one to another.
pub(super) fn lerp(from: DVec3, to: DVec3, alpha: f64) -> DVec3 {
    from + (to - from) * alpha
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn turns() -> Vec<DQuat> {
        let ends = [-1.0, -0.3, 0.0, 0.6, 1.0];
        let mut all = Vec::new();
        for x in ends {
            for y in ends {
                for (z, w) in [(0.2, 0.9), (-0.7, 0.0), (1.0, -0.1), (0.0, 1e-9)] {
                    all.push(normalized(DQuat::from_xyzw(x, y, z, w)));
                }
            }
        }
        all
    }

    #[test]
    fn the_parts_make_the_transform_again() {
        for turn in turns() {
            for scale in [
                DVec3::ONE,
                DVec3::new(0.1, 20.0, 3.0),
                DVec3::new(-1.0, 2.0, 0.5),
            ] {
                let at = DVec3::new(1.0, -2.0, 300.0);
                let whole = DAffine3::from_scale_rotation_translation(scale, turn, at);
                let parts = RotationStretch::new(&whole);
                let again = parts.toward(&parts, 0.3);
                assert!(again.abs_diff_eq(whole, 1e-13 * 20.0), "{turn} {scale}");
                let max = scale.abs().max_element();
                let bound = parts.stretch_bound();
                assert!(bound >= max * (1.0 - 1e-12) && bound <= 1.8 * max);
            }
        }
    }

    #[test]
    fn half_way_is_half_the_turn() {
        let about_y = |angle: f64| DAffine3::from_rotation_y(angle);
        let parts = |angle| RotationStretch::new(&about_y(angle));
        let half = parts(0.2).toward(&parts(1.0), 0.5);
        assert!(half.abs_diff_eq(about_y(0.6), 1e-15));
        // The shorter way goes over the half turn.
        let half = parts(3.0).toward(&parts(-3.0), 0.5);
        assert!(half.abs_diff_eq(about_y(core::f64::consts::PI), 1e-12));
    }
}
