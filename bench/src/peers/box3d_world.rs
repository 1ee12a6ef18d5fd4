//! Box3D: its world, with bodies of meshes, hulls of boxes, spheres, capsules and a height field.

use super::native::{RawMet, RawTouch};
use super::native_world::{Calls, View, Way, World};
use crate::inputs::Question;
use crate::inputs::moves::{Move, Solid};
use crate::inputs::world::{Body, Inventory};
use crate::label::{Family, Label};
use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn box3d_world(view: *const View<'_>, is_moving: c_int) -> *mut c_void;
    fn box3d_world_free(world: *mut c_void);
    fn box3d_world_move(world: *mut c_void, bodies: *const Body, count: usize);
    fn box3d_world_nearest(
        world: *const c_void,
        questions: *const Question,
        count: usize,
        answers: *mut RawMet,
    );
    fn box3d_world_any(
        world: *const c_void,
        questions: *const Question,
        count: usize,
        answers: *mut bool,
    );
    fn box3d_world_moves(
        world: *const c_void,
        solid: Solid,
        moves: *const Move,
        count: usize,
        answers: *mut RawTouch,
    );
    fn box3d_world_overlaps(
        world: *const c_void,
        solid: Solid,
        middles: *const f32,
        count: usize,
        answers: *mut bool,
    );
}

/// Where bodies are set to their places, and nothing else.
static CALLS: Calls = Calls {
    make: box3d_world,
    free: box3d_world_free,
    step: box3d_world_move,
    nearest: box3d_world_nearest,
    any: box3d_world_any,
    moves: box3d_world_moves,
    overlaps: box3d_world_overlaps,
};

fn label(way: &str) -> Label {
    Label::new(Family::Box3d, way)
}

pub fn world(inventory: &Inventory) -> World {
    World::new(label("world"), &CALLS, inventory, false)
}

/// Its way of bringing a world of moving bodies up to date.
pub fn moving() -> [Way; 1] {
    [(label("SetTransform"), |inventory| {
        World::new(label(""), &CALLS, inventory, true)
    })]
}
