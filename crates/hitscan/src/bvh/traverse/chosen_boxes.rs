//! Visiting what is in boxes that a predicate chooses, one box after the other.
//!
//! It serves where a query cannot be brought to the tree: the predicate takes each box to the query.

use crate::Aabb;
use crate::bvh::Bvh;
use crate::bvh::node::ChildKind;
use core::ops::ControlFlow;
use smallvec::SmallVec;

impl<B: Clone> Bvh<B> {
    /// Visits the items of each leaf that is, with all boxes above it, chosen, until `visit` breaks.
    pub(crate) fn visit_chosen(
        &self,
        chooses: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut nodes: SmallVec<[u32; 64]> = SmallVec::new();
        if self.node_count() > 0 {
            nodes.push(0);
        }
        while let Some(node) = nodes.pop() {
            for (child, bounds) in self.children_with_bounds(node) {
                if chooses(&bounds) {
                    match child {
                        ChildKind::Node(below) => nodes.push(below),
                        ChildKind::Leaf(leaf) => self.for_each_item(leaf, &mut *visit)?,
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}
