//! Shapes that turn while they move: when a shape on a screw motion first comes to something, with a proof
//! that it overlaps nothing before.
//!
//! The query is a [`TurningCast`], made of a [`ShapeCast`](crate::ShapeCast); the answer a [`TurningHit`].
//! `cast_turning` is a method of every solid, of terrain, meshes, posed models and worlds. Read `advance.rs`
//! for the method, `pair.rs` for how an answer is found, `start.rs` for shapes that touch at the start.

pub(crate) mod turn;
mod cast;
mod hit;
mod rotation;
mod orbit;
mod discs;
mod screw;
mod gap;
mod features;
mod advance;
mod touching_normals;
mod contact_points;
mod cylinder_touch;
mod leaning_plane;
mod parting;
mod start;
mod pair;
pub(crate) mod object_motion;
pub(crate) mod search;
mod single;

pub use cast::TurningCast;
pub use hit::{TurningHit, TurningStatus};
