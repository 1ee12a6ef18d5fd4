//! All encounters of a moving shape with the triangles of one object, and what becomes of each.
//!
//! Only explanations ask for them. Every triangle that the shape may touch on its way is looked at;
//! nothing is searched.

use super::InitialOverlap;
use super::initial_overlaps::InitialOverlaps;
use super::prepared::{CastContact, Encounter, PreparedCast};
use crate::Side;
use crate::narrow_phase::contact::internal_edges::{ContactFeature, has_area};
use crate::narrow_phase::contact::triangle_source::{SourceTriangle, TriangleSource};
use crate::narrow_phase::convex::{Convex, first_touch};
use crate::narrow_phase::ray_cast::hit::TriangleId;
use core::ops::ControlFlow;
use glam::DVec3;

/// A triangle that the moving shape encounters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Encountered {
    pub(crate) id: TriangleId,
    /// The reported t.
    pub(crate) t: f32,
    pub(crate) outcome: EncounterOutcome,
}

/// What becomes of an encounter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EncounterOutcome {
    /// It counts.
    Counts,
    /// It is touched and not approached.
    Touched,
    /// It is overlapped at the start, and the motion leads out.
    Escaped,
    /// A neighbour makes the contact's feature inactive.
    Suppressed,
    /// The triangle faces the motion with this side, which is not admitted.
    WrongSide(Side),
}

/// A triangle that is hit by a shape which every overlap stops.
struct Met {
    triangle: SourceTriangle,
    encounter: Encounter,
    /// The exact time rounded down; 0 for an overlap.
    floor: f64,
}

impl PreparedCast<'_> {
    /// The triangles of an object that the shape encounters where every overlap stops it, in no order.
    pub(crate) fn met_triangles(&self, source: &dyn TriangleSource) -> Vec<Encountered> {
        let mut stopping = *self;
        stopping.overlaps = InitialOverlap::Stop;
        let (mut met, mut touched) = (Vec::new(), Vec::new());
        let (min, max) = self.swept_corners();
        // Nothing breaks off.
        let _ = source.for_each_in(min, max, &mut |triangle| {
            if !has_area(&triangle.corners) {
                return ControlFlow::Continue(());
            }
            if let Some(encounter) = stopping.meet_triangle(&triangle, 1.0) {
                let floor = match &encounter {
                    Encounter::Overlap => 0.0,
                    Encounter::Contact(contact) => contact.floor(),
                };
                met.push(Met {
                    triangle,
                    encounter,
                    floor,
                });
            } else if let Some(t) = self.touch(&Convex::triangle(triangle.corners)) {
                touched.push((triangle, t));
            }
            ControlFlow::Continue(())
        });
        let outcomes = self.outcomes(source, &met, &touched);
        let met = met.iter().zip(outcomes).map(|(met, outcome)| Encountered {
            id: met.triangle.id,
            t: met.encounter.t(),
            outcome,
        });
        let touched = touched.iter().map(|(triangle, t)| Encountered {
            id: triangle.id,
            t: *t,
            outcome: EncounterOutcome::Touched,
        });
        met.chain(touched).collect()
    }

    /// When the shape first touches an obstacle that it does not hit, if it does.
    pub(crate) fn touch(&self, obstacle: &Convex) -> Option<f32> {
        first_touch(obstacle, &Convex::from(self.shape), self.motion)
    }

    /// The corners of a box around the whole way.
    fn swept_corners(&self) -> (DVec3, DVec3) {
        let swept = self.swept();
        let (min, max) = (swept.min + swept.motion, swept.max + swept.motion);
        let low = swept.min.min(min).to_array().map(f64::next_down);
        let high = swept.max.max(max).to_array().map(f64::next_up);
        (DVec3::from_array(low), DVec3::from_array(high))
    }

    fn outcomes(
        &self,
        source: &dyn TriangleSource,
        met: &[Met],
        touched: &[(SourceTriangle, f32)],
    ) -> Vec<EncounterOutcome> {
        let mut initial_overlaps = InitialOverlaps::default();
        let contacts: Vec<Option<CastContact>> = met.iter().map(|met| self.contact(met)).collect();
        let inactive: Vec<bool> = met
            .iter()
            .zip(&contacts)
            .map(|(own, contact)| {
                let Some(contact) = contact else { return false };
                let is_stuck = matches!(contact, CastContact::Stuck(_));
                let others = met_with(own.floor, is_stuck, met, touched);
                is_inactive(own, contact, others)
            })
            .collect();
        let counts_at = |floor: f64| {
            let mut all = met.iter().zip(&contacts).zip(&inactive);
            all.any(|((met, contact), is_inactive)| {
                met.floor == floor
                    && !is_inactive
                    && (contact.is_some() || self.overlaps == InitialOverlap::Stop)
            })
        };
        let outcome = |((own, contact), is_inactive): ((&Met, &Option<CastContact>), bool)| {
            let is_overlap = matches!(own.encounter, Encounter::Overlap);
            let Some(contact) = contact else {
                return match self.overlaps {
                    InitialOverlap::Stop if is_overlap => self.by_side(&own.triangle),
                    _ => EncounterOutcome::Escaped,
                };
            };
            let encounter = Encounter::Contact(contact.clone());
            let is_suppressed = (is_inactive && counts_at(own.floor))
                || initial_overlaps.is_ignored(self, source, &own.triangle, &encounter);
            if is_suppressed {
                EncounterOutcome::Suppressed
            } else {
                self.by_side(&own.triangle)
            }
        };
        let all = met.iter().zip(&contacts).zip(inactive.iter().copied());
        all.map(outcome).collect()
    }

    /// The contact that the shape has where it may leave overlaps, if it does.
    fn contact(&self, met: &Met) -> Option<CastContact> {
        match &met.encounter {
            Encounter::Contact(contact) => Some(contact.clone()),
            Encounter::Overlap => match self.meet_triangle(&met.triangle, 1.0) {
                Some(Encounter::Contact(contact)) => Some(contact),
                _ => None,
            },
        }
    }

    fn by_side(&self, triangle: &SourceTriangle) -> EncounterOutcome {
        if self.admits_all() {
            return EncounterOutcome::Counts;
        }
        let side = triangle.side(self.motion);
        if self.admits(side) {
            EncounterOutcome::Counts
        } else {
            EncounterOutcome::WrongSide(side)
        }
    }
}

/// The triangles that are in question at the same time: for the way out of an overlap also those that
/// the shape only touches.
fn met_with<'a>(
    floor: f64,
    is_stuck: bool,
    met: &'a [Met],
    touched: &'a [(SourceTriangle, f32)],
) -> impl Iterator<Item = &'a SourceTriangle> {
    let met = met.iter().filter(move |met| met.floor == floor);
    let touched = touched.iter().filter(move |(_, t)| is_stuck && *t == 0.0);
    met.map(|met| &met.triangle)
        .chain(touched.map(|(triangle, _)| triangle))
}

fn is_inactive<'a>(
    own: &Met,
    contact: &CastContact,
    mut others: impl Iterator<Item = &'a SourceTriangle>,
) -> bool {
    let compare = |a, b| contact.compare_along_normal(a, b);
    let feature = ContactFeature::new(&own.triangle.corners, &compare);
    !feature.is_face()
        && others.any(|other| {
            other.id != own.triangle.id && feature.is_inactive_beside(&other.corners, &compare)
        })
}
