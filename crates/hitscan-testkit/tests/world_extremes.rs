//! Rays and boxes of all sizes that are accepted: no query panics or returns NaN.

use glam::{DAffine3, Vec3};
use hitscan::height_field::Ground;
use hitscan::shape_cast::ShapeCast;
use hitscan::{Aabb, Ray, RayHit, Sphere, World};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::random_world::{Shape, placement, world_of};
use hitscan_testkit::{Nasty, Rng, rounds};
use std::sync::Arc;

const SEED: u64 = 0x0B0E_0002;

fn shapes(count: usize, rng: &mut Rng) -> Vec<Shape> {
    (0..count).map(|_| Shape::random(rng, 8.0)).collect()
}

fn check_finite(hit: &RayHit, ray: &Ray) {
    assert!(!hit.t.is_nan() && !hit.distance.is_nan(), "{ray:?} {hit:?}");
    assert!(
        !hit.point.is_nan() && hit.normal.is_finite(),
        "{ray:?} {hit:?}"
    );
    assert!(hit.t.to_bits() != (-0.0_f32).to_bits(), "{ray:?} {hit:?}");
    assert!(
        ray.t_min() <= hit.t && hit.t <= ray.t_max(),
        "{ray:?} {hit:?}"
    );
    let is_weight = |weight: f32| (0.0..=1.0).contains(&weight);
    assert!(
        hit.barycentrics.into_iter().all(is_weight),
        "{ray:?} {hit:?}"
    );
}

/// A world with everything in it, at all sizes that are accepted.
fn extreme_world(rng: &mut Rng) -> World {
    let mut all = shapes(8, rng);
    let mesh = Arc::new(ClosedMesh::bumpy_sphere(1, 0.5, rng).tri_mesh());
    for size in [1e-30, 1e-12, 1.0, 1e17] {
        let scale = DAffine3::from_scale(glam::DVec3::splat(size));
        all.push(Shape::Mesh(Arc::clone(&mesh), scale * placement(rng, 8.0)));
        all.push(Shape::Sphere(
            Sphere::new([0.0, 1.0, 0.0], size).expect("sizes are in range"),
        ));
    }
    let thin = glam::DVec3::new(1.0, 1e-9, 1.0);
    all.push(Shape::Mesh(Arc::clone(&mesh), DAffine3::from_scale(thin)));
    let speck = glam::DVec3::new(1e-90, 1e-99, 1e-95);
    all.push(Shape::Mesh(mesh, DAffine3::from_scale(speck)));
    all.push(Shape::Aabb(
        Aabb::new([-1e18; 3], [1e18, 0.0, 1e-38]).expect("corners are in range"),
    ));
    world_of(&all)
}

#[test]
fn no_ray_makes_a_query_panic_or_answer_nan() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 3);
    let mut hits = 0;
    for number in 0..4 {
        let world = extreme_world(&mut rng);
        let mut nasty = Nasty::new(SEED + number);
        let sizes = [0.0, 1e-45, 1e-38, 1e-20, 1.0, 1e18, 1e30, 1e38, f32::MAX];
        let huge = |rng: &mut Rng| {
            Vec3::from_array([0; 3].map(|_| {
                let size = sizes[rng.below(sizes.len())];
                if rng.one_in(2) { -size } else { size }
            }))
        };
        for _ in 0..rounds(1_500) {
            nasty.next_case();
            let origin = if rng.one_in(2) {
                huge(&mut rng)
            } else {
                nasty.point()
            };
            let direction = match rng.below(3) {
                0 => huge(&mut rng),
                1 => -origin,
                _ => nasty.point(),
            };
            let ranges = [
                (0.0, f32::INFINITY),
                (f32::MIN, f32::INFINITY),
                (f32::MIN, f32::MAX),
                (f32::MAX, f32::INFINITY),
                (0.0, 0.0),
                (-1e-45, 1e-45),
            ];
            let (low, high) = ranges[rng.below(ranges.len())];
            let ray = Ray::new(origin, direction).and_then(|ray| ray.with_range(low, high));
            let Ok(ray) = ray else { continue };
            let nearest = world.now().cast_ray(&ray, ());
            let all = world.now().cast_ray_all(&ray, ());
            assert_eq!(
                world.now().cast_ray_any(&ray, ()),
                nearest.is_some(),
                "{ray:?}"
            );
            assert_eq!(nearest.is_some(), !all.is_empty(), "{ray:?}");
            all.iter()
                .chain(&nearest)
                .for_each(|hit| check_finite(hit, &ray));
            hits += usize::from(nearest.is_some());

            let start = Aabb::new(origin.min(direction), origin.max(direction));
            let motion = start.and_then(|start| ShapeCast::new(start, huge(&mut rng)));
            if let Some(contact) = motion
                .ok()
                .and_then(|moving| world.now().cast_shape(&moving, ()))
            {
                assert!((0.0..=1.0).contains(&contact.t));
                assert!(contact.normal.is_finite());
            }
            for radius in [f64::NAN, -1.0, 0.0, 1e300, f64::INFINITY] {
                let [x, z] = [origin.x, direction.z];
                let _ = world.now().max_height([x, z], radius, ());
                if let Ground::Height(mean) = world.now().mean_height([x, z], radius, ()) {
                    assert!(mean.height.is_finite());
                }
            }
        }
    }
    println!("{hits} hits");
    assert!(hits > rounds(500));
}

#[test]
fn an_empty_world_answers_nothing() {
    let mut world = World::new();
    world.update();
    let ray = Ray::new([0.0; 3], [1.0; 3]).unwrap();
    assert_eq!(world.now().cast_ray(&ray, ()), None);
    assert!(world.now().cast_ray_all(&ray, ()).is_empty());
    assert!(!world.now().cast_ray_any(&ray, ()));
    assert!(world.now().broad_phase_pairs(()).is_empty() && world.now().overlaps(()).is_empty());
    assert_eq!(
        (world.now().bounds(), world.now().object_count()),
        (None, 0)
    );
    assert_eq!(world.now().height([0.0, 0.0], ()), Ground::Outside);
}
