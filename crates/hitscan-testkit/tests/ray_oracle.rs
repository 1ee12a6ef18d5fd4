//! Rays against single triangles, boxes and spheres, compared with rational arithmetic: what is
//! hit, t to the last bit of f32, side and weights.

use glam::Vec3;
use hitscan::{Aabb, Ray, Side, Sphere, Triangle};
use hitscan_testkit::{
    Exact, Nasty, SphereExcess, exact, is_nearest_f32, line_aabb, line_triangle, rounds, vector,
};
use num_traits::{Signed, ToPrimitive, Zero};

const SEED: u64 = 0x5EED_0001;

fn is_in_range(ray: &Ray, t: &Exact) -> bool {
    let above = *t >= exact(f64::from(ray.t_min()));
    above && (ray.t_max().is_infinite() || *t <= exact(f64::from(ray.t_max())))
}

#[test]
fn triangles_are_hit_exactly_where_rational_arithmetic_says() {
    println!("seed {SEED:#x}");
    let mut nasty = Nasty::new(SEED);
    let (mut hits, mut boundary_hits) = (0, 0);
    for case in 0..rounds(30_000) {
        nasty.next_case();
        let corners = [nasty.point(), nasty.point(), nasty.point()];
        let ray = nasty.ray(&corners);
        let [a, b, c] = corners;
        let found = Triangle::new(a, b, c).unwrap().cast_ray(&ray, ());
        let wide = corners.map(vector);
        let expected = line_triangle(&vector(ray.origin()), &vector(ray.direction()), &wide)
            .filter(|crossing| is_in_range(&ray, &crossing.t));
        let place = || format!("case {case}: {ray:?} {corners:?}\n{found:?}\n{expected:?}");
        assert_eq!(found.is_some(), expected.is_some(), "{}", place());
        let (Some(hit), Some(crossing)) = (&found, &expected) else {
            continue;
        };
        hits += 1;
        assert!(is_nearest_f32(hit.t, &crossing.t), "{}", place());
        assert_eq!(hit.side == Side::Front, crossing.is_front, "{}", place());
        let [u, v] = hit.barycentrics;
        for (weight, expected) in [u, v].into_iter().zip(&crossing.weights) {
            assert!(
                (f64::from(weight) - expected.to_f64().unwrap()).abs() < 1e-7,
                "{}",
                place()
            );
            // Below f32's range a weight may become 0.
            let is_tiny = *expected < exact(1e-40);
            assert!(
                weight == 0.0 && is_tiny || weight > 0.0 && !expected.is_zero(),
                "{}",
                place()
            );
        }
        boundary_hits += usize::from(u == 0.0 || v == 0.0);
        assert!((hit.normal.length() - 1.0).abs() < 1e-6, "{}", place());
    }
    println!("{hits} hits, {boundary_hits} of them on an edge or corner");
    assert!(hits > rounds(3_000) && boundary_hits > rounds(500));
}

#[test]
fn boxes_are_hit_exactly_where_rational_arithmetic_says() {
    println!("seed {SEED:#x}");
    let mut nasty = Nasty::new(SEED + 1);
    let (mut hits, mut touches) = (0, 0);
    for case in 0..rounds(30_000) {
        nasty.next_case();
        let (p, q) = (nasty.point(), nasty.point());
        let aabb = Aabb::new(p.min(q), p.max(q)).unwrap();
        let ray = nasty.ray(&[p, q, Vec3::new(p.x, q.y, q.z)]);
        let found = aabb.cast_ray(&ray, ());
        let (min, max) = (vector(aabb.min()), vector(aabb.max()));
        let (origin, direction) = (vector(ray.origin()), vector(ray.direction()));
        let start = exact(f64::from(ray.t_min()));
        let expected = line_aabb(&origin, &direction, &min, &max)
            .filter(|(_, leave)| *leave >= start)
            .map(|(enter, leave)| (enter.clone().max(start.clone()), enter, leave))
            .filter(|(t, ..)| is_in_range(&ray, t));
        let place = || format!("case {case}: {ray:?} {aabb:?}\n{found:?}\n{expected:?}");
        assert_eq!(found.is_some(), expected.is_some(), "{}", place());
        let (Some(hit), Some((t, enter, leave))) = (&found, &expected) else {
            continue;
        };
        hits += 1;
        touches += usize::from(enter == leave);
        assert!(is_nearest_f32(hit.t, t), "{}", place());
        let is_strictly_inside = (0..3).all(|axis| {
            let x = &origin[axis] + &direction[axis] * &start;
            min[axis] < x && x < max[axis]
        });
        assert_eq!(hit.side == Side::Inside, is_strictly_inside, "{}", place());
        assert_eq!(hit.normal == Vec3::ZERO, is_strictly_inside, "{}", place());
        let slope = (0..3)
            .map(|axis| hit.normal[axis] * ray.direction()[axis].signum())
            .sum::<f32>();
        assert!(hit.side != Side::Front || slope < 0.0, "{}", place());
    }
    println!("{hits} hits, {touches} touches");
    assert!(hits > rounds(3_000) && touches > rounds(200));
}

#[test]
fn spheres_are_hit_exactly_where_rational_arithmetic_says() {
    println!("seed {SEED:#x}");
    let mut nasty = Nasty::new(SEED + 2);
    let (mut hits, mut misses) = (0, 0);
    for case in 0..rounds(10_000) {
        let scale = nasty.next_case();
        let center = nasty.point();
        let radius = f64::from(nasty.number().abs().max(scale * 0.25));
        let edge = Vec3::new(0.0, scale, 0.0);
        let ray = nasty.ray(&[center, center + edge, center - edge]);
        let sphere = Sphere::new(center, radius).unwrap();
        let found = sphere.cast_ray(&ray, ());
        let (origin, direction) = (vector(ray.origin()), vector(ray.direction()));
        let excess = SphereExcess::new(&origin, &direction, &vector(center), &exact(radius));
        let start = exact(f64::from(ray.t_min()));
        let end = (!ray.t_max().is_infinite()).then(|| exact(f64::from(ray.t_max())));
        let nearest = excess.middle().max(start.clone());
        let nearest = end.clone().map_or(nearest.clone(), |end| nearest.min(end));
        let place = || format!("case {case}: {ray:?} {sphere:?}\n{found:?}");
        let is_hit = !excess.at(&nearest).is_positive();
        assert_eq!(found.is_some(), is_hit, "{}", place());
        let Some(hit) = found else {
            misses += 1;
            continue;
        };
        hits += 1;
        if ray.t_min() == 0.0 {
            let is_inside = excess.at(&start).is_negative();
            assert_eq!(hit.side == Side::Inside, is_inside, "{}", place());
        }
        if hit.side != Side::Inside {
            // The surface lies between the neighbours of the answer, or, where the whole chord is
            // shorter than that, its middle does.
            let around = [hit.t.next_down(), hit.t.next_up()].map(|t| exact(f64::from(t)));
            let signs = [0, 1].map(|i| excess.at(&around[i]).is_positive());
            let middle = excess.middle();
            let is_short = around[0] <= middle && middle <= around[1];
            assert!(signs[0] != signs[1] || is_short, "{}", place());
            assert!((hit.normal.length() - 1.0).abs() < 1e-6, "{}", place());
        }
    }
    println!("{hits} hits, {misses} misses");
    assert!(hits > rounds(1_500) && misses > rounds(1_500));
}
