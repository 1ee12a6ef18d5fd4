//! Cell lookup: the cell of a coordinate along one axis of the grid.
//!
//! Three functions that agree wherever each has a result. [`Lines::cells_at`] compares with the lines
//! themselves. [`CellIndex`] multiplies instead, and compares its guess with two lines.
//! [`locate`] takes vectors of coordinates, and has a bound on its error in place of the lines.

use super::grid::Lines;
use fearless_simd::{Simd, prelude::*};

/// Added to a number of less than 2^51, it makes the sum a whole number whose lowest bits are the
/// integer nearest to it: cheaper than a conversion, and vector code everywhere.
const ROUNDING: f64 = 1.5 * (1u64 << 52) as f64;

impl Lines {
    /// The first and the last of the cells whose closed interval holds `x`: two where `x` is on a
    /// line between them, none where it is beyond the map or NaN.
    #[inline]
    pub(in crate::height_field) fn cells_at(&self, x: f64) -> Option<[usize; 2]> {
        if !self.contains(x) {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the quotient of two numbers that are not negative is a first guess only"
        )]
        let guess = ((x - self.origin) / self.spacing) as usize;
        let mut cell = guess.min(self.last - 1);
        while cell > 0 && x < self.at(cell) {
            cell -= 1;
        }
        while cell + 1 < self.last && self.at(cell + 1) <= x {
            cell += 1;
        }
        let is_on_inner_line = cell > 0 && x == self.at(cell);
        Some([cell - usize::from(is_on_inner_line), cell])
    }

    /// Whether `x` is on the map; NaN is not.
    #[inline]
    pub(in crate::height_field) fn contains(&self, x: f64) -> bool {
        self.first() <= x && x <= self.end()
    }
}

/// A cell along one axis, with the two lines around it.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct CellIndex {
    pub(in crate::height_field) index: usize,
    pub(in crate::height_field) low: f64,
    pub(in crate::height_field) high: f64,
    /// Whether the map has such a cell, and it is the lowest whose closed interval holds the
    /// coordinate.
    pub(in crate::height_field) is_certain: bool,
}

impl CellIndex {
    /// The cell that `x` is in, from the reciprocal of the lines' spacing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn of(lines: &Lines, inv_spacing: f64, x: f64) -> Self {
        let guess = ((x - lines.origin) * inv_spacing - 0.5 + ROUNDING) - ROUNDING;
        // A coordinate on a line belongs to the cell before it, too.
        let is_before = x <= lines.origin + guess * lines.spacing && guess > 0.0;
        let index = if is_before { guess - 1.0 } else { guess };
        let low = lines.origin + index * lines.spacing;
        let high = lines.origin + (index + 1.0) * lines.spacing;
        let is_first = index == 0.0 && x == low;
        let is_inside = (low < x || is_first) && x <= high;
        let is_on_map = index >= 0.0 && index < lines.last as f64;
        Self {
            index: low_bits(index + ROUNDING),
            low,
            high,
            is_certain: is_inside && is_on_map,
        }
    }

    /// The cell that `x` is in, certain only where `x` is on neither of its lines; near a line of the
    /// grid it may be uncertain though `x` is on none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn strictly_around(
        lines: &Lines,
        inv_spacing: f64,
        x: f64,
    ) -> Self {
        let index = ((x - lines.origin) * inv_spacing - 0.5 + ROUNDING) - ROUNDING;
        let low = lines.origin + index * lines.spacing;
        let high = lines.origin + (index + 1.0) * lines.spacing;
        // Conversion from a signed integer is one instruction.
        let is_on_map = index >= 0.0 && index < lines.last.cast_signed() as f64;
        Self {
            index: low_bits(index + ROUNDING),
            low,
            high,
            is_certain: low < x && x < high && is_on_map,
        }
    }
}

/// The lines that a vector of coordinates is compared with.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct LineLanes<V> {
    pub(in crate::height_field) origin: V,
    pub(in crate::height_field) inv_spacing: V,
    /// Half the number of cells.
    pub(in crate::height_field) half_cells: V,
}

/// The cells of a vector of coordinates.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct CellLanes<V, M> {
    /// Numbers whose [`low_bits`] are the indices.
    pub(in crate::height_field) indices: V,
    /// How far into its cell each coordinate is, from 0 to 1.
    pub(in crate::height_field) fractions: V,
    /// Where index and fraction are certain; NaN and coordinates beyond the map are not.
    pub(in crate::height_field) is_certain: M,
}

/// The cells that coordinates are in; certain where a coordinate is less than `inner` cells from
/// the middle of its cell.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn locate<S: Simd, V: SimdFloat<S, Element = f64>>(
    x: V,
    lines: LineLanes<V>,
    inner: f64,
) -> CellLanes<V, V::Mask> {
    let position = (x - lines.origin) * lines.inv_spacing;
    let indices = position - 0.5 + ROUNDING;
    let fractions = position - (indices - ROUNDING);
    let half = lines.half_cells;
    // Both comparisons are false for NaN.
    let is_certain = (position - half).abs().simd_lt(half) & (fractions - 0.5).abs().simd_lt(inner);
    CellLanes {
        indices,
        fractions,
        is_certain,
    }
}

/// The whole number that `ROUNDING` was added to; where it is not from 0 to 2^32 - 1, another.
#[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn low_bits(rounded: f64) -> usize {
    rounded.to_bits() as u32 as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_comparison_not_by_division() {
        // 0.1 * 3 is above 0.3 in f64: the point 0.3 lies before line 3.
        let lines = Lines {
            origin: 0.0,
            spacing: 0.1,
            last: 10,
        };
        assert_eq!(lines.cells_at(0.3), Some([2, 2]));
        assert_eq!(lines.cells_at(0.1 * 3.0), Some([2, 3]));
        assert_eq!(lines.cells_at(0.0), Some([0, 0]));
        assert_eq!(lines.cells_at(1.0), Some([9, 9]));
        assert_eq!(lines.cells_at(1.0f64.next_up()), None);
        assert_eq!(lines.cells_at(f64::NAN), None);
        // Lines a few ulps apart, far from zero.
        let lines = Lines {
            origin: 1e15,
            spacing: 0.3,
            last: 100,
        };
        for index in 1..100 {
            assert_eq!(lines.cells_at(lines.at(index)), Some([index - 1, index]));
        }
    }

    #[test]
    fn certain_cells_are_the_lowest_that_comparison_finds() {
        let mut certain = 0;
        for (origin, spacing) in [(0.0, 0.1), (-7.3, 0.7), (1e15, 0.3), (1e-20, 1e-20)] {
            let lines = Lines {
                origin,
                spacing,
                last: 10,
            };
            for step in -8..88 {
                let x = origin + f64::from(step) / 8.0 * spacing;
                for x in [x.next_down(), x, x.next_up(), f64::NAN, f64::INFINITY] {
                    let cell = CellIndex::of(&lines, 1.0 / spacing, x);
                    if cell.is_certain {
                        let first = lines.cells_at(x).map(|[first, _]| first);
                        assert_eq!(Some(cell.index), first, "{x}");
                        certain += 1;
                    }
                }
            }
        }
        assert!(certain > 600, "{certain}");
    }
}
