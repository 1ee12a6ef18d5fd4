//! Hulls of points on grids against whole numbers; numbers, placing, flat hulls.

use super::{Numbering, Polytope};
use crate::test_rng::Rng;
use glam::{DAffine3, DMat3, DQuat, DVec3};

fn hull(points: &[DVec3]) -> Polytope {
    Polytope::around(points, Numbering::ByPlace)
}

fn cube() -> Vec<DVec3> {
    let corner = |k: usize| DVec3::from_array([2, 1, 0].map(|bit| (k >> bit & 1) as f64));
    (0..8).map(corner).collect()
}

/// Of whole numbers, so that i128 decides.
#[expect(clippy::cast_possible_truncation, reason = "they are small")]
fn whole_side([a, b, c]: [DVec3; 3], point: DVec3) -> i128 {
    let whole = |v: DVec3| v.to_array().map(|x| x as i128);
    let minus = |p: DVec3, q: DVec3| {
        let (p, q) = (whole(p), whole(q));
        [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
    };
    let (u, v, w) = (minus(b, a), minus(c, a), minus(point, a));
    (u[1] * v[2] - u[2] * v[1]) * w[0]
        + (u[2] * v[0] - u[0] * v[2]) * w[1]
        + (u[0] * v[1] - u[1] * v[0]) * w[2]
}

/// All corners are given points, all points lie within all faces, edges close the surface (Euler).
fn check(points: &[DVec3], hull: &Polytope) {
    for corner in hull.corners() {
        assert!(points.contains(corner), "{corner}");
    }
    for face in 0..hull.faces().len() {
        let span = hull.face_span(face);
        let level = |point: &&DVec3| whole_side(span, **point) == 0;
        assert!(
            points.iter().all(|point| whole_side(span, *point) <= 0),
            "{face}"
        );
        // A whole face has all corners of its plane.
        assert_eq!(
            hull.corners().iter().filter(level).count(),
            hull.ring(face).len()
        );
        let sides: Vec<[DVec3; 2]> = hull.ring_sides(face).collect();
        for [from, to] in sides {
            let normal = (span[1] - span[0]).cross(span[2] - span[0]);
            for corner in hull
                .ring_corners(face)
                .filter(|corner| *corner != from && *corner != to)
            {
                assert!(normal.dot((to - from).cross(corner - from)) > 0.0);
            }
        }
    }
    let [corners, edges, faces] = [hull.corners().len(), hull.edges().len(), hull.faces().len()];
    assert_eq!(corners + faces, edges + 2, "{corners} {edges} {faces}");
}

#[test]
fn a_cube_has_the_faces_and_edges_of_a_box() {
    let mut points = cube();
    points.extend([
        DVec3::splat(0.5),
        DVec3::new(0.5, 0.0, 0.5),
        DVec3::new(0.0, 0.5, 0.0),
    ]);
    points.reverse();
    let hull = hull(&points);
    assert_eq!(hull.corners(), cube());
    let normals: Vec<DVec3> = hull
        .faces()
        .iter()
        .map(|face| face.normal.normalize_or_zero())
        .collect();
    let expected = [
        -DVec3::X,
        DVec3::X,
        -DVec3::Y,
        DVec3::Y,
        -DVec3::Z,
        DVec3::Z,
    ];
    assert_eq!(normals, expected);
    let positive: Vec<bool> = hull.faces().iter().map(|face| face.is_positive).collect();
    assert_eq!(positive, [false, true, false, true, false, true]);
    assert!(hull.faces().iter().all(|face| face.count == 4));
    let first: Vec<[u16; 2]> = hull.edges().iter().take(3).map(|edge| edge.ends).collect();
    assert_eq!(first, [[0, 4], [0, 2], [0, 1]]);
    assert_eq!(hull.edges().len(), 12);
}

#[test]
fn hulls_without_volume_have_few_faces() {
    let point = hull(&[DVec3::ONE, DVec3::ONE]);
    assert_eq!(
        (
            point.corners().len(),
            point.edges().len(),
            point.faces().len()
        ),
        (1, 0, 0)
    );
    let segment = hull(&[
        DVec3::ONE,
        DVec3::ZERO,
        DVec3::splat(0.25),
        DVec3::splat(1.0),
    ]);
    assert_eq!(segment.corners(), [DVec3::ZERO, DVec3::ONE]);
    assert_eq!((segment.edges().len(), segment.faces().len()), (1, 0));
    for axis in 0..3 {
        let flat = |x: f64, y: f64| {
            let mut point = DVec3::splat(0.0);
            (point[(axis + 1) % 3], point[(axis + 2) % 3]) = (x, y);
            // Slanting in both.
            point[axis] = 2.0 * x - y;
            point
        };
        let square = [
            flat(0.0, 0.0),
            flat(4.0, 0.0),
            flat(4.0, 4.0),
            flat(0.0, 4.0),
        ];
        let inner = [flat(2.0, 0.0), flat(1.0, 1.0), flat(4.0, 3.0)];
        let points: Vec<DVec3> = inner.into_iter().chain(square).collect();
        let hull = hull(&points);
        assert_eq!(
            (hull.corners().len(), hull.edges().len(), hull.faces().len()),
            (4, 4, 2)
        );
        let [front, back] = [0, 1].map(|face| hull.faces()[face]);
        assert!(front.is_positive && !back.is_positive);
        let sign = front.normal.to_array().into_iter().find(|x| *x != 0.0);
        assert!(sign.is_some_and(|x| x > 0.0), "{axis} {:?}", front.normal);
        assert!(front.normal.dot(back.normal) < 0.0);
    }
}

#[test]
fn hulls_of_points_on_a_grid_are_those_of_whole_numbers() {
    let mut rng = Rng(11);
    let mut volumes = 0;
    for round in 0..600 {
        let span = [2, 3, 5, 9, 1000][round % 5];
        let count = 1 + rng.below(if round % 7 == 0 { 200 } else { 24 });
        let mut coordinate = || rng.below(span) as f64 - (span / 2) as f64;
        let points: Vec<DVec3> = (0..count)
            .map(|_| DVec3::new(coordinate(), coordinate(), coordinate()))
            .collect();
        let hull = hull(&points);
        if hull.faces().len() >= 4 {
            volumes += 1;
            check(&points, &hull);
        }
        // The order of the points does not show.
        let mut turned = points.clone();
        turned.reverse();
        turned.extend(points.iter().map(|point| *point * 1.0));
        assert_eq!(hull, self::hull(&turned));
    }
    assert!(volumes > 300, "{volumes}");
}

#[test]
fn points_on_a_sphere_are_all_corners() {
    let mut rng = Rng(3);
    let mut points = Vec::new();
    while points.len() < 1000 {
        let point = DVec3::new(
            rng.signed().into(),
            rng.signed().into(),
            rng.signed().into(),
        );
        if (0.1..1.0).contains(&point.length()) {
            points.push(point.normalize_or_zero() * 1e4);
        }
    }
    let hull = hull(&points);
    assert_eq!(hull.corners().len(), 1000);
    assert_eq!(hull.edges().len(), 3 * 1000 - 6);
    let far = DVec3::new(0.3, -0.2, 0.9);
    let height = |corner: DVec3| corner.dot(far);
    let top = hull
        .corners()
        .iter()
        .map(|corner| height(*corner))
        .fold(f64::MIN, f64::max);
    for start in [0, 500, 999] {
        assert_eq!(height(hull.corner(hull.about_furthest(far, start))), top);
    }
}

#[test]
fn a_placed_hull_keeps_its_numbers_and_its_faces_may_break() {
    let own = hull(&cube());
    let turned = DAffine3::from_rotation_translation(
        DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9) * (1.0 / 0.95_f64.sqrt()),
        DVec3::new(1e5, 0.3, -7.7),
    );
    let mirrored = DAffine3::from_mat3_translation(
        DMat3::from_diagonal(DVec3::new(-1.0, 2.0, 3.0)),
        DVec3::ONE,
    );
    for (place, breaks) in [(turned, true), (mirrored, false)] {
        let points: Vec<DVec3> = cube()
            .iter()
            .map(|point| place.transform_point3(*point))
            .collect();
        let placed = Polytope::around(
            &points,
            Numbering::As(&own, place.matrix3.determinant() < 0.0),
        );
        assert_eq!(placed.corners(), points);
        assert_eq!(placed.faces().len() > 6, breaks);
        let mut found = [false; 6];
        for face in placed.faces() {
            let expected =
                place.matrix3.inverse().transpose() * own.faces()[usize::from(face.own)].normal;
            assert!(
                face.normal
                    .normalize_or_zero()
                    .dot(expected.normalize_or_zero())
                    > 0.999
            );
            found[usize::from(face.own)] = true;
        }
        assert_eq!(found, [true; 6]);
        assert!(placed.faces().is_sorted_by_key(|face| face.own));
    }
}

#[test]
fn a_flat_hull_keeps_its_front_wherever_it_is_placed() {
    let square = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
    let own = hull(&square);
    for scale in [
        DVec3::ONE,
        DVec3::new(-1.0, 2.0, 3.0),
        DVec3::new(1.0, 1.0, -1.0),
    ] {
        for turn in [
            DQuat::IDENTITY,
            DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
            DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
        ] {
            let place = DAffine3::from_scale_rotation_translation(scale, turn, DVec3::ONE);
            let points: Vec<DVec3> = own
                .corners()
                .iter()
                .map(|point| place.transform_point3(*point))
                .collect();
            let mirrored = place.matrix3.determinant() < 0.0;
            let placed = Polytope::around(&points, Numbering::As(&own, mirrored));
            let numbers: Vec<u16> = placed.faces().iter().map(|face| face.own).collect();
            assert_eq!(numbers, [0, 1]);
            for face in placed.faces() {
                // A step off the own face is one off the placed face.
                let off = own.faces()[usize::from(face.own)].normal;
                let step = place.transform_vector3(off);
                assert!(face.normal.dot(step) > 0.0, "{scale} {turn}");
                assert_eq!(face.is_positive, face.own == 0);
            }
        }
    }
}

/// Many points, most of them within, and on a grid many of them on faces: the hull is that of its corners alone,
/// which is built in another order.
#[test]
fn of_many_points_the_hull_is_that_of_its_corners() {
    let mut rng = Rng(21);
    for grid in [0.0, 8.0] {
        let points: Vec<DVec3> = (0..12_000)
            .map(|_| {
                let place = DVec3::from([(); 3].map(|()| f64::from(rng.signed())));
                let within = place / place.length().max(1.0);
                match grid > 0.0 {
                    true => (within * grid).round(),
                    false => within,
                }
            })
            .collect();
        let whole = hull(&points);
        assert!(whole.corners().len() > 40, "{}", whole.corners().len());
        assert_eq!(whole, hull(whole.corners()));
        if grid > 0.0 {
            check(&points, &whole);
        }
    }
}
