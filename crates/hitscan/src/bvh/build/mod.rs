//! Building the binary tree that is later collapsed: from boxes of items to nodes and leaf order.
//!
//! Items are taken apart from the root down: very many on a grid (`grid.rs`), many between bins
//! (`binned.rs`), few wherever it is best (`full_sweep.rs`). All work on boxes that are moved into place
//! rather than looked up (`item_box.rs`), and `subtree.rs` puts them together. Nothing here depends on
//! wide nodes or on queries but `collapse.rs`, which makes the wide nodes.
//!
//! Invariant: the tree is the same whatever the vector width and the number of threads. Work is cut
//! by counts of items alone, and minima, maxima and counts do not depend on the order of merging.

mod item_box;
mod binned;
mod grid;
mod full_sweep;
mod subtree;
pub(crate) mod morton;
mod collapse;

use super::{BuildPreset, LEAF_ITEMS};
use crate::Aabb;
use crate::cancel::{Cancel, Cancelled};
use crate::simd::Width;

/// The number of items that are built by one thread alone. Their boxes fit the second-level cache.
const TASK_ITEMS: usize = 16_384;

/// What leaves look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeafSize {
    /// The number of items that one test takes, a power of two: a leaf of `n` costs `ceil(n / lanes)` tests.
    pub(crate) lanes: usize,
    /// The largest number of items in a leaf.
    pub(crate) most: usize,
    /// So few items are always a leaf: to look for a good split of them would be wasted.
    pub(crate) whole: usize,
}

/// Which items become a leaf.
#[derive(Clone, Copy)]
pub(crate) struct LeafRule<'a> {
    pub(crate) size: LeafSize,
    /// Whether at most [`LEAF_ITEMS`] items are a leaf regardless of their size.
    pub(crate) is_leaf: &'a (dyn Fn(&[u32]) -> bool + Sync),
}

/// A binary tree over items.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct BinaryTree {
    /// The root is node 0; siblings are adjacent and follow their parents. Empty without items.
    pub(crate) nodes: Vec<BinaryNode>,
    /// The items' numbers in the order of the leaves, each once.
    pub(crate) items: Vec<u32>,
}

/// A box with what is in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BinaryNode {
    pub(crate) min: [f32; 3],
    /// The first of `count` items in leaf order, or the first of two children where `count` is 0.
    pub(crate) index: u32,
    pub(crate) max: [f32; 3],
    pub(crate) count: u32,
}

impl BinaryNode {
    /// Half of the box's surface. In f64 it stays in range, whatever f32 bounds it.
    pub(crate) fn half_area(&self) -> f64 {
        let edge = |axis: usize| f64::from(self.max[axis]) - f64::from(self.min[axis]);
        let (x, y, z) = (edge(0), edge(1), edge(2));
        x * y + y * z + z * x
    }
}

/// A tree over items with these boxes, which are finite and fewer than 2^31.
///
/// # Source
/// Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", RT 2007, with the moved
/// boxes and the count of blocks of Embree's builder (Wald et al., "Embree: A Kernel Framework for
/// Efficient CPU Ray Tracing", SIGGRAPH 2014).
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn build_binary(
    bounds: &[Aabb],
    preset: BuildPreset,
    leaf: LeafRule<'_>,
    cancel: Cancel<'_>,
) -> Result<BinaryTree, Cancelled> {
    build_with(bounds, preset, leaf, (Width::default(), cancel))
}

fn build_with(
    bounds: &[Aabb],
    preset: BuildPreset,
    leaf: LeafRule<'_>,
    how: (Width, Cancel<'_>),
) -> Result<BinaryTree, Cancelled> {
    if bounds.is_empty() {
        return Ok(BinaryTree::default());
    }
    subtree::build(bounds, preset, leaf, how)
}

#[cfg(test)]
mod tests;
