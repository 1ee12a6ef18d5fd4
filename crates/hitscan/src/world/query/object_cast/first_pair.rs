//! The first pair of pieces of the mover and of one object that meet.
//!
//! Of overlaps at the start the pair of the lowest rank counts. Else those of the least exact time, rounded down to
//! f64; of these first those that no neighbour suppresses, then the lowest. Times are compared by their enclosures,
//! and rounded exactly only where those overlap.
//!
//! Where many contacts tie, as of a plate that falls flat onto a floor, most are not computed: once one of faces is
//! known, which no neighbour suppresses, a higher pair that can only tie with it does not matter. Neighbours of lower
//! ones are then looked for in the trees.
//!
//! Sides are tested after suppression, so contacts of sides that are not admitted are kept beside the others.

use super::neighbours::{is_of_faces, is_suppressed};
use super::pair_cast::PairCast;
use super::start::{Escapes, PairRank, by_pair, rank};
use super::tied_contacts::{InQuestion, TrianglePair};
use crate::InitialOverlap;
use crate::narrow_phase::shape_cast::lower_bound::OVERLAP;
use crate::narrow_phase::shape_cast::prepared::{CastContact, Encounter};
use crate::query::filter::QueryFilter;
use crate::sorting::sort_by_rank;
use crate::world::piece_tree::{PairSearch, Piece, PieceTree, Trees, walk_pairs};
use core::ops::ControlFlow;
use glam::DVec3;

/// So many contacts are kept before one of faces is looked for.
const MANY_TIES: usize = 8;

/// The pair that hits first, and how; `None` where they overlap at the start and the mover is stopped.
pub(super) struct FirstPair {
    pub(super) rank: PairRank,
    pub(super) contact: Option<CastContact>,
}

impl FirstPair {
    /// The reported t.
    pub(super) fn t(&self) -> f32 {
        self.contact.as_ref().map_or(0.0, CastContact::t)
    }
}

/// The first pair of the mover's pieces and an object's that hit, if that is not after `limit`, in f64.
pub(super) fn first_pair(
    cast: &PairCast,
    trees: Trees<'_, '_, '_>,
    limit: f64,
    filter: &QueryFilter<'_>,
) -> Option<FirstPair> {
    let escapes = Escapes::of_mode(cast, trees, filter);
    let mut search = Search {
        cast,
        obstacles: trees.1,
        filter,
        escapes: &escapes,
        after: f64::NEG_INFINITY,
        latest: limit,
        stops_at_any: false,
        overlap: None,
        sure: None,
        met: Vec::new(),
    };
    loop {
        // Where the work is limited the answer is thrown away.
        let _ = walk_pairs(trees, &mut search);
        if let Some(rank) = search.overlap {
            let contact = None;
            return Some(FirstPair { rank, contact });
        }
        let ties = search.ties()?;
        let floor = ties.first()?.floor;
        if search.sure.is_some_and(|sure| sure.floor == floor) {
            return first_of_sure(cast, trees, ties);
        }
        if let Some(first) = remaining(cast, ties, &escapes) {
            return Some(first);
        }
        search.after = floor;
        search.latest = limit;
        search.sure = None;
    }
}

/// Whether any pair of pieces hits.
pub(super) fn any_pair(
    cast: &PairCast,
    trees: Trees<'_, '_, '_>,
    filter: &QueryFilter<'_>,
) -> bool {
    if !cast.admits_all() || cast.overlaps != InitialOverlap::Stop {
        return first_pair(cast, trees, 1.0, filter).is_some();
    }
    let mut search = Search {
        cast,
        obstacles: trees.1,
        filter,
        escapes: &Escapes::default(),
        after: f64::NEG_INFINITY,
        latest: 1.0,
        stops_at_any: true,
        overlap: None,
        sure: None,
        met: Vec::new(),
    };
    let _ = walk_pairs(trees, &mut search);
    search.overlap.is_some() || !search.met.is_empty()
}

/// A contact that may be the first.
struct Met {
    rank: PairRank,
    triangles: TrianglePair,
    contact: CastContact,
    is_admitted: bool,
}

/// A contact of faces: no neighbour suppresses it.
#[derive(Clone, Copy)]
struct Sure {
    rank: PairRank,
    floor: f64,
}

/// One of the contacts of the first time.
struct Tied {
    met: Met,
    floor: f64,
}

/// The contact to report of those of one time, one of which is sure while higher ones may be missing.
fn first_of_sure(
    cast: &PairCast,
    trees: Trees<'_, '_, '_>,
    mut ties: Vec<Tied>,
) -> Option<FirstPair> {
    sort_by_rank(&mut ties, |tied| by_pair(tied.met.rank));
    let is_suppressed = |tied: &Tied| {
        let [obstacle, mover] = tied.met.rank;
        let pieces = trees.0.piece_of(mover).zip(trees.1.piece_of(obstacle));
        pieces.is_some_and(|(mover, obstacle)| {
            let contact = (&tied.met.contact, tied.floor);
            is_suppressed(cast, trees, [&mover, &obstacle], contact)
        })
    };
    let first = ties.into_iter().find(|tied| !is_suppressed(tied))?;
    Some(FirstPair {
        rank: first.met.rank,
        contact: Some(first.met.contact),
    })
}

/// The contact that answers of those of one time; `None` where none of an admitted side remains.
fn remaining(cast: &PairCast, mut ties: Vec<Tied>, escapes: &Escapes) -> Option<FirstPair> {
    sort_by_rank(&mut ties, |tied| by_pair(tied.met.rank));
    if ties.len() > 1 {
        let is_stuck = |tied: &Tied| matches!(tied.met.contact, CastContact::Stuck(_));
        let mut met: Vec<_> = ties.iter().map(|tied| tied.met.triangles).collect();
        let in_question = InQuestion::new(&met);
        // The way out of an overlap is that of a resting shape, whose neighbours only have to touch.
        let at_start = ties.iter().any(is_stuck).then(|| {
            met.extend(&escapes.resting);
            InQuestion::new(&met)
        });
        let is_suppressed = |tied: &Tied| {
            let compare = |a, b| tied.met.contact.compare_along_normal(a, b);
            let own = at_start.as_ref().filter(|_| is_stuck(tied));
            own.unwrap_or(&in_question)
                .suppress(&tied.met.triangles, &compare)
        };
        if cast.admits_all() {
            // The first that is not suppressed answers, or the first of all.
            let first = ties.iter().position(|tied| !is_suppressed(tied));
            ties.swap(0, first.unwrap_or(0));
        } else {
            let suppressed: Vec<bool> = ties.iter().map(is_suppressed).collect();
            let are_all = suppressed.iter().all(|is_suppressed| *is_suppressed);
            let mut flags = suppressed.into_iter();
            ties.retain(|_| are_all || flags.next() == Some(false));
        }
    }
    let first = ties.into_iter().find(|tied| tied.met.is_admitted)?;
    Some(FirstPair {
        rank: first.met.rank,
        contact: Some(first.met.contact),
    })
}

struct Search<'a, 'b> {
    cast: &'a PairCast,
    obstacles: &'a PieceTree<'b>,
    filter: &'a QueryFilter<'a>,
    escapes: &'a Escapes,
    /// Hits at this time, rounded down, or before do not matter.
    after: f64,
    /// Nor do later hits.
    latest: f64,
    stops_at_any: bool,
    /// The lowest pair that overlaps at the start.
    overlap: Option<PairRank>,
    /// The lowest contact at the latest time that is known not to be suppressed.
    sure: Option<Sure>,
    met: Vec<Met>,
}

impl Search<'_, '_> {
    /// No exact time after this is rounded down to the latest that matters.
    fn latest_exact(&self) -> f64 {
        self.latest.next_up().min(1.0)
    }

    /// Whether a contact is after the times that do not matter.
    fn is_after(&self, contact: &CastContact, [low, high]: [f64; 2]) -> bool {
        low > self.after || high > self.after && contact.floor() > self.after
    }

    fn keep(&mut self, pieces: [&Piece<'_>; 2], contact: CastContact, is_admitted: bool) {
        let enclosure = contact.enclosure();
        if enclosure[0] > self.latest_exact() || !self.is_after(&contact, enclosure) {
            return;
        }
        if let Some(triangle) = pieces[1].triangle() {
            let pair = (pieces[0], triangle);
            let escapes = self.escapes;
            if escapes.ignore(self.cast, self.obstacles, pair, &contact) {
                return;
            }
        }
        if is_admitted && enclosure[1] < self.latest {
            self.latest = enclosure[1];
            let latest = self.latest_exact();
            self.met.retain(|met| met.contact.enclosure()[0] <= latest);
        }
        let rank = rank(pieces);
        self.note_sure(pieces, rank, &contact);
        self.met.push(Met {
            rank,
            triangles: TrianglePair::of(pieces),
            contact,
            is_admitted,
        });
    }

    /// Notes a contact that ties with others and is sure, where all sides count and nothing is escaped from.
    fn note_sure(&mut self, pieces: [&Piece<'_>; 2], rank: PairRank, contact: &CastContact) {
        let may_be_missing = self.cast.admits_all() && self.cast.overlaps == InitialOverlap::Stop;
        if !may_be_missing || self.met.len() < MANY_TIES {
            return;
        }
        let floor = contact.floor();
        let is_first = match self.sure {
            Some(sure) if sure.floor <= floor => sure.floor == floor && rank < sure.rank,
            _ => true,
        };
        if is_first && is_of_faces(pieces, contact) {
            self.latest = self.latest.min(floor.next_up());
            self.sure = Some(Sure { rank, floor });
        }
    }

    /// Whether a pair can only tie with a lower contact that is sure.
    fn is_after_sure(&self, pieces: [&Piece<'_>; 2], rank: PairRank) -> bool {
        self.sure.is_some_and(|sure| {
            let [mover, obstacle] = pieces.map(Piece::bounds);
            rank > sure.rank && self.cast.entry_floor([&mover, &obstacle]) >= sure.floor
        })
    }

    /// The contacts, of all sides, at the earliest time at which an admitted side is hit.
    fn ties(&mut self) -> Option<Vec<Tied>> {
        let latest = self.latest_exact();
        let met = core::mem::take(&mut self.met).into_iter();
        let near = met.filter(|met| met.contact.enclosure()[0] <= latest);
        let ties = near.map(|met| {
            let floor = met.contact.floor();
            Tied { met, floor }
        });
        let mut ties: Vec<Tied> = ties.collect();
        let admitted = ties.iter().filter(|tied| tied.met.is_admitted);
        let first = admitted.map(|tied| tied.floor).min_by(f64::total_cmp)?;
        ties.retain(|tied| tied.floor == first);
        Some(ties)
    }
}

impl PairSearch for Search<'_, '_> {
    fn lower_bound(&self, boxes: [&[DVec3; 2]; 2]) -> Option<f64> {
        let bound = self.cast.earliest(boxes)?;
        Some(match self.cast.overlaps {
            InitialOverlap::Stop => bound,
            InitialOverlap::Escape => bound.max(0.0),
        })
    }

    fn admits(&self, bound: f64) -> bool {
        if self.overlap.is_some() {
            return bound == OVERLAP;
        }
        bound <= self.latest_exact()
    }

    fn visit(&mut self, pieces: [&Piece<'_>; 2], bound: f64) -> ControlFlow<()> {
        self.filter.step()?;
        let rank = rank(pieces);
        if self.overlap.is_some_and(|overlap| overlap <= rank) {
            return ControlFlow::Continue(());
        }
        // What overlaps goes before all contacts.
        if bound != OVERLAP && self.is_after_sure(pieces, rank) {
            return ControlFlow::Continue(());
        }
        let is_admitted = self.cast.admits(pieces[1]);
        let [mover, obstacle] = pieces.map(Piece::convex);
        let meeting = self.cast.meet([&mover, &obstacle], self.latest_exact());
        match meeting {
            None => return ControlFlow::Continue(()),
            Some(_) if pieces[0].is_degenerate() => return ControlFlow::Continue(()),
            Some(Encounter::Overlap) => {
                if is_admitted {
                    self.overlap = Some(rank);
                }
            }
            Some(Encounter::Contact(contact)) => {
                if self.overlap.is_none() {
                    self.keep(pieces, contact, is_admitted);
                }
            }
        }
        let is_found = self.overlap.is_some() || !self.met.is_empty();
        if self.stops_at_any && is_found {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
