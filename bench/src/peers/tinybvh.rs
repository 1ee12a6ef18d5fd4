//! tinybvh: its eight-wide and four-wide trees for CPUs, with and without spatial splits.
//!
//! All `unsafe` of tinybvh is in this file: it calls `native/tinybvh.cpp`.

use super::native::{RawMet, native};
use crate::answer::Met;
use crate::inputs::{self, Question, Rays};
use crate::label::{Family, Label};
use crate::shape::{RayShape, RayShapes};
use crate::subject::{Subjects, build};
use rayon::ThreadPool;
use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

/// What `native/tinybvh.cpp` holds.
#[repr(C)]
struct Shape {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn tiny_mesh(corners: *const f32, triangles: usize, layout: c_int, hq: c_int) -> *mut Shape;
    fn tiny_free(shape: *mut Shape);
    fn tiny_bytes(shape: *const Shape) -> usize;
    fn tiny_rays(questions: *const Question, count: usize) -> *mut c_void;
    fn tiny_free_rays(rays: *mut c_void);
    fn tiny_nearest(
        shape: *const Shape,
        rays: *const c_void,
        first: usize,
        count: usize,
        answers: *mut RawMet,
    );
    fn tiny_any(
        shape: *const Shape,
        rays: *const c_void,
        first: usize,
        count: usize,
        answers: *mut bool,
    );
}

/// Which tree, and how it is built.
#[derive(Debug, Clone, Copy)]
struct Settings {
    way: &'static str,
    /// `native/tinybvh.cpp` says which is which.
    layout: c_int,
    has_splits: bool,
}

const SETTINGS: [Settings; 4] = [
    Settings {
        way: "BVH8_CPU",
        layout: 8,
        has_splits: false,
    },
    Settings {
        way: "BVH8_CPU with splits",
        layout: 8,
        has_splits: true,
    },
    Settings {
        way: "BVH4_CPU",
        layout: 4,
        has_splits: false,
    },
    Settings {
        way: "BVH4_CPU with splits",
        layout: 4,
        has_splits: true,
    },
];

fn label(way: &str) -> Label {
    Label::new(Family::TinyBvh, way)
}

struct Tree {
    way: &'static str,
    shape: NonNull<Shape>,
}

// SAFETY: queries of a built tree only read it.
unsafe impl Send for Tree {}
// SAFETY: as above.
unsafe impl Sync for Tree {}

impl Tree {
    fn new(corners: &[[[f32; 3]; 3]], settings: Settings) -> Self {
        let numbers = corners.as_flattened().as_flattened();
        let hq = c_int::from(settings.has_splits);
        // SAFETY: there are nine numbers a triangle, which the shim copies.
        let shape = unsafe { tiny_mesh(numbers.as_ptr(), corners.len(), settings.layout, hq) };
        Self {
            way: settings.way,
            shape: NonNull::new(shape).expect("tinybvh makes a tree"),
        }
    }

    fn bytes(&self) -> usize {
        // SAFETY: the tree lives.
        unsafe { tiny_bytes(self.shape.as_ptr()) }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the constructor and is freed only here.
        unsafe { tiny_free(self.shape.as_ptr()) }
    }
}

/// Prepared in tinybvh's own form.
struct Prepared {
    rays: NonNull<c_void>,
    count: usize,
}

// SAFETY: rays are plain numbers that nobody writes after they are made.
unsafe impl Send for Prepared {}
// SAFETY: as above.
unsafe impl Sync for Prepared {}

impl Prepared {
    fn new(questions: &[Question]) -> Self {
        let count = questions.len();
        // SAFETY: there are `count` questions, at least one.
        let rays = unsafe { tiny_rays(questions.as_ptr(), count) };
        Self {
            rays: NonNull::new(rays).expect("there is memory for rays"),
            count,
        }
    }

    fn nearest(&self, tree: &Tree, first: usize, answers: &mut [RawMet]) {
        assert!(first + answers.len() <= self.count);
        let (shape, rays, many) = (tree.shape.as_ptr(), self.rays.as_ptr(), answers.len());
        // SAFETY: there are so many rays from `first` on, and room for their answers.
        unsafe { tiny_nearest(shape, rays, first, many, answers.as_mut_ptr()) }
    }

    fn any(&self, tree: &Tree, first: usize, answers: &mut [bool]) {
        assert!(first + answers.len() <= self.count);
        let (shape, rays, many) = (tree.shape.as_ptr(), self.rays.as_ptr(), answers.len());
        // SAFETY: there are so many rays from `first` on, and room for their answers.
        unsafe { tiny_any(shape, rays, first, many, answers.as_mut_ptr()) }
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the constructor and is freed only here.
        unsafe { tiny_free_rays(self.rays.as_ptr()) }
    }
}

impl RayShape for Tree {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let rays = Prepared::new(questions);
        let ask = move |first: usize, answers: &mut [RawMet]| rays.nearest(self, first, answers);
        vec![native(label(self.way), questions.len(), pool, ask)]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let rays = Prepared::new(questions);
        let ask = move |first: usize, answers: &mut [bool]| rays.any(self, first, answers);
        vec![native(label(self.way), questions.len(), None, ask)]
    }
}

fn corners(mesh: &inputs::Mesh) -> Vec<[[f32; 3]; 3]> {
    (0..mesh.triangles.len())
        .map(|triangle| mesh.corners(triangle))
        .collect()
}

pub fn meshes(mesh: &inputs::Mesh) -> RayShapes {
    let corners = corners(mesh);
    let tree = |settings| Box::new(Tree::new(&corners, settings)) as _;
    SETTINGS.into_iter().map(tree).collect()
}

pub fn build_meshes(mesh: &inputs::Mesh) -> Subjects<'_, ()> {
    let corners = std::rc::Rc::new(corners(mesh));
    let mut builds: Subjects<()> = Vec::new();
    for settings in SETTINGS {
        let corners = std::rc::Rc::clone(&corners);
        let run = move || Tree::new(&corners, settings);
        builds.push(build(label(settings.way), run, Tree::bytes));
    }
    builds
}
