//! Rays and lines of sight in the plane of level ground, which they miss.
//!
//! Every cell of such ground is a candidate, and the ray may pass thousands. After a few it is sent
//! through the pyramid once more, in f64 and without the blocks that are level throughout. So is a ray of a
//! wavefront.

use super::descent::{CellVisit, Walked};
use super::mover::Mover;
use super::watch::FieldWatch;
use super::wide_walk::{Visit, walk};
use super::{flow, last_rounding_to};
use crate::Sides;
use crate::height_field::HeightField;
use crate::height_field::storage::tile::Tile;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::query::collector::Collector;
use crate::query::watch::Unwatched;
use core::ops::ControlFlow;

/// After how many level cells a ray starts again: about as many as cost what starting costs.
const MAX_LEVEL_CELLS: usize = 16;

impl HeightField {
    /// As [`HeightField::descend`], without cells in whose plane the ray lies. Cells may be visited
    /// twice.
    #[inline]
    pub(super) fn descend_past_level_ground(
        &self,
        (ray, tiles): (&LocalRay, &[Tile]),
        limit: f64,
        watch: impl FieldWatch + Copy,
        visit: CellVisit,
    ) -> Walked {
        if ray.direction.y == 0.0 {
            self.descend_level((ray, tiles), limit, watch, visit)
        } else {
            self.descend((ray, tiles), limit, watch, visit)
        }
    }

    #[inline(never)]
    fn descend_level(
        &self,
        (ray, tiles): (&LocalRay, &[Tile]),
        limit: f64,
        watch: impl FieldWatch + Copy,
        visit: CellVisit,
    ) -> Walked {
        let mut level_cells = 0;
        let walked = self.descend((ray, tiles), limit, watch, &mut |column, row| {
            if !self.is_level_with(ray, column, row) {
                return visit(column, row);
            }
            watch.missed_others(self.grid.first_triangle(column, row), 0);
            level_cells += 1;
            if level_cells > MAX_LEVEL_CELLS {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(f64::INFINITY)
        });
        if level_cells <= MAX_LEVEL_CELLS {
            return walked;
        }
        match self.walk_past_level_ground(ray, limit, watch, visit) {
            ControlFlow::Continue(()) => Walked::ToTheEnd,
            ControlFlow::Break(()) => Walked::Stopped,
        }
    }

    /// The traversal in f64, without blocks in whose plane the ray lies.
    fn walk_past_level_ground(
        &self,
        ray: &LocalRay,
        limit: f64,
        watch: impl FieldWatch + Copy,
        visit: CellVisit,
    ) -> ControlFlow<()> {
        let mover = Mover::new(ray.origin, ray.origin, ray.direction, ray.t_min);
        let mover = mover.missing_level_ground();
        walk(
            self,
            &mover,
            limit.min(ray.t_max),
            watch,
            &mut |Visit { column, row, .. }| {
                let limit = visit(column, row)?;
                ControlFlow::Continue(limit.min(ray.t_max))
            },
        )
    }

    /// Counts a cell that a ray has visited, if the ray lies in its plane. Where there were many, the
    /// collector, which may have considered some of them, considers all others that the ray hits; then the
    /// ray is at its end, and this is true.
    #[cold]
    #[inline(never)]
    pub(super) fn ends_past_level_ground<C: Collector<u32>>(
        &self,
        (ray, sides): (&LocalRay, Sides),
        [column, row]: [usize; 2],
        level_cells: &mut u8,
        (collector, best): (&mut C, &mut TriangleHit),
    ) -> bool {
        if ray.direction.y != 0.0 || !self.is_level_with(ray, column, row) {
            return false;
        }
        *level_cells += 1;
        if usize::from(*level_cells) <= MAX_LEVEL_CELLS {
            return false;
        }
        let limit = collector.t_max().map_or(f64::INFINITY, last_rounding_to);
        // The collector holds how the traversal ended.
        let _ = self.walk_past_level_ground(ray, limit, Unwatched, &mut |column, row| {
            let cell = [column, row];
            self.consider_cell((collector, best), (ray, sides), Unwatched, cell);
            flow(collector)
        });
        true
    }

    /// Whether the corners of a cell are all as high as the ray. NaN, in a hole, is not.
    #[inline]
    fn is_level_with(&self, ray: &LocalRay, column: usize, row: usize) -> bool {
        let corners = self.cell(column, row).y;
        corners.as_flattened().iter().all(|y| *y == ray.origin.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ray;
    use crate::height_field::Grid;
    use crate::narrow_phase::ray_cast::ray_triangle::intersect;
    use crate::narrow_phase::sight::SightLine;
    use glam::DVec3;

    const SIZE: usize = 514;

    /// Ground at height 3 with a few posts of a sample each, and a hole.
    fn field() -> HeightField {
        let mut heights = vec![3.0; SIZE * SIZE];
        for (column, row, height) in [
            (70, 100, 5.0),
            (300, 100, 4.0),
            (301, 101, 3.5),
            (411, 99, 2.0),
            (500, 100, f32::NAN),
        ] {
            heights[row * SIZE + column] = height;
        }
        HeightField::new(Grid::new(SIZE, SIZE, [1.0, 1.0]), heights).unwrap()
    }

    fn visits(field: &HeightField, ray: &LocalRay) -> usize {
        let mut visits = 0;
        let own = (ray, field.tiles());
        let _ = field.descend_past_level_ground(own, f64::INFINITY, Unwatched, &mut |_, _| {
            visits += 1;
            ControlFlow::Continue(f64::INFINITY)
        });
        visits
    }

    #[test]
    fn a_ray_over_level_ground_visits_what_is_not_level() {
        let field = field();
        for direction in [[1.0, 0.0, 0.0], [1.0, 0.0, 0.002]] {
            for z in [99.25, 100.0, 100.5, 250.5] {
                let ray = LocalRay::from(&Ray::new([-1.0, 3.0, z], direction).unwrap());
                // Each post and the hole spoil four cells, which are visited from both walks.
                assert!(visits(&field, &ray) <= 40, "{direction:?} {z}");
            }
        }
        let clear = LocalRay::from(&Ray::new([-1.0, 3.0, 250.5], [1.0, 0.0, 0.0]).unwrap());
        assert_eq!(visits(&field, &clear), 0);
    }

    #[test]
    fn a_line_of_sight_over_level_ground_visits_what_is_not_level() {
        let field = field();
        for (z, max_blocks) in [(250.5, 0), (100.25, 40)] {
            let line = SightLine {
                from: DVec3::new(2.0, 3.0, z),
                to: DVec3::new(510.0, 3.0, z + 0.25),
            };
            let mut candidates = 0;
            let _ = field.for_each_candidate_past_level_ground(
                (&line.ray(), field.tiles()),
                &|_, _| false,
                &mut |_, _| {
                    candidates += 1;
                    ControlFlow::Continue(())
                },
            );
            assert!(candidates <= 2 * max_blocks, "{z}: {candidates}");
            assert_eq!(field.blocks(&line), max_blocks > 0);
        }
    }

    #[test]
    fn the_answers_are_those_of_all_triangles_one_by_one() {
        let field = field();
        let mut hit_count = 0;
        for (x, z) in [
            (-1.0, 99.25),
            (-1.0, 100.0),
            (600.0, 100.5),
            (120.0, 100.25),
        ] {
            for direction in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.001], [0.5, 0.0, -0.0005]] {
                for y in [3.0, 3.25] {
                    let ray = Ray::new([x, y, z], direction).unwrap();
                    let local = LocalRay::from(&ray);
                    for sides in [Sides::Both, Sides::Front, Sides::Back] {
                        let all = (0..).take(field.triangle_count());
                        let expected = all
                            .filter_map(|triangle| {
                                let hit = intersect(&local, &field.triangle(triangle)?)?;
                                sides.admits(hit.side).then_some((hit.t, triangle))
                            })
                            .min_by(|a, b| a.0.total_cmp(&b.0));
                        let found = field.nearest(&local, sides, f32::INFINITY, Unwatched);
                        let found = found.map(|(triangle, hit)| (hit.t, triangle));
                        assert_eq!(found, expected, "{ray:?} {sides:?}");
                        assert_eq!(field.hits_any(&local, sides), expected.is_some());
                        hit_count += usize::from(expected.is_some());
                    }
                }
            }
        }
        assert!(hit_count > 20, "{hit_count}");
    }
}
