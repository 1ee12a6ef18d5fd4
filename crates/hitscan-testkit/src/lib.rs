//! What hitscan's tests are made of: exact oracles that share no code with the library, generators
//! of nasty geometry, and access to outside data.
//!
//! Not published. The tests themselves stand in `tests/`.

pub mod closed_mesh;
pub mod exact_overlap;
mod gltf_fixture;
pub mod living_world;
mod nasty;
mod outside_data;
pub mod png_file;
pub mod pose_oracle;
mod random_model;
pub mod random_world;
mod rational_ray;
mod rng;
pub mod soak;
pub mod solid_oracle;
pub mod sweep_oracle;
mod sweep_scenes;
mod terrain_oracle;
pub mod tiff_file;

pub use gltf_fixture::{GltfFixture, TRIANGLE, refusal_of};
pub use nasty::Nasty;
pub use outside_data::outside_data;
pub use random_model::{random_model, shuffle};
pub use rational_ray::{
    Exact, ExactCrossing, SphereExcess, Vector, exact, is_nearest_f32, line_aabb, line_triangle,
    vector,
};
pub use rng::Rng;
pub use sweep_scenes::SweepScene;
pub use terrain_oracle::{TerrainGround, TerrainHit, TerrainOracle, TerrainSamples, round_to_f32};
