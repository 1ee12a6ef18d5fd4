//! What hitscan's tests are made of: exact oracles that share no code with the library, generators
//! of nasty geometry, and access to outside data.
//!
//! Not published. The tests themselves stand in `tests/`.

mod gltf_fixture;
mod outside_data;
mod rng;

pub use gltf_fixture::{GltfFixture, TRIANGLE, refusal_of};
pub use outside_data::outside_data;
pub use rng::Rng;
