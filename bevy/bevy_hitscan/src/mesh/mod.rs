//! Meshes of Bevy as triangles with a tree, one for each asset and way of posing it.

mod topology;
mod attributes;
mod posing;
mod geometry;
mod uv;
mod baked_meshes;

pub(crate) use baked_meshes::{BakedMeshes, MeshState};
pub(crate) use geometry::{Baked, Moved};
pub(crate) use posing::Posing;
pub(crate) use uv::uv_at;
