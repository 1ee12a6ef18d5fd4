//! The contacts of a resting shape with a compound: its solids, and the meshes that it has; and with the objects of a
//! surface, whose solids and triangles are those of one object.

use super::surface_pieces::SurfacePieces;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::contact::triangle_source::TriangleSource;
use crate::narrow_phase::convex::RestingContact;
use crate::query::filter::QueryFilter;
use crate::sorting::sort_by_rank;
use crate::world::placed_compound::{PlacedCompound, SeenParts};
use crate::{Contact, ContactsPer, ObjectId, TriangleId};
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// A contact, with the triangle or the part that it is with.
type FoundContact = (RestingContact, Option<TriangleId>);

/// The contacts with the parts of a compound, in order; for the object that of the least separation, exactly, of
/// equal ones that with the lowest part.
pub(super) fn with_compound(
    query: &ContactQuery,
    compound: &PlacedCompound,
    (object, filter): (ObjectId, &QueryFilter<'_>),
    each: ContactsPer,
) -> Vec<Contact> {
    let meshes = compound.meshes().map(|meshes| meshes.parts());
    let meshes = meshes.as_ref().map(|meshes| meshes as &dyn TriangleSource);
    let solids = with_solids(query, compound.seen(object, filter));
    with_both(query, (meshes, solids), each, filter)
}

/// The contacts with the objects of a surface, whose parts are those of all; as those of a compound.
pub(super) fn with_surface(
    query: &ContactQuery,
    pieces: &SurfacePieces<'_>,
    each: ContactsPer,
    filter: &QueryFilter<'_>,
) -> Vec<Contact> {
    let mut solids = Vec::new();
    for (_, seen, first_part) in pieces.compounds(filter) {
        solids.extend(with_solids(query, seen).into_iter().map(|(contact, on)| {
            let of_all = |on: TriangleId| TriangleId {
                part: on.part + first_part,
                ..on
            };
            (contact, on.map(of_all))
        }));
    }
    if solids.is_empty() {
        return filter.with_source(pieces, |source| query.with_triangles(source, each));
    }
    with_both(query, (Some(pieces), solids), each, filter)
}

/// The contacts with triangles and solids that are one object.
fn with_both(
    query: &ContactQuery,
    (meshes, solids): (Option<&dyn TriangleSource>, Vec<FoundContact>),
    each: ContactsPer,
    filter: &QueryFilter<'_>,
) -> Vec<Contact> {
    match each {
        ContactsPer::Object => {
            let least = |source: &dyn TriangleSource| query.least_resting(source);
            let of_meshes = meshes.and_then(|meshes| filter.with_source(meshes, least));
            let of_meshes = of_meshes.map(|(contact, triangle)| (contact, Some(triangle)));
            let least = of_meshes.into_iter().chain(solids).reduce(nearer);
            least.iter().map(answer).collect()
        }
        ContactsPer::Triangle => {
            let each = |source: &dyn TriangleSource| query.with_triangles(source, each);
            let of_meshes = meshes.map(|meshes| filter.with_source(meshes, each));
            let mut found = of_meshes.unwrap_or_default();
            found.extend(solids.iter().map(answer));
            sort_by_rank(&mut found, |contact| [part_rank(contact.triangle), 0, 0]);
            found
        }
    }
}

/// The contacts with the solids, in order.
fn with_solids(query: &ContactQuery, parts: SeenParts<'_>) -> Vec<FoundContact> {
    let mut found = Vec::new();
    let _ = parts.touching(query.reach(), |part, solid| {
        let contact = query.resting_on(solid);
        found.extend(contact.map(|contact| (contact, TriangleId::in_part(None, part))));
        ControlFlow::Continue(())
    });
    found.sort_unstable_by_key(|(_, part)| *part);
    found
}

/// That of the lower separation, exactly, else of the lower part.
fn nearer(best: FoundContact, next: FoundContact) -> FoundContact {
    let by_part = || part_rank(next.1).cmp(&part_rank(best.1));
    match next.0.compare(&best.0).then_with(by_part) {
        Ordering::Less => next,
        _ => best,
    }
}

/// The part that a contact is with, as ties go by it.
fn part_rank(on: Option<TriangleId>) -> u64 {
    on.map_or(0, |on| on.part.into())
}

fn answer((contact, on): &FoundContact) -> Contact {
    Contact::of_pair(contact, *on)
}
