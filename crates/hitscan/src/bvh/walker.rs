//! A probe's walk of the tree that can be left and gone on with: step by step, as waves of them take
//! it (`crate::wave`), or from item to item. `traverse.rs` is the walk of one from end to end.

use super::node::{Child, WIDTH};
use super::probe::Image;
use super::stack::{Entry, Stack};
use super::traverse::{NodeTest, Planes, first_of};
use super::{Bvh, Probe};
use core::ops::ControlFlow;
use fearless_simd::{Simd, dispatch};

/// A probe on its way, nearest boxes first.
pub(crate) struct Walker {
    image: Image,
    /// Where it stands.
    child: Child,
    time_limit: f32,
    /// Which children of the node where it stands may be touched, and when they are entered.
    touched: u32,
    times: [f32; WIDTH],
    stack: Stack,
    waiting: usize,
}

impl Walker {
    pub(crate) fn new() -> Self {
        Self {
            image: Image::NONE,
            child: Child::ROOT,
            time_limit: 0.0,
            touched: 0,
            times: [0.0; WIDTH],
            stack: Stack::new(),
            waiting: 0,
        }
    }

    /// Sets out from the root; hits after t = `limit` do not matter.
    #[inline(always)]
    pub(crate) fn set_out(&mut self, image: Image, limit: f32) {
        self.image = image;
        self.child = Child::ROOT;
        self.time_limit = image.time_limit(limit);
        self.stop();
    }

    #[inline(always)]
    pub(crate) fn keep_before(&mut self, limit: f32) {
        self.time_limit = self.image.time_limit(limit);
    }

    /// The image's time from which on nothing matters.
    #[inline(always)]
    pub(crate) fn time_limit(&self) -> f32 {
        self.time_limit
    }

    /// Forgets all that waits, so that there is nothing to take up.
    #[inline(always)]
    pub(crate) fn stop(&mut self) {
        self.stack.clear();
        self.waiting = 0;
    }

    /// The index of the leaf where the walker stands.
    #[inline(always)]
    pub(crate) fn leaf(&self) -> u32 {
        self.child.number()
    }

    #[inline(always)]
    pub(crate) fn is_at_leaf(&self) -> bool {
        self.child.is_leaf()
    }

    /// Whether children of the node where it stands may be touched.
    #[inline(always)]
    pub(crate) fn has_touched(&self) -> bool {
        self.touched != 0
    }

    /// Leaves the item where the walker stands, if it may still touch others at a t that rounds to at
    /// most `limit`.
    pub(crate) fn leave(&mut self, limit: f32) -> bool {
        self.keep_before(limit);
        self.take_up()
    }

    /// Goes on to what waits on top and may still be touched, if anything does.
    #[inline(always)]
    pub(crate) fn take_up(&mut self) -> bool {
        let last = Entry::last(self.time_limit);
        while let Some(entry) = self.stack.pop(&mut self.waiting) {
            if entry <= last {
                self.child = entry.child();
                return true;
            }
        }
        false
    }
}

impl Bvh {
    /// Sets out with a probe, if it may touch anything.
    pub(crate) fn set_out(&self, walker: &mut Walker, probe: &Probe) -> bool {
        dispatch!(self.width().level(), simd => match self.image(simd, probe) {
            Some(image) => {
                walker.set_out(image, f32::INFINITY);
                true
            }
            None => false,
        })
    }

    /// As [`Bvh::cast`], from where the walker stands, in a tree whose leaves are one item each. Where
    /// `visit` breaks off, the walker stands at that item and can be gone on with.
    pub(crate) fn walk_on(
        &self,
        walker: &mut Walker,
        visit: &mut dyn FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        dispatch!(self.width().level(), simd => self.walk_on_with(simd, walker, visit))
    }

    #[inline(always)]
    fn walk_on_with<S: Simd>(
        &self,
        simd: S,
        walker: &mut Walker,
        visit: &mut dyn FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        debug_assert!(self.leaves().is_empty(), "a leaf is an item");
        loop {
            if walker.is_at_leaf() {
                let limit = visit(walker.leaf())?;
                walker.keep_before(limit);
            } else {
                self.test_node(simd, walker);
                if walker.has_touched() {
                    self.enter_child(walker);
                    continue;
                }
            }
            if !walker.take_up() {
                return ControlFlow::Continue(());
            }
        }
    }
}

impl<B> Bvh<B> {
    /// Finds which children of the node where the walker stands may be touched.
    #[inline(always)]
    pub(crate) fn test_node<S: Simd>(&self, simd: S, walker: &mut Walker) {
        let index = walker.child.number();
        let node = &self.nodes[index as usize];
        let planes = Planes::new(simd, &walker.image);
        let (touched, times) = planes.touched(simd, index, node, walker.time_limit);
        walker.touched = touched & node.used;
        walker.times = times;
    }

    /// Goes on to the nearest child that may be touched; the others wait, the nearer nearer the top.
    #[inline(always)]
    pub(crate) fn enter_child(&self, walker: &mut Walker) {
        let node = &self.nodes[walker.child.place()];
        let mut touched = walker.touched;
        let first = first_of(&mut touched);
        let mut nearest = Entry::new(walker.times[first], node.children[first]);
        if touched != 0 {
            walker.stack.reserve(&mut walker.waiting);
            let base = walker.waiting;
            while touched != 0 {
                let place = first_of(&mut touched);
                let other = Entry::new(walker.times[place], node.children[place]);
                walker
                    .stack
                    .insert(base, &mut walker.waiting, nearest.max(other));
                nearest = nearest.min(other);
            }
        }
        walker.child = nearest.child();
    }

    /// Asks for the memory of where the walker stands.
    #[inline(always)]
    pub(crate) fn fetch(&self, walker: &Walker) {
        self.prefetch(walker.child);
    }
}
