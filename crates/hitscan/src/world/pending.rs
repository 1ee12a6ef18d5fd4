//! Changes of a world that its next update makes.

use super::object::Object;
use super::object_table::{Change, SPARE};
use std::vec::Drain;

/// For each slot at most one change: what it will hold.
///
/// A slot is changed if its place leads to a change that names it: places of slots that are not changed
/// mean nothing, and need not be reset.
///
/// Source: Briggs, Torczon, "An Efficient Representation for Sparse Sets", LOPLAS 1993.
#[derive(Debug, Clone, Default)]
pub(super) struct Pending {
    changes: Vec<Change>,
    /// For each slot the index of its change.
    places: Vec<u32>,
    /// How many changes there were before the batch of edits that is being made; 0 without one.
    batch_start: usize,
    /// Those of them that the batch has replaced, so that it can be undone.
    replaced: Vec<Change>,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// What the slot will hold, if it changes.
    pub(super) fn get(&self, slot: u32) -> Option<Option<&Object>> {
        let place = *self.places.get(slot as usize)?;
        let (changed, object) = self.changes.get(place as usize)?;
        (*changed == slot).then_some(object.as_ref())
    }

    /// Where the change of a slot is written, from here on a removal: objects are large, and best written
    /// where they stay.
    pub(super) fn change(&mut self, slot: u32) -> &mut Option<Object> {
        let index = slot as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, 0);
        }
        let place = self.places[index] as usize;
        let is_changed = self
            .changes
            .get(place)
            .is_some_and(|change| change.0 == slot);
        if is_changed {
            let replaced = self.changes[place].1.take();
            if place < self.batch_start {
                self.replaced.push((slot, replaced));
            }
            return &mut self.changes[place].1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "32 bits number the slots")]
        let count = self.changes.len() as u32;
        self.places[index] = count;
        self.changes.push((slot, None));
        &mut self.changes[count as usize].1
    }

    /// Begins a batch of edits; either all or none are made.
    pub(super) fn start_batch(&mut self) {
        // An iterator of the caller's may have panicked in an earlier one.
        self.replaced.clear();
        self.batch_start = self.changes.len();
    }

    /// Ends a batch of edits.
    pub(super) fn end_batch(&mut self) {
        self.batch_start = 0;
        self.replaced.clear();
    }

    /// Ends a batch of edits and puts everything back as it was before.
    pub(super) fn undo_batch(&mut self) {
        self.changes.truncate(self.batch_start);
        self.batch_start = 0;
        for (slot, object) in core::mem::take(&mut self.replaced).into_iter().rev() {
            *self.change(slot) = object;
        }
    }

    /// Takes all changes, in the order in which their slots were first changed.
    pub(super) fn drain(&mut self) -> Drain<'_, Change> {
        self.end_batch();
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
        (self.changes.capacity() + self.replaced.capacity()) * size_of::<Change>()
            + size_of_val(self.places.as_slice())
    }
}
