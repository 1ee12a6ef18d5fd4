//! A moving box or shape over a few cells: the triangles below it are visited block by block, front to back.

use super::HeightField;
use super::grid::Lines;
use super::near_lanes::{CHILDREN, Ground, Touched};
use super::near_shape::{MovingShape, Over};
use super::pyramid::{FAN_OUT, Range, Span, cell_heights};
use super::ray::wide_walk::{Mover, Visit, walk_near};
use super::tile::ROUNDING_ERROR;
use crate::contact::triangle_source::{BestFirst, MovingBox, SourceTriangle};
use crate::ray_cast::hit::TriangleId;
use crate::simd::{dispatch, prefetch};
use core::ops::ControlFlow;
use fearless_simd::{Simd, f32x16, prelude::*};
use glam::DVec3;
use smallvec::SmallVec;

impl HeightField {
    /// The cells that a moving box may touch, if it is itself over a few only: so many that tie are
    /// looked at one by one.
    pub(super) fn narrow_span(&self, swept: &MovingBox) -> Option<Span> {
        let along = |axis: usize, lines: &Lines| {
            let (min, max) = (swept.min[axis], swept.max[axis]);
            let is_narrow = max - min <= FEW * lines.spacing;
            if !is_narrow {
                return None;
            }
            let motion = swept.motion[axis];
            let last = lines.last.checked_sub(1)?;
            // Divisions are rounded, by far less than a cell.
            let cell = |x: f64, aside: f64| {
                let cell = ((x - lines.origin) / lines.spacing).floor() + aside;
                cell.clamp(0.0, last as f64)
            };
            let first = cell(min + motion.min(0.0), -1.0);
            let end = cell(max + motion.max(0.0), 1.0);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "indices from 0 to the last cell"
            )]
            let span = [first as usize, end as usize];
            (first <= end).then_some(span)
        };
        Some(Span {
            columns: along(0, &self.grid.x_lines())?,
            rows: along(2, &self.grid.z_lines())?,
        })
    }

    /// Visits the triangles that a box may touch on its way, cell by cell.
    pub(super) fn search_along(&self, swept: &MovingBox, span: Span, search: &mut dyn BestFirst) {
        let shape = search
            .outline()
            .and_then(|outline| MovingShape::new(self, swept, outline));
        if let Some(shape) = shape {
            let mut near = NearSearch {
                field: self,
                shape: &shape,
                search,
            };
            // The search holds how the traversal ended.
            let _ = dispatch!(self.width, simd => near.run(simd, span));
            return;
        }
        let mover = Mover::new(swept.min, swept.max, swept.motion, 0.0);
        let (x_lines, z_lines) = (self.grid.x_lines(), self.grid.z_lines());
        let limit = |search: &dyn BestFirst| f64::from(search.time_limit().next_up());
        let start = limit(search);
        let _ = walk_near(
            self,
            &mover,
            span,
            start,
            &mut |Visit { column, row, .. }| {
                let range = self.cell_range(column, row);
                let [low, high] = [range.min, range.max].map(|height| self.grid.y(height));
                let min = DVec3::new(x_lines.at(column), low, z_lines.at(row));
                let max = DVec3::new(x_lines.at(column + 1), high, z_lines.at(row + 1));
                let Some(bound) = search.quick_bound(min, max) else {
                    return ControlFlow::Continue(limit(search));
                };
                let cell = self.cell(column, row);
                for half in 0..2 {
                    let triangle = cell.first_triangle + u32::from(half == 1);
                    let id = TriangleId { part: 0, triangle };
                    if search.admits(bound, id)
                        && let Some(corners) = cell.triangle(half)
                    {
                        search.visit(source_triangle(triangle, corners));
                    }
                }
                if search.is_done() {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(limit(search))
            },
        );
    }
}

/// A search along the way of a moving shape.
struct NearSearch<'a> {
    field: &'a HeightField,
    shape: &'a MovingShape,
    search: &'a mut dyn BestFirst,
}

/// A block whose children are still to open: a bit each, and how early they may be touched.
struct Opened {
    level: usize,
    column: usize,
    row: usize,
    touched: Touched<CHILDREN>,
}

impl NearSearch<'_> {
    /// Visits the triangles of some cells that the shape may touch, from the lowest level on on which
    /// the cells are four blocks or fewer.
    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S, span: Span) -> ControlFlow<()> {
        let top = self.field.ranges.top();
        if top == 1 {
            return self.visit_block(simd, 0, 0);
        }
        let mut level = 2;
        let mut blocks = span.blocks_of(FAN_OUT * FAN_OUT);
        let is_wide = |[first, last]: [usize; 2]| last > first + 1;
        while level < top && (is_wide(blocks.columns) || is_wide(blocks.rows)) {
            blocks = blocks.blocks_of(FAN_OUT);
            level += 1;
        }
        let [goes_west, goes_north] = [0, 2].map(|axis| self.shape.motion[axis] < 0.0);
        let mut stack = SmallVec::<[Opened; 2]>::new();
        for j in 0..=blocks.rows[1] - blocks.rows[0] {
            for i in 0..=blocks.columns[1] - blocks.columns[0] {
                let column = if goes_west {
                    blocks.columns[1] - i
                } else {
                    blocks.columns[0] + i
                };
                let row = if goes_north {
                    blocks.rows[1] - j
                } else {
                    blocks.rows[0] + j
                };
                stack.push(self.open(simd, level, column, row));
                while let Some(opened) = stack.last_mut() {
                    let Some((child, enter)) = opened.touched.take_first() else {
                        stack.pop();
                        continue;
                    };
                    if enter > self.limit() {
                        stack.pop();
                        continue;
                    }
                    let (level, column, row) = (
                        opened.level - 1,
                        opened.column * FAN_OUT + child % FAN_OUT,
                        opened.row * FAN_OUT + child / FAN_OUT,
                    );
                    if level == 1 {
                        self.visit_block(simd, column, row)?;
                    } else {
                        let opened = self.open(simd, level, column, row);
                        stack.push(opened);
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// What is touched later does not matter.
    fn limit(&self) -> f32 {
        self.search.time_limit().next_up()
    }

    #[inline(always)]
    fn open<S: Simd>(&self, simd: S, level: usize, column: usize, row: usize) -> Opened {
        let over = self.shape.over([column, row], 1 << (2 * (level - 1)));
        let node = self.field.ranges.node(level, column, row);
        let touched = self.shape.touched_children(simd, &over, node, self.limit());
        if level == 2 {
            self.fetch_tiles([column, row], touched.mask);
        }
        Opened {
            level,
            column,
            row,
            touched,
        }
    }

    /// Prefetches the tiles of children.
    #[inline(always)]
    fn fetch_tiles(&self, [column, row]: [usize; 2], mut mask: u32) {
        while mask != 0 {
            let child = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            let (column, row) = (
                column * FAN_OUT + child % FAN_OUT,
                row * FAN_OUT + child / FAN_OUT,
            );
            prefetch(self.field.tiles.at(self.field.tiles.index(column, row)));
        }
    }

    /// Visits the triangles of a block of 4x4 cells.
    #[inline(always)]
    fn visit_block<S: Simd>(&mut self, simd: S, column: usize, row: usize) -> ControlFlow<()> {
        let field = self.field;
        let over = self.shape.over([column, row], 1);
        let tile = field.tiles.at(field.tiles.index(column, row));
        let mut touched = if tile.is_known() {
            let step = tile.per_step().recip();
            let [a, b, c, d] = tile.corners(simd);
            let corners = [a * step, b * step, c * step, d * step];
            let above = self.shape.above(tile.base());
            let ground = Ground::new(
                self.shape,
                corners,
                above,
                [255.0 * step, ROUNDING_ERROR * step],
            );
            self.shape
                .touched_triangles(simd, &over, &ground, self.limit())
        } else {
            let Some((corners, range, cells)) = self.corners_of([column, row]) else {
                return ControlFlow::Continue(());
            };
            let above = self.shape.above(range.min);
            let spread = range.max - range.min;
            let corners = corners.map(|lanes| f32x16::load_array(simd, lanes));
            let ground = Ground::new(self.shape, corners, above, [spread, spread * f32::EPSILON]);
            let mut touched = self
                .shape
                .touched_triangles(simd, &over, &ground, self.limit());
            touched.mask &= cells;
            touched
        };
        if touched.mask == 0 {
            return ControlFlow::Continue(());
        }
        self.visit_triangles([column, row], &mut touched)
    }

    /// The corners of a block's cells above its lowest height, its heights, and a bit for each triangle of
    /// cells that are on the map.
    #[inline(never)]
    fn corners_of(&self, [column, row]: [usize; 2]) -> Option<([[f32; CHILDREN]; 4], Range, u32)> {
        let field = self.field;
        let range = field.ranges.of_block(column, row);
        let mut corners = [[f32::NAN; CHILDREN]; 4];
        let mut cells = 0;
        for k in 0..CHILDREN {
            let (column, row) = (column * FAN_OUT + k % FAN_OUT, row * FAN_OUT + k / FAN_OUT);
            if column + 1 < field.grid.columns && row + 1 < field.grid.rows {
                let heights = cell_heights(&field.grid, &field.heights, column, row);
                for (corner, height) in heights.into_iter().flatten().enumerate() {
                    corners[corner][k] = height - range.min;
                }
                cells |= 1 << k | 1 << (k + CHILDREN);
            }
        }
        (!range.is_empty()).then_some((corners, range, cells))
    }

    /// Visits triangles of a block, those that may be touched first first.
    #[inline(never)]
    fn visit_triangles(
        &mut self,
        [block_column, block_row]: [usize; 2],
        touched: &mut Touched<{ 2 * CHILDREN }>,
    ) -> ControlFlow<()> {
        let field = self.field;
        while let Some((lane, enter)) = touched.take_first() {
            let bound = if enter > 0.0 {
                f64::from(enter)
            } else {
                f64::NEG_INFINITY
            };
            let (half, k) = (lane / CHILDREN, lane % CHILDREN);
            let column = block_column * FAN_OUT + k % FAN_OUT;
            let row = block_row * FAN_OUT + k / FAN_OUT;
            let triangle = field.grid.first_triangle(column, row) + u32::from(half == 1);
            let id = TriangleId { part: 0, triangle };
            if enter > self.limit() {
                return ControlFlow::Continue(());
            }
            if !self.search.admits(bound, id) {
                continue;
            }
            let cell = field.cell(column, row);
            let Some(corners) = cell.triangle(half) else {
                continue;
            };
            let [a, b, c] = corners;
            let bound = self.search.quick_bound(a.min(b).min(c), a.max(b).max(c));
            if !bound.is_some_and(|bound| self.search.admits(bound, id)) {
                continue;
            }
            self.search.visit(source_triangle(triangle, corners));
            if self.search.is_done() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl<const N: usize> Touched<N> {
    /// The one that may be touched first, of equal ones the first, and when; it is taken out.
    #[inline(always)]
    fn take_first(&mut self) -> Option<(usize, f32)> {
        let mut mask = self.mask;
        let mut first = mask.trailing_zeros() as usize;
        let mut enter = *self.enter.get(first)?;
        mask &= mask - 1;
        while mask != 0 {
            let next = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            if self.enter[next] < enter {
                (first, enter) = (next, self.enter[next]);
            }
        }
        self.mask &= !(1 << first);
        Some((first, enter))
    }
}

/// Boxes up to so many cells wide are searched cell by cell.
const FEW: f64 = 8.0;

/// Its corners go counter-clockwise seen from above, which is its front.
pub(super) fn source_triangle(triangle: u32, corners: [DVec3; 3]) -> SourceTriangle {
    SourceTriangle {
        id: TriangleId { part: 0, triangle },
        corners,
        is_mirrored: false,
    }
}
