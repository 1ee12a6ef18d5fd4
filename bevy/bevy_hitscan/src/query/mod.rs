//! The system parameter by which systems ask, and its answers in entities.

mod entity_hit;
mod view;
mod detail;
#[cfg(feature = "gizmos")]
mod traced;
mod rays;
mod shapes;
mod points;
mod hitscan;

pub use detail::HitscanHit;
pub use entity_hit::EntityHit;
pub use hitscan::{Hitscan, HitscanPast};
