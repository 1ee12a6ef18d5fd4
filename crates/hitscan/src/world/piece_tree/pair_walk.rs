//! Two trees walked together: the pairs of their pieces, those of the least lower bound first.
//!
//! Source: Larsen, Gottschalk, Lin, Manocha, "Fast Proximity Queries with Swept Sphere Volumes", 1999, for the
//! priority queue of pairs of nodes. The bound is the search's: a time, or a distance.

use super::piece::Piece;
use super::tree::{BoundedNode, PieceTree};
use crate::sorting::ordered_bits;
use core::cmp::Reverse;
use core::ops::ControlFlow;
use glam::DVec3;
use std::collections::BinaryHeap;

/// The trees that are walked together.
pub(crate) type Trees<'t, 'a, 'b> = (&'t PieceTree<'a>, &'t PieceTree<'b>);

/// A search for pairs of pieces of two trees.
pub(crate) trait PairSearch {
    /// No pair of pieces, the first in one box and the second in the other, has a lower key; `None`
    /// where none counts.
    fn lower_bound(&self, boxes: [&[DVec3; 2]; 2]) -> Option<f64>;

    /// Whether pairs of keys not below `bound` still matter.
    fn admits(&self, bound: f64) -> bool;

    fn visit(&mut self, pieces: [&Piece<'_>; 2], bound: f64) -> ControlFlow<()>;
}

/// A pair of nodes that waits, and its bound.
#[derive(Clone, Copy)]
struct Waiting {
    bound: f64,
    nodes: [BoundedNode; 2],
}

/// The pairs that wait, by their bounds; of equal ones the last that came is the first, so that the walk goes down
/// before it goes across.
struct Queue {
    order: BinaryHeap<Reverse<(u64, Reverse<u32>, u32)>>,
    waiting: Vec<Waiting>,
    /// The places in it that are free.
    free: Vec<u32>,
    count: u32,
}

impl Queue {
    fn push(&mut self, pair: Waiting) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.waiting.push(pair);
            #[expect(
                clippy::cast_possible_truncation,
                reason = "more pairs than 2^32 take more memory than there is"
            )]
            let place = (self.waiting.len() - 1) as u32;
            place
        });
        self.waiting[place as usize] = pair;
        self.count = self.count.wrapping_add(1);
        let key = ordered_bits(pair.bound);
        self.order.push(Reverse((key, Reverse(self.count), place)));
    }

    fn pop(&mut self) -> Option<Waiting> {
        let Reverse((_, _, place)) = self.order.pop()?;
        self.free.push(place);
        Some(self.waiting[place as usize])
    }
}

/// Has `search` visit the pairs of pieces of two trees that matter to it, those of the least bound first, until no
/// other matters or it breaks.
pub(crate) fn walk_pairs(
    (first, second): Trees<'_, '_, '_>,
    search: &mut dyn PairSearch,
) -> ControlFlow<()> {
    let mut queue = Queue {
        order: BinaryHeap::new(),
        waiting: Vec::new(),
        free: Vec::new(),
        count: 0,
    };
    let mut children: [Vec<BoundedNode>; 2] = [Vec::new(), Vec::new()];
    first.for_each_root(&mut |root| children[0].push(root));
    second.for_each_root(&mut |root| children[1].push(root));
    consider(&children, search, &mut queue);
    while let Some(Waiting { bound, nodes }) = queue.pop() {
        if !search.admits(bound) {
            break;
        }
        if nodes.iter().all(|bounded| bounded.node.is_piece()) {
            let pieces = (first.piece(nodes[0].node), second.piece(nodes[1].node));
            if let (Some(first), Some(second)) = &pieces {
                search.visit([first, second], bound)?;
            }
            continue;
        }
        // Where only pieces are below both, both are opened, so that each piece is placed once.
        let are_last = nodes.iter().all(|bounded| bounded.node.is_last());
        let opened = larger(&nodes);
        for (of, bounded) in nodes.iter().enumerate() {
            children[of].clear();
            if bounded.node.is_piece() || !(are_last || of == opened) {
                children[of].push(*bounded);
                continue;
            }
            let add = &mut |child| children[of].push(child);
            match of {
                0 => first.for_each_child(bounded.node, add),
                _ => second.for_each_child(bounded.node, add),
            }
        }
        consider(&children, search, &mut queue);
    }
    ControlFlow::Continue(())
}

/// Which of two nodes is opened first: the larger one, of those that have only pieces below them the last.
fn larger(nodes: &[BoundedNode; 2]) -> usize {
    let size = |BoundedNode { node, bounds }: &BoundedNode| {
        (!node.is_last()).then(|| (bounds[1] - bounds[0]).element_sum())
    };
    usize::from(size(&nodes[1]) > size(&nodes[0]))
}

/// Keeps the pairs of two lists of nodes that matter.
fn consider(children: &[Vec<BoundedNode>; 2], search: &mut dyn PairSearch, queue: &mut Queue) {
    for first in &children[0] {
        for second in &children[1] {
            if let Some(bound) = search.lower_bound([&first.bounds, &second.bounds])
                && search.admits(bound)
            {
                queue.push(Waiting {
                    bound,
                    nodes: [*first, *second],
                });
            }
        }
    }
}
