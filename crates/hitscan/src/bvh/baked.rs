//! A tree as it is baked, and the checks of what is read.
//!
//! Queries rely on these: each node but the root, and each leaf, is the child of one node, and nodes come
//! after their parents, so that a traversal ends; the numbers of items, leaves and nodes exist; a
//! leaf has an item; a node's boxes are no NaN, and places without a child are inside out.

use super::node::{ChildKind, NOTHING, Node, WIDTH};
use super::{Bvh, LEAF_ITEMS, LeafItems, NO_ITEM};
use crate::baked::{Reader, Writer};
use crate::parallel::check_chunks;
use crate::shape::aabb::MAX_COORDINATE;
use crate::storage::Array;
use crate::{Aabb, Error};
use bytemuck::Pod;
use glam::Vec3;

impl<B: Pod + Sync> Bvh<B> {
    pub(crate) fn bake<'a>(&'a self, writer: &mut Writer<'a>) {
        writer.array(self.nodes.bytes());
        writer.array(self.leaves.bytes());
        writer.array(self.blocks.bytes());
        writer.array(self.lowest_items.bytes());
        let exact_root = self.exact_root.as_deref().map(core::slice::from_ref);
        writer.array(bytemuck::cast_slice(exact_root.unwrap_or_default()));
        if let Some(bounds) = self.bounds {
            for corner in [bounds.min(), bounds.max()] {
                corner.to_array().into_iter().for_each(|x| writer.f32(x));
            }
        }
    }

    /// A tree over `item_count` items whose blocks are `sound` beside their numbers of items.
    pub(crate) fn from_baked(
        reader: &mut Reader<'_>,
        item_count: usize,
        sound: impl Fn(&B, usize) -> bool + Sync,
    ) -> Result<Self, Error> {
        let mut tree = Self {
            nodes: reader.items("tree nodes")?,
            leaves: reader.items("tree leaves")?,
            blocks: reader.items("tree blocks")?,
            lowest_items: reader.items("lowest items")?,
            ..Self::default()
        };
        let exact_root: Array<Node> = reader.items("exact root")?;
        let count = tree.nodes.len();
        for (what, expected, found) in [
            ("blocks of a tree", tree.leaves.len(), tree.blocks.len()),
            ("lowest items of a tree", count, tree.lowest_items.len()),
            ("nodes", usize::from(item_count > 0), count.min(1)),
            (
                "leaves",
                usize::from(item_count > 0),
                tree.leaves.len().min(1),
            ),
        ] {
            if expected != found {
                return Err(Error::WrongLength {
                    what,
                    expected,
                    found,
                });
            }
        }
        if count == 0 {
            return Ok(tree);
        }
        let corners = [read_corner(reader)?, read_corner(reader)?];
        let [min, max] = corners;
        if !is_box(min, max) {
            return Err(reader.refused("bounds of a tree", "a box"));
        }
        tree.check_leaves(item_count, sound)?;
        tree.check_nodes()?;
        tree.set_bounds(Some(Aabb::from_ordered(min, max)));
        if let Some(root) = exact_root.first() {
            let own = &tree.nodes[0];
            if root.children != own.children || root.used != own.used || !has_boxes(root) {
                return Err(Error::Baked {
                    what: "exact root",
                    place: 0,
                    expected: "the root with other boxes",
                });
            }
            tree.exact_root = Some(Box::new(*root));
        }
        Ok(tree)
    }

    fn check_leaves(
        &self,
        item_count: usize,
        sound: impl Fn(&B, usize) -> bool + Sync,
    ) -> Result<(), Error> {
        check_chunks(&self.leaves, |first, leaves| {
            for (leaf, items) in (first..).zip(leaves) {
                let used = used_items(items, item_count);
                if !used.is_some_and(|used| sound(&self.blocks[leaf], used)) {
                    return Err(Error::Baked {
                        what: "tree leaves",
                        place: leaf,
                        expected: "items that are there, and their block",
                    });
                }
            }
            Ok(())
        })
    }

    fn check_nodes(&self) -> Result<(), Error> {
        let refused = |place: usize, expected: &'static str| Error::Baked {
            what: "tree nodes",
            place,
            expected,
        };
        check_chunks(&self.nodes, |first, nodes| {
            for (index, node) in (first..).zip(nodes) {
                if !has_boxes(node) {
                    return Err(refused(index, "boxes of up to 8 children"));
                }
            }
            Ok(())
        })?;
        let mut is_node_reached = vec![false; self.nodes.len()];
        let mut is_leaf_reached = vec![false; self.leaves.len()];
        is_node_reached[0] = true;
        for (index, node) in self.nodes.iter().enumerate() {
            let mut lowest = NO_ITEM;
            for child in node.kinds() {
                let (reached, place, lowest_item) = match child {
                    ChildKind::Node(child) => {
                        let place = child as usize;
                        let lowest_item = self.lowest_items.get(place).copied();
                        // Parents come first, so nothing is its own ancestor.
                        let lowest_item = lowest_item.filter(|_| place > index);
                        (&mut is_node_reached, place, lowest_item)
                    }
                    ChildKind::Leaf(leaf) => {
                        let place = leaf as usize;
                        let items = self.leaves.get(place);
                        let lowest_item = items.and_then(|items| items.iter().copied().min());
                        (&mut is_leaf_reached, place, lowest_item)
                    }
                };
                let Some(lowest_item) = lowest_item.filter(|_| !reached[place]) else {
                    return Err(refused(
                        index,
                        "the only parent of children that come after it",
                    ));
                };
                reached[place] = true;
                lowest = lowest.min(lowest_item);
            }
            if lowest != self.lowest_items[index] {
                return Err(Error::Baked {
                    what: "lowest items",
                    place: index,
                    expected: "those of the children",
                });
            }
        }
        let all = is_node_reached.iter().chain(&is_leaf_reached);
        match all.copied().position(|is_reached| !is_reached) {
            Some(place) => Err(refused(place, "reached from the root, as every leaf")),
            None => Ok(()),
        }
    }
}

/// The number of items of a leaf, where all are below `item_count`.
fn used_items(items: &LeafItems, item_count: usize) -> Option<usize> {
    let used = items.iter().take_while(|item| **item != NO_ITEM).count();
    let (first, rest) = items.split_at(used);
    let is_sound = used > 0
        && first.iter().all(|item| (*item as usize) < item_count)
        && rest.iter().all(|item| *item == NO_ITEM);
    is_sound.then_some(used)
}

/// Whether the first places of a node, one at lowest_item, have boxes, and the others none.
fn has_boxes(node: &Node) -> bool {
    let count = node.len();
    let is_prefix =
        count > 0 && count <= WIDTH && node.used == u32::MAX >> (u32::BITS as usize - count);
    is_prefix
        && (0..WIDTH).all(|place| {
            let bounds = node.bounds_at(place);
            match place < count {
                true => is_box(bounds.min(), bounds.max()),
                false => bounds == NOTHING,
            }
        })
}

fn is_box(min: Vec3, max: Vec3) -> bool {
    let limit = Vec3::splat(MAX_COORDINATE);
    min.cmple(max).all() && min.cmpge(-limit).all() && max.cmple(limit).all()
}

fn read_corner(reader: &mut Reader<'_>) -> Result<Vec3, Error> {
    let mut axis = || reader.f32("bounds of a tree");
    Ok(Vec3::new(axis()?, axis()?, axis()?))
}

const _: () = assert!(LEAF_ITEMS == WIDTH);
