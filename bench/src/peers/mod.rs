//! Whom we race: one file a library, each with that library's best settings.

mod native;
pub mod by_hand;
pub mod parry;
pub mod parry_solids;
pub mod parry_crowd;
pub mod parry_characters;
mod obvhs;
pub mod obvhs_crowd;
pub mod pairs_by_hand;
mod bvh;
#[cfg(tinybvh)]
mod tinybvh;
#[cfg(jolt)]
mod jolt;
#[cfg(embree)]
mod embree;
#[cfg(embree)]
mod embree_scenes;
#[cfg(embree)]
mod embree_library;

use crate::answer::Met;
use crate::inputs::{Mesh, Terrain};
use crate::label::Family;
use crate::shape::RayShapes;
use crate::subject::Subjects;
use crate::workloads::edit::Edit;

/// The peers' terrains.
pub fn terrains(terrain: &Terrain) -> RayShapes {
    let mut shapes: RayShapes = vec![Box::new(parry::Terrain::new(terrain))];
    #[cfg(jolt)]
    shapes.extend(jolt::terrains(terrain));
    #[cfg(embree)]
    if embree_library::is_open() {
        shapes.extend(embree_scenes::terrains(terrain));
    }
    shapes
}

/// The peers' meshes.
pub fn meshes(mesh: &Mesh) -> RayShapes {
    let mut shapes: RayShapes = vec![Box::new(parry::Mesh::new(mesh))];
    shapes.extend(obvhs::meshes(mesh));
    shapes.push(Box::new(bvh::Mesh::new(mesh)));
    #[cfg(tinybvh)]
    shapes.extend(tinybvh::meshes(mesh));
    #[cfg(jolt)]
    shapes.extend(jolt::meshes(mesh));
    #[cfg(embree)]
    if embree_library::is_open() {
        shapes.extend(embree_scenes::meshes(mesh));
    }
    shapes
}

pub fn build_terrains(terrain: &Terrain) -> Subjects<'_, ()> {
    let mut builds = parry::build_terrain(terrain);
    #[cfg(jolt)]
    builds.extend(jolt::build_terrain(terrain));
    #[cfg(embree)]
    if embree_library::is_open() {
        builds.extend(embree_scenes::build_terrains(terrain));
    }
    builds
}

pub fn build_meshes(mesh: &Mesh) -> Subjects<'_, ()> {
    let mut builds = parry::build_meshes(mesh);
    builds.extend(obvhs::build_meshes(mesh));
    builds.extend(bvh::build_mesh(mesh));
    #[cfg(tinybvh)]
    builds.extend(tinybvh::build_meshes(mesh));
    #[cfg(jolt)]
    builds.extend(jolt::build_mesh(mesh));
    #[cfg(embree)]
    if embree_library::is_open() {
        builds.extend(embree_scenes::build_meshes(mesh));
    }
    builds
}

/// The peers on edited terrain.
pub fn edit_terrain<'a>(terrain: &'a Terrain, edits: &'a [Edit]) -> Subjects<'a, Option<Met>> {
    let mut subjects = vec![parry_solids::edit_terrain(terrain, edits)];
    #[cfg(embree)]
    if embree_library::is_open() {
        subjects.push(embree::edit_terrain(terrain, edits));
    }
    subjects
}

/// tinybvh's version, or why it was not built.
pub const TINYBVH: &str = env!("HITSCAN_BENCH_TINYBVH");
/// Jolt's version, or why it was not built.
pub const JOLT: &str = env!("HITSCAN_BENCH_JOLT");

/// Embree's version, or why it takes no part.
pub fn embree() -> Result<&'static str, &'static str> {
    #[cfg(embree)]
    return embree_library::version();
    #[cfg(not(embree))]
    return Err(env!("HITSCAN_BENCH_EMBREE"));
}

/// The libraries that may be absent, each with the reason where it is.
fn optional() -> [(Family, Result<(), &'static str>); 3] {
    let built = |is_built: bool, reason| is_built.then_some(()).ok_or(reason);
    [
        (Family::Embree, embree().map(|_| ())),
        (Family::Jolt, built(cfg!(jolt), JOLT)),
        (Family::TinyBvh, built(cfg!(tinybvh), TINYBVH)),
    ]
}

/// The peers that do not run, each with its reason.
pub fn absent() -> Vec<String> {
    let absent = optional().into_iter().filter_map(|(family, state)| {
        let reason = state.err()?;
        Some(format!("not raced: {family:?}: {reason}"))
    });
    absent.collect()
}

/// The libraries that run, with their versions.
pub fn titles() -> Vec<String> {
    let optional = optional().into_iter();
    let present = optional.filter_map(|(family, state)| state.ok().map(|()| family));
    let always = [Family::Parry, Family::Obvhs, Family::Bvh].into_iter();
    always.chain(present).map(Family::title).collect()
}
