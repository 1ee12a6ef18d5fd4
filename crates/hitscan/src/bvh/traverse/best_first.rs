//! Searching the tree best first, with a lower bound on the keys of items inside a box.
//!
//! Where many items tie, as when a box falls onto flat ground, a bound on the key alone leaves out nothing:
//! the tree keeps the lowest item of each subtree, so that bounds also order ties, and a node that
//! can only tie with a lower item is left out.

use super::prepared::TraversalRay;
use super::single::{Planes, first_of};
use crate::Aabb;
use crate::bvh::node::{Child, ChildKind, Node};
use crate::bvh::{Bvh, NO_ITEM, TraversalQuery};
use crate::simd::dispatch;
use core::cmp::{Ordering, Reverse};
use core::ops::ControlFlow;
use fearless_simd::Simd;
use std::collections::BinaryHeap;

/// A search for the item of the least key, an f64; of equal keys the lowest item that counts.
pub(crate) trait BestFirst {
    /// No item inside the box has a lower key; `None` where none counts.
    fn lower_bound(&self, bounds: &Aabb) -> Option<f64>;

    /// Whether items of keys not below `bound`, and not lower than `item`, still matter.
    fn admits(&mut self, bound: f64, item: u32) -> bool;

    /// What is touched after this t does not matter.
    fn time_limit(&self) -> f32;

    fn visit(&mut self, item: u32);
}

/// A child that may hold what is searched for, by the least key of it and the lowest item.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) bound: f64,
    pub(super) lowest: u32,
    pub(super) child: u32,
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

/// How many candidates have room before memory is allocated again.
const USUAL_CANDIDATES: usize = 64;

impl<B> Bvh<B> {
    /// Visits the items that `query` may touch, those of the least possible key first, until the
    /// others no longer matter. The tree must be one over blocks.
    pub(crate) fn best_first(&self, query: &TraversalQuery, search: &mut dyn BestFirst) {
        dispatch!(self.width, simd => self.best_first_with(simd, query, search));
    }

    #[inline(always)]
    fn best_first_with<S: Simd>(
        &self,
        simd: S,
        query: &TraversalQuery,
        search: &mut dyn BestFirst,
    ) {
        let mut ray = TraversalRay::NONE;
        if !self.prepare_into(simd, query, &mut ray) {
            return;
        }
        let planes = Planes::new(simd, &ray);
        let mut candidates = BinaryHeap::with_capacity(USUAL_CANDIDATES);
        let mut child = Child::ROOT;
        loop {
            // Leaves are visited when their turn comes; a node's children become candidates.
            if let ChildKind::Node(index) = child.kind() {
                let node = &self.nodes[index as usize];
                let time_limit = ray.time_limit(search.time_limit());
                let mut touched = planes.touched_children(simd, node, time_limit);
                while touched != 0 {
                    let place = first_of(&mut touched);
                    let candidate = self.candidate(node, place, search);
                    candidates.extend(candidate.map(Reverse));
                }
            }
            let Some(Reverse(best)) = candidates.pop() else {
                return;
            };
            // Those that remain have no lower bounds, and of the same bound no lower items.
            if !search.admits(best.bound, best.lowest) {
                return;
            }
            child = Child(best.child);
            if let ChildKind::Leaf(leaf) = child.kind() {
                self.visit_leaf(leaf, best.bound, search);
            }
        }
    }

    /// A node's child as a candidate, if it matters.
    #[inline(always)]
    pub(super) fn candidate(
        &self,
        node: &Node,
        place: usize,
        search: &mut (impl BestFirst + ?Sized),
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

    fn visit_leaf(&self, leaf: u32, bound: f64, search: &mut dyn BestFirst) {
        let _ = self.for_each_item(leaf, |item| {
            if search.admits(bound, item) {
                search.visit(item);
            }
            ControlFlow::Continue(())
        });
    }

    /// The lowest item below a child.
    pub(super) fn lowest_item(&self, child: Child) -> u32 {
        match child.kind() {
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
        self.lowest_items = lowest_items;
    }
}

/// Places without an item hold the greatest number.
fn lowest_of(items: &[u32]) -> u32 {
    items.iter().copied().min().unwrap_or(NO_ITEM)
}
