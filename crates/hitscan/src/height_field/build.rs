//! Making terrain of heights.

use super::height::height_sampler::HeightSampler;
use super::ray::clip::Frame;
use super::storage::height_range::Range;
use super::storage::pyramid::{RangePyramid, Span};
use super::storage::tile::Tiles;
use super::{Grid, HeightField, canonicalize_holes, check_heights};
use crate::Error;
use crate::cancel::Cancel;
use crate::simd::{Width, dispatch};
use core::sync::atomic::AtomicBool;
use std::sync::OnceLock;

impl HeightField {
    /// As [`HeightField::new`], which ends within some milliseconds after `cancel` is set, from whatever
    /// thread.
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{Error, HeightField};
    /// use std::sync::atomic::AtomicBool;
    /// let (grid, heights) = (Grid::new(2, 2, [1.0, 1.0]), vec![0.0; 4]);
    /// assert!(HeightField::new_unless(&AtomicBool::new(false), grid, heights.clone()).is_ok());
    /// let cancelled = HeightField::new_unless(&AtomicBool::new(true), grid, heights);
    /// assert_eq!(cancelled.unwrap_err(), Error::Cancelled);
    /// ```
    ///
    /// # Errors
    /// As [`HeightField::new`], and [`Error::Cancelled`] where the flag was set before it was done.
    pub fn new_unless(cancel: &AtomicBool, grid: Grid, heights: Vec<f32>) -> Result<Self, Error> {
        Self::build(grid, heights, Cancel::by(cancel))
    }

    pub(super) fn build(
        grid: Grid,
        mut heights: Vec<f32>,
        cancel: Cancel<'_>,
    ) -> Result<Self, Error> {
        cancel.check()?;
        // Lengths come first, so that a wrong size costs no time.
        let expected = grid.columns.saturating_mul(grid.rows);
        if heights.len() != expected {
            return Err(Error::WrongLength {
                what: "heights",
                expected,
                found: heights.len(),
            });
        }
        let grid = grid.checked()?;
        let found = dispatch!(Width::default(), _simd => canonicalize_holes(&mut heights, cancel))?;
        check_heights(&grid, &heights, found)?;
        cancel.check()?;
        let mut field = Self {
            ranges: RangePyramid::empty(&grid),
            tiles: Tiles::none(&grid),
            samples: OnceLock::new(),
            hole_count: found.holes,
            moments: OnceLock::new(),
            bounds: None,
            frame: Frame::new(&grid, Range::EMPTY),
            sampler: HeightSampler::new(&grid, Range::EMPTY),
            inv_spacing: grid.spacing.map(|spacing| 1.0 / spacing),
            width: Width::default(),
            grid,
            heights: heights.into(),
        };
        let all = Span {
            columns: [0, grid.columns - 1],
            rows: [0, grid.rows - 1],
        };
        field.refresh(all, cancel)?;
        Ok(field)
    }
}
