//! No ray leaks out of a closed mesh, however it is aimed, wherever the mesh is; and the trees
//! above meshes and worlds never change a bit of an answer.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{Ray, RayHit, Side, Sides, TriMesh, Triangle, World};
use hitscan_testkit::Rng;
use hitscan_testkit::closed_mesh::ClosedMesh;
use std::sync::Arc;

const SEED: u64 = 0x7157_0001;

fn bumpy(depth: usize, seed: u64) -> ClosedMesh {
    ClosedMesh::bumpy_sphere(depth, 0.02, &mut Rng::new(SEED + seed))
}

/// Triangles around the mesh, up to `size` metres away, that no ray from inside reaches first.
fn among_giants(mesh: &ClosedMesh, size: f32) -> TriMesh {
    let (mut positions, mut triangles) = (mesh.positions.clone(), mesh.triangles.clone());
    for scale in [0.01, 0.3, 1.0].map(|share| size * share) {
        let around = ClosedMesh::cube(2).moved(1.0, |p| p - 1.0);
        let first = u32::try_from(positions.len()).unwrap();
        positions.extend(around.positions.iter().map(|p| *p * scale));
        let corners = around.triangles.iter();
        triangles.extend(corners.map(|corners| corners.map(|corner| first + corner)));
    }
    TriMesh::new(positions, triangles).unwrap()
}

/// Fires `count` rays from `inside` at corners and at points of edges; none may be lost.
fn fire(name: &str, mesh: &ClosedMesh, inside: Vec3, count: usize) {
    fire_in(name, (mesh, &mesh.tri_mesh()), inside, count);
}

/// The same, where the tree holds others too.
fn fire_in(name: &str, (mesh, tree): (&ClosedMesh, &TriMesh), inside: Vec3, count: usize) {
    let mut rng = Rng::new(SEED);
    for _ in 0..count {
        let target = mesh.target(&mut rng);
        let ray = ClosedMesh::aim(inside, target);
        let hit = tree
            .cast_ray(&ray, ())
            .unwrap_or_else(|| panic!("{name}: lost {ray:?} aimed at {target}"));
        // All of the surface is seen from inside, and differences on the grid are exact.
        assert_eq!(hit.t, 1.0, "{name}: {ray:?} {hit:?}");
        assert_eq!(hit.side, Side::Back, "{name}: {ray:?} {hit:?}");
        assert!(
            tree.cast_ray_any(&ray, Sides::Back),
            "{name}: any lost {ray:?}"
        );
        // A direction of another length, rounded, passes beside the target, but not between
        // triangles.
        let beside = Ray::new(inside, (target - inside) * 0.3).unwrap();
        assert!(tree.cast_ray_any(&beside, ()), "{name}: lost {beside:?}");
    }
    println!(
        "{name}: {count} rays at {} triangles",
        tree.triangles().len()
    );
}

#[test]
fn no_ray_leaks_out_of_a_closed_mesh() {
    let sphere = bumpy(6, 0);
    let grid = 2.0_f64.powi(-19);
    fire(
        "bumpy sphere",
        &sphere.clone().moved(grid, |p| p),
        Vec3::ZERO,
        40_000,
    );
    // Far away the grid leaves three bits for eighths of edges.
    for (far, grid) in [(1e3, 2.0_f64.powi(-10)), (1e5, 2.0_f64.powi(-4))] {
        let at = DVec3::new(far, -far * 0.5, far * 0.25);
        let size = grid * 4e4;
        let name = format!("bumpy sphere at {far}");
        let mesh = sphere.clone().moved(grid, |p| p * size + at);
        fire(&name, &mesh, at.as_vec3(), 40_000);
    }
    // Edges of about a thousandth.
    let tiny = sphere.moved(2.0_f64.powi(-23), |p| p * 0.07);
    fire("tiny bumpy sphere", &tiny, Vec3::ZERO, 40_000);

    let cube = ClosedMesh::cube(32);
    fire("cube", &cube, Vec3::new(16.0, 16.0, 16.0), 20_000);
    fire(
        "cube, not from its middle",
        &cube,
        Vec3::new(9.0, 20.0, 1.5),
        20_000,
    );
    let far = cube.moved(0.125, |p| p / 8.0 + DVec3::new(1e5, 1e5, -1e5));
    fire(
        "cube far away",
        &far,
        Vec3::new(100_001.0, 100_002.0, -99_998.0),
        20_000,
    );
}

#[test]
fn no_ray_leaks_out_of_a_small_mesh_among_huge_triangles() {
    let sphere = bumpy(5, 6);
    for size in [1e3, 1e6, 1e9, 1e15] {
        // Edges of about a twentieth of a metre at 0, and far from there.
        let grid = 2.0_f64.powi(-19);
        let near = sphere.clone().moved(grid, |p| p);
        let name = format!("bumpy sphere among {size:e}");
        let tree = among_giants(&near, size);
        fire_in(&name, (&near, &tree), Vec3::ZERO, 10_000);
        let at = DVec3::new(2.0, -3.0, 1.0);
        let off = sphere.clone().moved(2.0 * grid, |p| p + at);
        let tree = among_giants(&off, size);
        fire_in(&name, (&off, &tree), at.as_vec3(), 10_000);
        let cube = ClosedMesh::cube(16).moved(0.125, |p| p / 8.0 - 1.0);
        let tree = among_giants(&cube, size);
        let name = format!("cube among {size:e}");
        fire_in(&name, (&cube, &tree), Vec3::new(0.25, -0.5, 0.125), 10_000);
    }
}

/// Placements through which rays are transformed into the mesh's space, and some through which they are
/// not.
fn placements() -> Vec<(&'static str, DAffine3)> {
    let turn = DQuat::from_xyzw(0.5, -0.1, 0.7, 0.5);
    let at = DVec3::new(3.0, -7.0, 11.0);
    let placed = |scale, at| DAffine3::from_scale_rotation_translation(scale, turn, at);
    vec![
        ("moved", DAffine3::from_translation(at)),
        ("turned", placed(DVec3::ONE, at)),
        ("stretched", placed(DVec3::new(3.0, 0.2, 1.1), at)),
        ("mirrored", placed(DVec3::new(-1.0, 1.0, 1.0), at)),
        ("mirrored and flat", placed(DVec3::new(2.0, 0.01, -0.5), at)),
        ("far", placed(DVec3::splat(0.7), at * 1e4)),
        ("slab", placed(DVec3::new(100.0, 0.02, -100.0), at * 1e3)),
        ("rail", placed(DVec3::new(0.01, 1000.0, 0.01), at * 1e4)),
        ("sheet", placed(DVec3::new(40.0, 1e-9, 40.0), at)),
        ("tiny", placed(DVec3::new(1e-3, 2e-3, -1e-3), at)),
    ]
}

#[test]
fn no_ray_leaks_out_of_a_placed_mesh() {
    let mesh = bumpy(4, 1);
    let tree = Arc::new(mesh.tri_mesh());
    for (name, placement) in placements() {
        let mut world = World::new();
        world.add_at(Arc::clone(&tree), placement).unwrap();
        world.update();
        let mut rng = Rng::new(SEED + 2);
        for case in 0..4_000 {
            let local = mesh.target(&mut rng).as_dvec3();
            let inside = placement.transform_point3(DVec3::ZERO);
            let target = placement.transform_point3(local);
            // From inside, all fits into f32 but for rounding; a ray with a short direction too.
            let direction = (target - inside).as_vec3() * [1.0, 1e-30, 1e30][case % 3];
            let ray = Ray::new(inside.as_vec3(), direction).unwrap();
            let hit = world.now().cast_ray(&ray, ());
            let hit = hit.unwrap_or_else(|| panic!("{name}: lost {ray:?}"));
            assert_eq!(hit.side, Side::Back, "{name}: {ray:?} {hit:?}");
            let outward = hit
                .normal
                .dot(ray.direction() / ray.direction().abs().max_element());
            // Along a sheet the product is less than what rounding takes from the normal.
            assert!(outward > -1e-6, "{name}: {ray:?} {hit:?}");
            assert!(
                world.now().cast_ray_any(&ray, Sides::Back),
                "{name}: {ray:?}"
            );
        }
    }
}

/// What the triangles answer one by one: the nearest, the lowest of equal ones.
fn brute_force(triangles: &[Triangle], ray: &Ray, sides: Sides) -> Option<RayHit> {
    let mut best: Option<RayHit> = None;
    for (index, triangle) in (0..).zip(triangles) {
        let Some(mut hit) = triangle.cast_ray(ray, sides) else {
            continue;
        };
        if best.as_ref().is_none_or(|best| hit.t < best.t) {
            if let Some(on) = &mut hit.triangle {
                on.triangle = index;
            }
            best = Some(hit);
        }
    }
    best
}

/// Rays from anywhere around, most of them aimed at corners and edges, with ranges and stretches.
fn nasty_ray(mesh: &ClosedMesh, rng: &mut Rng) -> Ray {
    loop {
        let origin = match rng.below(4) {
            0 => mesh.target(rng),
            1 => mesh.target(rng) * 2.0,
            _ => Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-6.0, 6.0).round() * 0.5)),
        };
        let target = mesh.target(rng);
        let mut direction = target - origin;
        if rng.one_in(8) {
            direction[rng.below(3)] = 0.0;
        }
        let stretch = [1.0, 1.0, 0.5, 0.3, 1e-38, 1e30][rng.below(6)];
        let ranges = [
            (0.0, f32::INFINITY),
            (0.0, f32::INFINITY),
            (0.0, 1.0 / stretch),
            (1.0 / stretch, f32::INFINITY),
            (-3.0 / stretch, 0.0),
            (0.5 / stretch, 0.9 / stretch),
        ];
        let (low, high) = ranges[rng.below(ranges.len())];
        let ray = Ray::new(origin, direction * stretch).and_then(|ray| ray.with_range(low, high));
        if let Ok(ray) = ray {
            return ray;
        }
    }
}

/// Meshes in which many triangles are hit at once.
fn small_meshes() -> Vec<(&'static str, ClosedMesh)> {
    let mut doubled = ClosedMesh::cube(3).moved(1.0, |p| p - 1.0);
    doubled.triangles.extend(doubled.triangles.clone());
    let is_solid = |[x, y, z]: [usize; 3]| (x * 7 + y * 5 + z * 3 + x * y * z) % 3 != 0;
    let voxels = ClosedMesh::voxels(4, is_solid).moved(1.0, |p| p - 2.0);
    let mut mixed = voxels.clone();
    for size in [1e3, 1e6, 1e9] {
        let far = ClosedMesh::cube(1).moved(1.0, |p| (p - 0.5) * size);
        let first = u32::try_from(mixed.positions.len()).unwrap();
        mixed.positions.extend(far.positions);
        let corners = far.triangles.iter();
        mixed
            .triangles
            .extend(corners.map(|corners| corners.map(|corner| first + corner)));
    }
    vec![
        ("voxels among huge cubes", mixed),
        ("bumpy sphere", bumpy(3, 3).moved(2.0_f64.powi(-19), |p| p)),
        ("coarse sphere", bumpy(1, 4).moved(0.25, |p| p * 2.0)),
        ("doubled cube", doubled),
        ("voxels", voxels),
    ]
}

#[test]
fn nearest_hits_are_those_of_all_triangles_one_by_one() {
    println!("seed {SEED:#x}");
    for (name, mesh) in small_meshes() {
        let mut rng = Rng::new(SEED + 5);
        let (shuffled, was) = mesh.shuffled(&mut rng);
        let singles = mesh.single_triangles();
        let (tree, other_tree) = (mesh.tri_mesh(), shuffled.tri_mesh());
        let mut world = World::new();
        let object = world
            .add_at(Arc::new(tree.clone()), DAffine3::IDENTITY)
            .unwrap();
        world.update();
        let (mut hits, mut ties) = (0, 0);
        for case in 0..3_000 {
            let ray = nasty_ray(&mesh, &mut rng);
            let sides = [Sides::Both, Sides::Front, Sides::Back][rng.below(3)];
            let place = || format!("{name}, case {case}: {ray:?} {sides:?}");
            let expected = brute_force(&singles, &ray, sides);
            let found = tree.cast_ray(&ray, sides);
            assert_eq!(bits(&found), bits(&expected), "{}", place());
            let in_world = world.now().cast_ray(&ray, sides);
            assert!(in_world.is_none_or(|hit| hit.object == Some(object)));
            let in_world = in_world.map(|hit| RayHit {
                object: None,
                ..hit
            });
            assert_eq!(bits(&in_world), bits(&expected), "{}", place());
            let is_hit = expected.is_some();
            assert_eq!(tree.cast_ray_any(&ray, sides), is_hit, "{}", place());
            assert_eq!(world.now().cast_ray_any(&ray, sides), is_hit, "{}", place());

            // The order of triangles decides ties alone: t stays, and where one triangle only has
            // that t, so does everything.
            let other = other_tree.cast_ray(&ray, sides);
            let Some((expected, other)) = expected.zip(other) else {
                assert!(other.is_none() && !is_hit, "{}", place());
                continue;
            };
            hits += 1;
            assert_eq!(other.t.to_bits(), expected.t.to_bits(), "{}", place());
            let (on, mut other_on) = (expected.triangle.unwrap(), other.triangle.unwrap());
            other_on.triangle = was[other_on.triangle as usize];
            if other_on.triangle == on.triangle {
                let renamed = RayHit {
                    triangle: Some(other_on),
                    ..other
                };
                assert_eq!(bits(&Some(renamed)), bits(&Some(expected)), "{}", place());
            } else {
                let tied = &singles[other_on.triangle as usize];
                let tied = tied.cast_ray(&ray, sides).unwrap();
                assert_eq!(tied.t.to_bits(), expected.t.to_bits(), "{}", place());
                assert!(on.triangle < other_on.triangle, "{}", place());
                ties += 1;
            }
        }
        println!("{name}: {hits} hits, {ties} ties that the order decided");
        assert!(hits > 300 && ties > 20);
    }
}

/// All bits of an answer.
fn bits(hit: &Option<RayHit>) -> Option<([u32; 8], Side, Option<[u32; 4]>)> {
    hit.as_ref().map(|hit| {
        let (point, normal) = (hit.point.to_array(), hit.normal.to_array());
        let [px, py, pz] = point.map(f32::to_bits);
        let [nx, ny, nz] = normal.map(f32::to_bits);
        let on = hit.triangle.as_ref();
        (
            [
                hit.t.to_bits(),
                hit.distance.to_bits(),
                px,
                py,
                pz,
                nx,
                ny,
                nz,
            ],
            hit.side,
            on.map(|on| [on.part, on.triangle, hit.u().to_bits(), hit.v().to_bits()]),
        )
    })
}
