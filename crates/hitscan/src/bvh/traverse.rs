//! Walking the tree: with a probe, nearest boxes first, or with a resting box.

use super::{Bvh, Probe, WIDTH};
use core::ops::ControlFlow;
use smallvec::SmallVec;

/// Nodes that wait: enough for usual trees without asking for memory.
type Stack<T> = SmallVec<[T; 96]>;

impl Bvh {
    /// Visits every item whose box `probe` may touch at a t that rounds to at most the limit.
    ///
    /// `visit` answers the new limit, the t of the nearest hit so far. Boxes that are entered at
    /// a t that rounds to the limit itself are still visited, so that exact ties can be settled.
    /// The answer is `Break` where `visit` broke off.
    pub(crate) fn cast(
        &self,
        probe: &Probe,
        mut limit: f32,
        mut visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let mut stack: Stack<(f64, u32)> = SmallVec::new();
        if !self.nodes.is_empty() {
            stack.push((f64::NEG_INFINITY, 0));
        }
        while let Some((entry, index)) = stack.pop() {
            // Rounding is monotone: what is entered beyond the f32 above the limit cannot tie.
            if entry > f64::from(limit.next_up()) {
                continue;
            }
            let node = &self.nodes[index as usize];
            let entries = probe.entries(&node.min, &node.max);
            let mut order = [0usize; WIDTH];
            let mut found = 0;
            for child in 0..WIDTH {
                // An entry of infinity marks a box that is never touched.
                if entries[child] < f64::INFINITY {
                    let mut place = found;
                    while place > 0 && entries[order[place - 1]] > entries[child] {
                        order[place] = order[place - 1];
                        place -= 1;
                    }
                    order[place] = child;
                    found += 1;
                }
            }
            let base = stack.len();
            for &place in &order[..found] {
                if entries[place] > f64::from(limit.next_up()) {
                    break;
                }
                let child = node.child[place];
                if child.count == 0 {
                    // No child is the root. Beside a probe far beyond f32's range even a box turned
                    // inside out is a point that it may pass, so unused children are told here.
                    if child.index != 0 {
                        stack.push((entries[place], child.index));
                    }
                    continue;
                }
                for &item in self.leaf_items(child) {
                    limit = visit(item)?;
                }
            }
            // The nearest node is to be popped first.
            stack[base..].reverse();
        }
        ControlFlow::Continue(())
    }

    /// Visits every item whose box touches the box from `min` to `max`.
    pub(crate) fn touching(
        &self,
        (min, max): (glam::DVec3, glam::DVec3),
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let probe = Probe::moving_box((min, max), glam::DVec3::ZERO, (0.0, 0.0));
        self.cast(&probe, f32::INFINITY, |item| {
            visit(item).map_continue(|()| f32::INFINITY)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;
    use glam::{DVec3, Vec3};

    /// Boxes on a lattice, many of them flat and sharing faces.
    fn lattice() -> Vec<Aabb> {
        (0..1000u16)
            .map(|i| {
                let corner = Vec3::new(
                    f32::from(i % 10),
                    f32::from(i / 10 % 10),
                    f32::from(i / 100),
                );
                Aabb::new(corner, corner + Vec3::new(1.0, 0.5 * f32::from(i % 2), 0.5)).unwrap()
            })
            .collect()
    }

    #[test]
    fn a_resting_box_finds_what_brute_force_finds() {
        let boxes = lattice();
        let tree = Bvh::build(&boxes);
        let mut moved = tree.clone();
        moved.refit(|item| boxes[item as usize]);
        for query in boxes.iter().step_by(7) {
            let expected: Vec<usize> = (0..boxes.len())
                .filter(|i| boxes[*i].touches(query))
                .collect();
            for tree in [&tree, &moved] {
                let mut found = Vec::new();
                let corners = (query.min().as_dvec3(), query.max().as_dvec3());
                let _ = tree.touching(corners, |item| {
                    found.push(item as usize);
                    ControlFlow::Continue(())
                });
                found.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn an_oblique_probe_leaves_unused_children_alone() {
        let boxes = [Aabb::new([-1.0; 3], [1.0; 3]).unwrap()];
        let tree = Bvh::build(&boxes);
        for direction in [DVec3::new(-0.3, 0.1, -0.9), DVec3::new(0.3, -0.1, 0.9)] {
            let start = -5.0 * direction;
            let probe = Probe::moving_box((start, start), direction, (0.0, f64::INFINITY));
            let mut count = 0;
            let _ = tree.cast(&probe, f32::INFINITY, |_| {
                count += 1;
                ControlFlow::Continue(f32::INFINITY)
            });
            assert_eq!(count, 1);
        }
    }

    #[test]
    fn a_probe_from_beyond_the_range_of_f32_ends() {
        let tree = Bvh::build(&[Aabb::new([-1.0; 3], [1.0; 3]).unwrap()]);
        let start = DVec3::splat(-1e90);
        let probe = Probe::moving_box((start, start), DVec3::ONE, (0.0, f64::INFINITY));
        let mut count = 0;
        let _ = tree.cast(&probe, f32::INFINITY, |_| {
            count += 1;
            ControlFlow::Continue(f32::INFINITY)
        });
        assert_eq!(count, 1);
    }

    #[test]
    fn many_equal_boxes_make_a_tree() {
        let boxes = vec![Aabb::new([1.0; 3], [1.0; 3]).unwrap(); 5000];
        let tree = Bvh::build(&boxes);
        let mut count = 0;
        let point = DVec3::ONE;
        let _ = tree.touching((point, point), |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(count, 5000);
        assert_eq!(Bvh::build(&[]).bounds(), None);
    }
}
