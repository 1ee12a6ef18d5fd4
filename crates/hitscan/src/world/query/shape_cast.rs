//! The shape cast against the whole world.

use crate::ObjectId;
use crate::bvh::TraversalQuery;
use crate::query::filter::QueryFilter;
use crate::shape_cast::{HitOrder, ShapeCast, ShapeHit};
use crate::world::Snapshot;
use crate::world::instance::Instance;
use crate::world::object::{Object, Shape};
use core::ops::ControlFlow;

impl Snapshot {
    /// The first hit of a moving shape with what `filter` accepts.
    ///
    /// Of hits with the same t that of the lowest object is returned, with its own status: overlap
    /// at the start takes part as t = 0. In one object an overlap at the start comes before a hit
    /// at t = 0, then part and triangle decide. Against a sphere, terrain or triangles the hit is
    /// with the real shape, not its box.
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast, filter: QueryFilter<'_>) -> Option<ShapeHit> {
        let query = TraversalQuery::shape_cast(cast);
        let mut first = First::default();
        let _ = self.tree().cast(&query, 1.0, |slot| {
            self.with_object(slot, &filter, |object| first.offer(object, cast, &query));
            ControlFlow::Continue(first.t())
        });
        let (object, hit) = first.best?;
        Some(ShapeHit {
            object: Some(object),
            ..hit
        })
    }
}

/// The first hit so far, and its object.
#[derive(Default)]
struct First {
    best: Option<(ObjectId, ShapeHit)>,
}

impl First {
    /// The greatest t that still matters.
    fn t(&self) -> f32 {
        self.best.as_ref().map_or(1.0, |(_, hit)| hit.t)
    }

    /// What a hit of this object must come before.
    fn limit(&self, object: ObjectId) -> HitOrder {
        match &self.best {
            None => HitOrder::END,
            Some((other, hit)) => HitOrder::of_t(hit.t, object < *other),
        }
    }

    fn offer(&mut self, object: &Object, cast: &ShapeCast, query: &TraversalQuery) {
        let limit = self.limit(object.id);
        let hit = match &object.shape {
            Shape::HeightField(field) => field.first_hit(cast, limit),
            Shape::Instance(instance) => first_of_parts(instance, cast, query, limit),
            Shape::Primitive(primitive) => {
                let hit = primitive.get().cast_shape(cast);
                hit.filter(|hit| hit.order() < limit)
            }
        };
        if let Some(hit) = hit {
            self.best = Some((object.id, hit));
        }
    }
}

/// The first hit of an instance's parts, if it comes before `limit`.
fn first_of_parts(
    instance: &Instance,
    cast: &ShapeCast,
    query: &TraversalQuery,
    limit: HitOrder,
) -> Option<ShapeHit> {
    let mut best: Option<(u32, ShapeHit)> = None;
    let _ = instance.cast(query, limit.t(), |index, part| {
        let limit = match &best {
            None => limit,
            // Of equal hits that of the lowest part counts.
            Some((other, hit)) if index < *other => hit.order().next(),
            Some((_, hit)) => hit.order(),
        };
        if let Some(hit) = part.first_hit(cast, limit) {
            best = Some((index, hit));
        }
        ControlFlow::Continue(best.map_or(limit.t(), |(_, hit)| hit.t))
    });
    best.map(|(index, hit)| hit.of_part(index))
}
