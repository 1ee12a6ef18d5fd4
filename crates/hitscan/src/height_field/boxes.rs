//! The boxes of the pyramid's blocks and of cells: for distances, objects that move, explanations and pictures.

use super::HeightField;
use super::ray::watch::Block;
use super::storage::height_range::Range;
use super::storage::pyramid::{FAN_OUT, SIDE};
use glam::DVec3;

/// The smallest and the largest corner of a box.
pub(crate) type Ends = [DVec3; 2];

/// What a block is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum BlockChild {
    Block(Block),
    /// The cell in this column and row.
    Cell([u32; 2]),
}

impl HeightField {
    /// The block that covers the whole map.
    pub(crate) fn root_block(&self) -> Block {
        Block::at(self.ranges.top(), 0, 0)
    }

    /// The child of a block with this number, row by row, where the map has ground there. Cells that
    /// are holes are children too.
    pub(crate) fn child_of(&self, block: Block, child: u32) -> Option<BlockChild> {
        let (column, row) = (
            block.column * SIDE + child % SIDE,
            block.row * SIDE + child / SIDE,
        );
        if block.level == 1 {
            let is_there = (column as usize) < self.grid.x_lines().last
                && (row as usize) < self.grid.z_lines().last;
            return is_there.then_some(BlockChild::Cell([column, row]));
        }
        let block = Block {
            level: block.level - 1,
            column,
            row,
        };
        self.block_box(block).map(|_| BlockChild::Block(block))
    }

    /// The box around a block's ground; `None` where there is none.
    pub(crate) fn block_box(&self, block: Block) -> Option<Ends> {
        let [level, column, row] = [block.level, block.column, block.row].map(|one| one as usize);
        let size = FAN_OUT.pow(block.level);
        let (x_lines, z_lines) = (self.grid.x_lines(), self.grid.z_lines());
        if column * size >= x_lines.last || row * size >= z_lines.last {
            return None;
        }
        let range = self.ranges.of(level, column, row);
        let lines = [[column, x_lines.last], [row, z_lines.last]];
        let [x, z] = lines.map(|[block, last]| [block * size, last.min((block + 1) * size)]);
        (!range.is_empty()).then(|| self.ends(x, z, range))
    }

    /// The box around a cell's ground; `None` where all of it is a hole.
    pub(crate) fn cell_ground(&self, [column, row]: [u32; 2]) -> Option<Ends> {
        let [column, row] = [column as usize, row as usize];
        let range = self.cell_range(column, row);
        (!range.is_empty()).then(|| self.ends([column, column + 1], [row, row + 1], range))
    }

    /// The triangles of a cell that are no holes, with their numbers.
    pub(crate) fn triangles_of(
        &self,
        [column, row]: [u32; 2],
    ) -> impl Iterator<Item = (u32, [DVec3; 3])> {
        let cell = self.cell(column as usize, row as usize);
        (0..).zip([0, 1]).filter_map(move |(half, place)| {
            Some((cell.first_triangle + half, cell.triangle(place)?))
        })
    }

    /// A triangle that none in a block comes before.
    pub(crate) fn lowest_triangle_of(&self, block: Block) -> u32 {
        let size = SIDE.pow(block.level);
        self.first_triangle_of([block.column * size, block.row * size])
    }

    /// The box around a cell's ground; where all of it is a hole, from the map's lowest to its highest.
    pub(crate) fn cell_box(&self, [column, row]: [u32; 2]) -> Ends {
        let [column, row] = [column as usize, row as usize];
        let own = self.cell_range(column, row);
        let range = if own.is_empty() {
            self.ranges.root()
        } else {
            own
        };
        self.ends([column, column + 1], [row, row + 1], range)
    }

    /// The cell of a triangle: its column and row.
    pub(crate) fn cell_of(&self, triangle: u32) -> [u32; 2] {
        let cells_a_row = self.columns_of_cells();
        [triangle / 2 % cells_a_row, triangle / 2 / cells_a_row]
    }

    /// The first triangle of the cell in this column and row.
    pub(crate) fn first_triangle_of(&self, [column, row]: [u32; 2]) -> u32 {
        2 * (row * self.columns_of_cells() + column)
    }

    /// The corners of a triangle, also of one that is a hole, whose corners without height are as low
    /// as its cell's box.
    pub(crate) fn triangle_or_hole(&self, triangle: u32) -> [DVec3; 3] {
        let place = self.cell_of(triangle);
        let [low, _] = self.cell_box(place);
        let [column, row] = place.map(|one| one as usize);
        let mut cell = self.cell(column, row);
        for y in cell.y.as_flattened_mut() {
            if y.is_nan() {
                *y = low.y;
            }
        }
        cell.triangle(triangle as usize % 2).unwrap_or_default()
    }

    #[expect(clippy::cast_possible_truncation, reason = "of 2^32 cells at most")]
    fn columns_of_cells(&self) -> u32 {
        self.grid.x_lines().last as u32
    }

    fn ends(&self, x: [usize; 2], z: [usize; 2], range: Range) -> Ends {
        let corner = |end: usize, height: f32| {
            DVec3::new(
                self.grid.x(x[end]),
                self.grid.y(height),
                self.grid.z(z[end]),
            )
        };
        [corner(0, range.min), corner(1, range.max)]
    }
}
