//! The objects of one state of a world, by slot, in blocks that states share.
//!
//! A copy of all slots costs a pointer for each block; a block is copied when one of its objects
//! changes while another state still holds it.

use super::object::Object;
use crate::simd::prefetch;
use std::sync::Arc;
use std::vec::Drain;

/// The number of objects in a block.
const BLOCK: usize = 32;

/// Memory is given back where less than one part in this many is used.
pub(super) const SPARE: usize = 4;

/// Objects that lie in one cache line each.
#[derive(Debug, Clone)]
#[repr(align(64))]
struct Block([Option<Object>; BLOCK]);

/// A slot, and what it will hold.
pub(super) type Change = (u32, Option<Object>);

/// Objects by slot; slots may be empty.
#[derive(Debug, Clone, Default)]
pub(super) struct Slots {
    /// Blocks without any object are not kept, and the last is one with some.
    blocks: Vec<Option<Arc<Block>>>,
}

impl Slots {
    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<&Object> {
        let slot = slot as usize;
        self.blocks.get(slot / BLOCK)?.as_ref()?.0[slot % BLOCK].as_ref()
    }

    /// Prefetches a slot.
    #[inline]
    pub(super) fn fetch(&self, slot: u32) {
        let slot = slot as usize;
        if let Some(Some(block)) = self.blocks.get(slot / BLOCK) {
            prefetch(&block.0[slot % BLOCK]);
        }
    }

    /// Puts an object, or none, into each of these slots; `change` is called for each with what was
    /// there. Consecutive changes of one block cost less, as the block is checked for other owners once.
    pub(super) fn put_all(
        &mut self,
        mut changes: Drain<'_, Change>,
        mut change: impl FnMut(u32, Option<&Object>, Option<&Object>),
    ) {
        let mut is_any_empty = false;
        while let Some((slot, _)) = changes.as_slice().first() {
            let place = *slot as usize / BLOCK;
            if self.blocks.len() <= place {
                self.blocks.resize(place + 1, None);
            }
            let block = self.blocks[place].get_or_insert_with(empty_block);
            let Block(block) = Arc::make_mut(block);
            let mut is_removal = false;
            while let Some((slot, object)) = changes.as_slice().first()
                && *slot as usize / BLOCK == place
            {
                let own = &mut block[*slot as usize % BLOCK];
                change(*slot, own.as_ref(), object.as_ref());
                is_removal |= object.is_none();
                *own = changes.next().and_then(|(_, object)| object);
            }
            if is_removal && block.iter().all(Option::is_none) {
                self.blocks[place] = None;
                is_any_empty = true;
            }
        }
        if is_any_empty {
            let used = self.blocks.iter().rposition(Option::is_some);
            self.blocks.truncate(used.map_or(0, |last| last + 1));
            if self.blocks.len() < self.blocks.capacity() / SPARE {
                self.blocks.shrink_to_fit();
            }
        }
    }

    /// The number of slots up to the last that may be in use.
    pub(super) fn slot_count(&self) -> usize {
        self.blocks.len() * BLOCK
    }

    /// The objects, in no promised order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Object> {
        let blocks = self.blocks.iter().flatten();
        blocks.flat_map(|block| block.0.iter().flatten())
    }

    /// The bytes of the blocks that `other` does not share.
    pub(super) fn own_bytes(&self, other: Option<&Self>) -> usize {
        let is_own = |(place, block): (usize, &Option<Arc<Block>>)| {
            let Some(block) = block else { return false };
            let theirs = other.and_then(|other| other.blocks.get(place)?.as_ref());
            theirs.is_none_or(|theirs| !Arc::ptr_eq(theirs, block))
        };
        let blocks = self.blocks.iter().enumerate();
        let own = blocks.filter(|one| is_own(*one)).count();
        own * size_of::<Block>() + self.blocks.capacity() * size_of::<Option<Arc<Block>>>()
    }
}

fn empty_block() -> Arc<Block> {
    Arc::new(Block([const { None }; BLOCK]))
}
