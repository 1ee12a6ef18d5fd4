//! The parts of a compound that a moving shape meets; `query` is the cast's of trees.

use super::part_contacts::with_parts;
use crate::bvh::TraversalQuery;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::narrow_phase::shape_cast::primitive::PrimitiveHit;
use crate::world::placed_compound::SeenParts;
use crate::{ContactsPer, Primitive, StartState};
use core::ops::ControlFlow;

/// The first meeting with a part of a compound up to a time: an overlap before a hit, of equal exact times rounded
/// down to f64 that with the lowest part.
pub(super) fn first_part(
    prepared: &PreparedCast,
    query: &TraversalQuery,
    parts: SeenParts<'_>,
    t_max: f32,
) -> Option<(u32, PrimitiveHit)> {
    let mut first: Option<(u32, &Primitive, PrimitiveHit)> = None;
    // Nothing breaks off.
    let _ = parts.cast(query, t_max, |part, solid| {
        if let Some(hit) = prepared.first_primitive(solid) {
            let is_first = first.as_ref().is_none_or(|(of, obstacle, best)| {
                let order = prepared.order_in_object((solid, &hit), (*obstacle, best));
                order.then(part.cmp(of)).is_lt()
            });
            if is_first {
                first = Some((part, solid, hit));
            }
        }
        let t = first
            .as_ref()
            .map_or(t_max, |(_, _, best)| best.t().min(t_max));
        ControlFlow::Continue(t)
    });
    first.map(|(part, _, hit)| (part, hit))
}

/// Whether a moving shape meets any part.
pub(super) fn meets_a_part(
    prepared: &PreparedCast,
    query: &TraversalQuery,
    parts: SeenParts<'_>,
) -> bool {
    let found = parts.cast(query, 1.0, |_, solid| {
        match prepared.first_primitive(solid) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(1.0),
        }
    });
    found.is_break()
}

/// How a shape that overlaps parts at the start stands: by its contact with the compound, that of least separation.
pub(super) fn deepest(prepared: &PreparedCast, parts: SeenParts<'_>) -> Option<StartState> {
    let query = ContactQuery::new(prepared.shape, 0.0);
    let contacts = with_parts(&query, parts, ContactsPer::Object);
    let contact = contacts.first()?;
    Some(StartState::Overlap {
        separation: contact.separation,
        way_out: contact.normal,
    })
}
