//! The ground below a point, in f64: what a march samples.
//!
//! The library answers heights at points of f32, rounded once; a march goes on between those.

use glam::DVec3;
use hitscan::HeightField;
use hitscan::height_field::Diagonal;
use std::ops::RangeInclusive;

/// Samples the ground of a terrain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground<'a> {
    field: &'a HeightField,
}

/// The triangle below or above a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleBelow {
    triangle: u32,
    corners: [DVec3; 3],
    /// Which of the corners the two edges along x and z have in common, and the other ends of these
    /// edges.
    edges: CornerEdges,
    point: DVec3,
}

/// Positions in an array of a triangle's corners.
#[derive(Debug, Clone, Copy)]
struct CornerEdges {
    common: usize,
    x_end: usize,
    z_end: usize,
}

impl<'a> Ground<'a> {
    pub(super) fn new(field: &'a HeightField) -> Self {
        Self { field }
    }

    pub(super) fn field(&self) -> &'a HeightField {
        self.field
    }

    /// The corners of the box around all triangles; `None` where all are holes.
    pub(super) fn bounds(&self) -> Option<[DVec3; 2]> {
        let grid = self.field.grid();
        let count = u32::try_from(grid.triangle_count()).ok()?;
        let corners = (0..count).filter_map(|triangle| self.field.triangle(triangle));
        let heights = corners.flatten().map(|corner| corner.y);
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        let [min_x, max_x] = [grid.x(0), grid.x(grid.columns - 1)];
        let [min_z, max_z] = [grid.z(0), grid.z(grid.rows - 1)];
        (low <= high).then_some([
            DVec3::new(min_x, low, min_z),
            DVec3::new(max_x, high, max_z),
        ])
    }

    /// The triangle at a point's x and z, which are moved to the map's border where rounding put
    /// them beyond; of several the lowest that is no hole.
    pub(super) fn below(&self, point: DVec3) -> Option<TriangleBelow> {
        let grid = self.field.grid();
        let x_lines = Lines::new(grid.origin[0], grid.spacing[0], grid.columns);
        let z_lines = Lines::new(grid.origin[2], grid.spacing[1], grid.rows);
        let point = DVec3::new(x_lines.clamp(point.x), point.y, z_lines.clamp(point.z));
        let columns = x_lines.intervals_at(point.x);
        let rows = z_lines.intervals_at(point.z);
        // Cells in the order of their triangles' numbers; most points are in one.
        let mut cells = rows.flat_map(|row| columns.clone().map(move |column| [column, row]));
        cells.find_map(|cell| self.in_cell(cell, point))
    }

    /// The triangle at a point of a closed cell.
    fn in_cell(&self, [column, row]: [usize; 2], point: DVec3) -> Option<TriangleBelow> {
        let grid = self.field.grid();
        let [west, east] = [grid.x(column), grid.x(column + 1)];
        let [north, south] = [grid.z(row), grid.z(row + 1)];
        let [from, to] = match grid.diagonal {
            Diagonal::Anti => [south, north],
            Diagonal::Main => [north, south],
        };
        // The sign of `(b - a) × (p - a)` for the diagonal from a, on the first column, to b:
        // negative on the first triangle's side.
        let left = (east - west) * (point.z - from);
        let right = (to - from) * (point.x - west);
        let first = 2 * (row * (grid.columns - 1) + column);
        let on = |half: usize| {
            let triangle = u32::try_from(first + half).ok()?;
            Some(TriangleBelow {
                triangle,
                corners: self.field.triangle(triangle)?,
                edges: CornerEdges::of(grid.diagonal, half),
                point,
            })
        };
        if left < right {
            on(0)
        } else if left > right {
            on(1)
        } else {
            on(0).or_else(|| on(1))
        }
    }
}

impl CornerEdges {
    /// For the order of corners that [`HeightField::triangle`] gives.
    fn of(diagonal: Diagonal, half: usize) -> Self {
        let [common, x_end, z_end] = match (diagonal, half) {
            (Diagonal::Anti, 0) => [0, 2, 1],
            (Diagonal::Anti, _) => [2, 1, 0],
            (Diagonal::Main, 0) => [2, 0, 1],
            (Diagonal::Main, _) => [1, 2, 0],
        };
        Self {
            common,
            x_end,
            z_end,
        }
    }
}

impl TriangleBelow {
    pub(super) fn triangle(&self) -> u32 {
        self.triangle
    }

    /// The y of the triangle's plane at the point: its corners' y by their weights, which at a
    /// corner are 0 and 1.
    pub(super) fn height(&self) -> f64 {
        let [common, x_end, z_end] = self.edge_corners();
        let u = (self.point.x - common.x) / (x_end.x - common.x);
        let v = (self.point.z - common.z) / (z_end.z - common.z);
        (1.0 - u - v) * common.y + u * x_end.y + v * z_end.y
    }

    /// A normal that points up, of any length. Each of its components is one product, so nothing
    /// cancels on steep ground.
    pub(super) fn normal(&self) -> DVec3 {
        let [common, x_end, z_end] = self.edge_corners();
        let normal = (z_end - common).cross(x_end - common);
        if normal.y < 0.0 { -normal } else { normal }
    }

    fn edge_corners(&self) -> [DVec3; 3] {
        let CornerEdges {
            common,
            x_end,
            z_end,
        } = self.edges;
        [common, x_end, z_end].map(|corner| self.corners[corner])
    }

    /// The weights of the second and third corner at the point seen from above.
    pub(super) fn weights(&self) -> [f64; 2] {
        let [a, b, c] = self.corners;
        let area =
            |p: DVec3, q: DVec3, r: DVec3| (q.z - p.z) * (r.x - p.x) - (q.x - p.x) * (r.z - p.z);
        let whole = area(a, b, c);
        [
            area(a, self.point, c) / whole,
            area(a, b, self.point) / whole,
        ]
    }
}

/// The lines of the grid along one axis.
#[derive(Debug, Clone, Copy)]
struct Lines {
    origin: f64,
    spacing: f64,
    last: usize,
}

impl Lines {
    fn new(origin: f64, spacing: f64, count: usize) -> Self {
        Self {
            origin,
            spacing,
            last: count - 1,
        }
    }

    fn at(self, index: usize) -> f64 {
        self.origin + index as f64 * self.spacing
    }

    fn clamp(self, x: f64) -> f64 {
        x.clamp(self.at(0), self.at(self.last))
    }

    /// The intervals between neighbouring lines that contain `x`, which is on the map: two where it
    /// is on an inner line.
    fn intervals_at(self, x: f64) -> RangeInclusive<usize> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the quotient of two numbers that are not negative is a first guess only"
        )]
        let guess = ((x - self.origin) / self.spacing) as usize;
        let mut index = guess.min(self.last - 1);
        while index > 0 && x < self.at(index) {
            index -= 1;
        }
        while index + 1 < self.last && self.at(index + 1) <= x {
            index += 1;
        }
        let is_on_inner_line = index > 0 && x == self.at(index);
        index - usize::from(is_on_inner_line)..=index
    }
}
