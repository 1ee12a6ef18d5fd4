//! The objects of one state of a world, by slot, in blocks that states share.
//!
//! A copy of all slots costs a pointer for each block; a block is copied when one of its objects
//! changes while another state still holds it.

use super::object::Object;
use crate::simd::prefetch;
use std::sync::Arc;

/// How many objects stand in a block.
const BLOCK: usize = 32;

/// Objects by slot; slots may be empty.
#[derive(Debug, Clone, Default)]
pub(super) struct Slots {
    blocks: Vec<Arc<[Option<Object>; BLOCK]>>,
}

impl Slots {
    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<&Object> {
        let slot = slot as usize;
        self.blocks.get(slot / BLOCK)?[slot % BLOCK].as_ref()
    }

    /// Asks for the memory of a slot.
    #[inline]
    pub(super) fn fetch(&self, slot: u32) {
        let slot = slot as usize;
        if let Some(block) = self.blocks.get(slot / BLOCK) {
            prefetch(&block[slot % BLOCK]);
        }
    }

    /// Puts an object, or none, into each of these slots; `change` is told of each with what was there. Changes
    /// of one block after the other cost less, as it is asked only once whether others hold it.
    pub(super) fn put_all(
        &mut self,
        changes: impl Iterator<Item = (u32, Option<Object>)>,
        mut change: impl FnMut(u32, Option<&Object>, Option<&Object>),
    ) {
        let mut changes = changes.peekable();
        while let Some((slot, _)) = changes.peek() {
            let place = *slot as usize / BLOCK;
            while self.blocks.len() <= place {
                self.blocks.push(Arc::new([const { None }; BLOCK]));
            }
            let block = Arc::make_mut(&mut self.blocks[place]);
            while let Some((slot, object)) =
                changes.next_if(|(slot, _)| *slot as usize / BLOCK == place)
            {
                let own = &mut block[slot as usize % BLOCK];
                change(slot, own.as_ref(), object.as_ref());
                *own = object;
            }
        }
    }

    /// The objects, in no promised order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Object> {
        self.blocks.iter().flat_map(|block| block.iter().flatten())
    }

    /// The bytes of the blocks that `other` does not share.
    pub(super) fn own_bytes(&self, other: Option<&Self>) -> usize {
        let shared = |(place, block): &(usize, &Arc<_>)| {
            let theirs = other.and_then(|other| other.blocks.get(*place));
            theirs.is_some_and(|theirs| Arc::ptr_eq(theirs, block))
        };
        let own = self.blocks.iter().enumerate().filter(|one| !shared(one));
        own.count() * size_of::<[Option<Object>; BLOCK]>() + size_of_val(self.blocks.as_slice())
    }
}
