//! Refit: the boxes of a tree's nodes follow items that have moved.

use super::{ChildSlot, Cost, Item, MovingTree, NOTHING, Node, Scope};
use crate::bvh::Bvh;
use crate::bvh::node::ChildKind;
use crate::simd::dispatch;
use fearless_simd::Simd;
use std::sync::Arc;

impl MovingTree {
    /// Marks a child's box, and those above it, for refitting.
    pub(super) fn mark(&mut self, mut at: ChildSlot) {
        while at != ChildSlot::NOWHERE {
            let stale = &mut self.stale[at.node as usize];
            let was_known = *stale != 0;
            *stale |= 1 << at.place;
            if was_known {
                return;
            }
            at = self.parents[at.node as usize];
        }
    }

    /// Refits all nodes, or those that are marked.
    pub(super) fn refit(&mut self, scope: Scope) {
        if scope == Scope::Stale && self.stale.first().is_none_or(|stale| *stale == 0) {
            return;
        }
        let order = match scope {
            Scope::All if self.is_ordered => None,
            _ => Some(self.nodes_from_the_root(scope)),
        };
        let tree = Arc::make_mut(&mut self.tree);
        let mut fitting = Fitting {
            items: &self.items,
            parents: &self.parents,
            stale: &mut self.stale,
            cost: &mut self.cost,
            scope,
        };
        let width = tree.width;
        dispatch!(width, simd => fitting.fit_all(simd, tree, order.as_deref()));
    }

    /// The nodes in use, or those that are marked; children after their parents.
    fn nodes_from_the_root(&self, scope: Scope) -> Vec<u32> {
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&index) = order.get(next) {
            next += 1;
            let node = &self.tree.nodes[index as usize];
            let stale = match scope {
                Scope::All => u8::MAX,
                Scope::Stale => self.stale[index as usize],
            };
            for (place, child) in node.children[..node.len()].iter().enumerate() {
                if let ChildKind::Node(child) = child.kind()
                    && stale >> place & 1 != 0
                {
                    order.push(child);
                }
            }
        }
        order
    }
}

struct Fitting<'a> {
    items: &'a [Item],
    parents: &'a [ChildSlot],
    stale: &'a mut [u8],
    cost: &'a mut Cost,
    scope: Scope,
}

impl Fitting<'_> {
    /// Refits nodes from the last to the first, so that each node's children are ready.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fit_all<S: Simd>(&mut self, simd: S, tree: &mut Bvh, order: Option<&[u32]>) {
        match order {
            Some(order) => {
                for &index in order.iter().rev() {
                    self.fit(simd, tree, index as usize);
                }
            }
            None => {
                for index in (0..tree.nodes.len()).rev() {
                    self.fit(simd, tree, index);
                }
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fit<S: Simd>(&mut self, simd: S, tree: &mut Bvh, index: usize) {
        let node: &mut Node = &mut tree.nodes[index];
        let is_free = node.used == 0 && self.parents[index] != ChildSlot::NOWHERE;
        if is_free {
            return;
        }
        let stale = match self.scope {
            Scope::All => u8::MAX,
            Scope::Stale => self.stale[index],
        };
        self.stale[index] = 0;
        for place in 0..node.len() {
            if let ChildKind::Leaf(item) = node.children[place].kind()
                && stale >> place & 1 != 0
            {
                node.set_bounds(place, &self.items[item as usize].bounds);
            }
        }
        let bounds = node.bounds(simd);
        let old = match self.parents[index] {
            ChildSlot::NOWHERE => {
                let old = tree.bounds.unwrap_or(NOTHING);
                tree.set_bounds((bounds != NOTHING).then_some(bounds));
                old
            }
            ChildSlot { node, place } => {
                let parent = &mut tree.nodes[node as usize];
                let old = parent.bounds_at(place as usize);
                parent.set_bounds(place as usize, &bounds);
                old
            }
        };
        self.cost.change(&old, &bounds);
    }
}
