//! The start of a move: what the mover overlaps and touches, from which triangles it escapes, and its contact of least
//! separation with an object.

use super::pair_cast::{PairCast, resting_pair};
use super::tied_contacts::{InQuestion, TrianglePair};
use crate::narrow_phase::contact::internal_edges::ContactFeature;
use crate::narrow_phase::contact::triangle_source::SourceTriangle;
use crate::narrow_phase::convex::RestingContact;
use crate::narrow_phase::ray_cast::hit::triangle_rank;
use crate::narrow_phase::shape_cast::prepared::{CastContact, Encounter};
use crate::query::filter::QueryFilter;
use crate::sorting::{Rank, sort_by_rank};
use crate::world::piece_tree::{PairSearch, Piece, PieceTree, Trees, walk_pairs};
use crate::{InitialOverlap, StartState, TriangleId};
use core::ops::ControlFlow;
use glam::DVec3;
use std::collections::BTreeSet;

/// The place of a pair of pieces in the order of ties: that of the obstacle's piece, then that of the mover's.
pub(super) type PairRank = [TriangleId; 2];

/// What pairs are sorted by.
pub(super) fn by_pair([obstacle, mover]: PairRank) -> Rank {
    [triangle_rank(Some(obstacle)), triangle_rank(Some(mover)), 0]
}

pub(super) fn rank([mover, obstacle]: [&Piece<'_>; 2]) -> PairRank {
    [obstacle.id(), mover.id()]
}

/// A pair of pieces that overlap or touch at the start.
struct Resting {
    rank: PairRank,
    triangles: TrianglePair,
    contact: RestingContact,
}

/// A walk that finds all of them.
struct RestingPairs<'a> {
    filter: &'a QueryFilter<'a>,
    found: Vec<Resting>,
}

impl PairSearch for RestingPairs<'_> {
    fn lower_bound(&self, [first, second]: [&[DVec3; 2]; 2]) -> Option<f64> {
        let touch = first[0].cmple(second[1]) & first[1].cmpge(second[0]);
        touch.all().then_some(0.0)
    }

    fn admits(&self, _: f64) -> bool {
        true
    }

    fn visit(&mut self, pieces: [&Piece<'_>; 2], _: f64) -> ControlFlow<()> {
        self.filter.step()?;
        if let Some(contact) = resting_pair(pieces) {
            self.found.push(Resting {
                rank: rank(pieces),
                triangles: TrianglePair::of(pieces),
                contact,
            });
        }
        ControlFlow::Continue(())
    }
}

fn resting_pairs(trees: Trees<'_, '_, '_>, filter: &QueryFilter<'_>) -> Vec<Resting> {
    let found = Vec::new();
    let mut search = RestingPairs { filter, found };
    // Where the work is limited the answer is thrown away.
    let _ = walk_pairs(trees, &mut search);
    search.found
}

/// The start state of a mover that overlaps an object: by their contact of smallest separation.
pub(super) fn deepest(trees: Trees<'_, '_, '_>, filter: &QueryFilter<'_>) -> Option<StartState> {
    let mut pairs = resting_pairs(trees, filter);
    let least = pairs
        .iter()
        .reduce(|least, pair| match pair.contact.compare(&least.contact) {
            core::cmp::Ordering::Less => pair,
            _ => least,
        })?
        .contact
        .clone();
    let triangles: Vec<_> = pairs.iter().map(|pair| pair.triangles).collect();
    let in_question = InQuestion::new(&triangles);
    pairs.retain(|pair| pair.contact.compare(&least).is_eq());
    sort_by_rank(&mut pairs, |pair| by_pair(pair.rank));
    let is_suppressed = |pair: &Resting| {
        let compare = |a, b| pair.contact.compare_along_normal(a, b);
        in_question.suppress(&pair.triangles, &compare)
    };
    let remaining = pairs.iter().find(|pair| !is_suppressed(pair));
    let contact = &remaining.or(pairs.first())?.contact;
    Some(StartState::Overlap {
        separation: contact.separation(),
        way_out: contact.normal(),
    })
}

/// What a mover that may escape from overlaps touches at the start.
#[derive(Default)]
pub(super) struct Escapes {
    /// The pairs that overlap or touch.
    pub(super) resting: Vec<TrianglePair>,
    /// The obstacle's triangles from which a piece of the mover escapes.
    escaped: BTreeSet<TriangleId>,
}

impl Escapes {
    /// Those of a move; none where overlaps stop it.
    pub(super) fn of_mode(
        cast: &PairCast,
        trees: Trees<'_, '_, '_>,
        filter: &QueryFilter<'_>,
    ) -> Self {
        match cast.overlaps {
            InitialOverlap::Stop => Self::default(),
            InitialOverlap::Escape => Self::new(cast, trees, filter),
        }
    }

    fn new(cast: &PairCast, trees: Trees<'_, '_, '_>, filter: &QueryFilter<'_>) -> Self {
        let pairs = resting_pairs(trees, filter);
        let is_escape =
            |pair: &&Resting| pair.contact.status().is_lt() && cast.escapes(&pair.contact);
        let escaped = pairs.iter().filter(is_escape);
        Self {
            escaped: escaped
                .filter_map(|pair| Some(pair.triangles.obstacle?.id))
                .collect(),
            resting: pairs.iter().map(|pair| pair.triangles).collect(),
        }
    }

    /// Whether a contact of a piece of the mover is ignored: a triangle from which the mover escapes makes the
    /// feature of the obstacle's triangle inactive, or one does whose own contact with that piece is ignored.
    pub(super) fn ignore(
        &self,
        cast: &PairCast,
        obstacles: &PieceTree<'_>,
        (mover, triangle): (&Piece<'_>, &SourceTriangle),
        contact: &CastContact,
    ) -> bool {
        if self.escaped.is_empty() {
            return false;
        }
        let moving = mover.convex();
        let mut seen = BTreeSet::from([triangle.id]);
        let mut waiting = vec![(*triangle, contact.clone())];
        let mut is_ignored = false;
        while let Some((triangle, contact)) = waiting.pop() {
            let compare = |a, b| contact.compare_along_normal(a, b);
            let feature = ContactFeature::new(&triangle.corners, &compare);
            if feature.is_face() {
                continue;
            }
            obstacles.for_each_touching([feature.corner(); 2], &mut |other| {
                let Some(beside) = other.triangle() else {
                    return;
                };
                if !feature.is_inactive_beside(&beside.corners, &compare) {
                    return;
                }
                is_ignored |= self.escaped.contains(&beside.id);
                if !is_ignored
                    && seen.insert(beside.id)
                    && let Some(Encounter::Contact(met)) =
                        cast.meet([&moving, &other.convex()], 1.0)
                {
                    waiting.push((*beside, met));
                }
            });
            if is_ignored {
                return true;
            }
        }
        false
    }
}
