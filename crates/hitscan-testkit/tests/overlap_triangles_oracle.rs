//! Triangle against triangle, compared with a common part clipped out in rational arithmetic.

use core::fmt::Debug;
use hitscan::glam::{DVec3, Vec3};
use hitscan::overlap::{ClosedSurface, Overlap, OverlapKind, WindingNumber, triangle_triangle};
use hitscan_testkit::Rng;
use hitscan_testkit::exact_overlap::{self, Ends, Exact, Kind, Point, is_nearest_f32, rational};
use num_rational::{BigRational, Ratio};
use std::collections::BTreeMap;

/// How often each kind, or none, came up: a generator that misses a kind proves nothing.
type Tally = BTreeMap<Option<Kind>, usize>;

fn kind(overlap: &Overlap) -> Kind {
    match overlap.kind {
        OverlapKind::Cross => Kind::Cross,
        OverlapKind::Coplanar => Kind::Coplanar,
        OverlapKind::Touch => Kind::Touch,
        OverlapKind::Contains => Kind::Contains,
    }
}

/// Compares the library's answer for `a` and `b` with the oracle's; returns the kind.
fn check<T: Exact + Debug>(
    a: &[DVec3; 3],
    b: &[DVec3; 3],
    number: impl Fn(f64) -> T,
    wide: impl Fn(&T) -> BigRational,
) -> Option<Kind> {
    let exact = |t: &[DVec3; 3]| -> [Point<T>; 3] { t.map(|p| p.to_array().map(&number)) };
    let expected = exact_overlap::triangles(&exact(a), &exact(b));
    let found = triangle_triangle(a, b);
    let kinds = (found.as_ref().map(kind), expected.as_ref().map(|e| e.0));
    assert_eq!(kinds.0, kinds.1, "{a:?} {b:?}");
    let (found, (_, ends)) = (found?, expected?);
    match (found.segment, ends) {
        (None, None) => {}
        (Some(segment), Some(ends)) => {
            check_segment(segment, &ends, wide, (a, b));
        }
        (segment, ends) => panic!("{a:?} {b:?}: {segment:?} for {ends:?}"),
    }
    kinds.0
}

/// Each end must be the exact one, correctly rounded, and never -0.
fn check_segment<T: Debug>(
    segment: [Vec3; 2],
    ends: &Ends<T>,
    wide: impl Fn(&T) -> BigRational,
    pair: (&[DVec3; 3], &[DVec3; 3]),
) {
    let fits =
        |point: Vec3, end: &Point<T>| (0..3).all(|k| is_nearest_f32(point[k], &wide(&end[k])));
    let [p, q] = segment;
    assert!(
        (fits(p, &ends[0]) && fits(q, &ends[1])) || (fits(p, &ends[1]) && fits(q, &ends[0])),
        "{pair:?}: {segment:?} for {ends:?}"
    );
    let is_negative_zero = |x: &f32| x.to_bits() == (-0.0f32).to_bits();
    assert!(
        !p.to_array()
            .iter()
            .chain(&q.to_array())
            .any(is_negative_zero),
        "{segment:?}"
    );
}

#[test]
fn segments_run_along_the_product_of_the_normals() {
    let triangles = grid_triangles([3, 3, 3]);
    // On a grid f64 has these products exactly.
    let normal = |t: &[DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]);
    let (mut rng, mut crossings) = (Rng::new(28), 0);
    for _ in 0..20_000 {
        let a = &triangles[rng.below(triangles.len())];
        let b = &triangles[rng.below(triangles.len())];
        let Some(overlap) = triangle_triangle(a, b).filter(|m| m.kind == OverlapKind::Cross) else {
            continue;
        };
        let [p, q] = overlap
            .segment
            .expect("triangles that cross share a segment");
        let along = normal(a).cross(normal(b));
        assert!((q - p).as_dvec3().dot(along) > 0.0, "{a:?} {b:?}: {p} {q}");
        crossings += 1;
    }
    assert!(crossings > 1000, "{crossings}");
}

fn check_on_grid(a: &[DVec3; 3], b: &[DVec3; 3]) -> Option<Kind> {
    check(
        a,
        b,
        |x| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "grid coordinates are small"
            )]
            let integer = x as i64;
            Ratio::from_integer(integer)
        },
        |x| BigRational::new((*x.numer()).into(), (*x.denom()).into()),
    )
}

fn check_wide(a: &[DVec3; 3], b: &[DVec3; 3]) -> Option<Kind> {
    check(a, b, rational, Clone::clone)
}

/// All triangles with corners on a grid of `x * y * z` points, without area included.
fn grid_triangles([x, y, z]: [u8; 3]) -> Vec<[DVec3; 3]> {
    let points: Vec<DVec3> = (0..x)
        .flat_map(|i| (0..y).flat_map(move |j| (0..z).map(move |k| [i, j, k])))
        .map(|p| DVec3::from_array(p.map(f64::from)))
        .collect();
    let mut triangles = Vec::new();
    for (i, &a) in points.iter().enumerate() {
        for (j, &b) in points.iter().enumerate().skip(i + 1) {
            for &c in points.iter().skip(j + 1) {
                // Both windings occur, so that neither is taken for granted.
                let is_turned = (i + j) % 2 == 0;
                triangles.push(if is_turned { [a, c, b] } else { [a, b, c] });
            }
        }
    }
    triangles
}

fn assert_all_kinds(tally: &Tally) {
    println!("{tally:?}");
    for kind in [
        None,
        Some(Kind::Cross),
        Some(Kind::Coplanar),
        Some(Kind::Touch),
    ] {
        assert!(
            tally.get(&kind).is_some_and(|count| *count >= 20),
            "{kind:?}: {tally:?}"
        );
    }
}

#[test]
fn every_pair_in_a_cube_of_eight_points() {
    let triangles = grid_triangles([2, 2, 2]);
    let mut tally = Tally::new();
    for a in &triangles {
        for b in &triangles {
            *tally.entry(check_on_grid(a, b)).or_default() += 1;
        }
    }
    assert_all_kinds(&tally);
}

#[test]
fn every_pair_on_a_flat_grid_of_sixteen_points() {
    let triangles = grid_triangles([4, 4, 1]);
    let mut tally = Tally::new();
    for (i, a) in triangles.iter().enumerate() {
        for b in &triangles[i..] {
            *tally.entry(check_on_grid(a, b)).or_default() += 1;
        }
    }
    println!("{tally:?}");
    assert!(tally[&Some(Kind::Touch)] > 1000 && tally[&Some(Kind::Coplanar)] > 1000);
}

#[test]
fn pairs_of_a_grid_of_twenty_seven_points() {
    let triangles = grid_triangles([3, 3, 3]);
    let (seed, mut tally) = (27, Tally::new());
    let mut rng = Rng::new(seed);
    for _ in 0..100_000 {
        let a = &triangles[rng.below(triangles.len())];
        let b = &triangles[rng.below(triangles.len())];
        *tally.entry(check_on_grid(a, b)).or_default() += 1;
    }
    assert_all_kinds(&tally);
}

/// A coordinate that is often a few units in the last place from a round number. Not from zero,
/// whose own neighbours lie beyond what is promised.
fn nearly_round(rng: &mut Rng) -> f64 {
    let round = f64::from(u32::try_from(rng.below(5)).unwrap_or(0)) - 2.0;
    match rng.below(4) {
        _ if round == 0.0 && !rng.one_in(4) => rng.uniform(-1e-20, 1e-20),
        0 => round,
        1 | 2 if round == 0.0 => round,
        1 => (0..rng.below(3)).fold(round, |x, _| x.next_up()),
        2 => (0..rng.below(3)).fold(round, |x, _| x.next_down()),
        _ => round + rng.uniform(-1e-9, 1e-9),
    }
}

fn nearly_round_point(rng: &mut Rng) -> DVec3 {
    DVec3::new(nearly_round(rng), nearly_round(rng), nearly_round(rng))
}

/// A point that f64 puts on the triangle, its edge or its corner, exactly or nearly so.
fn point_on(triangle: &[DVec3; 3], rng: &mut Rng) -> DVec3 {
    let [a, b, c] = *triangle;
    match rng.below(4) {
        0 => a,
        1 => a + (b - a) * rng.uniform(0.0, 1.0),
        2 => (b + c) / 2.0,
        _ => a + (b - a) * rng.uniform(0.0, 0.5) + (c - a) * rng.uniform(0.0, 0.5),
    }
}

#[test]
fn near_degenerate_pairs() {
    let (seed, mut tally) = (1, Tally::new());
    let mut rng = Rng::new(seed);
    for round in 0..2_000 {
        let a = [(); 3].map(|()| nearly_round_point(&mut rng));
        let b = [(); 3].map(|()| match rng.below(3) {
            0 => nearly_round_point(&mut rng),
            1 => point_on(&a, &mut rng),
            _ => point_on(&a, &mut rng) + nearly_round_point(&mut rng) * 0.5,
        });
        // Now and then all of it in one plane, which every scale and shift keeps.
        let flat = if round % 4 == 0 {
            DVec3::new(1.0, 0.0, 1.0)
        } else {
            DVec3::ONE
        };
        let (a, b) = (a.map(|p| p * flat), b.map(|p| p * flat));
        // Scales far from one, and origins far away, where differences are rounded.
        let scale = [1.0, 1e-6, 3.7e5][round % 3];
        let shift = [DVec3::ZERO, DVec3::new(1e5, -3.3, 7e-3)][round % 2];
        let moved = |t: [DVec3; 3]| t.map(|p| p * scale + shift);
        *tally.entry(check_wide(&moved(a), &moved(b))).or_default() += 1;
    }
    assert_all_kinds(&tally);
}

/// The answer as a set of ends, which is what must not depend on the order of arguments.
fn bits(overlap: Option<Overlap>) -> Option<(OverlapKind, Option<[[u32; 3]; 2]>)> {
    overlap.map(|overlap| {
        let segment = overlap.segment.map(|ends| {
            let mut ends = ends.map(|p| p.to_array().map(f32::to_bits));
            ends.sort_unstable();
            ends
        });
        (overlap.kind, segment)
    })
}

#[test]
fn the_order_of_triangles_and_corners_changes_nothing() {
    let mut rng = Rng::new(2);
    let mut met = 0;
    for _ in 0..20_000 {
        let a = [(); 3].map(|()| nearly_round_point(&mut rng));
        let b = [(); 3].map(|()| nearly_round_point(&mut rng) + DVec3::splat(0.3));
        let expected = triangle_triangle(&a, &b);
        met += usize::from(expected.is_some());
        let ([p, q, r], [u, v, w]) = (a, b);
        assert_eq!(triangle_triangle(&[q, r, p], &[w, u, v]), expected);
        assert_eq!(bits(triangle_triangle(&b, &a)), bits(expected));
        assert_eq!(
            bits(triangle_triangle(&[q, p, r], &[v, u, w])),
            bits(expected)
        );
        assert_eq!(bits(triangle_triangle(&[w, v, u], &a)), bits(expected));
    }
    assert!(met > 1000, "{met}");
}

#[test]
fn an_exact_move_moves_the_answer() {
    let mut rng = Rng::new(3);
    let mut met = 0;
    for _ in 0..20_000 {
        // Eighths within 8 and a move by 64 are exact, in f64 and for the corners in f32 too.
        let mut corner =
            || DVec3::from_array([(); 3].map(|()| rng.uniform(-64.0, 64.0).round() / 8.0));
        let (a, b) = (
            [corner(), corner(), corner()],
            [corner(), corner(), corner()],
        );
        let shift = DVec3::new(64.0, -64.0, 1024.0);
        let doubled = |t: [DVec3; 3]| t.map(|p| p * 2.0);
        let here = triangle_triangle(&a, &b);
        let there = triangle_triangle(&a.map(|p| p + shift), &b.map(|p| p + shift));
        assert_eq!(here.map(|m| m.kind), there.map(|m| m.kind));
        let twice = triangle_triangle(&doubled(a), &doubled(b));
        let expected = here.map(|overlap| Overlap {
            kind: overlap.kind,
            segment: overlap.segment.map(|ends| ends.map(|p| p * 2.0)),
        });
        assert_eq!(twice, expected);
        met += usize::from(here.is_some());
    }
    assert!(met > 1000, "{met}");
}

#[test]
fn garbage_does_not_panic() {
    let mut rng = Rng::new(4);
    let nasty = [
        f64::NAN,
        f64::INFINITY,
        -f64::INFINITY,
        1e300,
        -1e300,
        5e-324,
        0.0,
        -0.0,
        1.0,
    ];
    for _ in 0..20_000 {
        let mut corner = || DVec3::from_array([(); 3].map(|()| nasty[rng.below(nasty.len())]));
        let (a, b) = (
            [corner(), corner(), corner()],
            [corner(), corner(), corner()],
        );
        let _ = triangle_triangle(&a, &b);
        let mut winding = WindingNumber::new(a[0]);
        winding.add(&b);
        let _ = (winding.location(), ClosedSurface::new(&[a, b]).is_some());
    }
}
