//! B1: building terrain and meshes, and the memory of each.

use super::context::Context;
use crate::inputs::Terrain;
use crate::peers;
use crate::subjects;

pub fn mesh(context: &Context, size: &str) {
    let mesh = super::mesh::sphere(size);
    let mut builds = subjects::build_mesh(&mesh);
    builds.extend(context.peers(|| peers::build_meshes(&mesh)));
    context.race(&format!("B1-{size}"), builds, 1, 0.0, &|_| String::new());
}

pub fn terrain(context: &Context, size: usize) {
    let terrain = Terrain::new(size);
    let mut builds = subjects::build_terrain(&terrain);
    builds.extend(context.peers(|| peers::build_terrains(&terrain)));
    context.race(&format!("B1-terrain-{size}"), builds, 1, 0.0, &|_| {
        String::new()
    });
}
