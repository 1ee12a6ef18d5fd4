//! Rays against terrain: the nearest hit, any hit, and every triangle that may be hit.
//!
//! Each hit is decided exactly and triangle by triangle (`ray_cast/ray_triangle/`), so vertical rays,
//! rays along grid lines and rays from below are no special cases. `descent.rs` and `wide_walk.rs` find
//! the cells.

pub(crate) mod clip;
mod packed_cursor;
pub(crate) mod watch;
pub(crate) mod mover;
pub(crate) mod wide_walk;
mod segment;
mod node_test;
pub(crate) mod cell;
mod progress;
mod descent;
mod level_ground;
mod vertical;
pub(crate) mod wavefront;
mod batch;
mod holes;

use super::HeightField;
use super::storage::grid::Cell;
use super::storage::tile::Tile;
use crate::Sides;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{TriangleHit, intersect};
use crate::query::closest_hits::NO_HIT;
use crate::query::collector::{Any, Closest, Collector};
use crate::query::watch::{Outcome, Unwatched};
use crate::simd::dispatch;
use cell::intersect_cell;
use core::ops::ControlFlow;
use descent::{CellVisit, Descent, Walked};
use glam::DVec3;
use mover::Mover;
use segment::{Clipped, Segment};
use watch::FieldWatch;
use wide_walk::{Visit, walk};

/// Bound on the error with which a point of the ray is found to lie above or below a triangle's
/// plane, in units of the sum, over the axes, of |normal| (|ray origin| + the map's largest coordinate).
///
/// The point is off by 3u of that along each axis: the ray's part and the sum round once each, and
/// the ray's part is at most origin plus that coordinate. Its difference from the triangle's corner adds 2u,
/// as both lie in the map. A component of the normal is a product of two rounded differences, 3u,
/// and the term one more product, 4u of at most twice the unit: 13u. The two sums add 4u.
const ABOVE_ERROR: f64 = 24.0 * UNIT_ROUNDOFF;

/// Takes a triangle and its corners, and answers up to which t others matter.
type TriangleVisit<'a> = &'a mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<(), f64>;

/// Whether the ray goes straight up or down.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_vertical(ray: &LocalRay) -> bool {
    ray.direction.x == 0.0 && ray.direction.z == 0.0
}

impl HeightField {
    /// The first hit whose t is at most `limit`; of hits with the same t that of the lowest triangle index.
    pub(crate) fn nearest(
        &self,
        ray: &LocalRay,
        sides: Sides,
        limit: f32,
        watch: impl FieldWatch + Copy,
    ) -> Option<(u32, TriangleHit)> {
        if let Some(found) = self.hit_in_column(ray) {
            let (triangle, TriangleHit { t, side, .. }) = found;
            watch.looked_up(triangle);
            if !sides.admits(side) {
                watch.tested_triangle(triangle, Outcome::Refused);
                return None;
            }
            watch.tested_triangle(triangle, Outcome::of_hit(t, t <= limit));
            return (t <= limit).then_some(found);
        }
        let (mut closest, mut hit) = (Closest::new(limit), NO_HIT);
        self.search(ray, sides, limit, watch, (&mut closest, &mut hit));
        closest.best().map(|triangle| (triangle, hit))
    }

    /// Whether there is any hit.
    pub(crate) fn hits_any(&self, ray: &LocalRay, sides: Sides) -> bool {
        if let Some((_, hit)) = self.hit_in_column(ray) {
            return sides.admits(hit.side);
        }
        let mut any: Any = Collector::<u32>::new(f32::INFINITY);
        let found = (&mut any, &mut { NO_HIT });
        self.search(ray, sides, f32::INFINITY, Unwatched, found);
        any.is_hit()
    }

    /// The one hit of a ray straight down or up, where the filter is sure of it.
    ///
    /// Looked for before [`Self::search`], whose stack frame costs as much as this.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn hit_in_column(&self, ray: &LocalRay) -> Option<(u32, TriangleHit)> {
        is_vertical(ray).then(|| self.cross_vertically(ray))?
    }

    /// Has a collector, which is new, consider the triangles that the ray hits with t up to `limit`;
    /// the hit of the one that it keeps is put beside it.
    #[inline(never)]
    pub(super) fn search<C: Collector<u32>>(
        &self,
        ray: &LocalRay,
        sides: Sides,
        limit: f32,
        watch: impl FieldWatch + Copy,
        (collector, best): (&mut C, &mut TriangleHit),
    ) {
        // What the filter leaves is on a diagonal, over a hole, or at the end of the ray's range.
        if is_vertical(ray)
            && let Some([column, row]) = self.cell_in_line(ray)
        {
            watch.entered_cell(column, row);
            self.consider_cell((collector, best), (ray, sides), watch, [column, row]);
            return;
        }
        let limit = last_rounding_to(limit);
        let own = (ray, self.tiles());
        let walked = self.descend_past_level_ground(own, limit, watch, &mut |column, row| {
            self.consider_cell((collector, best), (ray, sides), watch, [column, row]);
            flow(collector)
        });
        if let Walked::TooFine = walked {
            // The collector holds how the traversal ended.
            let _ = self.walk_far(ray, limit, watch, &mut |triangle, corners| {
                match intersect(ray, corners) {
                    Some(hit) => consider((collector, best), (sides, watch), triangle, hit),
                    None => watch.tested_triangle(triangle, Outcome::Refused),
                }
                flow(collector)
            });
        }
    }

    /// Has the collector consider the triangles of a cell.
    #[inline]
    fn consider_cell<C: Collector<u32>>(
        &self,
        (collector, best): (&mut C, &mut TriangleHit),
        (ray, sides): (&LocalRay, Sides),
        watch: impl FieldWatch + Copy,
        [column, row]: [usize; 2],
    ) {
        let cell = self.cell(column, row);
        let mut hit_halves = 0;
        intersect_cell(ray, &cell, |half, hit| {
            let triangle = cell.first_triangle + half;
            consider((collector, best), (sides, watch), triangle, hit);
            hit_halves |= 1 << half;
        });
        watch.missed_others(cell.first_triangle, hit_halves);
    }

    /// Calls `visit` for each triangle that the ray may hit within its range, roughly from front
    /// to back, until it breaks. No triangle that the ray hits is skipped.
    pub(crate) fn for_each_candidate(
        &self,
        ray: &LocalRay,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut visit_cell = |column, row| self.visit_triangles([column, row], visit);
        let own = (ray, self.tiles());
        match self.descend(own, f64::INFINITY, Unwatched, &mut visit_cell) {
            Walked::ToTheEnd => ControlFlow::Continue(()),
            Walked::Stopped => ControlFlow::Break(()),
            Walked::TooFine => self.walk_all(ray, visit),
        }
    }

    /// As [`Self::for_each_candidate`], without triangles in whose plane the ray is level and without cells
    /// for which `is_suppressed` is true, given column and row. Triangles may be visited twice. `tiles` are
    /// the field's, or none.
    pub(super) fn for_each_candidate_past_level_ground(
        &self,
        (ray, tiles): (&LocalRay, &[Tile]),
        is_suppressed: &dyn Fn(usize, usize) -> bool,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut visit_cell = |column, row| {
            if is_suppressed(column, row) {
                return ControlFlow::Continue(f64::INFINITY);
            }
            self.visit_triangles([column, row], visit)
        };
        let own = (ray, tiles);
        match self.descend_past_level_ground(own, f64::INFINITY, Unwatched, &mut visit_cell) {
            Walked::ToTheEnd => ControlFlow::Continue(()),
            Walked::Stopped => ControlFlow::Break(()),
            Walked::TooFine => self.walk_all(ray, visit),
        }
    }

    fn visit_triangles(
        &self,
        [column, row]: [usize; 2],
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<(), f64> {
        let cell = self.cell(column, row);
        for half in 0..2 {
            if let Some(corners) = cell.triangle(half) {
                visit(cell.first_triangle + u32::from(half == 1), &corners)?;
            }
        }
        ControlFlow::Continue(f64::INFINITY)
    }

    fn walk_all(
        &self,
        ray: &LocalRay,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.walk_far(ray, f64::INFINITY, Unwatched, &mut |triangle, corners| {
            visit(triangle, corners)?;
            ControlFlow::Continue(f64::INFINITY)
        })
    }

    fn descend(
        &self,
        (ray, tiles): (&LocalRay, &[Tile]),
        limit: f64,
        watch: impl FieldWatch + Copy,
        visit: CellVisit,
    ) -> Walked {
        dispatch!(watch.width(self.width), simd => {
            match Segment::of_ray(simd, &self.frame, ray, limit) {
                Clipped::Nothing => {
                    watch.begins(false);
                    Walked::ToTheEnd
                }
                Clipped::TooFine => Walked::TooFine,
                Clipped::Segment(segment) => {
                    watch.begins(true);
                    Descent::new(simd, self, segment).run((self, tiles), watch, visit)
                }
            }
        })
    }

    /// The traversal in f64, for rays whose numbers are too far apart for f32.
    #[cold]
    fn walk_far(
        &self,
        ray: &LocalRay,
        limit: f64,
        watch: impl FieldWatch + Copy,
        visit: TriangleVisit<'_>,
    ) -> ControlFlow<()> {
        let mut mover = Mover::new(ray.origin, ray.origin, ray.direction, ray.t_min);
        if ray.direction.y == 0.0 {
            mover = mover.missing_level_ground();
        }
        let mut limit = limit.min(ray.t_max);
        let unit_error = ABOVE_ERROR * (ray.origin.abs() + self.max_abs());
        walk(
            self,
            &mover,
            limit,
            watch,
            &mut |Visit { column, row, t }| {
                let cell = self.cell(column, row);
                let ends = t.map(|t| ray.at(t));
                let mut decided = 0;
                for half in 0..2 {
                    if is_on_one_side(&cell, half, ends, unit_error) {
                        continue;
                    }
                    if let Some(corners) = cell.triangle(half) {
                        decided |= 1 << half;
                        let triangle = cell.first_triangle + u32::from(half == 1);
                        limit = visit(triangle, &corners)?.min(ray.t_max);
                    }
                }
                watch.missed_others(cell.first_triangle, decided);
                ControlFlow::Continue(limit)
            },
        )
    }

    /// The largest magnitude of a coordinate, for each axis.
    fn max_abs(&self) -> DVec3 {
        let [x, z] = [self.grid.x_lines(), self.grid.z_lines()]
            .map(|lines| lines.first().abs().max(lines.end().abs()));
        let range = self.ranges.root();
        let [low, high] = [range.min, range.max].map(|height| self.grid.y(height).abs());
        DVec3::new(x, low.max(high), z)
    }
}

/// Has the collector consider a hit of a triangle, which is put beside it if it is kept.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn consider<C: Collector<u32>>(
    (collector, best): (&mut C, &mut TriangleHit),
    (sides, watch): (Sides, impl FieldWatch),
    triangle: u32,
    hit: TriangleHit,
) {
    let is_lower = |one: &u32, other: &u32| one < other;
    let (t, is_admitted) = (hit.t, sides.admits(hit.side));
    let is_kept = is_admitted && collector.consider(t, triangle, is_lower);
    // Where any hit is enough, none is computed in full.
    if is_kept && !C::IS_ANY_ENOUGH {
        *best = hit;
    }
    watch.tested_triangle(
        triangle,
        match is_admitted {
            true => Outcome::of_hit(t, is_kept),
            false => Outcome::Refused,
        },
    );
}

/// The t up to which the traversal continues, if it does.
#[cfg_attr(not(debug_assertions), inline(always))]
fn flow(collector: &impl Collector<u32>) -> ControlFlow<(), f64> {
    collector.flow().map_continue(last_rounding_to)
}

/// The largest t whose nearest f32 is not above `t`.
///
/// It is half way to the next f32; where that rounds up, it is one step of f64 more than needed.
#[inline]
pub(super) fn last_rounding_to(t: f32) -> f64 {
    f64::midpoint(f64::from(t), f64::from(t.next_up()))
}

/// Whether both points, between which the ray is inside the cell's box, lie surely above the
/// plane of a triangle, or surely below: then the ray does not hit it.
///
/// The plane's normal is the area of the cell by the rise along its width and its depth. NaN, from
/// a hole, compares as not sure.
#[inline]
fn is_on_one_side(cell: &Cell, half: usize, ends: [DVec3; 2], unit_error: DVec3) -> bool {
    let [column, row] = cell.right_angle(half);
    let corner = DVec3::new(cell.x[column], cell.y[row][column], cell.z[row]);
    let (width, depth) = (cell.x[1] - cell.x[0], cell.z[1] - cell.z[0]);
    let [rise_x, rise_z] = cell.rises(half);
    let normal = DVec3::new(-rise_x * depth, width * depth, -rise_z * width);
    let error = normal.abs().dot(unit_error);
    let above = ends.map(|end| normal.dot(end - corner));
    (above[0] > error && above[1] > error) || (above[0] < -error && above[1] < -error)
}
