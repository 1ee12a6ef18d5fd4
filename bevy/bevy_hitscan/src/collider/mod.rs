//! Colliders: solids and terrain that are in the world in place of an entity's mesh.

mod scale;
mod solids;
mod height_field;

pub(crate) use height_field::placed;
pub use height_field::{HeightFieldCollider, ImageHeights};
pub use solids::HitscanCollider;
