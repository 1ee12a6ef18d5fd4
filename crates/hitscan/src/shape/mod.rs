//! Shapes that are plain values.

pub(crate) mod unit_vector;
pub(crate) mod aabb;
pub(crate) mod placing;
pub(crate) mod sphere;
pub(crate) mod obb;
pub(crate) mod box_hull;
pub(crate) mod capsule;
pub(crate) mod cylinder;
pub(crate) mod triangle;
pub(crate) mod polytope;
pub(crate) mod convex_hull;
pub(crate) mod plane;
pub(crate) mod primitive;
mod placed_solid;
pub(crate) mod compound;
