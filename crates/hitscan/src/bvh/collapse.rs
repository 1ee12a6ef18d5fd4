//! Making nodes of 8 children, and leaves, out of a binary tree.
//!
//! Source: Wald, Benthin, Boulos, "Getting Rid of Packets", RT 2008 (a node opens its child with the
//! largest area until it has as many as it can hold).

use super::binary::{BinaryNode, BinaryTree, LeafSize, build_binary};
use super::node::{Child, Node, WIDTH};
use super::{BuildPreset, Bvh, LEAF_ITEMS, LeafItems, NO_ITEM};
use crate::Aabb;
use glam::Vec3;

/// How many items a node takes as children, side by side.
const NODE_ITEMS: LeafSize = LeafSize {
    lanes: WIDTH,
    most: WIDTH,
};

impl Bvh {
    /// A tree over items with these boxes, each a leaf of its own.
    pub(crate) fn build(bounds: &[Aabb]) -> Self {
        Self::build_items(bounds, BuildPreset::default(), |place| place)
    }

    /// A tree over items with these boxes, each a leaf of its own and called what `name` says of its
    /// place among the boxes.
    pub(super) fn build_items(
        bounds: &[Aabb],
        preset: BuildPreset,
        name: impl Fn(u32) -> u32,
    ) -> Self {
        let mut tree = Self::default();
        let binary = build_binary(bounds, preset, NODE_ITEMS);
        let Some(root) = binary.nodes.first() else {
            return tree;
        };
        tree.set_bounds(Some(bounds_of(root)));
        tree.nodes.push(Node::EMPTY);
        let mut tasks = vec![(0usize, 0usize)];
        while let Some((root, index)) = tasks.pop() {
            let mut node = Node::EMPTY;
            for child in opened_to_items(&binary.nodes, root) {
                let binary_node = &binary.nodes[child];
                if binary_node.count == 0 || child != root && binary_node.count > 1 {
                    tree.nodes.push(Node::EMPTY);
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
        tree
    }
}

impl<B> Bvh<B> {
    /// A tree over items with these boxes, whose leaves hold as many as fit one block.
    pub(crate) fn build_in_blocks(
        bounds: &[Aabb],
        preset: BuildPreset,
        fits_block: impl Fn(&[u32]) -> bool,
        make_block: impl Fn(&LeafItems) -> B,
    ) -> Self {
        let leaf = LeafSize { lanes: 1, most: 1 };
        let binary = build_binary(bounds, preset, leaf);
        Self::collapsed(&binary, fits_block, make_block)
    }

    /// `fits_block` holds for each single item, and for part of what it holds for.
    fn collapsed(
        binary: &BinaryTree,
        fits_block: impl Fn(&[u32]) -> bool,
        make_block: impl Fn(&LeafItems) -> B,
    ) -> Self {
        let mut tree = Self::default();
        let Some(root) = binary.nodes.first() else {
            return tree;
        };
        tree.set_bounds(Some(bounds_of(root)));
        let ranges = item_ranges(&binary.nodes);
        let leaf_items = |node: usize| {
            let (first, count) = ranges[node];
            let items = || &binary.items[first as usize..(first + count) as usize];
            (count as usize <= LEAF_ITEMS)
                .then(items)
                .filter(|items| fits_block(items))
        };
        tree.nodes.push(Node::EMPTY);
        let mut tasks = vec![(0usize, 0usize)];
        while let Some((root, index)) = tasks.pop() {
            let mut node = Node::EMPTY;
            for (child, items) in opened(&binary.nodes, root, &leaf_items) {
                let place = match items {
                    Some(items) => {
                        let mut leaf = [NO_ITEM; LEAF_ITEMS];
                        leaf[..items.len()].copy_from_slice(items);
                        tree.leaves.push(leaf);
                        tree.blocks.push(make_block(&leaf));
                        Child::leaf(tree.leaves.len() - 1)
                    }
                    None => {
                        tree.nodes.push(Node::EMPTY);
                        tasks.push((child, tree.nodes.len() - 1));
                        Child::node(tree.nodes.len() - 1)
                    }
                };
                node.push(place, &bounds_of(&binary.nodes[child]));
            }
            tree.nodes[index] = node;
        }
        tree
    }
}

/// The first of each node's items, and how many they are. Children stand after their parents, and
/// the items of the second child after those of the first.
fn item_ranges(nodes: &[BinaryNode]) -> Vec<(u32, u32)> {
    let mut ranges = vec![(0, 0); nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        ranges[index] = if node.count > 0 {
            (node.index, node.count)
        } else {
            let (left, right) = (ranges[node.index as usize], ranges[node.index as usize + 1]);
            (left.0, left.1 + right.1)
        };
    }
    ranges
}

/// The descendants of a node that become its children, those that are leaves with their items.
fn opened<'a>(
    binary: &[BinaryNode],
    root: usize,
    leaf_items: &dyn Fn(usize) -> Option<&'a [u32]>,
) -> impl Iterator<Item = (usize, Option<&'a [u32]>)> + use<'a> {
    let mut open = [(root, None); WIDTH];
    open[0].1 = leaf_items(root);
    let mut count = 1;
    while count < WIDTH {
        let largest = (0..count)
            .filter(|place| open[*place].1.is_none())
            .max_by(|a, b| {
                let area = |place: usize| binary[open[place].0].half_area();
                area(*a).total_cmp(&area(*b))
            });
        let Some(place) = largest else { break };
        let first = binary[open[place].0].index as usize;
        open[place] = (first, leaf_items(first));
        open[count] = (first + 1, leaf_items(first + 1));
        count += 1;
    }
    open.into_iter().take(count)
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
