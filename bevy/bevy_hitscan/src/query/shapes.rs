//! Shapes that move and shapes that rest.

use super::entity_hit::{EntityHit, named};
use super::view::{Group, View};
use crate::HitscanFilter;
use hitscan::{Contact, ContactsPer, Primitive, ShapeCast, ShapeHit, Sides};

impl View<'_, '_, '_> {
    pub(super) fn cast_shape(
        &self,
        cast: &ShapeCast,
        filter: &HitscanFilter<'_>,
    ) -> Option<EntityHit<ShapeHit>> {
        let sides = filter.sides.unwrap_or(Sides::Both);
        let hit = self.ask(filter, Group::All, |objects| {
            self.snapshot.cast_shape(cast, (sides, objects))
        });
        let hit = hit.and_then(named);
        #[cfg(feature = "gizmos")]
        self.trace_sweeps(core::slice::from_ref(cast), &[hit]);
        hit
    }

    pub(super) fn cast_shape_all(
        &self,
        cast: &ShapeCast,
        filter: &HitscanFilter<'_>,
    ) -> Vec<EntityHit<ShapeHit>> {
        let sides = filter.sides.unwrap_or(Sides::Both);
        let hits = self.ask(filter, Group::All, |objects| {
            self.snapshot.cast_shape_all(cast, (sides, objects))
        });
        hits.into_iter().filter_map(named).collect()
    }

    pub(super) fn cast_shapes(
        &self,
        casts: &[ShapeCast],
        filter: &HitscanFilter<'_>,
    ) -> Vec<Option<EntityHit<ShapeHit>>> {
        let sides = filter.sides.unwrap_or(Sides::Both);
        let hits = self.ask(filter, Group::All, |objects| {
            self.snapshot.cast_shapes(casts, (sides, objects))
        });
        let hits: Vec<_> = hits.into_iter().map(|hit| hit.and_then(named)).collect();
        #[cfg(feature = "gizmos")]
        self.trace_sweeps(casts, &hits);
        hits
    }

    pub(super) fn contacts(
        &self,
        shape: &Primitive,
        margin: f32,
        filter: &HitscanFilter<'_>,
    ) -> Vec<EntityHit<Contact>> {
        let contacts = self.ask(filter, Group::All, |objects| {
            let shape = shape.clone();
            self.snapshot
                .contacts(shape, margin, ContactsPer::Object, objects)
        });
        contacts.into_iter().filter_map(named).collect()
    }

    pub(super) fn overlaps_shape(&self, shape: &Primitive, filter: &HitscanFilter<'_>) -> bool {
        self.ask(filter, Group::All, |objects| {
            self.snapshot.overlaps_shape(shape.clone(), objects)
        })
    }
}
