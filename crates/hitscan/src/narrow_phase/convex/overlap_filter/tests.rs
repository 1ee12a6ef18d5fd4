//! Tests of the filter against the exact comparison of all axes.

use super::filter_overlap;
use crate::narrow_phase::convex::separating_axes::CorePair;
use crate::narrow_phase::convex::{CertainOverlap, Core, Filtered};
use crate::shape::box_hull::BoxHull;
use crate::test_rng::Rng;
use crate::{Aabb, Obb};
use core::cmp::Ordering;
use glam::{DQuat, DVec3, Vec3};

/// How the pair lies, exactly, the triangle being mirrored too; `None` where the filter is not certain.
fn check(hull: &BoxHull, corners: [DVec3; 3], ways: &[DVec3]) -> Option<Option<CertainOverlap>> {
    check_side(hull, corners, ways, true);
    check_side(hull, corners, ways, false)
}

fn check_side(
    hull: &BoxHull,
    corners: [DVec3; 3],
    ways: &[DVec3],
    is_mirrored: bool,
) -> Option<Option<CertainOverlap>> {
    let cores = CorePair {
        obstacle: Core::Triangle(corners),
        shape: Core::Box(*hull),
    };
    let context = || format!("{hull:?}\n{corners:?}");
    match filter_overlap(hull, &corners, is_mirrored) {
        Filtered::Unsure => None,
        Filtered::Apart => {
            // One without area overlaps nothing, and its normal is no axis.
            let is_apart = cores.compare_on_axes().is_gt();
            let has_area = !cores.obstacle.is_degenerate_triangle();
            assert!(is_apart || !has_area, "{}", context());
            Some(None)
        }
        Filtered::Overlap(overlap) => {
            assert!(!cores.obstacle.is_degenerate_triangle(), "{}", context());
            assert_eq!(cores.compare_on_axes(), overlap.status, "{}", context());
            assert_eq!(
                cores.way_out([is_mirrored, false]).0,
                overlap.way,
                "{}",
                context()
            );
            let depth = cores.exact_depth(overlap.way);
            let [low, high] = overlap.separation();
            assert!(depth.compare_sum([low, 0.0, 0.0]).is_ge(), "{}", context());
            assert!(depth.compare_sum([high, 0.0, 0.0]).is_le(), "{}", context());
            for way in ways.iter().copied().chain(corners) {
                let exact = cores.compare_along_way(overlap.way, way, DVec3::ZERO);
                let found = overlap.sign_along(way);
                assert!(found.is_none_or(|found| found == exact), "{}", context());
                let found = overlap.compare_along(way, corners[0]);
                let exact = cores.compare_along_way(overlap.way, way, corners[0]);
                assert!(found.is_none_or(|found| found == exact), "{}", context());
            }
            let is_level = |a, b| cores.compare_along_way(overlap.way, a, b).is_eq();
            assert!(
                !overlap.is_of_the_face()
                    || is_level(corners[0], corners[1]) && is_level(corners[1], corners[2])
            );
            Some(Some(overlap))
        }
    }
}

/// A number on a coarse grid, a few units in the last place off it, or any.
fn number(rng: &mut Rng) -> f64 {
    let any = f64::from(rng.signed() * 3.0);
    let on_grid = (any * 2.0).round() * 0.5;
    match (any.to_bits() >> 40) % 4 {
        0 => any,
        1 if on_grid == 0.0 => f64::EPSILON,
        1 => on_grid.next_up(),
        _ => on_grid,
    }
}

fn hull(kind: usize, rng: &mut Rng) -> BoxHull {
    let mut point = || Vec3::from([(); 3].map(|()| (rng.signed() * 8.0).round() * 0.25));
    let (at, half) = (point(), point().abs());
    let turns = [
        DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8),
        DQuat::from_xyzw(0.0, 0.5_f64.sqrt(), 0.0, 0.5_f64.sqrt()),
        DQuat::from_xyzw(0.1, 0.28, 0.02, 0.9),
        DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
    ];
    match kind % 6 {
        0 | 1 => BoxHull::from(&Aabb::new(at - half, at + half).unwrap()),
        turn => BoxHull::from(&Obb::new(at, half, turns[turn - 2]).unwrap()),
    }
}

#[test]
fn what_the_filter_finds_is_what_exact_comparison_finds() {
    let mut rng = Rng(31);
    let (mut overlaps, mut apart, mut unsure) = (0, 0, 0);
    for case in 0..60_000 {
        let hull = hull(case, &mut rng);
        let mut corners = [(); 3].map(|()| DVec3::from_array([(); 3].map(|()| number(&mut rng))));
        if case % 3 == 0 {
            // Level, as ground is.
            corners[1].y = corners[0].y;
            corners[2].y = corners[0].y;
        }
        if case % 7 == 0 {
            // On the level of a corner of the box.
            corners[0].y = hull.corners[case / 7 % 8].y;
        }
        let way = DVec3::from_array([(); 3].map(|()| number(&mut rng)));
        match check(&hull, corners, &[way]) {
            Some(Some(_)) => overlaps += 1,
            Some(None) => apart += 1,
            None => unsure += 1,
        }
    }
    assert!(overlaps > 5_000 && apart > 5_000, "{overlaps} {apart}");
    assert!(unsure < 15_000, "{unsure}");
}

#[test]
fn level_overlaps_compare_as_their_depths_do() {
    let mut rng = Rng(32);
    let mut ties = 0;
    for case in 0..20_000 {
        let hull = hull(case, &mut rng);
        let [one, other] = [(); 2].map(|()| {
            let level = f64::from((rng.signed() * 2.0).round() * 0.5);
            [(); 3].map(|()| DVec3::new(2.0 * number(&mut rng), level, 2.0 * number(&mut rng)))
        });
        let (Some(Some(a)), Some(Some(b))) = (check(&hull, one, &[]), check(&hull, other, &[]))
        else {
            continue;
        };
        let Some(found) = a.compare_level(&b) else {
            continue;
        };
        let depth = |corners: [DVec3; 3], overlap: &CertainOverlap| {
            let cores = CorePair {
                obstacle: Core::Triangle(corners),
                shape: Core::Box(hull),
            };
            cores.exact_depth(overlap.way)
        };
        assert_eq!(found, depth(one, &a).compare(&depth(other, &b)), "{hull:?}");
        ties += usize::from(found == Ordering::Equal);
    }
    assert!(ties > 200, "{ties}");
}

#[test]
fn boxes_in_level_ground_are_certain() {
    for turn in [0.0, 0.28, 0.7] {
        for depth in [0.1, 0.5, 4.0] {
            let middle = Vec3::new(0.25, 4.0 - depth, 0.375);
            let half = Vec3::new(3.0, 4.0, 2.5);
            let hull = if turn == 0.0 {
                BoxHull::from(&Aabb::new(middle - half, middle + half).unwrap())
            } else {
                let turn = DQuat::from_xyzw(0.0, turn, 0.0, 1.0);
                BoxHull::from(&Obb::new(middle, half, turn).unwrap())
            };
            let mut overlaps = 0;
            for cell in 0..64 {
                let at = DVec3::new(f64::from(cell % 8) - 4.0, 0.0, f64::from(cell / 8) - 4.0);
                for corners in [
                    [at, at + DVec3::Z, at + DVec3::X],
                    [at + DVec3::X, at + DVec3::Z, at + DVec3::X + DVec3::Z],
                ] {
                    let found = check(&hull, corners, &[]);
                    let is_certain = found.is_some();
                    assert!(is_certain, "{hull:?} {corners:?}");
                    overlaps += usize::from(found.flatten().is_some());
                }
            }
            assert!(overlaps > 40, "{overlaps}");
        }
    }
}
