//! A dynamic tree: items are inserted, removed and moved.
//!
//! Changes are collected and applied all at once; an update costs what has changed. Small changes
//! are inserted into the existing tree, whose quality is measured by the surface area heuristic:
//! when the tree has become worse than a new one would be by more than it is worth, a new one is
//! built. Answers depend on none of this.

mod edit;
mod refit;

use super::node::{ChildKind, NOTHING, Node};
use super::{BuildPreset, Bvh};
use crate::Aabb;
use crate::cancel::Cancel;
use crate::simd::Width;
use std::sync::Arc;

/// How much worse than at its best a tree may become before it is rebuilt.
///
/// Of 100,000 boxes of 1 m, 2 m apart, that all move by up to 0.1 m a frame this is reached every 17
/// frames, when queries take a quarter longer; building takes as long as 25 refits.
const WORST: f64 = 1.4;

/// Where more than one in this many items is new, a tree is rebuilt: an insertion costs about
/// twice what building costs an item, and leaves the tree somewhat worse.
const NEW_FRACTION: usize = 2;

/// Where more than one in this many items has moved, all stay in their nodes. Taking one out and
/// putting it in elsewhere costs about 30 times what its part of a frame costs where all are
/// refitted, and sometimes rebuilt.
const MOVED_FRACTION: usize = 32;

/// Trees of no more nodes are not rebuilt for the nodes that they do not use.
const FEW_NODES: usize = 64;

/// The slot of a child in a tree: its node, and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ChildSlot {
    node: u32,
    place: u32,
}

impl ChildSlot {
    /// Of what is not in the tree, and of the root.
    const NOWHERE: Self = Self {
        node: u32::MAX,
        place: 0,
    };
}

/// An item as last set, and its slot.
#[derive(Debug, Clone, Copy)]
struct Item {
    /// [`NOTHING`] where there is no such item.
    bounds: Aabb,
    place: ChildSlot,
}

impl Item {
    const ABSENT: Self = Self {
        bounds: NOTHING,
        place: ChildSlot::NOWHERE,
    };

    fn exists(&self) -> bool {
        self.bounds != NOTHING
    }

    fn is_in_tree(&self) -> bool {
        self.place != ChildSlot::NOWHERE
    }
}

/// Which nodes are refitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    /// Those in which something has changed.
    Stale,
}

/// A dynamic tree over items with small numbers as indices.
#[derive(Debug, Clone, Default)]
pub(crate) struct MovingTree {
    /// As of the last update; snapshots share it.
    tree: Arc<Bvh>,
    items: Vec<Item>,
    /// The items that were set since the last update, each once.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    /// The number of items in the tree.
    count: usize,
    /// The parent slot of each node; meaningless for unused nodes.
    parents: Vec<ChildSlot>,
    /// A bit for each child whose box is to be refitted.
    stale: Vec<u8>,
    /// Nodes that are not used.
    free: Vec<u32>,
    /// Whether children follow their parents.
    is_ordered: bool,
    /// Whether the tree was made elsewhere, and nothing but it is known yet.
    is_bare: bool,
    cost: Cost,
    width: Option<Width>,
}

/// The tree's cost by the surface area heuristic: the sum of its nodes' areas, which is proportional
/// to the expected number of visits.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    /// By how much edges are lengthened, so that flat boxes have a cost.
    extra_edge: f64,
    total: f64,
    /// The smallest since the tree was built.
    min: f64,
}

impl Cost {
    /// The amount by which edges are lengthened, relative to the tree's longest edge.
    const EXTRA_FRACTION: f64 = 1.0 / 4096.0;

    /// A node's cost, half of its surface; 0 for [`NOTHING`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(&self, bounds: &Aabb) -> f64 {
        if bounds.min().x > bounds.max().x {
            return 0.0;
        }
        let size = bounds.max().as_dvec3() - bounds.min().as_dvec3() + self.extra_edge;
        size.x * (size.y + size.z) + size.y * size.z
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn change(&mut self, from: &Aabb, to: &Aabb) {
        self.total += self.of(to) - self.of(from);
    }
}

impl Bvh {
    /// The tree that is built over items with these numbers and boxes.
    pub(crate) fn over_items(numbers: &[u32], bounds: &[Aabb]) -> Self {
        let name = |place: u32| numbers[place as usize];
        let tree = Self::build_items(bounds, BuildPreset::default(), name, Cancel::NEVER);
        tree.unwrap_or_default()
    }
}

impl MovingTree {
    /// A tree that was made elsewhere, each item with its box. Until something changes it is all that there
    /// is.
    pub(crate) fn of_tree(tree: Bvh) -> Self {
        Self {
            tree: Arc::new(tree),
            is_bare: true,
            ..Self::default()
        }
    }

    /// Sets or removes the box of `item`, in effect from the next update.
    ///
    /// Memory is that of the largest number so far.
    pub(crate) fn set(&mut self, item: u32, bounds: Option<Aabb>) {
        if core::mem::take(&mut self.is_bare) {
            self.find_places();
            self.is_changed.resize(self.items.len(), false);
        }
        let index = item as usize;
        if index >= self.items.len() {
            if bounds.is_none() {
                return;
            }
            self.items.resize(index + 1, Item::ABSENT);
            self.is_changed.resize(index + 1, false);
        }
        let bounds = bounds.unwrap_or(NOTHING);
        let own = &mut self.items[index];
        if own.bounds == bounds {
            return;
        }
        own.bounds = bounds;
        if !self.is_changed[index] {
            self.is_changed[index] = true;
            self.changed.push(item);
        }
    }

    /// Gives memory back where there are no items but the first `count`, and all changes are made.
    pub(crate) fn shrink(&mut self, count: usize) {
        self.items.truncate(count);
        self.items.shrink_to_fit();
        self.is_changed.truncate(count);
        self.is_changed.shrink_to_fit();
        self.changed.shrink_to_fit();
        self.parents.shrink_to_fit();
        self.stale.shrink_to_fit();
        self.free.shrink_to_fit();
    }

    /// The tree as of the last update.
    pub(crate) fn tree(&self) -> &Arc<Bvh> {
        &self.tree
    }

    /// Which vector instructions queries use; answers do not depend on them.
    pub(crate) fn set_width(&mut self, width: Width) {
        self.width = Some(width);
        if self.tree.width() != width {
            Arc::make_mut(&mut self.tree).set_width(width);
        }
    }

    /// The bytes that the tree takes, with what is kept to change it.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.tree.memory_bytes()
            + size_of_val(self.items.as_slice())
            + size_of_val(self.changed.as_slice())
            + size_of_val(self.is_changed.as_slice())
            + size_of_val(self.parents.as_slice())
            + size_of_val(self.stale.as_slice())
            + size_of_val(self.free.as_slice())
    }

    /// Brings the tree up to date with what was set. Trees that were cloned from it stay as they are.
    pub(crate) fn update(&mut self) {
        if self.changed.is_empty() {
            return;
        }
        let changed = core::mem::take(&mut self.changed);
        let (mut added, mut removed, mut moved_count) = (Vec::new(), Vec::new(), 0);
        for &item in &changed {
            self.is_changed[item as usize] = false;
            let own = &self.items[item as usize];
            match (own.is_in_tree(), own.exists()) {
                (false, true) => added.push(item),
                (true, false) => removed.push(item),
                (true, true) => moved_count += 1,
                (false, false) => {}
            }
        }
        let is_new = added.len() * NEW_FRACTION > self.count || removed.len() == self.count;
        if is_new {
            self.rebuild();
        } else {
            for &item in &removed {
                self.take_out(item);
            }
            let scope = if moved_count * MOVED_FRACTION > self.count {
                Scope::All
            } else {
                self.take_out_strays(&changed, &mut added);
                Scope::Stale
            };
            self.refit(scope);
            for item in added {
                self.insert(item);
            }
            self.cost.min = self.cost.min.min(self.cost.total);
            let is_worn = self.cost.total > WORST * self.cost.min;
            let is_hollow = self.free.len() > FEW_NODES + self.tree.nodes.len() / 2;
            if is_worn || is_hollow {
                self.rebuild();
            }
        }
        // The list's memory is used again.
        self.changed = changed;
        self.changed.clear();
    }

    /// Marks those items for refitting that have moved in their nodes; the others are taken out, to be added.
    fn take_out_strays(&mut self, changed: &[u32], added: &mut Vec<u32>) {
        for &item in changed {
            let own = &self.items[item as usize];
            if own.is_in_tree() && own.exists() && !self.moves_in_place(item) {
                self.take_out(item);
                added.push(item);
            }
        }
    }

    /// Marks the item's slot if its new box lies in its node; returns whether it does.
    fn moves_in_place(&mut self, item: u32) -> bool {
        let Item { bounds, place } = self.items[item as usize];
        let node = self.bounds_of_node(place.node);
        let stays = node.union(&bounds) == node;
        if stays {
            self.mark(place);
        }
        stays
    }

    /// The box of a node, as stored in its parent.
    fn bounds_of_node(&self, node: u32) -> Aabb {
        match self.parents[node as usize] {
            ChildSlot::NOWHERE => self.tree.bounds.unwrap_or(NOTHING),
            ChildSlot { node, place } => self.tree.nodes[node as usize].bounds_at(place as usize),
        }
    }

    /// Builds a new tree over the items as last set.
    fn rebuild(&mut self) {
        let (numbers, bounds): (Vec<u32>, Vec<Aabb>) = (0..)
            .zip(&self.items)
            .filter_map(|(number, item)| item.exists().then_some((number, item.bounds)))
            .unzip();
        let mut tree = Bvh::over_items(&numbers, &bounds);
        if let Some(width) = self.width {
            tree.set_width(width);
        }
        for item in &mut self.items {
            item.place = ChildSlot::NOWHERE;
        }
        self.tree = Arc::new(tree);
        self.find_places();
    }

    /// Finds the places of items and nodes in a tree that is new, whose children follow their parents, and
    /// what it costs.
    fn find_places(&mut self) {
        let tree = &*self.tree;
        self.count = 0;
        self.free.clear();
        self.is_ordered = true;
        self.stale.clear();
        self.stale.resize(tree.nodes.len(), 0);
        self.parents.clear();
        self.parents.resize(tree.nodes.len(), ChildSlot::NOWHERE);
        let extra = tree.bounds.map_or(0.0, |all| {
            (all.max().as_dvec3() - all.min().as_dvec3()).max_element() * Cost::EXTRA_FRACTION
        });
        self.cost = Cost {
            extra_edge: extra,
            ..Cost::default()
        };
        self.cost.total = tree.bounds.map_or(0.0, |all| self.cost.of(&all));
        for (index, node) in (0..).zip(&tree.nodes) {
            for (place, child) in (0..).zip(&node.children[..node.len()]) {
                let at = ChildSlot { node: index, place };
                match child.kind() {
                    ChildKind::Leaf(item) => {
                        let item = item as usize;
                        if item >= self.items.len() {
                            self.items.resize(item + 1, Item::ABSENT);
                        }
                        self.items[item] = Item {
                            bounds: node.bounds_at(place as usize),
                            place: at,
                        };
                        self.count += 1;
                    }
                    ChildKind::Node(child) => {
                        self.parents[child as usize] = at;
                        self.cost.total += self.cost.of(&node.bounds_at(place as usize));
                    }
                }
            }
        }
        self.cost.min = self.cost.total;
    }
}

#[cfg(test)]
mod tests;
