//! The number of triangles that best-first searches of a mesh visit: of a flat wall, and of a bumpy ball in
//! its own space and where a turn and an even scale place it.

use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::contact::triangle_source::{
    BestFirst, MovingBox, SourceTriangle, TriangleSource, VisitTriangle,
};
use crate::narrow_phase::convex::Outline;
use crate::narrow_phase::ray_cast::hit::TriangleId;
use crate::narrow_phase::shape_cast::prepared::{Encounter, PreparedCast};
use crate::test_rng::Rng;
use crate::tri_mesh::{MeshTransform, PlacedMesh};
use crate::{
    Aabb, Capsule, ContactsPer, InitialOverlap, Primitive, ShapeCast, Sides, Sphere, TriMesh,
};
use core::cell::Cell;
use core::f64::consts::PI;
use core::ops::ControlFlow;
use glam::{DAffine3, DQuat, DVec3, Vec3};

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

    fn for_each_near(
        &self,
        outline: &Outline,
        bounds: (DVec3, DVec3),
        visit: VisitTriangle<'_>,
    ) -> ControlFlow<()> {
        self.0.for_each_near(outline, bounds, &mut |triangle| {
            self.1.set(self.1.get() + 1);
            visit(triangle)
        })
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
            let cast = cast.clone().with_initial_overlap(overlaps);
            let cast = PreparedCast::new(&cast, Sides::Both);
            assert!(cast.first_hit(&source).is_some_and(|hit| hit.t == 0.0));
            assert!(source.1.get() < 200, "{:?}", source.1);
        }
    }
}

/// A ball of radius 1 with bumps, of `4 * size * size` triangles.
fn bumpy_ball(size: u32) -> TriMesh {
    let (rows, columns) = (size, 2 * size);
    let at = |i: u32| {
        let [down, around] = [i / columns, i % columns].map(f64::from);
        let (y, ring) = libm::sincos(down * PI / f64::from(rows));
        let (x, z) = libm::sincos(around * PI / f64::from(size));
        let way = DVec3::new(x * y, ring, z * y);
        let bumps = libm::sin(7.0 * way.x) + libm::sin(9.0 * way.y) + libm::sin(8.0 * way.z);
        (way * (1.0 + 0.05 * bumps)).as_vec3()
    };
    let positions = (0..(rows + 1) * columns).map(at).collect();
    let cell = |k: u32| {
        let next = k / columns * columns + (k + 1) % columns;
        let [below, next_below] = [k + columns, next + columns];
        [[k, below, next], [next, below, next_below]]
    };
    TriMesh::new(positions, (0..rows * columns).flat_map(cell).collect()).unwrap()
}

/// A sphere or a capsule somewhere around the ball, in a place of its own.
fn round_shape(rng: &mut Rng, place: &dyn Fn(DVec3) -> Vec3, scale: f64) -> Primitive {
    let mut point = |size: f64| DVec3::from([(); 3].map(|()| rng.uniform(-size, size)));
    let (at, along) = (point(1.6), point(0.5));
    let radius = 0.2 * scale;
    if along.x > 0.0 {
        Sphere::new(place(at), radius).unwrap().into()
    } else {
        Capsule::new(place(at), place(at + along), radius)
            .unwrap()
            .into()
    }
}

/// The triangles visited by casts, queries of overlaps, contacts, and contacts with each triangle.
fn visits_of_round_shapes(mesh: &TriMesh, placed: Option<(DQuat, f64)>) -> [usize; 4] {
    let (turn, scale) = placed.unwrap_or((DQuat::IDENTITY, 1.0));
    let at = DVec3::new(3.0, -2.0, 5.0);
    let affine = DAffine3::from_scale_rotation_translation(DVec3::splat(scale), turn, at);
    let transform = MeshTransform::new(affine);
    let (affine, transform) = match placed {
        Some(_) => (affine, Some(&transform)),
        None => (DAffine3::IDENTITY, None),
    };
    let source = PlacedMesh {
        transform,
        ..PlacedMesh::from(mesh)
    };
    let source = CountedMesh(source, Cell::new(0));
    let place = |point: DVec3| affine.transform_point3(point).as_vec3();
    let mut rng = Rng(9);
    let mut visits = [0; 4];
    for _ in 0..400 {
        let shape = round_shape(&mut rng, &place, scale);
        let motion = DVec3::from([(); 3].map(|()| rng.uniform(-3.0, 3.0)));
        let motion = affine.transform_vector3(motion).as_vec3();
        let cast = ShapeCast::new(&shape, motion).unwrap();
        let cast = PreparedCast::new(&cast, Sides::Both);
        let query = ContactQuery::new(&shape, 0.0);
        let _ = cast.first_triangle(&source, 1.0);
        visits[0] += source.1.take();
        query.overlaps(&source);
        visits[1] += source.1.take();
        query.least(&source);
        visits[2] += source.1.take();
        query.with_triangles(&source, ContactsPer::Triangle);
        visits[3] += source.1.take();
    }
    visits
}

#[test]
fn a_turned_and_scaled_mesh_is_visited_as_little_as_in_its_own_space() {
    let mesh = bumpy_ball(60);
    let own = visits_of_round_shapes(&mesh, None);
    for (turn, scale) in [
        (DQuat::from_xyzw(0.5, -0.5, 0.1, 0.7), 1.0),
        (DQuat::from_xyzw(0.3, 0.4, 0.8, 0.3), 0.25),
        (DQuat::from_xyzw(-0.7, 0.2, 0.4, 0.6), 30.0),
    ] {
        let placed = visits_of_round_shapes(&mesh, Some((turn.normalize(), scale)));
        // The one contact of an object is searched for by the tree's boxes, turned into the world.
        let most = [5, 5, 8, 5]
            .iter()
            .zip(&own)
            .map(|(of_4, own)| own * of_4 / 4);
        let are_few = placed
            .iter()
            .zip(most)
            .all(|(placed, most)| *placed <= most);
        assert!(are_few, "{placed:?} {own:?}");
    }
}
