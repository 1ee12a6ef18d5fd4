//! Searching the tree best first, with a lower bound on the keys of items inside a box.
//!
//! Where many items tie, as when a box falls onto flat ground, a bound on the key alone culls nothing:
//! the tree keeps the lowest item of each subtree, so that bounds also order ties, and a node that
//! can only tie with a lower item is culled.
//!
//! Where keys are times and as long as nothing is found, children are entered in the order of the times
//! at which their boxes are, in f32: most searches for what a moving shape first touches end there,
//! without anything.

use super::prepared::TraversalRay;
use super::single::{NodeTest, Planes, first_of};
use super::stack::{Entry, Stack};
use crate::Aabb;
use crate::bvh::node::{Child, ChildKind, Node};
use crate::bvh::{Bvh, NO_ITEM};
use core::cmp::{Ordering, Reverse};
use fearless_simd::Simd;
use std::collections::BinaryHeap;

/// A search for the item of the smallest key, an f64; of equal keys the lowest item that counts.
pub(crate) trait BestFirst {
    /// Whether keys are the times at which items are touched.
    fn are_keys_times(&self) -> bool;

    /// No item inside the box has a lower key; `None` where none counts.
    fn lower_bound(&self, bounds: &Aabb) -> Option<f64>;

    /// Whether items of keys not below `bound`, and not lower than `item`, still matter.
    fn admits(&mut self, bound: f64, item: u32) -> bool;

    /// Whether an item is found with which others may tie.
    fn has_found(&self) -> bool;

    /// Whether no other item matters.
    fn is_done(&self) -> bool;

    /// What is touched after this t does not matter.
    fn time_limit(&self) -> f32;

    /// Visits the items of a leaf that may be touched before a time of the prepared query, and whose
    /// keys are not below the bound if there is one.
    fn visit_leaf<S: Simd>(&mut self, simd: S, leaf: u32, time_limit: f32, bound: Option<f64>);
}

/// A child that may hold what is searched for, by the smallest key of it and the lowest item.
#[derive(Clone, Copy)]
struct Candidate {
    bound: f64,
    lowest: u32,
    child: u32,
}

impl Candidate {
    /// In the order in which candidates are visited.
    fn compare(&self, other: &Self) -> Ordering {
        self.bound
            .total_cmp(&other.bound)
            .then(self.lowest.cmp(&other.lowest))
            .then(self.child.cmp(&other.child))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other).is_eq()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.compare(other)
    }
}

impl<B: Clone> Bvh<B> {
    /// Visits the leaves that the prepared query may touch, those of the smallest possible key first, until
    /// others no longer matter. The tree must be one over blocks.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn best_first<S: Simd>(
        &self,
        simd: S,
        prepared: &TraversalRay,
        search: &mut impl BestFirst,
    ) {
        let planes = Planes::new(simd, prepared);
        let mut time_limit = prepared.time_limit(search.time_limit());
        let mut stack = Stack::new();
        let mut depth = 0;
        let mut candidates = BinaryHeap::new();
        let mut child = Child::ROOT;
        // The smallest key that is possible at the child, once candidates are ordered by their keys.
        let mut bound = (!search.are_keys_times()).then_some(f64::NEG_INFINITY);
        loop {
            match child.kind() {
                ChildKind::Leaf(leaf) => {
                    search.visit_leaf(simd, leaf, time_limit, bound);
                    if search.is_done() {
                        return;
                    }
                    time_limit = prepared.time_limit(search.time_limit());
                    if bound.is_none() && search.has_found() {
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

    /// A node's child as a candidate, if it matters.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn candidate(
        &self,
        node: &Node,
        place: usize,
        search: &mut impl BestFirst,
    ) -> Option<Candidate> {
        let bound = search.lower_bound(&node.bounds_at(place))?;
        let child = node.children[place];
        let lowest = self.lowest_item(child);
        search.admits(bound, lowest).then_some(Candidate {
            bound,
            lowest,
            child: child.0,
        })
    }

    /// The lowest item below a child.
    fn lowest_item(&self, child: Child) -> u32 {
        self.lowest_item_below(child.kind())
    }

    /// The lowest item below a child of a tree with blocks.
    pub(crate) fn lowest_item_below(&self, child: ChildKind) -> u32 {
        match child {
            ChildKind::Node(index) => self.lowest_items[index as usize],
            ChildKind::Leaf(leaf) => lowest_of(self.items(leaf)),
        }
    }

    /// Notes the lowest item below each node.
    pub(in crate::bvh) fn note_lowest_items(&mut self) {
        let mut lowest_items = vec![NO_ITEM; self.nodes.len()];
        // Children come after their parents, so from the back each node's children are ready.
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            let below = node.children[..node.len()].iter();
            let lowest = below.map(|child| match child.kind() {
                ChildKind::Node(index) => lowest_items[index as usize],
                ChildKind::Leaf(leaf) => lowest_of(self.items(leaf)),
            });
            lowest_items[index] = lowest.min().unwrap_or(NO_ITEM);
        }
        self.lowest_items = lowest_items.into();
    }
}

/// Places without an item hold the largest number.
fn lowest_of(items: &[u32]) -> u32 {
    items.iter().copied().min().unwrap_or(NO_ITEM)
}
