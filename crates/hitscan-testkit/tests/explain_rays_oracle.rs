//! Explanations of rays, arcs and closest points against brute force over all objects and triangles.
//!
//! Worlds have small whole coordinates, so that rays are decided here in whole numbers and quotients of
//! them. Arcs and closest points are compared with each triangle and object queried by itself.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use glam::{DVec3, Vec3};
use hitscan::Interior;
use hitscan::explain::{Answer, Candidate, Hits, Question, Verdict};
use hitscan::world::ObjectShape;
use hitscan::{
    Aabb, BallisticArc, HeightField, ObjectId, Primitive, QueryFilter, Ray, RayCastSettings, Side,
    Sides, Snapshot, TriangleId,
};
use hitscan_testkit::explained_world::{
    check_form, filter_of, filtered_by, single, solid, triangles, whole, whole_point, world,
};
use hitscan_testkit::{Rng, has_usual_numbers};
use std::collections::BTreeMap;

const SEED: u64 = 0x0E8B_0001;

/// A triangle or a solid.
type Key = (ObjectId, Option<TriangleId>);

#[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
fn rounded(t: f64) -> f32 {
    t as f32 + 0.0
}

/// The t at which the ray's line hits a triangle, and the side. All products are whole and small.
fn hit_triangle(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Option<(f64, Side)> {
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let normal = (b - a).cross(c - a);
    let speed = normal.dot(direction);
    if speed == 0.0 {
        return None;
    }
    let edge = |p: DVec3, q: DVec3| direction.dot((p - origin).cross(q - origin)) * speed;
    let edges = [edge(a, b), edge(b, c), edge(c, a)];
    let is_hit = edges.iter().all(|&e| e >= 0.0) || edges.iter().all(|&e| e <= 0.0);
    let side = if speed < 0.0 { Side::Front } else { Side::Back };
    is_hit.then(|| (normal.dot(a - origin) / speed, side))
}

/// The t between which linear functions `a + b t`, whole numbers, are not negative.
fn within(functions: &[(f64, f64)], [mut from, mut to]: [f64; 2]) -> Option<[f64; 2]> {
    for &(a, b) in functions {
        if b > 0.0 {
            from = from.max(-a / b);
        } else if b < 0.0 {
            to = to.min(-a / b);
        } else if a < 0.0 {
            return None;
        }
    }
    (from <= to).then_some([from, to])
}

/// When the ray's line enters and leaves a box.
fn through_box(ray: &Ray, bounds: &Aabb) -> Option<[f64; 2]> {
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
    let sides = (0..3).flat_map(|k| {
        [
            (origin[k] - min[k], direction[k]),
            (max[k] - origin[k], -direction[k]),
        ]
    });
    let sides: Vec<(f64, f64)> = sides.collect();
    within(&sides, [f64::NEG_INFINITY, f64::INFINITY])
}

/// The holes over which a ray passes, and when.
fn holes(ray: &Ray, field: &HeightField) -> Vec<(f64, u32)> {
    let Some(bounds) = field.bounds() else {
        return Vec::new();
    };
    let flat = HeightField::new(*field.grid(), vec![0.0; field.samples().len()]).unwrap();
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let range = [f64::from(ray.t_min()), f64::from(ray.t_max())];
    let mut found = Vec::new();
    for triangle in 0..u32::try_from(field.triangle_count()).unwrap() {
        if field.triangle(triangle).is_some() {
            continue;
        }
        let corners = flat.triangle(triangle).unwrap();
        let mut limits = vec![
            (origin.y - f64::from(bounds.min().y), direction.y),
            (f64::from(bounds.max().y) - origin.y, -direction.y),
        ];
        for k in 0..3 {
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            let area = |v: DVec3| (q.z - p.z) * v.x - (q.x - p.x) * v.z;
            limits.push((area(origin - p), area(direction)));
        }
        if let Some([from, _]) = within(&limits, range) {
            found.push((from, triangle));
        }
    }
    found
}

/// Candidates that a ray should have, each with what is known of its verdict: `None` where it counts.
fn expected_of_ray(
    snapshot: &Snapshot,
    ray: &Ray,
    sides: Sides,
    object: ObjectId,
) -> BTreeMap<Key, (f32, Option<Verdict>)> {
    let range = f64::from(ray.t_min())..=f64::from(ray.t_max());
    let mut expected = BTreeMap::new();
    for (id, corners) in triangles(snapshot, object) {
        if let Some((t, side)) = hit_triangle(ray, corners) {
            let refusal = if !range.contains(&t) {
                Some(Verdict::OutOfRange)
            } else if !sides.admits(side) {
                Some(Verdict::WrongSide)
            } else {
                None
            };
            expected.insert((object, Some(id)), (rounded(t), refusal));
        }
    }
    if let Some(ObjectShape::HeightField(field)) = snapshot.shape(object) {
        for (t, triangle) in holes(ray, &field) {
            let id = TriangleId { part: 0, triangle };
            expected.insert((object, Some(id)), (rounded(t), Some(Verdict::Hole)));
        }
    }
    expected
}

#[test]
fn rays_meet_what_brute_force_meets() {
    let mut rng = Rng::new(SEED);
    let mut counts = BTreeMap::new();
    for _ in 0..25 {
        let world = world(&mut rng);
        let snapshot = world.now();
        for _ in 0..24 {
            let direction = whole_point(&mut rng, 3);
            let Ok(ray) = Ray::new(whole_point(&mut rng, 6), direction) else {
                continue;
            };
            let from = whole(&mut rng, 2);
            let t_max = if rng.one_in(3) {
                from + 3.0
            } else {
                f32::INFINITY
            };
            let ray = ray.with_range(from, t_max).unwrap();
            let sides = [Sides::Both, Sides::Both, Sides::Front, Sides::Back][rng.below(4)];
            let settings = RayCastSettings::from(sides);
            let chosen = filter_of(&mut rng, snapshot);
            let filter = QueryFilter::new().layers(chosen.0).exclude(&chosen.1);
            for hits in [Hits::Nearest, Hits::All] {
                let question = Question::Ray {
                    ray,
                    settings,
                    hits,
                };
                let explanation = snapshot.explain(&question, filter);
                let plain = match hits {
                    Hits::Nearest => snapshot
                        .cast_ray(&ray, (sides, filter))
                        .into_iter()
                        .collect(),
                    Hits::All => snapshot.cast_ray_all(&ray, (sides, filter)),
                };
                assert_eq!(explanation.answer, Answer::Ray(plain.clone()));
                let refused = |object| filtered_by(snapshot, &chosen, object);
                check_form(snapshot, &explanation, &refused, &mut counts);
                let is_answer = |key: &Key| {
                    plain
                        .iter()
                        .any(|hit| (hit.object.unwrap(), hit.triangle) == *key)
                };
                for object in snapshot.objects().filter(|one| refused(*one).is_none()) {
                    let own: Vec<&Candidate> = explanation
                        .candidates
                        .iter()
                        .filter(|one| one.object == object)
                        .collect();
                    if let Some(solid) = solid(snapshot, object) {
                        check_solid(&own, &solid, &ray, is_answer(&(object, None)));
                        continue;
                    }
                    let expected = expected_of_ray(snapshot, &ray, sides, object);
                    if expected.is_empty() {
                        let bounds = snapshot.object_bounds(object);
                        let is_met = bounds.is_some_and(|own| through_box(&ray, &own).is_some());
                        let verdict = if is_met {
                            Verdict::Missed
                        } else {
                            Verdict::BoxMissed
                        };
                        assert_eq!(own[0].verdict, verdict, "{ray:?}");
                        continue;
                    }
                    assert_eq!(own.len(), expected.len(), "{ray:?} {own:?}");
                    for one in own {
                        let key = (object, one.triangle);
                        let (t, refusal) = expected[&key];
                        assert_eq!(one.t, Some(t), "{ray:?} {one:?}");
                        let verdict = refusal.unwrap_or_else(|| {
                            if is_answer(&key) {
                                Verdict::Answer
                            } else if plain.iter().any(|hit| hit.t == t) {
                                Verdict::Tie
                            } else {
                                Verdict::Farther
                            }
                        });
                        assert_eq!(one.verdict, verdict, "{ray:?} {one:?}");
                    }
                }
            }
        }
    }
    for verdict in [
        "answer",
        "farther",
        "tie",
        "out_of_range",
        "wrong_side",
        "hole",
        "missed",
        "box_missed",
        "filtered",
    ] {
        assert!(counts[verdict] > 20, "{counts:?}");
    }
}

/// A box's one candidate.
fn check_solid(own: &[&Candidate], solid: &Primitive, ray: &Ray, is_answer: bool) {
    let [one] = own else { panic!("{own:?}") };
    let Some([enter, leave]) = through_box(ray, &solid.bounds()) else {
        assert_eq!(one.verdict, Verdict::BoxMissed);
        return;
    };
    let range = [f64::from(ray.t_min()), f64::from(ray.t_max())];
    let t = one.t.unwrap();
    if is_answer {
        assert_eq!(one.verdict, Verdict::Answer);
    } else if enter > range[1] {
        assert_eq!((one.verdict, t), (Verdict::OutOfRange, rounded(enter)));
    } else if leave < range[0] {
        assert_eq!((one.verdict, t), (Verdict::OutOfRange, rounded(leave)));
    } else {
        let others = [
            Verdict::Farther,
            Verdict::Tie,
            Verdict::WrongSide,
            Verdict::OutOfRange,
        ];
        assert!(others.contains(&one.verdict), "{ray:?} {one:?}");
    }
}

#[test]
fn arcs_meet_what_each_triangle_meets() {
    let mut rng = Rng::new(SEED + 3);
    let mut counts = BTreeMap::new();
    for _ in 0..12 {
        let world = world(&mut rng);
        let snapshot = world.now();
        for _ in 0..20 {
            let gravity = [Vec3::NEG_Y * 2.0, Vec3::new(1.0, -2.0, 0.0)][rng.below(2)];
            let arc =
                BallisticArc::new(whole_point(&mut rng, 5), whole_point(&mut rng, 4), gravity);
            let t_max = if rng.one_in(3) { 1.0 } else { f32::INFINITY };
            let arc = arc.unwrap().with_range(0.0, t_max).unwrap();
            let whole = arc.with_range(f32::MIN, f32::MAX).unwrap();
            let sides = [Sides::Both, Sides::Front, Sides::Back][rng.below(3)];
            let question = Question::Arc {
                arc,
                settings: sides.into(),
            };
            let explanation = snapshot.explain(&question, ());
            let plain = snapshot.cast_arc(&arc, sides);
            assert_eq!(explanation.answer, Answer::Arc(plain));
            check_form(snapshot, &explanation, &|_| None, &mut counts);
            for object in snapshot.objects() {
                let own = explanation
                    .candidates
                    .iter()
                    .filter(|one| one.object == object);
                for (id, corners) in triangles(snapshot, object) {
                    let Some(triangle) = single(corners) else {
                        continue;
                    };
                    let one = own.clone().find(|one| one.triangle == Some(id));
                    let is_met = triangle.cast_arc(&whole, ()).is_some();
                    assert_eq!(one.is_some(), is_met, "{arc:?} {corners:?}");
                    let Some(one) = one else { continue };
                    let counted = triangle.cast_arc(&arc, sides);
                    let in_range = triangle.cast_arc(&arc, ());
                    match one.verdict {
                        Verdict::OutOfRange => assert_eq!(in_range, None),
                        Verdict::WrongSide => {
                            assert_eq!((counted, in_range.map(|hit| hit.t)), (None, one.t));
                        }
                        _ => assert_eq!(counted.map(|hit| hit.t), one.t),
                    }
                }
            }
        }
    }
    for verdict in [
        "answer",
        "farther",
        "out_of_range",
        "wrong_side",
        "hole",
        "missed",
        "box_missed",
    ] {
        let is_seen = counts.contains_key(verdict) || !has_usual_numbers();
        assert!(is_seen, "{verdict}: {counts:?}");
    }
}

#[test]
fn closest_points_are_those_of_each_object() {
    let mut rng = Rng::new(SEED + 4);
    let mut counts = BTreeMap::new();
    for _ in 0..6 {
        let world = world(&mut rng);
        let snapshot = world.now();
        for _ in 0..20 {
            let point = whole_point(&mut rng, 6);
            let max_distance = [0.5, 2.0, f32::INFINITY][rng.below(3)];
            let question = Question::ClosestPoint {
                point,
                max_distance,
                interior: Interior::Solids,
            };
            let explanation = snapshot.explain(&question, ());
            let plain = snapshot.closest_point(point, max_distance, ());
            assert_eq!(explanation.answer, Answer::Closest(plain));
            check_form(snapshot, &explanation, &|_| None, &mut counts);
            for object in snapshot.objects() {
                let only = |other: ObjectId| other == object;
                let alone = QueryFilter::new().predicate(&only);
                let nearest = snapshot.closest_point(point, f32::INFINITY, alone);
                let near = snapshot.closest_point(point, max_distance, alone);
                let mut own = explanation
                    .candidates
                    .iter()
                    .filter(|one| one.object == object);
                let one = own.next().unwrap();
                assert_eq!(own.next(), None);
                assert_eq!(one.t, nearest.map(|nearest| nearest.distance));
                let is_answer = plain.is_some_and(|nearest| nearest.object == Some(object));
                assert_eq!(one.verdict == Verdict::Answer, is_answer);
                let is_beyond = nearest.is_some() && near.is_none();
                assert_eq!(one.verdict == Verdict::OutOfRange, is_beyond, "{one:?}");
            }
        }
    }
    for verdict in ["answer", "farther", "tie", "out_of_range"] {
        let is_seen = counts.contains_key(verdict) || !has_usual_numbers();
        assert!(is_seen, "{verdict}: {counts:?}");
    }
}
