//! Height-map terrain: a grid of heights, two triangles a cell, holes where there is no data.
//!
//! The surface is exact: a ray or a point is decided against the triangles themselves, and the
//! pyramid above them only culls. Nothing is smoothed.
//!
//! ```text
//!  (i, j) ------- (i+1, j)        (i, j) ------- (i+1, j)      x to the right,
//!    |     0     /    |             |  \     0      |          z downwards,
//!    |        /       |             |     \         |          seen from above
//!    |    /     1     |             |   1     \     |
//! (i, j+1) ---- (i+1, j+1)       (i, j+1) ---- (i+1, j+1)
//!       Diagonal::Anti                 Diagonal::Main
//! ```

mod storage;
mod height;
mod on_demand;
mod footprint;
mod ray;
mod boxes;
mod shape_cast;
mod sight;
mod viewshed;
mod curvature;
mod closest_point;
mod arc;
mod queries;
mod build;
mod edit;
mod baked;
#[cfg(test)]
mod tests;

use crate::simd::dispatch;
pub use curvature::Curvature;
pub use edit::Region;
pub(crate) use footprint::footprint_as_one;
pub use footprint::{Footprint, FootprintGround, FootprintSample};
pub use height::ground::{Ground, GroundHeight, GroundSurface};
pub(crate) use height::height_batch::fill_chunks;
pub(crate) use height::one_map::sampled_as_one;
pub(crate) use height::radius_query::Wanted;
pub(crate) use ray::wavefront::{TerrainCollector, WAVEFRONT_SIZE, Wavefront};
pub use storage::grid::{Diagonal, Grid};
pub use viewshed::{Viewshed, ViewshedQuery, Visibility};

use crate::cancel::{Cancel, Cancelled};
use crate::shape::aabb::MAX_COORDINATE;
use crate::simd::{Width, prefetch};
use crate::storage::Array;
use crate::{Aabb, Error};
pub(crate) use boxes::BlockChild;
use footprint::MomentPyramid;
use glam::DVec3;
use height::WideGround;
use height::height_sampler::HeightSampler;
use height::samples::SamplePyramid;
use ray::clip::Frame;
pub(crate) use ray::watch::{Block, FieldWatch, TestedChildren};
use std::sync::OnceLock;
use storage::grid::Cell;
use storage::height_range::{Range, cell_heights};
use storage::pyramid::{FAN_OUT, RangePyramid, Span};
use storage::tile::Tiles;

/// Terrain: heights on a grid, with a flat triangle between each three neighbours.
///
/// # Shape and units
/// Heights are `rows * columns` numbers, row by row, in metres above the grid's origin. NaN is a
/// hole: triangles with such a corner do not exist. Triangle `2 * (j * (columns - 1) + i) + half`
/// is one of the two of cell (i, j); the drawing in [the module's page](self) shows which.
/// Normals point up.
///
/// ```
/// use hitscan::height_field::{Grid, Ground};
/// use hitscan::{HeightField, Ray, Side};
/// // A slope that rises by one metre a metre towards +x.
/// let field = HeightField::new(Grid::new(3, 2, [1.0, 1.0]), vec![0.0, 1.0, 2.0, 0.0, 1.0, 2.0])?;
/// let Ground::Height(ground) = field.height([1.25, 0.5]) else { panic!("no ground") };
/// assert_eq!(ground.height, 1.25);
/// let hit = field.cast_ray(&Ray::new([0.0, 1.5, 0.5], [1.0, 0.0, 0.0])?, ()).unwrap();
/// assert_eq!((hit.t, hit.side), (1.5, Side::Front));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Clone)]
pub struct HeightField {
    grid: Grid,
    /// Row by row; a hole is the one NaN `f32::NAN`.
    heights: Array<f32>,
    hole_count: usize,
    ranges: RangePyramid,
    tiles: Tiles,
    /// Made for the first query within a radius.
    samples: OnceLock<SamplePyramid>,
    /// Made for the first query of a footprint.
    moments: OnceLock<MomentPyramid>,
    bounds: Option<Aabb>,
    /// The map's box, as rays are clipped to it.
    frame: Frame,
    sampler: HeightSampler,
    inv_spacing: [f64; 2],
    width: Width,
}

impl HeightField {
    /// The terrain with these heights, `rows * columns`, row by row; NaN is a hole.
    ///
    /// # Errors
    /// [`Error::BadValue`] for fewer than 2 columns or rows, a spacing that is not positive, below
    /// 1e-30 m, or lost in rounding beside the origin; [`Error::NotFinite`] for a spacing or origin
    /// that is NaN or infinite; [`Error::OutOfRange`] with the index of a column, row or sample
    /// beyond ±1e18 m (an infinite height, too); [`Error::WrongLength`] when there are not
    /// `rows * columns` heights; [`Error::TooMany`] for 2^32 triangles or samples and more.
    pub fn new(grid: Grid, heights: Vec<f32>) -> Result<Self, Error> {
        Self::build(grid, heights, Cancel::NEVER)
    }

    /// The same terrain, queried with vectors of this width; the answers are the same bits.
    #[doc(hidden)]
    #[must_use]
    pub fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// The positions of the samples.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The height of a sample above the grid's origin, metres; `None` for a hole and beyond the
    /// map.
    #[must_use]
    pub fn sample(&self, column: usize, row: usize) -> Option<f32> {
        if column >= self.grid.columns || row >= self.grid.rows {
            return None;
        }
        let height = self.heights[row * self.grid.columns + column];
        (!height.is_nan()).then_some(height)
    }

    /// All heights above the grid's origin, row by row, metres; NaN is a hole.
    #[must_use]
    pub fn samples(&self) -> &[f32] {
        &self.heights
    }

    /// The box around all triangles; `None` where all are holes.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    /// The number of triangles that are numbered, holes included.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.grid.triangle_count()
    }

    /// The number of samples that are holes.
    #[must_use]
    pub fn hole_count(&self) -> usize {
        self.hole_count
    }

    /// The memory that the terrain occupies, bytes; it grows by what the first query of some kinds makes
    /// ([`Self::prepare`]).
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&*self.heights)
            + self.ranges.memory_bytes()
            + self.tiles.memory_bytes()
            + self.samples.get().map_or(0, SamplePyramid::memory_bytes)
            + self.moments.get().map_or(0, MomentPyramid::memory_bytes)
    }

    /// The corners of a triangle, counter-clockwise seen from above, from the one with the lowest
    /// (row, column). `None` for a hole and for an index that no triangle has.
    #[must_use]
    pub fn triangle(&self, triangle: u32) -> Option<[DVec3; 3]> {
        let index = triangle as usize;
        if index >= self.triangle_count() {
            return None;
        }
        let cells_a_row = self.grid.columns - 1;
        let cell = self.cell(index / 2 % cells_a_row, index / 2 / cells_a_row);
        cell.triangle(index % 2)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn cell(&self, column: usize, row: usize) -> Cell {
        let [north, south] = cell_heights(&self.grid, &self.heights, column, row);
        let y = |height| self.grid.y(height);
        // Written out: nested `map`s over arrays are not unrolled, and this is the innermost step.
        Cell {
            first_triangle: self.grid.first_triangle(column, row),
            diagonal: self.grid.diagonal,
            x: [self.grid.x(column), self.grid.x(column + 1)],
            z: [self.grid.z(row), self.grid.z(row + 1)],
            y: [[y(north[0]), y(north[1])], [y(south[0]), y(south[1])]],
        }
    }

    /// Prefetches a cell's samples.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fetch_cell(&self, column: usize, row: usize) {
        let north = row * self.grid.columns + column;
        for sample in [north, north + self.grid.columns] {
            if let Some(sample) = self.heights.get(sample) {
                prefetch(sample);
            }
        }
    }

    #[inline]
    fn cell_range(&self, column: usize, row: usize) -> Range {
        let corners = cell_heights(&self.grid, &self.heights, column, row);
        Range::of_cell(self.grid.diagonal, corners)
    }

    /// Refits everything that depends on these samples.
    fn refresh(&mut self, samples: Span, cancel: Cancel<'_>) -> Result<(), Cancelled> {
        // A sample is a corner of the cells before and after it.
        let cells = |[first, last]: [usize; 2], count: usize| {
            [first.saturating_sub(1), last.min(count - 2)]
        };
        let cells = Span {
            columns: cells(samples.columns, self.grid.columns),
            rows: cells(samples.rows, self.grid.rows),
        };
        let Self { grid, heights, .. } = self;
        let width = self.width;
        dispatch!(width, _simd => self.ranges.refresh(grid, heights, cells, cancel))?;
        let ranges = &self.ranges;
        dispatch!(width, simd => self.tiles.refresh(simd, grid, heights, ranges, cells));
        if let Some(pyramid) = self.samples.get_mut() {
            dispatch!(width, _simd => pyramid.refresh(grid, heights, samples));
        }
        if let Some(mut moments) = self.moments.take() {
            moments.refresh(self, cells);
            self.moments = OnceLock::from(moments);
        }
        self.bounds = self.find_bounds();
        self.frame = Frame::new(&self.grid, self.ranges.root());
        self.sampler = HeightSampler::new(&self.grid, self.ranges.root());
        Ok(())
    }

    fn find_bounds(&self) -> Option<Aabb> {
        let range = self.ranges.root();
        if range.is_empty() {
            return None;
        }
        let (x, z) = (self.grid.x_lines(), self.grid.z_lines());
        let (low, high) = (self.grid.y(range.min), self.grid.y(range.max));
        let mut found = [
            DVec3::new(f64::INFINITY, low, f64::INFINITY),
            DVec3::new(f64::NEG_INFINITY, high, f64::NEG_INFINITY),
        ];
        if self.hole_count() == 0 {
            found[0] = DVec3::new(x.first(), low, z.first());
            found[1] = DVec3::new(x.end(), high, z.end());
        } else {
            self.extend_bounds(&mut found, self.ranges.top(), [0, 0], range);
        }
        Aabb::around_f64(found)
    }

    /// Extends the box by a block's triangles. A block whose whole box lies in it adds nothing, so
    /// only a few are descended into.
    fn extend_bounds(
        &self,
        found: &mut [DVec3; 2],
        level: usize,
        [column, row]: [usize; 2],
        range: Range,
    ) {
        if range.is_empty() {
            return;
        }
        let size = FAN_OUT.pow(u32::try_from(level).unwrap_or(u32::MAX));
        let [x, z] =
            [(self.grid.x_lines(), column), (self.grid.z_lines(), row)].map(|(lines, block)| {
                [block * size, block * size + size].map(|i| lines.at(i.min(lines.last)))
            });
        let min = DVec3::new(x[0], self.grid.y(range.min), z[0]);
        let max = DVec3::new(x[1], self.grid.y(range.max), z[1]);
        let [low, high] = *found;
        if low.cmple(min).all() && high.cmpge(max).all() {
            return;
        }
        if level == 0 {
            *found = [low.min(min), high.max(max)];
            return;
        }
        let ends =
            |block: usize, count: usize| FAN_OUT * block..(FAN_OUT * block + FAN_OUT).min(count);
        let cells_a_child = size / FAN_OUT;
        for row in ends(row, (self.grid.rows - 1).div_ceil(cells_a_child)) {
            for column in ends(column, (self.grid.columns - 1).div_ceil(cells_a_child)) {
                let range = if level == 1 {
                    self.cell_range(column, row)
                } else {
                    let node = self.ranges.node(level, column / FAN_OUT, row / FAN_OUT);
                    node.child(row % FAN_OUT * FAN_OUT + column % FAN_OUT)
                };
                self.extend_bounds(found, level - 1, [column, row], range);
            }
        }
    }
}

/// What is found of heights in one pass over them.
#[derive(Clone, Copy)]
struct HeightStatistics {
    /// The largest magnitude, 0 where all are holes.
    max_abs: f32,
    holes: usize,
}

/// Refuses heights whose y is infinite or beyond the limit; holes pass.
fn check_heights(grid: &Grid, heights: &[f32], found: HeightStatistics) -> Result<(), Error> {
    let limit = f64::from(MAX_COORDINATE);
    // Rounding is monotone, so no y is farther than this.
    let farthest = grid.origin[1].abs() + f64::from(found.max_abs);
    if farthest <= limit {
        return Ok(());
    }
    let far = |height: &f32| grid.y(*height).abs() > limit;
    match heights.iter().position(far) {
        Some(index) => Err(Error::OutOfRange {
            what: "height",
            index,
            found: grid.y(heights[index]),
            limit,
        }),
        None => Ok(()),
    }
}

/// Makes every NaN the same, so that equal terrains have equal bits.
#[cfg_attr(not(debug_assertions), inline(always))]
fn canonicalize_holes(
    heights: &mut [f32],
    cancel: Cancel<'_>,
) -> Result<HeightStatistics, Cancelled> {
    /// So few that they are counted in 32 bits.
    const RUN: usize = 1 << 16;
    let (mut max, mut holes) = (0, 0);
    for run in heights.chunks_mut(RUN) {
        cancel.check()?;
        let mut holes_of_run = 0_u32;
        for height in run {
            let is_hole = height.is_nan();
            // Magnitudes are ordered as their bits are, and a maximum of integers is vector code.
            let bits = height.abs().to_bits();
            max = max.max(if is_hole { 0 } else { bits });
            holes_of_run += u32::from(is_hole);
            *height = if is_hole { f32::NAN } else { *height };
        }
        holes += holes_of_run as usize;
    }
    Ok(HeightStatistics {
        max_abs: f32::from_bits(max),
        holes,
    })
}
