//! Contacts: what a resting shape overlaps, touches or is near to, how deep and which way out.
//!
//! The answers are [`Contact`]s; `contacts` is a method of every shape, of terrain, meshes, posed models
//! and worlds. `convex/` decides a pair; here is what the answers of one object have in common.

mod each;
mod found;

pub use each::Each;
pub use found::{Contact, ContactStatus};
