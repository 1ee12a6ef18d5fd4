//! The nearest pieces of two objects: two trees walked together, the nearest pairs of boxes first.
//!
//! A pair of boxes is opened while what is in it may still answer: the bound shrinks with what is found. What
//! reports the same distance as the best answers only by its rank, so that pairs of higher rank need not be
//! decided where a lower bound shows that they are no nearer.

use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::closest_point::tie_limit;
use crate::narrow_phase::convex::{RestingContact, gap_along};
use crate::narrow_phase::distance::{PairDistance, pair_distance, rough_direction};
use crate::query::filter::QueryFilter;
use crate::sorting::sort_few;
use crate::world::piece_tree::{BoxedNode, Piece, PieceNode, PieceRank, PieceTree};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::DVec3;
use smallvec::SmallVec;
use std::collections::BinaryHeap;

/// How far apart pieces count.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reach {
    /// Up to this distance, itself included, exactly.
    Within(f64),
    /// As far as the reported distance is no greater than this one.
    Reported(f32),
}

/// How two pieces lie; of the same reported distance the lesser answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    Overlap,
    Touch,
    Apart,
}

/// The nearest pieces of two objects.
pub(super) struct NearestPieces<'t> {
    pub(super) standing: Standing,
    /// Rounded once.
    pub(super) distance: f32,
    pub(super) pieces: [Piece<'t>; 2],
    /// Of pieces that are apart.
    pub(super) contact: Option<RestingContact>,
    /// About the way from the first to the second, of any length.
    direction: Option<DVec3>,
}

impl NearestPieces<'_> {
    fn ranks(&self) -> [PieceRank; 2] {
        [self.pieces[0].rank, self.pieces[1].rank]
    }

    fn is_after(&self, distance: f32, standing: Standing, ranks: [PieceRank; 2]) -> bool {
        let order = distance.total_cmp(&self.distance);
        let order = order.then(standing.cmp(&self.standing));
        order.then(ranks.cmp(&self.ranks())).is_lt()
    }
}

/// The nearest pieces of two objects, of those within `reach`; breaks where the filter's limit on work is reached.
pub(super) fn nearest_pieces<'t>(
    trees: [&'t PieceTree<'t>; 2],
    reach: Reach,
    filter: &QueryFilter<'_>,
) -> ControlFlow<(), Option<NearestPieces<'t>>> {
    let mut walk = Walk {
        trees,
        reach,
        max: match reach {
            Reach::Within(max) => max,
            Reach::Reported(max) => tie_limit(max),
        },
        best: None,
        heap: BinaryHeap::new(),
        pairs: Vec::new(),
        loaded: [const { Loaded::NONE }; 2],
    };
    walk.begin();
    while let Some(next) = walk.heap.pop() {
        if next.bound > walk.limit() {
            break;
        }
        filter.step()?;
        let pair = walk.pairs[next.place];
        if walk.matters(next.bound, pair.map(|node| node.lowest)) {
            walk.open(pair);
        }
    }
    ControlFlow::Continue(walk.best)
}

/// Two nodes that are yet to be opened.
struct Waiting {
    /// No more than the distance of anything in their boxes.
    bound: f64,
    lowest: [PieceRank; 2],
    /// Where the nodes are kept.
    place: usize,
}

impl Ord for Waiting {
    /// The greatest comes out of the heap first: the nearest pair, of equally near ones that of the lowest piece.
    fn cmp(&self, other: &Self) -> Ordering {
        let order = other.bound.total_cmp(&self.bound);
        order
            .then_with(|| other.lowest.cmp(&self.lowest))
            .then_with(|| other.place.cmp(&self.place))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

/// The pieces of the leaf of a tree that was looked at last.
struct Loaded<'t> {
    leaf: Option<PieceNode>,
    pieces: Vec<Piece<'t>>,
}

impl Loaded<'_> {
    const NONE: Self = Self {
        leaf: None,
        pieces: Vec::new(),
    };
}

struct Walk<'t> {
    trees: [&'t PieceTree<'t>; 2],
    reach: Reach,
    /// Nothing at a greater distance counts.
    max: f64,
    best: Option<NearestPieces<'t>>,
    heap: BinaryHeap<Waiting>,
    pairs: Vec<[BoxedNode; 2]>,
    loaded: [Loaded<'t>; 2],
}

impl Walk<'_> {
    fn begin(&mut self) {
        let roots = self.trees.map(|tree| {
            let mut roots: SmallVec<[BoxedNode; 4]> = SmallVec::new();
            tree.roots(&mut |root| roots.push(root));
            roots
        });
        for a in &roots[0] {
            for b in &roots[1] {
                self.push([*a, *b]);
            }
        }
    }

    /// The distance up to which pieces may answer.
    fn limit(&self) -> f64 {
        match &self.best {
            None => self.max,
            Some(best) if best.standing < Standing::Apart => 0.0,
            Some(best) => tie_limit(best.distance).min(self.max),
        }
    }

    /// Whether pieces none of which is nearer than `bound`, or before `lowest`, may answer.
    fn matters(&self, bound: f64, lowest: [PieceRank; 2]) -> bool {
        if bound > self.limit() {
            return false;
        }
        let Some(best) = &self.best else { return true };
        let is_no_nearer = match best.standing {
            Standing::Overlap => true,
            Standing::Touch => false,
            Standing::Apart => {
                let before = f64::from(best.distance.next_down());
                bound > f64::midpoint(before, f64::from(best.distance))
            }
        };
        !is_no_nearer || lowest < best.ranks()
    }

    fn push(&mut self, pair: [BoxedNode; 2]) {
        let [a, b] = &pair;
        let bound = box_gap((a.min, a.max), (b.min, b.max));
        let lowest = [a.lowest, b.lowest];
        if self.matters(bound, lowest) {
            let place = self.pairs.len();
            self.pairs.push(pair);
            self.heap.push(Waiting {
                bound,
                lowest,
                place,
            });
        }
    }

    /// Opens the larger box of two, or compares the pieces of two leaves.
    fn open(&mut self, pair: [BoxedNode; 2]) {
        let [a, b] = &pair;
        let side = match (a.node.is_leaf(), b.node.is_leaf()) {
            (true, true) => return self.compare(pair),
            (true, false) => 1,
            (false, true) => 0,
            (false, false) => {
                let size = |node: &BoxedNode| (node.max - node.min).length_squared();
                usize::from(size(b) > size(a))
            }
        };
        let tree = self.trees[side];
        tree.children(pair[side].node, &mut |child| {
            let mut below = pair;
            below[side] = child;
            self.push(below);
        });
    }

    /// Compares the pieces of two leaves, the nearest boxes first.
    fn compare(&mut self, pair: [BoxedNode; 2]) {
        for (side, boxed) in pair.iter().enumerate() {
            let loaded = &mut self.loaded[side];
            if loaded.leaf != Some(boxed.node) {
                loaded.leaf = Some(boxed.node);
                loaded.pieces.clear();
                self.trees[side].for_each_piece(boxed.node, &mut |piece| loaded.pieces.push(piece));
            }
        }
        let mut near: SmallVec<[(f64, usize, usize); 64]> = SmallVec::new();
        for (i, a) in self.loaded[0].pieces.iter().enumerate() {
            for (j, b) in self.loaded[1].pieces.iter().enumerate() {
                let bound = box_gap((a.min, a.max), (b.min, b.max));
                if self.matters(bound, [a.rank, b.rank]) {
                    near.push((bound, i, j));
                }
            }
        }
        sort_few(&mut near, |one, other| one.0 > other.0);
        for (bound, i, j) in near {
            let pieces = [self.loaded[0].pieces[i], self.loaded[1].pieces[j]];
            self.consider(bound, pieces);
        }
    }
}

impl<'t> Walk<'t> {
    fn consider(&mut self, bound: f64, pieces: [Piece<'t>; 2]) {
        let [a, b] = &pieces;
        let ranks = [a.rank, b.rank];
        if !self.matters(bound, ranks) {
            return;
        }
        // Pieces of parallel faces are told apart by the direction between the nearest ones so far.
        let along = self
            .best
            .as_ref()
            .and_then(|best| Some(gap_along(&a.convex, &b.convex, best.direction?)));
        if along.is_some_and(|along| !self.matters(along, ranks)) {
            return;
        }
        let Some(found) = pair_distance(&a.convex, &b.convex, self.limit()) else {
            return;
        };
        let (distance, standing, contact) = match found {
            PairDistance::Overlap => (0.0, Standing::Overlap, None),
            PairDistance::Touch => (0.0, Standing::Touch, None),
            PairDistance::Apart(contact) => {
                if !self.matters(contact.enclosure()[0], ranks) || !self.reaches(&contact) {
                    return;
                }
                (contact.separation(), Standing::Apart, Some(contact))
            }
        };
        let is_best = match &self.best {
            Some(best) => best.is_after(distance, standing, ranks),
            None => true,
        };
        if is_best {
            let direction = contact.as_ref();
            let direction =
                direction.and_then(|contact| rough_direction(&a.convex, &b.convex, contact));
            self.best = Some(NearestPieces {
                standing,
                distance,
                pieces,
                contact,
                direction,
            });
        }
    }

    fn reaches(&self, contact: &RestingContact) -> bool {
        match self.reach {
            Reach::Within(max) => contact.compare_separation(max).is_le(),
            Reach::Reported(max) => contact.separation() <= max,
        }
    }
}

/// No more than the distance of two boxes.
pub(super) fn box_gap((a_min, a_max): (DVec3, DVec3), (b_min, b_max): (DVec3, DVec3)) -> f64 {
    let away = (b_min - a_max).max(a_min - b_max).max(DVec3::ZERO);
    // Each operation errs by half an ulp.
    away.dot(away).sqrt() * (1.0 - 16.0 * UNIT_ROUNDOFF)
}
