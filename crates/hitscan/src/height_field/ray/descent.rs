//! Vectorised traversal of the pyramid by a ray: the cells that it may hit, roughly front to back.
//!
//! It starts at the block of 16x16 cells in which the ray enters the map and climbs from there, so
//! a ray that ends nearby never reads the top of the pyramid. Cells are only culled here; what is
//! hit in one is decided exactly. `wide_walk.rs` is the same for moving boxes, and for rays beyond
//! f32.

use super::node_test::Lanes;
use super::progress::{EMPTY_STACK, Progress};
use super::segment::Segment;
use super::watch::FieldWatch;
use crate::height_field::HeightField;
use crate::height_field::storage::pyramid::{FAN_OUT, Node, SIDE};
use crate::height_field::storage::tile::Tile;
use crate::simd::dispatch;
use core::ops::ControlFlow;
use fearless_simd::Simd;

/// Takes the column and row of a cell, and answers up to which t others matter.
pub(in crate::height_field) type CellVisit<'a> =
    &'a mut dyn FnMut(usize, usize) -> ControlFlow<(), f64>;

/// How a descent ended.
pub(in crate::height_field) enum Walked {
    ToTheEnd,
    Stopped,
    /// Nowhere: the numbers are too far apart for f32.
    TooFine,
}

/// A ray prepared for the pyramid.
pub(in crate::height_field) struct Descent<S: Simd> {
    segment: Segment,
    lanes: Lanes<S>,
}

impl<S: Simd> Descent<S> {
    /// The descent of a segment.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn new(simd: S, field: &HeightField, segment: Segment) -> Self {
        Self {
            lanes: Lanes::new(simd, &segment, field.grid.diagonal),
            segment,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn with(segment: Segment, lanes: Lanes<S>) -> Self {
        Self { segment, lanes }
    }

    /// Visits the cells that the ray may cross, until `visit` breaks. `tiles` are the field's, or none:
    /// then the cells come from its samples.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn run(
        &self,
        (field, tiles): (&HeightField, &[Tile]),
        watch: impl FieldWatch,
        visit: CellVisit,
    ) -> Walked {
        let flip = self.segment.flip();
        let mut stack = EMPTY_STACK;
        let mut progress = Progress::at_entry(field, &self.segment);
        watch.climbed(progress.block());
        loop {
            let tested = progress.open.children();
            if progress.is_at_block() {
                let tile = tiles.get(progress.tile_index(field));
                progress.keep(match tile.filter(|tile| tile.is_known()) {
                    Some(tile) => self.crossed_cells(tile, &progress),
                    None => cells_without_a_tile(field, &self.segment, &progress),
                });
                watch.tested(progress.block(), progress.tested_children(tested, flip));
                while progress.has_more() {
                    let [column, row] = progress.take_cell(flip);
                    watch.entered_cell(column as usize, row as usize);
                    let ControlFlow::Continue(t) = visit(column as usize, row as usize) else {
                        return Walked::Stopped;
                    };
                    progress.keep_before(&self.segment, t);
                }
            } else {
                let node = field.ranges.at(progress.node_index(field));
                progress.keep(self.touched_children(node, &progress));
                if progress.is_above_blocks() {
                    let parent = progress.block_place().map(|block| block as usize);
                    field.fetch_blocks(tiles, parent, progress.open.children().into(), flip);
                }
                watch.tested(progress.block(), progress.tested_children(tested, flip));
            }
            if progress.has_more() || progress.has_stacked() {
                progress.enter_child(flip, &mut stack);
                watch.entered(progress.block());
            } else if progress.is_at_exit(field, &self.segment) {
                return Walked::ToTheEnd;
            } else {
                progress.climb(flip);
                watch.climbed(progress.block());
            }
        }
    }

    /// The children of the open block of blocks that the segment may touch.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn touched_children(
        &self,
        node: &Node,
        progress: &Progress,
    ) -> u16 {
        let (first, size) = progress.children_places();
        self.lanes.touched(node, first, size, progress.limit)
    }

    /// The cells of the open block, which has this tile, that the segment may cross; where there is no
    /// tile, [`cells_without_a_tile`] finds them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn crossed_cells(&self, tile: &Tile, progress: &Progress) -> u16 {
        let Progress { open, limit, .. } = *progress;
        let first = open.place().map(|block| (block * SIDE) as f32);
        self.lanes.crossed_cells_of(tile, first, limit)
    }
}

/// The cells of the open block that the segment may cross, by the map's own samples: at the map's
/// border, around holes, and for the few lines of sight that need no tiles.
#[cold]
#[inline(never)]
pub(in crate::height_field) fn cells_without_a_tile(
    field: &HeightField,
    segment: &Segment,
    progress: &Progress,
) -> u16 {
    let Progress { open, limit, .. } = *progress;
    let rows = rows_to_the_end(field, open.place());
    let [a, b, c, d, e] = &rows;
    let first = open.place().map(|block| (block * SIDE) as f32);
    let crossed = dispatch!(field.width, simd => {
        let lanes = Lanes::new(simd, segment, field.grid.diagonal);
        lanes.crossed_cells([a, b, c, d, e], first, limit)
    });
    crossed & cells_on_map(field, open.place(), segment.flip())
}

/// The cells of a block that the map has, in travel order.
fn cells_on_map(field: &HeightField, [column, row]: [u32; 2], flip: u32) -> u16 {
    let is_on_map = |child: &u32| {
        let column = column * SIDE + (child ^ flip) % SIDE;
        let row = row * SIDE + (child ^ flip) / SIDE;
        column as usize + 1 < field.grid.columns && row as usize + 1 < field.grid.rows
    };
    (0..SIDE * SIDE)
        .filter(is_on_map)
        .fold(0, |mask, child| mask | 1 << child)
}

/// The samples of a block; where the map ends, copies of its last ones.
fn rows_to_the_end(field: &HeightField, place: [u32; 2]) -> [[f32; 5]; 5] {
    let [column, row] = place.map(|block| block as usize * FAN_OUT);
    let (columns, rows) = (field.grid.columns, field.grid.rows);
    core::array::from_fn(|j| {
        let row = (row + j).min(rows - 1);
        core::array::from_fn(|i| field.heights[row * columns + (column + i).min(columns - 1)])
    })
}
