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

use crate::answer::Met;
use crate::inputs::{Mesh, Terrain};
use crate::shape::RayShapes;
use crate::subject::Subjects;
use crate::workloads::edit::Edit;

/// The peers' terrains.
pub fn terrains(terrain: &Terrain) -> RayShapes {
    let mut shapes: RayShapes = vec![Box::new(parry::Terrain::new(terrain))];
    #[cfg(jolt)]
    shapes.extend(jolt::terrains(terrain));
    #[cfg(embree)]
    shapes.extend(embree_scenes::terrains(terrain));
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
    shapes.extend(embree_scenes::meshes(mesh));
    shapes
}

pub fn build_terrains(terrain: &Terrain) -> Subjects<'_, ()> {
    let mut builds = parry::build_terrain(terrain);
    #[cfg(jolt)]
    builds.extend(jolt::build_terrain(terrain));
    #[cfg(embree)]
    builds.extend(embree_scenes::build_terrains(terrain));
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
    builds.extend(embree_scenes::build_meshes(mesh));
    builds
}

/// The peers on edited terrain.
pub fn edit_terrain<'a>(terrain: &'a Terrain, edits: &'a [Edit]) -> Subjects<'a, Option<Met>> {
    let mut subjects = vec![parry_solids::edit_terrain(terrain, edits)];
    #[cfg(embree)]
    subjects.push(embree::edit_terrain(terrain, edits));
    subjects
}

/// The C and C++ peers: a name, whether it was built, and its version or why it was not.
const NATIVE: [(&str, bool, &str); 3] = [
    ("embree", cfg!(embree), env!("HITSCAN_BENCH_EMBREE")),
    ("jolt", cfg!(jolt), env!("HITSCAN_BENCH_JOLT")),
    ("tinybvh", cfg!(tinybvh), env!("HITSCAN_BENCH_TINYBVH")),
];

/// The peers that this build has not, each with its reason.
pub fn absent() -> Vec<String> {
    let absent = NATIVE.iter().filter(|(_, is_built, _)| !is_built);
    absent
        .map(|(name, _, reason)| format!("not built: {name}: {reason}"))
        .collect()
}

/// The versions of peers that no lock file knows.
pub fn native_versions() -> Vec<String> {
    let built = NATIVE.iter().filter(|(_, is_built, _)| *is_built);
    built
        .map(|(name, _, version)| format!("{name} {version}"))
        .collect()
}
