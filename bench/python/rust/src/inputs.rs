//! The bench's own inputs: its files themselves, so that the rows of both ask the same.

#[path = "../../../src/inputs/mesh.rs"]
mod mesh;
#[path = "../../../src/inputs/mesh_rays.rs"]
mod mesh_rays;
#[path = "../../../src/inputs/noise.rs"]
mod noise;
#[path = "../../../src/inputs/question.rs"]
mod question;
#[path = "../../../src/inputs/terrain.rs"]
mod terrain;
#[path = "../../../src/inputs/terrain_rays.rs"]
mod terrain_rays;

pub use mesh::Mesh;
pub use mesh_rays::{around, from_inside};
use question::on_grid;
pub use question::{Question, Rays};
pub use terrain::Terrain;
pub use terrain_rays::{places, uniform};
