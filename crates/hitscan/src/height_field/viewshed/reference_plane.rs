//! A plane whose height at each sample of a terrain is exactly an f64, so that one comparison shows
//! whether the sample is in it.

use super::eye_triangles::EyeTriangle;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::HeightField;
use crate::height_field::storage::grid::Lines;

/// The largest sum of magnitudes whose multiples of a quantum are f64, in units of the quantum; half of
/// what is possible, so that the sum may be rounded itself.
const MAX_QUANTA: f64 = 0.25 / UNIT_ROUNDOFF;

/// A plane that is no wall, by its height at the first sample and its rise from one column, and one row,
/// to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ReferencePlane {
    height: f64,
    rises: [f64; 2],
}

impl ReferencePlane {
    pub(super) fn level(height: f64) -> Self {
        Self {
            height,
            rises: [0.0; 2],
        }
    }

    /// The plane of a triangle; `None` where its heights over the samples are no f64, or where lines
    /// along which it rises are rounded and so not evenly spaced.
    pub(super) fn of(field: &HeightField, triangle: &EyeTriangle) -> Option<Self> {
        let grid = &field.grid;
        let cell = field.cell(triangle.column, triangle.row);
        let [column, row] = cell.right_angle(triangle.half);
        let rises = cell.rises(triangle.half);
        let across = [grid.x_lines(), grid.z_lines()];
        let is_even = (across.iter().zip(rises)).all(|(lines, rise)| rise == 0.0 || is_even(lines));
        let corner = cell.y[row][column];
        let steps = [triangle.column + column, triangle.row + row];
        let quantum = triangle
            .corners
            .map(|corner| quantum(corner.y))
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        // From the corner to any sample, by the first one.
        let max_rise = |axis: usize| 2.0 * rises[axis].abs() * across[axis].last as f64;
        let max_abs = 2.0 * corner.abs() + max_rise(0) + max_rise(1);
        let is_exact = max_abs == 0.0 || max_abs <= MAX_QUANTA * quantum;
        (is_even && is_exact).then(|| Self {
            height: corner - rises[0] * steps[0] as f64 - rises[1] * steps[1] as f64,
            rises,
        })
    }

    pub(super) fn is_level(&self) -> bool {
        self.rises == [0.0; 2]
    }

    /// The height at the first sample of a row.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn height_of_row(&self, row: usize) -> f64 {
        self.height + self.rises[1] * row as f64
    }

    /// The height at a sample of the row whose first one has this height.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn height_at(&self, of_row: f64, column: usize) -> f64 {
        of_row + self.rises[0] * column as f64
    }
}

/// Whether lines are exactly where they would be without rounding.
fn is_even(lines: &Lines) -> bool {
    let quantum = quantum(lines.origin).min(quantum(lines.spacing));
    lines.origin.abs() + lines.spacing * lines.last as f64 <= MAX_QUANTA * quantum
}

/// The largest power of two that divides a number, or 0 where that is no f64; infinite for 0.
fn quantum(number: f64) -> f64 {
    if number == 0.0 {
        return f64::INFINITY;
    }
    let bits = number.to_bits();
    let (exponent, mantissa) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    if exponent == 0 {
        return 0.0;
    }
    // The last bit that is set, counted from the first one, which is implied.
    let below = 52 - u64::from((mantissa | 1 << 52).trailing_zeros());
    f64::from_bits(exponent.saturating_sub(below) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height_field::Grid;

    #[test]
    fn a_quantum_is_the_value_of_the_last_bit() {
        for (number, expected) in [
            (1.0, 1.0),
            (-3.0, 1.0),
            (0.75, 0.25),
            (1e6, 64.0),
            (0.0, f64::INFINITY),
            (5e-324, 0.0),
        ] {
            assert_eq!(quantum(number), expected, "{number}");
        }
        assert_eq!(quantum(1.0 + f64::EPSILON), f64::EPSILON);
    }

    #[test]
    fn lines_are_even_where_none_is_rounded() {
        let is_even = |origin: f64, spacing: f64| {
            let grid = Grid {
                origin: [origin, 0.0, 0.0],
                ..Grid::new(1000, 2, [spacing; 2])
            };
            is_even(&grid.x_lines())
        };
        assert!(is_even(0.0, 30.0) && is_even(-1234.5, 0.25) && is_even(0.0, f64::from(0.7_f32)));
        assert!(!is_even(0.0, 0.7) && !is_even(0.1, 1.0) && !is_even(1e16, 4.5));
    }
}
