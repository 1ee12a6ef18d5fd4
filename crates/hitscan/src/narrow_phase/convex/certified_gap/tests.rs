//! Gaps against closed forms, and against the best of many sampled directions.

use super::*;
use crate::test_rng::Rng;
use crate::{Aabb, Capsule, Cylinder, Obb, Primitive, Sphere};
use glam::{DQuat, Vec3};

/// How far a gap may be off, relative to the largest coordinate or size.
const PROMISED: f64 = 1.0 / (1_u64 << 40) as f64;

fn gap_of(obstacle: &Primitive, shape: &Primitive) -> CertifiedGap {
    certified_gap(&obstacle.into(), &shape.into(), DVec3::ZERO)
}

#[test]
fn gaps_are_those_of_closed_forms() {
    let can = Primitive::from(Cylinder::new([0.0; 3], [0.0, 2.0, 0.0], 1.0).unwrap());
    let block = |min: [f32; 3], max: [f32; 3]| Primitive::from(Aabb::new(min, max).unwrap());
    let other = |a: [f32; 3], b: [f32; 3], radius: f64| {
        Primitive::from(Cylinder::new(a, b, radius).unwrap())
    };
    let rod = |a: [f32; 3], b: [f32; 3]| Primitive::from(Capsule::new(a, b, 0.5).unwrap());
    let root = 0.5_f64.sqrt();
    for (shape, gap) in [
        (block([1.0, 0.0, -1.0], [2.0, 1.0, 1.0]), 0.0),
        (block([0.5, 0.0, -1.0], [2.0, 1.0, 1.0]), -0.5),
        (block([0.0, 2.0, 0.0], [2.0, 3.0, 1.0]), 0.0),
        (block([-5.0, 1.75, -5.0], [2.0, 3.0, 5.0]), -0.25),
        (block([1.25, 0.0, -1.0], [2.0, 1.0, 1.0]), 0.25),
        (
            block([0.75, 0.0, 0.75], [2.0, 1.0, 2.0]),
            0.75 * 2_f64.sqrt() - 1.0,
        ),
        (block([0.75, 2.25, -1.0], [2.0, 3.0, 1.0]), 0.25),
        (other([0.0, 2.0, 0.0], [0.0, 3.0, 0.0], 0.5), 0.0),
        (other([0.0, 2.5, 0.0], [0.0, 3.0, 0.0], 0.5), 0.5),
        (other([3.0, 0.0, 0.0], [3.0, 3.0, 0.0], 2.0), 0.0),
        (other([3.0, 0.0, 0.0], [3.0, 3.0, 0.0], 2.25), -0.25),
        (other([-4.0, 1.0, 3.0], [4.0, 1.0, 3.0], 2.0), 0.0),
        (other([-4.0, 3.5, 0.0], [4.0, 3.5, 0.0], 1.0), 0.5),
        (other([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.25), -1.25),
        (rod([2.0, 1.0, -3.0], [2.0, 1.0, 3.0]), 0.5),
        (rod([1.5, 1.0, -3.0], [1.5, 1.0, 3.0]), 0.0),
        (rod([-3.0, 1.0, 0.0], [3.0, 1.0, 0.0]), -1.5),
        (rod([2.0, 3.0, 0.0], [5.0, 6.0, 0.0]), 2.0 * root - 0.5),
    ] {
        for (one, two) in [(&can, &shape), (&shape, &can)] {
            let found = gap_of(one, two);
            assert!(
                (found.gap - gap).abs() < 8.0 * PROMISED,
                "{found:?} {gap} {two:?}"
            );
            let status = gap.total_cmp(&0.0);
            assert_eq!(found.status(), status, "{found:?} {gap} {one:?} {two:?}");
            assert!(
                found.high - found.gap < 8.0 * PROMISED || gap < 0.0,
                "{found:?}"
            );
        }
    }
}

/// The highest gap by many directions, refined around the best.
fn sampled(obstacle: &Convex<'_>, shape: &Convex<'_>, rng: &mut Rng) -> f64 {
    let view = View::new(&obstacle.core, &shape.core, [0.0; 2], DVec3::ZERO).unwrap();
    let mut random = || {
        DVec3::new(
            rng.signed().into(),
            rng.signed().into(),
            rng.signed().into(),
        )
    };
    let gap = |way: DVec3| view.lowest_gap(way / way.length());
    let mut best = (DVec3::X, gap(DVec3::X));
    for _ in 0..3000 {
        let way = random();
        if way.length() > 0.1 && gap(way) > best.1 {
            best = (way / way.length(), gap(way));
        }
    }
    let mut radius = 0.1;
    for _ in 0..2500 {
        let way = best.0 + random() * radius;
        if gap(way) > best.1 {
            best = (way / way.length(), gap(way));
        } else {
            radius *= 0.99;
        }
    }
    best.1 - obstacle.radius - shape.radius
}

#[test]
fn no_direction_has_a_higher_gap() {
    let mut rng = Rng(11);
    let (mut apart, mut overlapping) = (0, 0);
    for round in 0..400 {
        let mut point = |size: f32| Vec3::from([(); 3].map(|()| rng.signed() * size));
        let (a, b, c, d, half) = (
            point(1.0),
            point(1.0),
            point(1.5),
            point(1.0),
            point(0.6).abs(),
        );
        let radius = f64::from(half.x) + 0.05;
        let Ok(can) = Cylinder::new(a, b, radius) else {
            continue;
        };
        let can = Primitive::from(can);
        let other: Primitive = match round % 5 {
            0 => Capsule::new(c, d, radius * 0.3).unwrap().into(),
            1 => Aabb::new(c - half, c + half).unwrap().into(),
            2 => Obb::new(c, half, DQuat::from_xyzw(0.1, 0.5, 0.3, 0.8))
                .unwrap()
                .into(),
            3 => Sphere::new(c, radius).unwrap().into(),
            _ => Cylinder::new(c, c + d, f64::from(half.y) + 0.01)
                .unwrap()
                .into(),
        };
        let found = gap_of(&can, &other);
        let best = sampled(&(&can).into(), &(&other).into(), &mut rng);
        assert!(
            best <= found.gap + 1e-9,
            "{round} {best} {found:?} {can:?} {other:?}"
        );
        let is_held = found.low <= found.gap && found.gap <= found.high + found.slack;
        assert!(is_held || found.gap < 0.0, "{found:?} {can:?} {other:?}");
        assert_ne!(
            found.status(),
            Ordering::Equal,
            "{found:?} {can:?} {other:?}"
        );
        if found.gap > 0.0 {
            assert!(
                found.high - found.low < 8.0 * PROMISED,
                "{found:?} {can:?} {other:?}"
            );
            apart += 1;
        } else {
            overlapping += 1;
        }
    }
    assert!(apart > 80 && overlapping > 40, "{apart} {overlapping}");
}
