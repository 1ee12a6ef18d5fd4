//! Changes of a world that its next update makes.

use super::object::Object;
use super::object_table::SPARE;

/// Marks a slot without a change.
const NONE: u32 = u32::MAX;

/// For each slot at most one change: what it will hold.
#[derive(Debug, Clone, Default)]
pub(super) struct Pending {
    changes: Vec<(u32, Option<Object>)>,
    /// For each slot the index of its change.
    places: Vec<u32>,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// What the slot will hold, if it changes.
    pub(super) fn get(&self, slot: u32) -> Option<Option<&Object>> {
        let place = *self.places.get(slot as usize)?;
        let change = self.changes.get(place as usize)?;
        Some(change.1.as_ref())
    }

    pub(super) fn put(&mut self, slot: u32, object: Option<Object>) {
        let index = slot as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, NONE);
        }
        match self.changes.get_mut(self.places[index] as usize) {
            Some(change) => change.1 = object,
            None => {
                // There are fewer changes than slots, which 32 bits number.
                self.places[index] = u32::try_from(self.changes.len()).unwrap_or(NONE);
                self.changes.push((slot, object));
            }
        }
    }

    /// Takes all changes, in the order in which their slots were first changed.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = (u32, Option<Object>)> + '_ {
        for (slot, _) in &self.changes {
            self.places[*slot as usize] = NONE;
        }
        self.changes.drain(..)
    }

    /// Gives memory back that a world with so many slots does not need.
    pub(super) fn shrink(&mut self, slot_count: usize) {
        if slot_count < self.places.len() / SPARE {
            self.places.truncate(slot_count);
            self.places.shrink_to_fit();
            self.changes.shrink_to(slot_count);
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.changes.capacity() * size_of::<(u32, Option<Object>)>()
            + size_of_val(self.places.as_slice())
    }
}
