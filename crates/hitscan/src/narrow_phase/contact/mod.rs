//! Contacts: what a resting shape overlaps, touches or is near to, how deep and which way out.
//!
//! The answers are [`Contact`]s; `contacts` is a method of every shape, of terrain, meshes, posed models
//! and worlds. `convex/` decides a pair; here is what the triangles of one object have in common: which
//! of their contacts are suppressed (`internal_edges/`), and which is the least.

mod contacts_per;
mod found;
pub(crate) mod by_corner;
pub(crate) mod triangle_source;
pub(crate) mod internal_edges;
pub(crate) mod query;
mod each_triangle;
pub(crate) mod surface;
mod primitive;

pub use contacts_per::ContactsPer;
pub use found::{Contact, ContactStatus};
