//! A tree over the parts of a model: in a pose, or of an instance in the world.

use crate::Aabb;
use crate::bvh::{Bvh, TraversalQuery, Watch};
use core::ops::ControlFlow;

/// Up to so many parts are tested one by one; over more there is a tree.
const FEW_PARTS: usize = 4;

/// A tree over parts, and which part each of its items is.
#[derive(Debug, Clone)]
pub(crate) struct PartTree {
    pub(crate) tree: Bvh,
    pub(crate) parts: Vec<u32>,
}

impl PartTree {
    /// The tree over the parts with these boxes, if they are many.
    pub(crate) fn over(boxes: impl Iterator<Item = (u32, Aabb)>) -> Option<Self> {
        // Most models have few, whose boxes need not be put together.
        if boxes.size_hint().1.is_some_and(|most| most <= FEW_PARTS) {
            return None;
        }
        let (parts, boxes): (Vec<u32>, Vec<Aabb>) = boxes.unzip();
        (parts.len() > FEW_PARTS).then(|| Self {
            tree: Bvh::build(&boxes),
            parts,
        })
    }

    /// Visits the parts that `query` may touch, by index; as [`Bvh::cast_watched`].
    pub(crate) fn cast_watched(
        &self,
        query: &TraversalQuery,
        limit: f32,
        watch: impl Watch + Copy,
        mut visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let visit = |item: u32| visit(self.parts[item as usize]);
        self.tree.cast_watched(query, limit, watch, visit)
    }

    /// The bytes that it takes on the heap.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.tree.memory_bytes() + size_of_val(self.parts.as_slice())
    }
}
