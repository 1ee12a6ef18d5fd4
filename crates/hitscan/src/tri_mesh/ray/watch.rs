//! The watcher of a ray's traversal of triangles, beside that of the tree above them
//! (`query/watch.rs`).

use super::LeafTriangle;
use crate::Aabb;
use crate::bvh::{Bvh, Watch};
use crate::query::watch::{Outcome, Unwatched};
use crate::tri_mesh::triangle_block::TriangleBlock;
use glam::DVec3;

/// Watches a ray's traversal of the triangles of a mesh or of a model's part.
pub(crate) trait TriangleWatch: Watch {
    /// Whether it looks at anything: where not, boxes that only a watcher needs may be skipped.
    fn is_watching(&self) -> bool {
        true
    }

    /// The box around a part that joints or morph targets deform was tested.
    fn tested_part(&self, bounds: &Aabb, is_touched: bool);

    /// The triangles of a leaf were tested side by side; those whose planes' edges the line may cross
    /// inside are set in `possible`.
    fn tested_block(
        &self,
        tree: &Bvh<TriangleBlock>,
        leaf: u32,
        block: &TriangleBlock,
        possible: u32,
    );

    /// A triangle was decided.
    fn tested_triangle(
        &self,
        tree: &Bvh<TriangleBlock>,
        triangle: LeafTriangle,
        corners: &[DVec3; 3],
        outcome: Outcome,
    );

    /// A triangle was decided by its corners in the world.
    fn tested_in_world(&self, triangle: u32, corners: &[DVec3; 3], outcome: Outcome);
}

impl TriangleWatch for Unwatched {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_watching(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tested_part(&self, _: &Aabb, _: bool) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tested_block(&self, _: &Bvh<TriangleBlock>, _: u32, _: &TriangleBlock, _: u32) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tested_triangle(&self, _: &Bvh<TriangleBlock>, _: LeafTriangle, _: &[DVec3; 3], _: Outcome) {
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tested_in_world(&self, _: u32, _: &[DVec3; 3], _: Outcome) {}
}
