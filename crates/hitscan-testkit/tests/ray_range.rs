//! The range of a ray: hollow starts, empty rays, rays by metres, and the ends of f32's range.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use glam::{DAffine3, DQuat, Vec3};
use hitscan::height_field::Grid;
use hitscan::{
    Aabb, Capsule, Error, HeightField, Obb, Plane, Primitive, QueryFilter, Ray, RayCastSettings,
    RayHit, RayStart, Side, Sides, Sphere, TriMesh, Triangle, World,
};
use hitscan_testkit::Rng;
use std::sync::Arc;

const SEED: u64 = 0x0B0E_0110;

fn hollow(sides: Sides) -> RayCastSettings {
    RayCastSettings {
        sides,
        start: RayStart::Hollow,
    }
}

/// One of each, all of them around the origin.
fn solids() -> [Primitive; 4] {
    let eighth = DQuat::from_rotation_y(core::f64::consts::FRAC_PI_4);
    [
        Sphere::new([0.0; 3], 1.0).unwrap().into(),
        Aabb::new([-1.0; 3], [1.0; 3]).unwrap().into(),
        Obb::new([0.0; 3], [1.0; 3], eighth).unwrap().into(),
        Capsule::new([0.0, -2.0, 0.0], [0.0, 2.0, 0.0], 1.0)
            .unwrap()
            .into(),
    ]
}

fn world_of(solid: Primitive) -> World {
    let mut world = World::new();
    world.add(solid);
    world.update();
    world
}

#[test]
fn a_hollow_start_hits_the_boundary_of_every_primitive() {
    for solid in solids() {
        let world = world_of(solid.clone());
        let ray = Ray::new([0.0; 3], [2.0, 0.0, 0.0]).unwrap();
        let at_start = solid.cast_ray(&ray, ()).unwrap();
        assert_eq!((at_start.t, at_start.side), (0.0, Side::Inside));
        let leaving = solid.cast_ray(&ray, Sides::Back).unwrap();
        assert!(leaving.t > 0.0 && leaving.side == Side::Back);
        for sides in [Sides::Both, Sides::Back] {
            assert_eq!(solid.cast_ray(&ray, hollow(sides)), Some(leaving));
            assert_eq!(solid.cast_ray_all(&ray, hollow(sides)), [leaving]);
            assert!(solid.cast_ray_any(&ray, hollow(sides)));
        }
        assert_eq!(solid.cast_ray(&ray, hollow(Sides::Front)), None);
        assert_eq!(solid.cast_ray_all(&ray, ()), [at_start, leaving]);

        // The world's answers are the solid's, one by one and together.
        let everything = QueryFilter::new();
        let object = world.now().objects().next();
        let named = RayHit { object, ..leaving };
        let now = world.now();
        assert_eq!(
            now.cast_ray(&ray, (RayStart::Hollow, everything)),
            Some(named)
        );
        assert_eq!(
            now.cast_ray_all(&ray, (RayStart::Hollow, everything)),
            [named]
        );
        assert!(now.cast_ray_any(&ray, (RayStart::Hollow, everything)));
        let rays = [ray; 100];
        let together = now.cast_rays(&rays, (RayStart::Hollow, everything));
        assert!(together.iter().all(|hit| *hit == Some(named)));
        // A ray that ends inside hits nothing of a hollow solid.
        let short = ray.with_range(0.0, 0.25).unwrap();
        assert_eq!(solid.cast_ray(&short, RayStart::Hollow), None);
        assert!(!now.cast_ray_any(&short, (RayStart::Hollow, everything)));
    }
}

/// From the outside, and from the boundary, a hollow start changes nothing.
#[test]
fn a_hollow_start_outside_changes_nothing() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let mut hits = 0;
    for _ in 0..4_000 {
        let mut near = |span: f32| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-span, span)));
        let (from, toward) = (near(5.0), near(1.5));
        let Ok(ray) = Ray::new(from, toward - from) else {
            continue;
        };
        for solid in solids() {
            let usual = solid.cast_ray(&ray, ());
            if usual.is_none_or(|hit| hit.side != Side::Inside) {
                assert_eq!(solid.cast_ray(&ray, RayStart::Hollow), usual, "{ray:?}");
                hits += usize::from(usual.is_some());
            }
        }
    }
    assert!(hits > 2_000, "{hits} hits");
}

fn terrain() -> HeightField {
    let grid = Grid::new(17, 17, [1.0, 1.0]);
    let heights = (0..17 * 17).map(|i| f32::from(u8::try_from(i % 5).unwrap()));
    HeightField::new(grid, heights.collect()).unwrap()
}

fn cube() -> TriMesh {
    let at = |i: u8| Vec3::from_array([0, 1, 2].map(|axis| f32::from(i >> axis & 1)));
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let split = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    let triangles = quads.into_iter().flat_map(split).collect();
    TriMesh::new((0..8).map(at).collect(), triangles).unwrap()
}

#[test]
fn an_empty_ray_hits_nothing_wherever_it_is() {
    let (field, mesh) = (terrain(), cube());
    let mut world = World::new();
    world.add(Arc::new(field.clone()));
    world
        .add_at(Arc::new(mesh.clone()), DAffine3::IDENTITY)
        .unwrap();
    for solid in solids() {
        world.add(solid);
    }
    world.update();
    let everything = QueryFilter::new();
    let mut rays = Vec::new();
    let mut rng = Rng::new(SEED + 1);
    let places = [
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [0.5, 1.0, 0.5],
        [3.4e38, -3.4e38, 3.4e38],
        [-1.0, 1.0, 1.0],
    ];
    let random = (0..400).map(|_| [0; 3].map(|_| rng.uniform_f32(-2.0, 18.0)));
    for place in places.into_iter().chain(random) {
        let ray = Ray::between(place, place).unwrap();
        assert!(ray.is_empty() && ray.t_min() > ray.t_max());
        assert_eq!(ray.origin().to_array(), place);
        assert_eq!(ray.at(1.0).to_array(), place);
        assert_eq!(ray.project_point([1.0; 3]).point.to_array(), place);
        for settings in [Sides::Both.into(), hollow(Sides::Both), Sides::Back.into()] {
            for solid in solids() {
                assert_eq!(solid.cast_ray(&ray, settings), None);
                assert!(solid.cast_ray_all(&ray, settings).is_empty());
            }
            assert_eq!(field.cast_ray(&ray, settings), None);
            assert!(!field.cast_ray_any(&ray, settings));
            assert!(field.cast_ray_all(&ray, settings).is_empty());
            assert_eq!(mesh.cast_ray(&ray, settings), None);
            assert!(!mesh.cast_ray_any(&ray, settings));
            assert!(mesh.cast_ray_all(&ray, settings).is_empty());
            assert_eq!(world.now().cast_ray(&ray, (settings, everything)), None);
            assert!(!world.now().cast_ray_any(&ray, (settings, everything)));
            let all = world.now().cast_ray_all(&ray, (settings, everything));
            assert!(all.is_empty());
        }
        let flat = Triangle::new([0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]).unwrap();
        assert_eq!(flat.cast_ray(&ray, ()), None);
        let ground = Plane::new([0.0, 1.0, 0.0], 0.0).unwrap();
        assert_eq!(ground.cast_ray(&ray, ()), None);
        assert!(!Sphere::new([0.0; 3], 1.0).unwrap().overlaps_ray(&ray));
        // Limits leave it empty.
        assert!(ray.with_range(0.0, 9.0).unwrap().is_empty());
        assert!(ray.with_max_distance(9.0).unwrap().is_empty());
        rays.push(ray);
    }
    assert!(
        world
            .now()
            .cast_rays(&rays, everything)
            .iter()
            .all(Option::is_none)
    );
    assert!(mesh.cast_rays(&rays, ()).iter().all(Option::is_none));
    assert!(field.cast_rays(&rays, ()).iter().all(Option::is_none));
    assert!(!world.now().cast_rays_any(&rays, everything).contains(&true));
    assert!(!mesh.cast_rays_any(&rays, ()).contains(&true));
    assert!(!field.cast_rays_any(&rays, ()).contains(&true));
}

#[test]
fn between_refuses_what_is_not_finite_only() {
    let nan = [0.0, f32::NAN, 0.0];
    for (start, end) in [(nan, nan), ([f32::INFINITY; 3], [f32::INFINITY; 3])] {
        assert!(matches!(
            Ray::between(start, end),
            Err(Error::NotFinite { .. })
        ));
    }
    assert!(Ray::between([-3e38; 3], [3e38; 3]).is_err());
    assert!(
        !Ray::between([0.0; 3], [0.0, 0.0, 1e-45])
            .unwrap()
            .is_empty()
    );
    // The two zeros are one place.
    assert!(Ray::between([0.0; 3], [-0.0; 3]).unwrap().is_empty());
}

#[test]
fn a_ray_by_metres_ends_there_whatever_its_direction() {
    let wall = Aabb::new([10.0, -1.0, -1.0], [11.0, 1.0, 1.0]).unwrap();
    for scale in [1.0, 0.25, 8.0, 1024.0] {
        let ray = Ray::new([0.0; 3], [scale, 0.0, 0.0]).unwrap();
        let hits = |metres| {
            let ray = ray.with_max_distance(metres).unwrap();
            wall.cast_ray(&ray, ()).is_some()
        };
        assert!(hits(10.0) && hits(10.5) && hits(f64::INFINITY));
        assert!(!hits(9.999) && !hits(0.0));
    }
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    // It shortens, and does not lengthen.
    let short = ray.with_range(0.0, 2.0).unwrap();
    assert_eq!(short.with_max_distance(5.0).unwrap().t_max(), 2.0);
    assert!(matches!(
        ray.with_max_distance(f64::NAN),
        Err(Error::NotFinite { .. })
    ));
    assert!(matches!(
        ray.with_max_distance(-1.0),
        Err(Error::Reversed { .. })
    ));
    // Beyond the range of f32 there is no limit.
    assert_eq!(ray.with_max_distance(1e300).unwrap().t_max(), f32::INFINITY);
}

fn check_finite(hit: &RayHit) {
    assert!(hit.t.is_finite() && hit.distance.is_finite(), "{hit:?}");
    assert!(hit.point.is_finite() && hit.normal.is_finite(), "{hit:?}");
}

#[test]
fn no_hit_has_an_infinite_point_or_distance() {
    let max = f32::MAX;
    // Ten metres of direction, and a plane at 3e38 of them.
    let far = Plane::new([1.0, 0.0, 0.0], 3e39).unwrap();
    let ray = Ray::new([0.0; 3], [10.0, 0.0, 0.0]).unwrap();
    let hit = far.cast_ray(&ray, ()).unwrap();
    check_finite(&hit);
    assert_eq!((hit.t, hit.distance, hit.point.x), (3e38, max, max));
    let behind = Ray::new([0.0; 3], [-10.0, 0.0, 0.0]).unwrap();
    let behind = behind.with_range(-max, 0.0).unwrap();
    let hit = far.cast_ray(&behind, ()).unwrap();
    check_finite(&hit);
    assert_eq!((hit.t, hit.distance, hit.point.x), (-3e38, -max, max));

    // From a corner of f32's range the way to the origin is longer than f32 holds.
    let corner = Ray::new([max; 3], [-max; 3]).unwrap();
    let (mesh, field) = (cube(), terrain());
    let mut world = World::new();
    world
        .add_at(Arc::new(mesh.clone()), DAffine3::IDENTITY)
        .unwrap();
    world.update();
    let batch = [corner; 64];
    let together = world.now().cast_rays(&batch, ());
    let hits = [
        mesh.cast_ray(&corner, ()),
        mesh.cast_rays(&batch, ())[63],
        world.now().cast_ray(&corner, ()),
        together[63],
        Sphere::new([0.0; 3], 1e18).unwrap().cast_ray(&corner, ()),
    ];
    for hit in hits.into_iter().flatten() {
        check_finite(&hit);
        assert_eq!(hit.distance, max);
    }
    assert!(hits[0].is_some() && hits[4].is_some());
    for hit in field.cast_rays(&batch, ()).iter().flatten() {
        check_finite(hit);
    }
}
