//! A probe's walk of the tree step by step, as waves of them take it (`crate::wave`). `traverse.rs`
//! is the walk of one from end to end.

use super::Bvh;
use super::node::Child;
use super::probe::Image;
use super::traverse::Planes;
use super::waiting::Waiting;
use crate::simd::prefetch;
use fearless_simd::{Simd, mask32x8, prelude::*};

/// A probe on its way, nearest boxes first.
pub(crate) struct Walker {
    image: Image,
    /// Where it stands.
    child: Child,
    time_limit: f32,
    last_key: u32,
    waiting: Waiting,
}

impl Walker {
    pub(crate) fn new() -> Self {
        Self {
            image: Image::NONE,
            child: Child::ROOT,
            time_limit: 0.0,
            last_key: 0,
            waiting: Waiting::new(),
        }
    }

    /// Sets out from the root; hits after t = `limit` do not matter.
    #[inline(always)]
    pub(crate) fn set_out(&mut self, image: Image, limit: f32) {
        self.image = image;
        self.child = Child::ROOT;
        self.keep_before(limit);
        self.waiting.clear();
    }

    #[inline(always)]
    pub(crate) fn keep_before(&mut self, limit: f32) {
        self.time_limit = self.image.time_limit(limit);
        self.last_key = Waiting::last_key(self.time_limit);
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

    /// Whether what waits on top may still be touched: the walker then stands there.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> bool {
        let (child, is_in_time) = self.waiting.pop_if(self.last_key);
        self.child = child;
        is_in_time
    }

    /// Goes on to the next of what waits that may still be touched, if anything does.
    #[inline(always)]
    pub(crate) fn go_on(&mut self) -> bool {
        match self.waiting.pop(self.last_key) {
            Some(child) => {
                self.child = child;
                true
            }
            None => false,
        }
    }
}

impl<B> Bvh<B> {
    /// Finds which children of the node where the walker stands may be touched. They wait, the nearest
    /// on top.
    #[inline(always)]
    pub(crate) fn test_node<S: Simd>(&self, simd: S, walker: &mut Walker) {
        let node = &self.nodes[walker.child.place()];
        let planes = Planes::new(simd, &walker.image);
        let (touched, times) = planes.test(simd, node, walker.time_limit);
        let touched = touched & mask32x8::from_bitmask(simd, u64::from(node.used));
        walker.waiting.push(simd, node, times, touched);
    }

    /// Asks for the memory of the node where the walker stands.
    #[inline(always)]
    pub(crate) fn fetch_node(&self, walker: &Walker) {
        let node = self.nodes.as_ptr().wrapping_add(walker.child.place());
        prefetch(node);
    }

    /// Asks for the memory of the leaf where the walker stands.
    #[inline(always)]
    pub(crate) fn fetch_leaf(&self, walker: &Walker) {
        let block = self.blocks.as_ptr().wrapping_add(walker.child.place());
        prefetch(block);
    }
}
