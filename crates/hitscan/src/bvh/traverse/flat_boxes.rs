//! Rays in the plane of flat boxes, where these hold triangles: a ray misses what lies in its plane.
//!
//! Every triangle of a level floor is a candidate for a ray in the floor's plane, and the ray may pass
//! thousands. Such a ray has a direction of 0 across the plane, so the slabs of that axis hold its
//! origin or do not; what time it takes to leave them is free to be chosen. It is chosen to be 0 for
//! a side that holds the origin, and beyond the time in which the ray crosses the whole tree for
//! every other. So a flat box is missed wherever the ray does not start in it; the other boxes of the
//! tree are widened by the smallest step, so that none ends where the ray lies.

use super::prepared::TraversalRay;
use super::traversal_query::TraversalQuery;
use crate::Aabb;
use crate::bvh::Bvh;
use crate::bvh::node::Node;
use core::ops::RangeInclusive;

/// Metres to time across the plane. A power of two, so that products with it are exact.
const SCALE: f32 = power_of_two(100);

/// The largest magnitude of a coordinate in trees whose flat boxes are missed. A ray is prepared at
/// no more than four times as far, so it crosses the tree in less than [`CROSSING_TIME`].
const MAX_COORDINATE: f32 = power_of_two(40);
const CROSSING_TIME: f32 = 8.0 * MAX_COORDINATE;

/// The smallest extent of a box that is not flat, from a side at 0.
const MIN_STEP: f32 = power_of_two(-57);
const _: () = assert!(MIN_STEP * SCALE >= CROSSING_TIME);

/// Where rays may lie but at 0: the nearest other number is 2^-25 of that away or more, and products
/// with [`SCALE`] stay in range.
const PLACES: RangeInclusive<f32> = power_of_two(-30)..=power_of_two(26);
const _: () = assert!(*PLACES.start() * power_of_two(-25) * SCALE >= CROSSING_TIME);

const fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits((exponent + 127).cast_unsigned() << 23)
}

impl<B: Clone> Bvh<B> {
    /// Has rays miss the flat boxes in whose plane they lie, where there are any. The items must be
    /// such that rays in their plane miss them. Holds until boxes are changed.
    pub(crate) fn find_flat_boxes(&mut self) {
        let is_flat = |node: &Node, place| {
            let bounds = node.bounds_at(place);
            bounds.min().cmpeq(bounds.max()).any()
        };
        let mut nodes = self.nodes.iter();
        let has_any = nodes.any(|node| (0..node.len()).any(|place| is_flat(node, place)));
        if !has_any || self.max_abs > MAX_COORDINATE {
            return;
        }
        self.exact_root = self.nodes.first().copied().map(Box::new);
        for node in self.nodes.to_mut() {
            for place in 0..node.len() {
                node.set_bounds(place, &widened(&node.bounds_at(place)));
            }
        }
    }

    /// Whether there are flat boxes that the query may miss.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn may_miss_flat_boxes(&self, query: &TraversalQuery) -> bool {
        self.exact_root.is_some() && query.may_miss_flat_boxes()
    }
}

/// The box a step larger along each axis along which it is not flat.
fn widened(bounds: &Aabb) -> Aabb {
    let (mut low, mut high) = (bounds.min(), bounds.max());
    for axis in 0..3 {
        if low[axis] < high[axis] {
            low[axis] = -step_up(-low[axis]);
            high[axis] = step_up(high[axis]);
        }
    }
    Aabb::from_ordered(low, high)
}

/// The next number above; near 0 it is [`MIN_STEP`].
fn step_up(x: f32) -> f32 {
    if x.abs() < MIN_STEP {
        MIN_STEP
    } else {
        x.next_up()
    }
}

impl TraversalRay {
    /// Has a prepared ray miss flat boxes in whose plane it lies.
    #[cold]
    #[inline(never)]
    pub(super) fn miss_flat_boxes(&mut self, is_fused: bool, query: &TraversalQuery) {
        if self.error == f32::INFINITY {
            return;
        }
        let (origin, direction) = (query.min, query.direction);
        for axis in 0..3 {
            let place = self.front[axis];
            let is_exact = f64::from(place) == origin[axis];
            let is_in_range = place == 0.0 || PLACES.contains(&place.abs());
            if direction[axis] == 0.0 && is_exact && is_in_range {
                self.reciprocal[axis] = SCALE;
                self.enter[axis] = if is_fused { -(place * SCALE) } else { place };
                self.leave[axis] = self.enter[axis];
                self.first_side[axis] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ray;
    use crate::narrow_phase::ray_cast::ray::LocalRay;
    use core::ops::ControlFlow;
    use glam::Vec3;

    /// A floor of flat boxes at some height, and boxes that end there or reach a little beyond.
    fn boxes(height: f32) -> Vec<Aabb> {
        let flat = (0..4000u16).map(|index| {
            let min = Vec3::new(f32::from(index % 200), height, f32::from(index / 200));
            Aabb::new(min, min + Vec3::new(1.0, 0.0, 1.0)).unwrap()
        });
        let others = (0..40u16).map(|index| {
            let x = 5.0 * f32::from(index);
            let [low, high] = match index % 4 {
                0 => [height, height.next_up()],
                1 => [height.next_down(), height],
                2 => [height, (height + 1.0).max(height.next_up())],
                _ => [(height - 1.0).min(height.next_down()), height],
            };
            Aabb::new([x, low, 10.0], [x + 1.0, high, 11.0]).unwrap()
        });
        flat.chain(others).collect()
    }

    #[test]
    fn flat_boxes_are_missed_and_no_others() {
        for height in [0.0, 1.0, -3.1, *PLACES.start(), *PLACES.end()] {
            let boxes = boxes(height);
            let mut tree = Bvh::build(&boxes);
            let exact = *tree.root().unwrap().boxes();
            tree.find_flat_boxes();
            assert!(tree.exact_root.is_some());
            assert_eq!(*tree.root().unwrap().boxes(), exact);
            for direction in [[1.0, 0.0, 0.0], [-1.0, -0.0, 0.0], [1.0, 0.0, 1e-3]] {
                let start = if direction[0] > 0.0 { -9.0 } else { 300.0 };
                let ray = Ray::new([start, height, 10.5], direction).unwrap();
                let query = TraversalQuery::ray(&LocalRay::from(&ray));
                let mut visited = Vec::new();
                let _ = tree.cast(&query, f32::INFINITY, |item| {
                    visited.push(item);
                    ControlFlow::Continue(f32::INFINITY)
                });
                visited.sort_unstable();
                let first_other = visited.partition_point(|item| *item < 4000);
                let others: Vec<u32> = (4000..4040).collect();
                assert_eq!(visited[first_other..], others, "{height} {direction:?}");
                // So far out the ray may start in boxes that it has to reach yet.
                assert!(first_other == 0 || height == *PLACES.end());
            }
        }
    }

    #[test]
    fn a_tree_without_flat_boxes_is_left_alone() {
        let boxes: Vec<Aabb> = boxes(0.5).split_off(4000);
        let mut tree = Bvh::build(&boxes);
        tree.find_flat_boxes();
        assert!(tree.exact_root.is_none());
    }
}
