//! The traversal stack of wavefronts and packets: pushed and popped without branches that could be
//! mispredicted.

use crate::bvh::node::{Child, Node, WIDTH};
use crate::simd::{permute_numbers, sort_descending};
use fearless_simd::{Select, Simd, f32x8, mask32x8, prelude::*, u32x8};

/// The number of entries at most before older ones are spilled.
const NEAR: usize = 32;

/// The bits of a key that hold the child's index in its node; the others are those of when it is
/// entered.
const PLACE: u32 = 7;

const _: () = assert!(PLACE as usize + 1 == WIDTH, "the last bits hold a place");

/// Lies below all entries: later than any time limit.
const BOTTOM: u32 = u32::MAX;

/// Nodes and leaves to visit, last in first out; of what is pushed together, the nearest is popped
/// first.
///
/// A key is the time at which a child is entered, its last bits cut off, so that it may only be
/// earlier. Times are not negative, so the order of their bits is theirs.
pub(in crate::bvh) struct Stack {
    /// Keys and children lie above [`BOTTOM`] in the first place.
    keys: [u32; NEAR],
    children: [u32; NEAR],
    top: usize,
    /// Older ones, spilled here when there were too many.
    older: Vec<(u32, u32)>,
}

/// The state of a traversal: where it is, and what is still to visit.
pub(in crate::bvh) struct Traversal {
    pub(in crate::bvh) child: Child,
    /// The time from which on nothing matters, and the latest key before it.
    pub(in crate::bvh) time_limit: f32,
    last_key: u32,
    pub(in crate::bvh) stack: Stack,
}

impl Traversal {
    pub(in crate::bvh) fn new() -> Self {
        Self {
            child: Child::ROOT,
            time_limit: 0.0,
            last_key: 0,
            stack: Stack::new(),
        }
    }

    /// Starts at the root.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn init(&mut self, time_limit: f32) {
        self.child = Child::ROOT;
        self.keep_before(time_limit);
        self.stack.clear();
    }

    /// Nothing that is entered after `time_limit` matters any more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn keep_before(&mut self, time_limit: f32) {
        self.time_limit = time_limit;
        self.last_key = Stack::last_key(time_limit);
    }

    /// Pops the top, if that may still be touched: the traversal is then there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn step(&mut self) -> bool {
        let (child, is_in_time) = self.stack.pop_if(self.last_key);
        self.child = child;
        is_in_time
    }

    /// Pops down to an entry that may still be touched, if there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn advance(&mut self) -> bool {
        match self.stack.pop(self.last_key) {
            Some(child) => {
                self.child = child;
                true
            }
            None => false,
        }
    }
}

impl Stack {
    fn new() -> Self {
        Self {
            keys: [BOTTOM; NEAR],
            children: [0; NEAR],
            top: 0,
            older: Vec::new(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn clear(&mut self) {
        self.top = 0;
        self.older.clear();
    }

    /// The latest key that still matters where nothing does that is entered after `limit`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn last_key(limit: f32) -> u32 {
        limit.max(0.0).to_bits() | PLACE
    }

    /// Pushes those of the node's children that are `touched`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn push<S: Simd>(
        &mut self,
        simd: S,
        node: &Node,
        times: f32x8<S>,
        touched: mask32x8<S>,
    ) {
        if self.top >= NEAR - WIDTH {
            self.make_room();
        }
        let lanes = u32x8::load_array(simd, [0, 1, 2, 3, 4, 5, 6, 7]);
        let keys = (times.abs().bitcast::<u32x8<S>>() & !PLACE) | lanes;
        // What is not touched comes last, and is overwritten.
        let keys = touched.select(keys, u32x8::splat(simd, 0));
        let keys = sort_descending(simd, keys);
        let children = u32x8::load_array(simd, node.children.map(|child| child.0));
        let children = permute_numbers(simd, children, keys);
        let room = self.top + 1..self.top + 1 + WIDTH;
        self.keys[room.clone()].copy_from_slice(&keys.to_array());
        self.children[room].copy_from_slice(&children.to_array());
        self.top += touched.to_bitmask().count_ones() as usize;
    }

    /// The last `count` that were pushed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn last(&self, count: usize) -> impl Iterator<Item = Child> {
        let last = &self.children[..=self.top][self.top + 1 - count..];
        last.iter().map(|child| Child(*child))
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let pushed = 1..=self.top;
        let (keys, children) = (&self.keys[pushed.clone()], &self.children[pushed]);
        self.older
            .extend(keys.iter().copied().zip(children.iter().copied()));
        self.top = 0;
    }

    /// The last, and whether it is no later than `last_key`, in which case it is taken out.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop_if(&mut self, last_key: u32) -> (Child, bool) {
        let place = self.top % NEAR;
        let is_in_time = self.keys[place] <= last_key;
        self.top = place - usize::from(is_in_time);
        (Child(self.children[place]), is_in_time)
    }

    /// Pops entries that are too late, and the one after; `None` where nothing is left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop(&mut self, last_key: u32) -> Option<Child> {
        loop {
            let place = self.top % NEAR;
            if place == 0 {
                if self.older.is_empty() {
                    return None;
                }
                self.bring_back();
                continue;
            }
            self.top = place - 1;
            if self.keys[place] <= last_key {
                return Some(Child(self.children[place]));
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn bring_back(&mut self) {
        let first = self.older.len().saturating_sub(NEAR - WIDTH - 1);
        for (key, child) in self.older.drain(first..) {
            self.top += 1;
            self.keys[self.top] = key;
            self.children[self.top] = child;
        }
    }
}
