//! A mesh gives the same bits in every vector width, with every build preset and in batches, and
//! they are those of its triangles tested one by one.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use glam::Vec3;
use hitscan::simd::Width;
use hitscan::{BuildPreset, Ray, RayHit, Sides, TriMesh, Triangle};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::mixed_sizes::{rays_from_everywhere, small_and_large};
use hitscan_testkit::{Nasty, Rng};

const SEED: u64 = 0x51d3_0001;

const ALL_SIDES: [Sides; 3] = [Sides::Both, Sides::Front, Sides::Back];

/// The bits of all that a hit says.
fn bits(hit: Option<RayHit>) -> Option<[u32; 13]> {
    let hit = hit?;
    let on = hit.triangle.unwrap();
    let [px, py, pz] = hit.point.to_array().map(f32::to_bits);
    let [nx, ny, nz] = hit.normal.to_array().map(f32::to_bits);
    let side = hit.side as u32;
    let (t, distance) = (hit.t.to_bits(), hit.distance.to_bits());
    let (u, v) = (hit.u().to_bits(), hit.v().to_bits());
    Some([
        t,
        distance,
        px,
        py,
        pz,
        nx,
        ny,
        nz,
        side,
        on.triangle,
        u,
        v,
        on.part,
    ])
}

/// The lowest of the triangles that are hit first, tested one by one.
fn one_by_one(triangles: &[Triangle], ray: &Ray, sides: Sides) -> Option<(f32, u32)> {
    let mut best: Option<(f32, u32)> = None;
    for (triangle, index) in triangles.iter().zip(0..) {
        if let Some(hit) = triangle.cast_ray(ray, sides)
            && best.is_none_or(|(t, _)| hit.t < t)
        {
            best = Some((hit.t, index));
        }
    }
    best
}

/// Queries the mesh in every way, alone and in batches, and compares; returns how many rays hit.
fn check(name: &str, positions: &[Vec3], triangles: &[[u32; 3]], rays: &[Ray]) -> usize {
    let widths = Width::available();
    assert!(widths.len() > 1, "only {widths:?} to compare");
    let singles: Vec<Triangle> = triangles
        .iter()
        .map(|corners| {
            let [a, b, c] = corners.map(|corner| positions[corner as usize]);
            Triangle::new(a, b, c).unwrap()
        })
        .collect();
    let mesh =
        |preset| TriMesh::with_preset(positions.to_vec(), triangles.to_vec(), preset).unwrap();
    let mut meshes: Vec<(String, TriMesh)> = Vec::new();
    for preset in [BuildPreset::Fast, BuildPreset::Balanced, BuildPreset::Tight] {
        for &width in &widths {
            meshes.push((
                format!("{preset:?} {width:?}"),
                mesh(preset).with_width(width),
            ));
        }
    }
    let mut hit_count = 0;
    for sides in ALL_SIDES {
        for (way, mesh) in &meshes {
            let batch = mesh.cast_rays(rays, sides);
            let any_batch = mesh.cast_rays_any(rays, sides);
            assert_eq!((batch.len(), any_batch.len()), (rays.len(), rays.len()));
            for ((ray, in_batch), is_any) in rays.iter().zip(batch).zip(any_batch) {
                let alone = mesh.cast_ray(ray, sides);
                assert_eq!(
                    bits(in_batch),
                    bits(alone),
                    "{name}, {way}, batch: {ray:?} {sides:?}"
                );
                assert_eq!(
                    is_any,
                    alone.is_some(),
                    "{name}, {way}, any in a batch: {ray:?} {sides:?}"
                );
            }
        }
        for ray in rays {
            let expected = one_by_one(&singles, ray, sides);
            let first = meshes[0].1.cast_ray(ray, sides);
            let found = first.map(|hit| (hit.t, hit.triangle.unwrap().triangle));
            assert_eq!(found, expected, "{name}: {ray:?} {sides:?}");
            for (way, mesh) in &meshes {
                let hit = mesh.cast_ray(ray, sides);
                assert_eq!(bits(hit), bits(first), "{name}, {way}: {ray:?} {sides:?}");
                let is_hit = mesh.cast_ray_any(ray, sides);
                assert_eq!(
                    is_hit,
                    expected.is_some(),
                    "{name}, {way}, any: {ray:?} {sides:?}"
                );
            }
            hit_count += usize::from(expected.is_some());
        }
    }
    println!(
        "{name}: {} rays in {} ways, {hit_count} hits",
        rays.len(),
        meshes.len()
    );
    hit_count
}

/// Rays at corners, edges and insides, some of them limited, tiny, huge or along an axis.
fn rays_at(positions: &[Vec3], triangles: &[[u32; 3]], count: usize, rng: &mut Rng) -> Vec<Ray> {
    let size = positions
        .iter()
        .fold(0.0f32, |size, p| size.max(p.abs().max_element()));
    let mut rays = Vec::new();
    while rays.len() < count {
        let corners =
            triangles[rng.below(triangles.len())].map(|corner| positions[corner as usize]);
        let target = match rng.below(4) {
            0 => corners[0],
            1 => corners[0].midpoint(corners[1]),
            _ => (corners[0] + corners[1] + corners[2]) / 3.0,
        };
        let far = if rng.one_in(4) { 1e4 } else { 2.0 };
        let mut origin = target;
        for axis in 0..3 {
            if !rng.one_in(3) {
                origin[axis] += rng.uniform_f32(-far, far) * size;
            }
        }
        let scale = [1.0, 1e-30, 1e15, 0.3][rng.below(4)];
        let Ok(ray) = Ray::new(origin, (target - origin) * scale) else {
            continue;
        };
        let (from, to) = (
            rng.uniform_f32(-2.0, 1.5) / scale,
            rng.uniform_f32(0.5, 2.0) / scale,
        );
        let limited = if from < to && rng.one_in(2) {
            ray.with_range(from, to)
        } else {
            ray.with_range(-1e30, f32::INFINITY)
        };
        rays.push(if rng.one_in(3) { ray } else { limited.unwrap() });
    }
    rays
}

/// Bundles of rays from one place, or side by side, at corners and edges and between, so that packets
/// of them are taken as one.
fn bundles_at(positions: &[Vec3], triangles: &[[u32; 3]], count: usize, rng: &mut Rng) -> Vec<Ray> {
    /// A multiple of the rays that go together, and the same again where they do not start in step.
    const BUNDLE: usize = 40;
    let size = positions
        .iter()
        .fold(0.0f32, |size, p| size.max(p.abs().max_element()));
    let mut rays = Vec::new();
    for _ in 0..count {
        let eye = Vec3::from_array([(); 3].map(|()| rng.uniform_f32(-3.0, 3.0))) * size;
        let aims: Vec<Vec3> = {
            let around = triangles[rng.below(triangles.len())];
            let [a, b, c] = around.map(|corner| positions[corner as usize]);
            let spread = [0.0, 1.0, 3.0, 20.0][rng.below(4)];
            let aim = |_| match rng.below(5) {
                0 => a,
                1 => b.midpoint(c),
                _ => {
                    let weights = [(); 2].map(|()| rng.uniform_f32(-spread, spread + 1.0));
                    a + (b - a) * weights[0] + (c - a) * weights[1]
                }
            };
            (0..BUNDLE).map(aim).collect()
        };
        let is_parallel = rng.one_in(3);
        // Some go along an axis, where the signs of directions differ in a bundle.
        let level = rng.one_in(4).then(|| rng.below(3));
        let limit = if rng.one_in(3) { 1.0 } else { f32::INFINITY };
        for aim in &aims {
            let mut origin = if is_parallel {
                *aim - (aims[0] - eye)
            } else {
                eye
            };
            if let Some(axis) = level {
                origin[axis] = aim[axis];
            }
            let ray = Ray::new(origin, *aim - origin);
            rays.extend(ray.and_then(|ray| ray.with_range(0.0, limit)));
        }
    }
    rays
}

#[test]
fn closed_meshes_give_the_same_bits_in_every_way() {
    let mut rng = Rng::new(SEED);
    for (name, scale, shift) in [
        ("at home", 1.0f32, Vec3::ZERO),
        ("tiny", 1e-30, Vec3::ZERO),
        ("huge", 1e15, Vec3::ZERO),
        ("far away", 1.0, Vec3::new(1e5, -3e4, 7e4)),
    ] {
        let sphere = ClosedMesh::bumpy_sphere(3, 0.1, &mut Rng::new(SEED));
        let mesh = sphere.tri_mesh();
        let positions: Vec<Vec3> = mesh
            .positions()
            .iter()
            .map(|p| *p * scale + shift)
            .collect();
        let mut rays = bundles_at(&positions, mesh.triangles(), 4, &mut rng);
        rays.extend(rays_at(&positions, mesh.triangles(), 250, &mut rng));
        rays.extend(bundles_at(&positions, mesh.triangles(), 2, &mut rng));
        let hits = check(name, &positions, mesh.triangles(), &rays);
        assert!(hits > 100, "{name}: only {hits} hits");
    }
}

#[test]
fn triangles_of_very_different_sizes_give_the_same_bits_in_every_way() {
    let mut rng = Rng::new(SEED + 4);
    for (name, around, largest) in [
        ("among 1 km", Vec3::new(3.0, -1.0, 2.0), 10),
        ("among 1,000 km", Vec3::ZERO, 20),
        ("beside 1,000 km", Vec3::new(500.0, 900.0, -700.0), 20),
        ("among 1e9", Vec3::new(0.5, -0.25, 0.125), 30),
        ("far out among 1e9", Vec3::new(1e4, -3e4, 2e4), 30),
    ] {
        let (positions, triangles) = small_and_large(&mut rng, around, largest);
        let place = (around, largest);
        let mut rays = rays_from_everywhere(&positions, &triangles, place, &mut rng);
        // Sixteen from about one place at neighbouring points of one triangle.
        for _ in 0..6 {
            let eye = around + Vec3::from_array([(); 3].map(|()| rng.uniform_f32(-2.0, 2.0)));
            let [a, b, c] =
                triangles[rng.below(triangles.len())].map(|corner| positions[corner as usize]);
            for _ in 0..48 {
                let [u, v] = [(); 2].map(|()| rng.uniform_f32(-0.1, 0.6));
                let aside = Vec3::splat(if rng.one_in(2) { 0.0 } else { 1e-3 });
                rays.extend(Ray::new(eye + aside, a + (b - a) * u + (c - a) * v - eye));
            }
        }
        let hits = check(name, &positions, &triangles, &rays);
        assert!(hits > 300, "{name}: only {hits} hits");
    }
}

#[test]
fn triangles_that_share_nothing_give_the_same_bits_in_every_way() {
    let mut nasty = Nasty::new(SEED + 1);
    let (mut hits, mut rng) = (0, Rng::new(SEED + 1));
    for case in 0..40 {
        nasty.next_case();
        let count = 1 + case % 23u32;
        let positions: Vec<Vec3> = (0..3 * count).map(|_| nasty.point()).collect();
        let triangles: Vec<[u32; 3]> = (0..count)
            .map(|index| [0, 1, 2].map(|k| 3 * index + k))
            .collect();
        let mut rays: Vec<Ray> = (0..30).map(|_| nasty.ray(&positions)).collect();
        rays.extend(rays_at(&positions, &triangles, 30, &mut rng));
        rays.extend(bundles_at(&positions, &triangles, 1, &mut rng));
        hits += check(&format!("case {case}"), &positions, &triangles, &rays);
    }
    assert!(hits > 1000, "only {hits} hits");
}

#[test]
fn a_large_batch_is_answered_in_its_own_order() {
    let mut rng = Rng::new(SEED + 2);
    let sphere = ClosedMesh::bumpy_sphere(8, 0.02, &mut Rng::new(SEED + 2));
    let mesh = sphere.tri_mesh();
    // Many wavefronts on each thread, and one that is not full.
    let apart: Vec<Ray> = (0..20_011)
        .map(|_| {
            let mut point =
                |size: f32| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-size, size)));
            let (origin, target) = (point(4.0), point(1.0));
            Ray::new(origin, target - origin).unwrap()
        })
        .collect();
    // Bundles among them, at any place.
    let together = bundles_at(mesh.positions(), mesh.triangles(), 50, &mut rng);
    let rays: Vec<Ray> = (apart.chunks(407).zip(together.chunks(40)))
        .flat_map(|(apart, together)| [apart, together].concat())
        .collect();
    assert!(rays.len() > 20_000);
    let batch = mesh.cast_rays(&rays, ());
    let hits = batch.iter().filter(|hit| hit.is_some()).count();
    assert!(hits > 5000, "only {hits} hits");
    for (ray, hit) in rays.iter().zip(&batch) {
        assert_eq!(bits(*hit), bits(mesh.cast_ray(ray, ())), "{ray:?}");
    }
    let any_batch = mesh.cast_rays_any(&rays, ());
    let expected: Vec<bool> = batch.iter().map(Option::is_some).collect();
    assert_eq!(any_batch, expected);
}

/// Whether a ray hits anything ends where its range does: just before its first hit, just behind its
/// last, and exactly there. Rays that end their way at different times share a wavefront.
#[test]
fn ranges_end_where_they_say_in_batches_too() {
    let mut rng = Rng::new(SEED + 3);
    let sphere = ClosedMesh::bumpy_sphere(5, 0.1, &mut Rng::new(SEED + 3));
    let mesh = sphere.tri_mesh();
    let mut rays = Vec::new();
    while rays.len() < 1_003 {
        let mut point = |size: f32| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-size, size)));
        let (origin, target) = (point(3.0), point(1.0));
        let ray = Ray::new(origin, target - origin).unwrap();
        let Some(first) = mesh.cast_ray(&ray, ALL_SIDES[rng.below(3)]) else {
            rays.push(ray);
            continue;
        };
        let t = first.t;
        let ranges = [
            (0.0, t),
            (0.0, t.next_down().max(0.0)),
            (t, t),
            (t, f32::INFINITY),
            (t.next_up(), f32::INFINITY),
            (t.next_up(), t.next_up()),
            (0.0, t * 0.01),
            (-1.0, t * 2.0),
        ];
        let (from, to) = ranges[rng.below(ranges.len())];
        rays.push(ray.with_range(from, to).unwrap());
    }
    let (mut hits, mut misses) = (0, 0);
    for sides in ALL_SIDES {
        for width in Width::available() {
            let mesh = mesh.clone().with_width(width);
            // All lengths around a wavefront's, and many wavefronts.
            for count in [1, 2, 63, 64, 65, 127, 129, rays.len()] {
                let rays = &rays[rays.len() - count..];
                let expected: Vec<bool> = rays
                    .iter()
                    .map(|ray| mesh.cast_ray(ray, sides).is_some())
                    .collect();
                assert_eq!(mesh.cast_rays_any(rays, sides), expected, "{width:?}");
                hits += expected.iter().filter(|is_hit| **is_hit).count();
                misses += expected.iter().filter(|is_hit| !**is_hit).count();
            }
        }
    }
    println!("{hits} hits, {misses} misses");
    let widths = Width::available().len();
    assert!(hits / widths > 1_250 && misses / widths > 500);
}
