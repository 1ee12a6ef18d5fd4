//! A block of the pyramid that a descent has opened, in one number.

use crate::height_field::storage::pyramid::{FAN_OUT, SIDE};

const LEVEL: u32 = 16;
const COLUMN: u32 = 20;
const ROW: u32 = 42;
const COLUMN_BITS: u32 = ROW - COLUMN;
/// Columns and rows, which have the same number of bits, without the two that leave at a step up.
const PARENTS: u64 = (u64::MAX << (COLUMN + 2) & ((1 << ROW) - 1) | u64::MAX << (ROW + 2)) >> 2;

/// What is added to four times a block's place and its level, to make each of its children, whole.
const CHILDREN: [u64; FAN_OUT * FAN_OUT] = children();

const fn children() -> [u64; FAN_OUT * FAN_OUT] {
    let mut children = [0; FAN_OUT * FAN_OUT];
    let mut child = 0;
    while child < children.len() {
        let (column, row) = ((child % FAN_OUT) as u64, (child / FAN_OUT) as u64);
        let place = column << COLUMN | row << ROW;
        children[child] = (place + u16::MAX as u64).wrapping_sub(1 << LEVEL);
        child += 1;
    }
    children
}

/// A block with the children that are still to be visited, in travel order. Those of a block of
/// level 1 are cells.
///
/// ```text
///  63                   42 41                   20 19   16 15                   0
/// +-----------------------+-----------------------+-------+----------------------+
/// |     row, 22 bits      |    column, 22 bits    | level |  children, 16 bits   |
/// +-----------------------+-----------------------+-------+----------------------+
/// ```
///
/// Bit b of the children is child `b ^ flip` of the block, row by row (`node_test.rs`). The parent has row and
/// column divided by 4 and the level plus 1; child k has them times 4, plus `k / 4` and `k % 4`, and the level
/// minus 1. Both are whole: their sixteen children are set. f32 is too coarse for maps that need more bits.
#[derive(Clone, Copy)]
pub(in crate::height_field) struct PackedCursor(u64);

impl PackedCursor {
    pub(in crate::height_field) const NONE: Self = Self(0);

    /// A block of whose children none is visited yet.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn whole(level: u16, column: u32, row: u32) -> Self {
        debug_assert!(level < 16 && column >> COLUMN_BITS == 0 && row >> COLUMN_BITS == 0);
        let place = u64::from(column) << COLUMN | u64::from(row) << ROW;
        Self(place | u64::from(level) << LEVEL | u64::from(u16::MAX))
    }

    #[expect(clippy::cast_possible_truncation, reason = "four bits")]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn level(self) -> u16 {
        (self.0 >> LEVEL) as u16 & 0xF
    }

    /// Its column and row among the blocks of its level.
    #[expect(clippy::cast_possible_truncation, reason = "22 bits")]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn place(self) -> [u32; 2] {
        let column = (self.0 >> COLUMN) as u32 & ((1 << COLUMN_BITS) - 1);
        [column, (self.0 >> ROW) as u32]
    }

    /// The children that are left, in the order of travel.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the mask is what is wanted"
    )]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn children(self) -> u16 {
        self.0 as u16
    }

    /// Whether there are children left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn has_more(self) -> bool {
        self.children() != 0
    }

    /// Leaves out the children that are not in `mask`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn keep(&mut self, mask: u16) {
        self.0 &= !u64::from(!mask);
    }

    /// Pops the next child as an open block. There must be one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn take_child(&mut self, flip: u32) -> Self {
        debug_assert!(self.has_more());
        let child = (self.0.trailing_zeros() ^ flip) as usize % CHILDREN.len();
        let place = self.0 >> COLUMN << (COLUMN + 2);
        let level = self.0 & (0xF << LEVEL);
        self.0 &= self.0 - 1;
        Self((place | level).wrapping_add(CHILDREN[child]))
    }

    /// The block of the next level that this is a child of, whole.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn parent(self) -> Self {
        let level = (self.0 & (0xF << LEVEL)) + (1 << LEVEL);
        Self(self.0 >> 2 & PARENTS | level | u64::from(u16::MAX))
    }

    /// Which child of its parent it is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn child(self) -> u32 {
        let [column, row] = self.place();
        row % SIDE * SIDE + column % SIDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The packed number agrees with separate numbers, up to the largest that fit.
    #[test]
    fn children_and_parents() {
        let max = (1 << COLUMN_BITS) - 1;
        for [column, row] in [[0, 0], [1, 2], [7, 1 << 19], [max, 0], [0, max], [max, max]] {
            for level in 1..=11 {
                let block = PackedCursor::whole(level, column, row);
                assert_eq!((block.level(), block.place()), (level, [column, row]));
                let parent = block.parent();
                assert_eq!(parent.level(), level + 1);
                assert_eq!(parent.place(), [column / SIDE, row / SIDE]);
                assert_eq!(block.child(), row % SIDE * SIDE + column % SIDE);
                for flip in [0, 3, 12, 15] {
                    let mut parent = parent;
                    parent.keep(1 << (block.child() ^ flip) | 1 << 15);
                    let first = parent.take_child(flip);
                    assert_eq!(first.level(), level);
                    assert_eq!(first.place(), [column, row]);
                    assert!(first.has_more());
                    let is_last = block.child() ^ flip == 15;
                    assert_eq!(parent.has_more(), !is_last);
                }
            }
        }
    }

    #[test]
    fn children_are_taken_in_order_until_none_is_left() {
        let mut block = PackedCursor::whole(2, 5, 9);
        block.keep(0b1001_0000_0000_0100);
        let places: Vec<_> = core::iter::from_fn(|| block.has_more().then(|| block.take_child(0)))
            .map(PackedCursor::place)
            .collect();
        assert_eq!(places, [[22, 36], [20, 39], [23, 39]]);
        assert_eq!((block.level(), block.place()), (2, [5, 9]));
    }
}
