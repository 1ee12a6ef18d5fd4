//! Jolt: `PhysicsSystem`, with bodies of `ScaledShape`s of `MeshShape`s, solids and a
//! `HeightFieldShape`.

use super::native::{RawMet, RawTouch};
use super::native_world::{Calls, View, Way, World};
use crate::inputs::Question;
use crate::inputs::moves::{Move, Solid};
use crate::inputs::world::{Body, Inventory};
use crate::label::{Family, Label};
use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn jolt_world(view: *const View<'_>, is_moving: c_int) -> *mut c_void;
    fn jolt_world_free(world: *mut c_void);
    fn jolt_world_move(world: *mut c_void, bodies: *const Body, count: usize);
    fn jolt_world_nearest(
        world: *const c_void,
        questions: *const Question,
        count: usize,
        answers: *mut RawMet,
    );
    fn jolt_world_any(
        world: *const c_void,
        questions: *const Question,
        count: usize,
        answers: *mut bool,
    );
    fn jolt_world_moves(
        world: *const c_void,
        solid: Solid,
        moves: *const Move,
        count: usize,
        answers: *mut RawTouch,
    );
    fn jolt_world_overlaps(
        world: *const c_void,
        solid: Solid,
        middles: *const f32,
        count: usize,
        answers: *mut bool,
    );
}

/// Where bodies are set to their places, and nothing else.
static CALLS: Calls = Calls {
    make: jolt_world,
    free: jolt_world_free,
    step: jolt_world_move,
    nearest: jolt_world_nearest,
    any: jolt_world_any,
    moves: jolt_world_moves,
    overlaps: jolt_world_overlaps,
};

/// Where the tree is built anew too.
static CALLS_REBUILD: Calls = Calls {
    step: jolt_world_move_rebuild,
    ..CALLS
};

unsafe extern "C" {
    fn jolt_world_move_rebuild(world: *mut c_void, bodies: *const Body, count: usize);
}

fn label(way: &str) -> Label {
    Label::new(Family::Jolt, way)
}

pub fn world(inventory: &Inventory) -> World {
    World::new(label("PhysicsSystem"), &CALLS, inventory, false)
}

/// The ways of bringing a world of moving bodies up to date.
pub fn moving() -> [Way; 2] {
    [
        (label("SetPositionAndRotation"), |inventory| {
            World::new(label(""), &CALLS, inventory, true)
        }),
        (label("OptimizeBroadPhase"), |inventory| {
            World::new(label(""), &CALLS_REBUILD, inventory, true)
        }),
    ]
}
