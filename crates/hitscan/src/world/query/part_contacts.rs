//! The contacts of a resting shape with the parts of a compound.

use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::convex::RestingContact;
use crate::world::placed_compound::SeenParts;
use crate::{Contact, ContactsPer, TriangleId};
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// The contacts with the parts of a compound, in order; for the object that of the least separation, exactly, of
/// equal ones that with the lowest part.
pub(super) fn with_parts(
    query: &ContactQuery,
    parts: SeenParts<'_>,
    each: ContactsPer,
) -> Vec<Contact> {
    let mut found = Vec::new();
    let _ = parts.touching(query.reach(), |part, solid| {
        found.extend(query.resting_on(solid).map(|contact| (part, contact)));
        ControlFlow::Continue(())
    });
    found.sort_unstable_by_key(|(part, _)| *part);
    if each == ContactsPer::Object {
        let least = |best: (u32, RestingContact), next: (u32, RestingContact)| match next
            .1
            .compare(&best.1)
        {
            Ordering::Less => next,
            _ => best,
        };
        found = found.into_iter().reduce(least).into_iter().collect();
    }
    let answers = found.iter();
    answers
        .map(|(part, contact)| Contact::of_pair(contact, TriangleId::in_part(None, *part)))
        .collect()
}
