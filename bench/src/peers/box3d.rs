//! Box3D: its meshes and height fields, by its own functions for one shape.
//!
//! Heights are compressed to 16 bits, and moving shapes stop 5 mm short. All `unsafe` of its single
//! shapes is in this file, which calls `native/box3d.c`; it has no query for whether anything is hit.

use super::native::{RawMet, RawTouch, native};
use crate::answer::{Met, Touch};
use crate::inputs::moves::{Kind, Move, Solid};
use crate::inputs::{self, Question, Rays};
use crate::label::{Family, Label};
use crate::shape::{Obstacle, RayShape};
use crate::subject::{Subjects, build, mapped};
use rayon::ThreadPool;
use std::ptr::NonNull;

/// What `native/box3d.c` holds.
#[repr(C)]
struct Shape {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn box3d_terrain(heights: *const f32, size: usize) -> *mut Shape;
    fn box3d_mesh(
        positions: *const f32,
        position_count: usize,
        triangles: *const u32,
        triangle_count: usize,
    ) -> *mut Shape;
    fn box3d_free(shape: *mut Shape);
    fn box3d_bytes(shape: *const Shape) -> usize;
    fn box3d_nearest(
        shape: *const Shape,
        questions: *const Question,
        count: usize,
        answers: *mut RawMet,
    );
    fn box3d_first_contacts(
        shape: *const Shape,
        solid: Solid,
        moves: *const Move,
        count: usize,
        answers: *mut RawTouch,
    );
}

pub struct Built {
    way: &'static str,
    shape: NonNull<Shape>,
}

// SAFETY: meshes and height fields are data that queries only read.
unsafe impl Send for Built {}
// SAFETY: as above.
unsafe impl Sync for Built {}

impl Drop for Built {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a constructor and is freed only here.
        unsafe { box3d_free(self.shape.as_ptr()) }
    }
}

impl Built {
    pub fn terrain(terrain: &inputs::Terrain) -> Self {
        // SAFETY: there are size * size heights, which Box3D copies.
        let shape = unsafe { box3d_terrain(terrain.heights.as_ptr(), terrain.size) };
        Self {
            way: "height field",
            shape: NonNull::new(shape).expect("Box3D takes the terrain"),
        }
    }

    pub fn mesh(mesh: &inputs::Mesh) -> Self {
        let (positions, triangles) = (mesh.positions.as_flattened(), mesh.triangles.as_flattened());
        // SAFETY: the lengths are those of the slices, which Box3D copies; corners index positions.
        let shape = unsafe {
            box3d_mesh(
                positions.as_ptr(),
                mesh.positions.len(),
                triangles.as_ptr(),
                mesh.triangles.len(),
            )
        };
        Self {
            way: "mesh",
            shape: NonNull::new(shape).expect("Box3D takes the mesh"),
        }
    }

    /// The mesh seen from inside: its back faces are not hit.
    pub fn inside_out(mesh: &inputs::Mesh) -> Self {
        let triangles = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]);
        let turned = inputs::Mesh {
            positions: mesh.positions.clone(),
            triangles: triangles.collect(),
        };
        let mut built = Self::mesh(&turned);
        built.way = "mesh, inside out";
        built
    }

    fn label(&self) -> Label {
        Label::new(Family::Box3d, self.way)
    }

    fn bytes(&self) -> usize {
        // SAFETY: the shape lives.
        unsafe { box3d_bytes(self.shape.as_ptr()) }
    }
}

impl RayShape for Built {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let (all, count) = (questions.to_vec(), questions.len());
        let ask = move |first: usize, answers: &mut [RawMet]| {
            let questions = &all[first..];
            assert!(questions.len() >= answers.len());
            let (shape, many) = (self.shape.as_ptr(), answers.len());
            // SAFETY: there are at least so many questions, and room for their answers.
            unsafe { box3d_nearest(shape, questions.as_ptr(), many, answers.as_mut_ptr()) }
        };
        vec![native(self.label(), count, pool, ask)]
    }

    fn is_one_sided(&self) -> bool {
        true
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let nearest = self.nearest(questions, None).into_iter();
        let is_hit = |_, met: Option<Met>| met.is_some();
        nearest.map(|subject| mapped(subject, is_hit)).collect()
    }
}

impl Obstacle for Built {
    fn first_contacts<'a>(
        &'a self,
        solid: Solid,
        moves: &'a [Move],
    ) -> Subjects<'a, Option<Touch>> {
        if matches!(solid.kind, Kind::Hull | Kind::Cylinder) {
            return Vec::new();
        }
        let ask = move |_: usize, answers: &mut [RawTouch]| {
            assert_eq!(moves.len(), answers.len());
            let (shape, first, many) = (self.shape.as_ptr(), moves.as_ptr(), moves.len());
            // SAFETY: there are so many moves, and room for the answer to each.
            unsafe { box3d_first_contacts(shape, solid, first, many, answers.as_mut_ptr()) }
        };
        vec![native(self.label(), moves.len(), None, ask)]
    }
}

pub fn build_terrain(terrain: &inputs::Terrain) -> Subjects<'_, ()> {
    let label = Label::new(Family::Box3d, "height field");
    vec![build(label, || Built::terrain(terrain), Built::bytes)]
}

pub fn build_mesh(mesh: &inputs::Mesh) -> Subjects<'_, ()> {
    let label = Label::new(Family::Box3d, "mesh");
    vec![build(label, || Built::mesh(mesh), Built::bytes)]
}
