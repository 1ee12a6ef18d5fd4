//! Rays in the plane of flat boxes, where these hold triangles: a ray misses what lies in its plane.
//!
//! Every triangle of a level floor is a candidate for a ray in the floor's plane, and the ray may pass
//! thousands. Such a ray has a direction of 0 across the plane, so the slabs of that axis hold its
//! origin or do not; what time it takes to leave them is free to be chosen. It is chosen to be 0 for
//! a flat box, which is then missed wherever the ray does not start in it, and beyond the time in
//! which the ray crosses the whole tree for every other.

use super::prepared::{TraversalQuery, TraversalRay};
use crate::bvh::Bvh;
use core::ops::RangeInclusive;

/// Metres to time across the plane. A power of two, so that products with it are exact.
const PACE: f32 = power_of_two(100);

/// The greatest magnitude of a coordinate in trees whose flat boxes are missed. A ray is prepared at
/// no more than four times as far, so it crosses the tree in less than [`CROSSING_TIME`].
const GREATEST_REACH: f32 = power_of_two(40);
const CROSSING_TIME: f32 = 8.0 * GREATEST_REACH;

/// The least magnitude of a coordinate of a box but 0: boxes that reach so far from a ray at 0 are
/// left later than the tree.
const LEAST_COORDINATE: f32 = power_of_two(-57);
const _: () = assert!(LEAST_COORDINATE * PACE >= CROSSING_TIME);

/// Where rays may lie but at 0: the nearest other number is 2^-25 of that away or more, and products
/// with [`PACE`] stay in range.
const PLACES: RangeInclusive<f32> = power_of_two(-30)..=power_of_two(26);
const _: () = assert!(*PLACES.start() * power_of_two(-25) * PACE >= CROSSING_TIME);

const fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits((exponent + 127).cast_unsigned() << 23)
}

impl<B> Bvh<B> {
    /// Has rays miss the flat boxes in whose plane they lie, where there are any. The items must be
    /// such that rays in their plane miss them. Holds until boxes are changed.
    pub(crate) fn find_flat_boxes(&mut self) {
        let mut has_any = false;
        let mut is_in_range = self.reach <= GREATEST_REACH;
        for node in &self.nodes {
            for place in 0..node.len() {
                let bounds = node.bounds_at(place);
                has_any |= bounds.min().cmpeq(bounds.max()).any();
                for corner in [bounds.min(), bounds.max()] {
                    let size = corner.abs();
                    let is_tiny = |size: f32| size > 0.0 && size < LEAST_COORDINATE;
                    is_in_range &= !size.to_array().into_iter().any(is_tiny);
                }
            }
        }
        self.has_flat_boxes = has_any && is_in_range;
    }
}

impl TraversalRay {
    /// Has a prepared ray miss flat boxes in whose plane it lies.
    #[cold]
    #[inline(never)]
    pub(super) fn miss_flat_boxes(&mut self, query: &TraversalQuery) {
        if self.error == f32::INFINITY {
            return;
        }
        let (origin, direction) = (query.origin(), query.direction());
        for axis in 0..3 {
            let place = self.front[axis];
            let is_exact = f64::from(place) == origin[axis];
            let is_in_range = place == 0.0 || PLACES.contains(&place.abs());
            if direction[axis] == 0.0 && is_exact && is_in_range {
                self.reciprocal[axis] = PACE;
                self.enter[axis] = -(place * PACE);
                self.leave[axis] = self.enter[axis];
                self.first_side[axis] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ray_cast::ray::LocalRay;
    use crate::{Aabb, Ray};
    use core::ops::ControlFlow;
    use glam::Vec3;

    /// A floor of flat boxes at some height, and boxes that reach a little above or below it.
    fn boxes(height: f32) -> Vec<Aabb> {
        let flat = (0..4000u16).map(|index| {
            let min = Vec3::new(f32::from(index % 200), height, f32::from(index / 200));
            Aabb::new(min, min + Vec3::new(1.0, 0.0, 1.0)).unwrap()
        });
        let others = (0..40u16).map(|index| {
            let (x, is_above) = (5.0 * f32::from(index), index % 2 == 0);
            let other = match (is_above, height) {
                (true, 0.0) => LEAST_COORDINATE,
                (false, 0.0) => -LEAST_COORDINATE,
                (true, _) => height.next_up(),
                (false, _) => height.next_down(),
            };
            let (low, high) = (height.min(other), height.max(other));
            Aabb::new([x, low, 10.0], [x + 1.0, high, 11.0]).unwrap()
        });
        flat.chain(others).collect()
    }

    #[test]
    fn flat_boxes_are_missed_and_no_others() {
        for height in [0.0, 1.0, -3.1, *PLACES.start(), *PLACES.end()] {
            let boxes = boxes(height);
            let mut tree = Bvh::build(&boxes);
            tree.find_flat_boxes();
            assert!(tree.has_flat_boxes);
            for direction in [[1.0, 0.0, 0.0], [-1.0, -0.0, 0.0], [1.0, 0.0, 1e-3]] {
                let origin = [if direction[0] > 0.0 { -9.0 } else { 300.0 }, height, 10.5];
                let ray = LocalRay::from(&Ray::new(origin, direction).unwrap());
                let query = TraversalQuery::ray(&ray);
                let mut visited = Vec::new();
                let _ = tree.cast(&query, f32::INFINITY, |item| {
                    visited.push(item);
                    ControlFlow::Continue(f32::INFINITY)
                });
                visited.sort_unstable();
                assert_eq!(
                    visited,
                    (4000..4040).collect::<Vec<u32>>(),
                    "{height} {direction:?}"
                );
            }
        }
    }

    #[test]
    fn trees_with_coordinates_near_zero_are_searched_in_full() {
        let mut boxes = boxes(0.0);
        boxes.push(Aabb::new([0.0; 3], [1.0, 1e-30, 1.0]).unwrap());
        let mut tree = Bvh::build(&boxes);
        tree.find_flat_boxes();
        assert!(!tree.has_flat_boxes);
    }
}
