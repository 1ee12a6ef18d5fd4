//! The grid of a height field: the positions of its samples, and the two triangles of each cell.
//!
//! Heights are not kept here, only their positions: `Lines` is one axis of the grid, `Cell` the four
//! corners between two neighbouring lines of each.

use crate::Error;
use crate::shape::aabb::MAX_COORDINATE;
use glam::DVec3;

/// The smallest spacing that is accepted, metres.
///
/// Exact predicates multiply three coordinates; from here on no such product underflows.
const MIN_SPACING: f64 = 1e-30;

/// Which diagonal cuts a cell into two triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Diagonal {
    /// From sample (i, j+1) to sample (i+1, j).
    #[default]
    Anti,
    /// From sample (i, j) to sample (i+1, j+1).
    Main,
}

/// The positions of a height field's samples.
///
/// Sample (column i, row j) is at `x = origin[0] + i * spacing[0]`,
/// `z = origin[2] + j * spacing[1]`, both as rounded in f64, and its height is counted from
/// `origin[1]`.
///
/// ```
/// use hitscan::height_field::{Diagonal, Grid};
/// let grid = Grid { origin: [100.0, 0.0, 0.0], diagonal: Diagonal::Main, ..Grid::new(3, 2, [0.5, 2.0]) };
/// assert_eq!((grid.x(2), grid.z(1)), (101.0, 2.0));
/// assert_eq!(grid.triangle_count(), 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Grid {
    /// Samples along x, at least 2.
    pub columns: usize,
    /// Samples along z, at least 2.
    pub rows: usize,
    /// Metres between columns (along x) and between rows (along z).
    pub spacing: [f64; 2],
    /// The position of sample (0, 0) at height 0, metres.
    pub origin: [f64; 3],
    /// How each cell is cut.
    pub diagonal: Diagonal,
}

impl Grid {
    /// A grid that starts at the origin of the world and has the default diagonal.
    #[must_use]
    pub fn new(columns: usize, rows: usize, spacing: [f64; 2]) -> Self {
        Self {
            columns,
            rows,
            spacing,
            origin: [0.0; 3],
            diagonal: Diagonal::default(),
        }
    }

    /// The x of a column, metres.
    #[must_use]
    pub fn x(&self, column: usize) -> f64 {
        self.x_lines().at(column)
    }

    /// The z of a row, metres.
    #[must_use]
    pub fn z(&self, row: usize) -> f64 {
        self.z_lines().at(row)
    }

    /// The number of triangles that the cells have, holes included; `usize::MAX` where there are more.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        let cells_a_row = self.columns.saturating_sub(1);
        let cells = cells_a_row.saturating_mul(self.rows.saturating_sub(1));
        cells.saturating_mul(2)
    }

    /// The y of a height. Rounding is monotone, so bounds of heights become bounds of y.
    #[inline]
    pub(in crate::height_field) fn y(&self, height: f32) -> f64 {
        self.origin[1] + f64::from(height)
    }

    #[inline]
    pub(in crate::height_field) fn x_lines(&self) -> Lines {
        Lines {
            origin: self.origin[0],
            spacing: self.spacing[0],
            last: self.columns.saturating_sub(1),
        }
    }

    #[inline]
    pub(in crate::height_field) fn z_lines(&self) -> Lines {
        Lines {
            origin: self.origin[2],
            spacing: self.spacing[1],
            last: self.rows.saturating_sub(1),
        }
    }

    /// The index of a cell's first triangle.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a checked grid has fewer than 2^32 triangles"
    )]
    #[inline]
    pub(in crate::height_field) fn first_triangle(&self, column: usize, row: usize) -> u32 {
        (2 * (row * (self.columns - 1) + column)) as u32
    }

    /// The grid with its limits checked, and origins below 1e-90 m, which no ray in f32 can distinguish
    /// from zero and whose products could underflow, made zero.
    pub(in crate::height_field) fn checked(mut self) -> Result<Self, Error> {
        for origin in &mut self.origin {
            if !origin.is_finite() {
                return Err(Error::NotFinite {
                    what: "height field origin",
                    found: *origin,
                });
            }
            if origin.abs() < 1e-90 {
                *origin = 0.0;
            }
        }
        for (what, count) in [
            ("height field columns", self.columns),
            ("height field rows", self.rows),
        ] {
            if count < 2 {
                return Err(Error::BadValue {
                    what,
                    expected: "at least 2",
                    found: count as f64,
                });
            }
        }
        for (what, found) in [
            ("height field triangles", self.triangle_count()),
            (
                "height field samples",
                self.columns.saturating_mul(self.rows),
            ),
        ] {
            let limit = u32::MAX as usize;
            if found > limit {
                return Err(Error::TooMany { what, found, limit });
            }
        }
        self.x_lines().check("height field column")?;
        self.z_lines().check("height field row")?;
        Ok(self)
    }
}

/// The lines of a grid along one axis, ascending.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Lines {
    pub(in crate::height_field) origin: f64,
    pub(in crate::height_field) spacing: f64,
    /// The index of the last line.
    pub(in crate::height_field) last: usize,
}

impl Lines {
    #[inline]
    pub(in crate::height_field) fn at(&self, index: usize) -> f64 {
        self.origin + index as f64 * self.spacing
    }

    #[inline]
    pub(in crate::height_field) fn first(&self) -> f64 {
        self.at(0)
    }

    #[inline]
    pub(in crate::height_field) fn end(&self) -> f64 {
        self.at(self.last)
    }

    /// The line at this coordinate, if one is there.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast from f64 keeps within the range of integers"
    )]
    pub(in crate::height_field) fn index_of(&self, x: f64) -> Option<usize> {
        let place = (x - self.origin) / self.spacing;
        // Lines are rounded by less than the spacing, and the quotient by far less than a line.
        let first = (place.round() as usize).saturating_sub(1);
        let last = first.saturating_add(2).min(self.last);
        (first..=last).find(|index| self.at(*index) == x)
    }

    fn check(&self, what: &'static str) -> Result<(), Error> {
        let found = self.spacing;
        if !found.is_finite() {
            return Err(Error::NotFinite {
                what: "height field spacing",
                found,
            });
        }
        if found < MIN_SPACING {
            return Err(Error::BadValue {
                what: "height field spacing",
                expected: "positive, at least 1e-30 metres",
                found,
            });
        }
        let limit = f64::from(MAX_COORDINATE);
        for index in 0..=self.last {
            let found = self.at(index);
            if found.abs() > limit {
                return Err(Error::OutOfRange {
                    what,
                    index,
                    found,
                    limit,
                });
            }
            if index > 0 && found <= self.at(index - 1) {
                return Err(Error::BadValue {
                    what: "height field spacing",
                    expected: "large enough to tell neighbouring lines apart at this origin",
                    found: self.spacing,
                });
            }
        }
        Ok(())
    }
}

/// Two triangles between four samples.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Cell {
    pub(in crate::height_field) first_triangle: u32,
    pub(in crate::height_field) diagonal: Diagonal,
    /// x of its two columns.
    pub(in crate::height_field) x: [f64; 2],
    /// z of its two rows.
    pub(in crate::height_field) z: [f64; 2],
    /// y of its corners, `y[row][column]`; NaN for a hole.
    pub(in crate::height_field) y: [[f64; 2]; 2],
}

impl Cell {
    /// The corners of one of its two triangles: counter-clockwise seen from above, from the one
    /// with the lowest (row, column). `None` where one is a hole.
    #[inline]
    pub(in crate::height_field) fn triangle(&self, half: usize) -> Option<[DVec3; 3]> {
        let corner = |column: usize, row: usize| {
            DVec3::new(self.x[column], self.y[row][column], self.z[row])
        };
        let corners = match (self.diagonal, half) {
            (Diagonal::Anti, 0) => [corner(0, 0), corner(0, 1), corner(1, 0)],
            (Diagonal::Anti, _) => [corner(1, 0), corner(0, 1), corner(1, 1)],
            (Diagonal::Main, 0) => [corner(0, 0), corner(1, 1), corner(1, 0)],
            (Diagonal::Main, _) => [corner(0, 0), corner(0, 1), corner(1, 1)],
        };
        let [a, b, c] = corners;
        let is_hole = a.y.is_nan() || b.y.is_nan() || c.y.is_nan();
        (!is_hole).then_some(corners)
    }

    /// x and z of the corners of one of its two triangles, a hole or not, in the same order.
    pub(in crate::height_field) fn seen_from_above(&self, half: usize) -> [[f64; 2]; 3] {
        let y = [[0.0; 2]; 2];
        let corners = Self { y, ..*self }.triangle(half);
        corners
            .unwrap_or_default()
            .map(|corner| [corner.x, corner.z])
    }

    /// The corner of a triangle at which its edges along x and z meet: its column and row.
    #[inline]
    pub(in crate::height_field) fn right_angle(&self, half: usize) -> [usize; 2] {
        match self.diagonal {
            Diagonal::Anti => [half, half],
            Diagonal::Main => [1 - half, half],
        }
    }

    /// How much a triangle rises along the cell's width, and along its depth.
    #[inline]
    pub(in crate::height_field) fn rises(&self, half: usize) -> [f64; 2] {
        let [column, row] = self.right_angle(half);
        [
            self.y[row][1] - self.y[row][0],
            self.y[1][column] - self.y[0][column],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_start_at_the_lowest_corner_and_face_up() {
        for diagonal in [Diagonal::Anti, Diagonal::Main] {
            let cell = Cell {
                first_triangle: 0,
                diagonal,
                x: [0.0, 1.0],
                z: [0.0, 1.0],
                y: [[0.0; 2]; 2],
            };
            for half in 0..2 {
                let corners = cell.triangle(half).unwrap();
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                assert_eq!(normal, DVec3::Y, "{diagonal:?} {half}");
                let order = |p: DVec3| (p.z, p.x);
                assert!(corners[1..].iter().all(|&p| order(p) > order(corners[0])));
                let [column, row] = cell.right_angle(half);
                let angle = DVec3::new(cell.x[column], 0.0, cell.z[row]);
                let legs: Vec<DVec3> = corners
                    .iter()
                    .map(|&p| p - angle)
                    .filter(|&leg| leg != DVec3::ZERO)
                    .collect();
                assert_eq!(legs[0].dot(legs[1]), 0.0);
            }
        }
    }

    #[test]
    fn grids_that_cannot_be_used_are_refused() {
        let good = Grid::new(4, 4, [1.0, 1.0]);
        assert!(good.checked().is_ok());
        let spaced = |spacing| Grid { spacing, ..good }.checked();
        assert!(matches!(
            spaced([f64::NAN, 1.0]),
            Err(Error::NotFinite { .. })
        ));
        assert!(matches!(spaced([1.0, 0.0]), Err(Error::BadValue { .. })));
        assert!(matches!(spaced([1.0, -1.0]), Err(Error::BadValue { .. })));
        assert!(matches!(
            spaced([4e17, 1.0]),
            Err(Error::OutOfRange { index: 3, .. })
        ));
        let shifted = |x| {
            let origin = [x, 0.0, 0.0];
            Grid { origin, ..good }.checked()
        };
        assert!(matches!(shifted(1e17), Err(Error::BadValue { .. })));
        assert!(matches!(
            shifted(f64::INFINITY),
            Err(Error::NotFinite { .. })
        ));
        assert!(matches!(
            Grid::new(1, 4, [1.0, 1.0]).checked(),
            Err(Error::BadValue { .. })
        ));
        assert!(matches!(
            Grid::new(1 << 20, 1 << 20, [1.0, 1.0]).checked(),
            Err(Error::TooMany { .. })
        ));
        let endless = Grid::new(1 << 33, 1 << 33, [1.0, 1.0]);
        assert_eq!(endless.triangle_count(), usize::MAX);
        assert!(matches!(endless.checked(), Err(Error::TooMany { .. })));
    }
}
