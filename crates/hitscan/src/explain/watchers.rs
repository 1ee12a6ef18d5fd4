//! The watchers of traces, each either a recorder's or the counter's: traversals are compiled for
//! watching once, in one vector width.

use super::counter::Counter;
use super::field_recorder::FieldRecorder;
use super::recorder::Recorder;
use super::tree_recorder::TreeRecorder;
use crate::bvh::{BoxKind, Bvh, ChildKind, Node, WIDTH, Watch};
use crate::height_field::{Block, FieldWatch, TestedChildren};
use crate::model::PlacedPart;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::query::watch::Outcome;
use crate::simd::Width;
use crate::tri_mesh::{LeafTriangle, TriangleBlock, TriangleWatch};
use crate::world::instance::Instance;
use crate::world::query::watch::{ObjectWatch, SolidId};
use crate::{Aabb, ObjectId, Primitive};
use glam::DVec3;
use std::sync::Arc;

/// Watches the traversal of a world.
#[derive(Clone, Copy)]
pub(super) enum WorldWatcher<'a> {
    Recorder(&'a Recorder<'a>),
    Counter(&'a Counter<'a>),
}

/// Watches the traversal of a tree.
#[derive(Clone, Copy)]
pub(super) enum TreeWatcher<'a> {
    Recorder(TreeRecorder<'a>),
    Counter(&'a Counter<'a>),
}

/// Watches the traversal of terrain.
#[derive(Clone, Copy)]
pub(super) enum FieldWatcher<'a> {
    Recorder(FieldRecorder<'a>),
    Counter(&'a Counter<'a>),
}

impl<'a> ObjectWatch for WorldWatcher<'a> {
    type Tree = TreeWatcher<'a>;
    type Part = TreeWatcher<'a>;
    type Field = FieldWatcher<'a>;

    fn objects(self) -> TreeWatcher<'a> {
        match self {
            Self::Recorder(recorder) => TreeWatcher::Recorder(recorder.objects()),
            Self::Counter(counter) => TreeWatcher::Counter(counter),
        }
    }

    fn parts(self, id: ObjectId, instance: &Arc<Instance>) -> TreeWatcher<'a> {
        match self {
            Self::Recorder(recorder) => TreeWatcher::Recorder(recorder.parts(id, instance)),
            Self::Counter(counter) => TreeWatcher::Counter(counter),
        }
    }

    fn part(self, id: ObjectId, part: PlacedPart<'_>, local: &LocalRay) -> TreeWatcher<'a> {
        match self {
            Self::Recorder(recorder) => TreeWatcher::Recorder(recorder.part(id, part, local)),
            Self::Counter(counter) => TreeWatcher::Counter(counter),
        }
    }

    fn field(self, id: ObjectId) -> FieldWatcher<'a> {
        match self {
            Self::Recorder(recorder) => FieldWatcher::Recorder(recorder.field(id)),
            Self::Counter(counter) => FieldWatcher::Counter(counter.field(id)),
        }
    }

    fn tested_solid(self, of: SolidId, solid: &dyn Fn() -> Primitive, outcome: Outcome) {
        match self {
            Self::Recorder(recorder) => recorder.tested_solid(of, &solid(), outcome),
            Self::Counter(counter) => counter.tested_solid(),
        }
    }

    fn tied(self) {
        if let Self::Recorder(recorder) = self {
            recorder.tied();
        }
    }
}

impl TreeWatcher<'_> {
    fn get(&self) -> &dyn TriangleWatch {
        match self {
            Self::Recorder(recorder) => recorder,
            Self::Counter(counter) => *counter,
        }
    }
}

impl Watch for TreeWatcher<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn width(&self, _: Width) -> Width {
        Width::baseline()
    }

    fn begins(&self, kind: BoxKind, bounds: Option<&Aabb>, is_touched: bool) {
        Watch::begins(self.get(), kind, bounds, is_touched);
    }

    fn tested(&self, index: u32, node: &Node, touched: u32, boxes: &dyn Fn() -> [Aabb; WIDTH]) {
        Watch::tested(self.get(), index, node, touched, boxes);
    }

    fn entered(&self, child: ChildKind) {
        Watch::entered(self.get(), child);
    }

    fn left_out(&self, child: ChildKind) {
        Watch::left_out(self.get(), child);
    }
}

impl TriangleWatch for TreeWatcher<'_> {
    fn tested_part(&self, bounds: &Aabb, is_touched: bool) {
        self.get().tested_part(bounds, is_touched);
    }

    fn tested_block(
        &self,
        tree: &Bvh<TriangleBlock>,
        leaf: u32,
        block: &TriangleBlock,
        possible: u32,
    ) {
        self.get().tested_block(tree, leaf, block, possible);
    }

    fn tested_triangle(
        &self,
        tree: &Bvh<TriangleBlock>,
        triangle: LeafTriangle,
        corners: &[DVec3; 3],
        outcome: Outcome,
    ) {
        self.get().tested_triangle(tree, triangle, corners, outcome);
    }

    fn tested_in_world(&self, triangle: u32, corners: &[DVec3; 3], outcome: Outcome) {
        self.get().tested_in_world(triangle, corners, outcome);
    }
}

impl FieldWatcher<'_> {
    fn get(&self) -> &dyn FieldWatch {
        match self {
            Self::Recorder(recorder) => recorder,
            Self::Counter(counter) => *counter,
        }
    }
}

impl FieldWatch for FieldWatcher<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn width(&self, _: Width) -> Width {
        Width::baseline()
    }

    fn begins(&self, may_touch: bool) {
        self.get().begins(may_touch);
    }

    fn climbed(&self, block: Block) {
        self.get().climbed(block);
    }

    fn tested(&self, block: Block, children: TestedChildren) {
        self.get().tested(block, children);
    }

    fn entered(&self, block: Block) {
        self.get().entered(block);
    }

    fn left_out(&self, block: Block) {
        self.get().left_out(block);
    }

    fn entered_cell(&self, column: usize, row: usize) {
        self.get().entered_cell(column, row);
    }

    fn looked_up(&self, triangle: u32) {
        self.get().looked_up(triangle);
    }

    fn tested_triangle(&self, triangle: u32, outcome: Outcome) {
        self.get().tested_triangle(triangle, outcome);
    }

    fn missed_others(&self, first_triangle: u32, decided: u32) {
        self.get().missed_others(first_triangle, decided);
    }
}
