//! Whole worlds of C and C++ peers, which all have the same few functions; `native/world.h`.
//!
//! All `unsafe` of calling those of Jolt and Box3D is in this file.

use super::native::{RawMet, RawTouch, native};
use crate::answer::{Met, Touch};
use crate::inputs::moves::{Move, Solid};
use crate::inputs::world::{Body, Inventory};
use crate::inputs::{Mesh, Question, Rays};
use crate::label::Label;
use crate::shape::{Obstacle, RayShape, WholeWorld};
use crate::subject::Subjects;
use rayon::ThreadPool;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

/// A mesh as C reads it.
#[repr(C)]
struct MeshView {
    positions: *const f32,
    position_count: usize,
    triangles: *const u32,
    triangle_count: usize,
}

/// An inventory as C reads it.
#[repr(C)]
pub struct View<'a> {
    meshes: *const MeshView,
    mesh_count: usize,
    bodies: *const Body,
    body_count: usize,
    heights: *const f32,
    terrain_size: usize,
    lives: PhantomData<&'a Inventory>,
}

/// Calls `make` with a view of the inventory, which holds during the call.
pub fn with_view<R>(inventory: &Inventory, make: impl FnOnce(&View<'_>) -> R) -> R {
    let view = |mesh: &Mesh| MeshView {
        positions: mesh.positions.as_flattened().as_ptr(),
        position_count: mesh.positions.len(),
        triangles: mesh.triangles.as_flattened().as_ptr(),
        triangle_count: mesh.triangles.len(),
    };
    let meshes: Vec<MeshView> = inventory.meshes.iter().map(view).collect();
    let terrain = inventory.terrain.as_ref();
    make(&View {
        meshes: meshes.as_ptr(),
        mesh_count: meshes.len(),
        bodies: inventory.bodies.as_ptr(),
        body_count: inventory.bodies.len(),
        heights: terrain.map_or(ptr::null(), |terrain| terrain.heights.as_ptr()),
        terrain_size: terrain.map_or(0, |terrain| terrain.size),
        lives: PhantomData,
    })
}

type Make = unsafe extern "C" fn(*const View<'_>, is_moving: c_int) -> *mut c_void;
type Step = unsafe extern "C" fn(*mut c_void, *const Body, usize);

/// A way of bringing a world of moving bodies up to date, and how such a world is made.
pub type Way = (Label, fn(&Inventory) -> World);

/// The functions of one library.
pub struct Calls {
    pub make: Make,
    pub free: unsafe extern "C" fn(*mut c_void),
    pub step: Step,
    pub nearest: unsafe extern "C" fn(*const c_void, *const Question, usize, *mut RawMet),
    pub any: unsafe extern "C" fn(*const c_void, *const Question, usize, *mut bool),
    pub moves: unsafe extern "C" fn(*const c_void, Solid, *const Move, usize, *mut RawTouch),
    pub overlaps: unsafe extern "C" fn(*const c_void, Solid, *const f32, usize, *mut bool),
}

/// A world that one library built.
pub struct World {
    label: Label,
    calls: &'static Calls,
    world: NonNull<c_void>,
    bodies: usize,
}

// SAFETY: queries only read a world; moves need `&mut self`.
unsafe impl Send for World {}
// SAFETY: as above.
unsafe impl Sync for World {}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the constructor and is freed only here.
        unsafe { (self.calls.free)(self.world.as_ptr()) }
    }
}

impl World {
    pub fn new(
        label: Label,
        calls: &'static Calls,
        inventory: &Inventory,
        is_moving: bool,
    ) -> Self {
        // SAFETY: the view's lengths are those of its slices, which hold during the call.
        let world = with_view(inventory, |view| unsafe {
            (calls.make)(view, c_int::from(is_moving))
        });
        Self {
            label,
            calls,
            world: NonNull::new(world).expect("the library makes a world"),
            bodies: inventory.bodies.len(),
        }
    }

    /// All bodies are where `bodies` says.
    pub fn step(&mut self, bodies: &[Body]) {
        assert_eq!(bodies.len(), self.bodies);
        // SAFETY: there are as many bodies as the world was made with.
        unsafe { (self.calls.step)(self.world.as_ptr(), bodies.as_ptr(), bodies.len()) }
    }

    pub fn cast(&self, questions: &[Question], answers: &mut [RawMet]) {
        assert!(questions.len() >= answers.len());
        let (world, many) = (self.world.as_ptr(), answers.len());
        // SAFETY: there are at least so many questions, and room for their answers.
        unsafe { (self.calls.nearest)(world, questions.as_ptr(), many, answers.as_mut_ptr()) }
    }
}

impl RayShape for World {
    fn nearest<'a>(
        &'a self,
        questions: &Rays,
        pool: Option<&'a ThreadPool>,
    ) -> Subjects<'a, Option<Met>> {
        let (all, count) = (questions.to_vec(), questions.len());
        let ask = move |first: usize, answers: &mut [RawMet]| self.cast(&all[first..], answers);
        vec![native(self.label.clone(), count, pool, ask)]
    }

    fn any<'a>(&'a self, questions: &Rays) -> Subjects<'a, bool> {
        let (all, count) = (questions.to_vec(), questions.len());
        let ask = move |first: usize, answers: &mut [bool]| {
            let (world, questions) = (self.world.as_ptr(), &all[first..]);
            assert!(questions.len() >= answers.len());
            let (first, many) = (questions.as_ptr(), answers.len());
            // SAFETY: there are at least so many questions, and room for their answers.
            unsafe { (self.calls.any)(world, first, many, answers.as_mut_ptr()) }
        };
        vec![native(self.label.clone(), count, None, ask)]
    }
}

impl Obstacle for World {
    fn first_contacts<'a>(
        &'a self,
        solid: Solid,
        moves: &'a [Move],
    ) -> Subjects<'a, Option<Touch>> {
        let ask = move |_: usize, answers: &mut [RawTouch]| {
            assert_eq!(moves.len(), answers.len());
            let (world, first, many) = (self.world.as_ptr(), moves.as_ptr(), moves.len());
            // SAFETY: there are so many moves, and room for the answer to each.
            unsafe { (self.calls.moves)(world, solid, first, many, answers.as_mut_ptr()) }
        };
        vec![native(self.label.clone(), moves.len(), None, ask)]
    }
}

impl WholeWorld for World {
    fn overlaps<'a>(&'a self, solid: Solid, middles: &'a [[f32; 3]]) -> Subjects<'a, bool> {
        let ask = move |_: usize, answers: &mut [bool]| {
            assert_eq!(middles.len(), answers.len());
            let first = middles.as_flattened().as_ptr();
            let (world, many) = (self.world.as_ptr(), middles.len());
            // SAFETY: there are three numbers for each of so many places, and room for the answers.
            unsafe { (self.calls.overlaps)(world, solid, first, many, answers.as_mut_ptr()) }
        };
        vec![native(self.label.clone(), middles.len(), None, ask)]
    }
}
