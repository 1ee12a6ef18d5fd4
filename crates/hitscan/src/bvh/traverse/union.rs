//! The box around all items, where the tree's own boxes may be larger than the items.

use crate::Aabb;
use crate::bvh::Bvh;
use crate::bvh::node::ChildKind;
use smallvec::SmallVec;

impl Bvh {
    /// The union of the boxes that `exact` gives for the items. Each must lie within the box that the
    /// tree has for its item; an item without a box adds nothing.
    ///
    /// Items are left out whose box in the tree lies within the union so far, which are all but a few.
    pub(crate) fn union_of(&self, mut exact: impl FnMut(u32) -> Option<Aabb>) -> Option<Aabb> {
        let mut union: Option<Aabb> = None;
        let mut stack = SmallVec::<[(u32, Aabb); 64]>::new();
        stack.extend(self.bounds.map(|all| (0, all)));
        while let Some((index, bounds)) = stack.pop() {
            if is_within(&bounds, union.as_ref()) {
                continue;
            }
            let node = &self.nodes[index as usize];
            for place in 0..node.len() {
                let bounds = node.bounds_at(place);
                match node.children[place].kind() {
                    ChildKind::Node(child) => stack.push((child, bounds)),
                    ChildKind::Leaf(item) if !is_within(&bounds, union.as_ref()) => {
                        if let Some(own) = exact(item) {
                            union = Some(union.map_or(own, |others| others.union(&own)));
                        }
                    }
                    ChildKind::Leaf(_) => {}
                }
            }
        }
        union
    }
}

fn is_within(bounds: &Aabb, union: Option<&Aabb>) -> bool {
    union.is_some_and(|union| union.union(bounds) == *union)
}
