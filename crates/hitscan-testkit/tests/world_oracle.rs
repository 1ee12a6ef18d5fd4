//! Rays at worlds of many objects against brute force in f64, one object at a time, with a method
//! that the library does not use: answers must agree wherever rounding cannot matter.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use glam::{DAffine3, DVec3};
use hitscan::{Ray, Side, Sides, World};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::random_world::{Shape, placement, world_of};
use hitscan_testkit::{Rng, has_usual_numbers};
use std::sync::Arc;

const SEED: u64 = 0x0B0E_0001;

/// Where a ray hits an object, as f64 finds it.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    t: f64,
    object: usize,
    triangle: Option<u32>,
    side: Side,
    normal: DVec3,
    /// Whether rounding might decide whether it is hit at all.
    is_doubtful: bool,
}

/// Möller, Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
fn meet_triangle(
    origin: DVec3,
    direction: DVec3,
    [a, b, c]: [DVec3; 3],
) -> Option<(f64, DVec3, bool)> {
    let (p, q) = (b - a, c - a);
    let across = direction.cross(q);
    let determinant = p.dot(across);
    let size = direction.length() * p.length() * q.length();
    if determinant.abs() < 1e-9 * size {
        // Nearly in the plane: treated as a doubtful hit of the whole triangle's nearest corner.
        let t = (a - origin).dot(direction) / direction.length_squared();
        let near = origin + direction * t;
        let reach = p.length().max(q.length());
        return (near.distance(a) < 2.0 * reach).then(|| (t, p.cross(q), true));
    }
    let from_a = origin - a;
    let u = from_a.dot(across) / determinant;
    let v = direction.dot(from_a.cross(p)) / determinant;
    let margin = u.min(v).min(1.0 - u - v);
    (margin > -1e-7).then(|| {
        let t = q.dot(from_a.cross(p)) / determinant;
        (t, p.cross(q), margin < 1e-7)
    })
}

fn side_of(direction: DVec3, normal: DVec3) -> Side {
    if direction.dot(normal) < 0.0 {
        Side::Front
    } else {
        Side::Back
    }
}

/// The crossings of a solid that is entered and left at these t.
fn meet_solid(
    ray: &Ray,
    (enter, leave): (f64, f64),
    normal_at: impl Fn(DVec3) -> DVec3,
    mut push: impl FnMut(f64, Side, DVec3, bool),
) {
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let t_min = f64::from(ray.t_min());
    let slack = 1e-7 * (1.0 + enter.abs().max(leave.abs()));
    let is_doubtful = leave - enter < slack;
    let starts_near_surface = (enter - t_min).abs() < slack || (leave - t_min).abs() < slack;
    if enter < t_min && t_min < leave {
        push(t_min, Side::Inside, DVec3::ZERO, starts_near_surface);
    }
    for (t, side) in [(enter, Side::Front), (leave, Side::Back)] {
        let normal = normal_at(origin + direction * t);
        push(t, side, normal, is_doubtful || starts_near_surface);
    }
}

fn add_candidates(ray: &Ray, object: usize, shape: &Shape, found: &mut Vec<Candidate>) {
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let slack = 1e-6;
    let (low, high) = (f64::from(ray.t_min()), f64::from(ray.t_max()));
    let mut push = |t: f64, triangle, side, normal, is_doubtful| {
        if t > low - slack && t < high + slack {
            let is_at_end = side != Side::Inside && (t < low + slack || t > high - slack);
            found.push(Candidate {
                t,
                object,
                triangle,
                side,
                normal,
                is_doubtful: is_doubtful || is_at_end,
            });
        }
    };
    match shape {
        Shape::Terrain(_) | Shape::Mesh(..) => {
            for (triangle, corners) in shape.triangles() {
                if let Some((t, normal, is_doubtful)) = meet_triangle(origin, direction, corners) {
                    let normal = if shape.is_mirrored() { -normal } else { normal };
                    let side = side_of(direction, normal);
                    push(t, Some(triangle), side, normal, is_doubtful);
                }
            }
        }
        Shape::Sphere(sphere) => {
            let center = sphere.center().as_dvec3();
            let middle = (center - origin).dot(direction) / direction.length_squared();
            let beside = (origin + direction * middle).distance_squared(center);
            let half = sphere.radius() * sphere.radius() - beside;
            if half > -1e-9 {
                let half = half.max(0.0).sqrt() / direction.length();
                let span = (middle - half, middle + half);
                meet_solid(
                    ray,
                    span,
                    |p| p - center,
                    |t, side, n, d| push(t, None, side, n, d),
                );
            }
        }
        Shape::Aabb(aabb) => {
            let (min, max) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
            let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
            let (mut entry, mut exit) = (DVec3::ZERO, DVec3::ZERO);
            let mut is_doubtful = false;
            for axis in 0..3 {
                let mut outward = DVec3::ZERO;
                outward[axis] = direction[axis].signum();
                if direction[axis] == 0.0 {
                    if origin[axis] < min[axis] || origin[axis] > max[axis] {
                        return;
                    }
                    is_doubtful |= origin[axis] == min[axis] || origin[axis] == max[axis];
                    continue;
                }
                let at = |bound: f64| (bound - origin[axis]) / direction[axis];
                let (one, other) = (at(min[axis]), at(max[axis]));
                if one.min(other) > enter {
                    (enter, entry) = (one.min(other), -outward);
                }
                if one.max(other) < leave {
                    (leave, exit) = (one.max(other), outward);
                }
            }
            if enter <= leave + 1e-9 {
                let middle = f64::midpoint(enter, leave);
                let normal_at = |p: DVec3| {
                    let t = (p - origin).dot(direction) / direction.length_squared();
                    if t < middle { entry } else { exit }
                };
                meet_solid(ray, (enter, leave), normal_at, |t, side, n, doubtful| {
                    push(t, None, side, n, doubtful || is_doubtful);
                });
            }
        }
    }
}

/// A ray of any length and range, aimed at some object.
fn random_ray(world: &World, rng: &mut Rng) -> Ray {
    loop {
        let from = DVec3::from_array([0; 3].map(|_| rng.uniform(-12.0, 12.0)));
        let objects: Vec<_> = world.now().objects().collect();
        let bounds = world.now().object_bounds(objects[rng.below(objects.len())]);
        let Some(bounds) = bounds else { continue };
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let share = DVec3::from_array([0; 3].map(|_| rng.uniform(0.0, 1.0)));
        let mut direction = (min + (max - min) * share - from) * rng.uniform(0.1, 2.0);
        if rng.one_in(6) {
            direction[rng.below(3)] = 0.0;
        }
        let (low, high) = [(0.0, f32::INFINITY), (0.0, 1.0), (-0.5, 2.0), (0.7, 1.1)][rng.below(4)];
        let ray = Ray::new(from.as_vec3(), direction.as_vec3());
        if let Ok(ray) = ray.and_then(|ray| ray.with_range(low, high)) {
            return ray;
        }
    }
}

#[derive(Debug, Default)]
struct Counts {
    rays: usize,
    hits: usize,
    clear: usize,
    all: usize,
}

fn check(world: &World, shapes: &[Shape], ray: &Ray, sides: Sides, counts: &mut Counts) {
    let mut candidates = Vec::new();
    for (object, shape) in shapes.iter().enumerate() {
        add_candidates(ray, object, shape, &mut candidates);
    }
    candidates.retain(|candidate| sides.admits(candidate.side) || candidate.is_doubtful);
    candidates.sort_by(|a, b| a.t.total_cmp(&b.t));
    let found = world.now().cast_ray(ray, sides);
    let place = || format!("{ray:?} {sides:?}\nfound {found:?}\nexpected {candidates:#?}");
    counts.rays += 1;
    let slack = |t: f64| 1e-6 * (1.0 + t.abs());

    let nearest_clear = candidates.iter().find(|candidate| !candidate.is_doubtful);
    let Some(found) = found else {
        assert!(nearest_clear.is_none(), "{}", place());
        return;
    };
    counts.hits += 1;
    let t = f64::from(found.t);
    assert!(
        candidates
            .iter()
            .any(|candidate| (candidate.t - t).abs() < slack(t)
                && candidate.object == found.object.unwrap().index()
                && candidate.triangle == found.triangle.map(|on| on.triangle)),
        "nothing is there: {}",
        place()
    );
    if let Some(clear) = nearest_clear {
        assert!(t <= clear.t + slack(clear.t), "a nearer hit: {}", place());
    }
    let Some(expected) = candidates.first().filter(|first| !first.is_doubtful) else {
        return;
    };
    let is_alone = candidates
        .get(1)
        .is_none_or(|second| second.t > expected.t + 2.0 * slack(expected.t));
    if !is_alone {
        return;
    }
    counts.clear += 1;
    assert_eq!(
        found.object.unwrap().index(),
        expected.object,
        "{}",
        place()
    );
    let hit = found;
    assert_eq!(hit.side, expected.side, "{}", place());
    assert_eq!(hit.triangle.map(|on| on.triangle), expected.triangle);
    assert!(hit.triangle.is_none_or(|on| on.part == 0));
    let normal = expected.normal / expected.normal.length().max(1e-300);
    let off = hit.normal.as_dvec3().distance(normal);
    assert!(off < 3e-7, "normal off by {off}: {}", place());
    let direction = ray.direction().as_dvec3();
    let point = ray.origin().as_dvec3() + direction * expected.t;
    assert!(hit.point.as_dvec3().distance(point) < 1e-5, "{}", place());
    let distance = expected.t * direction.length();
    assert!((f64::from(hit.distance) - distance).abs() < 1e-5 * (1.0 + distance.abs()));
}

/// Where nothing is doubtful, all hits are all candidates.
fn check_all(world: &World, shapes: &[Shape], ray: &Ray, counts: &mut Counts) {
    let mut candidates = Vec::new();
    for (object, shape) in shapes.iter().enumerate() {
        add_candidates(ray, object, shape, &mut candidates);
    }
    if candidates.iter().any(|candidate| candidate.is_doubtful) {
        return;
    }
    candidates.sort_by(|a, b| a.t.total_cmp(&b.t));
    let is_clear = |pair: &[Candidate]| pair[1].t - pair[0].t > 1e-5 * (1.0 + pair[0].t.abs());
    if !candidates.windows(2).all(is_clear) {
        return;
    }
    let all = world.now().cast_ray_all(ray, ());
    let found: Vec<_> = all
        .iter()
        .map(|hit| {
            let triangle = hit.triangle.map(|on| on.triangle);
            (hit.object.unwrap().index(), triangle, hit.side)
        })
        .collect();
    let expected: Vec<_> = candidates
        .iter()
        .map(|candidate| (candidate.object, candidate.triangle, candidate.side))
        .collect();
    assert_eq!(found, expected, "{ray:?}");
    counts.all += 1;
}

#[test]
fn rays_hit_what_brute_force_hits() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut counts = Counts::default();
    for _ in 0..60 {
        let count = 1 + rng.below(24);
        let shapes: Vec<Shape> = (0..count).map(|_| Shape::random(&mut rng, 8.0)).collect();
        let world = world_of(&shapes);
        if world.now().bounds().is_none() {
            continue;
        }
        for _ in 0..150 {
            let ray = random_ray(&world, &mut rng);
            let sides = [Sides::Both, Sides::Front, Sides::Back][rng.below(3)];
            check(&world, &shapes, &ray, sides, &mut counts);
            check_all(&world, &shapes, &ray, &mut counts);
        }
    }
    println!("{counts:?}");
    assert!(counts.rays > 8_000 && counts.clear > 4_000 && counts.all > 3_000);
}

/// Transforms that nearly flatten, through whose inverse a ray would lose its way.
#[test]
fn nearly_flat_placements_are_hit_where_their_corners_are() {
    let mut rng = Rng::new(SEED + 1);
    let mut clear = 0;
    for thin in [1e-3, 1e-5, 1e-7, -1e-9, 1e-12] {
        let mesh = Arc::new(ClosedMesh::bumpy_sphere(2, 0.5, &mut rng).tri_mesh());
        let turn = placement(&mut rng, 3.0);
        let flat = turn * DAffine3::from_scale(DVec3::new(2.0, thin, -3.0));
        let shapes = [Shape::Mesh(mesh, flat)];
        let world = world_of(&shapes);
        let across = flat.matrix3.inverse().transpose().col(1);
        for _ in 0..400 {
            let ray = random_ray(&world, &mut rng);
            let direction = ray.direction().as_dvec3();
            let slope = across.dot(direction).abs() / (across.length() * direction.length());
            let mut candidates = Vec::new();
            add_candidates(&ray, 0, &shapes[0], &mut candidates);
            let is_doubtful = candidates.iter().any(|candidate| candidate.is_doubtful);
            if slope < 0.2 || is_doubtful {
                continue;
            }
            let found = world.now().cast_ray(&ray, ());
            let place = || format!("{thin}: {ray:?}\nfound {found:?}\nexpected {candidates:#?}");
            let expected = candidates
                .iter()
                .map(|candidate| candidate.t)
                .min_by(f64::total_cmp);
            assert_eq!(found.is_some(), expected.is_some(), "{}", place());
            let Some((found, expected)) = found.zip(expected) else {
                continue;
            };
            let off = (f64::from(found.t) - expected).abs() * direction.length();
            let allowed = 2e-7 * (1.0 + expected.abs() * direction.length());
            assert!(off < allowed, "off by {off} m: {}", place());
            clear += 1;
        }
    }
    println!("{clear} clear hits");
    // Other numbers leave fewer clear of doubt.
    assert!(clear > if has_usual_numbers() { 500 } else { 100 });
}
