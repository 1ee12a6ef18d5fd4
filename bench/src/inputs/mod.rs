//! The workloads' inputs, made from fixed seeds by plain f64 arithmetic, so that they are the same
//! on every machine.

mod question;
mod terrain;
mod geo_tiff;
mod terrain_rays;
mod mesh;
mod mesh_rays;
mod noise;
pub mod crowd;
mod character;
pub mod characters;
pub mod ties;
pub mod cliffs;
pub mod moves;
pub mod convex;
pub mod world;
pub mod world_queries;
mod flight;
pub mod arcs;

pub use flight::Flight;
pub use geo_tiff::NORTH_WEST;
pub use mesh::Mesh;
pub use mesh_rays::{around, camera, from_inside};
pub use question::{Question, Rays};
pub use terrain::Terrain;
pub use terrain_rays::{down, down_in_lines, grazing, places, places_in_lines, slanted, uniform};

use question::on_grid;
