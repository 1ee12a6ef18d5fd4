//! Escaping initial overlaps ([`InitialOverlap::Escape`]): which triangles a motion ignores.
//!
//! A triangle that the shape overlaps at the start, and that the motion does not lead deeper into, is
//! ignored. It still takes part in internal-edge suppression, transitively: a contact whose feature an
//! ignored triangle makes inactive is ignored too, across any number of flat or concave edges, so that a
//! shape a hair inside a floor slides on.

use super::InitialOverlap;
use super::prepared::{CastContact, Encounter, PreparedCast};
use crate::narrow_phase::contact::internal_edges::ContactFeature;
use crate::narrow_phase::contact::triangle_source::{SourceTriangle, TriangleSource};
use crate::narrow_phase::ray_cast::hit::TriangleId;
use core::ops::ControlFlow;
use std::collections::BTreeSet;

/// The triangles of an object that a motion ignores, as far as they were looked for: only once a contact
/// with an inactive feature is found.
#[derive(Debug, Default)]
pub(super) struct InitialOverlaps {
    ignored: BTreeSet<TriangleId>,
    /// Those known not to be.
    remaining: BTreeSet<TriangleId>,
    /// Whether the shape escapes from any triangle, once it was looked for.
    escapes_any: Option<bool>,
}

impl InitialOverlaps {
    /// Whether a contact is ignored: an ignored triangle makes its feature inactive.
    ///
    /// From contacts with inactive features the triangles that make them so are followed until an ignored
    /// one is reached. If none is, none of those that were followed is ignored.
    pub(super) fn is_ignored(
        &mut self,
        cast: &PreparedCast,
        source: &dyn TriangleSource,
        triangle: &SourceTriangle,
        encounter: &Encounter,
    ) -> bool {
        let Encounter::Contact(contact) = encounter else {
            return false;
        };
        if cast.overlaps != InitialOverlap::Escape || self.escapes_any == Some(false) {
            return false;
        }
        if self.ignored.contains(&triangle.id) {
            return true;
        }
        if self.remaining.contains(&triangle.id) {
            return false;
        }
        // Most contacts are with faces, or next to an ignored triangle.
        let (mut is_inactive, mut is_ignored) = (false, false);
        for_each_deactivating(source, triangle, contact, &mut |other| {
            is_inactive = true;
            is_ignored |= self.is_ignored_itself(cast, &other);
            if is_ignored || !self.escapes_any(cast, source) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if is_ignored {
            self.ignored.insert(triangle.id);
        }
        if is_ignored || !is_inactive || self.escapes_any == Some(false) {
            return is_ignored;
        }
        self.is_ignored_through_others(cast, source, triangle, contact)
    }

    /// The same for a contact beside triangles none of which is known to be ignored.
    #[cold]
    fn is_ignored_through_others(
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
            let mut is_ignored = self.ignored.contains(&triangle.id);
            for_each_deactivating(source, &triangle, &contact, &mut |other| {
                if is_ignored || self.is_ignored_itself(cast, &other) {
                    is_ignored = true;
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
            if is_ignored {
                let mut place = place;
                loop {
                    let (id, from) = reached[place];
                    self.ignored.insert(id);
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

    /// Whether a triangle is known to be ignored, or the shape escapes from it.
    fn is_ignored_itself(&mut self, cast: &PreparedCast, triangle: &SourceTriangle) -> bool {
        if self.ignored.contains(&triangle.id) {
            return true;
        }
        let escapes = cast.escapes(triangle);
        if escapes {
            self.ignored.insert(triangle.id);
            self.escapes_any = Some(true);
        }
        escapes
    }

    /// Whether the shape escapes from any triangle.
    fn escapes_any(&mut self, cast: &PreparedCast, source: &dyn TriangleSource) -> bool {
        *self.escapes_any.get_or_insert_with(|| {
            let start = cast.swept();
            let found = source.for_each_in(start.min, start.max, &mut |triangle| {
                if cast.escapes(&triangle) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            found.is_break()
        })
    }
}

/// Visits the triangles that make a contact's feature inactive, whether or not they are hit at the same time.
fn for_each_deactivating(
    source: &dyn TriangleSource,
    triangle: &SourceTriangle,
    contact: &CastContact,
    visit: &mut dyn FnMut(SourceTriangle) -> ControlFlow<()>,
) {
    let compare = |a, b| contact.compare_along_normal(a, b);
    let feature = ContactFeature::new(&triangle.corners, &compare);
    // The visitor keeps what it found.
    let _ = feature.for_each_deactivating(source, &compare, visit);
}
