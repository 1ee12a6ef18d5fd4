//! The closest point of single triangles and of meshes in every width, against rational arithmetic.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::glam::Vec3;
use hitscan::simd::Width;
use hitscan::{BuildPreset, ClosestPoint, TriMesh, Triangle, TriangleId};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::closest_oracle::{OracleTriangle, brute_force, check_triangles};
use hitscan_testkit::{Nasty, Rng, rounds};

const EVERYWHERE: f32 = f32::INFINITY;

fn oracle_triangles(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<OracleTriangle> {
    let place = |corner: u32| positions[corner as usize].as_dvec3();
    let one = |(triangle, corners): (u32, &[u32; 3])| OracleTriangle {
        id: TriangleId { part: 0, triangle },
        corners: corners.map(place),
        is_mirrored: false,
    };
    (0..).zip(triangles).map(one).collect()
}

/// A point on, near or far from a triangle: at a corner, on an edge, on the face, a hair from it.
fn near_point(nasty: &mut Nasty, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let rng = &mut nasty.rng;
    let shares = [0.0, 0.25, 0.5, 1.0, 1.5, -0.5];
    let (s, t) = (shares[rng.below(6)], shares[rng.below(6)]);
    let on = match rng.below(4) {
        0 => a + (b - a) * s,
        1 => b + (c - b) * s,
        2 => a + (b - a) * s + (c - a) * t,
        _ => return nasty.point(),
    };
    let normal = (b - a).cross(c - a);
    let size = (b - a).abs().max((c - a).abs()).max_element();
    let lift = [0.0, 1e-7, 1e-3, 1.0, -2.0][rng.below(5)];
    let lifted = on + normal.normalize_or_zero() * size * lift;
    match rng.below(3) {
        0 => lifted.map(f32::next_up),
        _ => lifted,
    }
}

#[test]
fn single_triangles() {
    let mut nasty = Nasty::new(0xc105_0001);
    let (mut on_surface, mut without_area) = (0, 0);
    for round in 0..rounds(1_500) {
        nasty.next_case();
        let far = if round % 5 == 0 {
            Vec3::new(1e5, -3e4, 0.25)
        } else {
            Vec3::ZERO
        };
        let corners = [0; 3].map(|_| nasty.point() + far);
        let point = near_point(&mut nasty, corners);
        let [a, b, c] = corners;
        let triangle = Triangle::new(a, b, c).unwrap();
        let all = oracle_triangles(&corners, &[[0, 1, 2]]);
        let what = format!("{round}: {corners:?} {point}");
        let id = all[0].id;
        let found = triangle.closest_point(point, EVERYWHERE).map(|found| {
            assert_eq!(found.triangle, None);
            ClosestPoint {
                triangle: Some(id),
                ..found
            }
        });
        let expected = brute_force(point, &all, f64::INFINITY);
        check_triangles(point, &expected, false, found.as_ref(), &what);
        let Some((distance, ..)) = expected else {
            without_area += 1;
            continue;
        };
        on_surface += usize::from(distance == 0.0);
        // The maximum distance is inclusive, exactly.
        for max_distance in [distance.next_down(), distance, distance.next_up()] {
            if max_distance >= 0.0 {
                let expected = brute_force(point, &all, f64::from(max_distance));
                let found = triangle.closest_point(point, max_distance);
                assert_eq!(found.is_some(), expected.is_some(), "{what} {max_distance}");
            }
        }
    }
    assert!(
        on_surface > rounds(50) && without_area > rounds(5),
        "{on_surface} {without_area}"
    );
}

/// Queries a mesh in every width and preset, alone and together, and compares with brute force.
fn check(name: &str, positions: &[Vec3], triangles: &[[u32; 3]], points: &[Vec3]) {
    let all = oracle_triangles(positions, triangles);
    let mut expected = Vec::new();
    for preset in [BuildPreset::Fast, BuildPreset::Balanced, BuildPreset::Tight] {
        for width in Width::available() {
            let mesh =
                TriMesh::with_preset(positions.to_vec(), triangles.to_vec(), preset).unwrap();
            let mesh = mesh.with_width(width);
            let found: Vec<_> = points
                .iter()
                .map(|p| mesh.closest_point(*p, EVERYWHERE))
                .collect();
            assert_eq!(
                found,
                mesh.closest_points(points, EVERYWHERE),
                "{name} {preset:?} {width:?}"
            );
            if expected.is_empty() {
                for (point, found) in points.iter().zip(&found) {
                    let brute = brute_force(*point, &all, f64::INFINITY);
                    check_triangles(
                        *point,
                        &brute,
                        false,
                        found.as_ref(),
                        &format!("{name} {point}"),
                    );
                }
                expected = found;
            } else {
                assert_eq!(found, expected, "{name} {preset:?} {width:?}");
            }
            for (point, nearest) in points.iter().zip(&expected).step_by(7) {
                let distance = nearest.as_ref().map_or(1.0, |nearest| nearest.distance);
                let brute = brute_force(*point, &all, f64::from(distance));
                let found = mesh.closest_point(*point, distance);
                let what = format!("{name} {point} up to {distance}");
                check_triangles(*point, &brute, false, found.as_ref(), &what);
                if distance > 0.0 {
                    assert_eq!(mesh.closest_point(*point, distance * 0.999), None, "{what}");
                }
            }
        }
    }
}

fn points_around(mesh: &ClosedMesh, rng: &mut Rng, count: usize) -> Vec<Vec3> {
    let size = mesh
        .positions
        .iter()
        .fold(Vec3::ZERO, |all, p| all.max(p.abs()))
        .max_element();
    let mut points: Vec<Vec3> = (0..count)
        .map(|round| {
            let target = mesh.target(rng);
            let away = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-1.0, 1.0)));
            match round % 5 {
                0 => target,
                1 => target + away * 1e-4 * size,
                2 => target * rng.uniform_f32(0.9, 1.2),
                3 => away * size * 1.5,
                _ => (target + away * size * 0.5).round(),
            }
        })
        .collect();
    points.extend([Vec3::ZERO, Vec3::splat(1e6), Vec3::X * 1e-30]);
    points
}

#[test]
fn meshes_in_every_width() {
    let mut rng = Rng::new(0xc105_0002);
    let sphere = ClosedMesh::bumpy_sphere(2, 0.3, &mut rng);
    let round = ClosedMesh::bumpy_sphere(2, 0.0, &mut rng);
    let cube = ClosedMesh::cube(4).shuffled(&mut rng).0;
    let steps = ClosedMesh::voxels(4, |[x, y, z]| (x + 2 * y + z * (1 + x)) % 3 != 1);
    let far = sphere.clone().moved(1.0 / 64.0, |p| p * 8.0 + 1e5);
    let tiny = ClosedMesh {
        positions: sphere.positions.iter().map(|p| *p * 1e-28).collect(),
        ..sphere.clone()
    };
    let huge = ClosedMesh {
        positions: sphere.positions.iter().map(|p| *p * 3e17).collect(),
        ..sphere.clone()
    };
    for (name, mesh) in [
        ("sphere", &sphere),
        ("round", &round),
        ("cube", &cube),
        ("steps", &steps),
        ("far", &far),
        ("tiny", &tiny),
        ("huge", &huge),
    ] {
        let points = points_around(mesh, &mut rng, rounds(25));
        check(name, &mesh.positions, &mesh.triangles, &points);
    }
}

#[test]
fn slivers_and_triangles_without_area() {
    let mut nasty = Nasty::new(0xc105_0003);
    for round in 0..rounds(8) {
        nasty.next_case();
        let mut positions: Vec<Vec3> = (0..24).map(|_| nasty.point()).collect();
        for k in 0..8 {
            // Nearly on a line, or on it.
            let middle = (positions[k] + positions[k + 1]) * 0.5;
            positions.push(if k % 2 == 0 {
                middle
            } else {
                middle.map(f32::next_up)
            });
        }
        let count = positions.len();
        let mut triangles: Vec<[u32; 3]> = (0..40)
            .map(|_| [0; 3].map(|_| u32::try_from(nasty.rng.below(count)).unwrap()))
            .collect();
        triangles.extend((0..8u32).map(|k| [k, 24 + k, k + 1]));
        let points: Vec<Vec3> = (0..20)
            .map(|k| match k % 3 {
                0 => nasty.point(),
                1 => positions[k],
                _ => (positions[k] + positions[k + 1]) * 0.5,
            })
            .collect();
        check(&format!("slivers {round}"), &positions, &triangles, &points);
    }
}

#[test]
fn all_triangles_of_a_sphere_tie_at_its_centre() {
    // Each corner is at the same distance from 0, and the lowest triangle answers.
    let positions: Vec<Vec3> = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z].to_vec();
    let triangles = vec![
        [0, 1, 2],
        [1, 3, 2],
        [3, 4, 2],
        [4, 0, 2],
        [1, 0, 5],
        [3, 1, 5],
        [4, 3, 5],
        [0, 4, 5],
    ];
    let mesh = TriMesh::new(positions, triangles).unwrap();
    let found = mesh.closest_point(Vec3::ZERO, EVERYWHERE).unwrap();
    assert_eq!(
        found.triangle,
        Some(TriangleId {
            part: 0,
            triangle: 0
        })
    );
    assert_eq!(found.distance, 0.577_350_26);
}

#[test]
fn nothing_is_near_a_point_that_is_none() {
    let mesh = ClosedMesh::cube(1).tri_mesh();
    assert_eq!(mesh.closest_point([f32::NAN, 0.0, 0.0], EVERYWHERE), None);
    assert_eq!(
        mesh.closest_point([f32::INFINITY, 0.0, 0.0], EVERYWHERE),
        None
    );
    assert_eq!(mesh.closest_point([0.0; 3], -1.0), None);
    assert_eq!(mesh.closest_point([0.0; 3], f32::NAN), None);
    let empty = TriMesh::new(Vec::new(), Vec::new()).unwrap();
    assert_eq!(empty.closest_point([0.0; 3], EVERYWHERE), None);
    let found = mesh
        .closest_point(Vec3::splat(f32::MAX), EVERYWHERE)
        .unwrap();
    assert_eq!(found.distance, f32::MAX);
}
