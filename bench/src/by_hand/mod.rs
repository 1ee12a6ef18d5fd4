//! What a game writes by hand for a few hundred shapes: no tree, all of them compared, a vector at a time.

mod aabb_set;
mod sphere_set;

pub use aabb_set::AabbSet;
pub use sphere_set::SphereSet;
