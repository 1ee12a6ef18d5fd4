//! Shape casts at terrain, and the contacts of a resting shape with it.
//!
//! The pyramid is searched best first (`triangle_source.rs`); `shape_cast/` and `contact/` decide what
//! counts.

pub(in crate::height_field) mod near_shape;
pub(in crate::height_field) mod near_lanes;
pub(in crate::height_field) mod near_search;
pub(in crate::height_field) mod near_cells;
pub(in crate::height_field) mod triangle_source;
