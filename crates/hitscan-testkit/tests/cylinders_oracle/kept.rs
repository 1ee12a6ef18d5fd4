//! The same cylinder as an object of a world, as a part of a compound, baked, serialized, moved and between ticks.

use hitscan::baked::{Bytes, Reader, Writer};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::world::{ObjectKind, ObjectShape};
use hitscan::{
    Compound, CompoundPart, Cylinder, ObjectId, Primitive, Ray, ShapeCast, Sphere, World,
};
use hitscan_testkit::Rng;

fn cylinder(rng: &mut Rng) -> Cylinder {
    let mut point = || Vec3::from([(); 3].map(|()| rng.uniform_f32(-2.0, 2.0)));
    let (a, b) = (point(), point());
    Cylinder::new(a, b, 0.75).unwrap()
}

#[test]
fn objects_and_parts_answer_as_the_cylinder_does() {
    let mut rng = Rng::new(8);
    let mut hits = 0;
    for _ in 0..300 {
        let can = cylinder(&mut rng);
        let mut point = |size: f32| Vec3::from([(); 3].map(|()| rng.uniform_f32(-size, size)));
        let ray = Ray::new(point(4.0), point(4.0)).unwrap();
        let ball = ShapeCast::new(Sphere::new(point(4.0), 0.5).unwrap(), point(6.0)).unwrap();
        let alone = (
            can.cast_ray(&ray, ()).map(|hit| (hit.t, hit.normal)),
            can.cast_shape(&ball, ()).map(|hit| (hit.t, hit.normal)),
        );
        hits += usize::from(alone.0.is_some()) + usize::from(alone.1.is_some());
        let (mut world, mut parts) = (World::new(), World::new());
        let id = world.add(can);
        world.update();
        assert_eq!(world.now().kind(id), Some(ObjectKind::Cylinder));
        assert_eq!(ObjectKind::Cylinder.name(), "cylinder");
        let shape = world.now().shape(id);
        assert!(matches!(
            shape,
            Some(ObjectShape::Primitive(Primitive::Cylinder(_)))
        ));
        let compound = Compound::new(vec![CompoundPart::new("barrel", can)]).unwrap();
        parts.add(compound);
        parts.update();
        for world in [&world, &parts] {
            let now = world.now();
            let found = (
                now.cast_ray(&ray, ()).map(|hit| (hit.t, hit.normal)),
                now.cast_shape(&ball, ()).map(|hit| (hit.t, hit.normal)),
            );
            assert_eq!(found, alone, "{can:?} {ray:?} {ball:?}");
        }
    }
    assert!(hits > 30, "{hits}");
}

#[test]
fn parts_are_placed_in_f64_and_their_radius_by_the_longest_axis() {
    let can = Cylinder::new([0.0; 3], [0.0, 1.0, 0.0], 0.5).unwrap();
    let compound = Compound::new(vec![CompoundPart::new("barrel", can)]).unwrap();
    let mut world = World::new();
    let place = DAffine3::from_scale_rotation_translation(
        DVec3::new(1.0, 2.0, 4.0),
        DQuat::IDENTITY,
        DVec3::new(10.0, 0.0, 0.0),
    );
    world.add_at(compound, place).unwrap();
    world.update();
    let down = Ray::new([11.9, 9.0, 0.0], [0.0, -1.0, 0.0]).unwrap();
    assert_eq!(world.now().cast_ray(&down, ()).unwrap().t, 7.0);
    let beside = Ray::new([12.1, 9.0, 0.0], [0.0, -1.0, 0.0]).unwrap();
    assert_eq!(world.now().cast_ray(&beside, ()), None);
}

#[test]
fn a_moved_object_turns_about_its_middle() {
    let can = Cylinder::new([0.0; 3], [0.0, 2.0, 0.0], 0.5).unwrap();
    let mut world = World::new();
    let id = world.add(can);
    let turn = DQuat::from_xyzw(0.0, 0.0, -0.5_f64.sqrt(), 0.5_f64.sqrt());
    let place = DAffine3::from_rotation_translation(turn, DVec3::new(5.0, 1.0, 0.0));
    world.set_transform(id, place).unwrap();
    world.update();
    let Some(ObjectShape::Primitive(Primitive::Cylinder(moved))) = world.now().shape(id) else {
        panic!("a cylinder stays one");
    };
    assert!(
        (moved.a() - Vec3::new(4.0, 1.0, 0.0)).length() < 1e-6,
        "{moved:?}"
    );
    assert!(
        (moved.b() - Vec3::new(6.0, 1.0, 0.0)).length() < 1e-6,
        "{moved:?}"
    );
    assert_eq!(moved.radius(), 0.5);
}

#[test]
fn a_baked_cylinder_is_the_same() {
    let mut rng = Rng::new(9);
    let mut world = World::new();
    let ids: Vec<ObjectId> = (0..20).map(|_| world.add(cylinder(&mut rng))).collect();
    let turn = DQuat::from_xyzw(0.1, 0.7, 0.1, 0.7).normalize();
    let place = DAffine3::from_rotation_translation(turn, DVec3::new(0.1, 0.2, 0.3));
    world.set_transform(ids[0], place).unwrap();
    world.update();
    let mut writer = Writer::new();
    world.now().bake(&mut writer);
    let (table, arrays) = writer.into_parts();
    let lent = || arrays.iter().map(|array| Bytes::lent(array)).collect();
    let mut reader = Reader::new(&table, lent());
    let baked = World::from_baked(&mut reader).unwrap();
    reader.finish().unwrap();
    let solid = |world: &World, id| match world.now().shape(id) {
        Some(ObjectShape::Primitive(solid)) => solid,
        other => panic!("{other:?}"),
    };
    for (id, other) in ids.iter().zip(baked.now().objects()) {
        assert_eq!(solid(&world, *id), solid(&baked, other));
    }
    // Damaged bytes are refused, or answer; nothing panics.
    for at in 0..table.len() {
        let mut table = table.clone();
        table[at] ^= 1 << rng.below(8);
        if let Ok(world) = World::from_baked(&mut Reader::new(&table, lent())) {
            let ray = Ray::new([-9.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
            let _ = world.now().cast_ray(&ray, ());
        }
    }
}
