//! Children that wait to be visited, without asking for memory in usual trees.

use super::node::Child;

/// How many wait before memory is asked for.
const NEAR: usize = 32;

/// A child that waits: when it is entered, in the upper half, and which it is in the lower.
///
/// Times are not negative, so the order of the integers is that of the times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(u64);

impl Entry {
    #[inline(always)]
    pub(super) fn new(time: f32, child: Child) -> Self {
        Self(u64::from(time.to_bits()) << 32 | u64::from(child.0))
    }

    #[inline(always)]
    pub(super) fn time(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the lower half is asked for"
    )]
    pub(super) fn child(self) -> Child {
        Child(self.0 as u32)
    }
}

/// What waits, last in first out.
pub(super) struct Stack {
    entries: [Entry; NEAR],
    len: usize,
    /// Older entries, moved here when there were too many.
    older: Vec<Entry>,
}

impl Stack {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            entries: [Entry(0); NEAR],
            len: 0,
            older: Vec::new(),
        }
    }

    /// Makes sure that `count` more entries find place, at most 8.
    #[inline(always)]
    pub(super) fn reserve(&mut self, count: usize) {
        if self.len + count > NEAR {
            self.make_room();
        }
    }

    #[cold]
    fn make_room(&mut self) {
        self.older.extend_from_slice(&self.entries[..self.len]);
        self.len = 0;
    }

    /// Adds an entry among the last ones, from `first` on, which are sorted with the least on top.
    #[inline(always)]
    pub(super) fn insert(&mut self, first: usize, entry: Entry) {
        let mut place = self.len % NEAR;
        self.len = place + 1;
        while place > first && self.entries[place - 1] < entry {
            self.entries[place] = self.entries[place - 1];
            place -= 1;
        }
        self.entries[place] = entry;
    }

    /// How many entries stand in the near part.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Entry> {
        if self.len == 0 {
            return self.older.pop();
        }
        self.len -= 1;
        Some(self.entries[self.len % NEAR])
    }
}
