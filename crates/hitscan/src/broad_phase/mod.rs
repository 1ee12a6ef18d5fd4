//! All pairs of boxes that touch, out of many.
//!
//! Boxes are put into columns on a grid across two axes, those that reach into several into each of
//! them; along the third axis a column is swept, one box against eight that begin while it lasts. A
//! column in which too many last at the same time is taken apart again. `columns.rs` uses
//! `plan.rs` and `sweep.rs`.
//!
//! Invariant: whatever the plan, each touching pair is found exactly once. Cells are monotone in
//! coordinates, so two boxes that touch share the cell of the greater of both their first cells, on
//! each axis, and a pair counts only there.
//!
//! # Source
//! Tracy, Buss, Woods, "Efficient Large-Scale Sweep and Prune Methods with AABB Insertion and
//! Removal", IEEE VR 2009 (sweeping the cells of a grid). What differs: the grid has two axes and is
//! chosen by an estimate from a sample, columns are divided again, a cell's pairs are separated
//! from its neighbours' without a table of pairs, and eight boxes are compared at once.

mod order;
mod sweep;
mod plan;
mod columns;
mod impacts;

use crate::Aabb;
pub use crate::narrow_phase::shape_cast::{AabbCast, ImpactStart};
use crate::simd::Width;
#[doc(hidden)]
pub use impacts::times_of_impact_at_width;
pub use impacts::{Impact, impacts, times_of_impact, times_of_impact_into};

/// All pairs of `boxes` that share a point, each once, the lower number first, sorted.
///
/// Boxes are numbered by their places and are closed: sharing a corner is enough. The time grows
/// with the number of boxes and of pairs. With the feature `parallel` on several threads.
///
/// ```
/// use hitscan::Aabb;
/// use hitscan::broad_phase::broad_phase_pairs;
/// let shelf = |i: u8| Aabb::new([f32::from(i), 0.0, 0.0], [f32::from(i) + 1.0, 1.0, 1.0]);
/// let shelves = (0..4).map(shelf).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(broad_phase_pairs(&shelves), [[0, 1], [1, 2], [2, 3]]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn broad_phase_pairs(boxes: &[Aabb]) -> Vec<[u32; 2]> {
    touching_pairs_with(boxes, Width::default())
}

/// [`broad_phase_pairs`] with chosen vector instructions; the pairs are the same.
#[must_use]
pub(crate) fn touching_pairs_with(boxes: &[Aabb], width: Width) -> Vec<[u32; 2]> {
    order::sorted(columns::pairs(boxes, width), boxes.len())
}

#[cfg(test)]
mod tests;
