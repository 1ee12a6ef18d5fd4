//! The number of triangles of a flat wall that best-first searches of a mesh visit.

use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, SourceTriangle, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::convex::Outline;
use crate::narrow_phase::ray_cast::hit::TriangleId;
use crate::narrow_phase::shape_cast::prepared::{Encounter, PreparedCast};
use crate::tri_mesh::{MeshTransform, PlacedMesh};
use crate::{Aabb, InitialOverlap, ShapeCast, Sides, TriMesh};
use core::cell::Cell;
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3, Vec3};

/// A flat wall of `2 * size * size` triangles at x = 0, in an order that is not the wall's.
fn wall(size: u32) -> TriMesh {
    let at = |i: u32| Vec3::new(0.0, (i / (size + 1)) as f32, (i % (size + 1)) as f32);
    let positions = (0..(size + 1) * (size + 1)).map(at).collect();
    let cell = |k: u32| {
        let k = k * 7919 % (size * size);
        let corner = k / size * (size + 1) + k % size;
        let above = corner + size + 1;
        [[corner, corner + 1, above], [corner + 1, above + 1, above]]
    };
    TriMesh::new(positions, (0..size * size).flat_map(cell).collect()).unwrap()
}

/// A search that counts its visits.
struct Counted<'a> {
    search: &'a mut dyn BestFirst,
    visited: &'a Cell<usize>,
}

impl BestFirst for Counted<'_> {
    fn lower_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.search.lower_bound(min, max)
    }

    fn quick_bound(&self, min: DVec3, max: DVec3) -> Option<f64> {
        self.search.quick_bound(min, max)
    }

    fn outline(&self) -> Option<&Outline> {
        self.search.outline()
    }

    fn resting(&self) -> Option<&Outline> {
        self.search.resting()
    }

    fn has_found(&self) -> bool {
        self.search.has_found()
    }

    fn is_done(&self) -> bool {
        self.search.is_done()
    }

    fn admits(&mut self, bound: f64, id: TriangleId) -> bool {
        self.search.admits(bound, id)
    }

    fn time_limit(&self) -> f32 {
        self.search.time_limit()
    }

    fn visit(&mut self, triangle: SourceTriangle) {
        self.visited.set(self.visited.get() + 1);
        self.search.visit(triangle);
    }
}

/// A mesh that counts the triangles that searches visit.
struct CountedMesh<'a>(PlacedMesh<'a>, Cell<usize>);

impl TriangleSource for CountedMesh<'_> {
    fn for_each_in(&self, min: DVec3, max: DVec3, visit: VisitTriangle<'_>) -> ControlFlow<()> {
        self.0.for_each_in(min, max, visit)
    }

    fn best_first(&self, swept: &MovingBox, search: &mut dyn BestFirst) {
        let visited = &self.1;
        self.0.best_first(swept, &mut Counted { search, visited });
    }
}

#[test]
fn a_box_against_a_flat_wall_visits_few_triangles() {
    let mesh = wall(200);
    let far = DAffine3::from_translation(DVec3::new(100.0, 0.3, 0.7));
    let far = MeshTransform::new(far);
    for (low, high) in [(90.0, 92.0), (60.25, 140.75), (-10.0, 300.0)] {
        for (transform, x) in [(None, 0.0), (Some(&far), 100.0)] {
            let start = Aabb::new([x - 9.0, low, low], [x - 8.0, high, high]).unwrap();
            let cast = ShapeCast::new(start, [16.0, 0.5, -0.5]).unwrap();
            let prepared = PreparedCast::new(&cast, Sides::Both);
            let placed = PlacedMesh {
                transform,
                ..PlacedMesh::from(&mesh)
            };
            let counted = CountedMesh(placed, Cell::new(0));
            let found = prepared
                .first_triangle(&counted, 1.0)
                .map(|first| first.triangle.id);
            let all = (0..).zip(mesh.triangles()).filter_map(|(triangle, _)| {
                let triangle = placed.triangle(triangle);
                match prepared.meet_triangle(&triangle, 1.0)? {
                    Encounter::Contact(contact) => Some((contact.floor(), triangle.id)),
                    Encounter::Overlap => None,
                }
            });
            let expected =
                all.min_by(|(t, id), (other, other_id)| t.total_cmp(other).then(id.cmp(other_id)));
            assert_eq!(found, expected.map(|(_, id)| id));
            let visited = counted.1.get();
            assert!(visited < 64, "{visited} visited: {cast:?}");
        }
    }
}

#[test]
fn a_box_in_a_flat_wall_visits_few_triangles() {
    let mesh = wall(200);
    for high in [12.25, 90.25, 150.25] {
        let start = Aabb::new([-0.1, 10.0, 10.0], [high, high, high]).unwrap();
        let source = CountedMesh(PlacedMesh::from(&mesh), Cell::new(0));
        assert!(
            ContactQuery::new(&start.into(), 0.0)
                .least(&source)
                .is_some()
        );
        assert!(source.1.get() < 100, "{:?}", source.1);
        for overlaps in [InitialOverlap::Stop, InitialOverlap::Escape] {
            let source = CountedMesh(PlacedMesh::from(&mesh), Cell::new(0));
            let cast = ShapeCast::new(start, [-1.0, 0.5, 0.25]).unwrap();
            let cast = PreparedCast::new(&cast.with_initial_overlap(overlaps), Sides::Both);
            assert!(cast.first_hit(&source).is_some_and(|hit| hit.t == 0.0));
            assert!(source.1.get() < 200, "{:?}", source.1);
        }
    }
}
