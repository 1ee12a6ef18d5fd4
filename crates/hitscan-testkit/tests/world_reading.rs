//! Reading a world: handles and filters in every query, reading back, snapshots that are kept, and
//! memory.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::height_field::Grid;
use hitscan::world::{ObjectKind, ObjectShape};
use hitscan::{
    Aabb, Capsule, Error, HeightField, Obb, ObjectId, Primitive, QueryFilter, Ray, ShapeCast,
    Snapshot, Sphere, TriMesh, World,
};
use hitscan_testkit::Rng;
use hitscan_testkit::living_world::LivingWorld;
use std::sync::Arc;

const SEED: u64 = 0x0B0E_0120;

/// A patch of `columns` squares along x and z, in the plane y = 0.
fn sheet(columns: u16) -> Arc<TriMesh> {
    let line = columns + 1;
    let corner = |i: u16| Vec3::new(f32::from(i % line), 0.0, f32::from(i / line));
    let positions = (0..line * line).map(corner).collect();
    let mut triangles = Vec::new();
    for cell in 0..columns * columns {
        let first = u32::from(cell / columns * line + cell % columns);
        let below = first + u32::from(line);
        triangles.extend([[first, below, first + 1], [first + 1, below, below + 1]]);
    }
    Arc::new(TriMesh::new(positions, triangles).unwrap())
}

fn flat_terrain() -> Arc<HeightField> {
    Arc::new(HeightField::new(Grid::new(5, 5, [1.0, 1.0]), vec![0.0; 25]).unwrap())
}

#[test]
fn overlaps_of_needs_two_handles_in_any_order() {
    let mut world = World::new();
    let (mesh, everything) = (sheet(8), QueryFilter::new());
    let floor = world.add_at(Arc::clone(&mesh), DAffine3::IDENTITY).unwrap();
    let upright = DAffine3::from_rotation_x(core::f64::consts::FRAC_PI_2);
    let fence = world.add_at(mesh, upright).unwrap();
    let far = world.add(Sphere::new([0.0, 90.0, 0.0], 1.0).unwrap());
    for shift in [0.0, 0.5, 3.25, -20.0] {
        let moved = DAffine3::from_translation(DVec3::new(shift, 0.5, 2.5)) * upright;
        world.set_transform(fence, moved).unwrap();
        world.update();
        let all = world.now().overlaps(everything);
        assert_eq!(world.now().overlaps_of(floor, fence, everything), all);
        assert_eq!(world.now().overlaps_of(fence, floor, everything), all);
        assert_eq!(all.is_empty(), shift == -20.0);
    }
    assert!(world.now().overlaps_of(floor, far, everything).is_empty());
    assert!(world.now().overlaps_of(floor, floor, everything).is_empty());
    world.remove(far).unwrap();
    world.update();
    assert!(world.now().overlaps_of(far, fence, everything).is_empty());
}

/// How many answers name each object, in every query of a snapshot.
fn times_seen(now: &Snapshot, filter: QueryFilter<'_>, ids: &[ObjectId]) -> Vec<usize> {
    let mut seen = Vec::new();
    let down = |x: f32, z: f32| Ray::new([x, 9.0, z], [0.0, -1.0, 0.0]).unwrap();
    let rays = [down(1.5, 1.5), down(0.5, 0.5), down(2.5, 0.5)];
    seen.extend(
        rays.iter()
            .filter_map(|ray| now.cast_ray(ray, filter)?.object),
    );
    let all = now.cast_rays_all(&rays, filter);
    seen.extend(all.iter().flatten().filter_map(|hit| hit.object));
    let start = Aabb::new([1.0, 4.0, 1.0], [1.5, 4.5, 1.5]).unwrap();
    let cast = ShapeCast::new(start, [0.0, -8.0, 0.0]).unwrap();
    let hit = now.cast_shape(&cast, filter);
    seen.extend(hit.and_then(|hit| hit.object));
    let region = Aabb::new([-9.0; 3], [9.0; 3]).unwrap();
    seen.extend(now.objects_in(&region, filter));
    for pair in now.broad_phase_pairs(filter) {
        seen.extend([pair.a, pair.b]);
        for overlap in now.overlaps_of(pair.a, pair.b, filter) {
            seen.extend([overlap.a.object, overlap.b.object]);
        }
    }
    for overlap in now.overlaps(filter) {
        seen.extend([overlap.a.object, overlap.b.object]);
    }
    let motions: Vec<_> = ids.iter().map(|id| (*id, Vec3::X)).take(2).collect();
    for impact in now.impacts(&motions, filter).unwrap() {
        seen.extend([impact.a, impact.b]);
    }
    let grounds = [
        now.height([1.5, 1.5], filter),
        now.max_height([1.5, 1.5], 2.0, filter),
        now.mean_height([1.5, 1.5], 2.0, filter),
    ];
    seen.extend(grounds.iter().filter_map(|ground| ground.ok()?.object));
    seen.extend(now.height_fields(filter).map(|(id, _)| id));
    ids.iter()
        .map(|id| seen.iter().filter(|other| *other == id).count())
        .collect()
}

#[test]
fn every_query_takes_the_filter_and_none_sees_an_object_in_no_layer() {
    let mut world = World::new();
    let ids = [
        world.add(flat_terrain()),
        world.add_at(sheet(4), DAffine3::IDENTITY).unwrap(),
        world.add(Sphere::new([1.5, 0.0, 1.5], 1.0).unwrap()),
        world.add(Aabb::new([0.0, -1.0, 0.0], [1.0, 1.0, 1.0]).unwrap()),
    ];
    world.update();
    let everything = QueryFilter::new();
    let whole = times_seen(world.now(), everything, &ids);
    assert!(whole.iter().all(|count| *count > 3), "{whole:?}");
    for (place, hidden) in ids.into_iter().enumerate() {
        world.set_layers(hidden, 0).unwrap();
        world.update();
        let in_none = times_seen(world.now(), everything, &ids);
        assert_eq!(in_none[place], 0, "{in_none:?}");
        world.set_layers(hidden, 0b100).unwrap();
        world.update();
        let other_layer = times_seen(world.now(), everything.layers(0b1), &ids);
        assert_eq!(other_layer, in_none);
        assert_eq!(times_seen(world.now(), everything, &ids), whole);
        let excluded = times_seen(world.now(), everything.exclude(&[hidden]), &ids);
        assert_eq!(excluded, in_none);
        let is_other = |id| id != hidden;
        let by_predicate = everything.predicate(&is_other);
        assert_eq!(times_seen(world.now(), by_predicate, &ids), in_none);
        world.set_layers(hidden, 0b1).unwrap();
    }
}

#[test]
fn a_motion_must_be_finite_whatever_its_handle() {
    let mut world = World::new();
    let ball = world.add(Sphere::new([0.0; 3], 1.0).unwrap());
    let gone = world.add(Sphere::new([5.0, 0.0, 0.0], 1.0).unwrap());
    world.add(Sphere::new([4.0, 0.0, 0.0], 1.0).unwrap());
    world.update();
    world.remove(gone).unwrap();
    world.update();
    let impacts = |motion: Vec3| {
        let motions = [(ball, Vec3::X * 4.0), (gone, motion)];
        world.now().impacts(&motions, ())
    };
    assert_eq!(impacts(Vec3::X).unwrap().len(), 1);
    for bad in [f32::NAN, f32::INFINITY] {
        assert!(matches!(
            impacts(Vec3::new(0.0, bad, 0.0)),
            Err(Error::NotFinite { .. })
        ));
    }
}

#[test]
fn the_worlds_bounds_are_the_union_of_its_objects() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    for _ in 0..12 {
        let mut living = LivingWorld::new(&mut rng);
        living.world.keep_history(2);
        for tick in 0..12 {
            for _ in 0..rng.below(9) {
                living.add(&mut rng);
            }
            for _ in 0..rng.below(9) {
                living.change(&mut rng);
            }
            living.world.update();
            living.world.record(tick).unwrap();
            let mut snapshots = vec![living.world.now().clone()];
            #[expect(clippy::cast_precision_loss, reason = "few ticks")]
            snapshots.extend(living.world.at(tick as f64 - 0.4));
            for snapshot in snapshots {
                let boxes = snapshot
                    .objects()
                    .filter_map(|id| snapshot.object_bounds(id));
                let expected = boxes.reduce(|all, one| all.union(&one));
                assert_eq!(snapshot.bounds(), expected, "tick {tick}");
            }
        }
    }
}

#[test]
fn memory_is_given_back_when_objects_are_gone() {
    let mut world = World::new();
    let empty = world.memory_bytes();
    for round in 0..3 {
        let at = |i: u32| Vec3::new((i % 256) as f32, (i / 256) as f32, 0.0) * 2.0;
        let ids: Vec<_> = (0..65_537)
            .map(|i| world.add(Sphere::new(at(i), 0.5).unwrap()))
            .collect();
        world.update();
        assert_eq!(world.now().object_count(), ids.len());
        assert!(world.memory_bytes() > 4_000_000);
        for id in &ids {
            world.remove(*id).unwrap();
        }
        world.update();
        let left = world.memory_bytes() - empty;
        assert!(left < 20_000, "round {round}: {left} bytes are left");
        assert!(ids.iter().all(|id| world.now().kind(*id).is_none()));
        assert!(world.remove(ids[7]).is_err());
    }
    // Those that stay answer as before, and new ones take the places of others.
    let ids: Vec<_> = (0..2_000_u16)
        .map(|i| {
            let center = [f32::from(i), 0.0, 0.0];
            world.add(Sphere::new(center, 0.25).unwrap())
        })
        .collect();
    world.update();
    for id in &ids[40..] {
        world.remove(*id).unwrap();
    }
    world.update();
    let again = world.add(Sphere::new([100.0, 0.0, 0.0], 0.25).unwrap());
    world.update();
    let kept: Vec<_> = ids[..40].iter().copied().chain([again]).collect();
    assert_eq!(world.now().objects().collect::<Vec<_>>(), kept);
    for id in kept {
        let center = world.now().object_bounds(id).unwrap().max() - 0.25;
        let ray = Ray::new(center + 3.0 * Vec3::Y, [0.0, -1.0, 0.0]).unwrap();
        let hit = world.now().cast_ray(&ray, ());
        assert_eq!(hit.and_then(|hit| hit.object), Some(id));
    }
}

#[test]
fn objects_are_read_back_as_they_were_given() {
    let mut world = World::new();
    let (mesh, field) = (sheet(2), flat_terrain());
    let turned = DAffine3::from_rotation_translation(DQuat::from_rotation_z(0.3), DVec3::Y);
    let model_like = world.add_at(Arc::clone(&mesh), turned).unwrap();
    let ground = world.add(Arc::clone(&field));
    let ball: Primitive = Sphere::new([1.0, 2.0, 3.0], 0.5).unwrap().into();
    let solid = world.add(ball.clone());
    world.set_user_data(solid, u64::MAX - 5).unwrap();
    world.set_layers(solid, 0b110).unwrap();
    assert!(world.is_pending(solid) && world.now().user_data(solid).is_none());
    world.update();
    let now = world.now();
    assert_eq!(now.kind(model_like), Some(ObjectKind::TriMesh));
    assert_eq!(ObjectKind::TriMesh.name(), "model");
    assert!(
        matches!(now.shape(model_like), Some(ObjectShape::TriMesh(own)) if Arc::ptr_eq(&own, &mesh))
    );
    assert!(
        now.mesh(model_like)
            .is_some_and(|own| Arc::ptr_eq(&own, &mesh))
    );
    assert!(now.mesh(solid).is_none() && now.pose(model_like).is_none());
    assert_eq!(now.transform(model_like), Some(turned));
    assert!(
        matches!(now.shape(ground), Some(ObjectShape::HeightField(own)) if Arc::ptr_eq(&own, &field))
    );
    assert!(matches!(now.shape(solid), Some(ObjectShape::Primitive(own)) if own == ball));
    assert_eq!(
        (now.user_data(solid), now.layers(solid)),
        (Some(u64::MAX - 5), Some(0b110))
    );
    assert_eq!(now.user_data(ground), Some(0));
    // Changes of other kinds keep both.
    world
        .set_primitive(solid, Sphere::new([0.0; 3], 1.0).unwrap())
        .unwrap();
    world.update();
    let now = world.now();
    assert_eq!(
        (now.user_data(solid), now.layers(solid)),
        (Some(u64::MAX - 5), Some(0b110))
    );
    world.remove(solid).unwrap();
    world.update();
    let now = world.now();
    assert!(now.shape(solid).is_none() && now.transform(solid).is_none());
    assert!(now.user_data(solid).is_none() && now.layers(solid).is_none());
    assert!(world.set_user_data(solid, 1).is_err());
}

#[test]
fn solids_take_rotations_and_translations() {
    let mut world = World::new();
    let quarter = DQuat::from_rotation_z(core::f64::consts::FRAC_PI_2);
    let obb = Obb::new([1.0, 2.0, 3.0], [1.0, 2.0, 0.5], DQuat::IDENTITY).unwrap();
    let capsule = Capsule::new([0.0, -3.0, 0.0], [0.0, 3.0, 0.0], 0.5).unwrap();
    let ball = world.add(Sphere::new([0.0; 3], 2.0).unwrap());
    let crate_box = world.add(Aabb::new([0.0; 3], [1.0, 2.0, 3.0]).unwrap());
    let bar = world.add(obb);
    let pill = world.add(capsule);
    let ground = world.add(flat_terrain());
    world.update();
    // What is read back changes nothing where it is set again.
    for id in [ball, crate_box, bar, pill] {
        let before = (world.now().object_bounds(id), world.now().transform(id));
        world.set_transform(id, before.1.unwrap()).unwrap();
        world.update();
        let after = (world.now().object_bounds(id), world.now().transform(id));
        assert_eq!(after, before);
    }
    let place = DVec3::new(10.0, 20.0, 30.0);
    let moved = DAffine3::from_rotation_translation(quarter, place);
    for id in [ball, bar, pill] {
        world.set_transform(id, moved).unwrap();
    }
    world
        .set_transform(crate_box, DAffine3::from_translation(place))
        .unwrap();
    world.update();
    let size = |id| {
        let bounds = world.now().object_bounds(id).unwrap();
        let middle = (bounds.min() + bounds.max()) * 0.5;
        assert!(middle.abs_diff_eq(place.as_vec3(), 1e-5), "{middle}");
        bounds.max() - bounds.min()
    };
    assert!(size(ball).abs_diff_eq(Vec3::splat(4.0), 1e-5));
    assert!(size(crate_box).abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-5));
    assert!(size(bar).abs_diff_eq(Vec3::new(4.0, 2.0, 1.0), 1e-5));
    assert!(size(pill).abs_diff_eq(Vec3::new(7.0, 1.0, 1.0), 1e-5));
    // What is not meaningful is refused, and changes nothing.
    let refused =
        |world: &mut World, id, transform| world.set_transform(id, transform).unwrap_err();
    let wrong = |error| matches!(error, Error::WrongObject { .. });
    let bad = |error| matches!(error, Error::BadValue { .. });
    assert!(wrong(refused(&mut world, crate_box, moved)));
    assert!(wrong(refused(&mut world, ground, DAffine3::IDENTITY)));
    for scale in [
        DVec3::splat(2.0),
        DVec3::new(-1.0, 1.0, 1.0),
        DVec3::splat(f64::NAN),
    ] {
        for id in [ball, crate_box, bar, pill] {
            assert!(bad(refused(&mut world, id, DAffine3::from_scale(scale))));
        }
    }
    assert!(!world.is_pending(ball));
}

#[test]
fn a_kept_snapshot_answers_as_when_it_was_taken() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED + 1);
    let rays: Vec<Ray> = (0..300)
        .filter_map(|_| {
            let mut near =
                |span: f32| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-span, span)));
            let (from, toward) = (near(12.0), near(4.0));
            Ray::new(from, toward - from).ok()
        })
        .collect();
    let answers = |snapshot: &Snapshot| {
        let hits = snapshot.cast_rays(&rays, ());
        let pairs = snapshot.broad_phase_pairs(());
        format!("{hits:?} {pairs:?} {:?}", snapshot.bounds())
    };
    let mut living = LivingWorld::new(&mut rng);
    living.world.keep_history(3);
    let mut kept: Vec<(Snapshot, String)> = Vec::new();
    for tick in 0..40_u8 {
        for _ in 0..4 {
            living.add(&mut rng);
            living.change(&mut rng);
        }
        living.world.update();
        living.world.record(tick.into()).unwrap();
        let between = living.world.at(f64::from(tick) - 0.3);
        let snapshots = [Some(living.world.now().clone()), between];
        for snapshot in snapshots.into_iter().flatten() {
            kept.push((snapshot.clone(), answers(&snapshot)));
        }
    }
    // The world, and most of its history, are gone; another thread queries.
    drop(living);
    let hits = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            for (snapshot, expected) in &kept {
                assert_eq!(&answers(snapshot), expected);
            }
            kept.len()
        });
        reader.join().unwrap()
    });
    assert!(hits > 60);
}

#[test]
fn an_update_without_changes_leaves_what_is_shared() {
    let mut world = World::new();
    world.add(Sphere::new([0.0; 3], 1.0).unwrap());
    world.update();
    let kept = world.now().clone();
    let before = world.memory_bytes();
    world.update();
    assert_eq!(world.memory_bytes(), before);
    assert_eq!(kept.bounds(), world.now().bounds());
}
