//! Whom we race: one file a library, each with that library's best settings.

pub mod by_hand;
pub mod parry;
pub mod parry_solids;
pub mod obvhs;

use crate::answer::Met;
use crate::inputs::{Mesh, Terrain};
use crate::shape::RayShapes;
use crate::subject::Subjects;
use crate::workloads::edit::Edit;

/// The peers' terrains.
pub fn terrains(terrain: &Terrain) -> RayShapes {
    vec![Box::new(parry::Terrain::new(terrain))]
}

/// The peers' meshes.
pub fn meshes(mesh: &Mesh) -> RayShapes {
    let mut meshes: RayShapes = vec![Box::new(parry::Mesh::new(mesh))];
    meshes.extend(obvhs::meshes(mesh));
    meshes
}

pub fn build_terrains(terrain: &Terrain) -> Subjects<'_, ()> {
    parry::build_terrain(terrain)
}

pub fn build_meshes(mesh: &Mesh) -> Subjects<'_, ()> {
    let mut builds = parry::build_meshes(mesh);
    builds.extend(obvhs::build_meshes(mesh));
    builds
}

/// The peers on edited terrain.
pub fn edit_terrain<'a>(terrain: &'a Terrain, edits: &'a [Edit]) -> Subjects<'a, Option<Met>> {
    vec![parry_solids::edit_terrain(terrain, edits)]
}

/// The peers that this build has not, each with its reason.
pub fn absent() -> Vec<String> {
    Vec::new()
}

/// The versions of peers that no lock file knows.
pub fn native_versions() -> Vec<String> {
    Vec::new()
}
