//! The parts of a compound that a moving shape hits; `query` is the cast's of trees.

use super::part_contacts::with_compound;
use crate::bvh::TraversalQuery;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::shape_cast::ShapeHit;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::narrow_phase::shape_cast::primitive::PrimitiveHit;
use crate::narrow_phase::shape_cast::surface_search::FirstTriangle;
use crate::query::filter::QueryFilter;
use crate::world::placed_compound::{PlacedCompound, SeenParts};
use crate::{Contact, ContactsPer, ObjectId, Primitive, StartState};
use core::ops::ControlFlow;

/// The first encounter with a part of a compound up to a time: an overlap before a hit, of equal exact times
/// rounded down to f64 that with the lowest part.
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

/// What a moving shape hits first of a compound.
pub(super) enum FirstInCompound {
    Triangle(FirstTriangle),
    Part(u32, PrimitiveHit),
}

/// The first encounter with the meshes or the solids of a compound: an overlap before a hit, of equal exact
/// times rounded down to f64 that with the lowest part.
pub(super) fn first_in_compound(
    prepared: &PreparedCast,
    compound: &PlacedCompound,
    of_meshes: Option<FirstTriangle>,
    of_solids: Option<(u32, PrimitiveHit)>,
) -> Option<FirstInCompound> {
    let is_solid_first = |first: &FirstTriangle, (part, hit): &(u32, PrimitiveHit)| {
        (compound.solid(*part)).is_some_and(|solid| is_before(prepared, (*part, solid, hit), first))
    };
    match (of_meshes, of_solids) {
        (Some(first), Some(solid)) if !is_solid_first(&first, &solid) => {
            Some(FirstInCompound::Triangle(first))
        }
        (_, Some((part, hit))) => Some(FirstInCompound::Part(part, hit)),
        (of_meshes, None) => of_meshes.map(FirstInCompound::Triangle),
    }
}

/// Whether the encounter with a part that is a solid goes before that with a triangle.
pub(super) fn is_before(
    prepared: &PreparedCast,
    (part, solid, hit): (u32, &Primitive, &PrimitiveHit),
    first: &FirstTriangle,
) -> bool {
    let order = prepared.order_of_triangle(&first.encounter, (solid, hit));
    order.then(first.triangle.id.part.cmp(&part)).is_gt()
}

/// Whether a moving shape hits any part.
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

/// A hit of a part of a compound; where the shape overlaps it at the start, with the start state of the
/// whole.
pub(super) fn standing(
    prepared: &PreparedCast,
    hit: ShapeHit,
    compound: &PlacedCompound,
    seen_by: (ObjectId, &QueryFilter<'_>),
) -> ShapeHit {
    standing_by(prepared, hit, |query| {
        with_compound(query, compound, seen_by, ContactsPer::Object)
    })
}

/// The hit with the start state of a shape that overlaps parts: its contact of smallest separation with the
/// whole.
pub(super) fn standing_by(
    prepared: &PreparedCast,
    hit: ShapeHit,
    contacts: impl FnOnce(&ContactQuery) -> Vec<Contact>,
) -> ShapeHit {
    if !hit.start.is_overlap() {
        return hit;
    }
    let contacts = contacts(&ContactQuery::new(prepared.shape, 0.0));
    let start = contacts.first().map(|contact| StartState::Overlap {
        separation: contact.separation,
        way_out: contact.normal,
    });
    ShapeHit {
        start: start.unwrap_or(hit.start),
        ..hit
    }
}
