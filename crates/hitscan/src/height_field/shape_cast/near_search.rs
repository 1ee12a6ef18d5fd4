//! A search along the way of a moving shape: blocks are tested sixteen children at once, and of 4x4 cells
//! all triangles, which are visited by how early they may be touched.

use super::near_lanes::{CHILDREN, Ground, Touched};
use super::near_shape::MovingShape;
use crate::height_field::HeightField;
use crate::height_field::storage::height_range::{Range, cell_heights};
use crate::height_field::storage::pyramid::{FAN_OUT, Span};
use crate::height_field::storage::tile::ROUNDING_ERROR;
use crate::narrow_phase::contact::triangle_source::{BestFirst, SourceTriangle};
use crate::narrow_phase::ray_cast::hit::TriangleId;
use crate::simd::{dispatch, prefetch};
use core::ops::ControlFlow;
use fearless_simd::{Simd, f32x16, prelude::*};
use glam::DVec3;
use smallvec::SmallVec;

/// A search along the way of a moving shape.
pub(in crate::height_field) struct NearSearch<'a> {
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

impl<'a> NearSearch<'a> {
    pub(in crate::height_field) fn new(
        field: &'a HeightField,
        shape: &'a MovingShape,
        search: &'a mut dyn BestFirst,
    ) -> Self {
        Self {
            field,
            shape,
            search,
        }
    }

    /// Visits the triangles of some cells that the shape may touch.
    pub(in crate::height_field) fn run(&mut self, span: Span) {
        // The search holds how the traversal ended.
        let _ = dispatch!(self.field.width, simd => self.open_all(simd, span));
    }

    /// Opens the blocks of these cells, from the lowest level on which they are four or fewer.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open_all<S: Simd>(&mut self, simd: S, span: Span) -> ControlFlow<()> {
        let top = self.field.ranges.top();
        if top == 1 {
            return self.visit_block(simd, 0, 0);
        }
        let (level, blocks) = span.blocks_of(FAN_OUT * FAN_OUT).at_four_blocks(2, top);
        for (column, row) in blocks.places() {
            let node = self.field.ranges.node(level, column, row);
            prefetch(&node.min);
            prefetch(&node.max);
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

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open<S: Simd>(&self, simd: S, level: usize, column: usize, row: usize) -> Opened {
        let frame = self
            .shape
            .block_frame([column, row], 1 << (2 * (level - 1)));
        let node = self.field.ranges.node(level, column, row);
        let touched = self
            .shape
            .touched_children(simd, &frame, node, self.limit());
        if level == 2 {
            let tiles = self.field.tiles();
            (self.field).fetch_blocks(tiles, [column, row], touched.mask, 0);
        }
        Opened {
            level,
            column,
            row,
            touched,
        }
    }

    /// Visits the triangles of a block of 4x4 cells.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_block<S: Simd>(&mut self, simd: S, column: usize, row: usize) -> ControlFlow<()> {
        let field = self.field;
        let frame = self.shape.block_frame([column, row], 1);
        let tile = &field.tiles()[field.tile_index(column, row)];
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
                .touched_triangles(simd, &frame, &ground, self.limit())
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
                .touched_triangles(simd, &frame, &ground, self.limit());
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
        for (corner, lanes) in corners.iter_mut().enumerate() {
            for (k, lane) in lanes.iter_mut().enumerate() {
                let (column, row) = (column * FAN_OUT + k % FAN_OUT, row * FAN_OUT + k / FAN_OUT);
                if column + 1 < field.grid.columns && row + 1 < field.grid.rows {
                    let heights = cell_heights(&field.grid, &field.heights, column, row);
                    *lane = heights[corner / 2][corner % 2] - range.min;
                    cells |= 1 << k | 1 << (k + CHILDREN);
                }
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

/// Its corners go counter-clockwise seen from above, which is its front.
pub(in crate::height_field) fn source_triangle(
    triangle: u32,
    corners: [DVec3; 3],
) -> SourceTriangle {
    SourceTriangle {
        id: TriangleId { part: 0, triangle },
        corners,
        is_mirrored: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::expansion::nearest_f32;
    use crate::height_field::{Diagonal, Grid};
    use crate::narrow_phase::shape_cast::prepared::PreparedCast;
    use crate::simd::Width;
    use crate::test_rng::Rng;
    use crate::{Aabb, Capsule, Primitive, ShapeCast, Sides, Sphere};

    #[test]
    fn no_triangle_that_is_hit_first_is_culled() {
        let mut rng = Rng(11);
        let mut next = |span: f64| rng.uniform(-0.5 * span, 0.5 * span);
        let mut hits = 0;
        for (place, size) in [(0.0, 5), (0.0, 22), (1e6, 70), (-3e5, 19)] {
            for diagonal in [Diagonal::Anti, Diagonal::Main] {
                let grid = Grid {
                    origin: [place, 10.0, -place],
                    diagonal,
                    ..Grid::new(size, size, [1.5, 0.5])
                };
                let height = |index: usize| match index % 41 {
                    40 => f32::NAN,
                    _ => nearest_f32(next(2.0)),
                };
                let heights = (0..size * size).map(height).collect();
                let field = HeightField::new(grid, heights).unwrap();
                for _ in 0..150 {
                    let [x, z] = grid.spacing.map(|spacing| spacing * size as f64);
                    let at = [
                        place + 0.5 * x + next(x),
                        10.5 + next(4.0),
                        0.5 * z - place + next(z),
                    ];
                    let at = at.map(nearest_f32);
                    let motion = [next(9.0), next(9.0), next(9.0)].map(nearest_f32);
                    let beside = [at[0] + 0.5, at[1] + 0.25, at[2] + 1.0];
                    let shapes: [Primitive; 3] = [
                        Sphere::new(at, 0.4).unwrap().into(),
                        Aabb::new(at, beside).unwrap().into(),
                        Capsule::new(at, beside, 0.3).unwrap().into(),
                    ];
                    for shape in shapes {
                        let cast = ShapeCast::new(shape, motion).unwrap();
                        let prepared = PreparedCast::new(&cast, Sides::Both);
                        let earliest = (0..field.triangle_count())
                            .filter_map(|index| field.triangle(u32::try_from(index).ok()?))
                            .filter_map(|corners| prepared.meet_triangle(&corners.into(), 1.0))
                            .map(|encounter| encounter.t())
                            .min_by(f32::total_cmp);
                        hits += usize::from(earliest.is_some());
                        for width in Width::available() {
                            let field = field.clone().with_width(width);
                            let found = field.cast_shape(&cast, ()).map(|hit| hit.t);
                            assert_eq!(found, earliest, "{cast:?}");
                        }
                    }
                }
            }
        }
        assert!(hits > 500, "{hits}");
    }
}
