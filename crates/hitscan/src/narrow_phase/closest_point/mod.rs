//! The point of a shape that is nearest to a point, and its distance.
//!
//! A distance is the root of a quotient, less a radius. It is bounded in f64 by two certificates: a
//! point of the shape is no nearer than the nearest, and a plane with the shape beyond it is no
//! farther. Only where the bounds do not round to one f32, or do not decide a comparison, the
//! quotient is made exactly. So distances are exact ones rounded once, and which of two shapes is
//! nearer does not depend on how it was found.
//!
//! `nearest.rs` decides which corner, edge or face of a core is nearest, `distance.rs` how far it
//! is, `point.rs` where. Searches of trees keep what they find in `search.rs`. A triangle without
//! area has no nearest point: it is ignored, as by rays.

mod answer;
mod interior;
mod nearest;
mod distance;
mod point;
mod enclosure;
mod estimate;
mod search;
mod triangle;
mod rounded;
mod aabb;
mod obb;
mod hull;
mod cylinder;
mod many;
mod primitive;

pub use answer::ClosestPoint;
pub(crate) use distance::tie_limit;
pub use interior::Interior;
pub(crate) use many::checked_max_distance;
pub(crate) use search::{
    Allowance, PartInfo, PartSearch, Reach, Search, box_distance, corner_distance,
};
