//! Boxes against terrain: which triangles a resting or a moving box may meet.
//!
//! Only candidates are found here, by the boxes of their cells; box against triangle is decided
//! in the `sweep` and `overlap` modules of the crate. The walk is that of `walk.rs`.

use super::HeightField;
use super::ray::wide_walk::{Mover, Visit, walk};
use core::ops::ControlFlow;
use glam::DVec3;

/// Is given a triangle and its corners, and answers up to which t others still matter.
pub(crate) type LimitingVisit<'a> = &'a mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<(), f64>;

impl HeightField {
    /// Calls `visit` for each triangle whose cell's box touches the box from `min` to `max`, until
    /// it breaks. The test of the boxes is exact.
    pub(crate) fn for_each_triangle_in(
        &self,
        min: DVec3,
        max: DVec3,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_triangle_swept(min, max, DVec3::ZERO, 0.0, &mut |triangle, corners| {
            visit(triangle, corners)?;
            ControlFlow::Continue(0.0)
        })
    }

    /// Calls `visit` for each triangle whose cell's box the box from `min` to `max` may touch while
    /// it moves by `motion`, t going from 0 to `limit`, until it breaks.
    ///
    /// Near ones come roughly first. `visit` answers up to which t triangles still matter: that of
    /// the best contact yet, or `limit`. No triangle that is touched up to then is left out.
    pub(crate) fn for_each_triangle_swept(
        &self,
        min: DVec3,
        max: DVec3,
        motion: DVec3,
        limit: f64,
        visit: LimitingVisit,
    ) -> ControlFlow<()> {
        let mover = Mover::new(min, max, motion, 0.0);
        let mut limit = limit;
        walk(self, &mover, limit, &mut |Visit { column, row, .. }| {
            let cell = self.cell(column, row);
            for half in 0..2 {
                if let Some(corners) = cell.triangle(half) {
                    let triangle = cell.first_triangle + u32::from(half == 1);
                    limit = visit(triangle, &corners)?;
                }
            }
            ControlFlow::Continue(limit)
        })
    }
}
