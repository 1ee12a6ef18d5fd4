//! Traversal of the tree with one query, nearest boxes first.

use super::prepared::TraversalRay;
use super::slab_time::{LATER, is_fused, slab_time};
use super::stack::{Entry, Stack};
use super::watch::{BoxKind, Watch};
use crate::Aabb;
use crate::bvh::node::{Child, ChildKind, Node, WIDTH};
use crate::bvh::{Bvh, TraversalQuery};
use crate::query::watch::Unwatched;
use crate::simd::dispatch;
use crate::simd::prefetch;
use core::ops::ControlFlow;
use fearless_simd::{Simd, f32x8, mask32x8, prelude::*};

/// A visitor of items that returns the t of the closest hit so far.
type Visit<'a> = &'a mut dyn FnMut(u32) -> ControlFlow<(), f32>;

impl<B: Clone> Bvh<B> {
    /// Visits every item whose box `query` may touch at a t that rounds to at most the limit.
    ///
    /// `visit` returns the new limit, the t of the closest hit so far. Boxes that are entered at
    /// a t that rounds to the limit itself are still visited, so that exact ties can be settled.
    /// Returns `Break` where `visit` broke off.
    pub(crate) fn cast(
        &self,
        query: &TraversalQuery,
        limit: f32,
        mut visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        self.cast_dyn(query, limit, Unwatched, &mut visit)
    }

    /// As [`Self::cast`], with a watcher.
    pub(crate) fn cast_watched(
        &self,
        query: &TraversalQuery,
        limit: f32,
        watch: impl Watch + Copy,
        mut visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        self.cast_dyn(query, limit, watch, &mut visit)
    }

    /// One traversal for all visitors: each would be compiled for every vector width.
    fn cast_dyn(
        &self,
        query: &TraversalQuery,
        limit: f32,
        watch: impl Watch + Copy,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        dispatch!(watch.width(self.width), simd => self.cast_items(simd, query, limit, watch, visit))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cast_items<S: Simd>(
        &self,
        simd: S,
        query: &TraversalQuery,
        limit: f32,
        watch: impl Watch + Copy,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let mut prepared = TraversalRay::NONE;
        let may_touch = self.prepare_into(simd, query, &mut prepared);
        watch.begins(BoxKind::Kept, self.bounds.as_ref(), may_touch);
        if !may_touch {
            return ControlFlow::Continue(());
        }
        self.cast_prepared(
            simd,
            &prepared,
            limit,
            watch,
            #[cfg_attr(not(debug_assertions), inline(always))]
            |leaf| self.for_each_item(leaf, &mut *visit),
        )
    }

    /// Makes the prepared query in this tree; `false` where the query misses it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn prepare_into<S: Simd>(
        &self,
        simd: S,
        query: &TraversalQuery,
        prepared: &mut TraversalRay,
    ) -> bool {
        let bounds = self.bounds.as_ref();
        let may_touch =
            bounds.is_some_and(|bounds| prepared.set(simd, query, bounds, self.max_abs));
        if may_touch && self.may_miss_flat_boxes(query) {
            prepared.miss_flat_boxes(is_fused(simd), query);
        }
        may_touch
    }

    /// As [`Self::cast`], leaf by leaf. The prepared query is one in this tree.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn cast_prepared<S: Simd>(
        &self,
        simd: S,
        prepared: &TraversalRay,
        limit: f32,
        watch: impl Watch + Copy,
        visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let planes = Planes::new(simd, prepared);
        self.walk(simd, prepared, &planes, limit, watch, visit)
    }

    /// As [`Self::cast_prepared`], with a test of its own for the boxes of nodes, where items have moved
    /// and the tree's own boxes do not hold.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn walk<S: Simd>(
        &self,
        simd: S,
        prepared: &TraversalRay,
        test: &impl NodeTest<S>,
        limit: f32,
        watch: impl Watch + Copy,
        mut visit: impl FnMut(u32) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let mut limit = limit;
        let mut time_limit = prepared.time_limit(limit);
        let mut stack = Stack::new();
        let mut depth = 0;
        let mut child = Child::ROOT;
        loop {
            watch.entered(child.kind());
            match child.kind() {
                ChildKind::Leaf(leaf) => {
                    let still = visit(leaf)?;
                    if still < limit {
                        limit = still;
                        time_limit = prepared.time_limit(limit);
                    }
                }
                ChildKind::Node(index) => {
                    let node = &self.nodes[index as usize];
                    let (touched, times) = test.touched(simd, index, node, time_limit);
                    watch.tested(index, node, touched, &|| test.boxes(index, node));
                    let mut touched = touched & node.used;
                    if touched != 0 {
                        let first = first_of(&mut touched);
                        child = node.children[first];
                        if touched == 0 {
                            continue;
                        }
                        // The nearest child is visited next; the others are pushed, the nearer
                        // nearer the top. All are prefetched: which is the nearest is known late.
                        self.prefetch(child);
                        let mut nearest = Entry::new(times[first], child);
                        stack.reserve(&mut depth);
                        let base = depth;
                        loop {
                            let place = first_of(&mut touched);
                            let other = Entry::new(times[place], node.children[place]);
                            self.prefetch(other.child());
                            stack.insert(base, &mut depth, nearest.max(other));
                            nearest = nearest.min(other);
                            if touched == 0 {
                                break;
                            }
                        }
                        child = nearest.child();
                        continue;
                    }
                }
            }
            child = loop {
                match stack.pop(&mut depth) {
                    None => return ControlFlow::Continue(()),
                    Some(entry) if entry <= Entry::last(time_limit) => break entry.child(),
                    Some(entry) => watch.left_out(entry.child().kind()),
                }
            };
        }
    }

    /// Prefetches a child.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn prefetch(&self, child: Child) {
        // Selected without branches, which would be mispredicted too often.
        let nodes = self.nodes.as_ptr().cast::<u8>();
        let blocks = self.blocks.as_ptr().cast::<u8>();
        let (place, is_leaf) = (child.place(), child.is_leaf());
        let node = nodes.wrapping_add(place * size_of::<Node>());
        let block = blocks.wrapping_add(place * size_of::<B>());
        let start = if is_leaf { block } else { node };
        // Prefetching twice costs nothing.
        let rest = if is_leaf { 0 } else { size_of::<Node>() / 2 };
        prefetch::<[u8; size_of::<Node>() / 2]>(start.cast());
        prefetch::<[u8; size_of::<Node>() / 2]>(start.wrapping_add(rest).cast());
    }
}

/// The test of a node's children against a prepared query.
pub(crate) trait NodeTest<S: Simd> {
    /// Which children of the node with this index may be touched until the prepared query's time `limit`, as
    /// bits, and when they are entered, which is never before 0. Lanes of children that do not
    /// exist may hold anything.
    fn touched(&self, simd: S, index: u32, node: &Node, limit: f32) -> (u32, [f32; WIDTH]);

    /// The boxes that are tested, in the tree's space. Those of children that do not exist may be
    /// anything.
    fn boxes(&self, index: u32, node: &Node) -> [Aabb; WIDTH];
}

/// Removes the lowest number from a bit set.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn first_of(touched: &mut u32) -> usize {
    let place = touched.trailing_zeros() as usize % WIDTH;
    *touched &= *touched - 1;
    place
}

/// When a prepared query passes planes across each axis.
pub(in crate::bvh) struct Planes<S: Simd> {
    reciprocal: [f32x8<S>; 3],
    /// The offset for planes that it enters through, earlier by the slack.
    enter: [f32x8<S>; 3],
    /// The offset for planes that it leaves through, later by the slack.
    leave: [f32x8<S>; 3],
    /// Through which of a box's sides the query enters.
    first_side: [usize; 3],
}

impl<S: Simd> Planes<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn new(simd: S, prepared: &TraversalRay) -> Self {
        let all = f32x8::splat(simd, 0.0);
        let mut planes = Self {
            reciprocal: [all; 3],
            enter: [all; 3],
            leave: [all; 3],
            first_side: prepared.first_side,
        };
        for axis in 0..3 {
            planes.reciprocal[axis] = f32x8::splat(simd, prepared.reciprocal[axis]);
            planes.enter[axis] = f32x8::splat(simd, prepared.enter[axis]);
            planes.leave[axis] = f32x8::splat(simd, prepared.leave[axis]);
        }
        planes
    }

    /// When the children are entered and left along an axis.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn span(&self, simd: S, node: &Node, axis: usize) -> (f32x8<S>, f32x8<S>) {
        let first_side = self.first_side[axis] & 1;
        let first = f32x8::load_array_ref(simd, &node.bounds[axis][first_side]);
        let last = f32x8::load_array_ref(simd, &node.bounds[axis][first_side ^ 1]);
        let reciprocal = self.reciprocal[axis];
        (
            slab_time(simd, first, reciprocal, self.enter[axis]),
            slab_time(simd, last, reciprocal, self.leave[axis]),
        )
    }
}

impl<S: Simd> Planes<S> {
    /// Which places of the node may be touched until the limit, and when they are entered.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::bvh) fn test(&self, simd: S, node: &Node, limit: f32) -> (mask32x8<S>, f32x8<S>) {
        let (x, y, z) = (
            self.span(simd, node, 0),
            self.span(simd, node, 1),
            self.span(simd, node, 2),
        );
        let enter = x.0.max(y.0).max(z.0.max(f32x8::splat(simd, 0.0)));
        // The limit is no more than a limit for being later too, and so nothing waits for it.
        let leave = x.1.min(y.1).min(z.1.min(f32x8::splat(simd, limit))) * LATER;
        (enter.simd_le(leave), enter)
    }
}

impl<S: Simd> NodeTest<S> for Planes<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn touched(&self, simd: S, _: u32, node: &Node, limit: f32) -> (u32, [f32; WIDTH]) {
        let (touched, times) = self.test(simd, node, limit);
        #[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
        let touched = touched.to_bitmask() as u32;
        (touched, times.to_array())
    }

    fn boxes(&self, _: u32, node: &Node) -> [Aabb; WIDTH] {
        core::array::from_fn(|place| node.bounds_at(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::NO_ITEM;
    use crate::{Aabb, BuildPreset, cancel::Cancel};
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
        let make_leaf = |items: &[u32]| (items.len() <= 2).then_some(());
        let preset = BuildPreset::Balanced;
        let mut moved =
            Bvh::build_in_blocks(&boxes, preset, make_leaf, |_| (), Cancel::NEVER).unwrap();
        moved.refit(|_, items, ()| {
            let used = items.iter().filter(|item| **item != NO_ITEM);
            let used = used.map(|item| boxes[*item as usize]);
            used.reduce(|all, one| all.union(&one)).unwrap()
        });
        // The items of each leaf, which are found together: one here, two there.
        let alone: Vec<Vec<usize>> = (0..boxes.len()).map(|item| vec![item]).collect();
        let pairs: Vec<Vec<usize>> = (moved.leaves().iter())
            .map(|items| items.map(|item| item as usize))
            .map(|items| {
                items
                    .into_iter()
                    .filter(|item| *item < boxes.len())
                    .collect()
            })
            .collect();
        for query in boxes.iter().step_by(7) {
            for (tree, leaves) in [(&tree, &alone), (&moved, &pairs)] {
                let around = |leaf: &[usize]| {
                    let own = leaf.iter().map(|item| boxes[*item]);
                    own.reduce(|all, one| all.union(&one)).unwrap()
                };
                let touched = leaves.iter().filter(|leaf| around(leaf).touches(query));
                let mut expected: Vec<usize> = touched.flatten().copied().collect();
                expected.sort_unstable();
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
    fn an_oblique_query_leaves_unused_children_alone() {
        let boxes = [Aabb::new([-1.0; 3], [1.0; 3]).unwrap()];
        let tree = Bvh::build(&boxes);
        for direction in [DVec3::new(-0.3, 0.1, -0.9), DVec3::new(0.3, -0.1, 0.9)] {
            let start = -5.0 * direction;
            let query = TraversalQuery::moving_box((start, start), direction, (0.0, f64::INFINITY));
            let mut count = 0;
            let _ = tree.cast(&query, f32::INFINITY, |_| {
                count += 1;
                ControlFlow::Continue(f32::INFINITY)
            });
            assert_eq!(count, 1);
        }
    }

    #[test]
    fn a_query_from_beyond_the_range_of_f32_ends() {
        let tree = Bvh::build(&[Aabb::new([-1.0; 3], [1.0; 3]).unwrap()]);
        let start = DVec3::splat(-1e90);
        let query =
            TraversalQuery::moving_box((start, start), DVec3::splat(1e60), (0.0, f64::INFINITY));
        let mut count = 0;
        let _ = tree.cast(&query, f32::INFINITY, |_| {
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
