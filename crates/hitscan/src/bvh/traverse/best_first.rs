//! Searching the tree best first, with a lower bound on what a hit inside a box is ranked.
//!
//! Where many items tie, as when a box falls onto flat ground, a bound on t alone leaves out nothing:
//! the tree keeps the lowest item of each subtree, so that bounds also order ties, and a node that
//! can only tie with a hit of a lower item is left out.

use super::prepared::TraversalRay;
use super::single::{Planes, first_of};
use crate::Aabb;
use crate::bvh::node::{Child, ChildKind};
use crate::bvh::{Bvh, NO_ITEM, TraversalQuery};
use crate::shape_cast::{HitOrder, HitRank};
use crate::simd::dispatch;
use core::cmp::Reverse;
use core::ops::ControlFlow;
use fearless_simd::Simd;
use std::collections::BinaryHeap;

/// A search for the hit of the least rank.
pub(crate) trait BestFirst {
    /// No hit inside the box comes before this; `None` where there is none.
    fn lower_bound(&self, bounds: &Aabb) -> Option<HitOrder>;

    /// Only hits of a lower rank still matter.
    fn limit(&self) -> HitRank;

    fn visit(&mut self, item: u32);
}

/// A child that may hold a hit, by the least rank of one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: HitRank,
    child: u32,
}

impl<B> Bvh<B> {
    /// Visits the items that `query` may touch, those of the least possible rank first, until the
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
        let mut candidates = BinaryHeap::new();
        let mut child = Child::ROOT;
        loop {
            // Leaves are visited when their turn comes; a node's children become candidates.
            if let ChildKind::Node(index) = child.kind() {
                let node = &self.nodes[index as usize];
                let time_limit = ray.time_limit(search.limit().order().t());
                let mut touched = planes.touched_children(simd, node, time_limit);
                while touched != 0 {
                    let place = first_of(&mut touched);
                    let Some(order) = search.lower_bound(&node.bounds_at(place)) else {
                        continue;
                    };
                    let child = node.children[place];
                    let rank = HitRank::new(order, self.lowest_item(child));
                    if rank < search.limit() {
                        candidates.push(Reverse(Candidate {
                            rank,
                            child: child.0,
                        }));
                    }
                }
            }
            let Some(Reverse(best)) = candidates.pop() else {
                return;
            };
            if best.rank >= search.limit() {
                return;
            }
            child = Child(best.child);
            if let ChildKind::Leaf(leaf) = child.kind() {
                self.visit_leaf(leaf, best.rank.order(), search);
            }
        }
    }

    fn visit_leaf(&self, leaf: u32, order: HitOrder, search: &mut dyn BestFirst) {
        let _ = self.for_each_item(leaf, |item| {
            if HitRank::new(order, item) < search.limit() {
                search.visit(item);
            }
            ControlFlow::Continue(())
        });
    }

    /// The lowest item below a child.
    fn lowest_item(&self, child: Child) -> u32 {
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
