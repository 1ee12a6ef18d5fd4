//! Features of two objects that overlap, and the overlap of two solids.

use super::watch::SolidId;
use super::world_triangles::WorldTriangle;
use crate::narrow_phase::overlap::{OverlapKind, PrimitiveOverlap};
use crate::query::filter::QueryFilter;
use crate::{Aabb, ObjectId, Primitive, TriangleId};
use core::ops::ControlFlow;
use glam::Vec3;

/// What overlaps of an object: one of its triangles, a part of a compound, or the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverlapFeature {
    /// The object.
    pub object: ObjectId,
    /// The triangle, or the part of a compound; `None` for another solid, and for a whole object.
    pub triangle: Option<TriangleId>,
}

impl OverlapFeature {
    /// All of an object.
    pub(super) fn whole(object: ObjectId) -> Self {
        Self {
            object,
            triangle: None,
        }
    }

    /// A solid that is an object, or a part of one.
    pub(super) fn solid((object, part): SolidId) -> Self {
        let triangle = part.and_then(|part| TriangleId::in_part(None, part));
        Self { object, triangle }
    }

    pub(super) fn triangle(object: ObjectId, triangle: &WorldTriangle) -> Self {
        Self {
            object,
            triangle: Some(triangle.id),
        }
    }
}

/// Two features that overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverlapPair {
    /// How they overlap.
    pub kind: OverlapKind,
    /// The feature of the lower object; where one contains the other, of the one that contains.
    pub a: OverlapFeature,
    /// The other feature.
    pub b: OverlapFeature,
    /// The common segment of two triangles that do not lie in one plane.
    pub segment: Option<[Vec3; 2]>,
}

/// A solid, and which it is.
pub(super) type NamedSolid = (SolidId, Primitive);

/// What is done with each overlap.
pub(super) type Visit<'a> = &'a mut dyn FnMut(OverlapPair) -> ControlFlow<()>;

/// How two solids overlap, if they do.
pub(super) fn meet_solids(
    (a, first): (SolidId, &Primitive),
    (b, second): (SolidId, &Primitive),
) -> Option<OverlapPair> {
    let overlap = first.overlap(second)?;
    let (a, b) = if overlap == PrimitiveOverlap::SecondContains {
        (b, a)
    } else {
        (a, b)
    };
    Some(OverlapPair {
        kind: overlap.kind(),
        a: OverlapFeature::solid(a),
        b: OverlapFeature::solid(b),
        segment: None,
    })
}

/// That an object holds another whole.
pub(super) fn contains_whole(holder: ObjectId, held: ObjectId) -> OverlapPair {
    contains(OverlapFeature::whole(holder), OverlapFeature::whole(held))
}

/// That one feature holds the other.
pub(super) fn contains(holder: OverlapFeature, held: OverlapFeature) -> OverlapPair {
    OverlapPair {
        kind: OverlapKind::Contains,
        a: holder,
        b: held,
        segment: None,
    }
}

/// Whether a box lies in another, faces included.
pub(super) fn is_inside(inner: &Aabb, outer: &Aabb) -> bool {
    outer.union(inner) == *outer
}

/// Each of some solids with each of others.
pub(super) fn meet_all(
    (firsts, seconds): (&[NamedSolid], &[NamedSolid]),
    filter: &QueryFilter<'_>,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    for (a, first) in firsts {
        let bounds = first.bounds();
        for (b, second) in seconds {
            filter.step()?;
            if bounds.touches(&second.bounds())
                && let Some(overlap) = meet_solids((*a, first), (*b, second))
            {
                visit(overlap)?;
            }
        }
    }
    ControlFlow::Continue(())
}
