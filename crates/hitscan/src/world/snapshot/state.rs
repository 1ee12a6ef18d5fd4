//! The state of a world: its objects and the tree over them.
//!
//! A state never changes once it is kept, and states share what is the same in them.

use crate::bvh::Bvh;
use crate::query::filter::QueryFilter;
use crate::world::object::{Object, Shape};
use crate::world::object_table::{Change, Slots};
use crate::world::surfaces::Surfaces;
use crate::{Aabb, HeightField, ObjectId};
use std::sync::Arc;
use std::vec::Drain;

/// Objects and the tree over their boxes, whose items are their slots.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(in crate::world) slots: Slots,
    pub(crate) tree: Arc<Bvh>,
    /// Those objects that are terrain, in order.
    pub(crate) terrains: Vec<ObjectId>,
    pub(crate) surfaces: Surfaces,
    pub(crate) object_count: usize,
}

impl State {
    /// The object with this handle, if it is still there.
    pub(crate) fn object(&self, id: ObjectId) -> Option<&Object> {
        self.slots.get(id.slot()).filter(|object| object.id == id)
    }

    /// The objects in order.
    pub(crate) fn objects(&self) -> Vec<&Object> {
        let mut objects: Vec<&Object> = self.slots.iter().collect();
        objects.sort_unstable_by_key(|object| object.id);
        objects
    }

    /// The handles of the objects, in order.
    pub(crate) fn ids(&self) -> Vec<ObjectId> {
        let mut ids: Vec<ObjectId> = self.slots.ids().collect();
        ids.sort_unstable();
        ids
    }

    /// The terrains that `filter` accepts, in order, with what answers name them by.
    pub(crate) fn height_fields<'a>(
        &'a self,
        filter: QueryFilter<'a>,
    ) -> impl Iterator<Item = ((ObjectId, u64), &'a HeightField)> {
        self.terrains.iter().filter_map(move |id| {
            let object = self
                .object(*id)
                .filter(|object| filter.sees(object.id, object.layers))?;
            match &object.shape {
                Shape::HeightField(field) => Some((object.tag(), field.as_ref())),
                _ => None,
            }
        })
    }

    /// The box around everything.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        self.tree.union_of(|slot| self.slots.get(slot)?.bounds())
    }

    /// Puts an object, or none, into each of these slots; `change` is called for each. The tree is not part of it.
    pub(crate) fn put_all(
        &mut self,
        changes: Drain<'_, Change>,
        mut change: impl FnMut(u32, Option<&Object>),
    ) {
        let Self {
            slots,
            terrains,
            surfaces,
            object_count,
            ..
        } = self;
        slots.put_all(changes, |slot, old, new| {
            change(slot, new);
            if let Some(old) = old {
                *object_count -= 1;
                if new.is_none_or(|new| new.id != old.id) {
                    surfaces.set(old.id, None);
                }
                if matches!(old.shape, Shape::HeightField(_)) {
                    terrains.retain(|other| *other != old.id);
                }
            }
            if let Some(new) = new {
                *object_count += 1;
                if matches!(new.shape, Shape::HeightField(_)) {
                    let place = terrains.partition_point(|other| *other < new.id);
                    terrains.insert(place, new.id);
                }
            }
        });
    }
}
