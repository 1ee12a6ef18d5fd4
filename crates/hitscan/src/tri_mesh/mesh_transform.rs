//! A mesh's transform into the world, with its inverse and what that is good for.
//!
//! An instance's triangles are those whose corners the transform takes into the world, each rounded
//! once in f64. The inverse only brings queries to the tree: it chooses a path and decides no corner.

use super::transformed_box::{
    MARGIN, local_box, magnitudes, max_abs, placed_bounds, relative_error,
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
        Self::with_inverse(world_from_mesh, world_from_mesh.inverse())
    }

    pub(crate) fn with_inverse(world_from_mesh: DAffine3, mesh_from_world: DAffine3) -> Self {
        let matrices = (&world_from_mesh.matrix3, &mesh_from_world.matrix3);
        let (norm, inverse_norm) = (frobenius_norm(matrices.0), frobenius_norm(matrices.1));
        // Without an inverse its norm is infinite or NaN, and the comparison false.
        let is_close = world_from_mesh.translation.is_finite()
            && NORM_RANGE.contains(&norm)
            && inverse_norm <= MAX_INVERSE_NORM
            && relative_error(&world_from_mesh, &mesh_from_world) <= MARGIN;
        let inverse_use = match is_close {
            false => InverseUse::Nothing,
            true if norm * inverse_norm <= MAX_CONDITION => InverseUse::Rays,
            true => InverseUse::Boxes,
        };
        Self {
            world_from_mesh,
            mesh_from_world,
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
        let far = bounds.min().abs().max(bounds.max().abs()).as_dvec3();
        let size = magnitudes(&self.world_from_mesh.matrix3) * far
            + self.world_from_mesh.translation.abs();
        size.x + size.y + size.z
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

fn frobenius_norm(matrix: &DMat3) -> f64 {
    let squares = matrix.to_cols_array().map(|x| x * x);
    squares.iter().sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
