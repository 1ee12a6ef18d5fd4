//! Explanations of moving and resting shapes against each triangle and solid queried by itself.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use glam::Vec3;
use hitscan::explain::{Answer, Candidate, Explanation, Hits, Question, Verdict};
use hitscan::shape_cast::InitialOverlap;
use hitscan::{
    Aabb, Capsule, ContactStatus, ContactsPer, Obb, ObjectId, Primitive, QueryFilter, ShapeCast,
    Sides, Sphere, TriangleId, World,
};
use hitscan_testkit::Rng;
use hitscan_testkit::explained_world::{
    check_form, filter_of, filtered_by, single, solid, triangles, whole_point, world,
};
use std::collections::{BTreeMap, BTreeSet};

const SEED: u64 = 0x0E8B_0002;

/// A triangle or a solid.
type Key = (ObjectId, Option<TriangleId>);

/// A shape of any kind around a whole point.
fn shape(rng: &mut Rng) -> Primitive {
    let at = whole_point(rng, 5);
    match rng.below(4) {
        0 => Aabb::new(at, at + 1.0).unwrap().into(),
        1 => Obb::new(
            at,
            [1.0, 0.5, 0.25],
            glam::DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8),
        )
        .unwrap()
        .into(),
        2 => Sphere::new(at, 1.0).unwrap().into(),
        _ => Capsule::new(at, at + Vec3::Y, 0.5).unwrap().into(),
    }
}

#[test]
fn moves_meet_what_each_triangle_meets() {
    let mut rng = Rng::new(SEED + 1);
    let mut counts = BTreeMap::new();
    for _ in 0..12 {
        let world = world(&mut rng);
        let snapshot = world.now();
        for _ in 0..16 {
            let overlaps = [InitialOverlap::Stop, InitialOverlap::Escape][rng.below(2)];
            let sides = [Sides::Both, Sides::Both, Sides::Front, Sides::Back][rng.below(4)];
            let motion = whole_point(&mut rng, 4);
            let cast = ShapeCast::new(shape(&mut rng), motion).unwrap();
            let stopping = cast.clone().with_initial_overlap(InitialOverlap::Stop);
            let cast = cast.with_initial_overlap(overlaps);
            let chosen = filter_of(&mut rng, snapshot);
            let filter = QueryFilter::new().layers(chosen.0).exclude(&chosen.1);
            for hits in [Hits::Nearest, Hits::All] {
                let question = Question::ShapeCast {
                    cast: cast.clone(),
                    sides,
                    hits,
                };
                let explanation = snapshot.explain(&question, filter);
                let plain = match hits {
                    Hits::Nearest => snapshot
                        .cast_shape(&cast, (sides, filter))
                        .into_iter()
                        .collect(),
                    Hits::All => snapshot.cast_shape_all(&cast, (sides, filter)),
                };
                assert_eq!(explanation.answer, Answer::Shape(plain.clone()));
                let refused = |object| filtered_by(snapshot, &chosen, object);
                check_form(snapshot, &explanation, &refused, &mut counts);
                let answers = explanation.candidates.iter();
                let answers = answers.filter(|one| one.verdict == Verdict::Answer);
                let mut answers: Vec<Key> = answers.map(|one| (one.object, one.triangle)).collect();
                answers.sort();
                let mut found: Vec<Key> = plain
                    .iter()
                    .map(|hit| (hit.object.unwrap(), hit.triangle))
                    .collect();
                found.sort();
                assert_eq!(answers, found, "{cast:?} {sides:?}");
                for object in snapshot.objects().filter(|one| refused(*one).is_none()) {
                    let all = triangles(snapshot, object);
                    let met = all.iter().filter_map(|(id, corners)| {
                        let triangle = single(*corners)?;
                        let hit = triangle.cast_shape(&stopping, ())?;
                        Some((Some(*id), hit.t))
                    });
                    let mut expected: BTreeMap<Option<TriangleId>, f32> = met.collect();
                    if let Some(solid) = solid(snapshot, object) {
                        let hit = solid.cast_shape(&stopping, ());
                        expected.extend(hit.map(|hit| (None, hit.t)));
                    }
                    let own = explanation.candidates.iter().filter(|one| {
                        one.object == object
                            && one.t.is_some()
                            && (one.verdict != Verdict::Separating
                                || expected.contains_key(&one.triangle))
                    });
                    let own: BTreeMap<Option<TriangleId>, f32> =
                        own.map(|one| (one.triangle, one.t.unwrap())).collect();
                    assert_eq!(own, expected, "{cast:?}");
                    check_verdicts(&explanation, &plain_times(&plain, hits, object), object);
                }
            }
        }
    }
    for verdict in [
        "answer",
        "farther",
        "tie",
        "wrong_side",
        "parts",
        "left_out",
        "missed",
        "box_missed",
        "filtered",
    ] {
        assert!(counts.contains_key(verdict), "{verdict}: {counts:?}");
    }
}

/// The times of the answers that go before what counts of an object.
fn plain_times(plain: &[hitscan::ShapeHit], hits: Hits, object: ObjectId) -> Vec<f32> {
    let before = plain
        .iter()
        .filter(|hit| hits == Hits::Nearest || hit.object == Some(object));
    before.map(|hit| hit.t).collect()
}

fn check_verdicts(explanation: &Explanation, answers: &[f32], object: ObjectId) {
    for one in explanation
        .candidates
        .iter()
        .filter(|one| one.object == object)
    {
        match one.verdict {
            Verdict::Tie => assert!(answers.contains(&one.t.unwrap()), "{one:?} {answers:?}"),
            Verdict::Farther => {
                assert!(
                    answers.iter().any(|t| *t < one.t.unwrap()),
                    "{one:?} {answers:?}"
                );
            }
            _ => {}
        }
    }
}

#[test]
fn contacts_are_those_of_each_triangle() {
    let mut rng = Rng::new(SEED + 2);
    let (mut counts, mut left_out) = (BTreeMap::new(), 0);
    for _ in 0..6 {
        let world = world(&mut rng);
        let snapshot = world.now();
        for _ in 0..12 {
            let shape = shape(&mut rng);
            let margin = [0.0, 1.0, 3.0][rng.below(3)];
            let each = [ContactsPer::Object, ContactsPer::Triangle][rng.below(2)];
            let question = Question::Contacts {
                shape: shape.clone(),
                margin,
                each,
            };
            let explanation = snapshot.explain(&question, ());
            let plain = snapshot.contacts(&shape, margin, each, ());
            assert_eq!(explanation.answer, Answer::Contacts(plain.clone()));
            check_form(snapshot, &explanation, &|_| None, &mut counts);
            for object in snapshot.objects() {
                let all = triangles(snapshot, object);
                let contacts = |margin| {
                    let with = all.iter().filter_map(|(id, corners)| {
                        let found =
                            single(*corners)?.contacts(shape.clone(), margin, ContactsPer::Object);
                        Some((Some(*id), *found.first()?))
                    });
                    let mut with: BTreeMap<_, _> = with.collect();
                    if let Some(solid) = solid(snapshot, object) {
                        let found = solid.contacts(&shape, margin, ContactsPer::Object);
                        with.extend(found.first().map(|contact| (None, *contact)));
                    }
                    with
                };
                let (everything, near) = (contacts(f32::MAX), contacts(margin));
                let own = explanation.candidates.iter();
                let own: Vec<&Candidate> = own
                    .filter(|one| one.object == object && one.t.is_some())
                    .collect();
                // All within the margin, and of the others the eight nearest.
                let mut beyond: Vec<_> = everything
                    .iter()
                    .filter(|(triangle, _)| !near.contains_key(*triangle))
                    .map(|(triangle, contact)| (contact.separation, *triangle))
                    .collect();
                beyond.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                beyond.truncate(8);
                left_out += everything.len() - near.len() - beyond.len();
                let named = near.keys().copied().chain(beyond.iter().map(|one| one.1));
                let named: BTreeSet<_> = named.collect();
                assert_eq!(own.len(), named.len());
                assert!(own.iter().all(|one| named.contains(&one.triangle)));
                for one in own {
                    assert_eq!(one.t, Some(everything[&one.triangle].separation));
                    let is_near = near.contains_key(&one.triangle);
                    assert_eq!(is_near, one.verdict != Verdict::OutOfRange, "{one:?}");
                    let is_answer = plain
                        .iter()
                        .any(|own| (own.object, own.triangle) == (Some(object), one.triangle));
                    assert_eq!(is_answer, one.verdict == Verdict::Answer, "{one:?}");
                }
            }
        }
    }
    assert!(left_out > 100, "{left_out}");
    for verdict in ["answer", "farther", "left_out", "out_of_range"] {
        assert!(counts.contains_key(verdict), "{verdict}: {counts:?}");
    }
}

#[test]
fn what_only_touches_parts() {
    let mut world = World::new();
    let floor = world.add(Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]).unwrap());
    world.update();
    let ball = Sphere::new([0.0, 1.0, 0.0], 1.0).unwrap();
    let contacts = world.now().contacts(ball, 0.0, ContactsPer::Object, ());
    assert_eq!(contacts[0].status, ContactStatus::Touching);
    for motion in [[0.0, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0; 3]] {
        let question = Question::ShapeCast {
            cast: ShapeCast::new(ball, motion).unwrap(),
            sides: Sides::Both,
            hits: Hits::Nearest,
        };
        let explanation = world.now().explain(&question, ());
        let only = &explanation.candidates[0];
        assert_eq!(
            (only.object, only.t, only.verdict),
            (floor, Some(0.0), Verdict::Separating)
        );
    }
}
