//! The box around all items, where the tree's own boxes may be larger than the items.

use crate::Aabb;
use crate::bvh::Bvh;
use crate::bvh::node::{Child, ChildKind};
use crate::sorting::sort_few;
use smallvec::SmallVec;

impl Bvh {
    /// The union of the boxes that `exact` gives for the items. Each must lie within the box that the
    /// tree has for its item; an item without a box adds nothing.
    ///
    /// Side by side of the union the boxes that extend farthest come first, so that all others but a few
    /// lie within the union so far and are skipped.
    pub(crate) fn union_of(&self, mut exact: impl FnMut(u32) -> Option<Aabb>) -> Option<Aabb> {
        let all = self.bounds?;
        let mut union: Option<Aabb> = None;
        let mut stack = SmallVec::<[(f32, Child); 64]>::new();
        for side in Side::all() {
            stack.push((side.extent(&all), Child::ROOT));
            while let Some((extent, child)) = stack.pop() {
                let is_beyond =
                    |extent: f32| union.is_none_or(|union| extent > side.extent(&union));
                if !is_beyond(extent) {
                    continue;
                }
                match child.kind() {
                    ChildKind::Node(index) => {
                        let node = &self.nodes[index as usize];
                        let first = stack.len();
                        for place in 0..node.len() {
                            let extent = side.extent(&node.bounds_at(place));
                            if is_beyond(extent) {
                                stack.push((extent, node.children[place]));
                            }
                        }
                        sort_few(&mut stack[first..], |a, b| a.0 > b.0);
                    }
                    ChildKind::Leaf(item) => {
                        if let Some(own) = exact(item) {
                            union = Some(union.map_or(own, |others| others.union(&own)));
                        }
                    }
                }
            }
        }
        union
    }
}

/// A side of a box.
#[derive(Clone, Copy)]
struct Side {
    axis: usize,
    is_upper: bool,
}

impl Side {
    fn all() -> impl Iterator<Item = Self> {
        (0..6).map(|number| Self {
            axis: number / 2,
            is_upper: number % 2 == 1,
        })
    }

    /// The signed extent of a box on this side.
    fn extent(self, bounds: &Aabb) -> f32 {
        if self.is_upper {
            bounds.max()[self.axis]
        } else {
            -bounds.min()[self.axis]
        }
    }
}
