//! The nearest pieces of two objects: two trees walked together, the nearest pairs of boxes first.
//!
//! A pair of boxes is opened while what is in it may still answer: the bound shrinks with what is found. What
//! reports the same distance as the best answers only by its rank, so that pairs of higher rank need not be
//! decided where a lower bound shows that they are no nearer.

use super::leaf_cache::LeafCache;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::closest_point::tie_limit;
use crate::narrow_phase::convex::RestingContact;
use crate::narrow_phase::distance::{PairDistance, pair_distance, rough_direction};
use crate::query::filter::QueryFilter;
use crate::sorting::sort_few;
use crate::world::piece_tree::{BoxedNode, BoxedPiece, ObjectTree, PieceNode, PieceRank};
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
    pub(super) pieces: [BoxedPiece<'t>; 2],
    /// Of pieces that are apart.
    pub(super) contact: Option<RestingContact>,
    /// About the direction from the first to the second, a unit vector.
    direction: Option<DVec3>,
}

impl NearestPieces<'_> {
    fn ranks(&self) -> [PieceRank; 2] {
        [self.pieces[0].rank, self.pieces[1].rank]
    }

    fn is_preceded_by(&self, distance: f32, standing: Standing, ranks: [PieceRank; 2]) -> bool {
        let order = distance.total_cmp(&self.distance);
        let order = order.then(standing.cmp(&self.standing));
        order.then(ranks.cmp(&self.ranks())).is_lt()
    }
}

/// The nearest pieces of two objects, of those within `reach`; breaks where the filter's limit on work is reached.
pub(super) fn nearest_pieces<'t>(
    trees: [&'t ObjectTree<'t>; 2],
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
        leaves: trees.map(LeafCache::new),
    };
    walk.begin();
    while let Some(next) = walk.heap.pop() {
        if next.bound > walk.limit() {
            break;
        }
        filter.step()?;
        let (pair, near) = walk.pairs[next.place];
        if walk.matters(near) {
            walk.open(pair, near);
        }
    }
    ControlFlow::Continue(walk.best)
}

/// What is known of pieces before they are compared.
#[derive(Debug, Clone, Copy)]
struct Near {
    /// None are nearer.
    bound: f64,
    /// No pair comes before.
    lowest: [PieceRank; 2],
    /// Whether any may overlap, rather than touch: what does overlaps openly along each axis.
    may_overlap: bool,
}

impl Near {
    /// By the ends of boxes around them.
    fn of_boxes([a, b]: [DVec3; 2], [c, d]: [DVec3; 2], lowest: [PieceRank; 2]) -> Self {
        Self {
            bound: box_gap((a, b), (c, d)),
            lowest,
            may_overlap: (a.cmplt(d) & c.cmplt(b)).all(),
        }
    }

    fn at_least(self, bound: f64) -> Self {
        Self {
            bound: self.bound.max(bound),
            ..self
        }
    }
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
    /// The heap pops the largest first: the nearest pair, of equally near ones that of the lowest piece.
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

struct Walk<'t> {
    trees: [&'t ObjectTree<'t>; 2],
    reach: Reach,
    /// Nothing at a greater distance counts.
    max: f64,
    best: Option<NearestPieces<'t>>,
    heap: BinaryHeap<Waiting>,
    pairs: Vec<([BoxedNode; 2], Near)>,
    leaves: [LeafCache<'t>; 2],
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

    fn limit(&self) -> f64 {
        limit(&self.best, self.max)
    }

    fn matters(&self, near: Near) -> bool {
        matters(&self.best, self.max, near)
    }

    fn push(&mut self, pair: [BoxedNode; 2]) {
        let [a, b] = &pair;
        let mut near = Near::of_boxes([a.min, a.max], [b.min, b.max], [a.lowest, b.lowest]);
        if a.node.is_leaf() && b.node.is_leaf() && self.matters(near) {
            near = near.at_least(self.gap_along([a.node, b.node]));
        }
        if self.matters(near) {
            let place = self.pairs.len();
            self.pairs.push((pair, near));
            self.heap.push(Waiting {
                bound: near.bound,
                lowest: near.lowest,
                place,
            });
        }
    }

    /// No more than the distance of two leaves, seen along the direction between the nearest pieces so far.
    ///
    /// Boxes of faces that are not along the axes are wide; along that direction the gap is mostly that of the
    /// pieces.
    fn gap_along(&mut self, leaves: [PieceNode; 2]) -> f64 {
        let Some(direction) = self.best.as_ref().and_then(|best| best.direction) else {
            return f64::NEG_INFINITY;
        };
        let [mine, others] = &mut self.leaves;
        let mine = mine.load(leaves[0], Some(direction)).whole;
        let others = others.load(leaves[1], Some(direction)).whole;
        others[0] - mine[1]
    }

    /// Opens the larger box of two, or compares the pieces of two leaves.
    fn open(&mut self, pair: [BoxedNode; 2], near: Near) {
        let [a, b] = &pair;
        let side = match (a.node.is_leaf(), b.node.is_leaf()) {
            (true, true) => return self.compare(pair.map(|node| node.node), near),
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

    /// Compares the pieces of two leaves, the nearest first.
    fn compare(&mut self, leaves: [PieceNode; 2], near: Near) {
        let direction = self.best.as_ref().and_then(|best| best.direction);
        let [mine, others] = &mut self.leaves;
        let [mine, others] = [
            mine.load(leaves[0], direction),
            others.load(leaves[1], direction),
        ];
        let along = others.whole[0] - mine.whole[1];
        if !matters(&self.best, self.max, near.at_least(along)) {
            return;
        }
        let mut pairs: SmallVec<[(Near, [usize; 2]); 64]> = SmallVec::new();
        for (i, (a, a_extent)) in mine.pieces.iter().zip(&mine.extents).enumerate() {
            for (j, (b, b_extent)) in others.pieces.iter().zip(&others.extents).enumerate() {
                let near = Near::of_boxes([a.min, a.max], [b.min, b.max], [a.rank, b.rank]);
                let near = near.at_least(b_extent[0] - a_extent[1]);
                if matters(&self.best, self.max, near) {
                    pairs.push((near, [i, j]));
                }
            }
        }
        sort_few(&mut pairs, |one, other| one.0.bound > other.0.bound);
        for (near, [i, j]) in pairs {
            let pieces = [
                self.leaves[0].piece(leaves[0], i),
                self.leaves[1].piece(leaves[1], j),
            ];
            self.consider(near, pieces);
        }
    }
}

impl<'t> Walk<'t> {
    fn consider(&mut self, near: Near, pieces: [BoxedPiece<'t>; 2]) {
        let [a, b] = &pieces;
        if !self.matters(near) {
            return;
        }
        let Some(found) = pair_distance(&a.convex, &b.convex, self.limit()) else {
            return;
        };
        let (distance, standing, contact) = match found {
            PairDistance::Overlap => (0.0, Standing::Overlap, None),
            PairDistance::Touch => (0.0, Standing::Touch, None),
            PairDistance::Apart(contact) => {
                // Apart is not at 0.
                let least = contact.enclosure()[0].max(f64::MIN_POSITIVE);
                if !self.matters(near.at_least(least)) || !self.reaches(&contact) {
                    return;
                }
                (contact.separation(), Standing::Apart, Some(contact))
            }
        };
        let is_best = match &self.best {
            Some(best) => best.is_preceded_by(distance, standing, near.lowest),
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

/// The distance up to which pieces may answer, where none beyond `max` do.
fn limit(best: &Option<NearestPieces<'_>>, max: f64) -> f64 {
    match best {
        None => max,
        Some(best) if best.standing < Standing::Apart => 0.0,
        Some(best) => tie_limit(best.distance).min(max),
    }
}

/// Whether such pieces may answer.
fn matters(best: &Option<NearestPieces<'_>>, max: f64, near: Near) -> bool {
    if near.bound > limit(best, max) {
        return false;
    }
    let Some(best) = best else { return true };
    let is_before = near.lowest < best.ranks();
    match best.standing {
        Standing::Overlap => near.may_overlap && is_before,
        Standing::Touch => near.may_overlap || is_before,
        Standing::Apart => {
            let before = f64::from(best.distance.next_down());
            // Of what is apart by less than f32 holds, others may yet touch.
            let is_no_nearer =
                best.distance > 0.0 && near.bound > f64::midpoint(before, f64::from(best.distance));
            !is_no_nearer || is_before
        }
    }
}

/// No more than the distance of two boxes.
pub(super) fn box_gap((a_min, a_max): (DVec3, DVec3), (b_min, b_max): (DVec3, DVec3)) -> f64 {
    let away = (b_min - a_max).max(a_min - b_max).max(DVec3::ZERO);
    // Each operation errs by half an ulp.
    away.dot(away).sqrt() * (1.0 - 16.0 * UNIT_ROUNDOFF)
}
