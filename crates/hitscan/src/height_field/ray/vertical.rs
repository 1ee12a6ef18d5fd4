//! Rays straight down or up: a look-up of the cell, then the exact test's own numbers.
//!
//! Such a ray meets only the cell it stands over. Which of its triangles is a guess that the edge
//! functions confirm; where they cannot, or the ray stands on a line of the grid, the general way
//! in `ray.rs` answers. The numbers are those of `ray_triangle::cross` with the terms left out that
//! a direction of (0, y, 0) makes zero, so the bits are the same.

use crate::exact::expansion::{UNIT_ROUNDOFF, nearest_f32};
use crate::height_field::HeightField;
use crate::height_field::cell_index::CellIndex;
use crate::height_field::grid::Diagonal;
use crate::ray_cast::hit::Side;
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::{Feature, TriangleHit, larger};
use crate::ray_cast::ray_triangle_lanes::{EDGE_ERROR, VOLUME_ERROR};
use glam::DVec3;

impl HeightField {
    /// The column and row of the one cell over or under which a vertical ray stands, if it stands on
    /// no line of the grid.
    pub(in crate::height_field) fn cell_in_line(&self, ray: &LocalRay) -> Option<[usize; 2]> {
        self.gaps_around(ray).map(|gaps| gaps.map(|gap| gap.index))
    }

    /// The gaps between lines of the grid inside which a vertical ray stands.
    #[inline(always)]
    fn gaps_around(&self, ray: &LocalRay) -> Option<[CellIndex; 2]> {
        let origin = ray.origin;
        let across = CellIndex::of(&self.grid.x_lines(), self.inv_spacing[0], origin.x);
        let along = CellIndex::of(&self.grid.z_lines(), self.inv_spacing[1], origin.z);
        let is_inside = across.is_certain
            && along.is_certain
            && across.low < origin.x
            && origin.x < across.high
            && along.low < origin.z
            && origin.z < along.high;
        is_inside.then_some([across, along])
    }

    /// The one crossing of a vertical ray, where plain arithmetic is sure of it.
    #[inline(always)]
    pub(in crate::height_field) fn cross_vertically(
        &self,
        ray: &LocalRay,
    ) -> Option<(u32, TriangleHit)> {
        let [across, along] = self.gaps_around(ray)?;
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
        let [a, b, c] = corners;
        let corner = |[column, row]: [usize; 2]| {
            let sample = first_sample + column + if row == 1 { grid.columns } else { 0 };
            let x = if column == 1 { across.high } else { across.low };
            let z = if row == 1 { along.high } else { along.low };
            let height = self.heights.get(sample).copied().unwrap_or(f32::NAN);
            DVec3::new(x, grid.y(height), z)
        };
        let [a, b, c] = [corner(a), corner(b), corner(c)];
        let [p, q] = [b - a, c - a];
        let [from_a, from_b, from_c] = [a - origin, b - origin, c - origin];
        let edge = |from: DVec3, along: DVec3| rise * (from.z * along.x - along.z * from.x);
        let edges = [edge(from_b, c - b), edge(from_c, a - c), edge(from_a, p)];
        let reach = larger(
            larger(larger(from_a.y.abs(), from_b.y.abs()), from_c.y.abs()),
            width + depth,
        );
        let side_p = larger(p.y.abs(), width + depth);
        let side_q = larger(q.y.abs(), width + depth);
        let size = rise.abs();
        let bound = EDGE_ERROR * size * reach * (side_p + side_q);
        let sum = edges[0] + edges[1] + edges[2];
        let is_clear = (edges[0] > bound && edges[1] > bound && edges[2] > bound)
            || (edges[0] < -bound && edges[1] < -bound && edges[2] < -bound);
        let is_precise = 3.5 * bound < sum.abs() / f64::from(1 << 30);
        let normal = p.cross(q);
        let denominator = normal.y * rise;
        let t = normal.dot(from_a) / denominator;
        let error = side_p * side_q * (VOLUME_ERROR * 1.02) / denominator.abs()
            * (reach + size * t.abs())
            + t.abs() * (8.0 * UNIT_ROUNDOFF);
        let is_thick = normal.y.abs() > 1.1e-6 * side_p * side_q;
        let (low, high) = (t - error, t + error);
        let is_plain = is_clear
            && is_precise
            && is_thick
            && error < 0.9e-3 * t.abs()
            && low > ray.t_min
            && high < ray.t_max
            && nearest_f32(low) == nearest_f32(high);
        let crossing = TriangleHit {
            t: nearest_f32(t),
            t_wide: t,
            weights: [edges[1] / sum, edges[2] / sum],
            normal,
            side: if sum < 0.0 { Side::Front } else { Side::Back },
            feature: Feature::Face,
        };
        let triangle = grid.first_triangle(across.index, along.index) + u32::from(is_second);
        is_plain.then_some((triangle, crossing))
    }
}
