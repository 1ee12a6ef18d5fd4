//! Finding what touches a box at rest: plain comparisons of f32, which are exact.

use super::Bvh;
use super::node::{Child, ChildKind, Node, WIDTH};
use super::traverse::first_of;
use core::ops::ControlFlow;
use fearless_simd::{Simd, dispatch, f32x8, prelude::*};
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

/// How many nodes wait before memory is asked for.
const NEAR: usize = 64;

impl<B> Bvh<B> {
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
        let (min, max) = (min.to_array().map(least_above), max.to_array().map(greatest_below));
        dispatch!(self.width.level(), simd => self.touching_items(simd, (min, max), &mut visit))
    }

    #[inline(always)]
    fn touching_items<S: Simd>(
        &self,
        simd: S,
        (min, max): ([f32; 3], [f32; 3]),
        visit: &mut impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut waiting: SmallVec<[u32; NEAR]> = smallvec![0];
        while let Some(index) = waiting.pop() {
            let node = &self.nodes[index as usize];
            let mut touched = touched_children(simd, node, min, max);
            while touched != 0 {
                let child: Child = node.children[first_of(&mut touched) % WIDTH];
                match child.kind() {
                    ChildKind::Node(index) => {
                        self.prefetch(child);
                        waiting.push(index);
                    }
                    ChildKind::Leaf(leaf) => self.for_each_item(leaf, &mut *visit)?,
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Which children touch the box, as bits.
#[inline(always)]
fn touched_children<S: Simd>(simd: S, node: &Node, min: [f32; 3], max: [f32; 3]) -> u32 {
    // own_min <= max && own_max >= min, axis by axis.
    let [x, y, z] = &node.bounds;
    let low = |row: &[f32; WIDTH], max: f32| f32x8::load_array_ref(simd, row).simd_le(max);
    let high = |row: &[f32; WIDTH], min: f32| f32x8::load_array_ref(simd, row).simd_ge(min);
    let lows = low(&x[0], max[0]) & low(&y[0], max[1]) & low(&z[0], max[2]);
    let highs = high(&x[1], min[0]) & high(&y[1], min[1]) & high(&z[1], min[2]);
    #[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
    let touched = (lows & highs).to_bitmask() as u32;
    touched & node.used
}

/// The least f32 that is not below `x`: an f32 is at least this if and only if it is at least `x`.
fn least_above(x: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "stepped upward below")]
    let rounded = x as f32;
    if f64::from(rounded) < x { rounded.next_up() } else { rounded }
}

/// The greatest f32 that is not above `x`.
fn greatest_below(x: f64) -> f32 {
    -least_above(-x)
}
