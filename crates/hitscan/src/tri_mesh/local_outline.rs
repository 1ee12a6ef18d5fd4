//! Outlines of shapes through a mesh's inverse transform, by a bound of its largest singular value.
//!
//! A shape is a parallelepiped with a radius. A linear map M makes another parallelepiped of the first,
//! and of the ball an ellipsoid whose longest radius is M's largest singular value times the ball's: a
//! rotation with a uniform scale makes of a shape's outline its outline in the mesh's space. Where M
//! stretches unevenly, what it makes of the box around the shape may be smaller than its core with that
//! radius.
//!
//! # The margin
//! Let W be the transform and M its computed inverse, with W M = I + R; σ is the largest singular value, u the
//! unit roundoff. E is a bound on the coordinates of the shape on its way plus one on the translation's. A
//! point x of the moved shape lies on a triangle whose corners W took into the world, each rounded, and p
//! has the weights among the mesh's corners that x has among these. What is added up for x is at most `|W||M|`
//! and 1 times what E bounds. [`relative_error`](super::transformed_box::relative_error) is four times the norm
//! of R with such roundings, and at most MARGIN. So M takes to p a point within `√3 MARGIN E / 4` of x, less
//! than `0.44 MARGIN E`: M's image of all that is within that distance of the shape holds p.
//!
//! The products and sums of a middle and three halves through M, 8u each, and of the box around them take
//! less than `2^-44 σ(M) E`, and the shape's own outline as little. `MARGIN E` is more than twice the sum.
//!
//! # Separations
//! A gap g > 0 from the outline in the mesh's space is at most σ(M) times the separation in the world, for what
//! is within the contact margin and so in the box that E bounds. Where g < 0, moving the shape there by -g
//! parts it from the triangle, and so does M⁻¹'s image of that way in the world, at most `σ(M⁻¹)(-g)` long. M⁻¹
//! is `(I + R)⁻¹ W`, so that is at most `σ(W)(1 + MARGIN)(-g)`. No depth exceeds the shape's width, `2√3 E`:
//! only points of the triangle within `(1 + 2√3) E` matter, which are off by 4.5 times as much, less than
//! `2 MARGIN E`. `4 MARGIN E` is twice that.

use super::mesh_transform::MeshTransform;
use super::transformed_box::{MARGIN, magnitude, magnitudes};
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::contact::triangle_source::MovingBox;
use crate::narrow_phase::convex::Outline;
use glam::{DAffine3, DMat3, DVec3};

/// The largest quotient of a transform's largest and smallest singular values with which bounds of
/// separations are taken from the mesh's space: they are off by as much.
const MAX_UNEVENNESS: f64 = 1.0 + 1.0 / 64.0;

/// A bound of separations in the world by those in a mesh's space: the factors of gaps and of overlaps.
#[derive(Debug, Clone, Copy)]
pub(super) struct LengthBounds {
    apart: f64,
    overlapping: f64,
}

impl LengthBounds {
    /// No more than the separation in the world, by a bound of it in the mesh's space.
    #[inline]
    pub(super) fn separation(&self, local: f64) -> f64 {
        let factor = if local > 0.0 {
            self.apart
        } else {
            self.overlapping
        };
        local * factor
    }
}

impl MeshTransform {
    /// An outline and its moving box in the mesh's space, where there is a good inverse: all that at any t may
    /// touch a triangle in the world touches it there.
    pub(super) fn local_outline(
        &self,
        outline: &Outline,
        swept: &MovingBox,
    ) -> Option<(Outline, MovingBox)> {
        let inverse = self.inverse()?;
        let margin = MARGIN * magnitude(swept, &self.world_from_mesh);
        let stretch = max_stretch(&inverse.matrix3);
        let local = smaller_outline(outline, swept, (inverse, stretch, margin));
        let (min, max) = local.bounds();
        let motion = inverse.transform_vector3(swept.motion);
        Some((local, MovingBox { min, max, motion }))
    }

    /// The outline of a shape at rest in a box, in the mesh's space, and what separations from it mean in
    /// the world, where that stretches evenly and there is a good inverse.
    pub(super) fn local_resting(
        &self,
        outline: &Outline,
        around: &MovingBox,
    ) -> Option<(Outline, LengthBounds)> {
        let inverse = self.inverse()?;
        let margin = 4.0 * MARGIN * magnitude(around, &self.world_from_mesh);
        let stretch = max_stretch(&inverse.matrix3);
        let lengths = LengthBounds {
            apart: 1.0 / stretch,
            overlapping: max_stretch(&self.world_from_mesh.matrix3) * (1.0 + MARGIN),
        };
        if lengths.overlapping > MAX_UNEVENNESS * lengths.apart {
            return None;
        }
        let own = outline.transformed(inverse, stretch, margin);
        Some((own, lengths))
    }
}

/// What the inverse makes of the core with the largest radius, or of the box around the shape: that of the
/// smaller mean extent.
fn smaller_outline(
    outline: &Outline,
    swept: &MovingBox,
    (inverse, stretch, margin): (&DAffine3, f64, f64),
) -> Outline {
    let own = outline.transformed(inverse, stretch, margin);
    // All within the margin of the box is in a box: no radius is needed.
    let around = Outline::of_box(swept.min - margin, swept.max + margin);
    let around = around.transformed(inverse, 0.0, 0.0);
    if own.mean_extent() <= around.mean_extent() {
        own
    } else {
        around
    }
}

/// An upper bound of a matrix' largest singular value: exact, but for rounding, for a product of a
/// rotation and a scale along axes, in either order.
///
/// Its square is the spectral radius of `MᵀM` and of `MMᵀ`, which are at most their largest sums of
/// magnitudes in a row. Each of their components is a scalar product of three terms, off by at most `3u` of
/// that square, a sum of three by `13u`; the root halves that and rounds once. The rest of `64u` is room for
/// a product and a quotient of the result.
fn max_stretch(matrix: &DMat3) -> f64 {
    let transposed = matrix.transpose();
    let max_sum = |product: DMat3| (magnitudes(&product) * DVec3::ONE).max_element();
    let square = max_sum(transposed * *matrix).min(max_sum(*matrix * transposed));
    square.sqrt() * (1.0 + 64.0 * UNIT_ROUNDOFF)
}

#[cfg(test)]
mod tests;
