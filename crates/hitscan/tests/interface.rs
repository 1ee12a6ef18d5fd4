//! The rules of the interface: options say what is special about a call, and what cannot be used is a miss.

use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::world::ObjectShape;
use hitscan::{
    Aabb, BallisticArc, Capsule, Error, Obb, Primitive, QueryFilter, Ray, RayCastSettings,
    RayStart, ShapeCast, Side, Sides, Sphere, TriMesh, World,
};

fn unit_box_at(x: f32) -> Aabb {
    Aabb::new([x - 0.5, -0.5, -0.5], [x + 0.5, 0.5, 0.5]).expect("its corners are in order")
}

#[test]
fn each_way_to_state_options_is_the_whole_statement() {
    let mut world = World::new();
    let near = world.add(unit_box_at(2.0));
    world.add(unit_box_at(5.0));
    world.update();
    let now = world.now();
    let ray = Ray::new([2.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let whole = |sides, start, filter| {
        let settings = RayCastSettings { sides, start };
        now.cast_ray(&ray, (settings, filter))
    };
    let all = QueryFilter::new();
    let not_near = all.exclude_one(near);
    let (both, solid) = (Sides::Both, RayStart::Solid);
    assert_eq!(now.cast_ray(&ray, ()), whole(both, solid, all));
    assert_eq!(
        now.cast_ray(&ray, Sides::Front),
        whole(Sides::Front, solid, all)
    );
    assert_eq!(
        now.cast_ray(&ray, RayStart::Hollow),
        whole(both, RayStart::Hollow, all)
    );
    assert_eq!(now.cast_ray(&ray, not_near), whole(both, solid, not_near));
    let mixed = now.cast_ray(&ray, (Sides::Back, not_near));
    assert_eq!(mixed, whole(Sides::Back, solid, not_near));
    let t = |hit: Option<hitscan::RayHit>| hit.map(|hit| hit.t);
    let times = [
        t(now.cast_ray(&ray, ())),
        t(now.cast_ray(&ray, RayStart::Hollow)),
        t(now.cast_ray(&ray, not_near)),
        t(mixed),
    ];
    assert_eq!(times, [Some(0.0), Some(0.5), Some(2.5), Some(3.5)]);

    let arc = BallisticArc::new([2.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -0.001, 0.0]).unwrap();
    assert_eq!(t(now.cast_arc(&arc, not_near)), Some(2.5));
    let cast = ShapeCast::new(Sphere::new([2.0, 0.0, 0.0], 0.25).unwrap(), [8.0, 0.0, 0.0]);
    let hit = now
        .cast_shape(&cast.unwrap(), (Sides::Both, not_near))
        .unwrap();
    assert_eq!(hit.t, 2.25 / 8.0);
    assert_eq!(
        now.contacts(
            unit_box_at(2.5),
            0.0,
            hitscan::ContactsPer::Object,
            not_near
        ),
        []
    );
    assert_eq!(
        now.closest_point([2.0, 0.0, 0.0], 9.0, not_near)
            .unwrap()
            .distance,
        2.5
    );
}

#[test]
fn an_arc_that_starts_inside_hits_as_a_ray_does() {
    let solids: [Primitive; 4] = [
        unit_box_at(0.0).into(),
        Obb::new([0.0; 3], [0.5, 0.25, 1.0], DQuat::from_rotation_y(0.3))
            .unwrap()
            .into(),
        Sphere::new([0.1, 0.0, 0.0], 0.75).unwrap().into(),
        Capsule::new([0.0, -0.5, 0.0], [0.0, 0.5, 0.25], 0.5)
            .unwrap()
            .into(),
    ];
    let mut inside = 0;
    for solid in solids {
        for k in 0..200_u16 {
            let part = |n: u16| f32::from((k * 37 + n * 101) % 211) / 211.0 - 0.5;
            let origin = [part(0) * 1.5, part(1) * 1.5, part(2) * 1.5];
            let velocity = [part(3) * 4.0, part(4) * 4.0, part(5) * 4.0];
            let Ok(arc) = BallisticArc::new(origin, velocity, [0.0, -9.81, 0.0]) else {
                continue;
            };
            let default = solid.cast_arc(&arc, ());
            let hollow = solid.cast_arc(&arc, RayStart::Hollow);
            if default.is_some_and(|hit| hit.side == Side::Inside) {
                inside += 1;
                assert_eq!(
                    hollow,
                    solid.cast_arc(&arc, Sides::Back),
                    "{solid:?} {arc:?}"
                );
                assert!(hollow.is_some_and(|hit| hit.t > 0.0 && hit.side == Side::Back));
            } else {
                assert_eq!(hollow, default, "{solid:?} {arc:?}");
            }
            assert_eq!(hollow.is_some(), solid.cast_arc_any(&arc, RayStart::Hollow));
        }
    }
    assert!(inside > 200, "{inside} arcs started inside");
}

#[test]
fn what_cannot_be_used_makes_a_query_that_hits_nothing() {
    let mut world = World::new();
    let corners = [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]];
    let floor = TriMesh::new(corners.map(Vec3::from).to_vec(), vec![[0, 1, 2]]).unwrap();
    world.add(floor.clone());
    world.add(unit_box_at(0.0));
    world.update();
    let now = world.now();
    let nan = f32::NAN;
    let rays = [
        Ray::new_or_empty([nan, 0.0, 0.0], Vec3::X),
        Ray::new_or_empty(Vec3::ZERO, Vec3::ZERO),
        Ray::new_or_empty(Vec3::ZERO, [f32::INFINITY, 0.0, 0.0]),
        Ray::between_or_empty(Vec3::ZERO, [nan; 3]),
        Ray::new_or_empty(Vec3::ZERO, Vec3::X).limited_to(nan),
        Ray::new_or_empty(Vec3::ZERO, Vec3::X).limited_to(-1.0),
    ];
    for ray in rays {
        assert!(ray.is_empty());
        assert_eq!(now.cast_ray(&ray, ()), None);
        assert_eq!(now.cast_ray_all(&ray, ()), []);
        assert!(ray.limited_to(3.0).is_empty() && ray.with_range(0.0, 9.0).unwrap().is_empty());
    }
    assert_eq!(now.cast_rays_any(&rays, ()), [false; 6]);

    for arc in [
        BallisticArc::new_or_empty([nan; 3], Vec3::X, Vec3::NEG_Y),
        BallisticArc::new_or_empty(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO),
    ] {
        assert!(arc.is_empty() && arc.with_range(0.0, 9.0).unwrap().is_empty());
        assert_eq!(now.cast_arc(&arc, ()), None);
        assert!(!now.cast_arc_any(&arc, ()) && !floor.cast_arc_any(&arc, ()));
    }

    let cast = ShapeCast::new_or_empty(unit_box_at(0.25), [nan, 0.0, 0.0]);
    assert!(cast.is_empty());
    assert_eq!(now.cast_shape(&cast, ()), None);
    assert_eq!(now.cast_shape_all(&cast, ()), []);
    assert_eq!(
        now.cast_shapes_any(std::slice::from_ref(&cast), ()),
        [false]
    );
    assert_eq!(floor.cast_shape(&cast, ()), None);
    assert_eq!(unit_box_at(0.0).cast_shape(&cast, ()), None);
    assert!(!unit_box_at(0.0).cast_shape_any(&cast, ()));
    let question = hitscan::explain::Question::ShapeCast {
        cast,
        sides: Sides::Both,
        hits: hitscan::explain::Hits::Nearest,
    };
    assert!(now.explain(&question, ()).candidates.is_empty());
    // The same motion, finite, starts in the box.
    let finite = ShapeCast::new_or_empty(unit_box_at(0.25), [1.0, 0.0, 0.0]);
    assert_eq!(now.cast_shape(&finite, ()).map(|hit| hit.t), Some(0.0));
}

#[test]
fn radii_are_taken_as_they_are_given() {
    let sphere = |radius: f64| Sphere::new([0.0; 3], radius).unwrap();
    assert_eq!(
        Sphere::new([0.0; 3], 0.1_f32).unwrap(),
        sphere(f64::from(0.1_f32))
    );
    assert_ne!(Sphere::new([0.0; 3], 0.1_f32).unwrap(), sphere(0.1));
}

#[test]
fn a_batch_is_added_whole_or_not_at_all() {
    let ball: ObjectShape = Sphere::new([0.0; 3], 1.0).unwrap().into();
    let at = |x: f64| DAffine3::from_translation(DVec3::new(x, 0.0, 0.0));
    let turned = DAffine3::from_rotation_y(0.5);
    let mut world = World::new();
    let first = world.add(unit_box_at(0.0));
    let refused = world.add_batch([
        (ball.clone(), at(1.0)),
        (unit_box_at(0.0).into(), turned),
        (ball.clone(), DAffine3::from_scale(DVec3::splat(2.0))),
    ]);
    assert!(
        matches!(refused, Err(Error::WrongObject { object: 2, .. })),
        "{refused:?}"
    );
    let added = world
        .add_batch((0..1000).map(|k| (ball.clone(), at(f64::from(k)))))
        .unwrap();
    world.update();
    let now = world.now();
    assert!(
        now.objects()
            .eq([first].into_iter().chain(added.iter().copied()))
    );
    for (k, object) in (0..).zip(&added) {
        assert_eq!(now.transform(*object), Some(at(f64::from(k))));
    }
    let field = hitscan::height_field::Grid::new(2, 2, [1.0, 1.0]);
    let field = hitscan::HeightField::new(field, vec![0.0; 4]).unwrap();
    assert!(matches!(
        world.add_at(field, at(1.0)),
        Err(Error::WrongObject { .. })
    ));

    // What is added and what is removed before an update are cleared too.
    let late = world.add(unit_box_at(3.0));
    world.remove(added[0]).unwrap();
    world.clear();
    world.update();
    assert_eq!(world.now().object_count(), 0);
    for stale in [first, late, added[7]] {
        assert!(matches!(
            world.remove(stale),
            Err(Error::StaleObject { .. })
        ));
    }
    // Each slot is free once.
    let again = world
        .add_batch((0..1500).map(|k| (ball.clone(), at(f64::from(k)))))
        .unwrap();
    world.update();
    assert!(world.now().objects().eq(again));
}
