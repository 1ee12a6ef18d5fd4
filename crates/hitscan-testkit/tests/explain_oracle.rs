//! Explanations against brute force over all objects and triangles.
//!
//! Worlds have small whole coordinates, so that rays are decided here in whole numbers and quotients of
//! them. Moves and contacts are compared with each triangle and solid asked by itself.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use glam::{DAffine3, DVec3, Vec3};
use hitscan::height_field::Grid;
use hitscan::shape_cast::Overlaps;
use hitscan::world::{
    Answer, Candidate, Explanation, Hits, Interior, ObjectShape, Question, Verdict,
};
use hitscan::{
    Aabb, BallisticArc, Capsule, ContactStatus, Each, FilteredBy, HeightField, Obb, ObjectId,
    Primitive, QueryFilter, Ray, RayCastSettings, ShapeCast, Side, Sides, Snapshot, Sphere,
    TriMesh, Triangle, TriangleId, World,
};
use hitscan_testkit::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

const SEED: u64 = 0x0E8B_0001;

/// What was met of what, and when: object, triangle, t.
type Key = (ObjectId, Option<TriangleId>);

fn whole(rng: &mut Rng, reach: i8) -> f32 {
    let span = usize::try_from(2 * i32::from(reach) + 1).unwrap();
    let steps = u8::try_from(rng.below(span)).unwrap();
    f32::from(steps) - f32::from(reach)
}

fn whole_point(rng: &mut Rng, reach: i8) -> Vec3 {
    Vec3::from_array([0; 3].map(|_: u8| whole(rng, reach)))
}

/// Terrain with holes, two sheets of triangles, and boxes, in layers 1 and 2.
fn world(rng: &mut Rng) -> World {
    let mut world = World::new();
    let heights = (0..36).map(|_| {
        if rng.one_in(5) {
            f32::NAN
        } else {
            whole(rng, 2) - 3.0
        }
    });
    let heights: Vec<f32> = heights.collect();
    let grid = Grid {
        origin: [-5.0, 0.0, -5.0],
        ..Grid::new(6, 6, [2.0, 2.0])
    };
    let mut objects =
        vec![world.add_height_field(Arc::new(HeightField::new(grid, heights).unwrap()))];
    for _ in 0..2 {
        let positions: Vec<Vec3> = (0..7).map(|_| whole_point(rng, 5)).collect();
        let corners = |rng: &mut Rng| [0; 3].map(|_: u8| u32::try_from(rng.below(7)).unwrap());
        let triangles = (0..8).map(|_| corners(rng)).collect();
        let mesh = Arc::new(TriMesh::new(positions, triangles).unwrap());
        objects.push(world.add_mesh(mesh, DAffine3::IDENTITY).unwrap());
    }
    for _ in 0..3 {
        let min = whole_point(rng, 5);
        let size = whole_point(rng, 1) + 1.0;
        objects.push(world.add_aabb(Aabb::new(min, min + size).unwrap()));
    }
    for object in objects {
        if rng.one_in(4) {
            world.set_layers(object, 0b10).unwrap();
        }
    }
    world.update();
    world
}

/// The triangles of an object; none of a solid.
fn triangles(snapshot: &Snapshot, object: ObjectId) -> Vec<(TriangleId, [DVec3; 3])> {
    let id = |triangle: usize| TriangleId {
        part: 0,
        triangle: u32::try_from(triangle).unwrap(),
    };
    match snapshot.shape(object).unwrap() {
        ObjectShape::HeightField(field) => (0..field.triangle_count())
            .filter_map(|triangle| Some((id(triangle), field.triangle(id(triangle).triangle)?)))
            .collect(),
        ObjectShape::TriMesh(mesh) => {
            let corners = |corner: &u32| mesh.positions()[*corner as usize].as_dvec3();
            let all = mesh.triangles().iter().enumerate();
            all.map(|(triangle, own)| (id(triangle), [0, 1, 2].map(|k: usize| corners(&own[k]))))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn solid(snapshot: &Snapshot, object: ObjectId) -> Option<Primitive> {
    match snapshot.shape(object)? {
        ObjectShape::Primitive(solid) => Some(solid),
        _ => None,
    }
}

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

/// What is always so: the order, objects that are filtered, and objects that are not met.
fn check_form(
    snapshot: &Snapshot,
    explanation: &Explanation,
    filter: &dyn Fn(ObjectId) -> Option<FilteredBy>,
    counts: &mut BTreeMap<&'static str, usize>,
) {
    let candidates = &explanation.candidates;
    for candidate in candidates {
        *counts.entry(candidate.verdict.name()).or_default() += 1;
    }
    let (met, unmet): (Vec<&Candidate>, Vec<&Candidate>) =
        candidates.iter().partition(|one| one.t.is_some());
    assert!(
        candidates[..met.len()].iter().all(|one| one.t.is_some()),
        "met ones are first"
    );
    let key = |one: &&Candidate| (one.t.unwrap(), one.object, one.triangle);
    assert!(met.is_sorted_by(|a, b| key(a).partial_cmp(&key(b)).unwrap().is_le()));
    assert!(unmet.is_sorted_by_key(|one| one.object));
    for object in snapshot.objects() {
        let of_object = met.iter().filter(|one| one.object == object).count();
        let alone: Vec<_> = unmet.iter().filter(|one| one.object == object).collect();
        assert_eq!(alone.len(), usize::from(of_object == 0), "{object:?}");
        if let Some(reason) = filter(object) {
            assert_eq!(alone[0].verdict, Verdict::Filtered(reason));
            assert_eq!(alone[0].why, reason.name());
        }
    }
}

/// The layers that are seen, and the object that is excluded.
fn filter_of(rng: &mut Rng, snapshot: &Snapshot) -> (u32, Vec<ObjectId>) {
    let layers = if rng.one_in(3) { 0b01 } else { u32::MAX };
    let excluded = if rng.one_in(3) {
        snapshot.objects().nth(rng.below(6)).into_iter().collect()
    } else {
        Vec::new()
    };
    (layers, excluded)
}

fn filtered_by(
    snapshot: &Snapshot,
    (layers, excluded): &(u32, Vec<ObjectId>),
    object: ObjectId,
) -> Option<FilteredBy> {
    if snapshot.layers(object).unwrap() & layers == 0 {
        return Some(FilteredBy::Layers);
    }
    excluded.contains(&object).then_some(FilteredBy::Ignored)
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
                    Hits::Nearest => snapshot.cast_ray(&ray, sides, filter).into_iter().collect(),
                    Hits::All => snapshot.cast_ray_all(&ray, sides, filter),
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

fn single(corners: [DVec3; 3]) -> Option<Triangle> {
    let [a, b, c] = corners.map(|corner| corner.as_vec3());
    Triangle::new(a, b, c).ok()
}

#[test]
fn moves_meet_what_each_triangle_meets() {
    let mut rng = Rng::new(SEED + 1);
    let mut counts = BTreeMap::new();
    for _ in 0..12 {
        let world = world(&mut rng);
        let snapshot = world.now();
        for _ in 0..16 {
            let overlaps = [Overlaps::Stop, Overlaps::Leave][rng.below(2)];
            let sides = [Sides::Both, Sides::Both, Sides::Front, Sides::Back][rng.below(4)];
            let motion = whole_point(&mut rng, 4);
            let cast = ShapeCast::new(shape(&mut rng), motion).unwrap();
            let stopping = cast.with_overlaps(Overlaps::Stop);
            let cast = cast.with_overlaps(overlaps);
            let chosen = filter_of(&mut rng, snapshot);
            let filter = QueryFilter::new().layers(chosen.0).exclude(&chosen.1);
            for hits in [Hits::Nearest, Hits::All] {
                let question = Question::ShapeCast { cast, sides, hits };
                let explanation = snapshot.explain(&question, filter);
                let plain = match hits {
                    Hits::Nearest => snapshot
                        .cast_shape(&cast, sides, filter)
                        .into_iter()
                        .collect(),
                    Hits::All => snapshot.cast_shape_all(&cast, sides, filter),
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
                        let hit = triangle.cast_shape(&stopping, Sides::Both)?;
                        Some((Some(*id), hit.t))
                    });
                    let mut expected: BTreeMap<Option<TriangleId>, f32> = met.collect();
                    if let Some(solid) = solid(snapshot, object) {
                        let hit = solid.cast_shape(&stopping, Sides::Both);
                        expected.extend(hit.map(|hit| (None, hit.t)));
                    }
                    let own = explanation.candidates.iter().filter(|one| {
                        one.object == object
                            && one.t.is_some()
                            && (one.verdict != Verdict::Parts
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
    let mut counts = BTreeMap::new();
    for _ in 0..6 {
        let world = world(&mut rng);
        let snapshot = world.now();
        for _ in 0..12 {
            let shape = shape(&mut rng);
            let margin = [0.0, 1.0, 3.0][rng.below(3)];
            let each = [Each::Object, Each::Triangle][rng.below(2)];
            let question = Question::Contacts {
                shape,
                margin,
                each,
            };
            let explanation = snapshot.explain(&question, QueryFilter::new());
            let plain = snapshot.contacts(shape, margin, each, QueryFilter::new());
            assert_eq!(explanation.answer, Answer::Contacts(plain.clone()));
            check_form(snapshot, &explanation, &|_| None, &mut counts);
            for object in snapshot.objects() {
                let all = triangles(snapshot, object);
                let contacts = |margin| {
                    let with = all.iter().filter_map(|(id, corners)| {
                        let found = single(*corners)?.contacts(shape, margin, Each::Object);
                        Some((Some(*id), *found.first()?))
                    });
                    let mut with: BTreeMap<_, _> = with.collect();
                    if let Some(solid) = solid(snapshot, object) {
                        let found = solid.contacts(shape, margin, Each::Object);
                        with.extend(found.first().map(|contact| (None, *contact)));
                    }
                    with
                };
                let (everything, near) = (contacts(f32::MAX), contacts(margin));
                let own = explanation.candidates.iter();
                let own: Vec<&Candidate> = own
                    .filter(|one| one.object == object && one.t.is_some())
                    .collect();
                assert_eq!(own.len(), everything.len());
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
    for verdict in ["answer", "farther", "left_out", "out_of_range"] {
        assert!(counts.contains_key(verdict), "{verdict}: {counts:?}");
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
            let question = Question::Arc { arc, sides };
            let explanation = snapshot.explain(&question, QueryFilter::new());
            let plain = snapshot.cast_arc(&arc, sides, QueryFilter::new());
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
                    let is_met = triangle.cast_arc(&whole, Sides::Both).is_some();
                    assert_eq!(one.is_some(), is_met, "{arc:?} {corners:?}");
                    let Some(one) = one else { continue };
                    let counted = triangle.cast_arc(&arc, sides);
                    let in_range = triangle.cast_arc(&arc, Sides::Both);
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
        assert!(counts.contains_key(verdict), "{verdict}: {counts:?}");
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
            let explanation = snapshot.explain(&question, QueryFilter::new());
            let plain = snapshot.closest_point(point, max_distance, QueryFilter::new());
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
        assert!(counts.contains_key(verdict), "{verdict}: {counts:?}");
    }
}

#[test]
fn what_only_touches_parts() {
    let mut world = World::new();
    let floor = world.add_aabb(Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]).unwrap());
    world.update();
    let ball = Sphere::new([0.0, 1.0, 0.0], 1.0).unwrap();
    let contacts = world
        .now()
        .contacts(ball, 0.0, Each::Object, QueryFilter::new());
    assert_eq!(contacts[0].status, ContactStatus::Touching);
    for motion in [[0.0, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0; 3]] {
        let question = Question::ShapeCast {
            cast: ShapeCast::new(ball, motion).unwrap(),
            sides: Sides::Both,
            hits: Hits::Nearest,
        };
        let explanation = world.now().explain(&question, QueryFilter::new());
        let only = &explanation.candidates[0];
        assert_eq!(
            (only.object, only.t, only.verdict),
            (floor, Some(0.0), Verdict::Parts)
        );
    }
}
