//! Surfaces that several objects share, as terrain tiles and floor meshes that touch do.

use crate::ObjectId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A surface that several objects share; see [`World::set_surface`](crate::World::set_surface).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurfaceId(u32);

impl SurfaceId {
    /// The surface of this number, which is the caller's to choose.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// The objects that are of surfaces; most worlds have none, and take no memory for them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surfaces(Option<Arc<Both>>);

#[derive(Debug, Clone, Default)]
struct Both {
    of_object: BTreeMap<ObjectId, SurfaceId>,
    /// The same, by surface.
    objects: BTreeSet<(SurfaceId, ObjectId)>,
}

impl Surfaces {
    pub(crate) fn is_any(&self) -> bool {
        self.0.is_some()
    }

    /// The surface that an object is of.
    #[inline]
    pub(crate) fn of(&self, object: ObjectId) -> Option<SurfaceId> {
        self.0.as_ref()?.of_object.get(&object).copied()
    }

    /// The objects of a surface, in order.
    pub(crate) fn objects_of(&self, surface: SurfaceId) -> impl Iterator<Item = ObjectId> {
        let first = (surface, ObjectId::new(0, 0));
        let objects = (self.0.iter()).flat_map(move |both| both.objects.range(first..));
        objects
            .take_while(move |(other, _)| *other == surface)
            .map(|(_, object)| *object)
    }

    /// Counts what it takes on the heap, by an address that states share.
    pub(super) fn count_bytes(&self, count: &mut impl FnMut(usize, usize)) {
        if let Some(both) = &self.0 {
            let entry = 2 * size_of::<(SurfaceId, ObjectId)>();
            count(Arc::as_ptr(both).addr(), both.objects.len() * entry);
        }
    }

    /// Puts an object into a surface, or into none. Costs a copy of all where another state shares them.
    pub(super) fn set(&mut self, object: ObjectId, surface: Option<SurfaceId>) {
        let before = self.of(object);
        if before == surface {
            return;
        }
        let both = Arc::make_mut(self.0.get_or_insert_default());
        if let Some(before) = before {
            both.of_object.remove(&object);
            both.objects.remove(&(before, object));
        }
        if let Some(surface) = surface {
            both.of_object.insert(object, surface);
            both.objects.insert((surface, object));
        }
        if both.objects.is_empty() {
            self.0 = None;
        }
    }
}
