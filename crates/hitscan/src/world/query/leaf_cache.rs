//! The pieces of the leaves that a walk of two trees has looked at last, with how far they reach along a direction.
//!
//! A leaf is compared with many leaves of the other tree: its triangles are taken to the world once, and seen along
//! one direction once.

use crate::narrow_phase::convex::extent_along;
use crate::world::piece_tree::{BoxedPiece, ObjectTree, PieceNode};
use glam::DVec3;

/// So many leaves are kept, each in one place: few at first, and many where many are looked at.
const FEW: usize = 16;
const MANY: usize = 512;

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
    /// How often a leaf was loaded.
    loads: usize,
}

impl LoadedLeaf<'_> {
    fn empty() -> Self {
        Self {
            leaf: None,
            pieces: Vec::new(),
            direction: None,
            extents: Vec::new(),
            whole: UNKNOWN,
        }
    }
}

impl<'t> LeafCache<'t> {
    pub(super) fn new(tree: &'t ObjectTree<'t>) -> Self {
        Self {
            tree,
            slots: (0..FEW).map(|_| LoadedLeaf::empty()).collect(),
            loads: 0,
        }
    }

    /// The pieces of a leaf, seen along a unit vector.
    pub(super) fn load(&mut self, leaf: PieceNode, direction: Option<DVec3>) -> &LoadedLeaf<'t> {
        if self.loads == 2 * FEW {
            self.loads += 1;
            self.slots.clear();
            self.slots.resize_with(MANY, LoadedLeaf::empty);
        }
        let place = self.place_of(leaf);
        let slot = &mut self.slots[place];
        let is_other = slot.leaf != Some(leaf);
        if is_other {
            self.loads += 1;
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
        self.slots[self.place_of(leaf)].pieces[number]
    }

    /// Where a leaf is kept: neighbours mostly have different places.
    fn place_of(&self, leaf: PieceNode) -> usize {
        let number = match leaf {
            PieceNode::Cell([column, row]) => column.wrapping_add(row.wrapping_mul(16)),
            PieceNode::Leaf { part, leaf } => leaf.wrapping_add(part),
            PieceNode::Solid(part) => part,
            PieceNode::Block(_)
            | PieceNode::Parts(_)
            | PieceNode::Mesh { .. }
            | PieceNode::Compound(_) => 0,
        };
        number as usize % self.slots.len()
    }
}
