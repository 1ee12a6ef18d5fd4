//! Jolt: shapes that move against a `HeightFieldShape` or `MeshShape`, or rest at one, by the same
//! dispatch that its world uses; back faces count.
//!
//! All `unsafe` of Jolt's moving shapes is in this file: it calls `native/jolt.cpp`.

use super::jolt::{Built, Shape};
use super::native::{RawMet, RawTouch, native};
use crate::answer::{Met, Touch};
use crate::inputs::Rays;
use crate::inputs::convex::{self, MOVING_CORNERS};
use crate::inputs::moves::{Kind, Move, Solid};
use crate::shape::Obstacle;
use crate::subject::{Subject, Subjects, mapped};
use std::ffi::c_void;
use std::ptr::NonNull;

unsafe extern "C" {
    fn jolt_moves(solid: Solid, moves: *const Move, count: usize, mirror: f32) -> *mut c_void;
    fn jolt_hull_corners(points: *const f32, count: usize);
    fn jolt_free_moves(moves: *mut c_void);
    fn jolt_first_contacts(shape: *const Shape, moves: *const c_void, answers: *mut RawTouch);
    fn jolt_places(solid: Solid, middles: *const f32, count: usize) -> *mut c_void;
    fn jolt_free_places(places: *mut c_void);
    fn jolt_separations(
        shape: *const Shape,
        places: *const c_void,
        margin: f32,
        answers: *mut RawMet,
    );
}

/// Moves or places in Jolt's own form.
struct Prepared {
    questions: NonNull<c_void>,
    count: usize,
    free: unsafe extern "C" fn(*mut c_void),
}

// SAFETY: nobody writes them after they are made.
unsafe impl Send for Prepared {}
// SAFETY: as above.
unsafe impl Sync for Prepared {}

impl Drop for Prepared {
    fn drop(&mut self) {
        // SAFETY: the pointer came from the constructor that goes with `free`, and is freed here only.
        unsafe { (self.free)(self.questions.as_ptr()) }
    }
}

impl Prepared {
    fn moves(solid: Solid, moves: &[Move], mirror: f32) -> Self {
        if solid.kind == Kind::Hull {
            let corners = convex::hull(MOVING_CORNERS, f64::from(solid.half));
            // SAFETY: the length is that of the slice, which the shim copies.
            unsafe { jolt_hull_corners(corners.as_flattened().as_ptr(), corners.len()) }
        }
        // SAFETY: the length is that of the slice, which the shim copies.
        let questions = unsafe { jolt_moves(solid, moves.as_ptr(), moves.len(), mirror) };
        Self {
            questions: NonNull::new(questions).expect("there is memory for moves"),
            count: moves.len(),
            free: jolt_free_moves,
        }
    }

    fn places(solid: Solid, middles: &[[f32; 3]]) -> Self {
        let (first, count) = (middles.as_flattened().as_ptr(), middles.len());
        // SAFETY: there are three numbers for each of `count` places, which the shim copies.
        let questions = unsafe { jolt_places(solid, first, count) };
        Self {
            questions: NonNull::new(questions).expect("there is memory for places"),
            count,
            free: jolt_free_places,
        }
    }

    fn first_contacts(&self, built: &Built, answers: &mut [RawTouch]) {
        assert_eq!(answers.len(), self.count);
        let (shape, moves) = (built.pointer(), self.questions.as_ptr());
        // SAFETY: these are moves, and there is room for the answer to each.
        unsafe { jolt_first_contacts(shape, moves, answers.as_mut_ptr()) }
    }

    fn separations(&self, built: &Built, margin: f32, answers: &mut [RawMet]) {
        assert_eq!(answers.len(), self.count);
        let (shape, places) = (built.pointer(), self.questions.as_ptr());
        // SAFETY: these are places, and there is room for the answer to each.
        unsafe { jolt_separations(shape, places, margin, answers.as_mut_ptr()) }
    }
}

impl Obstacle for Built {
    fn first_contacts<'a>(&'a self, solid: Solid, moves: &[Move]) -> Subjects<'a, Option<Touch>> {
        let prepared = Prepared::moves(solid, moves, self.mirror);
        let ask = move |_: usize, answers: &mut [RawTouch]| prepared.first_contacts(self, answers);
        vec![native(self.label(), moves.len(), None, ask)]
    }
}

/// O1: the least separation of each shape within a margin.
pub fn separations<'a>(
    built: Built,
    solid: Solid,
    middles: &[[f32; 3]],
    margin: f32,
) -> Box<dyn Subject<Option<f32>> + 'a> {
    let (label, prepared) = (built.label(), Prepared::places(solid, middles));
    let ask = move |_: usize, answers: &mut [RawMet]| prepared.separations(&built, margin, answers);
    let subject = native(label, middles.len(), None, ask);
    mapped(subject, |_, met: Option<Met>| met.map(|met| met.t))
}

/// Rays at one shape, which the subject keeps.
pub fn rays_at<'a>(built: Built, rays: &Rays) -> Subjects<'a, Option<Met>> {
    let label = built.label();
    let prepared = super::jolt::Prepared::new(rays, 0.0);
    let ask = move |first: usize, answers: &mut [RawMet]| prepared.nearest(&built, first, answers);
    vec![native(label, rays.len(), None, ask)]
}
