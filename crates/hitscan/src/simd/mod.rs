//! Vector code: the instruction set of a shape's queries, and operations on lanes.
//!
//! Vector code only culls or does what its scalar line does, operation for operation, so every
//! width gives the same bits. The width is chosen when a shape is made; a query looks it up once.
//! Vectors themselves come from the crate `fearless_simd`, which needs no `unsafe` here.

mod width;
mod permute;
mod prefetch;
mod sort;
mod lane_set;

pub(crate) use lane_set::take_min;
pub(crate) use permute::{permute, permute_numbers};
pub(crate) use prefetch::prefetch;
pub(crate) use sort::sort_descending;
pub use width::Width;
pub(crate) use width::{
    Target, baseline, dispatch, dispatch_baseline, dispatch_wide, opaque, run_with,
};
