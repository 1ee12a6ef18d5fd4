//! All pairs of pieces of a mover and one obstacle that meet, and what becomes of each.
//!
//! Only explanations ask for them. Every pair that may touch on the way is looked at; nothing is searched.

use super::pair_cast::PairCast;
use super::start::{Escapes, rank};
use super::tied_contacts::{InQuestion, TrianglePair};
use crate::narrow_phase::convex::first_touch;
use crate::narrow_phase::shape_cast::every_encounter::EncounterOutcome;
use crate::narrow_phase::shape_cast::prepared::{CastContact, Encounter};
use crate::query::filter::QueryFilter;
use crate::sorting::{ordered_bits, sort_by_rank};
use crate::world::piece_tree::{PairSearch, Piece, PieceTree, Trees, walk_pairs};
use crate::{InitialOverlap, TriangleId};
use core::ops::ControlFlow;
use glam::DVec3;
use std::collections::BTreeMap;

/// What becomes of a piece of an obstacle: of the pairs with it, of one that counts, if any does, the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EncounteredPiece {
    /// The reported t.
    pub(crate) t: f32,
    pub(crate) outcome: EncounterOutcome,
}

/// A pair that hits where every overlap stops the mover.
struct Met {
    obstacle: TriangleId,
    triangles: TrianglePair,
    /// `None` for an overlap that stops the mover or that it escapes from.
    contact: Option<CastContact>,
    /// The exact time rounded down; 0 for an overlap.
    floor: f64,
    outcome: EncounterOutcome,
}

struct EveryPair<'a, 'b> {
    cast: &'a PairCast,
    obstacles: &'a PieceTree<'b>,
    escapes: &'a Escapes,
    filter: &'a QueryFilter<'a>,
    met: Vec<Met>,
    touched: Vec<(TriangleId, f32)>,
}

/// The pieces of an obstacle that a mover encounters, by their places in the order of its pieces.
pub(crate) fn encountered_pieces(
    cast: &PairCast,
    trees: Trees<'_, '_, '_>,
    filter: &QueryFilter<'_>,
) -> BTreeMap<TriangleId, EncounteredPiece> {
    let escapes = Escapes::of_mode(cast, trees, filter);
    let mut every = EveryPair {
        cast,
        obstacles: trees.1,
        escapes: &escapes,
        filter,
        met: Vec::new(),
        touched: Vec::new(),
    };
    // Where the work is limited the answer is thrown away.
    let _ = walk_pairs(trees, &mut every);
    let EveryPair {
        mut met, touched, ..
    } = every;
    suppress(&mut met, &escapes);
    let mut found: BTreeMap<TriangleId, EncounteredPiece> = BTreeMap::new();
    let met = met.iter().map(|met| {
        let t = met.contact.as_ref().map_or(0.0, CastContact::t);
        (met.obstacle, t, met.outcome)
    });
    let touched = touched.into_iter();
    let touched = touched.map(|(piece, t)| (piece, t, EncounterOutcome::Touched));
    for (piece, t, outcome) in met.chain(touched) {
        let place = |one: &EncounteredPiece| match one.outcome {
            EncounterOutcome::Counts => (0, one.t),
            EncounterOutcome::Touched => (2, one.t),
            _ => (1, one.t),
        };
        let new = EncounteredPiece { t, outcome };
        let kept = found.entry(piece).or_insert(new);
        if place(&new) < place(kept) {
            *kept = new;
        }
    }
    found
}

/// Marks the contacts that neighbours suppress, unless all of their time are.
fn suppress(met: &mut Vec<Met>, escapes: &Escapes) {
    sort_by_rank(met, |met| [ordered_bits(met.floor), 0, 0]);
    for together in met.chunk_by_mut(|a, b| a.floor == b.floor) {
        let is_contact =
            |met: &&Met| met.contact.is_some() && met.outcome != EncounterOutcome::Suppressed;
        let pairs = together.iter().filter(is_contact);
        let mut pairs: Vec<_> = pairs.map(|met| met.triangles).collect();
        let in_question = InQuestion::new(&pairs);
        pairs.extend(&escapes.resting);
        let at_start = InQuestion::new(&pairs);
        let is_suppressed = |met: &Met| {
            met.contact.as_ref().is_some_and(|contact| {
                let compare = |a, b| contact.compare_along_normal(a, b);
                let question = match contact {
                    CastContact::Stuck(_) => &at_start,
                    _ => &in_question,
                };
                question.suppress(&met.triangles, &compare)
            })
        };
        let flags: Vec<bool> = together.iter().map(is_suppressed).collect();
        let mut contacts = together.iter().zip(&flags);
        if contacts.any(|(met, is_suppressed)| is_contact(&met) && !is_suppressed) {
            for (met, is_suppressed) in together.iter_mut().zip(flags) {
                if is_suppressed {
                    met.outcome = EncounterOutcome::Suppressed;
                }
            }
        }
    }
}

impl PairSearch for EveryPair<'_, '_> {
    fn lower_bound(&self, boxes: [&[DVec3; 2]; 2]) -> Option<f64> {
        self.cast.earliest_touch(boxes)
    }

    fn admits(&self, _: f64) -> bool {
        true
    }

    fn visit(&mut self, pieces: [&Piece<'_>; 2], _: f64) -> ControlFlow<()> {
        self.filter.step()?;
        if pieces.iter().any(|piece| piece.is_degenerate()) {
            return ControlFlow::Continue(());
        }
        let [mover, obstacle] = pieces.map(Piece::convex);
        let [piece, _] = rank(pieces);
        let stopping = self.cast.stopping();
        let Some(stopped) = stopping.meet([&mover, &obstacle], 1.0) else {
            let touch = first_touch(&obstacle, &mover, self.cast.motion);
            self.touched.extend(touch.map(|t| (piece, t)));
            return ControlFlow::Continue(());
        };
        let contact = match stopped {
            Encounter::Contact(contact) => Some(contact),
            Encounter::Overlap => match self.cast.meet([&mover, &obstacle], 1.0) {
                Some(Encounter::Contact(contact)) => Some(contact),
                _ => None,
            },
        };
        let outcome = match (&contact, pieces[1].triangle()) {
            (None, _) if self.cast.overlaps == InitialOverlap::Escape => EncounterOutcome::Escaped,
            (Some(contact), Some(triangle))
                if (self.escapes).ignore(
                    self.cast,
                    self.obstacles,
                    (pieces[0], triangle),
                    contact,
                ) =>
            {
                EncounterOutcome::Suppressed
            }
            (_, Some(triangle)) if !self.cast.admits(pieces[1]) => {
                EncounterOutcome::WrongSide(triangle.side(self.cast.motion))
            }
            _ => EncounterOutcome::Counts,
        };
        self.met.push(Met {
            obstacle: piece,
            triangles: TrianglePair::of(pieces),
            floor: contact.as_ref().map_or(0.0, CastContact::floor),
            contact,
            outcome,
        });
        ControlFlow::Continue(())
    }
}
