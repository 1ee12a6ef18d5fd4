//! The height of the ground at a point: exact, the highest within a radius, the mean within one.
//!
//! Which triangle a point belongs to is decided exactly; nothing is interpolated across cells.
//! Samples within a radius are found by `circle.rs`; rays stand in `ray.rs`.

use super::HeightField;
use super::cell_index::Gap;
use super::grid::{Cell, Diagonal};
use super::radius_query::{Circle, Reached, Wanted};
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF, nearest_f32};
use crate::ray_cast::hit::unit;
use crate::ray_cast::ray_triangle;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// Bound on the error of the difference of two products of differences, in units of the sum of
/// the products' magnitudes: one rounding for each difference and each product makes 3u, the last
/// difference 1u; the rest covers u².
const DIAGONAL_ERROR: f64 = 5.0 * UNIT_ROUNDOFF;

/// What stands at a point of the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ground {
    /// The ground, on a triangle.
    Height(GroundHeight),
    /// The point lies beyond the map's borders. The borders themselves belong to the map.
    Outside,
    /// Each triangle at the point is a hole.
    Hole,
}

impl Ground {
    /// The ground, where there is some.
    #[must_use]
    pub fn ok(self) -> Option<GroundHeight> {
        match self {
            Self::Height(ground) => Some(ground),
            Self::Outside | Self::Hole => None,
        }
    }
}

/// The ground at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundHeight {
    /// The y of the ground, metres.
    pub height: f32,
    /// The unit normal of the triangle, which points up.
    pub normal: Vec3,
    /// The triangle: on an edge or corner the lowest there that is no hole.
    pub triangle: u32,
}

/// What the samples within a radius come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SampledGround {
    /// Their maximum or mean as a y, metres.
    Height(f32),
    /// There is no sample with a height, and the point lies beyond the map's borders.
    Outside,
    /// The point is on the map, and all samples within the radius are holes.
    Hole,
    /// The point is on the map, and no sample lies within the radius.
    Empty,
}

impl SampledGround {
    /// The height, where there is one.
    #[must_use]
    pub fn ok(self) -> Option<f32> {
        match self {
            Self::Height(height) => Some(height),
            Self::Outside | Self::Hole | Self::Empty => None,
        }
    }
}

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
    /// The ground at (x, z), on its triangle's plane: exact, not bilinear.
    ///
    /// A point that is NaN or infinite is [`Ground::Outside`].
    ///
    /// # Accuracy
    /// The triangle is exact. The height is worked out in f64 and rounded once; at a sample it is
    /// the sample.
    #[must_use]
    pub fn height(&self, x: f32, z: f32) -> Ground {
        match self.ground_at(f64::from(x), f64::from(z)) {
            WideGround::Height {
                height,
                triangle,
                corners,
            } => Ground::Height(GroundHeight {
                height: nearest_f32(height),
                normal: unit(ray_triangle::normal(&corners)),
                triangle,
            }),
            WideGround::Outside => Ground::Outside,
            WideGround::Hole => Ground::Hole,
        }
    }

    /// The highest sample whose horizontal distance from (x, z) is at most `radius` metres.
    ///
    /// The distance is compared as `dx * dx + dz * dz <= radius * radius` in f64. The point may lie
    /// beyond the map; one that is NaN or infinite is [`SampledGround::Outside`]. A radius that is
    /// negative or NaN reaches nothing, an infinite one everything.
    #[must_use]
    pub fn max_height(&self, x: f32, z: f32, radius: f64) -> SampledGround {
        let answer = |reached: &Reached| self.grid.y(reached.tally.highest);
        self.sampled(x, z, radius, Wanted::Highest, answer)
    }

    /// The mean of the samples whose horizontal distance from (x, z) is at most `radius` metres.
    ///
    /// The circle is that of [`HeightField::max_height`]. Heights are added in f64 in an order
    /// that depends on the grid and the circle alone, so edits leave the same bits as a fresh map.
    #[must_use]
    pub fn mean_height(&self, x: f32, z: f32, radius: f64) -> SampledGround {
        let answer = |reached: &Reached| {
            self.grid.origin[1] + reached.tally.sum / f64::from(reached.tally.count)
        };
        self.sampled(x, z, radius, Wanted::Mean, answer)
    }

    fn sampled(
        &self,
        x: f32,
        z: f32,
        radius: f64,
        wanted: Wanted,
        answer: impl Fn(&Reached) -> f64,
    ) -> SampledGround {
        if !(x.is_finite() && z.is_finite()) {
            return SampledGround::Outside;
        }
        let (x, z) = (f64::from(x), f64::from(z));
        let reaches_nothing = radius.is_nan() || radius < 0.0;
        let circle = Circle {
            x,
            z,
            radius_squared: if reaches_nothing {
                f64::NAN
            } else {
                radius * radius
            },
        };
        let reached = self
            .samples
            .within(self.width, &self.grid, &self.heights, circle, wanted);
        if reached.tally.count > 0 {
            return SampledGround::Height(nearest_f32(answer(&reached)));
        }
        let is_on_map =
            self.grid.x_lines().gaps_at(x).is_some() && self.grid.z_lines().gaps_at(z).is_some();
        match (is_on_map, reached.is_any) {
            (false, _) => SampledGround::Outside,
            (true, true) => SampledGround::Hole,
            (true, false) => SampledGround::Empty,
        }
    }

    pub(super) fn ground_at(&self, x: f64, z: f64) -> WideGround {
        let [column, row] = [
            Gap::of(&self.grid.x_lines(), self.per_spacing[0], x),
            Gap::of(&self.grid.z_lines(), self.per_spacing[1], z),
        ];
        if column.is_sure
            && row.is_sure
            && let Some(ground) = self.ground_in_cell(column.index, row.index, x, z)
        {
            return ground;
        }
        self.ground_by_search(x, z)
    }

    /// As [`Self::ground_at`], by the lines alone and in each cell that the point belongs to.
    fn ground_by_search(&self, x: f64, z: f64) -> WideGround {
        let (Some([west, east]), Some([north, south])) = (
            self.grid.x_lines().gaps_at(x),
            self.grid.z_lines().gaps_at(z),
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
