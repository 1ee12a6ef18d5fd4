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
        bake_bounds(self.bounds, writer);
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
        let bounds = read_bounds(reader, MAX_COORDINATE)?;
        tree.check_leaves(item_count, sound)?;
        check_boxes(&tree.nodes, MAX_COORDINATE)?;
        if check_children(&tree.nodes, tree.leaves.len())? != tree.leaves.len() {
            return Err(refused_node(0, "above every leaf"));
        }
        tree.check_lowest_items()?;
        tree.set_bounds(Some(bounds));
        if let Some(root) = exact_root.first() {
            let own = &tree.nodes[0];
            if root.children != own.children
                || root.used != own.used
                || !has_boxes(root, MAX_COORDINATE)
            {
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

    /// That the lowest items are those of the children, which are there.
    fn check_lowest_items(&self) -> Result<(), Error> {
        for (index, node) in self.nodes.iter().enumerate() {
            let lowest_items = node.kinds().map(|child| match child {
                ChildKind::Node(child) => self.lowest_items[child as usize],
                ChildKind::Leaf(leaf) => {
                    let items = self.leaves[leaf as usize].iter();
                    items.copied().min().unwrap_or(NO_ITEM)
                }
            });
            if lowest_items.min() != Some(self.lowest_items[index]) {
                return Err(Error::Baked {
                    what: "lowest items",
                    place: index,
                    expected: "those of the children",
                });
            }
        }
        Ok(())
    }
}

impl Bvh {
    /// Bakes a tree whose leaves are one item each.
    pub(crate) fn bake_items(&self, writer: &mut Writer<'_>) {
        writer.array(self.nodes.bytes().to_vec());
        bake_bounds(self.bounds, writer);
    }

    /// A tree whose leaves are one item each, numbered below `item_count`, though not all need be there.
    ///
    /// Changes of the tree rely on nodes other than the root having two children at least.
    pub(crate) fn items_from_baked(
        reader: &mut Reader<'_>,
        item_count: usize,
    ) -> Result<Self, Error> {
        let mut tree = Self {
            nodes: reader.items("tree nodes")?,
            ..Self::default()
        };
        if tree.nodes.is_empty() {
            return Ok(tree);
        }
        // Objects may reach beyond the range of vertices: a sphere by its radius.
        let bounds = read_bounds(reader, f32::MAX)?;
        check_boxes(&tree.nodes, f32::MAX)?;
        check_children(&tree.nodes, item_count)?;
        if let Some(place) = tree.nodes[1..].iter().position(|node| node.len() < 2) {
            return Err(refused_node(place + 1, "of two children at least"));
        }
        tree.set_bounds(Some(bounds));
        Ok(tree)
    }
}

fn refused_node(place: usize, expected: &'static str) -> Error {
    Error::Baked {
        what: "tree nodes",
        place,
        expected,
    }
}

/// That all boxes are ones, and within ±`limit`.
fn check_boxes(nodes: &[Node], limit: f32) -> Result<(), Error> {
    check_chunks(nodes, |first, nodes| {
        match nodes.iter().position(|node| !has_boxes(node, limit)) {
            Some(place) => Err(refused_node(first + place, "boxes of up to 8 children")),
            None => Ok(()),
        }
    })
}

/// That each node but the root is the child of one that comes before it, and each of so many leaves of
/// one at most: how many are there.
fn check_children(nodes: &[Node], leaf_count: usize) -> Result<usize, Error> {
    let mut is_node_reached = vec![false; nodes.len()];
    let mut is_leaf_reached = vec![false; leaf_count];
    let mut leaves = 0;
    is_node_reached[0] = true;
    for (index, node) in nodes.iter().enumerate() {
        for child in node.kinds() {
            let reached = match child {
                // Parents come first, so nothing is its own ancestor.
                ChildKind::Node(child) if child as usize <= index => None,
                ChildKind::Node(child) => is_node_reached.get_mut(child as usize),
                ChildKind::Leaf(leaf) => {
                    leaves += 1;
                    is_leaf_reached.get_mut(leaf as usize)
                }
            };
            let Some(reached) = reached.filter(|reached| !**reached) else {
                let expected = "the only parent of children that come after it";
                return Err(refused_node(index, expected));
            };
            *reached = true;
        }
    }
    match is_node_reached.iter().position(|is_reached| !is_reached) {
        Some(place) => Err(refused_node(place, "reached from the root, as every leaf")),
        None => Ok(leaves),
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

/// Whether the first places of a node, at least one, have boxes, and the others none.
fn has_boxes(node: &Node, limit: f32) -> bool {
    let count = node.len();
    let is_prefix =
        count > 0 && count <= WIDTH && node.used == u32::MAX >> (u32::BITS as usize - count);
    is_prefix
        && (0..WIDTH).all(|place| {
            let bounds = node.bounds_at(place);
            match place < count {
                true => is_box(bounds.min(), bounds.max(), limit),
                false => bounds == NOTHING,
            }
        })
}

fn is_box(min: Vec3, max: Vec3, limit: f32) -> bool {
    let limit = Vec3::splat(limit);
    min.cmple(max).all() && min.cmpge(-limit).all() && max.cmple(limit).all()
}

fn bake_bounds(bounds: Option<Aabb>, writer: &mut Writer<'_>) {
    let corners = bounds.map(|bounds| [bounds.min(), bounds.max()]);
    let numbers = corners.iter().flatten().flat_map(Vec3::to_array);
    numbers.for_each(|x| writer.f32(x));
}

fn read_bounds(reader: &mut Reader<'_>, limit: f32) -> Result<Aabb, Error> {
    let (min, max) = (read_corner(reader)?, read_corner(reader)?);
    match is_box(min, max, limit) {
        true => Ok(Aabb::from_ordered(min, max)),
        false => Err(reader.refused("bounds of a tree", "a box")),
    }
}

fn read_corner(reader: &mut Reader<'_>) -> Result<Vec3, Error> {
    let mut axis = || reader.f32("bounds of a tree");
    Ok(Vec3::new(axis()?, axis()?, axis()?))
}

const _: () = assert!(LEAF_ITEMS == WIDTH);
