//! One bounding volume hierarchy for triangles, parts and objects.
//!
//! Nodes have up to 8 children whose boxes are kept side by side, axis by axis (SoA), so that one node
//! is one test over 8 lanes. The tree only culls: it visits every item whose box a query may touch,
//! and what an item answers is decided elsewhere, so no answer depends on the tree's shape.
//! `build/` orders the items and makes the nodes, `traverse/` has the queries, `dynamic/` the trees whose
//! items move.

mod preset;
mod node;
mod build;
mod traverse;
mod dynamic;
mod baked;

pub(crate) use build::morton::in_morton_order;
pub(crate) use dynamic::MovingTree;
pub(crate) use node::{ChildKind, Node, WIDTH, around_rows};
pub use preset::BuildPreset;
pub(crate) use traverse::best_first::BestFirst;
pub(crate) use traverse::bundle::{BUNDLE, RayBundle, RaySet};
pub(crate) use traverse::bundle_cast::GiveUp;
pub(crate) use traverse::cursor::Cursor;
pub(crate) use traverse::interval_packet::IntervalPacket;
pub(crate) use traverse::near_point::{NearPlanes, NearPoint};
pub(crate) use traverse::prepared::TraversalRay;
pub(crate) use traverse::single::NodeTest;
pub(crate) use traverse::slab_time::{LATER, slab_time};
pub(crate) use traverse::traversal_query::TraversalQuery;
pub(crate) use traverse::watch::{BoxKind, Watch};

use crate::Aabb;
use crate::simd::Width;
use crate::storage::Array;
use core::ops::ControlFlow;

/// The number of items in a leaf at most.
pub(crate) const LEAF_ITEMS: usize = 8;

/// In a leaf in place of an item that is not there.
pub(crate) const NO_ITEM: u32 = u32::MAX;

/// The item numbers of a leaf. Those that are used come first, and one at least is.
pub(crate) type LeafItems = [u32; LEAF_ITEMS];

/// A tree over items numbered from 0, each with a box. Each leaf has a block `B` beside its items'
/// numbers, with what is needed to test them.
#[derive(Debug, Clone)]
pub(crate) struct Bvh<B: Clone + 'static = ()> {
    /// The root is node 0; children come after their parents. Empty without items.
    nodes: Array<Node>,
    /// Empty in a tree whose leaves are one item each: there a leaf's number is the item's.
    leaves: Array<LeafItems>,
    blocks: Array<B>,
    /// The lowest item below each node; empty in a tree without blocks.
    lowest_items: Array<u32>,
    /// The box around all items.
    bounds: Option<Aabb>,
    /// The largest magnitude of a coordinate of the bounds.
    max_abs: f32,
    /// The root with its exact boxes, where those of the nodes were widened to have rays miss flat ones
    /// (`traverse/flat_boxes.rs`).
    exact_root: Option<Box<Node>>,
    width: Width,
}

impl<B: Clone> Default for Bvh<B> {
    fn default() -> Self {
        Self {
            nodes: Array::default(),
            leaves: Array::default(),
            blocks: Array::default(),
            lowest_items: Array::default(),
            bounds: None,
            max_abs: 0.0,
            exact_root: None,
            width: Width::default(),
        }
    }
}

impl<B: Clone> Bvh<B> {
    /// The box around all items, or `None` without items.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    pub(crate) fn bounds_ref(&self) -> Option<&Aabb> {
        self.bounds.as_ref()
    }

    /// The root, whose children's boxes together hold all items, exactly as these are.
    pub(crate) fn root(&self) -> Option<&Node> {
        self.exact_root.as_deref().or(self.nodes.first())
    }

    pub(crate) fn width(&self) -> Width {
        self.width
    }

    pub(crate) fn set_width(&mut self, width: Width) {
        self.width = width;
    }

    /// Visits the items of a leaf, and returns what `visit` returned last.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn for_each_item<T>(
        &self,
        leaf: u32,
        mut visit: impl FnMut(u32) -> ControlFlow<(), T>,
    ) -> ControlFlow<(), T> {
        let Some(items) = self.leaves.get(leaf as usize) else {
            return visit(leaf);
        };
        let [first, others @ ..] = items;
        let mut last = visit(*first)?;
        for &item in others {
            if item == NO_ITEM {
                break;
            }
            last = visit(item)?;
        }
        ControlFlow::Continue(last)
    }

    /// Visits the items of a leaf.
    pub(crate) fn for_each_of_leaf(&self, leaf: u32, visit: &mut dyn FnMut(u32)) {
        // Nothing breaks off.
        let _ = self.for_each_item(leaf, |item| {
            visit(item);
            ControlFlow::Continue(())
        });
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn items(&self, leaf: u32) -> &LeafItems {
        &self.leaves[leaf as usize]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn block(&self, leaf: u32) -> &B {
        &self.blocks[leaf as usize]
    }

    /// Fits every box to its items anew, where items have moved but are the same in number: `fit`
    /// makes the block of the leaf with this number and these items anew, and answers its box.
    pub(crate) fn refit(&mut self, mut fit: impl FnMut(usize, &LeafItems, &mut B) -> Aabb)
    where
        B: Clone,
    {
        let leaves = self.leaves.iter().zip(self.blocks.to_mut()).enumerate();
        let leaf_bounds: Vec<Aabb> = leaves
            .map(|(leaf, (items, block))| fit(leaf, items, block))
            .collect();
        // Children follow their parents, so from the back each node's children are ready.
        let mut bounds: Vec<Option<Aabb>> = vec![None; self.nodes.len()];
        for index in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[index];
            for place in 0..node.len() {
                let child = match node.children[place].kind() {
                    ChildKind::Node(node) => bounds[node as usize],
                    ChildKind::Leaf(leaf) => Some(leaf_bounds[leaf as usize]),
                };
                if let Some(child) = child {
                    node.set_bounds(place, &child);
                    bounds[index] = Some(bounds[index].map_or(child, |all| all.union(&child)));
                }
            }
        }
        self.set_bounds(bounds.first().copied().flatten());
    }

    fn set_bounds(&mut self, bounds: Option<Aabb>) {
        let max_abs = |bounds: Aabb| bounds.min().abs().max(bounds.max().abs()).max_element();
        self.max_abs = bounds.map_or(0.0, max_abs);
        self.bounds = bounds;
        self.exact_root = None;
    }

    /// The number of nodes. Node 0 is the root, and children come after their parents.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The children of a node, at most 8, in their places.
    pub(crate) fn children(&self, node: usize) -> impl Iterator<Item = ChildKind> {
        self.nodes[node].kinds()
    }

    /// The children of a node, with the box around each.
    pub(crate) fn children_with_bounds(
        &self,
        node: u32,
    ) -> impl Iterator<Item = (ChildKind, Aabb)> {
        let node = &self.nodes[node as usize];
        let boxes = (0..).map(|place| node.bounds_at(place));
        node.kinds().zip(boxes)
    }

    /// The leaves' items, in the order of their numbers.
    pub(crate) fn leaves(&self) -> &[LeafItems] {
        &self.leaves
    }

    /// The bytes that the tree takes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.nodes)
            + size_of_val(&*self.leaves)
            + size_of_val(&*self.blocks)
            + size_of_val(&*self.lowest_items)
    }
}
