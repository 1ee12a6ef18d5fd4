//! Interval packets: prepared queries of similar directions that traverse the tree as one.
//!
//! Source: Reshetov, Soupikov, Hurley, "Multi-Level Ray Tracing Algorithm", ACM Transactions on
//! Graphics 2005: where all directions have the same signs, interval arithmetic over the bundle decides
//! which boxes none of it can touch.

use super::prepared::TraversalRay;
use super::sorted_stack::Traversal;
use crate::Aabb;
use crate::bvh::Bvh;
use crate::bvh::node::Node;
use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

/// How far directions may lie apart on an axis, whose fastest is 1. It decides no answer: wider
/// bundles would enter too many nodes that only few of them touch.
const SPREAD: f32 = 1.0 / 16.0;

/// How far starts may lie apart, in units of the tree's reach.
const SCATTER: f32 = 1.0 / 32.0;

/// The span of the prepared queries' numbers on each axis.
pub(crate) struct IntervalPacket {
    /// The starts from which entry planes are nearest, and exit planes farthest.
    near_front: [f32; 3],
    far_front: [f32; 3],
    /// The ends of the reciprocals.
    least: [f32; 3],
    greatest: [f32; 3],
    slack: [f32; 3],
    first_side: [usize; 3],
    traversal: Traversal,
}

impl IntervalPacket {
    pub(crate) fn new() -> Self {
        Self {
            near_front: [0.0; 3],
            far_front: [0.0; 3],
            least: [0.0; 3],
            greatest: [0.0; 3],
            slack: [0.0; 3],
            first_side: [0; 3],
            traversal: Traversal::new(),
        }
    }

    /// Whether these prepared queries are coherent enough; then the packet is initialised, and
    /// nothing that all enter after their `time_limit` matters. `reach` is that of the tree.
    #[inline(always)]
    pub(crate) fn init(&mut self, prepared: &[TraversalRay], reach: f32, time_limit: f32) -> bool {
        let Some(first) = prepared.first() else {
            return false;
        };
        for axis in 0..3 {
            let mut front = [first.front[axis]; 2];
            let mut direction = [first.direction[axis]; 2];
            let mut reciprocal = [first.reciprocal[axis]; 2];
            let mut error = first.error;
            let mut is_apart = false;
            for prepared in prepared {
                widen(&mut front, prepared.front[axis]);
                widen(&mut direction, prepared.direction[axis]);
                widen(&mut reciprocal, prepared.reciprocal[axis]);
                error = if prepared.error > error {
                    prepared.error
                } else {
                    error
                };
                is_apart |= prepared.first_side[axis] != first.first_side[axis];
            }
            let spread = direction[1] - direction[0];
            let scatter = front[1] - front[0];
            let is_narrow = spread <= SPREAD && scatter <= SCATTER * reach && error < f32::INFINITY;
            if is_apart || !is_narrow {
                return false;
            }
            let is_down = first.first_side[axis] == 1;
            let [low, high] = front;
            self.near_front[axis] = if is_down { low } else { high };
            self.far_front[axis] = if is_down { high } else { low };
            [self.least[axis], self.greatest[axis]] = reciprocal;
            let steepness = reciprocal[0].abs().max(reciprocal[1].abs());
            // A prepared query's own bound covers all its roundings. Here a difference and a product round where
            // there a product and two sums did, and so far less than that again.
            self.slack[axis] = 2.0 * error * steepness;
        }
        self.first_side = first.first_side;
        self.traversal.init(time_limit);
        true
    }

    /// Nothing that is entered after `time_limit` matters any more.
    #[inline(always)]
    pub(crate) fn keep_before(&mut self, time_limit: f32) {
        self.traversal.keep_before(time_limit);
    }

    /// The leaf where the packet is, if it is one.
    #[inline(always)]
    pub(crate) fn leaf(&self) -> Option<u32> {
        self.traversal
            .child
            .is_leaf()
            .then(|| self.traversal.child.number())
    }

    /// Pops down to an entry that may still be touched, if there is one.
    #[inline(always)]
    pub(crate) fn advance(&mut self) -> bool {
        self.traversal.advance()
    }

    /// The entry and exit sides of a box along each axis.
    #[inline(always)]
    pub(crate) fn sides(&self, bounds: &Aabb) -> [[f32; 2]; 3] {
        let (min, max) = (bounds.min(), bounds.max());
        let mut sides = [[0.0; 2]; 3];
        for axis in 0..3 {
            let is_down = self.first_side[axis] == 1;
            let (low, high) = (min[axis], max[axis]);
            sides[axis] = if is_down { [high, low] } else { [low, high] };
        }
        sides
    }

    /// Which children of the node may be touched, and when they are entered at the earliest.
    #[inline(always)]
    fn test<S: Simd>(&self, simd: S, node: &Node) -> (mask32x8<S>, f32x8<S>) {
        let mut enter = f32x8::splat(simd, 0.0);
        let mut leave = f32x8::splat(simd, self.traversal.time_limit);
        for axis in 0..3 {
            let side = self.first_side[axis] & 1;
            let first = f32x8::load_array_ref(simd, &node.bounds[axis][side]);
            let last = f32x8::load_array_ref(simd, &node.bounds[axis][side ^ 1]);
            let (near, far) = (first - self.near_front[axis], last - self.far_front[axis]);
            let (least, greatest) = (self.least[axis], self.greatest[axis]);
            enter = enter.max((near * least).min(near * greatest) - self.slack[axis]);
            leave = leave.min((far * least).max(far * greatest) + self.slack[axis]);
        }
        (enter.simd_le(leave), enter)
    }
}

#[inline(always)]
fn widen([least, greatest]: &mut [f32; 2], x: f32) {
    *least = if x < *least { x } else { *least };
    *greatest = if x > *greatest { x } else { *greatest };
}

impl<B: Clone> Bvh<B> {
    /// Finds which children of the node where the packet is may be touched. They wait, the nearest
    /// on top.
    #[inline(always)]
    pub(crate) fn enter_node<S: Simd>(&self, simd: S, interval_packet: &mut IntervalPacket) {
        let node = &self.nodes[interval_packet.traversal.child.place()];
        let (touched, times) = interval_packet.test(simd, node);
        let touched = touched & mask32x8::from_bitmask(simd, u64::from(node.used));
        interval_packet
            .traversal
            .stack
            .push(simd, node, times, touched);
        let count = touched.to_bitmask().count_ones() as usize;
        for child in interval_packet.traversal.stack.last(count) {
            self.prefetch(child);
        }
    }

    /// The greatest magnitude of a coordinate.
    #[inline(always)]
    pub(crate) fn reach(&self) -> f32 {
        self.reach
    }
}
