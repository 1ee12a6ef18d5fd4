//! Transformation of the joint boxes of `joint_bounds.rs` by a pose: each by its joint's matrix, eight
//! children of a node side by side, enlarged by the morph targets in use.
//!
//! Everything is in f32 and only culls; the bound on its error widens the boxes.

use crate::bvh::WIDTH;
use crate::model::joint_matrix::RoundedColumns;
use crate::model::skinning::joint_bounds::{JointBounds, Spans};
use crate::model::skinning::morph::TargetsInUse;
use fearless_simd::{Simd, f32x8, prelude::*};
use smallvec::SmallVec;

/// Bound on the error of an end of a transformed box, in units of f32's roundoff u times the ray's
/// bound R, without what is off in the traversal ray itself.
///
/// R bounds, for each joint and coordinate, the sum of the magnitudes of what the joint's matrix adds
/// up, and the ray's start. A sheared coordinate is a coordinate and at most one other, so the sums of
/// a middle (products, and the translation from the start) are at most 2R and 4R. Its matrix is rounded
/// (2 and 4), so are three products (2) and three sums of them (18). Half a size: matrix (2), products
/// (2), sums (6). The box's end is their sum (8), its vertices are rounded (2). That is 46; the rest
/// covers u², f64, and weights that do not quite add up to 1.
pub(super) const BOX_ERROR: f32 = 64.0;

/// What each morph target in use adds to that: its weight, its product and its sum are rounded, in the
/// middle and in half the size, and transformed.
pub(super) const MORPH_ERROR: f32 = 16.0;

/// The morph targets in use, and their weights.
pub(super) struct MorphBounds(SmallVec<[(usize, f32); 4]>);

impl MorphBounds {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(in_use: &TargetsInUse<'_>) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a rounding that is bounded"
        )]
        let weights = in_use
            .iter()
            .map(|target| (target.target, target.weight as f32));
        Self(weights.collect())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(
        clippy::cast_precision_loss,
        reason = "at most 2^32, and only compared"
    )]
    pub(super) fn count(&self) -> f32 {
        self.0.len() as f32
    }

    /// What they add to the boxes of a node's children: to their middles, and half sizes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of_node<S: Simd>(
        &self,
        simd: S,
        joint_bounds: &JointBounds,
        node: u32,
    ) -> Option<[[f32x8<S>; 3]; 2]> {
        if self.0.is_empty() {
            return None;
        }
        let mut sums = [[f32x8::splat(simd, 0.0); 3]; 2];
        for (target, weight) in &self.0 {
            let Spans { middle, half } = joint_bounds.morph_boxes(node, *target);
            for axis in 0..3 {
                sums[0][axis] += f32x8::load_array_ref(simd, &middle[axis]) * *weight;
                sums[1][axis] += f32x8::load_array_ref(simd, &half[axis]) * weight.abs();
            }
        }
        Some(sums)
    }

    /// The boxes of a node's children in the space into which `columns` takes a joint's bind space:
    /// their lower and upper ends, for each axis. Those of children that do not exist are empty.
    ///
    /// Along an axis a transformed box has its middle at `x * m.x + y * m.y + z * m.z + translation`
    /// and half the size `|x| * h.x + |y| * h.y + |z| * h.z`, (x, y, z) being a row of the matrix.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn transformed_boxes<S: Simd>(
        &self,
        simd: S,
        joint_bounds: &JointBounds,
        node: u32,
        columns: impl Fn(u16) -> RoundedColumns,
    ) -> [[f32x8<S>; 3]; 2] {
        let morphed = self.of_node(simd, joint_bounds, node);
        let mut low = [f32x8::splat(simd, f32::INFINITY); 3];
        let mut high = [f32x8::splat(simd, f32::NEG_INFINITY); 3];
        for boxes in joint_bounds.boxes(node) {
            let columns = columns(joint_bounds.joints()[boxes.joint]);
            let mut middle = loaded(simd, &boxes.spans.middle);
            let mut half = loaded(simd, &boxes.spans.half);
            if let Some([middles, halves]) = &morphed {
                for axis in 0..3 {
                    middle[axis] += middles[axis];
                    half[axis] += halves[axis];
                }
            }
            let child_mask = f32x8::load_array_ref(simd, &boxes.child_mask);
            for row in 0..3 {
                let (x, y) = (
                    splat(simd, columns.at(0, row)),
                    splat(simd, columns.at(1, row)),
                );
                let z = splat(simd, columns.at(2, row));
                let translation = splat(simd, columns.at(3, row));
                let at =
                    middle[0].mul_add(x, middle[1].mul_add(y, middle[2].mul_add(z, translation)));
                let spread = half[0].mul_add(
                    x.abs(),
                    half[1].mul_add(y.abs(), half[2].mul_add(z.abs(), child_mask)),
                );
                low[row] = low[row].min(at - spread);
                high[row] = high[row].max(at + spread);
            }
        }
        [low, high]
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn splat<S: Simd>(simd: S, x: f32) -> f32x8<S> {
    f32x8::splat(simd, x)
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn loaded<S: Simd>(simd: S, of: &[[f32; WIDTH]; 3]) -> [f32x8<S>; 3] {
    [
        f32x8::load_array_ref(simd, &of[0]),
        f32x8::load_array_ref(simd, &of[1]),
        f32x8::load_array_ref(simd, &of[2]),
    ]
}
