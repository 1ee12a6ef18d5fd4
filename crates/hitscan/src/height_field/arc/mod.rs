//! Ballistic arcs against terrain.
//!
//! `course.rs` has when an arc passes the lines of the grid, `walk.rs` takes it through the pyramid of
//! heights. Each triangle is decided exactly in `arc_cast/arc_triangle.rs`.

mod course;
mod walk;
mod holes;

use super::HeightField;
use super::storage::grid::Cell;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::arc_cast::arc::{BallisticArc, WideArc};
use crate::narrow_phase::arc_cast::arc_triangle::Facing;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::parallel::answer_queries;
use crate::{RayCastSettings, RayHit, TriangleId};
use glam::DVec3;
use walk::{Visit, Walk};

/// Bound on the error with which a point of an arc is found to lie above or below a triangle's plane, in
/// units of the sum, over the axes, of |normal| (the arc's terms + the map's largest coordinate).
///
/// The point is off by 5u of its terms: two products and two sums, of which the second product has two
/// factors that are rounded. Its difference from the corner adds 2u, a component of the normal 3u, the
/// product and two sums 3u more; 32u is more than twice as much.
const ABOVE_ERROR: f64 = 32.0 * UNIT_ROUNDOFF;

/// How many arcs ahead a start is prefetched.
const AHEAD: usize = 4;

impl HeightField {
    /// Where `arc` first hits the terrain.
    ///
    /// Holes let it pass. It hits triangles that it crosses and such that it only touches; one that lies in a
    /// triangle's plane misses that. A hit at an edge or corner belongs to the lowest of the
    /// triangles that are hit at the same t.
    ///
    /// # Accuracy
    /// Whether and which triangle is hit is exact; `t` is the exact root rounded to f32.
    #[must_use]
    pub fn cast_arc(
        &self,
        arc: &BallisticArc,
        settings: impl Into<RayCastSettings>,
    ) -> Option<RayHit> {
        self.first_arc_hit(arc, settings.into())
    }

    fn first_arc_hit(&self, arc: &BallisticArc, settings: RayCastSettings) -> Option<RayHit> {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray(&ray, settings);
        }
        let mut search = ArcSearch::nearest(arc, settings);
        self.search_arc(&mut search);
        search.into_best()
    }

    /// Whether `arc` hits the terrain at all.
    #[must_use]
    pub fn cast_arc_any(&self, arc: &BallisticArc, settings: impl Into<RayCastSettings>) -> bool {
        self.is_arc_hit(arc, settings.into())
    }

    fn is_arc_hit(&self, arc: &BallisticArc, settings: RayCastSettings) -> bool {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray_any(&ray, settings);
        }
        let mut search = ArcSearch::any(arc, settings);
        self.search_arc(&mut search);
        search.is_hit()
    }

    /// [`HeightField::cast_arc`] for each arc, in order; on the threads of rayon's current pool where the
    /// feature `parallel` is on.
    #[must_use]
    pub fn cast_arcs(
        &self,
        arcs: &[BallisticArc],
        settings: impl Into<RayCastSettings>,
    ) -> Vec<Option<RayHit>> {
        let settings = settings.into();
        let mut hits = vec![None; arcs.len()];
        self.answer_arcs(arcs, &mut hits, |arc| self.first_arc_hit(arc, settings));
        hits
    }

    /// [`HeightField::cast_arc_any`] for each arc, in order; on threads as [`HeightField::cast_arcs`].
    #[must_use]
    pub fn cast_arcs_any(
        &self,
        arcs: &[BallisticArc],
        settings: impl Into<RayCastSettings>,
    ) -> Vec<bool> {
        let settings = settings.into();
        let mut are_hits = vec![false; arcs.len()];
        self.answer_arcs(arcs, &mut are_hits, |arc| self.is_arc_hit(arc, settings));
        are_hits
    }

    /// Answers each arc, and meanwhile prefetches the start of one that follows: most of the time of an
    /// arc by itself is spent waiting for that.
    fn answer_arcs<A: Send>(
        &self,
        arcs: &[BallisticArc],
        answers: &mut [A],
        answer: impl Fn(&BallisticArc) -> A + Sync,
    ) {
        answer_queries(arcs, answers, |arcs, answers| {
            for (k, one) in answers.iter_mut().enumerate() {
                if let Some(next) = arcs.get(k + AHEAD) {
                    self.fetch_start(&WideArc::from(next));
                }
                *one = answer(&arcs[k]);
            }
        });
    }

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
