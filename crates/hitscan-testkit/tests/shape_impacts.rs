//! Objects that all move at once and collide: every pair against a cast of one of the two alone, and balls and boxes
//! against arithmetic.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::glam::Vec3;
use hitscan::{
    Aabb, ConvexHull, Cylinder, ObjectCast, ObjectId, ObjectImpact, QueryFilter, Snapshot, Sphere,
    StartState,
};
use hitscan_testkit::Rng;
use hitscan_testkit::explained_world::{whole, whole_point, world};

const SEED: u64 = 0x001A_9AC7;

/// The motion that counts of an object.
fn motion(motions: &[(ObjectId, Vec3)], id: ObjectId) -> Vec3 {
    let mut of_it = motions.iter().rev().filter(|(object, _)| *object == id);
    of_it.next().map_or(Vec3::ZERO, |(_, motion)| *motion)
}

/// The impact of two objects by a cast of the lower one alone, or of the other where it is terrain.
fn expected(
    snapshot: &Snapshot,
    [a, b]: [ObjectId; 2],
    [own, its]: [Vec3; 2],
) -> Option<ObjectImpact> {
    let find = |mover: ObjectId, by: Vec3, obstacle: ObjectId| {
        let cast = ObjectCast::new(mover, by).unwrap();
        let hits = snapshot.cast_object_all(&cast, QueryFilter::new());
        hits.into_iter().find(|hit| hit.object == Some(obstacle))
    };
    let is_swapped = snapshot.height_field(a).is_some();
    let (hit, obstacle) = match is_swapped {
        true => (find(b, its - own, a)?, own),
        false => (find(a, own - its, b)?, its),
    };
    let point = hit.point.as_dvec3() + obstacle.as_dvec3() * f64::from(hit.t);
    let (normal, triangles) = match is_swapped {
        true => (Vec3::ZERO - hit.normal, [hit.triangle, hit.mover_triangle]),
        false => (hit.normal, [hit.mover_triangle, hit.triangle]),
    };
    Some(ObjectImpact {
        a,
        b,
        t: hit.t,
        normal,
        point: point.as_vec3(),
        start: hit.start,
        triangles,
    })
}

#[test]
fn every_pair_collides_as_one_of_the_two_hits_the_other() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let (mut hits, mut overlaps, mut of_terrain) = (0, 0, 0);
    for _ in 0..60 {
        let mut world = world(&mut rng);
        let place = |rng: &mut Rng| whole_point(rng, 6) * 0.5;
        world.add(Sphere::new(place(&mut rng), 0.5).unwrap());
        let foot = place(&mut rng);
        world.add(Cylinder::new(foot, foot + Vec3::Y, 0.5).unwrap());
        let corners: Vec<Vec3> = (0..6).map(|_| place(&mut rng)).collect();
        world.add(ConvexHull::new(corners).unwrap());
        world.update();
        let snapshot = world.now();
        let ids: Vec<ObjectId> = snapshot.objects().collect();
        // The last of two motions counts, and some rest.
        let motions: Vec<(ObjectId, Vec3)> = (0..ids.len() + 2)
            .map(|i| {
                (
                    ids[i % ids.len()],
                    whole_point(&mut rng, 4) * whole(&mut rng, 1),
                )
            })
            .collect();
        let found = snapshot.shape_impacts(&motions, ()).unwrap();
        let mut all = Vec::new();
        for (i, a) in ids.iter().enumerate() {
            for b in &ids[i + 1..] {
                let moved = [motion(&motions, *a), motion(&motions, *b)];
                if moved != [Vec3::ZERO; 2] {
                    all.extend(expected(snapshot, [*a, *b], moved));
                }
            }
        }
        all.sort_by(|x, y| x.t.total_cmp(&y.t).then((x.a, x.b).cmp(&(y.a, y.b))));
        assert_eq!(found.len(), all.len());
        for (found, expected) in found.iter().zip(&all) {
            // Of several points they share any is right: faces that meet give others to a solid that moves.
            let is_one_solid = found.triangles.contains(&None);
            let point = if is_one_solid {
                found.point
            } else {
                expected.point
            };
            assert_eq!(*found, ObjectImpact { point, ..*expected });
            assert_eq!(found.t.to_bits(), expected.t.to_bits());
            hits += usize::from(found.t > 0.0);
            overlaps += usize::from(matches!(found.start, StartState::Overlap { .. }));
            of_terrain += usize::from(snapshot.height_field(found.a).is_some());
        }
    }
    println!("{hits} hits, {overlaps} overlaps, {of_terrain} with terrain");
    assert!(hits > 150 && overlaps > 300 && of_terrain > 150);
}

#[test]
fn what_moves_alike_never_meets_and_what_rests_is_left_out() {
    let mut world = hitscan::World::new();
    let ball = world.add(Sphere::new([0.0; 3], 1.0).unwrap());
    let crate_ = world.add(Aabb::new([2.0, -1.0, -1.0], [3.0, 1.0, 1.0]).unwrap());
    let post = world.add(Cylinder::new([8.0, -1.0, 0.0], [8.0, 1.0, 0.0], 0.5).unwrap());
    let other = world.add(Sphere::new([8.25, 0.0, 0.0], 0.5).unwrap());
    world.update();
    let impacts = |motions: &[(ObjectId, Vec3)]| {
        let found = world.now().shape_impacts(motions, ()).unwrap();
        let named = found.iter().map(|impact| (impact.a, impact.b, impact.t));
        named.collect::<Vec<_>>()
    };
    assert_eq!(impacts(&[]), []);
    let together = Vec3::X * 3.0;
    // Neither hits the other, and the crate comes up to what rests.
    assert_eq!(impacts(&[(ball, together), (crate_, together)]), []);
    let faster = Vec3::X * 9.0;
    let found = impacts(&[(ball, faster), (crate_, faster)]);
    assert_eq!(found[0], (crate_, post, 0.5));
    // The ball of radius 0.5 about 8.25 begins at 7.75.
    assert_eq!(found[1], (crate_, other, 4.75 / 9.0));
    // The ball hits the post at 8 - 0.5 - 1.
    assert_eq!(found[2], (ball, post, 6.5 / 9.0));
    let infinite = [(ball, Vec3::splat(f32::INFINITY))];
    assert!(world.now().shape_impacts(&infinite, ()).is_err());
    let posts = [post];
    let without = QueryFilter::new().exclude(&posts);
    let found = world
        .now()
        .shape_impacts(&[(ball, faster), (crate_, faster)], without);
    assert!(found.unwrap().iter().all(|impact| impact.b != post));
}
