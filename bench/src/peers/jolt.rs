//! Jolt: `HeightFieldShape` with blocks of 2 and 4 samples, `MeshShape` with 4 and 8 triangles a leaf.
//!
//! Heights are compressed to 8 bits a block, which is why distances differ. All `unsafe` of Jolt's
//! rays is in this file, which calls `native/jolt.cpp`; `jolt_moves.rs` has that of moving shapes.

use super::native::{RawMet, native};
use crate::answer::{Met, UNNUMBERED};
use crate::inputs::arcs::CHAIN;
use crate::inputs::{self, Question, Rays};
use crate::label::{Family, Label};
use crate::shape::RayShape;
use crate::subject::{Subjects, build};
use rayon::ThreadPool;
use std::ffi::{c_uint, c_void};
use std::ptr::NonNull;

/// What `native/jolt.cpp` holds.
#[repr(C)]
pub struct Shape {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn jolt_terrain(heights: *const f32, size: usize, block: c_uint) -> *mut Shape;
    fn jolt_mesh(
        positions: *const f32,
        position_count: usize,
        triangles: *const u32,
        triangle_count: usize,
        triangles_a_leaf: c_uint,
    ) -> *mut Shape;
    fn jolt_hull(points: *const f32, count: usize) -> *mut Shape;
    fn jolt_cylinder(half_height: f32, radius: f32) -> *mut Shape;
    fn jolt_free(shape: *mut Shape);
    fn jolt_bytes(shape: *const Shape) -> usize;
    fn jolt_rays(questions: *const Question, count: usize, mirror: f32) -> *mut c_void;
    fn jolt_free_rays(rays: *mut c_void);
    fn jolt_nearest(
        shape: *const Shape,
        rays: *const c_void,
        first: usize,
        count: usize,
        answers: *mut RawMet,
    );
    fn jolt_any(
        shape: *const Shape,
        rays: *const c_void,
        first: usize,
        count: usize,
        answers: *mut bool,
    );
    fn jolt_chains(
        shape: *const Shape,
        rays: *const c_void,
        chain: usize,
        count: usize,
        answers: *mut RawMet,
    );
}

/// Samples a side of the blocks of a terrain.
const BLOCKS: [c_uint; 2] = [2, 4];
/// The most triangles of a mesh's leaf.
const LEAVES: [c_uint; 2] = [4, 8];

pub struct Built {
    way: String,
    /// What x is subtracted from over terrain, which the shim mirrors; 0 for meshes.
    pub mirror: f32,
    shape: NonNull<Shape>,
}

// SAFETY: queries of a shape only read it ("Thread safety" in Jolt's documentation).
unsafe impl Send for Built {}
// SAFETY: as above.
unsafe impl Sync for Built {}

impl Drop for Built {
    fn drop(&mut self) {
        // SAFETY: the pointer came from a constructor and is freed only here.
        unsafe { jolt_free(self.shape.as_ptr()) }
    }
}

impl Built {
    fn terrain(terrain: &inputs::Terrain, block: c_uint) -> Self {
        // SAFETY: there are size * size heights, which Jolt copies.
        let shape = unsafe { jolt_terrain(terrain.heights.as_ptr(), terrain.size, block) };
        Self {
            way: format!("HeightFieldShape, blocks of {block}"),
            mirror: terrain.length() as f32,
            shape: NonNull::new(shape).expect("Jolt takes the terrain"),
        }
    }

    fn mesh(mesh: &inputs::Mesh, leaf: c_uint) -> Self {
        let (positions, triangles) = (mesh.positions.as_flattened(), mesh.triangles.as_flattened());
        // SAFETY: the lengths are those of the slices, which Jolt copies; corners index positions.
        let shape = unsafe {
            jolt_mesh(
                positions.as_ptr(),
                mesh.positions.len(),
                triangles.as_ptr(),
                mesh.triangles.len(),
                leaf,
            )
        };
        Self {
            way: format!("MeshShape, leaves of {leaf}"),
            mirror: 0.0,
            shape: NonNull::new(shape).expect("Jolt takes the mesh"),
        }
    }

    /// The hull of points.
    pub fn hull(points: &[[f32; 3]]) -> Self {
        // SAFETY: the length is that of the slice, which Jolt copies.
        let shape = unsafe { jolt_hull(points.as_flattened().as_ptr(), points.len()) };
        Self {
            way: "ConvexHullShape".to_owned(),
            mirror: 0.0,
            shape: NonNull::new(shape).expect("Jolt takes the hull"),
        }
    }

    /// An upright cylinder around 0.
    pub fn cylinder(half_height: f32, radius: f32) -> Self {
        // SAFETY: plain numbers.
        let shape = unsafe { jolt_cylinder(half_height, radius) };
        Self {
            way: "CylinderShape".to_owned(),
            mirror: 0.0,
            shape: NonNull::new(shape).expect("Jolt takes the cylinder"),
        }
    }

    pub fn label(&self) -> Label {
        label(&self.way)
    }

    /// Never null, and valid while this lives.
    pub fn pointer(&self) -> *const Shape {
        self.shape.as_ptr()
    }

    pub fn bytes(&self) -> usize {
        // SAFETY: the shape lives.
        unsafe { jolt_bytes(self.shape.as_ptr()) }
    }
}

fn label(way: &str) -> Label {
    Label::new(Family::Jolt, way)
}

/// Rays in Jolt's own form.
pub struct Prepared {
    rays: NonNull<c_void>,
    count: usize,
}

// SAFETY: rays are plain numbers that nobody writes after they are made.
unsafe impl Send for Prepared {}
// SAFETY: as above.
unsafe impl Sync for Prepared {}

impl Prepared {
    pub fn new(questions: &[Question], mirror: f32) -> Self {
        let count = questions.len();
        // SAFETY: there are `count` questions, at least one.
        let rays = unsafe { jolt_rays(questions.as_ptr(), count, mirror) };
        Self {
            rays: NonNull::new(rays).expect("there is memory for rays"),
            count,
        }
    }

    pub fn nearest(&self, built: &Built, first: usize, answers: &mut [RawMet]) {
        assert!(first + answers.len() <= self.count);
        let (shape, rays, many) = (built.shape.as_ptr(), self.rays.as_ptr(), answers.len());
        // SAFETY: there are so many rays from `first` on, and room for their answers.
        unsafe { jolt_nearest(shape, rays, first, many, answers.as_mut_ptr()) }
        // Jolt names triangles by their places in its tree.
        for answer in answers {
            answer.primitive = UNNUMBERED;
        }
    }

    fn chains(&self, built: &Built, answers: &mut [RawMet]) {
        assert!(answers.len() * CHAIN <= self.count);
        let (shape, rays, many) = (built.shape.as_ptr(), self.rays.as_ptr(), answers.len());
        // SAFETY: there are so many chains of rays, and room for their answers.
        unsafe { jolt_chains(shape, rays, CHAIN, many, answers.as_mut_ptr()) }
        for answer in answers {
            answer.primitive = UNNUMBERED;
        }
    }

    fn any(&self, built: &Built, first: usize, answers: &mut [bool]) {
        assert!(first + answers.len() <= self.count);
        let (shape, rays, many) = (built.shape.as_ptr(), self.rays.as_ptr(), answers.len());
        // SAFETY: there are so many rays from `first` on, and room for their answers.
        unsafe { jolt_any(shape, rays, first, many, answers.as_mut_ptr()) }
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the constructor and is freed only here.
        unsafe { jolt_free_rays(self.rays.as_ptr()) }
    }
}

impl RayShape for Built {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let rays = Prepared::new(questions, self.mirror);
        let ask = move |first: usize, answers: &mut [RawMet]| rays.nearest(self, first, answers);
        vec![native(self.label(), questions.len(), pool, ask)]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let rays = Prepared::new(questions, self.mirror);
        let ask = move |first: usize, answers: &mut [bool]| rays.any(self, first, answers);
        vec![native(self.label(), questions.len(), None, ask)]
    }

    fn chains<'a>(&'a self, segments: &'a [Question]) -> Subjects<'a, Option<Met>> {
        let rays = Prepared::new(segments, self.mirror);
        let ask = move |_: usize, answers: &mut [RawMet]| rays.chains(self, answers);
        vec![native(self.label(), segments.len() / CHAIN, None, ask)]
    }
}

pub fn terrains(terrain: &inputs::Terrain) -> impl Iterator<Item = Built> {
    let shape = |block| Built::terrain(terrain, block);
    BLOCKS.into_iter().map(shape)
}

pub fn meshes(mesh: &inputs::Mesh) -> impl Iterator<Item = Built> {
    let shape = |leaf| Built::mesh(mesh, leaf);
    LEAVES.into_iter().map(shape)
}

pub fn build_terrain(terrain: &inputs::Terrain) -> Subjects<'_, ()> {
    let run = || Built::terrain(terrain, BLOCKS[0]);
    vec![build(
        label("HeightFieldShape, blocks of 2"),
        run,
        Built::bytes,
    )]
}

pub fn build_mesh(mesh: &inputs::Mesh) -> Subjects<'_, ()> {
    let run = || Built::mesh(mesh, LEAVES[0]);
    vec![build(label("MeshShape, leaves of 4"), run, Built::bytes)]
}

/// Only hulls of at most 256 corners, as Jolt has no others.
pub fn build_hull(points: &[[f32; 3]]) -> Box<dyn crate::subject::Subject<()> + '_> {
    build(
        label("ConvexHullShape"),
        || Built::hull(points),
        Built::bytes,
    )
}
