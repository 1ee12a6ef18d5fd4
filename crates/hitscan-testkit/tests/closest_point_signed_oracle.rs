//! Signed closest points of closed meshes: signs against winding numbers that are counted in
//! rational arithmetic along random directions, distances against brute force.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::glam::{DVec3, Vec3};
use hitscan::simd::Width;
use hitscan::{TriMesh, TriangleId};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::closest_oracle::{
    OracleTriangle, brute_force, check_triangles, wide, winding,
};
use hitscan_testkit::{Rng, Vector};

const EVERYWHERE: f32 = f32::INFINITY;

/// Compares signs and distances of a closed mesh at points; returns how many are inside.
fn check(name: &str, mesh: &ClosedMesh, points: &[Vec3]) -> usize {
    let mut rng = Rng::new(0xc105_0021);
    let place = |corner: u32| mesh.positions[corner as usize].as_dvec3();
    let oracle: Vec<OracleTriangle> = (0..)
        .zip(&mesh.triangles)
        .map(|(triangle, corners)| OracleTriangle {
            id: TriangleId { part: 0, triangle },
            corners: corners.map(place),
            is_mirrored: false,
        })
        .collect();
    let exactly: Vec<[Vector; 3]> = oracle.iter().map(|one| one.corners.map(wide)).collect();
    let built: Vec<TriMesh> = Width::available()
        .into_iter()
        .map(|width| mesh.tri_mesh().with_width(width))
        .collect();
    let mut inside = 0;
    let contained: Vec<Vec<bool>> = built
        .iter()
        .map(|mesh| {
            let mut are_inside = vec![false; points.len()];
            mesh.contain_into(points, &mut are_inside);
            are_inside
        })
        .collect();
    for (number, &point) in points.iter().enumerate() {
        let around = winding(&wide(point.as_dvec3()), &exactly, &mut rng);
        let is_inside = around.is_some_and(|count| count != 0);
        inside += usize::from(is_inside);
        let expected = brute_force(point, &oracle, f64::INFINITY);
        let what = format!("{name} {point}: winding {around:?}");
        for (mesh, are_inside) in built.iter().zip(&contained) {
            assert_eq!(are_inside[number], is_inside, "{what}");
            let found = mesh.closest_point_signed(point, EVERYWHERE);
            check_triangles(point, &expected, is_inside, found.as_ref(), &what);
            // The maximum distance matters outside only.
            assert_eq!(
                mesh.closest_point_signed(point, 0.0).is_some(),
                is_inside || around.is_none(),
                "{what}"
            );
        }
    }
    for mesh in &built {
        let one_by_one: Vec<_> = points
            .iter()
            .map(|p| mesh.closest_point_signed(*p, EVERYWHERE))
            .collect();
        assert_eq!(
            mesh.closest_points_signed(points, EVERYWHERE),
            one_by_one,
            "{name}"
        );
    }
    inside
}

fn reversed(mesh: &ClosedMesh) -> ClosedMesh {
    let triangles = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    ClosedMesh {
        triangles,
        ..mesh.clone()
    }
}

fn joined(one: &ClosedMesh, other: &ClosedMesh) -> ClosedMesh {
    let first = u32::try_from(one.positions.len()).unwrap();
    let mut all = one.clone();
    all.positions.extend(&other.positions);
    all.triangles.extend(
        other
            .triangles
            .iter()
            .map(|t| t.map(|corner| corner + first)),
    );
    all
}

/// Points near corners and edges, a hair inside and outside, on the surface, and anywhere in the
/// box.
fn points(mesh: &ClosedMesh, rng: &mut Rng, count: usize) -> Vec<Vec3> {
    let middle = mesh.positions.iter().sum::<Vec3>() / mesh.positions.len() as f32;
    let size = mesh
        .positions
        .iter()
        .fold(Vec3::ZERO, |all, p| all.max((*p - middle).abs()));
    (0..count)
        .map(|round| {
            let target = mesh.target(rng);
            let away = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-1.0, 1.0)));
            match round % 6 {
                0 => target,
                1 => target + away * 1e-5 * size,
                2 => target.map(f32::next_up),
                3 => middle + (target - middle) * rng.uniform_f32(0.95, 1.05),
                4 => (middle + away * size * 1.2).round(),
                _ => middle + away * size * 1.2,
            }
        })
        .collect()
}

#[test]
fn closed_meshes_of_many_kinds() {
    let mut rng = Rng::new(0xc105_0022);
    let sphere = ClosedMesh::bumpy_sphere(1, 0.4, &mut rng);
    let small = sphere.clone().moved(1.0 / 1024.0, |p| p * 0.5);
    let shifted = sphere
        .clone()
        .moved(1.0 / 1024.0, |p| p + DVec3::new(0.8, 0.3, -0.2));
    let cube = ClosedMesh::cube(2);
    // Edges that four faces share, and corners in which pieces only touch.
    let steps = ClosedMesh::voxels(3, |[x, y, z]| (x + y + z) % 2 == 0);
    let mut least = usize::MAX;
    for (name, mesh) in [
        ("sphere", sphere.clone()),
        ("inside out", reversed(&sphere)),
        ("shell", joined(&sphere, &reversed(&small))),
        ("nested", joined(&sphere, &small)),
        ("overlapping", joined(&sphere, &shifted)),
        (
            "overlapping, one reversed",
            joined(&sphere, &reversed(&shifted)),
        ),
        ("cube", cube),
        ("checkers", steps),
    ] {
        let points = points(&mesh, &mut rng, 30);
        let inside = check(name, &mesh, &points);
        least = least.min(inside);
    }
    assert!(least >= 3, "{least}");
}

#[test]
fn triangles_without_area_count_for_closedness() {
    // A cube whose one edge ends inside another: a triangle without area closes the gap.
    let mut cube = ClosedMesh::cube(1);
    let [a, b, c] = cube.triangles[0];
    cube.positions
        .push((cube.positions[a as usize] + cube.positions[b as usize]) * 0.5);
    let middle = 8;
    cube.triangles
        .splice(0..1, [[a, middle, c], [middle, b, c]]);
    assert_eq!(check("open", &cube, &[]), 0);
    let open = cube
        .tri_mesh()
        .closest_point_signed([0.5; 3], EVERYWHERE)
        .unwrap();
    assert!(!open.is_inside && open.distance == 0.5);
    cube.triangles.push([a, b, middle]);
    let mut rng = Rng::new(0xc105_0023);
    let points = points(&cube, &mut rng, 24);
    assert!(check("closed by a triangle without area", &cube, &points) > 2);
}

#[test]
fn open_meshes_have_no_inside() {
    let mut open = ClosedMesh::cube(2);
    open.triangles.pop();
    let found = open
        .tri_mesh()
        .closest_point_signed([1.0; 3], EVERYWHERE)
        .unwrap();
    assert_eq!((found.is_inside, found.distance), (false, 1.0));
    let mut flipped = ClosedMesh::cube(2);
    flipped.triangles[0].swap(0, 1);
    let found = flipped
        .tri_mesh()
        .closest_point_signed([1.0; 3], EVERYWHERE)
        .unwrap();
    assert!(!found.is_inside);
}

/// A spike: a long thin tetrahedron, whose tip is far from all but itself.
fn spike(length: f32, width: f32) -> ClosedMesh {
    ClosedMesh {
        positions: vec![
            Vec3::new(length, 0.0, 0.0),
            Vec3::new(0.0, width, 0.0),
            Vec3::new(0.0, -width, width),
            Vec3::new(0.0, -width, -width),
        ],
        triangles: vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
    }
}

/// trimesh#73: the sign of a point whose nearest point is on an edge was that of one face's normal.
#[test]
fn trimesh_73_signs_of_points_that_are_nearest_to_edges_and_corners() {
    let mut rng = Rng::new(0xc105_0024);
    let cube = ClosedMesh::cube(1);
    let mut points = Vec::new();
    for corner in &cube.positions {
        for away in [0.25, 1.0, 3.0, 1e-6] {
            let out = *corner * 2.0 - 1.0;
            points.extend([
                *corner + out * away,
                *corner + out * away * Vec3::new(1.0, 1.0, 0.0),
            ]);
            points.push(*corner + out * away * Vec3::new(1.0, 0.1, 0.001));
        }
    }
    assert_eq!(check("corners of a cube", &cube, &points), 0);
    let within: Vec<Vec3> = (0..40)
        .map(|_| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(0.001, 0.999))))
        .collect();
    assert_eq!(check("within a cube", &cube, &within), within.len());
}

/// three-mesh-bvh#704: points beyond a sharp edge were called inside, as the nearest face's plane
/// is behind them.
#[test]
fn three_mesh_bvh_704_signs_beside_sharp_edges() {
    let mut rng = Rng::new(0xc105_0025);
    for (length, width) in [(10.0, 0.1), (100.0, 0.01), (1.0, 1e-6)] {
        let spike = spike(length, width);
        let mut around = points(&spike, &mut rng, 12);
        for _ in 0..12 {
            let beside = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-2.0, 2.0)));
            around.push(Vec3::new(length, 0.0, 0.0) + beside * width);
            around.push(Vec3::new(length * rng.uniform_f32(0.0, 0.5), 0.0, 0.0));
        }
        assert!(check(&format!("spike {length} {width}"), &spike, &around) > 8);
    }
}

/// libigl#644: signs were wrong where sheets lie close together and where features are thin.
#[test]
fn libigl_644_signs_between_thin_sheets() {
    let mut rng = Rng::new(0xc105_0026);
    let plate = |x: f64, thick: f64| {
        ClosedMesh::cube(2).moved(f64::powi(2.0, -40), move |p| {
            DVec3::new(x + p.x * thick, p.y, p.z)
        })
    };
    let sheets = joined(&plate(0.0, 1e-6), &plate(4e-6, 1e-6));
    let mut around: Vec<Vec3> = (0..40)
        .map(|_| {
            Vec3::new(
                rng.uniform_f32(-2e-6, 8e-6),
                rng.uniform_f32(-0.1, 2.1),
                rng.uniform_f32(-0.1, 2.1),
            )
        })
        .collect();
    around.extend((0..10).map(|k| Vec3::new(0.25e-6 * k as f32, 1.0, 1.0)));
    let inside = check("sheets", &sheets, &around);
    assert!(inside > 6, "{inside}");
}
