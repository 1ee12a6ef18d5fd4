//! Test kit of hitscan: exact oracles that share no code with the library, generators of nasty
//! geometry, and access to outside data.
//!
//! Not published. The tests themselves are in `tests/`.

mod outside_data;
mod rng;
mod rounds;
mod nasty;
pub mod closed_mesh;
pub mod mixed_sizes;
mod random_model;
mod aimed_ray;
pub mod random_world;
pub mod stocked_world;
pub mod explained_world;
pub mod living_world;
mod doubled_world;
pub mod soak;
pub mod exact_overlap;
pub mod pose_oracle;
mod rational_ray;
pub mod closest_oracle;
pub mod polynomial;
pub mod arc_oracle;
pub mod round_arc_oracle;
pub mod arc_cylinder_oracle;
pub mod shape_cast_oracle;
pub mod solid_oracle;
pub mod core_oracle;
pub mod whole_body;
pub mod resting_oracle;
pub mod grid_shapes;
mod shape_cast_scenes;
mod cast_box;
pub mod round_cases;
mod terrain_oracle;
pub mod sight_oracle;
pub mod footprint_oracle;
mod gltf_fixture;
pub mod png_file;
pub mod tiff_file;
pub mod survey;
pub mod traced_ray;

pub use aimed_ray::aimed_ray;
pub use cast_box::cast_box;
pub use gltf_fixture::{GltfFixture, TRIANGLE, refusal_of};
pub use nasty::Nasty;
pub use outside_data::outside_data;
pub use random_model::{random_model, shuffle};
pub use rational_ray::{
    Exact, ExactCrossing, SphereExcess, Vector, exact, is_nearest_f32, line_aabb, line_in_triangle,
    line_triangle, vector,
};
pub use rng::{Rng, has_usual_numbers};
pub use rounds::rounds;
pub use shape_cast_scenes::ShapeCastScene;
pub use terrain_oracle::{TerrainGround, TerrainHit, TerrainOracle, TerrainSamples, round_to_f32};

/// The examples of the repository's README are compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
