//! The tree of a mesh that a transform places, as boxes in the world.

use super::PlacedMesh;
use crate::bvh::ChildKind;
use glam::DVec3;

impl PlacedMesh<'_> {
    /// The corners of the box around all triangles, whose tree has a root then.
    pub(crate) fn root_bounds(&self) -> Option<[DVec3; 2]> {
        let bounds = self.mesh.bvh.bounds()?;
        let (min, max) = self.bounds_of(&bounds);
        Some([min, max])
    }

    /// Visits the children of a node of the tree, of which 0 is the root, with the corners of the box around each.
    pub(crate) fn for_each_child(&self, node: u32, visit: &mut dyn FnMut(ChildKind, [DVec3; 2])) {
        for (child, bounds) in self.mesh.bvh.children_with_bounds(node) {
            let (min, max) = self.bounds_of(&bounds);
            visit(child, [min, max]);
        }
    }

    /// Visits the triangles of a leaf of the tree, by number.
    pub(crate) fn for_each_of_leaf(&self, leaf: u32, visit: &mut dyn FnMut(u32)) {
        self.mesh.bvh.for_each_of_leaf(leaf, visit);
    }
}
