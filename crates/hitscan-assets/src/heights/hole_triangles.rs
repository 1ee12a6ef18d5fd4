//! The number of triangles of a map with holes.

use hitscan::height_field::{Diagonal, HeightField};

use super::height_map::HeightMap;

impl HeightMap {
    /// How many holes the map has, and how many triangles: two a cell, but for those with a hole at a
    /// corner.
    #[must_use]
    pub fn hole_and_triangle_counts(&self, diagonal: Diagonal) -> [usize; 2] {
        let (columns, rows) = (self.columns(), self.rows());
        let mut is_hole = vec![true; columns * rows];
        for (image, at) in self.files() {
            for row in 0..image.rows() {
                let start = (at[1] + row) * columns + at[0];
                let of_row = &mut is_hole[start..start + image.columns()];
                for (column, is_hole) in of_row.iter_mut().enumerate() {
                    *is_hole &= image.value(column, row).is_none();
                }
            }
        }
        let triangles = triangles_without_holes([columns, rows], diagonal, |column, row| {
            is_hole[row * columns + column]
        });
        let holes = is_hole.iter().filter(|is_hole| **is_hole).count();
        [holes, triangles]
    }
}

/// The triangles of terrain that have no hole at a corner; the others are numbered, but not there.
#[must_use]
pub fn solid_triangle_count(field: &HeightField) -> usize {
    let grid = field.grid();
    let is_hole = |column, row| field.sample(column, row).is_none();
    triangles_without_holes([grid.columns, grid.rows], grid.diagonal, is_hole)
}

/// The triangles of a map of this size that have no hole at a corner.
fn triangles_without_holes(
    [columns, rows]: [usize; 2],
    diagonal: Diagonal,
    is_hole: impl Fn(usize, usize) -> bool,
) -> usize {
    let mut count = 0;
    for row in 1..rows {
        for column in 1..columns {
            let west = [is_hole(column - 1, row - 1), is_hole(column - 1, row)];
            let east = [is_hole(column, row - 1), is_hole(column, row)];
            // The two corners of the shared edge belong to both triangles.
            let (shared, single) = match diagonal {
                Diagonal::Anti => ([east[0], west[1]], [west[0], east[1]]),
                Diagonal::Main => ([west[0], east[1]], [east[0], west[1]]),
            };
            if shared == [false, false] {
                count += single.iter().filter(|&&is_hole| !is_hole).count();
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_takes_its_triangles_with_it() {
        // Holes at a corner and in the middle:
        //
        //   x---o---o        /: anti, \: main
        //   | / | / |
        //   o---x---o
        //   | / | / |
        //   o---o---o
        let is_hole = |column, row| [column, row] == [0, 0] || [column, row] == [1, 1];
        for (diagonal, expected) in [(Diagonal::Anti, 1), (Diagonal::Main, 2)] {
            assert_eq!(triangles_without_holes([3, 3], diagonal, is_hole), expected);
        }
        let corner = |column, row| [column, row] == [0, 0];
        assert_eq!(triangles_without_holes([3, 3], Diagonal::Anti, corner), 7);
        assert_eq!(triangles_without_holes([3, 3], Diagonal::Main, corner), 6);
    }
}
