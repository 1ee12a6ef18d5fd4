//! A query's traversal of the tree that can be suspended and resumed, step by step, in a wavefront
//! (`query/wavefront.rs`). `single.rs` has that of one query from end to end.

use super::prepared::TraversalRay;
use super::single::Planes;
use super::sorted_stack::Traversal;
use crate::bvh::{Bvh, TraversalQuery};
use crate::query::wavefront::List;
use crate::simd::dispatch;
use crate::simd::prefetch;
use fearless_simd::{Simd, mask32x8, prelude::*};

/// A query on its way, nearest boxes first.
pub(crate) struct Cursor {
    prepared: TraversalRay,
    traversal: Traversal,
}

impl Cursor {
    pub(crate) fn new() -> Self {
        Self {
            prepared: TraversalRay::NONE,
            traversal: Traversal::new(),
        }
    }

    /// The prepared query, once the cursor is initialised.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn prepared(&self) -> &TraversalRay {
        &self.prepared
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn keep_before(&mut self, limit: f32) {
        self.traversal.keep_before(self.prepared.time_limit(limit));
    }

    /// The prepared query's time from which on nothing matters.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn time_limit(&self) -> f32 {
        self.traversal.time_limit
    }

    /// Empties the stack, so that the traversal ends.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn stop(&mut self) {
        self.traversal.stack.clear();
    }

    /// The index of the leaf where the cursor is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn leaf(&self) -> u32 {
        self.traversal.child.number()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_at_leaf(&self) -> bool {
        self.traversal.child.is_leaf()
    }

    /// Pops the top, if that may still be touched: the cursor is then there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn step(&mut self) -> bool {
        self.traversal.step()
    }

    /// Pops down to an entry that may still be touched, if there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn advance(&mut self) -> bool {
        self.traversal.advance()
    }
}

impl Bvh {
    /// Initialises each cursor with the query of its place, and lists those that may touch anything.
    pub(crate) fn init_all<const N: usize>(
        &self,
        cursors: &mut [Cursor],
        query_of: &dyn Fn(usize) -> TraversalQuery,
        at_nodes: &mut List<N>,
    ) {
        dispatch!(self.width(), simd => for (place, cursor) in cursors.iter_mut().enumerate() {
            let may_touch = self.send(simd, cursor, (&query_of(place), f32::INFINITY));
            at_nodes.push_if(place, may_touch);
        });
    }

    /// Tests the nodes where these cursors are. What may be touched waits.
    pub(crate) fn test_nodes<const N: usize>(&self, cursors: &mut [Cursor], at_nodes: &List<N>) {
        dispatch!(self.width(), simd => for place in at_nodes.iter() {
            self.test_node(simd, &mut cursors[place]);
        });
    }

    /// Moves these cursors on to what waits, and lists those that are at nodes and those at leaves; what they will
    /// read of the tree is prefetched. The others have ended.
    pub(crate) fn move_on<const N: usize>(
        &self,
        cursors: &mut [Cursor],
        moving: &List<N>,
        [at_nodes, at_leaves]: [&mut List<N>; 2],
    ) {
        let (mut nodes, mut leaves) = (at_nodes.refill(), at_leaves.refill());
        for place in moving.iter() {
            let cursor = &mut cursors[place];
            let is_active = cursor.advance();
            let is_at_leaf = cursor.is_at_leaf();
            nodes.push_if(place, is_active & !is_at_leaf);
            leaves.push_if(place, is_active & is_at_leaf);
        }
        drop(nodes);
        for place in at_nodes.iter() {
            self.fetch_node(&cursors[place]);
        }
    }
}

impl<B: Clone> Bvh<B> {
    /// Sends the cursor out from the root with a query, if it may touch anything; hits after t = `limit`
    /// do not matter.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn send<S: Simd>(
        &self,
        simd: S,
        cursor: &mut Cursor,
        (query, limit): (&TraversalQuery, f32),
    ) -> bool {
        let may_touch = self.prepare_into(simd, query, &mut cursor.prepared);
        if may_touch {
            cursor.traversal.init(cursor.prepared.time_limit(limit));
        }
        may_touch
    }

    /// Finds which children of the node where the cursor is may be touched. They wait, the nearest
    /// on top.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn test_node<S: Simd>(&self, simd: S, cursor: &mut Cursor) {
        let node = &self.nodes[cursor.traversal.child.place()];
        let planes = Planes::new(simd, &cursor.prepared);
        let (touched, times) = planes.test(simd, node, cursor.traversal.time_limit);
        let touched = touched & mask32x8::from_bitmask(simd, u64::from(node.used));
        cursor.traversal.stack.push(simd, node, times, touched);
    }

    /// Prefetches the node where the cursor is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn fetch_node(&self, cursor: &Cursor) {
        let node = self
            .nodes
            .as_ptr()
            .wrapping_add(cursor.traversal.child.place());
        prefetch(node);
    }

    /// Prefetches the leaf where the cursor is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn fetch_leaf(&self, cursor: &Cursor) {
        let block = self
            .blocks
            .as_ptr()
            .wrapping_add(cursor.traversal.child.place());
        prefetch(block);
    }
}
