//! Which children of a node a ray may meet, where joints have taken them: the boxes of `clusters.rs`
//! carried into the ray's own frame.
//!
//! There the ray runs along one axis, as for the shear of triangles (`tri_mesh/block.rs`), so that a
//! box is met if it holds 0 on both axes across. Boxes are carried straight into that frame: the box
//! around carried boxes is then tight as the ray sees it. Everything is in f32 and only culls.

use crate::bvh::{Image, Node, NodeTest, WIDTH};
use crate::model::clusters::{Clusters, Spans};
use crate::model::morph::TargetsInUse;
use crate::model::skin::Carrier;
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
const BOX_ERROR: f32 = 64.0;

/// What each morph target in use adds to that: its weight, its product and its sum are rounded, in the
/// middle and in half the size, and carried.
const SWAY_ERROR: f32 = 16.0;

/// Joints as a ray sees them; more of them than this ask for memory.
type RayJoints = SmallVec<[RayJoint; 32]>;

/// From bind space, by a joint, to the ray's frame: across, across and along. The columns, each with
/// a number behind that means nothing.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
struct RayJoint {
    columns: [[f32; 4]; 4],
}

/// The boxes of a deformed part, as one ray sees them.
pub(super) struct CarriedBoxes<'a> {
    clusters: &'a Clusters,
    joints: RayJoints,
    /// The morph targets in use and their weights.
    sways: SmallVec<[(usize, f32); 4]>,
    /// By how much the boxes are widened.
    margin: f32,
}

impl<'a> CarriedBoxes<'a> {
    /// `carrier` gives the transform of a joint of the skin; without one they stay as they are.
    #[inline(always)]
    pub(super) fn new<'c, S: Simd>(
        simd: S,
        (image, shear): (&Image, &Shear),
        clusters: &'a Clusters,
        in_use: &TargetsInUse<'_>,
        carrier: impl Fn(u16) -> &'c Carrier,
    ) -> Self {
        let frame = RayFrame::new(simd, shear);
        let mut joints = RayJoints::with_capacity(clusters.joints().len());
        for joint in clusters.joints() {
            joints.push(frame.joint(carrier(*joint)));
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a rounding that is bounded"
        )]
        let sways = in_use
            .iter()
            .map(|target| (target.target, target.weight as f32));
        #[expect(
            clippy::cast_precision_loss,
            reason = "at most 2^32, and only compared"
        )]
        let errors = BOX_ERROR + SWAY_ERROR * in_use.len() as f32;
        Self {
            clusters,
            joints,
            sways: sways.collect(),
            // The image's error is at least 24 units.
            margin: image.error * (1.0 + errors / 24.0),
        }
    }

    /// What morph targets add to the boxes of a node's children: to their middles, and half sizes.
    #[inline(always)]
    fn sway<S: Simd>(&self, simd: S, node: u32) -> Option<[[f32x8<S>; 3]; 2]> {
        let mut sums = [[f32x8::splat(simd, 0.0); 3]; 2];
        for (target, weight) in &self.sways {
            let Spans { middle, half } = self.clusters.sway(node, *target);
            for axis in 0..3 {
                sums[0][axis] += f32x8::load_array_ref(simd, &middle[axis]) * *weight;
                sums[1][axis] += f32x8::load_array_ref(simd, &half[axis]) * weight.abs();
            }
        }
        (!self.sways.is_empty()).then_some(sums)
    }
}

impl<S: Simd> NodeTest<S> for CarriedBoxes<'_> {
    #[inline(always)]
    fn touched(&self, simd: S, index: u32, _: &Node, limit: f32) -> (u32, [f32; WIDTH]) {
        let sway = self.sway(simd, index);
        let mut low = [f32x8::splat(simd, f32::INFINITY); 3];
        let mut high = [f32x8::splat(simd, f32::NEG_INFINITY); 3];
        for boxes in self.clusters.boxes(index) {
            let columns = &self.joints[boxes.joint].columns;
            let mut middle = loaded(simd, &boxes.spans.middle);
            let mut half = loaded(simd, &boxes.spans.half);
            if let Some([middles, halves]) = &sway {
                for axis in 0..3 {
                    middle[axis] += middles[axis];
                    half[axis] += halves[axis];
                }
            }
            let presence = f32x8::load_array_ref(simd, &boxes.presence);
            for row in 0..3 {
                let (x, y) = (splat(simd, columns[0][row]), splat(simd, columns[1][row]));
                let (z, translation) = (splat(simd, columns[2][row]), splat(simd, columns[3][row]));
                let at =
                    middle[0].mul_add(x, middle[1].mul_add(y, middle[2].mul_add(z, translation)));
                let spread = half[0].mul_add(
                    x.abs(),
                    half[1].mul_add(y.abs(), half[2].mul_add(z.abs(), presence)),
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
fn splat<S: Simd>(simd: S, x: f32) -> f32x8<S> {
    f32x8::splat(simd, x)
}

#[inline(always)]
fn loaded<S: Simd>(simd: S, of: &[[f32; WIDTH]; 3]) -> [f32x8<S>; 3] {
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
    fn joint(&self, carrier: &Carrier) -> RayJoint {
        let [x, y, z, translation] = &carrier.columns;
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
