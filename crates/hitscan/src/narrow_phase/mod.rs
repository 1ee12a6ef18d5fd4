//! One shape against one shape: rays, arcs, moving and resting shapes, points and lines of sight against
//! primitives and triangles.
//!
//! `convex` is the kernel of all pairs of convex shapes: a core (point, segment, triangle, box) with a radius.
//! Queries of many triangles or objects are in the modules of terrain, meshes, models and the world.

pub(crate) mod ray_cast;
pub(crate) mod arc_cast;
pub mod convex;
pub(crate) mod contact;
pub mod shape_cast;
pub(crate) mod turning_cast;
pub mod overlap;
pub(crate) mod distance;
pub(crate) mod closest_point;
pub(crate) mod sight;
