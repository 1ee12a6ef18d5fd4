//! Which children of a node a ray may meet, where joints have taken them: the boxes of `clusters.rs`
//! carried into the ray's own frame.
//!
//! There the ray runs along one axis, as for the shear of triangles (`tri_mesh/block.rs`), so that a
//! box is met if it holds 0 on both axes across. Boxes are carried straight into that frame: the box
//! around carried boxes is then tight as the ray sees it. Everything is in f32 and only culls.

use super::root_bounds::{ROOT, RootBounds};
use crate::bvh::{Node, NodeTest, TraversalRay, WIDTH};
use crate::model::joint_bounds::{Clusters, Spans};
use crate::model::joint_matrix::JointMatrix;
use crate::model::morph::TargetsInUse;
use crate::tri_mesh::Shear;
use fearless_simd::{Simd, f32x8, f64x4, prelude::*};
use smallvec::SmallVec;

/// Bound on the error of an end of a carried box, in units of f32's roundoff u times the image's
/// reach R, without what is off in the image itself.
///
/// R bounds, for each joint and coordinate, the sum of the magnitudes of what the joint's matrix adds
/// up, and the ray's start. A sheared coordinate is a coordinate and at most one other, so the sums of
/// a middle (products, and the translation from the start) are at most 2R and 4R. Its matrix is rounded
/// (2 and 4), so are three products (2) and three sums of them (18). Half a size: matrix (2), products
/// (2), sums (6). The box's end is their sum (8), its vertices are rounded (2). That is 46; the rest
/// covers u², f64, and weights that do not quite add up to 1.
pub(super) const BOX_ERROR: f32 = 64.0;

/// What each morph target in use adds to that: its weight, its product and its sum are rounded, in the
/// middle and in half the size, and carried.
pub(super) const SWAY_ERROR: f32 = 16.0;

/// From bind space, by a joint, to the ray's frame: across, across and along. The columns, each with
/// a number behind that means nothing.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
struct RayJoint {
    columns: [[f32; 4]; 4],
}

/// The morph targets in use, and their weights.
pub(super) struct MorphBounds(SmallVec<[(usize, f32); 4]>);

impl MorphBounds {
    #[inline(always)]
    pub(super) fn new(in_use: &TargetsInUse<'_>) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a rounding that is bounded"
        )]
        let sways = in_use
            .iter()
            .map(|target| (target.target, target.weight as f32));
        Self(sways.collect())
    }

    #[inline(always)]
    #[expect(
        clippy::cast_precision_loss,
        reason = "at most 2^32, and only compared"
    )]
    pub(super) fn count(&self) -> f32 {
        self.0.len() as f32
    }

    /// What they add to the boxes of a node's children: to their middles, and half sizes.
    #[inline(always)]
    pub(super) fn of_node<S: Simd>(
        &self,
        simd: S,
        clusters: &Clusters,
        node: u32,
    ) -> Option<[[f32x8<S>; 3]; 2]> {
        if self.0.is_empty() {
            return None;
        }
        let mut sums = [[f32x8::splat(simd, 0.0); 3]; 2];
        for (target, weight) in &self.0 {
            let Spans { middle, half } = clusters.sway(node, *target);
            for axis in 0..3 {
                sums[0][axis] += f32x8::load_array_ref(simd, &middle[axis]) * *weight;
                sums[1][axis] += f32x8::load_array_ref(simd, &half[axis]) * weight.abs();
            }
        }
        Some(sums)
    }
}

/// The boxes of a deformed part, as one ray sees them.
pub(super) struct CarriedBoxes<'a, S: Simd, F> {
    clusters: &'a Clusters,
    outline: &'a RootBounds,
    image: &'a TraversalRay,
    frame: RayFrame<S>,
    /// Gives the transform of a joint of the skin.
    joint_matrix: F,
    sways: MorphBounds,
    /// By how much the boxes are widened.
    margin: f32,
}

impl<'a, 'c, S: Simd, F: Fn(u16) -> &'c JointMatrix> CarriedBoxes<'a, S, F> {
    #[inline(always)]
    pub(super) fn new(
        simd: S,
        (image, shear): (&'a TraversalRay, &Shear),
        (clusters, outline): (&'a Clusters, &'a RootBounds),
        sways: MorphBounds,
        joint_matrix: F,
    ) -> Self {
        let errors = BOX_ERROR + SWAY_ERROR * sways.count();
        Self {
            clusters,
            outline,
            image,
            frame: RayFrame::new(simd, shear),
            joint_matrix,
            sways,
            // The image's error is at least 24 units.
            margin: image.error * (1.0 + errors / 24.0),
        }
    }
}

impl<'c, S: Simd, F: Fn(u16) -> &'c JointMatrix> NodeTest<S> for CarriedBoxes<'_, S, F> {
    #[inline(always)]
    fn touched(&self, simd: S, index: u32, _: &Node, limit: f32) -> (u32, [f32; WIDTH]) {
        if index == ROOT {
            return self.outline.touched(simd, self.image, limit);
        }
        let sway = self.sways.of_node(simd, self.clusters, index);
        let mut low = [f32x8::splat(simd, f32::INFINITY); 3];
        let mut high = [f32x8::splat(simd, f32::NEG_INFINITY); 3];
        for boxes in self.clusters.boxes(index) {
            let joint = self.clusters.joints()[boxes.joint];
            // A ray meets few joints of few nodes: keeping them costs more than working them out.
            let columns = self.frame.joint((self.joint_matrix)(joint)).columns;
            let mut middle = loaded(simd, &boxes.spans.middle);
            let mut half = loaded(simd, &boxes.spans.half);
            if let Some([middles, halves]) = &sway {
                for axis in 0..3 {
                    middle[axis] += middles[axis];
                    half[axis] += halves[axis];
                }
            }
            let child_mask = f32x8::load_array_ref(simd, &boxes.child_mask);
            for row in 0..3 {
                let (x, y) = (splat(simd, columns[0][row]), splat(simd, columns[1][row]));
                let (z, translation) = (splat(simd, columns[2][row]), splat(simd, columns[3][row]));
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
        let apart = low[0].max(-high[0]).max(low[1].max(-high[1])).max(-high[2]);
        let enter = low[2] - self.margin;
        let is_touched = apart.simd_le(self.margin) & enter.simd_le(limit);
        #[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
        let touched = is_touched.to_bitmask() as u32;
        (touched, enter.max(0.0).to_array())
    }
}

#[inline(always)]
pub(super) fn splat<S: Simd>(simd: S, x: f32) -> f32x8<S> {
    f32x8::splat(simd, x)
}

#[inline(always)]
pub(super) fn loaded<S: Simd>(simd: S, of: &[[f32; WIDTH]; 3]) -> [f32x8<S>; 3] {
    [
        f32x8::load_array_ref(simd, &of[0]),
        f32x8::load_array_ref(simd, &of[1]),
        f32x8::load_array_ref(simd, &of[2]),
    ]
}

/// What takes a point of the part's space into a ray's frame.
struct RayFrame<S: Simd> {
    /// The columns of the shear, in f64, of the numbers of the image, which are f32.
    columns: [f64x4<S>; 3],
    offset: f64x4<S>,
}

impl<S: Simd> RayFrame<S> {
    #[inline(always)]
    fn new(simd: S, shear: &Shear) -> Self {
        let [across, aside, along] = shear.axes;
        let mut columns = [[0.0; 4]; 3];
        columns[across][0] = 1.0;
        columns[aside][1] = 1.0;
        let forward = f64::from(shear.forward);
        let slope = shear.slope.map(f64::from);
        columns[along] = [-slope[0], -slope[1], forward, 0.0];
        let columns = [
            f64x4::load_array(simd, columns[0]),
            f64x4::load_array(simd, columns[1]),
            f64x4::load_array(simd, columns[2]),
        ];
        let start = shear.start.map(f64::from);
        let offset =
            columns[across] * start[0] + columns[aside] * start[1] + columns[along] * start[2];
        Self {
            columns,
            offset: -offset,
        }
    }

    #[inline(always)]
    fn joint(&self, joint_matrix: &JointMatrix) -> RayJoint {
        let [x, y, z, translation] = &joint_matrix.columns;
        RayJoint {
            columns: [
                rounded(self.turned(x)),
                rounded(self.turned(y)),
                rounded(self.turned(z)),
                rounded(self.turned(translation) + self.offset),
            ],
        }
    }

    #[inline(always)]
    fn turned(&self, [x, y, z, _]: &[f64; 4]) -> f64x4<S> {
        self.columns[0] * *x + self.columns[1] * *y + self.columns[2] * *z
    }
}

#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a rounding that is bounded"
)]
fn rounded<S: Simd>(v: f64x4<S>) -> [f32; 4] {
    let [x, y, z, w] = v.to_array();
    [x as f32, y as f32, z as f32, w as f32]
}
