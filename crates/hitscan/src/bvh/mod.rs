//! One bounding volume hierarchy for triangles, parts and objects.
//!
//! Nodes have up to 8 children whose boxes stand side by side, axis by axis, so that one node is
//! one test over 8 lanes. The tree only culls: it visits every item whose box a probe may touch,
//! and what an item answers is decided elsewhere, so no answer depends on the tree's shape.
//! Read `binary/` and `build.rs`, then `probe.rs` and `traverse.rs`.

mod binary;
mod build;
mod preset;
mod probe;
mod traverse;

pub use preset::BuildPreset;
pub(crate) use probe::Probe;

use crate::Aabb;
use glam::Vec3;

/// How many children a node has at most.
const WIDTH: usize = 8;

/// A tree over items numbered from 0, each with a box.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bvh {
    /// The root is node 0; children stand after their parents. Empty without items.
    nodes: Vec<Node>,
    /// Item numbers in the order of the leaves.
    items: Vec<u32>,
}

/// The boxes of up to 8 children, `bounds[axis][child]`.
///
/// An unused place has `min > max` and is never touched.
#[derive(Debug, Clone)]
struct Node {
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
    child: [Child; WIDTH],
}

/// Where a child is found.
#[derive(Debug, Clone, Copy)]
struct Child {
    /// The first of `count` items in leaf order, or the index of a node where `count` is 0.
    index: u32,
    count: u32,
}

impl Node {
    /// Unused children are boxes turned inside out, which nothing enters before it leaves them.
    /// They are finite, because widening an infinite interval would make it NaN.
    const EMPTY: Self = Self {
        min: [[f32::MAX; WIDTH]; 3],
        max: [[f32::MIN; WIDTH]; 3],
        child: [Child { index: 0, count: 0 }; WIDTH],
    };

    fn set_bounds(&mut self, child: usize, bounds: &Aabb) {
        for axis in 0..3 {
            self.min[axis][child] = bounds.min()[axis];
            self.max[axis][child] = bounds.max()[axis];
        }
    }

    fn is_used(&self, child: usize) -> bool {
        self.min[0][child] <= self.max[0][child]
    }

    /// The box around all children.
    fn bounds(&self) -> Option<Aabb> {
        (0..WIDTH)
            .filter(|child| self.is_used(*child))
            .map(|child| self.child_bounds(child))
            .reduce(|all, one| all.union(&one))
    }

    fn child_bounds(&self, child: usize) -> Aabb {
        let corner =
            |side: &[[f32; WIDTH]; 3]| Vec3::new(side[0][child], side[1][child], side[2][child]);
        Aabb::from_ordered(corner(&self.min), corner(&self.max))
    }
}

impl Bvh {
    /// The box around all items, or `None` without items.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        self.nodes.first().and_then(Node::bounds)
    }

    /// Fits every box to its items anew, where items have moved but are the same in number.
    pub(crate) fn refit(&mut self, item_bounds: impl Fn(u32) -> Aabb) {
        // Children stand after their parents, so from the back each node's children are ready.
        for index in (0..self.nodes.len()).rev() {
            for place in 0..WIDTH {
                let child = self.nodes[index].child[place];
                if !self.nodes[index].is_used(place) {
                    continue;
                }
                let bounds = if child.count == 0 {
                    self.nodes[child.index as usize].bounds()
                } else {
                    self.leaf_items(child)
                        .iter()
                        .map(|item| item_bounds(*item))
                        .reduce(|all, one| all.union(&one))
                };
                if let Some(bounds) = bounds {
                    self.nodes[index].set_bounds(place, &bounds);
                }
            }
        }
    }

    /// The bytes that the tree takes.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice()) + size_of_val(self.items.as_slice())
    }

    fn leaf_items(&self, child: Child) -> &[u32] {
        &self.items[child.index as usize..(child.index + child.count) as usize]
    }
}
