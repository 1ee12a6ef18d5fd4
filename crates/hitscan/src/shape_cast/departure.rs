//! Leaving what a shape overlaps at the start of its motion ([`InitialOverlap::Escape`]).
//!
//! A triangle that the shape overlaps and that the motion does not lead deeper into is left: it is not
//! there for this motion. It contradicts all the same, and so does what it contradicts: a contact with
//! the flat or hollow surface that goes on from it is passed, so that a shape a hair inside a floor
//! slides on.

use super::InitialOverlap;
use super::prepared::{CastContact, Encounter, PreparedCast};
use crate::contact::left_out::Furthest;
use crate::contact::triangle_source::{SourceTriangle, TriangleSource};
use crate::ray_cast::hit::TriangleId;
use core::ops::ControlFlow;
use std::collections::BTreeSet;

/// What is known of the triangles of an object that a shape leaves or passes. Nothing is looked for before
/// a contact is found that another triangle contradicts.
#[derive(Debug, Default)]
pub(super) struct Departure {
    /// Those that are left, or passed.
    gone: BTreeSet<TriangleId>,
    /// Those that are neither.
    remaining: BTreeSet<TriangleId>,
    /// Whether any triangle is left, once it was looked for.
    leaves_any: Option<bool>,
}

impl Departure {
    /// Whether a contact is passed: a triangle that is left or passed contradicts it.
    ///
    /// The contradicting triangles of contradicted contacts are followed until one is found that is
    /// left, or none remain. Then none of those is passed that were followed.
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
        if cast.overlaps != InitialOverlap::Escape || self.leaves_any == Some(false) {
            return false;
        }
        if self.gone.contains(&triangle.id) {
            return true;
        }
        if self.remaining.contains(&triangle.id) {
            return false;
        }
        // Most contacts are with faces, or with what is next to a triangle that is left.
        let (mut is_contradicted, mut is_passed) = (false, false);
        for_each_contradicting(source, triangle, contact, &mut |other| {
            is_contradicted = true;
            is_passed |= self.is_gone(cast, &other);
            if is_passed || !self.leaves_any(cast, source) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if is_passed {
            self.gone.insert(triangle.id);
        }
        if is_passed || !is_contradicted || self.leaves_any == Some(false) {
            return is_passed;
        }
        self.is_passed_at_length(cast, source, triangle, contact)
    }

    /// The same for a contact that only triangles contradict which are not known to be gone.
    #[cold]
    fn is_passed_at_length(
        &mut self,
        cast: &PreparedCast,
        source: &dyn TriangleSource,
        triangle: &SourceTriangle,
        contact: &CastContact,
    ) -> bool {
        // Each triangle that was reached, and from which.
        let mut reached: Vec<(TriangleId, usize)> = vec![(triangle.id, 0)];
        let mut waiting = vec![(0, *triangle, contact.clone())];
        let mut seen = BTreeSet::from([triangle.id]);
        while let Some((place, triangle, contact)) = waiting.pop() {
            if self.remaining.contains(&triangle.id) {
                continue;
            }
            let mut is_passed = self.gone.contains(&triangle.id);
            for_each_contradicting(source, &triangle, &contact, &mut |other| {
                if is_passed || self.is_gone(cast, &other) {
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
                    self.gone.insert(id);
                    if place == 0 {
                        return true;
                    }
                    place = from;
                }
            }
        }
        self.remaining.append(&mut seen);
        false
    }

    /// Whether a triangle is left, or known to be passed.
    fn is_gone(&mut self, cast: &PreparedCast, triangle: &SourceTriangle) -> bool {
        if self.gone.contains(&triangle.id) {
            return true;
        }
        let is_left = cast.leaves(triangle);
        if is_left {
            self.gone.insert(triangle.id);
            self.leaves_any = Some(true);
        }
        is_left
    }

    /// Whether any triangle is left.
    fn leaves_any(&mut self, cast: &PreparedCast, source: &dyn TriangleSource) -> bool {
        *self.leaves_any.get_or_insert_with(|| {
            let start = cast.swept();
            let found = source.for_each_in(start.min, start.max, &mut |triangle| {
                if cast.leaves(&triangle) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            found.is_break()
        })
    }
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
