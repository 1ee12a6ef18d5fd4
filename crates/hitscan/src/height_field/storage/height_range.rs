//! The lowest and the highest height of a cell or of a block of cells.

use super::grid::{Diagonal, Grid};

/// The heights of a block from lowest to highest; without triangles the bounds are reversed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::height_field) struct Range {
    pub(in crate::height_field) min: f32,
    pub(in crate::height_field) max: f32,
}

impl Range {
    pub(in crate::height_field) const EMPTY: Self = Self {
        min: f32::INFINITY,
        max: f32::NEG_INFINITY,
    };

    #[inline]
    pub(in crate::height_field) fn is_empty(self) -> bool {
        self.min > self.max
    }

    #[inline]
    pub(in crate::height_field) fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The range of a cell's triangles that are no holes. Corners are `[row][column]`.
    #[inline]
    pub(in crate::height_field) fn of_cell(
        diagonal: Diagonal,
        [north, south]: [[f32; 2]; 2],
    ) -> Self {
        let (shared, tips) = match diagonal {
            Diagonal::Anti => ([north[1], south[0]], [north[0], south[1]]),
            Diagonal::Main => ([north[0], south[1]], [north[1], south[0]]),
        };
        let is_hole =
            shared[0].is_nan() || shared[1].is_nan() || (tips[0].is_nan() && tips[1].is_nan());
        if is_hole {
            return Self::EMPTY;
        }
        // Of NaN and a number, `min` and `max` return the number.
        Self {
            min: shared[0].min(shared[1]).min(tips[0]).min(tips[1]),
            max: shared[0].max(shared[1]).max(tips[0]).max(tips[1]),
        }
    }
}

/// The heights of a cell's corners, `[row][column]`.
#[inline]
pub(in crate::height_field) fn cell_heights(
    grid: &Grid,
    heights: &[f32],
    column: usize,
    row: usize,
) -> [[f32; 2]; 2] {
    let north = row * grid.columns + column;
    let south = north + grid.columns;
    [
        [heights[north], heights[north + 1]],
        [heights[south], heights[south + 1]],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_counts_only_the_corners_of_its_triangles() {
        let range = |diagonal, corners| Range::of_cell(diagonal, corners);
        let whole = Range { min: 0.0, max: 3.0 };
        assert_eq!(range(Diagonal::Anti, [[0.0, 1.0], [2.0, 3.0]]), whole);
        let half = Range { min: 0.0, max: 2.0 };
        let nan = f32::NAN;
        assert_eq!(range(Diagonal::Anti, [[0.0, 1.0], [2.0, nan]]), half);
        assert!(range(Diagonal::Anti, [[0.0, nan], [2.0, 3.0]]).is_empty());
        assert!(range(Diagonal::Anti, [[nan, 1.0], [2.0, nan]]).is_empty());
        assert!(range(Diagonal::Main, [[0.0, 1.0], [2.0, nan]]).is_empty());
        assert!(!range(Diagonal::Main, [[0.0, nan], [2.0, 3.0]]).is_empty());
    }
}
