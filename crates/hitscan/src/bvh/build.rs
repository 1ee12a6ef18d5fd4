//! Building the tree: the binary tree collapsed to 8 children a node.
//!
//! Source: Wald, Benthin, Boulos, "Getting Rid of Packets", RT 2008 (opening the child with the
//! largest area). Read `binary/` for the binary tree.

use super::binary::{BinaryNode, LeafSize, build_binary};
use super::{BuildPreset, Bvh, Child, Node, WIDTH};
use crate::Aabb;
use glam::Vec3;

/// Items are tested one by one.
const LEAF: LeafSize = LeafSize { lanes: 1, most: 4 };

impl Bvh {
    /// A tree over items with these boxes.
    pub(crate) fn build(bounds: &[Aabb]) -> Self {
        let binary = build_binary(bounds, BuildPreset::Balanced, LEAF);
        let mut nodes = Vec::new();
        if !binary.nodes.is_empty() {
            collapse(&binary.nodes, &mut nodes);
        }
        Self {
            nodes,
            items: binary.items,
        }
    }
}

fn collapse(binary: &[BinaryNode], nodes: &mut Vec<Node>) {
    nodes.push(Node::EMPTY);
    let mut tasks = vec![(0usize, 0usize)];
    while let Some((root, index)) = tasks.pop() {
        let mut open = vec![root];
        loop {
            let largest = (0..open.len())
                .filter(|place| binary[open[*place]].count == 0)
                .max_by(|a, b| {
                    binary[open[*a]]
                        .half_area()
                        .total_cmp(&binary[open[*b]].half_area())
                });
            let Some(place) = largest.filter(|_| open.len() < WIDTH) else {
                break;
            };
            let first = binary[open[place]].index as usize;
            open[place] = first;
            open.push(first + 1);
        }
        for (place, child) in open.into_iter().enumerate() {
            let BinaryNode {
                min,
                index: target,
                max,
                count,
            } = binary[child];
            let bounds = Aabb::from_ordered(Vec3::from_array(min), Vec3::from_array(max));
            nodes[index].set_bounds(place, &bounds);
            let target = if count > 0 {
                target
            } else {
                nodes.push(Node::EMPTY);
                tasks.push((child, nodes.len() - 1));
                number(nodes.len() - 1)
            };
            nodes[index].child[place] = Child {
                index: target,
                count,
            };
        }
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("items are numbered by u32, and there are fewer nodes than items")
}
