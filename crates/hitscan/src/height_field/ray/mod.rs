//! Rays against terrain: the nearest hit, any hit, and every triangle that may be hit.
//!
//! Each hit is decided by `ray_triangle.rs`, exactly and triangle by triangle, so vertical rays,
//! rays along grid lines and rays from below are no special cases. `descent.rs` and `wide_walk.rs` find the cells.

pub(crate) mod segment;
mod packed_cursor;
mod node_test;
pub(crate) mod cell;
mod descent;
mod level_ground;
pub(crate) mod wide_walk;
mod vertical;
pub(crate) mod wavefront;
mod batch;
mod all_hits;

use super::HeightField;
use super::grid::Cell;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::{TriangleHit, intersect};
use crate::simd::dispatch;
use crate::{Ray, RayCastSettings, RayHit, Sides, TriangleId};
use cell::intersect_cell;
use core::ops::ControlFlow;
use descent::{CellVisit, Descent, Walked};
use glam::DVec3;
use segment::{Clipped, Segment};
use wide_walk::{Mover, Visit, walk};

/// Bound on the error with which a point of the ray is told to lie above or below a triangle's
/// plane, in units of the sum, over the axes, of |normal| (|ray origin| + the map's reach).
///
/// The point is off by 3u of that along each axis: the ray's part and the sum round once each, and
/// the ray's part is at most origin plus reach. Its difference from the triangle's corner adds 2u,
/// as both lie in the map. A component of the normal is a product of two rounded differences, 3u,
/// and the term one more product, 4u of at most twice the unit: 13u. The two sums add 4u.
const ABOVE_ERROR: f64 = 24.0 * UNIT_ROUNDOFF;

/// Whether the ray goes straight up or down.
#[inline(always)]
fn is_vertical(ray: &LocalRay) -> bool {
    ray.direction.x == 0.0 && ray.direction.z == 0.0
}

impl HeightField {
    /// Where `ray` first meets the terrain.
    ///
    /// A ray in a triangle's plane misses that triangle, holes let rays pass, and a hit at an edge
    /// or corner belongs to the lowest of its triangles that are hit at the same t.
    ///
    /// # Accuracy
    /// Whether and which triangle is hit is exact; `t` is the exact value rounded to f32.
    #[must_use]
    #[inline]
    pub fn cast_ray(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> Option<RayHit> {
        self.nearest_hit(ray, settings.into().sides)
    }

    fn nearest_hit(&self, ray: &Ray, sides: Sides) -> Option<RayHit> {
        let local = LocalRay::from(ray);
        self.nearest(&local, sides, f32::INFINITY)
            .map(|nearest| hit_of(ray, &nearest))
    }

    /// Whether `ray` meets the terrain at all.
    #[must_use]
    #[inline]
    pub fn cast_ray_any(&self, ray: &Ray, settings: impl Into<RayCastSettings>) -> bool {
        self.hits_any(&LocalRay::from(ray), settings.into().sides)
    }

    /// The first crossing whose t is at most `limit`; of crossings with the same t that of the
    /// lowest triangle.
    pub(crate) fn nearest(
        &self,
        ray: &LocalRay,
        sides: Sides,
        limit: f32,
    ) -> Option<(u32, TriangleHit)> {
        let mut nearest = Closest::new(sides, limit);
        if is_vertical(ray) {
            if let Some((triangle, crossing)) = self.cross_vertically(ray) {
                nearest.consider(triangle, crossing);
                return nearest.best;
            }
            // On the diagonal of a cell, over a hole, or at the end of its range.
            if let Some([column, row]) = self.cell_in_line(ray) {
                nearest.visit(self, ray, column, row);
                return nearest.best;
            }
        }
        let limit = last_rounding_to(limit);
        let walked = self.descend_past_level_ground(ray, limit, &mut |column, row| {
            ControlFlow::Continue(nearest.visit(self, ray, column, row))
        });
        if let Walked::TooFine = walked {
            // The walk is never stopped early, so how it ended says nothing.
            let _ = self.walk_far(ray, limit, |triangle, corners| {
                if let Some(crossing) = intersect(ray, corners) {
                    nearest.consider(triangle, crossing);
                }
                ControlFlow::Continue(last_rounding_to(nearest.limit))
            });
        }
        nearest.best
    }

    /// Whether there is any crossing.
    pub(crate) fn hits_any(&self, ray: &LocalRay, sides: Sides) -> bool {
        if is_vertical(ray)
            && let Some((_, crossing)) = self.cross_vertically(ray)
        {
            return sides.admits(crossing.side);
        }
        let walked = self.descend_past_level_ground(ray, f64::INFINITY, &mut |column, row| {
            let mut is_hit = false;
            intersect_cell(ray, &self.cell(column, row), |_, crossing| {
                is_hit |= sides.admits(crossing.side);
            });
            if is_hit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(f64::INFINITY)
            }
        });
        match walked {
            Walked::ToTheEnd => false,
            Walked::Stopped => true,
            Walked::TooFine => self
                .walk_far(ray, f64::INFINITY, |_, corners| {
                    match intersect(ray, corners) {
                        Some(crossing) if sides.admits(crossing.side) => ControlFlow::Break(()),
                        _ => ControlFlow::Continue(f64::INFINITY),
                    }
                })
                .is_break(),
        }
    }

    /// Calls `visit` for each triangle that the ray may meet within its range, roughly from front
    /// to back, until it breaks. No triangle that the ray meets is left out.
    pub(crate) fn for_each_candidate(
        &self,
        ray: &LocalRay,
        visit: &mut dyn FnMut(u32, &[DVec3; 3]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.walk_candidates(ray, f64::INFINITY, |triangle, corners| {
            visit(triangle, corners)?;
            ControlFlow::Continue(f64::INFINITY)
        })
    }

    /// As [`Self::for_each_candidate`]; `visit` answers up to which t triangles still matter.
    fn walk_candidates(
        &self,
        ray: &LocalRay,
        limit: f64,
        mut visit: impl FnMut(u32, &[DVec3; 3]) -> ControlFlow<(), f64>,
    ) -> ControlFlow<()> {
        let mut visit_cell = |column, row| {
            let cell = self.cell(column, row);
            let mut limit = f64::INFINITY;
            for half in 0..2 {
                if let Some(corners) = cell.triangle(half) {
                    let triangle = cell.first_triangle + u32::from(half == 1);
                    limit = visit(triangle, &corners)?;
                }
            }
            ControlFlow::Continue(limit)
        };
        match self.descend(ray, limit, &mut visit_cell) {
            Walked::ToTheEnd => ControlFlow::Continue(()),
            Walked::Stopped => ControlFlow::Break(()),
            Walked::TooFine => self.walk_far(ray, limit, visit),
        }
    }

    fn descend(&self, ray: &LocalRay, limit: f64, visit: CellVisit) -> Walked {
        dispatch!(self.width, simd => {
            match Segment::of_ray(simd, &self.frame, ray, limit) {
                Clipped::Nothing => Walked::ToTheEnd,
                Clipped::TooFine => Walked::TooFine,
                Clipped::Segment(segment) => Descent::new(simd, self, segment).run(self, visit),
            }
        })
    }

    /// The walk in f64, for rays whose numbers are too far apart for f32.
    #[cold]
    fn walk_far(
        &self,
        ray: &LocalRay,
        limit: f64,
        mut visit: impl FnMut(u32, &[DVec3; 3]) -> ControlFlow<(), f64>,
    ) -> ControlFlow<()> {
        let mover = Mover::new(ray.origin, ray.origin, ray.direction, ray.t_min);
        let mut limit = limit.min(ray.t_max);
        let unit_error = ABOVE_ERROR * (ray.origin.abs() + self.reach());
        walk(self, &mover, limit, |Visit { column, row, t }| {
            let cell = self.cell(column, row);
            let ends = t.map(|t| ray.at(t));
            for half in 0..2 {
                if is_on_one_side(&cell, half, ends, unit_error) {
                    continue;
                }
                if let Some(corners) = cell.triangle(half) {
                    let triangle = cell.first_triangle + u32::from(half == 1);
                    limit = visit(triangle, &corners)?.min(ray.t_max);
                }
            }
            ControlFlow::Continue(limit)
        })
    }

    /// The greatest magnitude of a coordinate, for each axis.
    fn reach(&self) -> DVec3 {
        let [x, z] = [self.grid.x_lines(), self.grid.z_lines()]
            .map(|lines| lines.first().abs().max(lines.end().abs()));
        let range = self.ranges.root();
        let [low, high] = [range.min, range.max].map(|height| self.grid.y(height).abs());
        DVec3::new(x, low.max(high), z)
    }
}

/// The hit that a crossing of `ray` makes.
#[inline]
pub(super) fn hit_of(ray: &Ray, (triangle, crossing): &(u32, TriangleHit)) -> RayHit {
    let id = TriangleId {
        part: 0,
        triangle: *triangle,
    };
    RayHit::on_triangle(ray, id, crossing)
}

/// The nearest crossing so far.
pub(crate) struct Closest {
    sides: Sides,
    pub(super) limit: f32,
    pub(super) best: Option<(u32, TriangleHit)>,
}

impl Closest {
    pub(super) fn new(sides: Sides, limit: f32) -> Self {
        Self {
            sides,
            limit,
            best: None,
        }
    }

    /// Considers the triangles of a cell, and tells up to which t others still matter.
    #[inline]
    pub(super) fn visit(
        &mut self,
        field: &HeightField,
        ray: &LocalRay,
        column: usize,
        row: usize,
    ) -> f64 {
        let cell = field.cell(column, row);
        intersect_cell(ray, &cell, |half, crossing| {
            self.consider(cell.first_triangle + half, crossing);
        });
        last_rounding_to(self.limit)
    }

    #[inline(always)]
    pub(super) fn consider(&mut self, triangle: u32, crossing: TriangleHit) {
        if self.sides.admits(crossing.side)
            && (crossing.t < self.limit
                || crossing.t == self.limit
                    && self.best.is_none_or(|(lowest, _)| triangle < lowest))
        {
            self.limit = crossing.t;
            self.best = Some((triangle, crossing));
        }
    }
}

/// The greatest t whose nearest f32 is not above `t`.
///
/// It is half way to the next f32; where that rounds up, the next step of f64 is kept in vain.
#[inline]
pub(super) fn last_rounding_to(t: f32) -> f64 {
    f64::midpoint(f64::from(t), f64::from(t.next_up()))
}

/// Whether both points, between which the ray is inside the cell's box, lie surely above the
/// plane of a triangle, or surely below: then the ray does not meet it.
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
