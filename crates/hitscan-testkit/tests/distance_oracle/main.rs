//! Distances of objects against whole numbers: the nearest pieces of every pair of objects, by all pairs of pieces.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

mod objects;
mod pair;

use core::cmp::Ordering;
use hitscan::glam::{DVec3, Vec3};
use hitscan::world::{DistanceStatus, ObjectDistance};
use hitscan::{QueryFilter, World};
use hitscan_testkit::{Rng, has_usual_numbers, rounds};
use objects::{Asked, Kind, Maker};
use pair::{Lie, Piece, is_degenerate, lie};

/// The nearest pieces of two objects: how they lie, and their places.
type Nearest = (Lie, usize, usize);

fn nearest(a: &Asked, b: &Asked) -> Option<Nearest> {
    let mut best: Option<Nearest> = None;
    for (i, first) in a.pieces.iter().enumerate() {
        for (j, second) in b.pieces.iter().enumerate() {
            if is_degenerate(first) || is_degenerate(second) {
                continue;
            }
            let found = lie(first, second);
            // Pieces are in order, so the first of equal ones is the lowest.
            if best
                .as_ref()
                .is_none_or(|(best, ..)| found.order(best).is_lt())
            {
                best = Some((found, i, j));
            }
        }
    }
    best
}

/// Whether the answer names this piece.
fn names(found: &ObjectDistance, side: usize, asked: &Asked, piece: &Piece) -> bool {
    let feature = [found.a, found.b][side];
    let triangle = match asked.kind {
        Kind::Mesh | Kind::Terrain => Some((piece.part, Some(piece.triangle))),
        Kind::Compound => Some((piece.part, None)),
        Kind::Solid => None,
    };
    feature.object == asked.id && feature.triangle.map(|id| (id.part, id.number())) == triangle
}

fn size_of(pieces: [&Piece; 2]) -> f64 {
    let corners = pieces.into_iter().flat_map(|piece| &piece.corners);
    corners.fold(0.0, |size: f64, corner| {
        size.max(corner.abs().max_element())
    })
}

/// Whether a point is no farther from a piece than rounding moves it.
fn is_on(point: Vec3, piece: &Piece, size: f64) -> bool {
    let at = Piece {
        part: 0,
        triangle: 0,
        corners: vec![point.as_dvec3()],
        radius: 0.0,
    };
    f64::from(lie(&at, piece).distance) <= 3e-7 * size.max(piece.radius)
}

fn check(found: Option<ObjectDistance>, expected: Option<&Nearest>, a: &Asked, b: &Asked) {
    let context = || format!("{found:?}\n{expected:?}\n{:?}\n{:?}", a.pieces, b.pieces);
    let Some((expected, i, j)) = expected else {
        assert_eq!(found, None, "{}", context());
        return;
    };
    let Some(found) = found else {
        panic!("{}", context());
    };
    assert_eq!(
        found.distance.to_bits(),
        expected.distance.to_bits(),
        "{}",
        context()
    );
    assert_eq!(found.status, expected.status, "{}", context());
    let pieces = [&a.pieces[*i], &b.pieces[*j]];
    assert!(
        names(&found, 0, a, pieces[0]) && names(&found, 1, b, pieces[1]),
        "{}",
        context()
    );
    let size = size_of(pieces);
    for (point, piece) in found.points.iter().zip(pieces) {
        assert!(is_on(*point, piece, size), "{}", context());
    }
    let Some(offset) = expected.offset else {
        assert_eq!(found.normal, Vec3::ZERO, "{}", context());
        assert_eq!(found.points[0], found.points[1], "{}", context());
        return;
    };
    let off = found.normal.as_dvec3() - offset / offset.length();
    assert!(off.length() < 1.0 / f64::from(1 << 22), "{}", context());
    let apart: DVec3 = found.points[1].as_dvec3() - found.points[0].as_dvec3();
    let rounding = 1e-6 * size.max(f64::from(found.distance));
    assert!(
        (apart.length() - f64::from(found.distance)).abs() < rounding,
        "{}",
        context()
    );
}

#[test]
fn distances_are_those_of_all_pairs_of_pieces() {
    let mut seen = [0; 3];
    for round in 0..rounds(600) {
        let mut maker = Maker {
            rng: Rng::new(9_000 + round as u64),
            is_on_grid: round % 4 != 3,
            scale: [1.0, 1.0, 1.0 / 1024.0, 4096.0][round / 4 % 4],
        };
        let mut world = World::new();
        let a = maker.add(&mut world);
        // Every third time the other has a corner in one of the first.
        let corner = a.pieces.first().map(|piece| piece.corners[0].as_vec3());
        let b = match corner {
            Some(corner) if round % 3 == 0 => maker.mesh_at(&mut world, corner),
            _ => maker.add(&mut world),
        };
        world.update();
        let snapshot = world.now();
        let expected = nearest(&a, &b);
        let everything = f64::INFINITY;
        check(
            snapshot.distance(a.id, b.id, everything, ()),
            expected.as_ref(),
            &a,
            &b,
        );
        let swapped = nearest(&b, &a);
        check(
            snapshot.distance(b.id, a.id, everything, ()),
            swapped.as_ref(),
            &b,
            &a,
        );
        let Some((expected, ..)) = expected else {
            continue;
        };
        seen[expected.status as usize] += 1;
        // The maximum distance is inclusive, as far as it is an f64.
        let is_within = |max: f64| snapshot.distance(a.id, b.id, max, ()).is_some();
        let distance = expected.distance;
        assert!(is_within(f64::from(distance.next_up())));
        assert!(distance == 0.0 || !is_within(f64::from(distance.next_down())));
        assert!(!is_within(-1.0) && !is_within(f64::NAN));
    }
    println!("{seen:?} apart, touching, overlapping");
    let least = [150, 30, 100].map(rounds);
    let are_enough = seen.iter().zip(least).all(|(seen, least)| *seen >= least);
    assert!(are_enough || !has_usual_numbers(), "{seen:?}");
}

#[test]
fn near_pairs_are_those_of_all_pairs_of_objects() {
    for round in 0..rounds(60) {
        let mut maker = Maker {
            rng: Rng::new(7_000 + round as u64),
            is_on_grid: round % 2 == 0,
            scale: 1.0,
        };
        let mut world = World::new();
        let objects: Vec<Asked> = (0..8).map(|_| maker.add(&mut world)).collect();
        world.update();
        let snapshot = world.now();
        let mut all = Vec::new();
        for (i, a) in objects.iter().enumerate() {
            for b in &objects[i + 1..] {
                all.extend(snapshot.distance(a.id, b.id, f64::INFINITY, ()));
            }
        }
        for max in [0.0, 0.5, 1.0, 2.25, f64::INFINITY] {
            let within: Vec<ObjectDistance> = (all.iter().copied())
                .filter(|pair| {
                    snapshot
                        .distance(pair.a.object, pair.b.object, max, ())
                        .is_some()
                })
                .collect();
            assert_eq!(snapshot.pairs_within(max, ()), within, "{round} {max}");
        }
        let by_distance = |one: &&ObjectDistance, other: &&ObjectDistance| -> Ordering {
            let order = one.distance.total_cmp(&other.distance);
            order.then((one.a.object, one.b.object).cmp(&(other.a.object, other.b.object)))
        };
        let closest = all.iter().min_by(by_distance).copied();
        assert_eq!(snapshot.closest_pair(()), closest, "{round}");
        // Without one of the closest there is another pair.
        let hidden = closest.unwrap().a.object;
        let filter = QueryFilter::new().exclude_one(hidden);
        let others = all
            .iter()
            .filter(|pair| pair.a.object != hidden && pair.b.object != hidden);
        assert_eq!(
            snapshot.closest_pair(filter),
            others.min_by(by_distance).copied(),
            "{round}"
        );
    }
}

/// A large mesh against a large mesh, as the triangles of each are objects of their own.
#[test]
fn trees_decide_nothing() {
    for round in 0..rounds(20) {
        let mut maker = Maker {
            rng: Rng::new(5_000 + round as u64),
            is_on_grid: round % 2 == 0,
            scale: 1.0,
        };
        let mut world = World::new();
        let bumps = [0; 2].map(|_| objects::bumps(&mut maker, &mut world, 12));
        world.update();
        let [first, second] = &bumps;
        let snapshot = world.now();
        let found = snapshot
            .distance(first.whole, second.whole, f64::INFINITY, ())
            .unwrap();
        let mut best: Option<(f32, bool, usize, usize)> = None;
        for (i, a) in first.triangles.iter().enumerate() {
            for (j, b) in second.triangles.iter().enumerate() {
                let max = best.map_or(f64::INFINITY, |(distance, ..)| f64::from(distance));
                // Rounding may take what ties beyond the best.
                let max = max + max * 1e-6;
                let Some(one) = snapshot.distance(*a, *b, max, ()) else {
                    continue;
                };
                let touches = one.status != DistanceStatus::Overlap;
                let next = (one.distance, touches, i, j);
                if best.is_none_or(|(distance, touched, ..)| {
                    one.distance < distance || one.distance == distance && !touches && touched
                }) {
                    best = Some(next);
                }
            }
        }
        let (distance, touches, i, j) = best.unwrap();
        let number = |id: Option<hitscan::TriangleId>| id.unwrap().triangle as usize;
        assert_eq!(
            (found.distance, found.status != DistanceStatus::Overlap),
            (distance, touches),
            "{round}"
        );
        assert_eq!(
            (number(found.a.triangle), number(found.b.triangle)),
            (i, j),
            "{round}"
        );
    }
}
