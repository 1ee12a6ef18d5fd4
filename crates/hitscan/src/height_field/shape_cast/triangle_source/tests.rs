//! Tests that ties open one path of blocks.

use super::*;
use crate::height_field::Grid;
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::contact::triangle_source::SourceTriangle;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::{Aabb, InitialOverlap, ShapeCast, Sides};

fn plain(size: usize) -> HeightField {
    let grid = Grid {
        origin: [-0.5 * (size - 1) as f64, 0.0, -0.5 * (size - 1) as f64],
        ..Grid::new(size, size, [1.0, 1.0])
    };
    HeightField::new(grid, vec![0.0; size * size]).unwrap()
}

/// A search that counts what is considered.
struct Counted<'a> {
    search: &'a mut dyn BestFirst,
    visited: usize,
}

impl BestFirst for Counted<'_> {
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.search.lower_bound(min, max)
    }

    fn admits(&mut self, bound: f64, id: TriangleId) -> bool {
        self.search.admits(bound, id)
    }

    fn time_limit(&self) -> f32 {
        self.search.time_limit()
    }

    fn visit(&mut self, triangle: SourceTriangle) {
        self.visited += 1;
        self.search.visit(triangle);
    }
}

/// A terrain that counts the steps of searches.
struct Stepped<'a>(&'a HeightField, core::cell::Cell<usize>);

impl TriangleSource for Stepped<'_> {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        self.0.for_each_in(min, max, visit)
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        let mut counted = Counted { search, visited: 0 };
        let mut descent = Descent::new(self.0, swept, &mut counted);
        let mut steps = 0;
        while descent.step().is_continue() {
            steps += 1;
        }
        self.1.set(steps + counted.visited);
    }
}

fn steps(field: &HeightField, cast: &ShapeCast) -> usize {
    let stepped = Stepped(field, core::cell::Cell::new(0));
    let prepared = PreparedCast::new(cast, Sides::Both);
    assert!(prepared.first_triangle(&stepped, 1.0).is_some());
    stepped.1.get()
}

#[test]
fn a_box_on_flat_ground_opens_one_path_whatever_its_size() {
    let field = plain(1025);
    for size in [1.0, 64.0, 256.0, 900.0] {
        for offset in [0.0, 0.25, 50.5] {
            for motion in [
                [0.0, -4.0, 0.0],
                [3.0, -4.0, 3.0],
                [-3.0, -4.0, -5.0],
                [0.1, -4.0, 0.3],
            ] {
                let (low, high) = (offset - 0.5 * size, offset + 0.5 * size);
                for bottom in [2.0, 0.0, -1.0] {
                    let start = Aabb::new([low, bottom, low], [high, bottom + 2.0, high]);
                    let cast = ShapeCast::new(start.unwrap(), motion).unwrap();
                    let steps = steps(&field, &cast);
                    assert!(steps <= 16, "{steps} steps: {cast:?}");
                }
            }
        }
    }
}

#[test]
fn a_box_in_flat_ground_opens_one_path_whatever_its_size() {
    let field = plain(1025);
    for size in [8.0, 256.0, 900.0] {
        let (low, high) = (-0.5 * size, 0.5 * size + 0.3);
        let start = Aabb::new([low, -0.1, low], [high, size, high]).unwrap();
        let stepped = Stepped(&field, core::cell::Cell::new(0));
        assert!(
            ContactQuery::new(&start.into(), 0.0)
                .least(&stepped)
                .is_some()
        );
        assert!(stepped.1.get() <= 16, "{:?}", stepped.1);
        let cast = ShapeCast::new(start, [0.5, -1.0, 0.25]).unwrap();
        assert!(steps(&field, &cast.with_initial_overlap(InitialOverlap::Escape)) <= 16);
    }
}
