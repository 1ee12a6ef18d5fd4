//! Shape casts: when a shape that is translated in a straight line first hits something, exactly.
//!
//! The query is a [`ShapeCast`], the answer a [`ShapeHit`]; `cast_shape` is a method of every shape, of
//! terrain, meshes and worlds. [`impacts()`] finds all pairs of many moving boxes that collide, and
//! [`times_of_impact()`] answers many pairs of a moving and a resting box at once.
//!
//! # Rules
//! Shapes that touch and part, or slide along each other, do not hit. A shape that overlaps the
//! obstacle at t = 0 hits it there with [`StartState::Overlap`].

mod cast;
mod hit;
mod time_interval;
mod separating_axes;
mod lower_bound;
mod box_aabb;
mod box_obb;
mod box_triangle_exact;
mod box_triangle;
mod box_sphere_gap;
mod box_sphere;
mod box_capsule_gap;
mod box_capsule;
mod primitive;
mod moving_boxes;
mod impacts;
mod box_pair_rows;
mod box_pair_classes;
mod times_of_impact;

#[doc(hidden)]
pub use box_triangle::box_triangle;
pub use cast::ShapeCast;
pub(crate) use hit::{HitOrder, HitRank};
pub use hit::{ShapeHit, StartState};
pub use impacts::{Impact, impacts};
#[doc(hidden)]
pub use times_of_impact::times_of_impact_at_width;
pub use times_of_impact::{times_of_impact, times_of_impact_into};
