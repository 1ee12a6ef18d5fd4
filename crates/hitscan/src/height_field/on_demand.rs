//! Parts of terrain that the first query makes which reads them: the tiles of rays, arcs and shapes, and
//! the sums of heights within a radius.
//!
//! Heights at points and viewsheds read neither: they are a third of a terrain's memory, and most of the
//! work of making one.

use super::HeightField;
use super::height::samples::SamplePyramid;
use super::storage::tile::{Tile, Tiles};
use crate::simd::dispatch;
use crate::storage::Array;

impl HeightField {
    /// Makes at once what the first ray, arc or shape and the first query of heights within a radius make,
    /// so that none of them takes longer than those that follow.
    ///
    /// ```
    /// use hitscan::HeightField;
    /// use hitscan::height_field::Grid;
    /// let field = HeightField::new(Grid::new(65, 65, [1.0, 1.0]), vec![0.0; 65 * 65])?;
    /// let before = field.memory_bytes();
    /// field.prepare();
    /// assert!(field.memory_bytes() > before);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    pub fn prepare(&self) {
        self.tiles();
        self.sample_pyramid();
    }

    /// The tiles of all blocks of 4x4 cells, row by row.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tiles(&self) -> &[Tile] {
        self.tiles.get_or_make(|| self.make_tiles())
    }

    /// Where a block's tile is kept.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tile_index(&self, column: usize, row: usize) -> usize {
        self.tiles.index(column, row)
    }

    /// Maxima, sums and counts of blocks of samples.
    pub(super) fn sample_pyramid(&self) -> &SamplePyramid {
        self.samples.get_or_init(
            || dispatch!(self.width, _simd => SamplePyramid::of(&self.grid, &self.heights)),
        )
    }

    #[cold]
    #[inline(never)]
    fn make_tiles(&self) -> Array<Tile> {
        let Self { grid, heights, .. } = self;
        dispatch!(self.width, simd => Tiles::make(simd, grid, heights, &self.ranges))
    }
}
