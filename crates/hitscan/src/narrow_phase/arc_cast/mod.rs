//! Ballistic arcs: what a thrown thing hits that only gravity turns aside.
//!
//! `arc.rs` has the query, `search.rs` what is kept of its hits, `window.rs` the conservative test of a
//! box, and the other files an arc against each primitive and a triangle. The searches of terrain,
//! meshes, models and worlds are with these.

pub(crate) mod arc;
pub(crate) mod search;
pub(crate) mod window;
pub(crate) mod arc_triangle;
pub(crate) mod arc_slabs;
pub(crate) mod arc_round;
pub(crate) mod arc_cylinder;
pub(crate) mod arc_hull;
mod arc_primitive;
#[cfg(test)]
mod tests;
