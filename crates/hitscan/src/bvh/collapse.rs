//! Making nodes of 8 children out of a binary tree.
//!
//! Source: Wald, Benthin, Boulos, "Getting Rid of Packets", RT 2008 (a node opens its child with the
//! largest area until it has as many as it can hold).

use super::build::{BinaryKind, BinaryNode, build_binary, half_area};
use super::node::{Child, Node, WIDTH};
use super::{Bvh, LEAF_ITEMS, NO_ITEM};
use crate::Aabb;

impl<L> Bvh<L> {
    /// A tree over items with these boxes, whose leaves are made of up to 4 item numbers.
    pub(crate) fn build(bounds: &[Aabb], make_leaf: impl Fn(&[u32; LEAF_ITEMS]) -> L) -> Self {
        let mut items: Vec<u32> = (0..).take(bounds.len()).collect();
        let binary = build_binary(bounds, &mut items);
        let mut tree = Self {
            bounds: binary.first().map(|root| root.bounds),
            ..Self::default()
        };
        if !binary.is_empty() {
            tree.collapse(&binary, &items, make_leaf);
        }
        tree
    }

    fn collapse(
        &mut self,
        binary: &[BinaryNode],
        items: &[u32],
        make_leaf: impl Fn(&[u32; LEAF_ITEMS]) -> L,
    ) {
        self.nodes.push(Node::EMPTY);
        let mut tasks = vec![(0usize, 0usize)];
        while let Some((root, index)) = tasks.pop() {
            let mut node = Node::EMPTY;
            for child in opened(binary, root) {
                let place = match binary[child].kind {
                    BinaryKind::Leaf { first, count } => {
                        let mut leaf = [NO_ITEM; LEAF_ITEMS];
                        leaf[..count].copy_from_slice(&items[first..first + count]);
                        self.leaves.push(make_leaf(&leaf));
                        Child::leaf(self.leaves.len() - 1)
                    }
                    BinaryKind::Inner { .. } => {
                        self.nodes.push(Node::EMPTY);
                        tasks.push((child, self.nodes.len() - 1));
                        Child::node(self.nodes.len() - 1)
                    }
                };
                node.push(place, &binary[child].bounds);
            }
            self.nodes[index] = node;
        }
    }
}

/// The descendants of a node that become its children.
fn opened(binary: &[BinaryNode], root: usize) -> impl Iterator<Item = usize> + use<> {
    let mut open = [root; WIDTH];
    let mut count = 1;
    while count < WIDTH {
        let largest = (0..count)
            .filter(|place| matches!(binary[open[*place]].kind, BinaryKind::Inner { .. }))
            .max_by(|a, b| {
                half_area(&binary[open[*a]].bounds).total_cmp(&half_area(&binary[open[*b]].bounds))
            });
        let Some(place) = largest else { break };
        if let BinaryKind::Inner { children } = &binary[open[place]].kind {
            open[place] = children[0];
            open[count] = children[1];
            count += 1;
        }
    }
    open.into_iter().take(count)
}
