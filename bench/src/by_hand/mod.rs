//! Brute force as a game writes it for a few hundred shapes: no tree, all compared, a vector at a time.

mod aabb_set;
mod sphere_set;

pub use aabb_set::AabbSet;
pub use sphere_set::SphereSet;
