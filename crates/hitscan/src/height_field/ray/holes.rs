//! The holes that a ray passes over: triangles without height, which no query hits.
//!
//! Only explanations use them. Whether the ray passes over one is decided exactly: over the
//! triangle seen from above, and between the terrain's smallest and largest y, each edge and limit
//! leaves a closed interval of t (`exact/times.rs`).

use crate::exact::expansion::Expansion;
use crate::exact::times::Times;
use crate::height_field::HeightField;
use crate::height_field::storage::grid::Lines;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::sorting::{ordered_bits, sort_by_rank};
use core::ops::Range;
use glam::DVec3;

/// What rounding may take from a coordinate on the way to a cell, in units of the largest
/// magnitude involved: six operations of 2^-53 each, and as much again.
const PLACE_ERROR: f64 = 16.0 * f64::EPSILON;

impl HeightField {
    /// The first holes over which the ray passes within its range and between the terrain's smallest and
    /// largest y, `at_most` so many: t where it comes over each, and the triangle; in order of both.
    pub(crate) fn holes_under(&self, ray: &LocalRay, at_most: usize) -> Vec<(f32, u32)> {
        let mut found = Vec::new();
        let Some(bounds) = self.bounds().filter(|_| self.hole_count() > 0) else {
            return found;
        };
        let [low, high] = [bounds.min().y, bounds.max().y].map(f64::from);
        let mut range = Times::between(ray.t_min, ray.t_max);
        keep_above(&mut range, ray.origin.y, ray.direction.y, low);
        keep_above(&mut range, -ray.origin.y, -ray.direction.y, -high);
        if range.is_empty() {
            return found;
        }
        let ends = range.ends();
        for column in cells_along(ray, ends, 0, self.grid.x_lines()) {
            let x = [self.grid.x(column), self.grid.x(column + 1)];
            let over_column = times_between(ray, ends, 0, x);
            for row in cells_along(ray, over_column, 2, self.grid.z_lines()) {
                let cell = self.cell(column, row);
                let holes = (0..2).filter(|half| cell.triangle(*half).is_none());
                for half in holes {
                    let mut times = range.clone();
                    keep_over(&mut times, ray, cell.seen_from_above(half));
                    if !times.is_empty() {
                        let triangle = cell.first_triangle + u32::from(half == 1);
                        found.push((times.begin(), triangle));
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

/// The cells between `lines`, which are across `axis`, over which the ray may be at times between
/// `ends`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float to integer cast saturates"
)]
fn cells_along(ray: &LocalRay, ends: [f64; 2], axis: usize, lines: Lines) -> Range<usize> {
    let places = ends.map(|t| {
        let place = ray.origin[axis] + ray.direction[axis] * t;
        (place - lines.origin) / lines.spacing
    });
    let magnitude = ray.origin[axis].abs() + lines.first().abs().max(lines.end().abs());
    let error = 1.0 + PLACE_ERROR * magnitude / lines.spacing;
    let first = (places[0].min(places[1]) - error).floor() as usize;
    let last = (places[0].max(places[1]) + error).ceil() as usize;
    first.min(lines.last)..last.min(lines.last)
}

/// The part of the times between `ends` at which the ray may be between two lines, widened by their
/// distance.
fn times_between(ray: &LocalRay, ends: [f64; 2], axis: usize, lines: [f64; 2]) -> [f64; 2] {
    let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
    let width = lines[1] - lines[0];
    let error = width + PLACE_ERROR * (origin.abs() + lines[0].abs().max(lines[1].abs()));
    let times = [lines[0] - error, lines[1] + error].map(|line| (line - origin) / direction);
    let (enter, leave) = (times[0].min(times[1]), times[0].max(times[1]));
    // Without motion on the axis there is no such time, and the whole is left.
    if direction == 0.0 {
        return ends;
    }
    [ends[0].max(enter), ends[1].min(leave)]
}

/// Keeps the times at which a linear coordinate is not below a limit.
fn keep_above(times: &mut Times, origin: f64, direction: f64, limit: f64) {
    let constant = Expansion::from_difference(origin, limit);
    times.keep_positive(&constant, &Expansion::from_f64(direction));
}

/// Keeps the times at which the ray is over the closed triangle, whose corners go counter-clockwise
/// seen from above.
fn keep_over(times: &mut Times, ray: &LocalRay, corners: [[f64; 2]; 3]) {
    for k in 0..3 {
        let ([px, pz], [qx, qz]) = (corners[k], corners[(k + 1) % 3]);
        let (along_x, along_z) = (
            Expansion::from_difference(qx, px),
            Expansion::from_difference(qz, pz),
        );
        // Seen from above x goes to the right and z down, so inside is where this is positive.
        let inward = |x: &Expansion, z: &Expansion| along_z.times(x).minus(&along_x.times(z));
        let constant = inward(
            &Expansion::from_difference(ray.origin.x, px),
            &Expansion::from_difference(ray.origin.z, pz),
        );
        let DVec3 { x, z, .. } = ray.direction;
        let slope = inward(&Expansion::from_f64(x), &Expansion::from_f64(z));
        times.keep_positive(&constant, &slope);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ray;
    use crate::height_field::Grid;

    /// ```text
    ///   0   1   2   3  x
    /// 0 +---+---+---+
    ///   |0/1|2/3|4/5|    o: the hole, a corner of the triangles 3, 4, 5, 8, 9 and 10
    /// 1 +---+---o---+
    ///   |6/7|8/9|10/|    the last triangle is 11
    /// 2 +---+---+---+
    /// ```
    fn field() -> HeightField {
        let mut heights = vec![1.0; 12];
        heights[4 + 2] = f32::NAN;
        heights[0] = 0.0;
        HeightField::new(Grid::new(4, 3, [1.0, 1.0]), heights).unwrap()
    }

    fn holes(origin: [f32; 3], direction: [f32; 3], t_max: f32) -> Vec<(f32, u32)> {
        let ray = Ray::new(origin, direction).unwrap();
        let ray = ray.with_range(0.0, t_max).unwrap();
        field().holes_under(&LocalRay::from(&ray), 100)
    }

    #[test]
    fn holes_are_found_in_the_order_of_the_ray() {
        let along_x = [1.0, 0.0, 0.0];
        assert_eq!(
            holes([-1.0, 0.5, 0.75], along_x, 9.0),
            [(2.25, 3), (3.0, 4), (3.25, 5)]
        );
        // Over the border between two cells both count.
        let vertical = holes([2.0, 5.0, 0.5], [0.0, -1.0, 0.0], f32::INFINITY);
        assert_eq!(vertical, [(4.0, 3), (4.0, 4)]);
        assert_eq!(holes([1.9, 5.0, 0.9], [0.0, -1.0, 0.0], 9.0), [(4.0, 3)]);
        // Too short, above all ground, beside the holes.
        assert_eq!(holes([-1.0, 0.5, 0.75], along_x, 2.0), []);
        assert_eq!(holes([-1.0, 1.5, 0.75], along_x, 9.0), []);
        assert_eq!(holes([0.5, 5.0, 0.5], [0.0, -1.0, 0.0], 9.0), []);
    }
}
