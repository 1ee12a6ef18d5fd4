//! One bounding volume hierarchy for triangles, parts and objects.
//!
//! Nodes have up to 8 children whose boxes stand side by side, axis by axis, so that one node is
//! one test over 8 lanes. The tree only culls: it visits every item whose box a probe may touch,
//! and what an item answers is decided elsewhere, so no answer depends on the tree's shape.
//! Read `node.rs`, then `build.rs`, `probe.rs` and `traverse.rs`.

mod node;
mod build;
mod collapse;
mod probe;
mod stack;
mod traverse;


pub(crate) use probe::{Image, Probe};

use crate::Aabb;
use crate::simd::Width;
use node::{ChildKind, Node};

/// How many items a leaf holds at most: as many as a block of triangles has lanes.
pub(crate) const LEAF_ITEMS: usize = 4;

/// Stands in a leaf for an item that is not there.
pub(crate) const NO_ITEM: u32 = u32::MAX;

/// A few items that stand together: their numbers, and whatever is kept beside them.
pub(crate) trait Leaf {
    /// The numbers, [`NO_ITEM`] in the places at the end that are not used; the first one is.
    fn items(&self) -> &[u32; LEAF_ITEMS];
}

/// A leaf that is nothing but its items' numbers.
impl Leaf for [u32; LEAF_ITEMS] {
    #[inline(always)]
    fn items(&self) -> &[u32; LEAF_ITEMS] {
        self
    }
}

/// A tree over items numbered from 0, each with a box.
#[derive(Debug, Clone)]
pub(crate) struct Bvh<L = [u32; LEAF_ITEMS]> {
    /// The root is node 0; children stand after their parents. Empty without items.
    nodes: Vec<Node>,
    leaves: Vec<L>,
    /// The box around all items.
    bounds: Option<Aabb>,
    width: Width,
}

impl<L> Default for Bvh<L> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            leaves: Vec::new(),
            bounds: None,
            width: Width::default(),
        }
    }
}

impl<L: Leaf> Bvh<L> {
    /// The box around all items, or `None` without items.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    pub(crate) fn width(&self) -> Width {
        self.width
    }

    pub(crate) fn set_width(&mut self, width: Width) {
        self.width = width;
    }

    /// Fits every box to its items anew, where items have moved but are the same in number, and
    /// makes each leaf anew of its items.
    pub(crate) fn refit(
        &mut self,
        item_bounds: impl Fn(u32) -> Aabb,
        make_leaf: impl Fn(&[u32; LEAF_ITEMS]) -> L,
    ) {
        for leaf in &mut self.leaves {
            *leaf = make_leaf(leaf.items());
        }
        let leaf_bounds = |leaf: &L| {
            let used = leaf.items().iter().filter(|item| **item != NO_ITEM);
            used.map(|item| item_bounds(*item))
                .reduce(|all, one| all.union(&one))
        };
        // Children stand after their parents, so from the back each node's children are ready.
        let mut bounds: Vec<Option<Aabb>> = vec![None; self.nodes.len()];
        for index in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[index];
            for place in 0..node.len() {
                let child = match node.children[place].kind() {
                    ChildKind::Node(node) => bounds[node as usize],
                    ChildKind::Leaf(leaf) => leaf_bounds(&self.leaves[leaf as usize]),
                };
                if let Some(child) = child {
                    node.set_bounds(place, &child);
                    bounds[index] = Some(bounds[index].map_or(child, |all| all.union(&child)));
                }
            }
        }
        self.bounds = bounds.first().copied().flatten();
    }

    /// The bytes that the tree takes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.leaves.as_slice())
    }
}
