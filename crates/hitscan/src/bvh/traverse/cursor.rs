//! A probe's walk of the tree that can be left and gone on with: step by step, as waves of them take
//! it (`crate::query::wavefront`), or from item to item. `traverse.rs` is the walk of one from end to end.

use super::prepared::Image;
use super::single::Planes;
use super::sorted_stack::Way;
use crate::bvh::{Bvh, Probe};
use crate::simd::prefetch;
use core::ops::ControlFlow;
use fearless_simd::{Simd, dispatch, mask32x8, prelude::*};

/// A probe on its way, nearest boxes first.
pub(crate) struct Walker {
    image: Image,
    way: Way,
}

impl Walker {
    pub(crate) fn new() -> Self {
        Self {
            image: Image::NONE,
            way: Way::new(),
        }
    }

    /// Where the walker finds its way, once it has set out.
    #[inline(always)]
    pub(crate) fn image(&self) -> &Image {
        &self.image
    }

    #[inline(always)]
    pub(crate) fn keep_before(&mut self, limit: f32) {
        self.way.keep_before(self.image.time_limit(limit));
    }

    /// The image's time from which on nothing matters.
    #[inline(always)]
    pub(crate) fn time_limit(&self) -> f32 {
        self.way.time_limit
    }

    /// Forgets all that waits, so that there is nothing to take up.
    #[inline(always)]
    pub(crate) fn stop(&mut self) {
        self.way.waiting.clear();
    }

    /// The index of the leaf where the walker stands.
    #[inline(always)]
    pub(crate) fn leaf(&self) -> u32 {
        self.way.child.number()
    }

    #[inline(always)]
    pub(crate) fn is_at_leaf(&self) -> bool {
        self.way.child.is_leaf()
    }

    /// Whether what waits on top may still be touched: the walker then stands there.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> bool {
        self.way.step()
    }

    /// Leaves the item where the walker stands, if it may still touch others at a t that rounds to at
    /// most `limit`.
    pub(crate) fn leave(&mut self, limit: f32) -> bool {
        self.keep_before(limit);
        self.go_on()
    }

    /// Goes on to the next of what waits that may still be touched, if anything does.
    #[inline(always)]
    pub(crate) fn go_on(&mut self) -> bool {
        self.way.go_on()
    }
}

impl Bvh {
    /// Sets out with a probe, if it may touch anything.
    pub(crate) fn set_out(&self, walker: &mut Walker, probe: &Probe) -> bool {
        dispatch!(self.width().level(), simd => self.send(simd, walker, (probe, f32::INFINITY)))
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
            }
            if !walker.go_on() {
                return ControlFlow::Continue(());
            }
        }
    }
}

impl<B> Bvh<B> {
    /// Sends the walker out from the root with a probe, if it may touch anything; hits after t = `limit`
    /// do not matter.
    #[inline(always)]
    pub(crate) fn send<S: Simd>(
        &self,
        simd: S,
        walker: &mut Walker,
        (probe, limit): (&Probe, f32),
    ) -> bool {
        let may_touch = self.image_into(simd, probe, &mut walker.image);
        if may_touch {
            walker.way.set_out(walker.image.time_limit(limit));
        }
        may_touch
    }

    /// Finds which children of the node where the walker stands may be touched. They wait, the nearest
    /// on top.
    #[inline(always)]
    pub(crate) fn test_node<S: Simd>(&self, simd: S, walker: &mut Walker) {
        let node = &self.nodes[walker.way.child.place()];
        let planes = Planes::new(simd, &walker.image);
        let (touched, times) = planes.test(simd, node, walker.way.time_limit);
        let touched = touched & mask32x8::from_bitmask(simd, u64::from(node.used));
        walker.way.waiting.push(simd, node, times, touched);
    }

    /// Asks for the memory of the node where the walker stands.
    #[inline(always)]
    pub(crate) fn fetch_node(&self, walker: &Walker) {
        let node = self.nodes.as_ptr().wrapping_add(walker.way.child.place());
        prefetch(node);
    }

    /// Asks for the memory of the leaf where the walker stands.
    #[inline(always)]
    pub(crate) fn fetch_leaf(&self, walker: &Walker) {
        let block = self.blocks.as_ptr().wrapping_add(walker.way.child.place());
        prefetch(block);
    }
}
