//! Peers' whole worlds: rows WR.

#[cfg(box3d)]
use super::box3d_world;
use super::heap::heap_bytes;
#[cfg(jolt)]
use super::jolt_world;
#[cfg(embree)]
use super::{embree_library, embree_world};
use super::{moving_worlds as movers, rapier_world};
use crate::inputs::world::Inventory;
use crate::label::Label;
use crate::shape::WholeWorlds;
use crate::subject::{Subject, Subjects, build};
use crate::workloads::world_moves::{Frames, Runs};

/// Those that answer rays alone.
pub fn ray_worlds(inventory: &Inventory) -> WholeWorlds {
    #[cfg(embree)]
    if embree_library::is_open() {
        return embree_world::worlds(inventory);
    }
    let _ = inventory;
    Vec::new()
}

pub fn worlds(inventory: &Inventory) -> WholeWorlds {
    let mut worlds = ray_worlds(inventory);
    worlds.push(Box::new(rapier_world::World::new(inventory)));
    #[cfg(jolt)]
    worlds.push(Box::new(jolt_world::world(inventory)));
    #[cfg(box3d)]
    worlds.push(Box::new(box3d_world::world(inventory)));
    worlds
}

/// A build whose memory is what it leaves on the heap.
fn build_on_heap<'a, W: 'a>(label: Label, make: impl Fn() -> W + 'a) -> Box<dyn Subject<()> + 'a> {
    let run = move || {
        let before = heap_bytes();
        let made = make();
        (made, heap_bytes().saturating_sub(before))
    };
    build(label, run, |(_, bytes): &(W, usize)| *bytes)
}

pub fn build_worlds(inventory: &Inventory) -> Subjects<'_, ()> {
    let rapier = rapier_world::label("QueryPipeline");
    let mut builds = vec![build_on_heap(rapier, || {
        rapier_world::World::new(inventory)
    })];
    #[cfg(jolt)]
    builds.push(build_on_heap(
        Label::new(crate::label::Family::Jolt, "PhysicsSystem"),
        || jolt_world::world(inventory),
    ));
    #[cfg(box3d)]
    builds.push(build_on_heap(
        Label::new(crate::label::Family::Box3d, "world"),
        || box3d_world::world(inventory),
    ));
    #[cfg(embree)]
    if embree_library::is_open() {
        builds.extend(embree_world::builds(inventory));
    }
    builds
}

pub fn moving_worlds<'a>(frames: &Frames) -> Runs<'a> {
    let mut runs = movers::rapier(frames);
    #[cfg(jolt)]
    runs.extend(movers::engine(jolt_world::moving(), frames));
    #[cfg(box3d)]
    runs.extend(movers::engine(box3d_world::moving(), frames));
    #[cfg(embree)]
    if embree_library::is_open() {
        runs.extend(movers::embree(frames));
    }
    runs
}
