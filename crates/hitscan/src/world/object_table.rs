//! The objects of one state of a world, by slot, in blocks that states share.
//!
//! A copy of all slots costs a pointer for each block; a block is copied when one of its objects
//! changes while another state still holds it.

use super::baked_objects::BakedObjects;
use super::object::Object;
use crate::ObjectId;
use crate::model::Model;
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
    /// Blocks without any object are not kept, and the last is one with some, or one of `unchanged`.
    blocks: Vec<Option<Arc<Block>>>,
    /// What was baked, where some of it is left.
    unchanged: Option<Unchanged>,
}

/// Baked objects in unchanged blocks, which are not among the other blocks.
#[derive(Debug, Clone)]
struct Unchanged {
    objects: Arc<BakedObjects>,
    /// Whether a block is one of them.
    blocks: Vec<bool>,
}

impl Unchanged {
    fn has(&self, slot: u32) -> bool {
        let block = self.blocks.get(slot as usize / BLOCK);
        block.copied().unwrap_or(false)
    }

    fn get(&self, slot: u32) -> Option<&Object> {
        self.has(slot).then(|| self.objects.get(slot))?
    }

    /// The slots of all objects that are left.
    fn slots(&self) -> impl Iterator<Item = u32> {
        #[expect(clippy::cast_possible_truncation, reason = "32 bits number the slots")]
        let count = self.objects.count() as u32;
        (0..count).filter(move |slot| self.has(*slot))
    }

    /// Takes the objects of a block out, to be changed.
    fn take(&mut self, place: usize) -> Option<Block> {
        if !core::mem::replace(self.blocks.get_mut(place)?, false) {
            return None;
        }
        let first = place * BLOCK;
        Some(Block(core::array::from_fn(|index| {
            let slot = u32::try_from(first + index).ok()?;
            self.objects.get(slot).cloned()
        })))
    }
}

impl Slots {
    /// The slots of objects that were baked.
    pub(super) fn of_baked(objects: BakedObjects) -> Self {
        let count = objects.count().div_ceil(BLOCK);
        Self {
            blocks: vec![None; count],
            unchanged: Some(Unchanged {
                objects: Arc::new(objects),
                blocks: vec![true; count],
            }),
        }
    }

    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<&Object> {
        match self.blocks.get(slot as usize / BLOCK)? {
            Some(block) => block.0[slot as usize % BLOCK].as_ref(),
            None => self.get_unchanged(slot),
        }
    }

    #[cold]
    #[inline(never)]
    fn get_unchanged(&self, slot: u32) -> Option<&Object> {
        self.unchanged.as_ref()?.get(slot)
    }

    /// Whether there is an object in a slot; a baked one is not made for it.
    pub(super) fn is_used(&self, slot: u32) -> bool {
        match self.blocks.get(slot as usize / BLOCK) {
            Some(Some(block)) => block.0[slot as usize % BLOCK].is_some(),
            _ => (self.unchanged.as_ref()).is_some_and(|unchanged| {
                unchanged.has(slot) && unchanged.objects.id(slot).is_some()
            }),
        }
    }

    /// The model that the object with this handle shows; a baked one is not made for it.
    pub(super) fn model(&self, id: ObjectId) -> Option<&Arc<Model>> {
        let unchanged = self
            .unchanged
            .as_ref()
            .filter(|unchanged| unchanged.has(id.slot()));
        match unchanged {
            Some(unchanged) => {
                let objects = &unchanged.objects;
                let is_there = objects.id(id.slot()) == Some(id);
                is_there.then(|| objects.model(id.slot()))?
            }
            None => self
                .get(id.slot())
                .filter(|object| object.id == id)?
                .model(),
        }
    }

    /// Prefetches a slot.
    #[inline]
    pub(super) fn fetch(&self, slot: u32) {
        let place = slot as usize;
        if let Some(Some(block)) = self.blocks.get(place / BLOCK) {
            prefetch(&block.0[place % BLOCK]);
        } else if let Some(unchanged) = &self.unchanged {
            unchanged.objects.fetch(slot);
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
            let unchanged = &mut self.unchanged;
            let block = self.blocks[place].get_or_insert_with(|| {
                let baked = unchanged.as_mut().and_then(|all| all.take(place));
                baked.map_or_else(empty_block, Arc::new)
            });
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
        let left = |all: &Unchanged| all.blocks.iter().rposition(|is_left| *is_left);
        let left = self.unchanged.as_ref().and_then(left);
        if left.is_none() {
            self.unchanged = None;
        }
        if is_any_empty {
            let used = self.blocks.iter().rposition(Option::is_some).max(left);
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

    fn own(&self) -> impl Iterator<Item = &Object> {
        let blocks = self.blocks.iter().flatten();
        blocks.flat_map(|block| block.0.iter().flatten())
    }

    /// The objects, in no promised order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Object> {
        let unchanged = self.unchanged.iter();
        let unchanged =
            unchanged.flat_map(|all| all.slots().filter_map(move |slot| all.objects.get(slot)));
        self.own().chain(unchanged)
    }

    /// The objects that take memory, in no promised order: all but baked ones that nothing came to.
    pub(super) fn at_hand(&self) -> impl Iterator<Item = &Object> {
        let unchanged = self.unchanged.iter();
        self.own()
            .chain(unchanged.flat_map(|all| all.objects.at_hand()))
    }

    /// The handles of the objects, in no promised order.
    pub(super) fn ids(&self) -> impl Iterator<Item = ObjectId> {
        let unchanged = self.unchanged.iter();
        let unchanged =
            unchanged.flat_map(|all| all.slots().filter_map(move |slot| all.objects.id(slot)));
        self.own().map(|object| object.id).chain(unchanged)
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
        let theirs = other.and_then(|other| other.unchanged.as_ref());
        let is_own = |all: &&Unchanged| {
            theirs.is_none_or(|theirs| !Arc::ptr_eq(&theirs.objects, &all.objects))
        };
        let unchanged = self.unchanged.as_ref().filter(is_own);
        unchanged.map_or(0, |all| all.blocks.len() + all.objects.bytes())
            + own * size_of::<Block>()
            + self.blocks.capacity() * size_of::<Option<Arc<Block>>>()
    }
}

fn empty_block() -> Arc<Block> {
    Arc::new(Block([const { None }; BLOCK]))
}
