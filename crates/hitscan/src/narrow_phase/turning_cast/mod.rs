//! Shapes that turn while they move: when a shape on a screw motion first comes to something, with a proof
//! that it overlaps nothing before.
//!
//! The query is a [`TurningCast`], made of a [`ShapeCast`](crate::ShapeCast); the answer a [`TurningHit`].
//! `cast_turning` is a method of every solid, of terrain, meshes, posed models and worlds. Read `advance.rs`
//! for the method, `pair.rs` for how an answer is found, `start.rs` for shapes that touch at the start.

mod cast;
mod hit;
mod rotation;
mod screw;
mod gap;
mod features;
mod advance;
mod touching_normals;
mod parting;
mod start;
mod pair;
pub(crate) mod search;
mod single;

pub use cast::TurningCast;
pub use hit::{TurningHit, TurningStatus};
