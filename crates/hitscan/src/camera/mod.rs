//! Pinhole cameras, and their rays in blocks of coherent rays.

mod pinhole;
mod tile;
pub(crate) mod blocks;

pub use pinhole::Camera;
pub use tile::CameraTile;
