//! Rays straight down or up: a look-up of the cell, then the floating-point filter of one triangle.
//!
//! Such a ray hits only the cell above or below it. Which of its triangles is a guess that the filter
//! confirms; where it fails, or the ray is on a line of the grid, the general cast in `mod.rs` answers.

use crate::height_field::HeightField;
use crate::height_field::storage::cell_index::CellIndex;
use crate::height_field::storage::grid::Diagonal;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{
    Filtered, FilteredBatch, RelativeTriangle, TriangleHit, Vectors, Vertical,
};
use glam::DVec3;

impl HeightField {
    /// The column and row of the one cell above or below a vertical ray, if the ray is on no line of
    /// the grid.
    pub(in crate::height_field) fn cell_in_line(&self, ray: &LocalRay) -> Option<[usize; 2]> {
        self.cells_around(ray)
            .map(|cells| cells.map(|cell| cell.index))
    }

    /// The column and row of cells that contain a vertical ray.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cells_around(&self, ray: &LocalRay) -> Option<[CellIndex; 2]> {
        let origin = ray.origin;
        let [x, z] = [self.grid.x_lines(), self.grid.z_lines()];
        let across = CellIndex::strictly_around(&x, self.inv_spacing[0], origin.x);
        let along = CellIndex::strictly_around(&z, self.inv_spacing[1], origin.z);
        (across.is_certain && along.is_certain).then_some([across, along])
    }

    /// The one hit of a vertical ray, where the filter is sure of it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn cross_vertically(
        &self,
        ray: &LocalRay,
    ) -> Option<(u32, TriangleHit)> {
        let [across, along] = self.cells_around(ray)?;
        let (origin, rise) = (ray.origin, ray.direction.y);
        let grid = &self.grid;
        let is_main = grid.diagonal == Diagonal::Main;
        let (width, depth) = (across.high - across.low, along.high - along.low);
        let (from_west, from_north) = (origin.x - across.low, origin.z - along.low);
        let is_second = if is_main {
            from_north * width > from_west * depth
        } else {
            from_north * width + from_west * depth > width * depth
        };
        let first_sample = along.index * grid.columns + across.index;
        // The corners of `Cell::triangle` as columns and rows of the cell.
        let half = usize::from(is_second);
        let corners = match grid.diagonal {
            Diagonal::Anti => [[half, 0], [0, 1], [1, half]],
            Diagonal::Main => [[0, 0], [1 - half, 1], [1, half]],
        };
        let corner = |[column, row]: [usize; 2]| {
            let sample = first_sample + column + if row == 1 { grid.columns } else { 0 };
            let x = if column == 1 { across.high } else { across.low };
            let z = if row == 1 { along.high } else { along.low };
            let height = self.heights.get(sample).copied().unwrap_or(f32::NAN);
            DVec3::new(x, grid.y(height), z)
        };
        // `array::map` would send the corners through memory.
        let [a, b, c] = corners;
        let corners = [corner(a).into(), corner(b).into(), corner(c).into()];
        let triangle = RelativeTriangle::new(Vectors::from(origin), corners);
        // Rounding is monotone, so that no difference of places in the cell is greater.
        let sizes = triangle.sizes_in_column(width + depth);
        let batch = FilteredBatch::with_sizes(Vertical(rise), triangle, sizes);
        let Filtered::TriangleHit(hit) = batch.filter(ray, 0) else {
            return None;
        };
        let triangle = grid.first_triangle(across.index, along.index) + u32::from(is_second);
        Some((triangle, hit))
    }
}
