//! Running one group of workloads: one process, one pinned thread.

mod context;
mod terrain;
mod heights;
pub mod edit;
mod mesh;
mod build;
pub mod boxes;
pub mod crowd;
pub mod characters;
mod ties;
mod cliffs;
mod moves;
mod convex;
mod turns;
mod arcs;
mod viewshed_commands;
mod viewshed;
mod view;
mod world;
pub mod world_moves;

use crate::arguments;
use crate::catalogue::{Group, WORKLOADS};
use context::Context;

pub use context::rounds;

pub fn run(options: &arguments::Group) -> Result<(), String> {
    let first = options.workloads.first().ok_or("a group has workloads")?;
    let workload = WORKLOADS.iter().find(|workload| workload.name == first);
    let group = workload
        .ok_or(format!("no workload is called {first}"))?
        .group;
    let context = Context::new(options)?;
    match group {
        Group::Terrain1025 => terrain::run(&context, 1025),
        Group::Terrain4097 => terrain::run(&context, 4097),
        Group::Terrain8193 => terrain::run(&context, 8193),
        Group::Heights => heights::run(&context),
        Group::Edit => edit::run(&context),
        Group::MeshSmall => mesh::run(&context, "small"),
        Group::MeshBig => mesh::run(&context, "big"),
        Group::BuildMeshSmall => build::mesh(&context, "small"),
        Group::BuildMeshBig => build::mesh(&context, "big"),
        Group::BuildTerrain1025 => build::terrain(&context, 1025),
        Group::BuildTerrain4097 => build::terrain(&context, 4097),
        Group::Boxes => boxes::run(&context),
        Group::Crowd => crowd::run(&context),
        Group::Characters => characters::run(&context),
        Group::Ties => {
            ties::run(&context);
            cliffs::run(&context);
        }
        Group::MovesTerrain => moves::over_terrain(&context),
        Group::MovesMesh => moves::at_mesh(&context),
        Group::Convex => convex::run(&context),
        Group::Turns => turns::run(&context),
        Group::Floors => moves::on_floors(&context),
        Group::Arcs => arcs::run(&context),
        Group::Viewshed1025 => viewshed::run(&context, "V1-1025", 1025, viewshed::STANDING),
        Group::ViewshedHigh => viewshed::run(&context, "V1-1025-high", 1025, viewshed::FLYING),
        Group::Viewshed4097 => viewshed::run(&context, "V1-4097", 4097, viewshed::STANDING),
        Group::View => view::run(&context),
        Group::World => world::run(&context),
        Group::WorldMoves => world_moves::run(&context),
    }
    Ok(())
}
