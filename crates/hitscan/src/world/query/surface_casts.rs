//! The first meeting of a moving shape with the objects of a surface, which are one object: their triangles as those of
//! one mesh, and the solids of compounds beside them. `query` is the cast's of trees.

use super::part_casts::{first_part, is_before, meets_a_part, standing_by};
use super::part_contacts::with_surface;
use super::surface_pieces::SurfacePieces;
use crate::bvh::TraversalQuery;
use crate::narrow_phase::contact::triangle_source::TriangleSource;
use crate::narrow_phase::shape_cast::ShapeHit;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::narrow_phase::shape_cast::primitive::PrimitiveHit;
use crate::query::filter::QueryFilter;
use crate::{ContactsPer, Primitive, TriangleId};

/// The first hit, up to a time in f64 and in f32, with a part of all.
pub(super) fn first_on_surface(
    prepared: &PreparedCast,
    query: &TraversalQuery,
    pieces: &SurfacePieces<'_>,
    (filter, (latest, t_max)): (&QueryFilter<'_>, (f64, f32)),
) -> Option<ShapeHit> {
    let first = |source: &dyn TriangleSource| prepared.first_triangle(source, latest);
    let triangle = filter.with_source(pieces, first);
    let solid = first_part_of_all(prepared, query, pieces, (filter, t_max));
    let hit = match (triangle, solid) {
        (Some(first), Some((part, solid, hit)))
            if !is_before(prepared, (part, solid, &hit), &first) =>
        {
            prepared.surface_answer(pieces, &first)
        }
        (_, Some((part, solid, hit))) => {
            let hit = prepared.primitive_answer(solid, hit);
            let triangle = TriangleId::in_part(hit.triangle, part);
            ShapeHit { triangle, ..hit }
        }
        (first, None) => prepared.surface_answer(pieces, &first?),
    };
    if pieces.compounds(filter).next().is_none() {
        return Some(hit);
    }
    Some(standing_by(prepared, hit, |query| {
        with_surface(query, pieces, ContactsPer::Object, filter)
    }))
}

/// As [`first_part`], of the solids of all objects of a surface, whose parts are those of all.
fn first_part_of_all<'p>(
    prepared: &PreparedCast,
    query: &TraversalQuery,
    pieces: &'p SurfacePieces<'_>,
    (filter, t_max): (&'p QueryFilter<'p>, f32),
) -> Option<(u32, &'p Primitive, PrimitiveHit)> {
    let mut first: Option<(u32, &Primitive, PrimitiveHit)> = None;
    for (_, seen, before) in pieces.compounds(filter) {
        let found = first_part(prepared, query, seen, t_max);
        let Some((solid, part, hit)) =
            found.and_then(|(part, hit)| Some((seen.part(part)?, part, hit)))
        else {
            continue;
        };
        // The objects are in order.
        let is_first = first.as_ref().is_none_or(|(_, obstacle, best)| {
            let order = prepared.order_in_object((solid, &hit), (*obstacle, best));
            order.is_lt()
        });
        if is_first {
            first = Some((part + before, solid, hit));
        }
    }
    first
}

/// Whether anything of the objects is hit.
pub(super) fn meets_surface(
    prepared: &PreparedCast,
    query: &TraversalQuery,
    pieces: &SurfacePieces<'_>,
    filter: &QueryFilter<'_>,
) -> bool {
    filter.with_source(pieces, |source| prepared.meets_any(source))
        || (pieces.compounds(filter)).any(|(_, seen, _)| meets_a_part(prepared, query, seen))
}
