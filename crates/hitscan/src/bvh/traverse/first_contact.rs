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
        let mut child = Child::ROOT;
        loop {
            match child.kind() {
                ChildKind::Leaf(leaf) => {
                    search.visit_leaf(simd, leaf, time_limit, None);
                    if search.is_done() {
                        return;
                    }
                    if search.has_found() {
                        break;
                    }
                }
                ChildKind::Node(index) => {
                    let node = &self.nodes[index as usize];
                    let (touched, times) = planes.touched(simd, index, node, time_limit);
                    let mut touched = touched & node.used;
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
            match stack.pop(&mut depth) {
                None => return,
                Some(entry) => child = entry.child(),
            }
        }
        time_limit = prepared.time_limit(search.time_limit());
        let mut candidates = BinaryHeap::new();
        while let Some(entry) = stack.pop(&mut depth) {
            if entry <= Entry::last(time_limit) {
                let lowest = self.lowest_item(entry.child());
                let bound = prepared.earliest(entry.time());
                candidates.push(Reverse(Candidate {
                    bound,
                    lowest,
                    child: entry.child().0,
                }));
            }
        }
        while let Some(Reverse(best)) = candidates.pop() {
            // Those that remain have no lower bounds, and of the same bound no lower items.
            if search.is_done() || !search.admits(best.bound, best.lowest) {
                return;
            }
            match Child(best.child).kind() {
                ChildKind::Leaf(leaf) => {
                    search.visit_leaf(simd, leaf, time_limit, Some(best.bound));
                    time_limit = prepared.time_limit(search.time_limit());
                }
                ChildKind::Node(index) => {
                    let node = &self.nodes[index as usize];
                    let mut touched = planes.touched_children(simd, node, time_limit);
                    while touched != 0 {
                        let place = first_of(&mut touched);
                        let candidate = self.candidate(node, place, search);
                        candidates.extend(candidate.map(Reverse));
                    }
                }
            }
        }
    }
}
