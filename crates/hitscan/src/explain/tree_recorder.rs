//! The recorder of walks of trees: over objects, over the parts of a model, through triangles.

use super::recorder::{Recorder, TreeOf, TreeWalk};
use super::space::ends;
use super::visit_log::{BoxOutcome, Subject, TriangleOutcome};
use super::visits::{VisitVerdict, Visited};
use crate::Aabb;
use crate::bvh::{BoxKind, Bvh, ChildKind, Node, WIDTH, Watch};
use crate::query::watch::Outcome;
use crate::tri_mesh::{LeafTriangle, TriangleBlock, TriangleWatch, number};
use glam::DVec3;

/// Records the walk of a tree.
#[derive(Clone, Copy)]
pub(super) struct TreeRecorder<'a> {
    pub(super) recorder: &'a Recorder<'a>,
    pub(super) of: TreeOf,
}

impl TreeRecorder<'_> {
    /// Records a box of the tree.
    fn record(
        &self,
        walk: &TreeWalk,
        child: ChildKind,
        (depth, ends): (u32, [DVec3; 2]),
        outcome: BoxOutcome,
    ) {
        let (subject, what, refusal) = self.describe(walk, child);
        let outcome = match (outcome, refusal) {
            (BoxOutcome::Opened, Some(refusal)) => BoxOutcome::Verdict(refusal),
            (outcome, _) => outcome,
        };
        let mut log = self.recorder.log.borrow_mut();
        log.add_box(&subject, (what, depth), ends, outcome);
    }

    /// What a box is of, and why what is in it is not looked at even where the ray touches it.
    fn describe(
        &self,
        walk: &TreeWalk,
        child: ChildKind,
    ) -> (Subject, Visited, Option<VisitVerdict>) {
        let subject = walk.subject;
        match (self.of, child) {
            (TreeOf::Objects, ChildKind::Node(_)) => (subject, Visited::WorldNode, None),
            (TreeOf::Objects, ChildKind::Leaf(slot)) => {
                let object = self.recorder.snapshot.id_and_layers(slot);
                let filtered_by =
                    object.and_then(|(id, layers)| self.recorder.filter.filtered_by(id, layers));
                let object = object.map(|(id, _)| id);
                let subject = Subject { object, ..subject };
                (
                    subject,
                    Visited::Object,
                    filtered_by.map(VisitVerdict::Filtered),
                )
            }
            (TreeOf::Parts, ChildKind::Leaf(item)) => {
                let instance = self.recorder.instance.borrow();
                let part = instance.as_ref().and_then(|instance| {
                    instance.parts().tree()?.parts.get(item as usize).copied()
                });
                (Subject { part, ..subject }, Visited::Part, None)
            }
            (TreeOf::Parts, ChildKind::Node(_)) => (subject, Visited::TreeNode, None),
            (TreeOf::Triangles, _) => match walk.kind {
                BoxKind::Kept => (subject, Visited::TreeNode, None),
                BoxKind::Posed => (subject, Visited::Cluster, None),
            },
        }
    }

    fn record_triangle(
        &self,
        (tree, triangle): (&Bvh<TriangleBlock>, LeafTriangle),
        corners: &[DVec3; 3],
        outcome: TriangleOutcome,
    ) {
        let walk = self.recorder.walk(self.of).borrow();
        let depth = walk.depth(ChildKind::Leaf(triangle.leaf)) + 1;
        let triangle = number(tree, triangle);
        let mut log = self.recorder.log.borrow_mut();
        log.add_triangle(&walk.subject, (triangle, depth), corners, outcome);
    }
}

/// The root of every tree.
const ROOT: ChildKind = ChildKind::Node(0);

impl Watch for TreeRecorder<'_> {
    fn begins(&self, kind: BoxKind, bounds: Option<&Aabb>, is_touched: bool) {
        let mut walk = self.recorder.walk(self.of).borrow_mut();
        walk.kind = kind;
        walk.boxes.clear();
        let Some(bounds) = bounds else {
            return;
        };
        let root = (0, ends(bounds));
        walk.boxes.insert(ROOT, root);
        let outcome = if is_touched {
            BoxOutcome::Opened
        } else {
            BoxOutcome::Missed
        };
        self.record(&walk, ROOT, root, outcome);
    }

    fn tested(&self, index: u32, node: &Node, touched: u32, boxes: &dyn Fn() -> [Aabb; WIDTH]) {
        let mut walk = self.recorder.walk(self.of).borrow_mut();
        let depth = walk.depth(ChildKind::Node(index)) + 1;
        let boxes = boxes();
        for (place, child) in node.kinds().enumerate() {
            let found = (depth, ends(&boxes[place]));
            if touched >> place & 1 == 1 {
                walk.boxes.insert(child, found);
            } else {
                self.record(&walk, child, found, BoxOutcome::Missed);
            }
        }
    }

    fn entered(&self, child: ChildKind) {
        let walk = self.recorder.walk(self.of).borrow();
        if child != ROOT
            && let Some(found) = walk.boxes.get(&child)
        {
            self.record(&walk, child, *found, BoxOutcome::Opened);
        }
    }

    fn left_out(&self, child: ChildKind) {
        let walk = self.recorder.walk(self.of).borrow();
        if let Some(found) = walk.boxes.get(&child) {
            self.record(&walk, child, *found, BoxOutcome::Skipped);
        }
    }
}

impl TriangleWatch for TreeRecorder<'_> {
    fn tested_part(&self, bounds: &Aabb, is_touched: bool) {
        let walk = self.recorder.walk(self.of).borrow();
        let outcome = if is_touched {
            BoxOutcome::Opened
        } else {
            BoxOutcome::Missed
        };
        let mut log = self.recorder.log.borrow_mut();
        log.add_box(&walk.subject, (Visited::Part, 0), ends(bounds), outcome);
    }

    fn tested_block(
        &self,
        tree: &Bvh<TriangleBlock>,
        leaf: u32,
        block: &TriangleBlock,
        possible: u32,
    ) {
        let mut rejected = block.used() & !possible;
        while rejected != 0 {
            let triangle = LeafTriangle::take(leaf, &mut rejected);
            let corners = block.triangle(triangle.place);
            self.record_triangle((tree, triangle), &corners, TriangleOutcome::Rejected);
        }
    }

    fn tested_triangle(
        &self,
        tree: &Bvh<TriangleBlock>,
        triangle: LeafTriangle,
        corners: &[DVec3; 3],
        outcome: Outcome,
    ) {
        let outcome = TriangleOutcome::Decided(outcome);
        self.record_triangle((tree, triangle), corners, outcome);
    }

    fn tested_in_world(&self, triangle: u32, corners: &[DVec3; 3], outcome: Outcome) {
        let walk = self.recorder.walk(self.of).borrow();
        let mut log = self.recorder.log.borrow_mut();
        let outcome = TriangleOutcome::Decided(outcome);
        // One below the part, since no box of its tree is in this space.
        log.add_triangle(&walk.subject, (triangle, 1), corners, outcome);
    }
}
