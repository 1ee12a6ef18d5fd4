//! Interval packets: prepared queries of similar directions that traverse the tree as one.
//!
//! Source: Reshetov, Soupikov, Hurley, "Multi-Level Ray Tracing Algorithm", ACM Transactions on
//! Graphics 2005: where all directions have the same signs, interval arithmetic over the bundle decides
//! which boxes none of it can touch.

use super::prepared::TraversalRay;
use super::slab_time::LATER;
use super::sorted_stack::Traversal;
use crate::Aabb;
use crate::bvh::Bvh;
use crate::bvh::node::Node;
use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

/// How far directions may lie apart on an axis, whose fastest is 1. It decides no answer: wider
/// bundles would enter too many nodes that only few of them touch.
const SPREAD: f32 = 1.0 / 16.0;

/// The maximum spread of starts, relative to the tree's largest coordinate, and to the extent of a
/// typical leaf: a few boxes may be far larger than all others.
const SCATTER: f32 = 1.0 / 32.0;
const SCATTER_IN_LEAVES: f32 = 8.0;

/// The number of nodes that are looked at, at most, for how large leaves typically are.
const SAMPLED_NODES: usize = 512;

/// The span of the prepared queries' numbers on each axis.
pub(crate) struct IntervalPacket {
    /// The starts from which entry planes are nearest, and exit planes farthest.
    near_front: [f32; 3],
    far_front: [f32; 3],
    /// The ends of the reciprocals.
    min_reciprocal: [f32; 3],
    max_reciprocal: [f32; 3],
    slack: [f32; 3],
    first_side: [usize; 3],
    traversal: Traversal,
}

impl IntervalPacket {
    pub(crate) fn new() -> Self {
        Self {
            near_front: [0.0; 3],
            far_front: [0.0; 3],
            min_reciprocal: [0.0; 3],
            max_reciprocal: [0.0; 3],
            slack: [0.0; 3],
            first_side: [0; 3],
            traversal: Traversal::new(),
        }
    }

    /// Whether these prepared queries are coherent enough; then the packet is initialised, and
    /// nothing that all enter after their `time_limit` matters. `max_scatter` is that of the tree.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn init(
        &mut self,
        prepared: &[TraversalRay],
        max_scatter: f32,
        time_limit: f32,
    ) -> bool {
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
            let is_narrow = spread <= SPREAD && scatter <= max_scatter && error < f32::INFINITY;
            if is_apart || !is_narrow {
                return false;
            }
            let is_down = first.first_side[axis] == 1;
            let [low, high] = front;
            self.near_front[axis] = if is_down { low } else { high };
            self.far_front[axis] = if is_down { high } else { low };
            [self.min_reciprocal[axis], self.max_reciprocal[axis]] = reciprocal;
            let steepness = reciprocal[0].abs().max(reciprocal[1].abs());
            // A prepared query's own bound covers its start. Here the difference and the product round by a
            // fraction of the time, which `LATER` covers, and with the slack by less than the slack again.
            self.slack[axis] = 2.0 * error * steepness;
        }
        self.first_side = first.first_side;
        self.traversal.init(time_limit);
        true
    }

    /// Nothing that is entered after `time_limit` matters any more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn keep_before(&mut self, time_limit: f32) {
        self.traversal.keep_before(time_limit);
    }

    /// The leaf where the packet is, if it is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn leaf(&self) -> Option<u32> {
        self.traversal
            .child
            .is_leaf()
            .then(|| self.traversal.child.number())
    }

    /// Pops down to an entry that may still be touched, if there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn advance(&mut self) -> bool {
        self.traversal.advance()
    }

    /// The entry and exit sides of a box along each axis.
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn test<S: Simd>(&self, simd: S, node: &Node) -> (mask32x8<S>, f32x8<S>) {
        let mut enter = f32x8::splat(simd, 0.0);
        let mut leave = f32x8::splat(simd, f32::MAX);
        for axis in 0..3 {
            let side = self.first_side[axis] & 1;
            let first = f32x8::load_array_ref(simd, &node.bounds[axis][side]);
            let last = f32x8::load_array_ref(simd, &node.bounds[axis][side ^ 1]);
            let (near, far) = (first - self.near_front[axis], last - self.far_front[axis]);
            let (low, high) = (self.min_reciprocal[axis], self.max_reciprocal[axis]);
            enter = enter.max((near * low).min(near * high) - self.slack[axis]);
            leave = leave.min((far * low).max(far * high) + self.slack[axis]);
        }
        let leave = (leave * LATER).min(f32x8::splat(simd, self.traversal.time_limit));
        (enter.simd_le(leave), enter)
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn widen([low, high]: &mut [f32; 2], x: f32) {
    *low = if x < *low { x } else { *low };
    *high = if x > *high { x } else { *high };
}

impl<B: Clone> Bvh<B> {
    /// Finds which children of the node where the packet is may be touched. They wait, the nearest
    /// on top.
    #[cfg_attr(not(debug_assertions), inline(always))]
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

    /// How far starts may lie apart along an axis for a packet to gain anything.
    ///
    /// The extent of a typical leaf is about the geometric mean of many leaves': the mean of the bits of
    /// f32, which grow about as the logarithm.
    #[inline(never)]
    pub(crate) fn max_scatter(&self) -> f32 {
        let stride = self.nodes.len().div_ceil(SAMPLED_NODES).max(1);
        let (mut sum, mut count) = (0, 0);
        for node in self.nodes.iter().step_by(stride) {
            let leaves = (0..node.len()).filter(|place| node.children[*place].is_leaf());
            let extents = leaves.map(|place| {
                let bounds = node.bounds_at(place);
                (bounds.max() - bounds.min()).max_element()
            });
            for extent in extents.filter(|extent| *extent > 0.0) {
                sum += u64::from(extent.to_bits());
                count += 1;
            }
        }
        let of_tree = SCATTER * self.max_abs;
        let mean = sum
            .checked_div(count)
            .and_then(|mean| u32::try_from(mean).ok());
        mean.map_or(of_tree, |mean| {
            of_tree.min(SCATTER_IN_LEAVES * f32::from_bits(mean))
        })
    }

    /// The largest magnitude of a coordinate.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn max_abs(&self) -> f32 {
        self.max_abs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rng::Rng;
    use glam::Vec3;

    #[test]
    fn a_few_huge_boxes_do_not_let_starts_lie_farther_apart() {
        let mut rng = Rng(3);
        let mut boxes: Vec<Aabb> = (0..2_000)
            .map(|_| {
                let mut point = |size: f32| Vec3::from_array([0; 3].map(|_| rng.signed() * size));
                let low = point(50.0);
                Aabb::from_ordered(low, low + point(0.2).abs())
            })
            .collect();
        let alone = Bvh::<()>::build(&boxes).max_scatter();
        assert!(alone > 0.2 && alone < 4.0, "{alone}");
        for size in [1e3, 1e6, 1e12] {
            boxes.push(Aabb::from_ordered(Vec3::splat(-size), Vec3::splat(size)));
            let beside = Bvh::<()>::build(&boxes).max_scatter();
            assert!(beside < 1.5 * alone, "{beside} {alone}");
        }
        // Of few boxes the tree's own size decides.
        assert!(Bvh::<()>::build(&boxes[..1]).max_scatter() <= 50.2 / 32.0);
        assert_eq!(Bvh::<()>::build(&[]).max_scatter(), 0.0);
    }
}
