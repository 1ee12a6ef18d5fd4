//! The ground under a point in f64: the library's own answers are rounded to f32, which bisection
//! cannot use.

use hitscan::HeightField;
use hitscan::glam::DVec3;
use hitscan::height_field::Diagonal;

/// The ground at a point of the map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground {
    pub(super) height: f64,
    pub(super) triangle: u32,
    pub(super) corners: [DVec3; 3],
}

/// The ground at (x, z), a point of the map: on the lowest triangle there; `None` over a hole.
pub(super) fn ground_at(field: &HeightField, x: f64, z: f64) -> Option<Ground> {
    let grid = field.grid();
    let columns = cells_at(|i| grid.x(i), grid.columns - 1, grid.spacing[0], x);
    let rows = cells_at(|j| grid.z(j), grid.rows - 1, grid.spacing[1], z);
    rows.into_iter()
        .flat_map(|row| columns.map(|column| [column, row]))
        .find_map(|cell| ground_in_cell(field, cell, x, z))
}

/// The first and the last of the cells whose closed interval holds `x`: two where it is on a line
/// between them.
fn cells_at(line: impl Fn(usize) -> f64, count: usize, spacing: f64, x: f64) -> [usize; 2] {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the quotient of two numbers that are not negative is a first guess only"
    )]
    let guess = ((x - line(0)) / spacing) as usize;
    let mut cell = guess.min(count - 1);
    while cell > 0 && x < line(cell) {
        cell -= 1;
    }
    while cell + 1 < count && line(cell + 1) <= x {
        cell += 1;
    }
    let is_on_inner_line = cell > 0 && x == line(cell);
    [cell - usize::from(is_on_inner_line), cell]
}

fn ground_in_cell(
    field: &HeightField,
    [column, row]: [usize; 2],
    x: f64,
    z: f64,
) -> Option<Ground> {
    let grid = field.grid();
    let xs = [grid.x(column), grid.x(column + 1)];
    let zs = [grid.z(row), grid.z(row + 1)];
    // The sign of `(b - a) × (p - a)` for the diagonal from a, on the first column, to b.
    let [from, to] = match grid.diagonal {
        Diagonal::Anti => [zs[1], zs[0]],
        Diagonal::Main => zs,
    };
    let side = (xs[1] - xs[0]) * (z - from) - (to - from) * (x - xs[0]);
    let first = 2 * (row * (grid.columns - 1) + column);
    let on_half = |half: usize| {
        let triangle = u32::try_from(first + half).ok()?;
        let corners = field.triangle(triangle)?;
        // Where the triangle's edges along x and z meet.
        let corner = match grid.diagonal {
            Diagonal::Anti => [half, half],
            Diagonal::Main => [1 - half, half],
        };
        let y = |i: usize, j: usize| {
            let sample = field.sample(column + i, row + j)?;
            Some(grid.origin[1] + f64::from(sample))
        };
        let [i, j] = corner;
        let u = (x - xs[i]) / (xs[1 - i] - xs[i]);
        let v = (z - zs[j]) / (zs[1 - j] - zs[j]);
        let height = (1.0 - u - v) * y(i, j)? + u * y(1 - i, j)? + v * y(i, 1 - j)?;
        Some(Ground {
            height,
            triangle,
            corners,
        })
    };
    if side < 0.0 {
        on_half(0)
    } else if side > 0.0 {
        on_half(1)
    } else {
        on_half(0).or_else(|| on_half(1))
    }
}
