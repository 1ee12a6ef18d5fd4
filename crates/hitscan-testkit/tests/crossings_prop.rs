//! Counts of hits against the hits themselves, which are those of single rays: rays at faces, edges and
//! corners, in planes of triangles, in batches of every size, coherent and scattered.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::glam::Vec3;
use hitscan::simd::Width;
use hitscan::{Ray, Sides, TriMesh};
use hitscan_testkit::Rng;
use hitscan_testkit::closed_mesh::ClosedMesh;

const SEED: u64 = 0xC205_5106;

/// Compares the counts of rays with their hits; returns the maximum.
fn check(name: &str, mesh: &TriMesh, rays: &[Ray]) -> usize {
    let mut greatest = 0;
    for width in Width::available() {
        let mesh = mesh.clone().with_width(width);
        for sides in [Sides::Both, Sides::Front, Sides::Back] {
            let expected: Vec<usize> = rays
                .iter()
                .map(|ray| mesh.cast_ray_all(ray, sides).len())
                .collect();
            for size in [1, 5, 16, 100, rays.len()] {
                let mut counts = vec![u32::MAX; rays.len()];
                for (rays, counts) in rays.chunks(size).zip(counts.chunks_mut(size)) {
                    mesh.count_hits_into(rays, sides, counts);
                }
                let counts: Vec<usize> = counts.iter().map(|count| *count as usize).collect();
                assert_eq!(
                    counts, expected,
                    "{name}, {width:?}, {sides:?}, {size} at once"
                );
            }
            greatest = greatest.max(expected.into_iter().max().unwrap());
        }
    }
    greatest
}

/// Rays from anywhere to anywhere, through targets, and neighbours in packets.
fn rays(mesh: &ClosedMesh, rng: &mut Rng, count: usize) -> Vec<Ray> {
    let corner = |rng: &mut Rng| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-9.0, 9.0)));
    let mut rays: Vec<Ray> = (0..count)
        .map(|number| {
            let target = mesh.target(rng);
            let origin = match number % 3 {
                0 => corner(rng),
                1 => corner(rng).round(),
                _ => mesh.target(rng),
            };
            let ray = Ray::new_or_empty(origin, target - origin);
            match number % 7 {
                0 => ray.with_range(0.25, 1.5).unwrap_or(ray),
                _ => ray,
            }
        })
        .collect();
    let eye = Vec3::new(0.5, 0.25, 30.0);
    rays.extend((0..count).map(|number| {
        let (i, j) = (number % 16, number / 16);
        let at = Vec3::new(i as f32 * 0.25 - 2.0, j as f32 * 0.25 - 2.0, 0.0);
        Ray::new(eye, at - eye).unwrap()
    }));
    rays
}

#[test]
fn as_many_hits_are_counted_as_there_are() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let meshes = [
        ("cube", ClosedMesh::cube(3)),
        (
            "bumpy",
            ClosedMesh::bumpy_sphere(3, 0.4, &mut rng).moved(0.25, |p| p * 2.0),
        ),
        (
            "voxels",
            ClosedMesh::voxels(4, |[x, y, z]| (x + y * 2 + z) % 3 != 0),
        ),
    ];
    for (name, mesh) in &meshes {
        let rays = rays(mesh, &mut rng, 300);
        let greatest = check(name, &mesh.tri_mesh(), &rays);
        assert!(greatest >= 2, "{name}: {greatest}");
    }
}

#[test]
fn nothing_is_inside_of_a_mesh_that_is_not_closed() {
    let mut open = ClosedMesh::cube(2);
    let points = [Vec3::splat(1.0), Vec3::splat(0.5), Vec3::NAN];
    let mut are_inside = [true; 3];
    open.tri_mesh().contain_into(&points, &mut are_inside);
    assert_eq!(
        are_inside,
        points.map(|point| {
            let nearest = open.tri_mesh().closest_point_signed(point, f32::INFINITY);
            nearest.is_some_and(|nearest| nearest.is_inside)
        })
    );
    assert!(are_inside[0] && open.tri_mesh().is_closed());
    open.triangles.pop();
    assert!(!open.tri_mesh().is_closed());
    open.tri_mesh().contain_into(&points, &mut are_inside);
    assert_eq!(are_inside, [false; 3]);
}
