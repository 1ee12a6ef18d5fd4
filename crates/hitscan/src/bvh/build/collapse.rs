//! Making nodes of 8 children, and leaves, out of a binary tree.
//!
//! Source: Wald, Benthin, Boulos, "Getting Rid of Packets", RT 2008 (a node opens its child with the
//! largest area until it has as many as it can hold).

use super::{BinaryNode, BinaryTree, LeafRule, LeafSize, build_binary};
use crate::Aabb;
use crate::bvh::node::{Child, Node, WIDTH};
use crate::bvh::{BuildPreset, Bvh, LEAF_ITEMS, LeafItems, NO_ITEM};
use crate::cancel::{Cancel, Cancelled};
use crate::storage::Array;
use glam::Vec3;

/// The number of items that a node takes as children, side by side.
const NODE_ITEMS: LeafSize = LeafSize {
    lanes: WIDTH,
    most: WIDTH,
    whole: 1,
};

/// What of the binary tree becomes a block, whatever it looks like.
const BLOCK_ITEMS: LeafSize = LeafSize {
    lanes: 1,
    most: 2,
    whole: 2,
};

/// One node of so many looks whether the build is to go on.
const NODES_BEFORE_LOOK: usize = 1 << 10;

impl Bvh {
    /// A tree over items with these boxes, each a leaf of its own.
    pub(crate) fn build(bounds: &[Aabb]) -> Self {
        Self::build_items(bounds, BuildPreset::default(), |place| place, Cancel::NEVER)
            .unwrap_or_default()
    }

    /// A tree over items with these boxes, each a leaf of its own and called what `name` says of its
    /// place among the boxes.
    pub(in crate::bvh) fn build_items(
        bounds: &[Aabb],
        preset: BuildPreset,
        name: impl Fn(u32) -> u32,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let mut tree = Self::default();
        let rule = LeafRule {
            size: NODE_ITEMS,
            is_leaf: &|_| false,
        };
        let binary = build_binary(bounds, preset, rule, cancel)?;
        let Some(root) = binary.nodes.first() else {
            return Ok(tree);
        };
        tree.set_bounds(Some(bounds_of(root)));
        tree.nodes.to_mut().push(Node::EMPTY);
        let mut tasks = vec![(0usize, 0usize)];
        while let Some((root, index)) = tasks.pop() {
            if index % NODES_BEFORE_LOOK == 0 {
                cancel.check()?;
            }
            let mut node = Node::EMPTY;
            for child in opened_to_items(&binary.nodes, root) {
                let binary_node = &binary.nodes[child];
                if binary_node.count == 0 || child != root && binary_node.count > 1 {
                    tree.nodes.to_mut().push(Node::EMPTY);
                    tasks.push((child, tree.nodes.len() - 1));
                    node.push(Child::node(tree.nodes.len() - 1), &bounds_of(binary_node));
                } else {
                    let items = binary_node.index as usize..;
                    for &item in &binary.items[items][..binary_node.count as usize] {
                        node.push(Child::leaf(name(item) as usize), &bounds[item as usize]);
                    }
                }
            }
            tree.nodes[index] = node;
        }
        Ok(tree)
    }
}

impl<B: Clone> Bvh<B> {
    /// A tree over items with these boxes, whose leaves hold as many as fit one block: `fit` answers
    /// the plan of a block of these items, at most 8, if there is one. There is for any two items.
    pub(crate) fn build_in_blocks<P>(
        bounds: &[Aabb],
        preset: BuildPreset,
        fit: impl Fn(&[u32]) -> Option<P> + Sync,
        make_block: impl Fn(&P) -> B,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let rule = LeafRule {
            size: BLOCK_ITEMS,
            is_leaf: &|items| fit(items).is_some(),
        };
        let binary = build_binary(bounds, preset, rule, cancel)?;
        Self::collapsed(&binary, fit, make_block, cancel)
    }

    /// A tree over leaves that are made already, each with its box, its items and its block.
    pub(crate) fn over_leaves(
        bounds: &[Aabb],
        leaves: Vec<LeafItems>,
        blocks: Vec<B>,
        preset: BuildPreset,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let tree = Bvh::build_items(bounds, preset, |leaf| leaf, cancel)?;
        let mut tree = Self {
            nodes: tree.nodes,
            leaves: leaves.into(),
            blocks: blocks.into(),
            lowest_items: Array::default(),
            bounds: tree.bounds,
            max_abs: tree.max_abs,
            exact_root: None,
            width: tree.width,
        };
        cancel.check()?;
        tree.note_lowest_items();
        Ok(tree)
    }

    fn collapsed<P>(
        binary: &BinaryTree,
        fit: impl Fn(&[u32]) -> Option<P>,
        make_block: impl Fn(&P) -> B,
        cancel: Cancel<'_>,
    ) -> Result<Self, Cancelled> {
        let mut tree = Self::default();
        let Some(root) = binary.nodes.first() else {
            return Ok(tree);
        };
        tree.set_bounds(Some(bounds_of(root)));
        let leaf_at = |node: usize| {
            let BinaryNode { index, count, .. } = binary.nodes[node];
            if count == 0 {
                return None;
            }
            let items = &binary.items[index as usize..][..count as usize];
            fit(items).map(|plan| (items, plan))
        };
        tree.nodes.to_mut().push(Node::EMPTY);
        let mut tasks = vec![(0usize, 0usize)];
        let mut opening = Opening::new();
        while let Some((root, index)) = tasks.pop() {
            if index % NODES_BEFORE_LOOK == 0 {
                cancel.check()?;
            }
            opening.open(&binary.nodes, root, leaf_at);
            for (child, leaf) in opening.children() {
                let place = match leaf {
                    Some((items, plan)) => {
                        let mut leaf = [NO_ITEM; LEAF_ITEMS];
                        leaf[..items.len()].copy_from_slice(items);
                        tree.leaves.to_mut().push(leaf);
                        tree.blocks.to_mut().push(make_block(plan));
                        Child::leaf(tree.leaves.len() - 1)
                    }
                    None => {
                        tree.nodes.to_mut().push(Node::EMPTY);
                        tasks.push((child, tree.nodes.len() - 1));
                        Child::node(tree.nodes.len() - 1)
                    }
                };
                tree.nodes[index].push(place, &bounds_of(&binary.nodes[child]));
            }
        }
        cancel.check()?;
        tree.note_lowest_items();
        Ok(tree)
    }
}

/// The descendants of a node that become its children, one node after the other in the same memory.
struct Opening<L> {
    nodes: [usize; WIDTH],
    /// What those that are leaves become.
    leaves: [Option<L>; WIDTH],
    /// Of those that may be opened.
    areas: [f64; WIDTH],
    count: usize,
}

impl<L> Opening<L> {
    /// In place of a leaf's area: smaller than all.
    const CLOSED: f64 = -1.0;

    fn new() -> Self {
        Self {
            nodes: [0; WIDTH],
            leaves: [const { None }; WIDTH],
            areas: [Self::CLOSED; WIDTH],
            count: 0,
        }
    }

    /// Opens a node; what `leaf_at` returns a value for becomes a leaf.
    fn open(&mut self, binary: &[BinaryNode], root: usize, leaf_at: impl Fn(usize) -> Option<L>) {
        let put = |all: &mut Self, place: usize, node: usize| {
            all.nodes[place] = node;
            all.leaves[place] = leaf_at(node);
            all.areas[place] = match all.leaves[place] {
                Some(_) => Self::CLOSED,
                None => binary[node].half_area(),
            };
        };
        put(self, 0, root);
        self.count = 1;
        while self.count < WIDTH {
            let mut place = 0;
            for other in 1..self.count {
                // The later of equal ones.
                if self.areas[other] >= self.areas[place] {
                    place = other;
                }
            }
            if self.areas[place] == Self::CLOSED {
                return;
            }
            let first = binary[self.nodes[place]].index as usize;
            put(self, place, first);
            put(self, self.count, first + 1);
            self.count += 1;
        }
    }

    fn children(&self) -> impl Iterator<Item = (usize, Option<&L>)> {
        let leaves = self.leaves.iter().map(Option::as_ref);
        self.nodes.into_iter().zip(leaves).take(self.count)
    }
}

/// The descendants of a node that become its children; the node itself where it has only items.
fn opened_to_items(binary: &[BinaryNode], root: usize) -> impl Iterator<Item = usize> {
    let mut open = [root; WIDTH];
    let mut count = 1;
    while count < WIDTH {
        let largest = (0..count)
            .filter(|place| binary[open[*place]].count == 0)
            .max_by(|a, b| {
                let area = |place: usize| binary[open[place]].half_area();
                area(*a).total_cmp(&area(*b))
            });
        let Some(place) = largest else { break };
        let first = binary[open[place]].index as usize;
        open[place] = first;
        open[count] = first + 1;
        count += 1;
    }
    open.into_iter().take(count)
}

fn bounds_of(node: &BinaryNode) -> Aabb {
    Aabb::from_ordered(Vec3::from_array(node.min), Vec3::from_array(node.max))
}
