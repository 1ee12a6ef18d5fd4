//! Shape casts: when a shape that is translated in a straight line first hits something, exactly.
//!
//! The query is a [`ShapeCast`], the answer a [`ShapeHit`]; `cast_shape` is a method of every shape, of
//! terrain, meshes, posed models and worlds. Many moving boxes at
//! once: [`broad_phase`](crate::broad_phase).
//!
//! # Rules
//! Shapes that touch and part, or slide along each other, do not hit. A shape that overlaps the
//! obstacle at t = 0 hits it there with [`StartState::Overlap`].

mod aabb_cast;
mod cast;
mod hit;
mod pair_hit;
pub(crate) mod lower_bound;
mod box_aabb;
mod box_triangle_exact;
mod box_triangle;
pub(crate) mod prepared;
pub(crate) mod primitive;
mod initial_overlaps;
mod best_contact;
pub(crate) mod surface_search;
pub(crate) mod every_encounter;
#[cfg(test)]
pub(crate) mod brute_force;

pub use aabb_cast::AabbCast;
pub(crate) use aabb_cast::check_motion;
#[doc(hidden)]
pub use box_triangle::box_triangle;
pub use cast::{InitialOverlap, ShapeCast};
pub use hit::{ShapeHit, StartState};
pub use pair_hit::ImpactStart;
#[doc(hidden)]
pub use pair_hit::PairHit;
