//! The watcher of a ray's traversal of terrain (`query/watch.rs`).

use super::packed_cursor::PackedCursor;
use crate::query::watch::{Outcome, Unwatched};
use crate::simd::Width;

/// A block of the pyramid: 4^level cells a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Block {
    pub(crate) level: u32,
    pub(crate) column: u32,
    pub(crate) row: u32,
}

/// The children of a block that were tested, a bit each in the order of travel, and of them those that
/// the ray may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TestedChildren {
    pub(in crate::height_field) tested: u16,
    pub(in crate::height_field) touched: u16,
    /// What turns the number of a child in the order of travel into its number row by row.
    pub(in crate::height_field) flip: u32,
}

/// Watches a ray's traversal of terrain.
pub(crate) trait FieldWatch {
    /// The vector width, as [`Watch::width`](crate::bvh::Watch::width).
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn width(&self, width: Width) -> Width {
        width
    }

    /// The traversal begins: whether the ray may touch the box around the whole map.
    fn begins(&self, may_touch: bool);

    /// The traversal continues in this block, which is around the one before, or the first.
    fn climbed(&self, block: Block);

    /// The children of an open block were tested: blocks, or cells where its level is 1.
    fn tested(&self, block: Block, children: TestedChildren);

    /// A child is opened.
    fn entered(&self, block: Block);

    /// A child that may be touched is skipped, as what is in it lies after the limit.
    fn left_out(&self, block: Block);

    /// A cell is looked into.
    fn entered_cell(&self, column: usize, row: usize);

    /// The cell of this triangle was found without a walk.
    fn looked_up(&self, triangle: u32);

    /// A triangle was decided.
    fn tested_triangle(&self, triangle: u32, outcome: Outcome);

    /// Of the two triangles of a cell, from this one on, those that are not in the set are not hit.
    fn missed_others(&self, first_triangle: u32, decided: u32);
}

impl Block {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn open(cursor: PackedCursor) -> Self {
        let [column, row] = cursor.place();
        Self {
            level: u32::from(cursor.level()),
            column,
            row,
        }
    }

    /// The block with this column and row of a level.
    #[expect(clippy::cast_possible_truncation, reason = "of 2^32 cells at most")]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn at(level: usize, column: usize, row: usize) -> Self {
        Self {
            level: level as u32,
            column: column as u32,
            row: row as u32,
        }
    }
}

impl TestedChildren {
    /// The children in the order of travel: the number of each row by row, and whether it is touched.
    pub(crate) fn in_order(self) -> impl Iterator<Item = (u32, bool)> {
        (0..u16::BITS)
            .filter(move |bit| self.tested >> bit & 1 == 1)
            .map(move |bit| (bit ^ self.flip, self.touched >> bit & 1 == 1))
    }
}

impl FieldWatch for Unwatched {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begins(&self, _: bool) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn climbed(&self, _: Block) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tested(&self, _: Block, _: TestedChildren) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entered(&self, _: Block) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn left_out(&self, _: Block) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entered_cell(&self, _: usize, _: usize) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn looked_up(&self, _: u32) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tested_triangle(&self, _: u32, _: Outcome) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn missed_others(&self, _: u32, _: u32) {}
}
