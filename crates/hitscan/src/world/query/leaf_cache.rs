//! The pieces of the leaves that a walk of two trees has looked at last, with how far they reach along a direction.
//!
//! A leaf is compared with many leaves of the other tree: its triangles are taken to the world once, and seen along
//! one direction once.

use crate::narrow_phase::convex::extent_along;
use crate::world::piece_tree::{BoxedPiece, ObjectTree, PieceNode};
use glam::DVec3;

/// So many leaves are kept; each has one place.
const SLOTS: usize = 64;

/// A reach that says nothing.
const UNKNOWN: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// The pieces of a leaf.
pub(super) struct LoadedLeaf<'t> {
    leaf: Option<PieceNode>,
    pub(super) pieces: Vec<BoxedPiece<'t>>,
    /// The direction that the pieces were last seen along.
    direction: Option<DVec3>,
    /// How far each reaches along it, rounded outwards.
    pub(super) extents: Vec<[f64; 2]>,
    /// How far all of them do.
    pub(super) whole: [f64; 2],
}

/// The leaves of one tree.
pub(super) struct LeafCache<'t> {
    tree: &'t ObjectTree<'t>,
    slots: Vec<LoadedLeaf<'t>>,
}

impl<'t> LeafCache<'t> {
    pub(super) fn new(tree: &'t ObjectTree<'t>) -> Self {
        let slots = (0..SLOTS).map(|_| LoadedLeaf {
            leaf: None,
            pieces: Vec::new(),
            direction: None,
            extents: Vec::new(),
            whole: UNKNOWN,
        });
        Self {
            tree,
            slots: slots.collect(),
        }
    }

    /// The pieces of a leaf, seen along a unit vector.
    pub(super) fn load(&mut self, leaf: PieceNode, direction: Option<DVec3>) -> &LoadedLeaf<'t> {
        let slot = &mut self.slots[slot_of(leaf)];
        let is_other = slot.leaf != Some(leaf);
        if is_other {
            slot.leaf = Some(leaf);
            slot.pieces.clear();
            let pieces = &mut slot.pieces;
            self.tree
                .for_each_piece(leaf, &mut |piece| pieces.push(piece));
        }
        if is_other || slot.direction != direction {
            slot.direction = direction;
            slot.extents.clear();
            slot.extents
                .extend(slot.pieces.iter().map(|piece| match direction {
                    Some(direction) => extent_along(&piece.convex, direction),
                    None => UNKNOWN,
                }));
            let all = slot.extents.iter().copied();
            let around = |[low, high]: [f64; 2], one: [f64; 2]| [low.min(one[0]), high.max(one[1])];
            slot.whole = all.reduce(around).unwrap_or(UNKNOWN);
        }
        slot
    }

    /// A piece of the leaf that was loaded last, of those with its place.
    pub(super) fn piece(&self, leaf: PieceNode, number: usize) -> BoxedPiece<'t> {
        self.slots[slot_of(leaf)].pieces[number]
    }
}

/// Where a leaf is kept: neighbours mostly have different places.
fn slot_of(leaf: PieceNode) -> usize {
    let number = match leaf {
        PieceNode::Cell([column, row]) => column + 8 * row,
        PieceNode::Leaf { part, leaf } => leaf.wrapping_add(part),
        PieceNode::Solid(part) => part,
        PieceNode::Block(_)
        | PieceNode::Parts(_)
        | PieceNode::Mesh { .. }
        | PieceNode::Compound(_) => 0,
    };
    number as usize % SLOTS
}
