//! The objects of one state of a world, by slot, in blocks that states share.
//!
//! A copy of all slots costs a pointer for each block; a block is copied when one of its objects
//! changes while another state still holds it.

use super::object::Object;
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

    pub(super) fn put(&mut self, slot: u32, object: Option<Object>) {
        let slot = slot as usize;
        while self.blocks.len() <= slot / BLOCK {
            self.blocks.push(Arc::new([const { None }; BLOCK]));
        }
        Arc::make_mut(&mut self.blocks[slot / BLOCK])[slot % BLOCK] = object;
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
