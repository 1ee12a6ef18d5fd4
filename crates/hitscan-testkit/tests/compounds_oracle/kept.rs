//! Compounds that are moved, remembered and baked.

use crate::worlds::{place, solid};
use hitscan::baked::{Bytes, Reader, Writer};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::world::{ObjectKind, ObjectShape};
use hitscan::{
    Aabb, Capsule, Compound, CompoundPart, ContactsPer, ConvexHull, Error, Obb, ObjectId,
    Primitive, Ray, Sphere, World,
};
use hitscan_testkit::{Rng, rounds};
use std::sync::Arc;

fn transform(rng: &mut Rng) -> DAffine3 {
    let mut number = |span: f64| rng.uniform(-span, span);
    let turn = DQuat::from_xyzw(number(1.0), number(1.0), number(1.0), number(1.0) + 1.5);
    let factors = DVec3::from_array([(); 3].map(|()| number(0.5) + 1.0));
    let factors = if number(1.0) > 0.0 {
        factors
    } else {
        factors * DVec3::new(1.0, 1.0, -1.0)
    };
    let turn = turn * (1.0 / turn.length());
    let way = DVec3::from_array([(); 3].map(|()| number(3.0)));
    DAffine3::from_scale_rotation_translation(factors, turn, way)
}

fn parts(rng: &mut Rng) -> Vec<CompoundPart> {
    let count = 1 + rng.below(9);
    (0..count)
        .map(|number| {
            CompoundPart::new(format!("p{number}"), solid(rng)).with_user_data(number as u64)
        })
        .collect()
}

/// A compound under any transform is its parts, each a compound of its own under it; and so between ticks.
#[test]
fn parts_move_as_one() {
    let mut rng = Rng::new(78);
    let mut hits = 0;
    for _ in 0..rounds(120) {
        let parts = parts(&mut rng);
        let (mut whole, mut apart) = (World::new(), World::new());
        whole.keep_history(3);
        apart.keep_history(3);
        let compound = Arc::new(Compound::new(parts.clone()).unwrap());
        let id = whole.add(Arc::clone(&compound));
        let ids: Vec<ObjectId> = parts
            .iter()
            .map(|part| apart.add(Compound::new([part.clone()]).unwrap()))
            .collect();
        for tick in 0..3 {
            let to = transform(&mut rng);
            whole.set_transform(id, to).unwrap();
            ids.iter()
                .for_each(|id| apart.set_transform(*id, to).unwrap());
            whole.update();
            apart.update();
            whole.record(tick).unwrap();
            apart.record(tick).unwrap();
            assert_eq!(whole.now().transform(id), Some(to));
        }
        for _ in 0..60 {
            let time = if rng.one_in(3) {
                1.0
            } else {
                rng.uniform(0.0, 2.0)
            };
            let (one, other) = (whole.at(time).unwrap(), apart.at(time).unwrap());
            let (from, to) = (place(&mut rng), place(&mut rng));
            let Ok(ray) = Ray::new(from, to - from) else {
                continue;
            };
            let hit = one.cast_ray(&ray, ());
            let expected = other.cast_ray(&ray, ()).map(|mut hit| {
                let part = ids.iter().position(|id| Some(*id) == hit.object).unwrap();
                hit.triangle.as_mut().unwrap().part = u32::try_from(part).unwrap();
                hit.object = Some(id);
                hit
            });
            assert_eq!(hit, expected, "{ray:?} at {time}");
            hits += usize::from(hit.is_some());
            let ball = Sphere::new(from, 1.0).unwrap();
            let found = one.contacts(ball, 0.5, ContactsPer::Triangle, ());
            let separations =
                |all: &[hitscan::Contact]| all.iter().map(|one| one.separation).collect::<Vec<_>>();
            let expected = other.contacts(ball, 0.5, ContactsPer::Object, ());
            assert_eq!(separations(&found), separations(&expected));
        }
    }
    assert!(hits > rounds(120) * 10, "{hits}");
}

fn nearest_f32(x: f64) -> f32 {
    DVec3::splat(x).as_vec3().x
}

/// Solids that a transform takes where f32 holds nothing of them are where it takes them all the same.
#[test]
fn places_are_not_rounded_to_f32() {
    let near = |number: f32, expected: f64| (f64::from(number) - expected).abs() <= expected * 1e-7;
    let way = DVec3::new(1e-9, 1.0 / 3.0, 0.0);
    let at = |part: CompoundPart, transform: DAffine3| {
        let mut world = World::new();
        world
            .add_at(Compound::new([part]).unwrap(), transform)
            .unwrap();
        world.update();
        world
    };
    let ray = Ray::new([-1.0, 0.25, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let radius = 0.25;
    let ball = CompoundPart::new("ball", Sphere::new([0.0; 3], radius).unwrap());
    let rod = CompoundPart::new(
        "rod",
        Capsule::new([0.0; 3], [0.0, 0.0, 1.0], radius).unwrap(),
    );
    let chord = (radius * radius - (1.0_f64 / 3.0 - 0.25).powi(2)).sqrt();
    for part in [ball, rod] {
        let world = at(part, DAffine3::from_translation(way));
        let hit = world.now().cast_ray(&ray, ()).unwrap();
        // The nearest f32 to 1 + 1e-9 less the half chord.
        assert_eq!(hit.t, nearest_f32(1.0 + 1e-9 - chord));
    }
    // Scaled, a box is the box of its corners and a radius grows by the longest axis.
    let scaled = DAffine3::from_scale(DVec3::new(1.0, 2.0, 0.5));
    let crate_box = CompoundPart::new("box", Aabb::new([-0.25; 3], [0.25; 3]).unwrap());
    let world = at(crate_box, scaled);
    let expected = Aabb::new([-0.25, -0.5, -0.125], [0.25, 0.5, 0.125]).unwrap();
    assert_eq!(world.now().bounds(), Some(expected));
    let world = at(
        CompoundPart::new("ball", Sphere::new([0.0; 3], 1.0).unwrap()),
        scaled,
    );
    assert_eq!(
        world.now().bounds(),
        Some(Aabb::new([-2.0; 3], [2.0; 3]).unwrap())
    );
    // A turned box under such factors is no box any more: it is the hull of its corners.
    let eighth = DQuat::from_xyzw(0.0, 0.0, 0.382_683_432_365_089_8, 0.923_879_532_511_286_7);
    let turned = CompoundPart::new("box", Obb::new([0.0; 3], [0.5; 3], eighth).unwrap());
    let world = at(turned, scaled);
    let bounds = world.now().bounds().unwrap();
    let diagonal = 0.5_f64.sqrt();
    assert!(
        near(bounds.max().x, diagonal) && near(bounds.max().y, 2.0 * diagonal),
        "{bounds:?}"
    );
    let across = Ray::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    assert_eq!(
        world.now().cast_ray(&across, ()).unwrap().t,
        nearest_f32(1.0 - diagonal)
    );
}

#[test]
fn what_is_refused_says_what() {
    let part = |radius| CompoundPart::new("ball", Sphere::new([1.0; 3], radius).unwrap());
    let mut world = World::new();
    let id = world.add(Compound::new([part(1.0)]).unwrap());
    let far = DAffine3::from_translation(DVec3::splat(1e19));
    assert!(matches!(
        world.set_transform(id, far),
        Err(Error::OutOfRange { .. })
    ));
    let large = DAffine3::from_scale(DVec3::new(1e18, 0.1, 0.1));
    assert!(
        world
            .add_at(Compound::new([part(2.0)]).unwrap(), large)
            .is_err()
    );
    let half = Aabb::new([-0.5; 3], [0.5; 3]).unwrap();
    for scale in [1e19, 1e200, 1e308] {
        let vast = DAffine3::from_scale(DVec3::splat(scale));
        let box_alone = Compound::new([CompoundPart::new("box", half)]).unwrap();
        assert!(world.add_at(box_alone, vast).is_err(), "{scale}");
    }
    let nowhere = DAffine3::from_translation(DVec3::splat(f64::NAN));
    assert!(matches!(
        world.set_transform(id, nowhere),
        Err(Error::NotFinite { .. })
    ));
    assert!(
        world
            .set_primitive(id, Sphere::new([0.0; 3], 1.0).unwrap())
            .is_err()
    );
    world.update();
    assert_eq!(
        (world.now().object_count(), world.now().kind(id)),
        (1, Some(ObjectKind::Compound))
    );
}

#[test]
fn a_baked_compound_is_the_same() {
    let mut rng = Rng::new(79);
    let mut world = World::new();
    let mut ids = Vec::new();
    for _ in 0..40 {
        let compound = Compound::new(parts(&mut rng)).unwrap();
        ids.push(world.add_at(compound, transform(&mut rng)).unwrap());
    }
    world.update();
    let mut writer = Writer::new();
    world.now().bake(&mut writer);
    let (table, arrays) = writer.into_parts();
    let mut reader = Reader::new(
        &table,
        arrays.iter().map(|array| Bytes::lent(array)).collect(),
    );
    let baked = World::from_baked(&mut reader).unwrap();
    reader.finish().unwrap();
    for (id, other) in ids.iter().zip(baked.now().objects()) {
        let shape = |world: &World, id| match world.now().shape(id) {
            Some(ObjectShape::Compound(compound)) => compound,
            other => panic!("{other:?}"),
        };
        assert_eq!(shape(&world, *id), shape(&baked, other));
        assert_eq!(world.now().transform(*id), baked.now().transform(other));
    }
    for _ in 0..500 {
        let (from, to) = (place(&mut rng), place(&mut rng));
        let Ok(ray) = Ray::new(from, to - from) else {
            continue;
        };
        assert_eq!(
            world.now().cast_ray(&ray, ()),
            baked.now().cast_ray(&ray, ())
        );
    }
    // Damaged bytes are refused, or answer; nothing panics.
    for at in 0..table.len() {
        let mut table = table.clone();
        table[at] ^= 1 << rng.below(8);
        let mut reader = Reader::new(
            &table,
            arrays.iter().map(|array| Bytes::lent(array)).collect(),
        );
        if let Ok(world) = World::from_baked(&mut reader) {
            let _ = world.now().bounds();
        }
    }
}

#[test]
fn parts_are_replaced_where_the_compound_is() {
    let part = |x: f32| CompoundPart::new("ball", Sphere::new([x, 0.0, 0.0], 1.0).unwrap());
    let mut world = World::new();
    let at = DAffine3::from_translation(DVec3::Y * 5.0);
    let id = world
        .add_at(Compound::new([part(0.0)]).unwrap(), at)
        .unwrap();
    let ball = world.add(Sphere::new([0.0; 3], 1.0).unwrap());
    world.set_user_data(id, 3).unwrap();
    world
        .set_compound(id, Compound::new([part(4.0)]).unwrap())
        .unwrap();
    let refused = world.set_compound(ball, Compound::new([part(4.0)]).unwrap());
    assert!(matches!(refused, Err(Error::WrongObject { .. })));
    world.update();
    let ray = Ray::new([0.0, 5.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let hit = world.now().cast_ray(&ray, ()).unwrap();
    assert_eq!((hit.object, hit.t, hit.user_data), (Some(id), 3.0, 3));
    assert_eq!(world.now().transform(id), Some(at));
}

#[test]
fn a_radius_that_a_hull_was_given_where_it_is_goes_with_it() {
    let hull = ConvexHull::new([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from));
    let hull = hull.unwrap().rounded_by(0.5).unwrap();
    let mut world = World::new();
    let part = CompoundPart::new("rock", hull);
    let id = world.add(Compound::new([part]).unwrap());
    for (factor, radius) in [(1.0, 0.5), (2.0, 1.0)] {
        let scale = DVec3::splat(factor);
        let at = DAffine3::from_scale_rotation_translation(scale, DQuat::IDENTITY, DVec3::X);
        world.set_transform(id, at).unwrap();
        world.update();
        let Some(Primitive::ConvexHull(placed)) = world.now().part_solid(id, 0) else {
            panic!("the part is a hull");
        };
        assert_eq!(placed.radius(), radius);
    }
}

#[test]
fn a_part_that_is_added_by_itself_is_baked_as_it_is() {
    let mut rng = Rng::new(83);
    for _ in 0..rounds(200) {
        let mut world = World::new();
        let id = world.add_at(Compound::new(parts(&mut rng)).unwrap(), transform(&mut rng));
        world.update();
        let Ok(id) = id else { continue };
        let now = world.now().clone();
        let count = now.compound(id).unwrap().parts().len();
        for part in 0..u32::try_from(count).unwrap() {
            let solid = now.part_solid(id, part).unwrap();
            let mut alone = World::new();
            alone.add(solid.clone());
            let again = CompoundPart::new("again", solid.clone());
            assert_eq!(again.solid(), &solid);
            alone.update();
            let Some(ObjectShape::Primitive(kept)) =
                alone.now().shape(alone.now().objects().next().unwrap())
            else {
                panic!("a solid is a primitive");
            };
            assert_eq!(kept, solid);
        }
    }
}

#[test]
fn a_transform_whose_axes_have_no_length_is_refused() {
    let point = CompoundPart::new("point", Aabb::new([0.0; 3], [0.0; 3]).unwrap());
    let compound = Compound::new([point]).unwrap();
    let huge = DAffine3::from_scale(DVec3::splat(1e155));
    let refused = World::new().add_at(compound, huge);
    assert!(matches!(refused, Err(Error::NotFinite { .. })));
}
