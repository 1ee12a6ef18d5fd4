//! Objects that a ray was expected to hit and passes, against brute force over all their triangles.
//!
//! Distances are those of rational convex pieces, and hits those of rational crossings. The angle of a
//! turn is the least of densely sampled edges, and no ray that is turned by less hits.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod things;

use glam::{DVec3, Vec3};
use hitscan::explain::{Approach, NotHit, Turn};
use hitscan::{QueryFilter, Ray, Snapshot};
use hitscan_testkit::closest_oracle::{to_f64, wide};
use hitscan_testkit::core_oracle::{RationalCore, nearest};
use hitscan_testkit::{
    Exact, Rng, Vector, exact, has_usual_numbers, line_triangle, rounds, vector,
};
use things::{Body, Thing, nasty_ray, stock};

const SEED: u64 = 0x0E31_0001;

/// The ray's points at these t, exactly. Beyond 300 m there is nothing.
fn ends(ray: &Ray, [from, to]: [f32; 2]) -> RationalCore {
    let far = (300.0 / ray.direction().length()).ceil();
    let (origin, direction) = (vector(ray.origin()), vector(ray.direction()));
    let at = |t: f32| {
        let t = exact(f64::from(t.min(far)));
        [0, 1, 2].map(|i: usize| &origin[i] + &direction[i] * &t)
    };
    match from < to {
        true => RationalCore::new(vec![at(from), at(to)]),
        false => RationalCore::new(vec![at(from)]),
    }
}

/// The least distance of a convex piece from a point, by its triangles, edges and corners.
fn from_point(at: DVec3, piece: &[DVec3]) -> f64 {
    let mut least = f64::INFINITY;
    for (i, a) in piece.iter().enumerate() {
        for (j, b) in piece.iter().enumerate().skip(i) {
            let along = *b - *a;
            let share = (at - *a).dot(along) / along.dot(along).max(f64::MIN_POSITIVE);
            least = least.min((*a + along * share.clamp(0.0, 1.0) - at).length());
            for c in &piece[j..] {
                let normal = along.cross(*c - *a);
                let foot = at - normal * ((at - *a).dot(normal) / normal.dot(normal));
                let is_in = |p: DVec3, q: DVec3| (q - p).cross(foot - p).dot(normal) >= 0.0;
                if is_in(*a, *b) && is_in(*b, *c) && is_in(*c, *a) {
                    least = least.min((foot - at).length());
                }
            }
        }
    }
    least
}

/// The pieces of a thing that may be nearest to the ray, or on it: the distance from something convex is
/// convex along a line, and cut to thirds. Rational numbers decide among them.
fn near_pieces(thing: &Thing, ray: &Ray, range: [f32; 2]) -> Vec<Vec<DVec3>> {
    let (pieces, _) = thing.pieces();
    if pieces.len() < 2 {
        return pieces;
    }
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let far = 300.0 / direction.length();
    let [from, to] = range.map(|t| f64::from(t).min(far));
    let distances = pieces.iter().map(|piece| {
        let at = |t: f64| from_point(origin + direction * t, piece);
        let (mut low, mut high) = (from, to);
        for _ in 0..60 {
            let third = (high - low) / 3.0;
            match at(low + third) <= at(high - third) {
                true => high -= third,
                false => low += third,
            }
        }
        at(from).min(at(to)).min(at(low))
    });
    let distances: Vec<f64> = distances.collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let near = pieces.into_iter().zip(distances);
    near.filter(|(_, distance)| *distance <= least + 1e-5)
        .map(|(piece, _)| piece)
        .collect()
}

/// The square of the distance from the core of a thing.
fn square_from(thing: &Thing, ray: &Ray, range: [f32; 2]) -> Exact {
    let line = ends(ray, range);
    let core = |corners: Vec<DVec3>| RationalCore::new(corners.into_iter().map(wide).collect());
    let pieces = near_pieces(thing, ray, range).into_iter();
    let squares = pieces.map(|piece| nearest(&line, &core(piece)).squared);
    squares.min().unwrap()
}

/// Whether the ray hits a thing in its range or beyond its end, or anywhere from its origin on.
fn is_met(thing: &Thing, ray: &Ray) -> bool {
    let mut ranges = [[ray.t_min(), f32::INFINITY], [0.0, f32::INFINITY]].into_iter();
    let Body::Core(_, radius) = &thing.body else {
        let (origin, direction) = (vector(ray.origin()), vector(ray.direction()));
        return ranges.any(|range| {
            let [from, to] = range.map(|t| exact(t.min(f32::MAX).into()));
            near_pieces(thing, ray, range).into_iter().any(|piece| {
                let corners: [Vector; 3] = [0, 1, 2].map(|k: usize| wide(piece[k]));
                let crossing = line_triangle(&origin, &direction, &corners);
                crossing.is_some_and(|crossing| crossing.t >= from && crossing.t <= to)
            })
        });
    };
    let square = exact(*radius) * exact(*radius);
    ranges.any(|range| square_from(thing, ray, range) <= square)
}

fn check_approach(snapshot: &Snapshot, thing: &Thing, ray: &Ray, found: &Approach) -> f64 {
    let (_, radius) = thing.pieces();
    let square = square_from(thing, ray, [ray.t_min(), ray.t_max()]);
    let expected = (to_f64(&square).sqrt() - radius).max(0.0);
    let error = (f64::from(found.distance) - expected).abs();
    assert!(
        error <= 1e-7 * expected + 1e-10,
        "{ray:?} {found:?} {expected}"
    );
    assert!(
        found.t >= ray.t_min() && found.t <= ray.t_max(),
        "{found:?}"
    );
    let size = 1.0 + found.on_ray.length();
    let apart = (found.on_object - found.on_ray).length();
    assert!((apart - found.distance).abs() <= 1e-6 * size, "{found:?}");
    assert!(
        (ray.at(found.t) - found.on_ray).length() <= 1e-5 * size,
        "{found:?}"
    );
    check_on(snapshot, thing, found.on_object);
    expected
}

/// The point is on the object, or in it, as far as f32 can say.
fn check_on(snapshot: &Snapshot, thing: &Thing, at: Vec3) {
    let is_it = |id| id == thing.object;
    let only = QueryFilter::new().predicate(&is_it);
    let nearest = snapshot.closest_point(at, f32::INFINITY, only).unwrap();
    assert!(
        nearest.distance <= 1e-6 * (1.0 + at.length()),
        "{nearest:?} {at}"
    );
}

fn angle(a: DVec3, b: DVec3) -> f64 {
    libm::atan2(a.cross(b).length(), a.dot(b))
}

/// The least angle between the ray and what it sees, by many points of all edges, then between the
/// neighbours of the best.
fn least_angle(thing: &Thing, ray: &Ray) -> f64 {
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let (_, radius) = thing.pieces();
    let at = |[a, b]: [DVec3; 2], s: f64| {
        let seen = a.lerp(b, s) - origin;
        if seen.length() <= radius {
            return 0.0;
        }
        let own = libm::asin(radius / seen.length());
        (angle(direction, seen) - own).max(0.0)
    };
    let mut least = f64::INFINITY;
    for edge in thing.edges() {
        let samples = (0..=64).map(|k| f64::from(k) / 64.0);
        let best = samples
            .min_by(|s, u| at(edge, *s).total_cmp(&at(edge, *u)))
            .unwrap();
        let [mut low, mut high] = [(best - 1.0 / 64.0).max(0.0), (best + 1.0 / 64.0).min(1.0)];
        for _ in 0..60 {
            let third = (high - low) / 3.0;
            match at(edge, low + third) < at(edge, high - third) {
                true => high -= third,
                false => low += third,
            }
        }
        least = least.min(at(edge, best)).min(at(edge, low));
    }
    least
}

fn check_turn(rng: &mut Rng, snapshot: &Snapshot, thing: &Thing, ray: &Ray, turn: Option<Turn>) {
    let (origin, direction) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let expected = least_angle(thing, ray);
    let right = std::f64::consts::FRAC_PI_2;
    let least = turn.map_or(right, |turn| f64::from(turn.angle));
    let error = (least - expected.min(right)).abs();
    assert!(error <= 1e-6, "{ray:?} {turn:?} {expected}");
    if let Some(turn) = turn {
        let seen = turn.point.as_dvec3() - origin;
        let size = 1e-6 * (1.0 + origin.length() + seen.length());
        let off = (angle(direction, seen) - least).abs();
        assert!(off * seen.length() <= size, "{ray:?} {turn:?}");
        let way = f64::from(turn.t) * direction.length();
        assert!((way - seen.length()).abs() <= size, "{ray:?} {turn:?}");
        check_on(snapshot, thing, turn.point);
    }
    let is_it = |id| id == thing.object;
    let only = QueryFilter::new().predicate(&is_it);
    let (aside, up) = (direction / direction.length()).any_orthonormal_pair();
    for _ in 0..8 {
        let by = least * rng.uniform(0.0, 0.9999) - 1e-6;
        if by <= 0.0 {
            continue;
        }
        let around = rng.uniform(0.0, std::f64::consts::TAU);
        let out = aside * libm::cos(around) + up * libm::sin(around);
        let turned = direction * libm::cos(by) + out * (direction.length() * libm::sin(by));
        let turned = Ray::new(ray.origin(), turned.as_vec3()).unwrap();
        let hit = snapshot.cast_ray(&turned, only);
        assert_eq!(hit, None, "{ray:?} {turn:?} {by}");
    }
}

#[test]
fn what_is_passed_is_as_near_as_rational_pieces_are() {
    let mut rng = Rng::new(SEED);
    let (mut cases, mut missed, mut met, mut touched, mut behind) = (0, 0, 0, 0, 0);
    for _ in 0..rounds(100) {
        let (world, things) = stock(&mut rng);
        let snapshot = world.now();
        for thing in &things {
            for _ in 0..6 {
                let Some(ray) = nasty_ray(&mut rng, thing) else {
                    continue;
                };
                cases += 1;
                let is_it = |id| id == thing.object;
                let only = QueryFilter::new().predicate(&is_it);
                let passed = snapshot.nearest_approaches(&ray, only, 1);
                let distance = check_approach(snapshot, thing, &ray, &passed[0]);
                let found = snapshot.explain_expected(&ray, thing.object, ()).unwrap();
                if thing.is_exact {
                    assert_eq!(
                        found.met.is_some(),
                        is_met(thing, &ray),
                        "{ray:?} {found:?}"
                    );
                }
                let missed_by = found.reasons.iter().find_map(|reason| match reason {
                    NotHit::Missed { approach, turn } => Some((approach.unwrap(), *turn)),
                    _ => None,
                });
                assert_eq!(missed_by.is_none(), found.met.is_some());
                let Some((approach, turn)) = missed_by else {
                    met += 1;
                    continue;
                };
                missed += 1;
                touched += usize::from(distance < 1e-6);
                behind += usize::from(turn.is_none());
                check_approach(snapshot, thing, &ray, &approach);
                check_turn(&mut rng, snapshot, thing, &ray, turn);
            }
        }
    }
    println!("{cases} cases: {met} met, {missed} missed, {touched} touched, {behind} behind");
    let seen = [met, missed, touched, behind];
    assert!(
        !has_usual_numbers() || seen.iter().all(|count| *count > rounds(50)),
        "{seen:?}"
    );
}
