//! Spheres and boxes against triangles and each other, compared with rational arithmetic.

use hitscan::glam::{DVec3, Vec3};
use hitscan::overlap::{OverlapKind, PrimitiveOverlap};
use hitscan::{Aabb, Primitive, Sphere};
use hitscan_testkit::Rng;
use hitscan_testkit::exact_overlap::{self, Kind, Point, rational};
use num_rational::BigRational;
use num_rational::Ratio;
use std::collections::BTreeMap;

type Small = Ratio<i64>;

fn kind(overlap: OverlapKind) -> Kind {
    match overlap {
        OverlapKind::Cross => Kind::Cross,
        OverlapKind::Coplanar => Kind::Coplanar,
        OverlapKind::Touch => Kind::Touch,
        OverlapKind::Contains => Kind::Contains,
    }
}

/// Small integers, from `0` to below `n`.
fn grid_point(rng: &mut Rng, n: usize) -> [i16; 3] {
    [(); 3].map(|()| i16::try_from(rng.below(n)).unwrap_or(0))
}

fn small(p: [i16; 3]) -> Point<Small> {
    p.map(|x| Ratio::from_integer(i64::from(x)))
}

fn narrow(p: [i16; 3]) -> Vec3 {
    Vec3::from_array(p.map(f32::from))
}

fn wide(p: [i16; 3]) -> DVec3 {
    DVec3::from_array(p.map(f64::from))
}

fn big(p: DVec3) -> Point<BigRational> {
    p.to_array().map(rational)
}

/// A generator that misses a kind proves nothing.
fn assert_all(tally: &BTreeMap<Option<Kind>, usize>, least: usize) {
    println!("{tally:?}");
    for kind in [
        None,
        Some(Kind::Cross),
        Some(Kind::Touch),
        Some(Kind::Contains),
    ] {
        assert!(
            tally.get(&kind).is_some_and(|count| *count >= least),
            "{kind:?}: {tally:?}"
        );
    }
}

/// Two corners sorted so that they make a box, often a flat one.
fn sorted(p: [i16; 3], q: [i16; 3]) -> ([i16; 3], [i16; 3]) {
    let at = |k: usize| (p[k].min(q[k]), p[k].max(q[k]));
    ([0, 1, 2].map(|k| at(k).0), [0, 1, 2].map(|k| at(k).1))
}

#[test]
fn triangles_and_boxes_on_a_grid() {
    let mut rng = Rng::new(11);
    let mut tally = BTreeMap::new();
    for round in 0..150_000 {
        let n = [3, 4, 7][round % 3];
        let t = [(); 3].map(|()| grid_point(&mut rng, n));
        let (min, max) = sorted(grid_point(&mut rng, n), grid_point(&mut rng, n));
        let solid = Aabb::new(narrow(min), narrow(max)).unwrap();
        let found = Primitive::from(solid).triangle_overlap(&t.map(wide));
        let expected = exact_overlap::triangle_and_box(&t.map(small), &small(min), &small(max));
        assert_eq!(
            found.map(|m| kind(m.kind)),
            expected,
            "{t:?} {min:?} {max:?}"
        );
        assert!(found.is_none_or(|m| m.segment.is_none()));
        *tally.entry(expected).or_insert(0) += 1;
    }
    assert_all(&tally, 500);
}

/// `p` with each coordinate moved by at most two units in the last place; zero by a little more,
/// since its own neighbours lie beyond what is promised.
fn nudged(p: DVec3, rng: &mut Rng) -> DVec3 {
    DVec3::from_array(p.to_array().map(|x| match rng.below(5) {
        0 if x == 0.0 => 1e-30,
        1 if x == 0.0 => -1e-30,
        0 => x.next_up(),
        1 => x.next_down(),
        2 if x != 0.0 => x.next_up().next_up(),
        _ => x,
    }))
}

#[test]
fn triangles_a_hair_from_boxes() {
    let mut rng = Rng::new(12);
    let mut tally = BTreeMap::new();
    for _ in 0..5_000 {
        let (min, max) = sorted(grid_point(&mut rng, 5), grid_point(&mut rng, 5));
        let solid = Aabb::new(narrow(min) * 0.1, narrow(max) * 0.1).unwrap();
        let t = [(); 3].map(|()| {
            let corner = narrow(grid_point(&mut rng, 5)) * 0.1;
            nudged(corner.as_dvec3(), &mut rng)
        });
        let found = Primitive::from(solid)
            .triangle_overlap(&t)
            .map(|m| kind(m.kind));
        let (min, max) = (big(solid.min().as_dvec3()), big(solid.max().as_dvec3()));
        let expected = exact_overlap::triangle_and_box(&t.map(big), &min, &max);
        assert_eq!(found, expected, "{t:?} {solid:?}");
        *tally.entry(expected).or_insert(0) += 1;
    }
    assert_all(&tally, 5);
}

#[test]
fn triangles_and_spheres_on_a_grid() {
    let mut rng = Rng::new(13);
    let mut tally = BTreeMap::new();
    for round in 0..150_000 {
        let n = [4, 7, 11][round % 3];
        let t = [(); 3].map(|()| grid_point(&mut rng, n));
        let center = grid_point(&mut rng, n);
        let radius = i16::try_from(1 + rng.below(n)).unwrap();
        let ball = Sphere::new(narrow(center), f64::from(radius)).unwrap();
        let found = Primitive::from(ball).triangle_overlap(&t.map(wide));
        let limit = Ratio::from_integer(i64::from(radius));
        let expected = exact_overlap::triangle_and_ball(&t.map(small), &small(center), &limit);
        assert_eq!(found.map(|m| kind(m.kind)), expected, "{t:?} {ball:?}");
        *tally.entry(expected).or_insert(0) += 1;
    }
    assert_all(&tally, 500);
}

#[test]
fn triangles_a_hair_from_spheres() {
    let mut rng = Rng::new(14);
    let mut tally = BTreeMap::new();
    for round in 0..3_000 {
        let t = [(); 3].map(|()| nudged(wide(grid_point(&mut rng, 6)) * 0.3, &mut rng));
        let center = narrow(grid_point(&mut rng, 6)) * 0.7 + Vec3::splat([0.0, 1e4][round % 2]);
        let t = t.map(|p| p + DVec3::splat([0.0, 1e4][round % 2]));
        if !exact_overlap::has_area(&t.map(big)) {
            continue;
        }
        // The radius is the distance as f64 gives it, or a neighbour of that.
        let near = exact_overlap::squared_distance(&t.map(big), &big(center.as_dvec3()));
        let (high, low) = (near.numer(), near.denom());
        let ratio = num_traits::ToPrimitive::to_f64(&BigRational::new(high.clone(), low.clone()));
        let distance = ratio.unwrap_or(1.0).sqrt().max(1e-3);
        let radius = match rng.below(4) {
            0 => distance.next_up(),
            1 => distance.next_down(),
            2 => distance,
            _ => distance * 3.0,
        };
        let ball = Sphere::new(center, radius).unwrap();
        let found = Primitive::from(ball)
            .triangle_overlap(&t)
            .map(|m| kind(m.kind));
        let expected = exact_overlap::triangle_and_ball(
            &t.map(big),
            &big(center.as_dvec3()),
            &rational(radius),
        );
        assert_eq!(found, expected, "{t:?} {ball:?}");
        *tally.entry(expected).or_insert(0) += 1;
    }
    println!("{tally:?}");
    assert!(tally[&None] > 100 && tally[&Some(Kind::Cross)] > 100);
}

#[test]
fn spheres_and_spheres_on_a_grid() {
    let mut rng = Rng::new(15);
    let mut tally = BTreeMap::new();
    for _ in 0..100_000 {
        let (p, q) = (grid_point(&mut rng, 6), grid_point(&mut rng, 6));
        let [r, s] = [(); 2].map(|()| i32::try_from(1 + rng.below(6)).unwrap());
        let ball = |p, r| Primitive::from(Sphere::new(narrow(p), f64::from(r)).unwrap());
        let found = ball(p, r).overlap(&ball(q, s));
        let squared: i32 = (0..3).map(|k| i32::from(p[k] - q[k]).pow(2)).sum();
        let expected = if squared > (r + s).pow(2) {
            None
        } else if squared == (r + s).pow(2) {
            Some(PrimitiveOverlap::Touch)
        } else if squared > (r - s).pow(2) {
            Some(PrimitiveOverlap::Cross)
        } else if r >= s {
            Some(PrimitiveOverlap::FirstContains)
        } else {
            Some(PrimitiveOverlap::SecondContains)
        };
        assert_eq!(found, expected, "{p:?} {r} {q:?} {s}");
        *tally.entry(expected.map(|m| kind(m.kind()))).or_insert(0) += 1;
    }
    assert_all(&tally, 500);
}

#[test]
fn spheres_and_boxes_on_a_grid() {
    let mut rng = Rng::new(16);
    let mut tally = BTreeMap::new();
    for _ in 0..100_000 {
        let (min, max) = sorted(grid_point(&mut rng, 9), grid_point(&mut rng, 9));
        let c = grid_point(&mut rng, 9);
        let r = i16::try_from(1 + rng.below(9)).unwrap();
        let ball = Primitive::from(Sphere::new(narrow(c), f64::from(r)).unwrap());
        let found = ball.overlap(&Aabb::new(narrow(min), narrow(max)).unwrap().into());
        // The squared distances by sorting out where the centre lies, all in integers.
        let gap = |k: usize| (min[k] - c[k]).max(c[k] - max[k]).max(0).pow(2);
        let reach = |k: usize| (c[k] - min[k]).abs().max((max[k] - c[k]).abs()).pow(2);
        let (near, far): (i16, i16) = ((0..3).map(gap).sum(), (0..3).map(reach).sum());
        let is_in_box = (0..3).all(|k| min[k] <= c[k] - r && c[k] + r <= max[k]);
        let expected = match near.cmp(&r.pow(2)) {
            core::cmp::Ordering::Greater => None,
            core::cmp::Ordering::Equal => Some(PrimitiveOverlap::Touch),
            core::cmp::Ordering::Less if far <= r.pow(2) => Some(PrimitiveOverlap::FirstContains),
            core::cmp::Ordering::Less if is_in_box => Some(PrimitiveOverlap::SecondContains),
            core::cmp::Ordering::Less => Some(PrimitiveOverlap::Cross),
        };
        assert_eq!(found, expected, "{min:?} {max:?} {c:?} {r}");
        *tally.entry(expected.map(|m| kind(m.kind()))).or_insert(0) += 1;
    }
    assert_all(&tally, 500);
}

#[test]
fn tangent_spheres_of_radii_that_f64_rounds() {
    // The gap is 0.3 as written in f32; 0.1 + 0.2 in f64 misses it either way.
    let a = Primitive::from(Sphere::new([0.0; 3], 0.1).unwrap());
    let gap = 0.3f32;
    let b = |radius: f64| Primitive::from(Sphere::new([gap, 0.0, 0.0], radius).unwrap());
    let rest = f64::from(gap) - 0.1;
    let is_exact = rational(rest) + rational(0.1) == rational(f64::from(gap));
    let kinds = [rest.next_down(), rest, rest.next_up()].map(|r| a.overlap(&b(r)));
    assert_eq!(kinds[0], None);
    assert_eq!(kinds[2], Some(PrimitiveOverlap::Cross));
    assert_eq!(kinds[1] == Some(PrimitiveOverlap::Touch), is_exact);
}

#[test]
fn boxes_that_touch_contain_and_cross() {
    let solid = |min: [f32; 3], max: [f32; 3]| Primitive::from(Aabb::new(min, max).unwrap());
    let unit = solid([0.0; 3], [1.0; 3]);
    let flat = |x: f32| solid([x, 0.0, 0.0], [x, 1.0, 1.0]);
    let level = solid([0.0, 0.5, 0.0], [1.0, 0.5, 1.0]);
    for (second, expected) in [
        (unit.clone(), Some(PrimitiveOverlap::FirstContains)),
        (
            solid([0.0; 3], [1.0, 1.0, 0.5]),
            Some(PrimitiveOverlap::FirstContains),
        ),
        (
            solid([-1.0; 3], [1.0; 3]),
            Some(PrimitiveOverlap::SecondContains),
        ),
        (solid([0.5; 3], [1.5; 3]), Some(PrimitiveOverlap::Cross)),
        (solid([1.0; 3], [2.0; 3]), Some(PrimitiveOverlap::Touch)),
        (solid([1.5, 0.0, 0.0], [2.0; 3]), None),
        (flat(0.5), Some(PrimitiveOverlap::FirstContains)),
        (flat(1.0), Some(PrimitiveOverlap::Touch)),
        (
            solid([0.5, -1.0, 0.0], [0.5, 1.0, 1.0]),
            Some(PrimitiveOverlap::Cross),
        ),
    ] {
        assert_eq!(unit.overlap(&second), expected, "{second:?}");
    }
    // Flat boxes of one plane touch; across one another they cross.
    assert_eq!(level.overlap(&level), Some(PrimitiveOverlap::Touch));
    assert_eq!(level.overlap(&flat(0.5)), Some(PrimitiveOverlap::Cross));
}
