//! Ray against the children of a node in a posed part: the boxes of `joint_bounds.rs`, transformed by
//! their joints into the ray's own frame.
//!
//! There the ray runs along one axis, as for the shear of triangles (`tri_mesh/triangle_block.rs`),
//! so that a box is hit if it contains 0 on both axes across. Boxes are transformed straight into
//! that frame: the box around transformed boxes is then tight across the ray. Everything is in f32
//! and only culls.

use super::box_transform::{BOX_ERROR, MORPH_ERROR, MorphBounds};
use super::root_bounds::{ROOT, RootBounds};
use crate::Aabb;
use crate::bvh::{Node, NodeTest, TraversalRay, WIDTH};
use crate::model::joint_matrix::{JointMatrix, RoundedColumns, rounded_columns};
use crate::model::skinning::joint_bounds::JointBounds;
use crate::simd::dispatch_baseline;
use crate::tri_mesh::Shear;
use fearless_simd::{Simd, f64x4, prelude::*};
use glam::Vec3;

/// The boxes of a deformed part in the frame of one ray.
pub(super) struct TransformedBounds<'a, S: Simd, F> {
    joint_bounds: &'a JointBounds,
    root_bounds: &'a RootBounds,
    traversal_ray: &'a TraversalRay,
    frame: RayFrame<S>,
    /// Gives the transform of a joint of the skin.
    joint_matrix: F,
    morph_bounds: MorphBounds,
    /// By how much the boxes are widened.
    margin: f32,
}

impl<'a, 'c, S: Simd, F: Fn(u16) -> &'c JointMatrix> TransformedBounds<'a, S, F> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(
        simd: S,
        (traversal_ray, shear): (&'a TraversalRay, &Shear),
        (joint_bounds, root_bounds): (&'a JointBounds, &'a RootBounds),
        morph_bounds: MorphBounds,
        joint_matrix: F,
    ) -> Self {
        let errors = BOX_ERROR + MORPH_ERROR * morph_bounds.count();
        Self {
            joint_bounds,
            root_bounds,
            traversal_ray,
            frame: RayFrame::new(simd, shear),
            joint_matrix,
            morph_bounds,
            // The ray's error is at least 24 units.
            margin: traversal_ray.tree_error * (1.0 + errors / 24.0),
        }
    }
}

impl<'c, S: Simd, F: Fn(u16) -> &'c JointMatrix> NodeTest<S> for TransformedBounds<'_, S, F> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn touched(&self, simd: S, index: u32, _: &Node, limit: f32) -> (u32, [f32; WIDTH]) {
        if index == ROOT {
            return self.root_bounds.touched(simd, self.traversal_ray, limit);
        }
        // A ray reaches few joints of few nodes: keeping their matrices costs more than computing them.
        let ray_from_joint = |joint| self.frame.joint((self.joint_matrix)(joint));
        let [low, high] =
            self.morph_bounds
                .transformed_boxes(simd, self.joint_bounds, index, ray_from_joint);
        let apart = low[0].max(-high[0]).max(low[1].max(-high[1])).max(-high[2]);
        let enter = low[2] - self.margin;
        let is_touched = apart.simd_le(self.margin) & enter.simd_le(limit);
        #[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
        let touched = is_touched.to_bitmask() as u32;
        (touched, enter.max(0.0).to_array())
    }

    fn boxes(&self, index: u32, _: &Node) -> [Aabb; WIDTH] {
        if index == ROOT {
            return core::array::from_fn(|place| self.root_bounds.bounds_at(place));
        }
        let [low, high] = dispatch_baseline!(simd => {
            let columns = |joint| (self.joint_matrix)(joint).rounded(simd);
            let [low, high] =
                self.morph_bounds
                    .transformed_boxes(simd, self.joint_bounds, index, columns);
            [
                low.map(|low| (low - self.margin).to_array()),
                high.map(|high| (high + self.margin).to_array()),
            ]
        });
        core::array::from_fn(|place| {
            let corner = |ends: &[[f32; WIDTH]; 3]| {
                Vec3::new(ends[0][place], ends[1][place], ends[2][place])
            };
            Aabb::from_ordered(corner(&low), corner(&high))
        })
    }
}

/// What takes a point of the part's space into a ray's frame.
struct RayFrame<S: Simd> {
    /// The columns of the shear, in f64, of the numbers of the traversal ray, which are f32.
    columns: [f64x4<S>; 3],
    offset: f64x4<S>,
}

impl<S: Simd> RayFrame<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
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

    /// From bind space, by a joint, to the ray's frame: across, across and along.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn joint(&self, joint_matrix: &JointMatrix) -> RoundedColumns {
        let [x, y, z, translation] = &joint_matrix.columns;
        rounded_columns([
            self.turned(x),
            self.turned(y),
            self.turned(z),
            self.turned(translation) + self.offset,
        ])
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn turned(&self, [x, y, z, _]: &[f64; 4]) -> f64x4<S> {
        let [across, aside, along] = self.columns;
        across.mul_add(*x, aside.mul_add(*y, along * *z))
    }
}
