//! Which gap between two lines of the grid a place lies in, by a product instead of a search.

use super::grid::Lines;

/// Added to a number of less than 2^51, it makes the sum a whole number whose lowest bits are the
/// integer nearest to it: cheaper than a conversion, and vector code everywhere.
pub(super) const ROUNDING: f64 = 1.5 * (1u64 << 52) as f64;

/// The two lines around a place along one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    pub(super) index: usize,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether the map has such a gap, and it is the lowest whose closed interval holds the place.
    pub(super) is_sure: bool,
}

impl Gap {
    #[inline(always)]
    pub(super) fn of(lines: &Lines, per_spacing: f64, x: f64) -> Self {
        let guess = ((x - lines.origin) * per_spacing - 0.5 + ROUNDING) - ROUNDING;
        // A place on a line belongs to the gap before it, too.
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
            is_sure: is_inside && is_on_map,
        }
    }
}

/// The whole number that `ROUNDING` was added to; where it is not from 0 to 2^32 - 1, another.
#[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
#[inline(always)]
pub(super) fn low_bits(rounded: f64) -> usize {
    rounded.to_bits() as u32 as usize
}
