//! All hits of a ray: through closed meshes they alternate between front and back, whatever the ray
//! hits on its way, and they agree with the nearest hit and with whether there is any.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{Aabb, Ray, RayHit, Side, Sides, Sphere, World};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::{Exact, Rng, exact, line_in_triangle, round_to_f32, vector};
use std::sync::Arc;

const SEED: u64 = 0xA11_0001;

fn sides_of(hits: &[RayHit]) -> Vec<(f32, Side)> {
    hits.iter().map(|hit| (hit.t, hit.side)).collect()
}

fn world_of(mesh: &ClosedMesh, placement: DAffine3) -> World {
    let mut world = World::new();
    world.add_at(Arc::new(mesh.tri_mesh()), placement).unwrap();
    world.update();
    world
}

/// What holds for every ray in every world.
fn check_agreement(world: &World, ray: &Ray, place: &str) -> Vec<RayHit> {
    let all = world.now().cast_ray_all(ray, ());
    let nearest = world.now().cast_ray(ray, ());
    assert_eq!(
        nearest.is_some(),
        !all.is_empty(),
        "{place}: {ray:?} {nearest:?} {all:?}"
    );
    assert_eq!(world.now().cast_ray_any(ray, ()), nearest.is_some());
    let first = all.first().map(|hit| (hit.t, hit.object));
    let nearest = nearest.map(|hit| (hit.t, hit.object));
    assert_eq!(first, nearest, "{place}: {ray:?} {all:?}");
    assert!(all.is_sorted_by(|a, b| a.t <= b.t));
    for hit in &all {
        assert!(ray.t_min() <= hit.t && hit.t <= ray.t_max());
    }
    for sides in [Sides::Front, Sides::Back] {
        let some: Vec<_> = all
            .iter()
            .filter(|hit| sides.admits(hit.side))
            .copied()
            .collect();
        assert_eq!(
            world.now().cast_ray_all(ray, sides),
            some,
            "{place}: {ray:?}"
        );
        // A solid that is only touched counts as one side for the nearest hit; and of a closed mesh
        // the moved ray may lose a side that is there.
        if !some.is_empty() && some[0].triangle.is_some() {
            assert!(
                world.now().cast_ray_any(ray, sides),
                "{place}: {ray:?} {sides:?} {all:?}"
            );
        }
    }
    all
}

/// Sides alternate from one end to the other; from outside they begin with front and end with back.
fn check_alternation(hits: &[RayHit], ray: &Ray, place: &str) {
    let list = sides_of(hits);
    for pair in list.windows(2) {
        assert_ne!(pair[0].1, pair[1].1, "{place}: {ray:?} {list:?}");
    }
    if let (Some(first), Some(last)) = (list.first(), list.last()) {
        assert_eq!(first.1, Side::Front, "{place}: {ray:?} {list:?}");
        assert_eq!(last.1, Side::Back, "{place}: {ray:?} {list:?}");
    }
}

/// The same ray cut in two between its hits sees the same hits.
///
/// But where the ray runs on the surface, in the plane of triangles, a cut makes two contacts of one.
/// Then each part, seen from its end off the surface, is entered and left in turn, and has the same
/// hits as the whole ray elsewhere. Returns how many cuts are such.
fn check_parts(
    world: &World,
    mesh: &ClosedMesh,
    (ray, all): (&Ray, &[RayHit]),
    place: &str,
) -> usize {
    let hits_of = |ray: &Ray| {
        let hits = world.now().cast_ray_all(ray, ());
        sides_of(&hits)
    };
    let crossings = sides_of(all);
    let mut on_surface = 0;
    for (first, pair) in (1..).zip(crossings.windows(2)) {
        let middle = f32::midpoint(pair[0].0, pair[1].0);
        if !(pair[0].0 < middle && middle < pair[1].0) {
            continue;
        }
        let cut = [(ray.t_min(), middle), (middle, ray.t_max())]
            .map(|(low, high)| ray.with_range(low, high).unwrap());
        let parts = cut.each_ref().map(hits_of);
        let (before, after) = crossings.split_at(first);
        if parts == [before, after] {
            continue;
        }
        on_surface += 1;
        let place = format!("{place}: {ray:?} at {middle}: {parts:?} {crossings:?}");
        let Some([begin, end]) = run_on_surface(mesh, ray, middle) else {
            panic!("{place}");
        };
        let is_elsewhere = |hit: &&(f32, Side)| hit.0 < begin || hit.0 > end;
        for (part, whole) in parts.iter().zip([before, after]) {
            let elsewhere = part.iter().filter(is_elsewhere);
            assert!(elsewhere.eq(whole.iter().filter(is_elsewhere)), "{place}");
        }
        // A ray that starts on the surface may count as one from outside or from inside.
        let excess: i32 = parts[1]
            .iter()
            .map(|hit| if hit.1 == Side::Back { 1 } else { -1 })
            .sum();
        assert!(excess == 0 || excess == 1, "{place}");
        let backward = Ray::new(ray.origin(), -ray.direction()).unwrap();
        let backward = backward.with_range(-1e6, -middle).unwrap();
        for part in &cut {
            check_agreement(world, part, &place);
        }
        for part in [&parts[0], &hits_of(&backward)] {
            let sides = part.iter().map(|hit| hit.1);
            let in_turn = [Side::Front, Side::Back].into_iter().cycle();
            assert!(sides.eq(in_turn.take(part.len())), "{place} {part:?}");
        }
    }
    on_surface
}

/// From where to where the ray's line runs in the plane of triangles on them without a gap, around
/// `t`: decided in rational numbers, then rounded.
fn run_on_surface(mesh: &ClosedMesh, ray: &Ray, t: f32) -> Option<[f32; 2]> {
    let (origin, direction) = (vector(ray.origin()), vector(ray.direction()));
    let mut runs: Vec<[Exact; 2]> = (0..mesh.triangles.len())
        .filter_map(|k| line_in_triangle(&origin, &direction, &mesh.corners(k).map(vector)))
        .collect();
    runs.sort();
    let t = exact(f64::from(t));
    let mut around: Option<[Exact; 2]> = None;
    for [begin, end] in runs {
        match &mut around {
            Some(run) if begin <= run[1] => run[1] = end.max(run[1].clone()),
            Some(run) if t <= run[1] => break,
            _ => around = Some([begin, end]),
        }
    }
    let around = around.filter(|run| run[0] <= t && t <= run[1])?;
    Some(around.map(|end| round_to_f32(&end)))
}

fn origin(rng: &mut Rng) -> Vec3 {
    Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-12.0, 12.0).round()))
}

#[test]
fn round_meshes_are_entered_and_left_in_turn() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    for (name, depth, bumps, grid) in [
        ("smooth", 3, 0.0, 2.0_f64.powi(-18)),
        ("bumpy", 3, 0.4, 2.0_f64.powi(-18)),
        ("coarse", 2, 0.5, 0.25),
    ] {
        let mesh = ClosedMesh::bumpy_sphere(depth, bumps, &mut rng).moved(grid, |p| p * 2.0);
        let world = world_of(&mesh, DAffine3::IDENTITY);
        let (mut most, mut on_surface) = (0, 0);
        for case in 0..6_000 {
            let target = mesh.target(&mut rng);
            let other = mesh.target(&mut rng);
            // From far outside through one target; through two of them; from inside.
            let ray = match case % 3 {
                0 => ClosedMesh::aim(origin(&mut rng) + Vec3::new(30.0, 0.0, 0.0), target),
                1 if target != other => {
                    let along = other - target;
                    // From outside, however near to one another the two are.
                    let mut steps = 64.0;
                    while along.length() * steps < 16.0 {
                        steps *= 2.0;
                    }
                    Ray::new(target - along * steps, along).unwrap()
                }
                _ => {
                    let ray = ClosedMesh::aim(Vec3::ZERO, target);
                    let all = check_agreement(&world, &ray, name);
                    assert!(all.len() % 2 == 1, "{name}: {ray:?}");
                    assert_eq!(all[0].side, Side::Back);
                    assert!(all.windows(2).all(|two| two[0].side != two[1].side));
                    continue;
                }
            };
            let all = check_agreement(&world, &ray, name);
            check_alternation(&all, &ray, name);
            on_surface += check_parts(&world, &mesh, (&ray, &all), name);
            most = most.max(all.len());
        }
        println!("{name}: up to {most} hits of one ray, {on_surface} cuts on the surface");
        assert!(most >= if bumps == 0.0 { 2 } else { 4 });
    }
}

/// Steps, ridges, holes and edges of four faces; rays along lattice lines, in the planes of faces,
/// along edges, through corners and diagonals.
#[test]
fn voxels_are_entered_and_left_in_turn() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 1);
    let mut longest = 0;
    let (mut compared, mut on_surface) = (0, 0);
    for world_number in 0..24 {
        let size = 2 + rng.below(4);
        let share = 2 + rng.below(4);
        let solid: Vec<bool> = (0..size * size * size)
            .map(|_| rng.below(6) < share)
            .collect();
        let is_staircase = world_number % 3 == 0;
        let mesh = ClosedMesh::voxels(size, |[x, y, z]| {
            if is_staircase {
                y <= x
            } else {
                solid[x + size * (y + size * z)]
            }
        });
        let world = world_of(&mesh, DAffine3::IDENTITY);
        for _ in 0..800 {
            let mut lattice = |span: f32| {
                let half = |x: f32| (x * 2.0).round() * 0.5;
                Vec3::from_array([0; 3].map(|_| half(rng.uniform_f32(-1.0, span))))
            };
            let through = lattice(6.0);
            let mut direction = lattice(3.0) - 1.0;
            for axis in 0..3 {
                if rng.one_in(3) {
                    direction[axis] = 0.0;
                }
            }
            let Ok(ray) = Ray::new(through - direction * 32.0, direction) else {
                continue;
            };
            let place = format!("world {world_number}");
            let all = check_agreement(&world, &ray, &place);
            check_alternation(&all, &ray, &place);
            if compared % 4 == 0 {
                on_surface += check_parts(&world, &mesh, (&ray, &all), &place);
            }
            longest = longest.max(all.len());
            compared += usize::from(!all.is_empty());
        }
    }
    println!(
        "{compared} rays with hits, up to {longest} of them; {on_surface} cuts on the surface"
    );
    assert!(compared > 5_000 && longest >= 8 && on_surface > 50);
}

#[test]
fn placed_meshes_are_entered_and_left_in_turn() {
    let mut rng = Rng::new(SEED + 2);
    let mesh = ClosedMesh::bumpy_sphere(3, 0.3, &mut rng);
    for scale in [
        DVec3::ONE,
        DVec3::new(-1.0, 1.0, 1.0),
        DVec3::new(3.0, -0.1, -2.0),
        DVec3::new(-2.0, -1e-3, -1.0),
        DVec3::new(-2.0, 1e-4, 2.0),
        DVec3::new(3.0, -1e-10, 2.0),
    ] {
        let turn = DQuat::from_xyzw(0.1, 0.7, -0.5, 0.5);
        let placement =
            DAffine3::from_scale_rotation_translation(scale, turn, DVec3::new(5.0, 1.0, -2.0));
        let world = world_of(&mesh, placement);
        let mut hits = 0;
        for _ in 0..1_500 {
            let target = placement.transform_point3(mesh.target(&mut rng).as_dvec3());
            let origin = origin(&mut rng) + Vec3::new(5.0, 30.0, -2.0);
            let ray = Ray::new(origin, target.as_vec3() - origin).unwrap();
            let all = check_agreement(&world, &ray, "placed");
            check_alternation(&all, &ray, "placed");
            hits += all.len();
        }
        assert!(hits > 2_000, "{scale}: {hits} hits");
    }
}

#[test]
fn solids_give_entry_and_exit() {
    let mut rng = Rng::new(SEED + 3);
    let mut world = World::new();
    let sphere = Sphere::new([1.0, 0.0, -1.0], 3.0).unwrap();
    let aabb = Aabb::new([-2.0, -1.0, -2.0], [2.0, 3.0, 1.0]).unwrap();
    let ids = [world.add(sphere), world.add(aabb)];
    world.update();
    let (mut through, mut inside, mut touched) = (0, 0, 0);
    for _ in 0..20_000 {
        let from = origin(&mut rng) * 0.5;
        let toward = origin(&mut rng) * 0.25;
        let Ok(ray) = Ray::new(from, toward - from) else {
            continue;
        };
        let all = check_agreement(&world, &ray, "solids");
        for id in ids {
            let own: Vec<_> = all.iter().filter(|hit| hit.object == Some(id)).collect();
            let sides: Vec<Side> = own.iter().map(|hit| hit.side).collect();
            match sides.as_slice() {
                [] => {}
                [Side::Front, Side::Back] => {
                    through += 1;
                    touched += usize::from(own[0].t == own[1].t);
                }
                [Side::Inside, Side::Back] => {
                    assert_eq!((own[0].t, own[0].normal), (0.0, Vec3::ZERO));
                    inside += 1;
                }
                // From the boundary outward, or along it.
                [Side::Back] => assert_eq!(own[0].t, 0.0, "{ray:?}"),
                [Side::Back, Side::Back] => assert_eq!(own[0].t, 0.0, "{ray:?}"),
                other => panic!("{ray:?}: {other:?}"),
            }
        }
    }
    println!("{through} through ({touched} touched), {inside} from inside");
    assert!(through > 2_000 && inside > 500 && touched > 5);
}
