//! Insertion and removal of one item.
//!
//! Source: Goldsmith, Salmon, "Automatic Creation of Object Hierarchies for Ray Tracing", IEEE CG&A
//! 1987 (an item goes where it adds the smallest surface); here in nodes of eight.

use super::{ChildSlot, Cost, MovingTree};
use crate::Aabb;
use crate::bvh::node::{Child, ChildKind, Node, WIDTH};
use std::sync::Arc;

/// Deeper than this a new tree is due: a binary tree of all items that there may be is no deeper.
const DEEPEST: usize = 40;

impl MovingTree {
    /// Inserts an item into the tree, whose boxes are up to date.
    pub(super) fn insert(&mut self, item: u32) {
        let bounds = self.items[item as usize].bounds;
        let leaf = Child::leaf(item as usize);
        let tree = Arc::make_mut(&mut self.tree);
        let all = tree.bounds.map_or(bounds, |all| all.union(&bounds));
        self.cost.change(&tree.bounds.unwrap_or(all), &all);
        tree.set_bounds(Some(all));
        self.count += 1;
        let mut index = 0;
        let mut depth = 0;
        loop {
            let node = &mut tree.nodes[index as usize];
            let best = best_child(node, &bounds, item >> (3 * (depth % 8)), &self.cost);
            if node.len() < WIDTH && !best.holds_it {
                let place = node.len();
                node.push(leaf, &bounds);
                self.items[item as usize].place = at(index, place);
                return;
            }
            let old = node.bounds_at(best.place);
            let grown = old.union(&bounds);
            node.set_bounds(best.place, &grown);
            depth += 1;
            match node.children[best.place].kind() {
                ChildKind::Node(child) => {
                    self.cost.change(&old, &grown);
                    index = child;
                }
                ChildKind::Leaf(other) => {
                    // The leaf becomes a node of both.
                    let mut both = Node::EMPTY;
                    both.push(Child::leaf(other as usize), &old);
                    both.push(leaf, &bounds);
                    self.cost.total += self.cost.of(&grown);
                    let child = match self.free.pop() {
                        Some(child) => {
                            tree.nodes[child as usize] = both;
                            self.is_ordered &= child > index;
                            child as usize
                        }
                        None => {
                            tree.nodes.to_mut().push(both);
                            self.parents.push(ChildSlot::NOWHERE);
                            self.stale.push(0);
                            tree.nodes.len() - 1
                        }
                    };
                    let node = Child::node(child);
                    tree.nodes[index as usize].children[best.place] = node;
                    self.set_slot_of(node, at(index, best.place));
                    let ChildKind::Node(node) = node.kind() else {
                        return;
                    };
                    self.items[other as usize].place = at(node, 0);
                    self.items[item as usize].place = at(node, 1);
                    if depth > DEEPEST {
                        self.cost.total = f64::INFINITY;
                    }
                    return;
                }
            }
        }
    }

    /// Removes an item from the tree, and marks what is to be refitted.
    ///
    /// Nodes other than the root have at least two children; one that keeps a single child is
    /// replaced by it.
    pub(super) fn take_out(&mut self, item: u32) {
        let from = core::mem::replace(&mut self.items[item as usize].place, ChildSlot::NOWHERE);
        self.count -= 1;
        self.remove_child(from);
        let up = self.parents[from.node as usize];
        let node = &self.tree.nodes[from.node as usize];
        if up == ChildSlot::NOWHERE || node.len() > 1 {
            self.mark(at(from.node, 0));
            return;
        }
        let (only, bounds) = (node.children[0], node.bounds_at(0));
        self.cost.total -= self.cost.of(&self.bounds_of_node(from.node));
        let parent = &mut Arc::make_mut(&mut self.tree).nodes[up.node as usize];
        parent.children[up.place as usize] = only;
        parent.set_bounds(up.place as usize, &bounds);
        self.set_slot_of(only, up);
        self.mark(up);
        self.release(from.node);
    }

    /// Removes a child from its node; the last one takes its slot.
    fn remove_child(&mut self, ChildSlot { node: index, place }: ChildSlot) {
        let node = &mut Arc::make_mut(&mut self.tree).nodes[index as usize];
        let last = node.len() - 1;
        let (child, bounds) = (node.children[last], node.bounds_at(last));
        node.children[place as usize] = child;
        node.set_bounds(place as usize, &bounds);
        node.pop();
        let stale = &mut self.stale[index as usize];
        *stale |= (*stale >> last & 1) << place;
        *stale &= !(1 << last);
        if place as usize != last {
            self.set_slot_of(child, at(index, place as usize));
        }
    }

    /// Frees a node for reuse.
    fn release(&mut self, node: u32) {
        Arc::make_mut(&mut self.tree).nodes[node as usize] = Node::EMPTY;
        self.stale[node as usize] = 0;
        self.free.push(node);
    }

    /// Stores the slot of a child.
    fn set_slot_of(&mut self, child: Child, place: ChildSlot) {
        match child.kind() {
            ChildKind::Leaf(item) => self.items[item as usize].place = place,
            ChildKind::Node(node) => self.parents[node as usize] = place,
        }
    }
}

/// The child of a node that an item goes to.
struct Best {
    place: usize,
    /// Whether it is a node that the item lies in.
    holds_it: bool,
}

/// The cheapest child: a node costs by what it grows, an item by the node that both become.
///
/// Of equals the smaller is taken, then one by `turn`, so that equal boxes spread.
#[cfg_attr(not(debug_assertions), inline(always))]
fn best_child(node: &Node, bounds: &Aabb, turn: u32, cost: &Cost) -> Best {
    let mut best = (f64::INFINITY, f64::INFINITY, WIDTH);
    let mut found = Best {
        place: 0,
        holds_it: false,
    };
    for place in 0..node.len() {
        let own = node.bounds_at(place);
        let (area, grown) = (cost.of(&own), cost.of(&own.union(bounds)));
        let is_node = matches!(node.children[place].kind(), ChildKind::Node(_));
        let price = if is_node { grown - area } else { grown };
        let rank = (price, area, (place + turn as usize) % WIDTH);
        if rank < best {
            best = rank;
            let holds_it = is_node && price <= 0.0;
            found = Best { place, holds_it };
        }
    }
    found
}

fn at(node: u32, place: usize) -> ChildSlot {
    #[expect(clippy::cast_possible_truncation, reason = "a node has eight places")]
    let place = place as u32;
    ChildSlot { node, place }
}
