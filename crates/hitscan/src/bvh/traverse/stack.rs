//! The traversal stack of one query: pushed by insertion, without allocation in usual trees.
//!
//! A single ray touches one or two children of most nodes. Sorting all eight lanes without branches, as
//! `sorted_stack.rs` does for wavefronts, takes it 5 % longer: its next step waits for the sort.

use crate::bvh::node::{Child, WIDTH};

/// The number of entries before memory is allocated.
const NEAR: usize = 32;

/// A child to visit: when it is entered, in the upper half, and which it is in the lower.
///
/// Times are not negative, so the order of the integers is that of the times; -0 is kept as 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::bvh) struct Entry(u64);

impl Entry {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn new(time: f32, child: Child) -> Self {
        Self(u64::from(time.abs().to_bits()) << 32 | u64::from(child.0))
    }

    /// No child that is entered by this time comes after it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn last(time: f32) -> Self {
        Self(u64::from(time.max(0.0).to_bits()) << 32 | u64::from(u32::MAX))
    }

    /// When the child is entered.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn time(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is wanted")]
    pub(in crate::bvh) fn child(self) -> Child {
        Child(self.0 as u32)
    }
}

/// Children to visit, last in first out. How many there are is a number beside it, which so can stay in a
/// register.
pub(in crate::bvh) struct Stack {
    entries: [Entry; NEAR],
    /// Older entries, spilled here when there were too many.
    older: Vec<Entry>,
}

impl Stack {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn new() -> Self {
        Self {
            entries: [Entry(0); NEAR],
            older: Vec::new(),
        }
    }

    /// Reserves room for eight more entries than `len`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn reserve(&mut self, len: &mut usize) {
        if *len > NEAR - WIDTH {
            self.make_room(*len);
            *len = 0;
        }
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, len: usize) {
        self.older.extend_from_slice(&self.entries[..len]);
    }

    /// Adds an entry, for which there is place, among the last of `len` others: from `first` on they
    /// are sorted, with the smallest on top.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn insert(&mut self, first: usize, len: &mut usize, entry: Entry) {
        let mut place = *len % NEAR;
        *len = place + 1;
        while place > first && self.entries[place - 1] < entry {
            self.entries[place] = self.entries[place - 1];
            place -= 1;
        }
        self.entries[place] = entry;
    }

    /// Pops the last of `len` entries, or an older one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn pop(&mut self, len: &mut usize) -> Option<Entry> {
        if *len == 0 {
            return self.older.pop();
        }
        *len -= 1;
        Some(self.entries[*len % NEAR])
    }
}
