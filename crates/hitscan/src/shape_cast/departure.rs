//! Leaving what a shape overlaps at the start of its motion ([`Overlaps::Leave`]).
//!
//! A triangle that the shape overlaps and that the motion does not lead deeper into is left: it is not
//! there for this motion. It contradicts all the same, and so does what it contradicts: a contact with
//! the flat or hollow surface that goes on from it is passed, so that a shape a hair inside a floor
//! slides on.

use super::Overlaps;
use super::prepared::{CastContact, Encounter, PreparedCast};
use crate::contact::left_out::Furthest;
use crate::contact::triangle_source::{SourceTriangle, TriangleSource};
use crate::ray_cast::hit::TriangleId;
use core::ops::ControlFlow;
use glam::DVec3;
use std::collections::BTreeSet;

/// The triangles of an object that are left or passed, as far as they are known.
#[derive(Debug, Default)]
pub(super) struct Departure {
    passed: BTreeSet<TriangleId>,
}

impl Departure {
    /// The triangles that are left.
    pub(super) fn new(cast: &PreparedCast, source: &dyn TriangleSource) -> Self {
        let mut departure = Self::default();
        if cast.overlaps == Overlaps::Leave {
            let start = cast.swept();
            let _ = source.for_each_in(start.min, start.max, &mut |triangle| {
                if is_left(cast, &triangle) {
                    departure.passed.insert(triangle.id);
                }
                ControlFlow::Continue(())
            });
        }
        departure
    }

    /// Whether a contact is passed: a triangle that is left or passed contradicts it.
    ///
    /// The contradicting triangles of contradicted contacts are followed until one is found that is
    /// left, or none remain.
    pub(super) fn is_passed(
        &mut self,
        cast: &PreparedCast,
        source: &dyn TriangleSource,
        triangle: &SourceTriangle,
        encounter: &Encounter,
    ) -> bool {
        let Encounter::Contact(contact) = encounter else {
            return false;
        };
        if self.passed.is_empty() {
            return false;
        }
        // Each triangle that was reached, and from which.
        let mut reached: Vec<(TriangleId, usize)> = vec![(triangle.id, 0)];
        let mut waiting = vec![(0, *triangle, contact.clone())];
        let mut seen = BTreeSet::from([triangle.id]);
        while let Some((place, triangle, contact)) = waiting.pop() {
            let mut is_passed = self.passed.contains(&triangle.id);
            for_each_contradicting(source, &triangle, &contact, &mut |other| {
                if self.passed.contains(&other.id) {
                    is_passed = true;
                    return ControlFlow::Break(());
                }
                if seen.insert(other.id)
                    && let Some(Encounter::Contact(contact)) = cast.meet_triangle(&other, 1.0)
                {
                    reached.push((other.id, place));
                    waiting.push((reached.len() - 1, other, contact));
                }
                ControlFlow::Continue(())
            });
            if is_passed {
                let mut place = place;
                loop {
                    let (id, from) = reached[place];
                    self.passed.insert(id);
                    if place == 0 {
                        return true;
                    }
                    place = from;
                }
            }
        }
        false
    }
}

/// Whether the shape overlaps the triangle and does not move deeper into it.
fn is_left(cast: &PreparedCast, triangle: &SourceTriangle) -> bool {
    let resting = cast.resting(&triangle.convex());
    resting.status().is_lt()
        && resting
            .compare_along_normal(cast.motion, DVec3::ZERO)
            .is_ge()
}

/// Visits the triangles that contradict a contact, whether or not they are in question.
fn for_each_contradicting(
    source: &dyn TriangleSource,
    triangle: &SourceTriangle,
    contact: &CastContact,
    visit: &mut dyn FnMut(SourceTriangle) -> ControlFlow<()>,
) {
    let compare = |a, b| contact.compare_along_normal(a, b);
    let furthest = Furthest::new(&triangle.corners, &compare);
    if furthest.is_face() {
        return;
    }
    let at = furthest.corner();
    // The visitor keeps what it found.
    let _ = source.for_each_in(at, at, &mut |other| {
        let contradicts =
            other.id != triangle.id && furthest.is_contradicted_by(&other.corners, &compare);
        if contradicts {
            visit(other)
        } else {
            ControlFlow::Continue(())
        }
    });
}
