//! Sets of boxes and of spheres, in every vector width, against queries one by one.

use hitscan::simd::Width;
use hitscan::{Aabb, AabbSet, Ray, RayHit, Sides, Sphere, SphereSet, glam::Vec3};
use hitscan_testkit::{Nasty, Rng, ShapeCastScene};

const SEED: u64 = 0x5e75;

fn corners(scene: ShapeCastScene, rng: &mut Rng) -> Aabb {
    let [min, max] = scene.corners(rng);
    Aabb::new(min, max).expect("corners come in order")
}

#[test]
fn boxes_that_touch_are_those_of_brute_force() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut found = 0;
    for case in 0..700 {
        let scene = ShapeCastScene::ALL[case % ShapeCastScene::ALL.len()];
        // Around the ends of blocks, and none at all.
        let count = [0, 1, 63, 64, 65, 200, 5000][rng.below(if case % 50 == 0 { 7 } else { 6 })];
        let boxes: Vec<Aabb> = (0..count).map(|_| corners(scene, &mut rng)).collect();
        let other = corners(scene, &mut rng);
        let expected: Vec<u32> = (0..)
            .zip(&boxes)
            .filter(|(_, own)| own.touches(&other))
            .map(|(index, _)| index)
            .collect();
        found += expected.len();
        let set = AabbSet::new(&boxes);
        assert_eq!((set.len(), set.is_empty()), (count, count == 0));
        let kept: Vec<Aabb> = (0..).map_while(|index| set.get(index)).collect();
        assert_eq!(kept, boxes);
        for width in Width::available() {
            let set = set.clone().with_width(width);
            assert_eq!(set.touching(&other), expected, "{scene:?} {width:?}");
        }
    }
    assert!(found > 10_000, "{found}");
}

/// What the set must answer: the least t, of equal ones the first.
fn one_by_one(spheres: &[Sphere], ray: &Ray, sides: Sides) -> Option<(u32, RayHit)> {
    let hits = (0..)
        .zip(spheres)
        .filter_map(|(index, sphere)| Some((index, sphere.cast_ray(ray, sides)?)));
    hits.reduce(|best, next| if next.1.t < best.1.t { next } else { best })
}

fn compare(spheres: &[Sphere], sets: &[SphereSet], ray: &Ray) -> usize {
    let mut hits = 0;
    for sides in [Sides::Both, Sides::Front, Sides::Back] {
        let expected = one_by_one(spheres, ray, sides);
        hits += usize::from(expected.is_some());
        for (set, width) in sets.iter().zip(Width::available()) {
            let found = set.cast_ray(ray, sides);
            assert_eq!(found, expected, "{width:?} {ray:?} {sides:?}");
            let bits =
                |hit: &(u32, RayHit)| (hit.1.t.to_bits(), hit.1.point.to_array().map(f32::to_bits));
            assert_eq!(found.as_ref().map(bits), expected.as_ref().map(bits));
        }
    }
    hits
}

fn in_all_widths(spheres: &[Sphere]) -> Vec<SphereSet> {
    let set = SphereSet::new(spheres);
    assert_eq!(set.spheres(), spheres);
    Width::available()
        .into_iter()
        .map(|width| set.clone().with_width(width))
        .collect()
}

#[test]
fn nasty_spheres_are_met_as_one_by_one() {
    println!("seed {SEED:#x}");
    let mut nasty = Nasty::new(SEED);
    let mut hits = 0;
    for _ in 0..1500 {
        let scale = nasty.next_case();
        let count = [0, 1, 7, 64, 65, 150][nasty.rng.below(6)];
        let mut spheres: Vec<Sphere> = Vec::new();
        while spheres.len() < count {
            let radius = match nasty.rng.below(6) {
                0 => 1e-300,
                1 => 9e17,
                2 => f64::from(scale) * 1e-6,
                _ => f64::from(nasty.number().abs()),
            };
            // The same sphere again makes ties.
            let again = spheres.last().copied().filter(|_| nasty.rng.one_in(5));
            spheres.extend(again.or_else(|| Sphere::new(nasty.point(), radius.min(9e17)).ok()));
        }
        let sets = in_all_widths(&spheres);
        let targets: Vec<Vec3> = spheres
            .iter()
            .map(Sphere::center)
            .chain([Vec3::ZERO])
            .collect();
        for _ in 0..8 {
            hits += compare(&spheres, &sets, &nasty.ray(&targets));
        }
    }
    println!("hits: {hits}");
    assert!(hits > 5000, "{hits}");
}

#[test]
fn rays_that_graze_spheres_from_afar_are_not_culled() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut hits = 0;
    for _ in 0..1500 {
        let afar = [1.0, 100.0, 1e6, 1e12][rng.below(4)];
        let mut point = |size: f32| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-size, size)));
        let (origin, across) = (point(afar), point(1.0));
        let spheres: Vec<Sphere> = (0..70)
            .filter_map(|_| Sphere::new(point(10.0), f64::from(point(1.0).x.abs())).ok())
            .collect();
        let sets = in_all_widths(&spheres);
        for sphere in spheres.iter().step_by(9) {
            // The ray passes the end of a radius perpendicular to it.
            let direction = sphere.center() - origin;
            let aside = across.cross(direction).normalize_or_zero() * to_f32(sphere.radius());
            if let Ok(ray) = Ray::new(origin, direction + aside) {
                hits += compare(&spheres, &sets, &ray);
            }
        }
    }
    println!("hits: {hits}");
    assert!(hits > 5000, "{hits}");
}

#[test]
fn rays_from_the_ends_of_the_range_of_f32_are_answered_alike() {
    let spheres: Vec<Sphere> = [(0.0, 1.0), (9e17, 9e17), (-1e18, 3.0), (5.0, 1e-300)]
        .iter()
        .map(|&(x, radius)| Sphere::new([x, 0.0, 0.0], radius).unwrap())
        .collect();
    let sets = in_all_widths(&spheres);
    let mut hits = 0;
    for x in [-f32::MAX, -1e30, -1e19, 0.0, 1e19, f32::MAX] {
        for size in [f32::from_bits(1), 1e-30, 1.0, f32::MAX] {
            for direction in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 1e-7, 0.0]] {
                for origin in [[x, 0.0, 0.0], [x, x, x], [x, 0.5, 0.0]] {
                    let ray = Ray::new(origin, Vec3::from_array(direction) * size);
                    hits += ray.map_or(0, |ray| compare(&spheres, &sets, &ray));
                }
            }
        }
    }
    assert!(hits > 50, "{hits}");
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to f32 is intended"
)]
fn to_f32(x: f64) -> f32 {
    x as f32
}
