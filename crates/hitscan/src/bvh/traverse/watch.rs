//! The watcher of a tree's traversal (`query/watch.rs`).

use crate::Aabb;
use crate::bvh::node::{ChildKind, Node, WIDTH};
use crate::query::watch::Unwatched;
use crate::simd::Width;

/// The boxes that a traversal tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoxKind {
    /// Those of the tree.
    Kept,
    /// Where a pose has taken them.
    Posed,
}

/// Watches the traversal of a tree.
pub(crate) trait Watch {
    /// The vector width of a traversal that would have this one: the widths answer alike, and watched
    /// traversals, which need not be fast, are compiled for one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn width(&self, width: Width) -> Width {
        width
    }

    /// The traversal begins. The box is around everything; where it is not touched, the traversal ends.
    fn begins(&self, kind: BoxKind, bounds: Option<&Aabb>, is_touched: bool);

    /// The children of the node with this index were tested; those that may be touched are set in
    /// `touched`. `boxes` makes the boxes that were tested, in the tree's space.
    fn tested(&self, index: u32, node: &Node, touched: u32, boxes: &dyn Fn() -> [Aabb; WIDTH]);

    /// A child is looked into.
    fn entered(&self, child: ChildKind);

    /// A child that may be touched is skipped, as what is in it lies after the limit.
    fn left_out(&self, child: ChildKind);
}

impl Watch for Unwatched {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begins(&self, _: BoxKind, _: Option<&Aabb>, _: bool) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tested(&self, _: u32, _: &Node, _: u32, _: &dyn Fn() -> [Aabb; WIDTH]) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entered(&self, _: ChildKind) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn left_out(&self, _: ChildKind) {}
}
