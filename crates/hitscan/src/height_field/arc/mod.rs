//! Ballistic arcs against terrain.
//!
//! `course.rs` has when an arc passes the lines of the grid, `walk.rs` takes it through the pyramid of
//! heights. Each triangle is decided exactly in `arc_cast/arc_triangle.rs`.

mod course;
mod walk;
mod holes;

use super::HeightField;
use super::storage::grid::Cell;
use crate::TriangleId;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::arc_cast::arc::WideArc;
use crate::narrow_phase::arc_cast::arc_triangle::Facing;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use glam::DVec3;
use walk::{Visit, Walk};

/// Bound on the error with which a point of an arc is found to lie above or below a triangle's plane, in
/// units of the sum, over the axes, of |normal| (the arc's terms + the map's largest coordinate).
///
/// The point is off by 5u of its terms: two products and two sums, where the second product has two
/// rounded factors. Its difference from the corner adds 2u, a component of the normal 3u, the
/// product and two sums 3u more; 32u is more than twice as much.
const ABOVE_ERROR: f64 = 32.0 * UNIT_ROUNDOFF;

impl HeightField {
    /// Has the search consider the triangles that the arc may hit.
    pub(crate) fn search_arc(&self, search: &mut ArcSearch) {
        let arc = search.arc;
        let Some(walk) = Walk::new(self, &arc, search.limit()) else {
            return;
        };
        let error = ABOVE_ERROR * (walk.max_abs() + self.max_coordinates());
        // The search holds how the traversal ended.
        let _ = walk.run(&mut |Visit { column, row, t }| {
            let cell = self.cell(column, row);
            let ends = t.map(|t| arc.at(t));
            let span = t[1] - t[0];
            for half in 0..2 {
                if is_on_one_side(&cell, half, (&arc, ends, span), error) {
                    continue;
                }
                if let Some(corners) = cell.triangle(half) {
                    let triangle = cell.first_triangle + u32::from(half == 1);
                    let id = TriangleId { part: 0, triangle };
                    search.test_triangle(id, &corners, Facing::Kept);
                }
            }
            search.flow()
        });
    }

    /// The largest magnitude of a coordinate, for each axis.
    fn max_coordinates(&self) -> DVec3 {
        let [x, z] = [self.grid.x_lines(), self.grid.z_lines()]
            .map(|lines| lines.first().abs().max(lines.end().abs()));
        let range = self.ranges.root();
        let [low, high] = [range.min, range.max].map(|height| self.grid.y(height).abs());
        DVec3::new(x, low.max(high), z)
    }
}

/// Whether the arc lies surely above the plane of a triangle, or surely below, between two t at which it is at
/// `ends` and which are `span` apart.
///
/// The height over the plane is a quadratic: between the ends it lies beyond them by at most a quarter of
/// its second coefficient times the square of the span, and on one side only. NaN, from a hole,
/// compares as not sure.
#[inline]
fn is_on_one_side(
    cell: &Cell,
    half: usize,
    (arc, ends, span): (&WideArc, [DVec3; 2], f64),
    error: DVec3,
) -> bool {
    let [column, row] = cell.right_angle(half);
    let corner = DVec3::new(cell.x[column], cell.y[row][column], cell.z[row]);
    let (width, depth) = (cell.x[1] - cell.x[0], cell.z[1] - cell.z[0]);
    let [rise_x, rise_z] = cell.rises(half);
    let normal = DVec3::new(-rise_x * depth, width * depth, -rise_z * width);
    let error = normal.abs().dot(error);
    let [first, last] = ends.map(|end| normal.dot(end - corner));
    let bulge = 0.25 * normal.dot(arc.half) * span * span;
    // The bulge is off by far less than the error, as its terms are parts of the arc's.
    let (low, high) = (first.min(last), first.max(last));
    low - bulge.max(0.0) > error || high - bulge.min(0.0) < -error
}
