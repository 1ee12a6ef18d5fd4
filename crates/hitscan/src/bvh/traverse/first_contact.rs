//! Searching the tree for what a moving shape first touches, where keys are times.
//!
//! As long as nothing is found, children are entered in the order of the times at which their boxes are,
//! in f32: most searches end there, without anything. From the first that is found on the search
//! goes on best first, where ties are told apart (`best_first.rs`).

use super::best_first::{BestFirst, Candidate};
use super::prepared::TraversalRay;
use super::single::{NodeTest, Planes, first_of};
use super::stack::{Entry, Stack};
use crate::bvh::Bvh;
use crate::bvh::node::{Child, ChildKind};
use core::cmp::Reverse;
use fearless_simd::Simd;
use std::collections::BinaryHeap;

/// A search for the item that is touched first.
pub(crate) trait FirstContact: BestFirst {
    /// Whether an item is found with which others may tie.
    fn has_found(&self) -> bool;

    /// Whether no other item matters.
    fn is_done(&self) -> bool;

    /// Visits the items of a leaf that may be touched before a time of the prepared query, and whose
    /// keys are not below the bound if there is one.
    fn visit_leaf<S: Simd>(&mut self, simd: S, leaf: u32, time_limit: f32, bound: Option<f64>);
}

impl<B> Bvh<B> {
    /// Visits the leaves that the prepared query may touch until others no longer matter. The tree must
    /// be one over blocks.
    #[inline(always)]
    pub(crate) fn first_contact<S: Simd>(
        &self,
        simd: S,
        prepared: &TraversalRay,
        search: &mut impl FirstContact,
    ) {
        let planes = Planes::new(simd, prepared);
        let mut time_limit = prepared.time_limit(search.time_limit());
        let mut stack = Stack::new();
        let mut depth = 0;
        let mut candidates = BinaryHeap::new();
        let mut child = Child::ROOT;
        // The least key that is possible at the child, once something is found.
        let mut bound = None;
        loop {
            match child.kind() {
                ChildKind::Leaf(leaf) => {
                    search.visit_leaf(simd, leaf, time_limit, bound);
                    if search.is_done() {
                        return;
                    }
                    if search.has_found() {
                        time_limit = prepared.time_limit(search.time_limit());
                        while let Some(entry) = stack.pop(&mut depth) {
                            if entry <= Entry::last(time_limit) {
                                candidates.push(Reverse(self.waiting(prepared, entry)));
                            }
                        }
                        bound = Some(f64::NEG_INFINITY);
                    }
                }
                ChildKind::Node(index) => {
                    let node = &self.nodes[index as usize];
                    let (touched, times) = planes.touched(simd, index, node, time_limit);
                    let mut touched = touched & node.used;
                    if bound.is_some() {
                        while touched != 0 {
                            let candidate = self.candidate(node, first_of(&mut touched), search);
                            candidates.extend(candidate.map(Reverse));
                        }
                    } else {
                        stack.reserve(&mut depth);
                        let base = depth;
                        while touched != 0 {
                            let place = first_of(&mut touched);
                            let entry = Entry::new(times[place], node.children[place]);
                            self.prefetch(entry.child());
                            stack.insert(base, &mut depth, entry);
                        }
                    }
                }
            }
            if bound.is_none() {
                match stack.pop(&mut depth) {
                    None => return,
                    Some(entry) => child = entry.child(),
                }
            } else {
                let Some(Reverse(best)) = candidates.pop() else {
                    return;
                };
                // Those that remain have no lower bounds, and of the same bound no lower items.
                if !search.admits(best.bound, best.lowest) {
                    return;
                }
                (child, bound) = (Child(best.child), Some(best.bound));
            }
        }
    }

    /// What waits on the stack as a candidate.
    fn waiting(&self, prepared: &TraversalRay, entry: Entry) -> Candidate {
        let child = entry.child();
        Candidate {
            bound: prepared.earliest(entry.time()),
            lowest: self.lowest_item(child),
            child: child.0,
        }
    }
}
