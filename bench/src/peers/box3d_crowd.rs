//! Box3D's tree over boxes that move, each taken out and inserted again, as its world does.
//!
//! All `unsafe` of its tree is in this file, which calls `native/box3d_tree.c`.

use super::native::{Raw as _, RawMet};
use crate::inputs::Question;
use crate::inputs::crowd::{Crowd, Queries};
use crate::label::{Family, Label};
use crate::subject::Subjects;
use crate::workloads::boxes::Primitive;
use crate::workloads::crowd::{self, Mover};
use std::ptr::NonNull;
use std::rc::Rc;

/// What `native/box3d_tree.c` holds.
#[repr(C)]
struct Tree {
    _opaque: [u8; 0],
}

/// A box as C reads it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct RawBox {
    min: [f32; 3],
    max: [f32; 3],
}

unsafe extern "C" {
    fn box3d_tree(boxes: *const RawBox, count: usize) -> *mut Tree;
    fn box3d_tree_free(tree: *mut Tree);
    fn box3d_tree_move(tree: *mut Tree, boxes: *const RawBox, count: usize);
    fn box3d_tree_nearest(
        tree: *const Tree,
        questions: *const Question,
        count: usize,
        answers: *mut RawMet,
    );
    fn box3d_tree_touching(
        tree: *const Tree,
        boxes: *const RawBox,
        count: usize,
        answers: *mut u32,
    );
}

fn raw(boxes: &[Primitive]) -> Vec<RawBox> {
    boxes.iter().map(Moving::query).collect()
}

struct Built(NonNull<Tree>, usize);

impl Drop for Built {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the constructor and is freed only here.
        unsafe { box3d_tree_free(self.0.as_ptr()) }
    }
}

impl Built {
    fn new(boxes: &[RawBox]) -> Self {
        // SAFETY: there are so many boxes, which the shim copies.
        let tree = unsafe { box3d_tree(boxes.as_ptr(), boxes.len()) };
        Self(
            NonNull::new(tree).expect("there is memory for a tree"),
            boxes.len(),
        )
    }
}

#[derive(Default)]
struct Moving(Option<Built>);

impl Moving {
    fn tree(&self) -> &Built {
        self.0.as_ref().expect("it was started")
    }
}

impl Mover for Moving {
    type Ray = Question;
    type Query = RawBox;

    fn ray(question: &Question) -> Question {
        *question
    }

    fn query(solid: &Primitive) -> RawBox {
        RawBox {
            min: solid.min,
            max: solid.max,
        }
    }

    fn start(&mut self, boxes: &[Primitive]) {
        self.0 = Some(Built::new(&raw(boxes)));
    }

    fn step(&mut self, boxes: &[Primitive]) {
        let (boxes, tree) = (raw(boxes), self.tree());
        assert_eq!(boxes.len(), tree.1);
        // SAFETY: there are as many boxes as the tree was made with, and nobody else uses it.
        unsafe { box3d_tree_move(tree.0.as_ptr(), boxes.as_ptr(), boxes.len()) }
    }

    fn nearest(&self, ray: &Question) -> Option<f32> {
        let mut answer = RawMet::default();
        // SAFETY: there is one question, and room for its answer.
        unsafe { box3d_tree_nearest(self.tree().0.as_ptr(), ray, 1, &raw mut answer) }
        Some(answer.read()?.t)
    }

    fn touching(&self, query: &RawBox) -> u32 {
        let mut count = 0;
        // SAFETY: there is one box, and room for its answer.
        unsafe { box3d_tree_touching(self.tree().0.as_ptr(), query, 1, &raw mut count) }
        count
    }
}

pub fn frames<'a>(crowd: &Rc<Crowd>, queries: &Queries) -> Subjects<'a, Option<f32>> {
    let label = Label::new(Family::Box3d, "b3DynamicTree, MoveProxy");
    vec![crowd::frames(label, Moving::default(), crowd, queries)]
}
