//! The height of the ground at a point: exact, the highest within a radius, the mean within one.
//!
//! Which triangle a point belongs to is decided exactly; nothing is interpolated across cells.

pub(in crate::height_field) mod ground;
pub(in crate::height_field) mod samples;
pub(in crate::height_field) mod radius_query;
pub(in crate::height_field) mod height_sampler;
pub(in crate::height_field) mod height_batch;
pub(in crate::height_field) mod one_map;

use super::HeightField;
use super::height::ground::{Ground, GroundHeight, GroundSurface};
use super::height::radius_query::{Circle, CircleTally, Wanted};
use super::storage::cell_index::CellIndex;
use super::storage::grid::{Cell, Diagonal};
use crate::WorkLimit;
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF, nearest_f32};
use crate::narrow_phase::ray_cast::ray_triangle;
use crate::shape::unit_vector::unit;
use core::cmp::Ordering;
use glam::{DVec2, DVec3, Vec2};

/// Bound on the error of the difference of two products of differences, in units of the sum of
/// the products' magnitudes: one rounding for each difference and each product makes 3u, the last
/// difference 1u; the rest covers u².
const DIAGONAL_ERROR: f64 = 5.0 * UNIT_ROUNDOFF;

/// A point's triangle and height before rounding.
#[derive(Debug, Clone, Copy)]
pub(super) enum WideGround {
    Height {
        height: f64,
        triangle: u32,
        corners: [DVec3; 3],
    },
    Outside,
    Hole,
}

impl HeightField {
    /// The ground at a point (x, z), on its triangle's plane: exact, not bilinear.
    ///
    /// A point that is NaN or infinite is [`Ground::Outside`].
    ///
    /// # Accuracy
    /// The triangle is exact. The height is computed in f64 and rounded once; at a sample it is
    /// the sample.
    #[must_use]
    #[inline]
    pub fn height(&self, point: impl Into<Vec2>) -> Ground {
        self.height_at(point.into())
    }

    /// The height of the ground at a point (x, z) in f64: what [`HeightField::height`] rounds. `None`
    /// off the map and over a hole.
    ///
    /// ```
    /// use hitscan::{HeightField, height_field::Grid};
    /// let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0, 1.0, 0.0, 1.0])?;
    /// assert_eq!(field.height_f64([0.1, 0.5]), Some(0.1));
    /// assert_eq!(field.height_f64([1.1, 0.5]), None);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn height_f64(&self, point: impl Into<DVec2>) -> Option<f64> {
        let DVec2 { x, y: z } = point.into();
        match self.ground_at(x, z) {
            WideGround::Height { height, .. } => Some(height),
            WideGround::Outside | WideGround::Hole => None,
        }
    }

    pub(crate) fn height_at(&self, point: Vec2) -> Ground {
        match self.ground_at(f64::from(point.x), f64::from(point.y)) {
            WideGround::Height {
                height,
                triangle,
                corners,
            } => Ground::Height(GroundHeight {
                height: nearest_f32(height),
                object: None,
                user_data: 0,
                surface: Some(GroundSurface {
                    normal: unit(ray_triangle::normal(&corners)),
                    triangle,
                }),
            }),
            WideGround::Outside => Ground::Outside,
            WideGround::Hole => Ground::Hole,
        }
    }

    /// The highest sample whose horizontal distance from a point (x, z) is at most `radius` metres.
    ///
    /// The distance is compared as `dx * dx + dz * dz <= radius * radius` in f64. The point may lie
    /// beyond the map; one that is NaN or infinite is [`Ground::Outside`]. A radius that is
    /// negative or NaN reaches nothing, an infinite one everything.
    #[must_use]
    #[inline]
    pub fn max_height(&self, point: impl Into<Vec2>, radius: impl Into<f64>) -> Ground {
        self.sampled(point.into(), radius.into(), (Wanted::Max, None))
    }

    /// The mean of the samples whose horizontal distance from a point (x, z) is at most `radius`
    /// metres.
    ///
    /// The circle is that of [`HeightField::max_height`]. Heights are added in f64 in an order
    /// that depends on the grid and the circle alone, so edits leave the same bits as a fresh map.
    #[must_use]
    #[inline]
    pub fn mean_height(&self, point: impl Into<Vec2>, radius: impl Into<f64>) -> Ground {
        self.sampled(point.into(), radius.into(), (Wanted::Mean, None))
    }

    pub(crate) fn sampled(
        &self,
        point: Vec2,
        radius: f64,
        (wanted, limit): (Wanted, Option<&WorkLimit<'_>>),
    ) -> Ground {
        let Some(circle) = Circle::around(point, radius) else {
            return Ground::Outside;
        };
        let CircleTally { tally, is_any } = self.tally_within(circle, (wanted, limit));
        let y = (tally.count > 0).then(|| match wanted {
            Wanted::Max => self.grid.y(tally.max),
            Wanted::Mean => self.grid.origin[1] + tally.sum / f64::from(tally.count),
        });
        sampled_ground(y, self.is_over(circle), is_any)
    }

    fn tally_within(
        &self,
        circle: Circle,
        options: (Wanted, Option<&WorkLimit<'_>>),
    ) -> CircleTally {
        let pyramid = self.sample_pyramid();
        pyramid.within(self.width, &self.grid, &self.heights, circle, options)
    }

    /// Whether a circle's centre is on the map.
    fn is_over(&self, Circle { x, z, .. }: Circle) -> bool {
        self.grid.x_lines().contains(x) && self.grid.z_lines().contains(z)
    }

    pub(super) fn ground_at(&self, x: f64, z: f64) -> WideGround {
        let [column, row] = [
            CellIndex::of(&self.grid.x_lines(), self.inv_spacing[0], x),
            CellIndex::of(&self.grid.z_lines(), self.inv_spacing[1], z),
        ];
        if column.is_certain
            && row.is_certain
            && let Some(ground) = self.ground_in_cell(column.index, row.index, x, z)
        {
            return ground;
        }
        self.ground_by_search(x, z)
    }

    /// As [`Self::ground_at`], by the lines alone and in each cell that the point belongs to.
    fn ground_by_search(&self, x: f64, z: f64) -> WideGround {
        let (Some([west, east]), Some([north, south])) = (
            self.grid.x_lines().cells_at(x),
            self.grid.z_lines().cells_at(z),
        ) else {
            return WideGround::Outside;
        };
        // Cells in the order of their triangles' numbers; most points are in one.
        let mut ground = self.ground_in_cell(west, north, x, z);
        if ground.is_none() && west != east {
            ground = self.ground_in_cell(east, north, x, z);
        }
        if ground.is_none() && north != south {
            ground = self.ground_in_cell(west, south, x, z);
            if ground.is_none() && west != east {
                ground = self.ground_in_cell(east, south, x, z);
            }
        }
        ground.unwrap_or(WideGround::Hole)
    }

    /// The ground at a point of a closed cell, on the lower of its triangles there.
    #[inline]
    fn ground_in_cell(&self, column: usize, row: usize, x: f64, z: f64) -> Option<WideGround> {
        let cell = self.cell(column, row);
        let side = side_of_diagonal(&cell, x, z);
        let on = |half: usize| {
            let corners = cell.triangle(half)?;
            Some(WideGround::Height {
                height: plane_height(&cell, half, x, z),
                triangle: cell.first_triangle + u32::from(half == 1),
                corners,
            })
        };
        match side {
            Ordering::Less => on(0),
            Ordering::Equal => on(0).or_else(|| on(1)),
            Ordering::Greater => on(1),
        }
    }
}

/// The answer of what is sampled within a circle: its y, if any sample has one, whether the centre is on a
/// map, and whether there is any sample.
fn sampled_ground(y: Option<f64>, is_on_map: bool, is_any: bool) -> Ground {
    match (y, is_on_map, is_any) {
        (Some(y), ..) => Ground::Height(GroundHeight {
            height: nearest_f32(y),
            object: None,
            user_data: 0,
            surface: None,
        }),
        (None, false, _) => Ground::Outside,
        (None, true, true) => Ground::Hole,
        (None, true, false) => Ground::Empty,
    }
}

/// The y of a triangle's plane: its corners' y by their weights, which at a corner are 0 and 1.
#[inline]
fn plane_height(cell: &Cell, half: usize, x: f64, z: f64) -> f64 {
    let [column, row] = cell.right_angle(half);
    let along =
        |ends: [f64; 2], from: usize, to: f64| (to - ends[from]) / (ends[1 - from] - ends[from]);
    let (u, v) = (along(cell.x, column, x), along(cell.z, row, z));
    let (beside, below) = (cell.y[row][1 - column], cell.y[1 - row][column]);
    (1.0 - u - v) * cell.y[row][column] + u * beside + v * below
}

/// On which side of its cell's diagonal a point lies, exactly: `Less` on triangle 0's.
///
/// The sign of `(b - a) × (p - a)` for the diagonal from a, on the first column, to b.
#[inline]
fn side_of_diagonal(cell: &Cell, x: f64, z: f64) -> Ordering {
    let [from, to] = match cell.diagonal {
        Diagonal::Anti => [cell.z[1], cell.z[0]],
        Diagonal::Main => [cell.z[0], cell.z[1]],
    };
    let left = (cell.x[1] - cell.x[0]) * (z - from);
    let right = (to - from) * (x - cell.x[0]);
    let difference = left - right;
    if difference.abs() > DIAGONAL_ERROR * (left.abs() + right.abs()) {
        return if difference > 0.0 {
            Ordering::Greater
        } else {
            Ordering::Less
        };
    }
    exact_side_of_diagonal(cell, [from, to], x, z)
}

#[cold]
fn exact_side_of_diagonal(cell: &Cell, [from, to]: [f64; 2], x: f64, z: f64) -> Ordering {
    let exact = Expansion::from_difference;
    let left = exact(cell.x[1], cell.x[0]).times(&exact(z, from));
    let right = exact(to, from).times(&exact(x, cell.x[0]));
    left.minus(&right).sign()
}
