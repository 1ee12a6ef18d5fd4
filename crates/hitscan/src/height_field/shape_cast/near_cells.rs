//! A moving box over a few cells: the triangles below it are visited cell by cell, front to back, or, where
//! the outline of what moves is known, as `near_search.rs` has it.

use super::near_search::{NearSearch, source_triangle};
use super::near_shape::MovingShape;
use crate::height_field::HeightField;
use crate::height_field::ray::mover::Mover;
use crate::height_field::ray::wide_walk::{Visit, walk_near};
use crate::height_field::storage::grid::Lines;
use crate::height_field::storage::pyramid::Span;
use crate::narrow_phase::contact::triangle_source::{BestFirst, MovingBox};
use crate::narrow_phase::ray_cast::hit::TriangleId;
use core::ops::ControlFlow;
use glam::DVec3;

impl HeightField {
    /// The cells that a moving box may touch, if it is itself over a few only: so many that tie are
    /// looked at one by one.
    pub(in crate::height_field) fn narrow_span(&self, swept: &MovingBox) -> Option<Span> {
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
    pub(in crate::height_field) fn search_along(
        &self,
        swept: &MovingBox,
        span: Span,
        search: &mut dyn BestFirst,
    ) {
        let shape = search
            .outline()
            .and_then(|outline| MovingShape::new(self, swept, outline));
        if let Some(shape) = shape {
            NearSearch::new(self, &shape, search).run(span);
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

/// Boxes up to so many cells wide are searched cell by cell.
const FEW: f64 = 8.0;
