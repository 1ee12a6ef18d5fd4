//! A ballistic arc through a tree.
//!
//! A child is entered where the arc's window in its box begins; the nearest is visited first. Most
//! children are culled by the box around the part of the arc that is in their parent.

use crate::bvh::Bvh;
use crate::bvh::node::{Child, ChildKind};
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::sorting::sort_few;
use core::ops::ControlFlow;
use glam::DVec3;
use smallvec::SmallVec;

/// Takes an item and the corners of a box around the part of the arc that may touch it, and returns up
/// to which t others matter, or stops.
pub(crate) type ArcVisit<'a> = &'a mut dyn FnMut(u32, (DVec3, DVec3)) -> ControlFlow<(), f64>;

/// A child to visit, and when the arc is in its box.
type Waiting = ([f64; 2], Child);

impl<B: Clone> Bvh<B> {
    /// Visits the items whose boxes the arc may touch up to `limit`, roughly from front to back.
    pub(crate) fn cast_arc(
        &self,
        arc: &ArcBounds,
        limit: f64,
        visit: ArcVisit<'_>,
    ) -> ControlFlow<()> {
        let Some(bounds) = self.bounds else {
            return ControlFlow::Continue(());
        };
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let Some(window) = arc.window(min, max, limit) else {
            return ControlFlow::Continue(());
        };
        let mut limit = limit;
        let mut stack: SmallVec<[Waiting; 32]> = SmallVec::new();
        stack.push((window, Child::ROOT));
        while let Some((window, child)) = stack.pop() {
            if window[0] > limit {
                continue;
            }
            match child.kind() {
                ChildKind::Leaf(leaf) => {
                    let hull = arc.hull(window);
                    limit = self.for_each_item(leaf, |item| visit(item, hull))?;
                }
                ChildKind::Node(index) => {
                    let first = stack.len();
                    let window = [window[0], window[1].min(limit)];
                    self.push_children(arc, (index, window), &mut stack);
                    sort_few(&mut stack[first..], |(one, _), (other, _)| {
                        one[0] < other[0]
                    });
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn push_children(
        &self,
        arc: &ArcBounds,
        (index, window): (u32, [f64; 2]),
        stack: &mut SmallVec<[Waiting; 32]>,
    ) {
        let node = &self.nodes[index as usize];
        let (low, high) = arc.hull(window);
        for place in 0..node.len() {
            let bounds = node.bounds_at(place);
            let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
            if !(low.cmple(max) & min.cmple(high)).all() {
                continue;
            }
            let inside = arc.window(min, max, window[1]);
            stack.extend(inside.map(|window| (window, node.children[place])));
        }
    }
}
