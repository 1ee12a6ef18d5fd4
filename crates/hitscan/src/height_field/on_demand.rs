//! Parts of terrain that the first query makes which reads them: the tiles of rays, arcs and shapes, and
//! the sums of heights within a radius.
//!
//! Heights at points and viewsheds read neither: they are a third of a terrain's memory, and most of the
//! work of making one.

use super::HeightField;
use super::height::samples::SamplePyramid;
use super::storage::pyramid::FAN_OUT;
use super::storage::tile::{Tile, Tiles};
use crate::simd::{dispatch, prefetch};
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

    /// Prefetches the tiles and samples of blocks: of the children of a block of blocks that are in the mask, in
    /// which child k is bit `k ^ flip`. `tiles` are the field's, or none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fetch_blocks(&self, tiles: &[Tile], parent: [usize; 2], mask: u32, flip: u32) {
        let [column, row] = parent.map(|block| block * FAN_OUT);
        let mut mask = mask;
        while mask != 0 {
            let child = (mask.trailing_zeros() ^ flip) as usize;
            mask &= mask - 1;
            let (column, row) = (column + child % FAN_OUT, row + child / FAN_OUT);
            prefetch(tiles.as_ptr().wrapping_add(self.tile_index(column, row)));
            let first = row * FAN_OUT * self.grid.columns + column * FAN_OUT;
            let mut samples = self.heights.as_ptr().wrapping_add(first);
            for _ in 0..=FAN_OUT {
                prefetch(samples);
                samples = samples.wrapping_add(self.grid.columns);
            }
        }
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
