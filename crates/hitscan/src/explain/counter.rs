//! The recorder that only counts.

use super::visits::TestCounts;
use crate::bvh::{BoxKind, Bvh, ChildKind, Node, WIDTH, Watch};
use crate::height_field::{Block, FieldWatch, TestedChildren};
use crate::query::watch::Outcome;
use crate::tri_mesh::{LeafTriangle, TriangleBlock, TriangleWatch};
use crate::world::Snapshot;
use crate::world::object::Shape;
use crate::{Aabb, HeightField, ObjectId};
use core::cell::{Cell, RefCell};
use glam::DVec3;
use std::sync::Arc;

/// Counts what a ray's walk tests. What a recorder records is counted once each.
pub(super) struct Counter<'a> {
    snapshot: &'a Snapshot,
    boxes: Cell<u32>,
    triangles: Cell<u32>,
    /// The terrain that is walked over.
    field: RefCell<Option<Arc<HeightField>>>,
}

impl<'a> Counter<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            boxes: Cell::new(0),
            triangles: Cell::new(0),
            field: RefCell::new(None),
        }
    }

    pub(super) fn counts(&self) -> TestCounts {
        TestCounts {
            boxes: self.boxes.get(),
            triangles: self.triangles.get(),
        }
    }

    /// Begins to watch the traversal of a terrain.
    pub(super) fn field(&self, id: ObjectId) -> &Self {
        let object = self.snapshot.object(id);
        let field = object.and_then(|object| match &object.shape {
            Shape::HeightField(field) => Some(Arc::clone(field)),
            _ => None,
        });
        self.field.replace(field);
        self
    }

    pub(super) fn tested_solid(&self) {
        self.count_triangles(1);
    }

    fn count_boxes(&self, count: u32) {
        self.boxes.set(self.boxes.get().saturating_add(count));
    }

    fn count_triangles(&self, count: u32) {
        self.triangles
            .set(self.triangles.get().saturating_add(count));
    }
}

impl Watch for Counter<'_> {
    fn begins(&self, _: BoxKind, bounds: Option<&Aabb>, _: bool) {
        self.count_boxes(u32::from(bounds.is_some()));
    }

    fn tested(&self, _: u32, node: &Node, _: u32, _: &dyn Fn() -> [Aabb; WIDTH]) {
        self.count_boxes(node.used.count_ones());
    }

    fn entered(&self, _: ChildKind) {}

    fn left_out(&self, _: ChildKind) {}
}

impl TriangleWatch for Counter<'_> {
    fn tested_part(&self, _: &Aabb, _: bool) {
        self.count_boxes(1);
    }

    fn tested_block(&self, _: &Bvh<TriangleBlock>, _: u32, block: &TriangleBlock, _: u32) {
        self.count_triangles(block.used().count_ones());
    }

    fn tested_triangle(&self, _: &Bvh<TriangleBlock>, _: LeafTriangle, _: &[DVec3; 3], _: Outcome) {
    }

    fn tested_in_world(&self, _: u32, _: &[DVec3; 3], _: Outcome) {
        self.count_triangles(1);
    }
}

impl FieldWatch for Counter<'_> {
    fn begins(&self, _: bool) {
        let field = self.field.borrow();
        let ground = field
            .as_ref()
            .map(|field| field.block_box(field.root_block()));
        self.count_boxes(u32::from(ground.flatten().is_some()));
    }

    fn climbed(&self, block: Block) {
        let field = self.field.borrow();
        let is_new = field
            .as_ref()
            .is_some_and(|field| field.root_block() != block && field.block_box(block).is_some());
        self.count_boxes(u32::from(is_new));
    }

    fn tested(&self, block: Block, children: TestedChildren) {
        if let Some(field) = &*self.field.borrow() {
            let refused = children.in_order().filter(|(_, is_touched)| !is_touched);
            let there = refused.filter(|(child, _)| field.child_of(block, *child).is_some());
            self.count_boxes(there.map(|_| 1).sum());
        }
    }

    fn entered(&self, _: Block) {
        self.count_boxes(1);
    }

    fn left_out(&self, _: Block) {
        self.count_boxes(1);
    }

    fn entered_cell(&self, _: usize, _: usize) {
        self.count_boxes(1);
    }

    fn looked_up(&self, _: u32) {
        self.count_boxes(1);
    }

    fn tested_triangle(&self, _: u32, _: Outcome) {
        self.count_triangles(1);
    }

    fn missed_others(&self, _: u32, decided: u32) {
        self.count_triangles(2 - decided.count_ones());
    }
}
