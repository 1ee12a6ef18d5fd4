//! Finding what touches a box by comparisons of f32, which are exact.

use super::single::first_of;
use crate::bvh::Bvh;
use crate::bvh::node::{ChildKind, Node};
use crate::simd::dispatch;
use core::ops::ControlFlow;
use fearless_simd::{Simd, f32x8, prelude::*};
use glam::DVec3;

/// A visitor of items.
type Visit<'a> = &'a mut dyn FnMut(u32) -> ControlFlow<()>;

impl<B: Clone> Bvh<B> {
    /// Visits every item whose box, or that of its leaf, touches the box from `min` to `max`. Boxes
    /// are closed.
    pub(crate) fn touching(
        &self,
        (min, max): (DVec3, DVec3),
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let min = min.to_array().map(next_f32_above);
        let max = max.to_array().map(next_f32_below);
        self.touching_dyn((min, max), &mut visit)
    }

    /// One traversal for all visitors: each would be compiled for every vector width.
    fn touching_dyn(&self, query: ([f32; 3], [f32; 3]), visit: Visit<'_>) -> ControlFlow<()> {
        dispatch!(self.width, simd => self.touching_items(simd, query, visit))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn touching_items<S: Simd>(
        &self,
        simd: S,
        query: ([f32; 3], [f32; 3]),
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let query = PreparedAabb::new(simd, query);
        let mut queue = Queue::of_root();
        while let Some(index) = queue.pop() {
            let node = &self.nodes[index as usize];
            let mut touched = query.touched_children(simd, node);
            while touched != 0 {
                let child = node.children[first_of(&mut touched)];
                match child.kind() {
                    ChildKind::Node(index) => {
                        self.prefetch(child);
                        queue.push(index);
                    }
                    ChildKind::Leaf(leaf) => self.for_each_item(leaf, &mut *visit)?,
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// A box at rest, each number in all lanes.
struct PreparedAabb<S: Simd> {
    min: [f32x8<S>; 3],
    max: [f32x8<S>; 3],
}

impl<S: Simd> PreparedAabb<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(simd: S, (min, max): ([f32; 3], [f32; 3])) -> Self {
        let splat = |x| f32x8::splat(simd, x);
        Self {
            min: [splat(min[0]), splat(min[1]), splat(min[2])],
            max: [splat(max[0]), splat(max[1]), splat(max[2])],
        }
    }

    /// Which children touch the box, as bits: own_min <= max and own_max >= min on each axis.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn touched_children(&self, simd: S, node: &Node) -> u32 {
        let [x, y, z] = &node.bounds;
        let load = |row| f32x8::load_array_ref(simd, row);
        let on_x = load(&x[0]).simd_le(self.max[0]) & load(&x[1]).simd_ge(self.min[0]);
        let on_y = load(&y[0]).simd_le(self.max[1]) & load(&y[1]).simd_ge(self.min[1]);
        let on_z = load(&z[0]).simd_le(self.max[2]) & load(&z[1]).simd_ge(self.min[2]);
        #[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
        let touched = (on_x & on_y & on_z).to_bitmask() as u32;
        touched & node.used
    }
}

/// Nodes to visit, first in, first out: what is prefetched has the time that all others take.
struct Queue {
    near: [u32; Self::NEAR],
    first: usize,
    len: usize,
    /// Where the near ones have no place; these are taken last.
    others: Vec<u32>,
}

impl Queue {
    /// The number of entries before memory is allocated, a power of two.
    const NEAR: usize = 64;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of_root() -> Self {
        Self {
            near: [0; Self::NEAR],
            first: 0,
            len: 1,
            others: Vec::new(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push(&mut self, node: u32) {
        if self.len < Self::NEAR {
            self.near[(self.first + self.len) % Self::NEAR] = node;
            self.len += 1;
        } else {
            self.others.push(node);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop(&mut self) -> Option<u32> {
        if self.len == 0 {
            return self.others.pop();
        }
        let node = self.near[self.first];
        self.first = (self.first + 1) % Self::NEAR;
        self.len -= 1;
        Some(node)
    }
}

/// The smallest f32 that is not below `x`: an f32 is at least this if and only if it is at least `x`.
fn next_f32_above(x: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "stepped upward below")]
    let rounded = x as f32;
    if f64::from(rounded) < x {
        rounded.next_up()
    } else {
        rounded
    }
}

/// The largest f32 that is not above `x`.
fn next_f32_below(x: f64) -> f32 {
    -next_f32_above(-x)
}
