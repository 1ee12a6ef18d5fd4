//! Changing the heights of a part of the map.
//!
//! Only the blocks above the part are refitted, from their own parts, so the result equals a fresh
//! build bit for bit.

use super::storage::pyramid::Span;
use super::{HeightField, canonicalize_holes, check_heights};
use crate::Error;
use crate::cancel::Cancel;

/// A rectangle of samples.
///
/// ```
/// use hitscan::HeightField;
/// use hitscan::height_field::{Grid, Region};
/// let mut field = HeightField::new(Grid::new(4, 4, [1.0, 1.0]), vec![0.0; 16])?;
/// field.set_heights(Region { column: 1, row: 2, columns: 2, rows: 1 }, &[5.0, f32::NAN])?;
/// assert_eq!((field.sample(1, 2), field.sample(2, 2)), (Some(5.0), None));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// The first column.
    pub column: usize,
    /// The first row.
    pub row: usize,
    /// How many columns.
    pub columns: usize,
    /// How many rows.
    pub rows: usize,
}

impl HeightField {
    /// Replaces the heights of `region` by `heights`, row by row; NaN makes a hole.
    ///
    /// # Errors
    /// [`Error::IndexOutOfBounds`] when the region leaves the map, [`Error::WrongLength`] when
    /// there are not `rows * columns` heights, [`Error::OutOfRange`] as in [`HeightField::new`].
    /// Then nothing is changed.
    pub fn set_heights(&mut self, region: Region, heights: &[f32]) -> Result<(), Error> {
        for (what, first, size, count) in [
            (
                "region column",
                region.column,
                region.columns,
                self.grid.columns,
            ),
            ("region row", region.row, region.rows, self.grid.rows),
        ] {
            let end = first.saturating_add(size);
            if end > count {
                return Err(Error::IndexOutOfBounds {
                    what,
                    place: size.saturating_sub(1),
                    index: end - 1,
                    count,
                });
            }
        }
        let expected = region.columns * region.rows;
        if heights.len() != expected {
            return Err(Error::WrongLength {
                what: "heights",
                expected,
                found: heights.len(),
            });
        }
        let mut heights = heights.to_vec();
        let found = canonicalize_holes(&mut heights, Cancel::NEVER)?;
        check_heights(&self.grid, &heights, found)?;
        if expected == 0 {
            return Ok(());
        }
        for (j, row) in heights.chunks_exact(region.columns).enumerate() {
            let start = (region.row + j) * self.grid.columns + region.column;
            let target = &mut self.heights[start..start + region.columns];
            self.hole_count -= target.iter().filter(|height| height.is_nan()).count();
            target.copy_from_slice(row);
        }
        self.hole_count += found.holes;
        let changed = Span {
            columns: [region.column, region.column + region.columns - 1],
            rows: [region.row, region.row + region.rows - 1],
        };
        self.refresh(changed, Cancel::NEVER)?;
        Ok(())
    }
}
