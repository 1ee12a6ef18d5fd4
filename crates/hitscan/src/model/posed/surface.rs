//! The surface of a deformed part for ray casts: the part's own tree, with boxes and corners
//! transformed by the pose, each computed when a ray needs it and not stored.

use super::box_transform::MorphBounds;
use super::node_bounds::TransformedBounds;
use super::root_bounds::RootBounds;
use crate::Aabb;
use crate::bvh::{BoxKind, Bvh, TraversalQuery, TraversalRay};
use crate::model::deform::{Deformation, Motion};
use crate::model::joint_matrix::JointMatrix;
use crate::model::part::Part;
use crate::model::skinning::joint_bounds::JointBounds;
use crate::tri_mesh::{BlockCorners, Shear, Surface, TriangleBlock, TriangleWatch};
use core::borrow::Borrow;
use core::ops::ControlFlow;
use fearless_simd::Simd;
use glam::Vec3;

/// A part in a pose, before anything of it is computed.
pub(super) struct DeformedSurface<'a> {
    tree: &'a Bvh<TriangleBlock>,
    block_corners: &'a [BlockCorners],
    joint_bounds: &'a JointBounds,
    deformation: Deformation<'a>,
    root_bounds: &'a RootBounds,
    bounds: Aabb,
    max_abs: f32,
}

impl<'a> DeformedSurface<'a> {
    /// `None` for a part whose mesh cannot be deformed. The bounds and `max_abs` are those of
    /// `extent.rs`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(
        part: &'a Part,
        deformation: Deformation<'a>,
        root_bounds: &'a RootBounds,
        (bounds, max_abs): (Aabb, f32),
    ) -> Option<Self> {
        Some(Self {
            tree: part.mesh().bvh(),
            block_corners: part.mesh().block_corners()?,
            joint_bounds: part.joint_bounds.as_ref()?,
            deformation,
            root_bounds,
            bounds,
            max_abs,
        })
    }
}

impl Surface for DeformedSurface<'_> {
    const BOXES: BoxKind = BoxKind::Posed;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bounds(&self) -> Option<&Aabb> {
        Some(&self.bounds)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bvh(&self) -> &Bvh<TriangleBlock> {
        self.tree
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn prepare_into<S: Simd>(
        &self,
        simd: S,
        query: &TraversalQuery,
        traversal_ray: &mut TraversalRay,
    ) -> bool {
        traversal_ray.set(simd, query, &self.bounds, self.max_abs)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn walk_leaves<S: Simd>(
        &self,
        simd: S,
        (traversal_ray, shear): (&TraversalRay, &Shear),
        limit: f32,
        watch: impl TriangleWatch + Copy,
        visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let joint_matrix = |joint: u16| match &self.deformation.motion {
            Motion::None => &JointMatrix::IDENTITY,
            Motion::Skin(_, joints) => &joints[usize::from(joint)],
        };
        let morph_bounds = MorphBounds::new(&self.deformation.in_use);
        let boxes = TransformedBounds::new(
            simd,
            (traversal_ray, shear),
            (self.joint_bounds, self.root_bounds),
            morph_bounds,
            joint_matrix,
        );
        self.tree
            .walk(simd, traversal_ray, &boxes, limit, watch, visit)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn block<S: Simd>(&self, simd: S, leaf: u32) -> impl Borrow<TriangleBlock> {
        let vertices = &self.block_corners[leaf as usize];
        let mut corners = [Vec3::ZERO; 8];
        for (place, vertex) in vertices.iter().enumerate() {
            // Places that are not used repeat the first.
            corners[place] = if place > 0 && *vertex == vertices[0] {
                corners[0]
            } else {
                self.deformation.place(simd, *vertex as usize).as_vec3()
            };
        }
        let mut block = *self.tree.block(leaf);
        block.place_corners(|place| corners[place]);
        block
    }
}
