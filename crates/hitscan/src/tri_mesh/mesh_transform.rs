//! A mesh's transform into the world, with its inverse and what that is good for.
//!
//! An instance's triangles are those whose corners the transform takes into the world, each rounded
//! once in f64. The inverse only brings queries to the tree: it chooses a path and decides no corner.

use super::transformed_box::{
    MARGIN, local_box, magnitudes, max_abs, max_abs_of, placed_bounds, relative_error,
};
use crate::Aabb;
use crate::bvh::TraversalQuery;
use crate::narrow_phase::contact::triangle_source::MovingBox;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use glam::{DAffine3, DMat3, DVec3};

/// The largest condition number of a transform through whose inverse rays are brought.
///
/// A point that goes through a computed inverse and back is off by a few `k² * 2^-53` of its
/// magnitude, k being the condition number: at 2^12 by some 2^-28, a tenth of an f32's spacing.
const MAX_CONDITION: f64 = 4096.0;

/// The range of a transform's Frobenius norm in which coordinates up to 1e18 m stay within f32's
/// range on both sides of it, and determinants far from the ends of f64's.
const NORM_RANGE: core::ops::RangeInclusive<f64> = 1e-12..=1e12;

/// The largest norm of an inverse that takes coordinates up to 1e18 m within f32's range.
const MAX_INVERSE_NORM: f64 = MAX_CONDITION / 1e-12;

/// A transform into the world, and its inverse.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeshTransform {
    pub(crate) world_from_mesh: DAffine3,
    mesh_from_world: DAffine3,
    inverse_use: InverseUse,
}

/// What the inverse may bring to the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum InverseUse {
    /// Nothing: the tree's boxes are taken into the world instead.
    Nothing,
    /// Boxes, widened by [`MARGIN`].
    Boxes,
    /// Rays too: they are as good as exact there.
    Rays,
}

impl MeshTransform {
    /// The transform may flatten, or have no inverse.
    pub(crate) fn new(world_from_mesh: DAffine3) -> Self {
        Self::with_inverse(&world_from_mesh, &world_from_mesh.inverse())
    }

    pub(crate) fn with_inverse(world_from_mesh: &DAffine3, mesh_from_world: &DAffine3) -> Self {
        let matrices = (&world_from_mesh.matrix3, &mesh_from_world.matrix3);
        let (norm, inverse_norm) = (frobenius_norm(matrices.0), frobenius_norm(matrices.1));
        // Without an inverse its norm is infinite or NaN, and the comparison false.
        let is_in_range = world_from_mesh.translation.is_finite()
            && NORM_RANGE.contains(&norm)
            && inverse_norm <= MAX_INVERSE_NORM;
        let is_close = is_in_range
            && (is_surely_close(matrices.0, norm, inverse_norm)
                || relative_error(world_from_mesh, mesh_from_world) <= MARGIN);
        let inverse_use = match is_close {
            false => InverseUse::Nothing,
            true if norm * inverse_norm <= MAX_CONDITION => InverseUse::Rays,
            true => InverseUse::Boxes,
        };
        Self {
            world_from_mesh: *world_from_mesh,
            mesh_from_world: *mesh_from_world,
            inverse_use,
        }
    }

    pub(crate) fn is_identity(&self) -> bool {
        self.world_from_mesh == DAffine3::IDENTITY
    }

    /// Whether rays are brought to the mesh. Those that are not are cast at the corners in the world.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn takes_rays(&self) -> bool {
        self.inverse_use == InverseUse::Rays
    }

    /// The inverse, where what it takes to the mesh is off by no more than [`MARGIN`].
    pub(crate) fn inverse(&self) -> Option<&DAffine3> {
        (self.inverse_use >= InverseUse::Boxes).then_some(&self.mesh_from_world)
    }

    /// The inverse of a transform that [takes rays](Self::takes_rays).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn ray_inverse(&self) -> &DAffine3 {
        &self.mesh_from_world
    }

    /// Whether the transform turns orientation over.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.world_from_mesh.matrix3.determinant() < 0.0
    }

    /// A triangle's corners in the world, each rounded once, so that triangles share them.
    #[inline]
    pub(crate) fn placed(&self, corners: [DVec3; 3]) -> [DVec3; 3] {
        corners.map(|corner| self.world_from_mesh.transform_point3(corner))
    }

    /// A box of the mesh's space that at every t holds the world's, where there is a good inverse.
    pub(crate) fn local_box(&self, swept: &MovingBox) -> Option<MovingBox> {
        let inverse = self.inverse()?;
        Some(local_box(swept, &self.world_from_mesh, inverse))
    }

    /// The box around what the transform makes of a box, for comparisons with what is in the world.
    pub(crate) fn placed_box(&self, bounds: &Aabb) -> Option<Aabb> {
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let (low, high) = placed_bounds(&self.world_from_mesh, min, max);
        Aabb::around_f64([low, high])
    }

    /// A bound on the coordinates that the transform makes of those in a box, and on what it adds up for
    /// them; infinite or NaN where that leaves f64's range.
    pub(crate) fn max_abs_of(&self, bounds: &Aabb) -> f64 {
        max_abs_of(&self.world_from_mesh, bounds)
    }

    /// The query of a tree with these bounds that a ray of the world makes, where there is a good
    /// inverse.
    ///
    /// At a hit, `t |direction|` is at most the way from the origin into the box, so that all
    /// magnitudes involved are the origin's and those of the placed box.
    pub(crate) fn local_query(&self, ray: &LocalRay, bounds: &Aabb) -> Option<TraversalQuery> {
        let inverse = self.inverse()?;
        let extent = 2.0 * (max_abs(ray.origin) + self.max_abs_of(bounds));
        let stretch = magnitudes(&inverse.matrix3) * DVec3::ONE;
        let margin = stretch * (MARGIN * extent);
        let start = inverse.transform_point3(ray.origin);
        let motion = inverse.transform_vector3(ray.direction);
        let corners = (start - margin, start + margin);
        let range = (ray.t_min, ray.t_max);
        Some(TraversalQuery::moving_box(corners, motion, range))
    }
}

/// Whether a matrix and the inverse that glam computes of it multiply so nearly to the identity that
/// [`relative_error`] need not be computed; the norms are in range.
///
/// The inverse is the cofactors divided by the determinant d, all of them sums of products. N being the norm
/// of the matrix and u half an ulp of 1, the cofactors are off by less than 2u N² in norm, and d by less than
/// 2u N³, where |d| is at least N³ / 2^25. So the product is off by less than 2^25 (2 + 2√3 + 1)u of the
/// identity, 2^-25, and four times that and the bound for 32 roundings of a product of at most 2^12 are below
/// 2^-22, a quarter of [`MARGIN`].
///
/// The norm of the computed inverse alone would not do: it is of any size where the determinant is lost in
/// its own rounding. Where it is not, N³ / |d| is below the square of the condition number, 2^24.
fn is_surely_close(matrix: &DMat3, norm: f64, inverse_norm: f64) -> bool {
    const MIN_DETERMINANT: f64 = 1.0 / (MAX_CONDITION * MAX_CONDITION * 2.0);
    norm * inverse_norm <= MAX_CONDITION
        && matrix.determinant().abs() >= MIN_DETERMINANT * (norm * norm * norm)
}

fn frobenius_norm(matrix: &DMat3) -> f64 {
    let squares = matrix.to_cols_array().map(|x| x * x);
    squares.iter().sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rng::Rng;
    use glam::DQuat;

    #[test]
    fn inverses_are_used_as_far_as_they_are_good() {
        let turn = DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5);
        let at = DVec3::new(1.0, 2.0, 3.0);
        let nearly = DQuat::from_xyzw(0.1, 0.7, -0.5, 0.5).normalize();
        for (turn, scale, inverse_use) in [
            (turn, DVec3::ONE, InverseUse::Rays),
            (turn, DVec3::new(-1.0, 2.0, 0.01), InverseUse::Rays),
            (turn, DVec3::splat(1e-6), InverseUse::Rays),
            (turn, DVec3::splat(1e6), InverseUse::Rays),
            (nearly, DVec3::new(100.0, 0.02, 100.0), InverseUse::Boxes),
            (nearly, DVec3::new(1000.0, 0.01, -0.01), InverseUse::Boxes),
            (nearly, DVec3::new(1.0, 1e-9, 1.0), InverseUse::Boxes),
            (turn, DVec3::new(1.0, 0.0, 1.0), InverseUse::Nothing),
            (turn, DVec3::ZERO, InverseUse::Nothing),
            (turn, DVec3::splat(1e-13), InverseUse::Nothing),
            (turn, DVec3::splat(1e-200), InverseUse::Nothing),
            (turn, DVec3::splat(1e200), InverseUse::Nothing),
            (turn, DVec3::splat(f64::INFINITY), InverseUse::Nothing),
            (turn, DVec3::splat(f64::NAN), InverseUse::Nothing),
        ] {
            let transform = DAffine3::from_scale_rotation_translation(scale, turn, at);
            let transform = MeshTransform::new(transform);
            assert_eq!(transform.inverse_use, inverse_use, "{scale}");
        }
        // A stretch along no axis of the mesh, where each coordinate is a difference of far greater ones.
        for (thin, inverse_use) in [(1e-5, InverseUse::Boxes), (1e-9, InverseUse::Nothing)] {
            let flat = DMat3::from_diagonal(DVec3::new(1.0, thin, 1.0));
            let turn = DMat3::from_quat(nearly);
            let sheared = MeshTransform::new(DAffine3::from_mat3(turn * flat * turn));
            assert_eq!(sheared.inverse_use, inverse_use, "{thin}");
        }
        let nowhere = MeshTransform::new(DAffine3::from_translation(DVec3::NAN));
        assert_eq!(nowhere.inverse_use, InverseUse::Nothing);
    }

    /// Where the residual of the inverse is not computed, it is below what it may be: among nearly
    /// singular matrices too, whose computed inverse is of any size.
    #[test]
    fn what_is_surely_close_is_close() {
        let mut rng = Rng(0x5E_4E);
        let (mut sure, mut unsure, mut lost) = (0, 0, 0);
        for _ in 0..300_000 {
            let mut column = || DVec3::from([(); 3].map(|()| rng.uniform(-1.0, 1.0)));
            let (x, y, mut z) = (column(), column(), column());
            let near = rng.pick(&[1.0, 1e-2, 1e-3, 3e-4, 1e-8, 1e-15, 0.0]);
            let rank = rng.below(2);
            z = if rank == 0 { x } else { 0.3 * x - y } + near * z;
            let y = if rank == 0 { 0.7 * x + near * y } else { y };
            let matrix = DMat3::from_cols(x, y, z) * rng.pick(&[1.0, 1e-11, 1e11]);
            let inverse = matrix.inverse();
            let (norm, inverse_norm) = (frobenius_norm(&matrix), frobenius_norm(&inverse));
            let [outward, inward] = [matrix, inverse].map(DAffine3::from_mat3);
            let error = relative_error(&outward, &inward);
            let is_conditioned = norm * inverse_norm <= MAX_CONDITION;
            if is_surely_close(&matrix, norm, inverse_norm) {
                assert!(is_conditioned && error <= MARGIN / 4.0, "{matrix}");
                sure += 1;
            } else if is_conditioned && error <= MARGIN {
                unsure += 1;
            } else if is_conditioned {
                lost += 1;
            }
        }
        assert!(sure > 50_000 && lost > 100, "{sure} {unsure} {lost}");
        assert_eq!(unsure, 0);
    }
}
