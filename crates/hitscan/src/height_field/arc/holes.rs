//! The holes that an arc passes over: triangles without height, which no query hits.
//!
//! Only explanations use them. An arc passes over a triangle between the terrain's smallest and largest
//! y where it hits the upright prism between them: its two caps, its three walls, or from within.

use crate::RayCastSettings;
use crate::height_field::HeightField;
use crate::narrow_phase::arc_cast::arc::{BallisticArc, WideArc};
use crate::narrow_phase::arc_cast::arc_triangle::Facing;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::arc_cast::window::ArcBounds;
use crate::narrow_phase::ray_cast::hit::TriangleId;
use crate::sorting::{ordered_bits, sort_by_rank};
use glam::DVec3;

impl HeightField {
    /// The first holes over which the arc passes within its range and between the terrain's smallest and
    /// largest y, `at_most` so many: t where it comes over each, and the triangle; in order of both.
    pub(crate) fn holes_under_arc(&self, arc: &BallisticArc, at_most: usize) -> Vec<(f32, u32)> {
        let mut found = Vec::new();
        let Some(bounds) = self.bounds().filter(|_| self.hole_count() > 0) else {
            return found;
        };
        let y = [bounds.min().y, bounds.max().y].map(f64::from);
        let bounds = ArcBounds::from(&WideArc::from(arc));
        let is_near = |x: [f64; 2], z: [f64; 2]| {
            let (min, max) = (DVec3::new(x[0], y[0], z[0]), DVec3::new(x[1], y[1], z[1]));
            bounds.window(min, max, f64::INFINITY).is_some()
        };
        let (columns, rows) = (self.grid.columns, self.grid.rows);
        let all_z = [self.grid.z(0), self.grid.z(rows - 1)];
        for column in 0..columns - 1 {
            let x = [self.grid.x(column), self.grid.x(column + 1)];
            if !is_near(x, all_z) {
                continue;
            }
            for row in 0..rows - 1 {
                let cell = self.cell(column, row);
                if !is_near(x, cell.z) {
                    continue;
                }
                for half in (0..2).filter(|half| cell.triangle(*half).is_none()) {
                    if let Some(t) = first_over(arc, cell.seen_from_above(half), y) {
                        found.push((t, cell.first_triangle + u32::from(half == 1)));
                    }
                }
            }
        }
        sort_by_rank(&mut found, |(t, triangle)| {
            [ordered_bits((*t).into()), u64::from(*triangle), 0]
        });
        found.truncate(at_most);
        found
    }
}

/// The first t at which the arc is in the upright prism over a triangle, between two y.
fn first_over(arc: &BallisticArc, corners: [[f64; 2]; 3], [low, high]: [f64; 2]) -> Option<f32> {
    let wide = WideArc::from(arc);
    if is_inside(wide.at(wide.t_min), corners, [low, high]) {
        return Some(arc.t_min());
    }
    let at = |[x, z]: [f64; 2], y: f64| DVec3::new(x, y, z);
    let mut search = ArcSearch::nearest(arc, RayCastSettings::default());
    let mut test = |corners: [DVec3; 3]| {
        let id = TriangleId {
            part: 0,
            triangle: 0,
        };
        search.test_triangle(id, &corners, Facing::Kept);
    };
    for y in [low, high] {
        test(corners.map(|corner| at(corner, y)));
    }
    for k in 0..3 {
        let (p, q) = (corners[k], corners[(k + 1) % 3]);
        test([at(p, low), at(q, low), at(q, high)]);
        test([at(p, low), at(q, high), at(p, high)]);
    }
    Some(search.into_best()?.t)
}

/// Whether a point is inside the prism; on its surface, where rounding decides, it counts as inside.
fn is_inside(point: DVec3, corners: [[f64; 2]; 3], [low, high]: [f64; 2]) -> bool {
    let is_within = |k: usize| {
        let ([px, pz], [qx, qz]) = (corners[k], corners[(k + 1) % 3]);
        // Seen from above the corners go counter-clockwise, x to the right and z down.
        (qz - pz) * (point.x - px) - (qx - px) * (point.z - pz) > 0.0
    };
    low < point.y && point.y < high && (0..3).all(is_within)
}
