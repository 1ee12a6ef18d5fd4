//! Tests of `all_hits.rs`.

use super::*;
use crate::test_rng::Rng;

/// A cube from 0 to 1 with outward triangles.
fn cube() -> Vec<[DVec3; 3]> {
    let at = |i: u32| {
        DVec3::new(
            f64::from(i & 1),
            f64::from(i >> 1 & 1),
            f64::from(i >> 2 & 1),
        )
    };
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let split = |[a, b, c, d]: [u32; 4]| [[at(a), at(b), at(c)], [at(a), at(c), at(d)]];
    quads.into_iter().flat_map(split).collect()
}

fn sides(ray: &Ray, triangles: &[[DVec3; 3]]) -> Vec<(f32, Side)> {
    let ray = LocalRay::from(ray);
    let mut hits = PartHits::default();
    for (triangle, corners) in (0..).zip(triangles) {
        hits.test(&ray, triangle, corners);
    }
    hits.into_sorted(|side| side)
        .into_iter()
        .map(|(_, hit)| (hit.t, hit.side))
        .collect()
}

/// ```text
///  y ^      +---+
///    |      |   |     A step along x, from z = 0 to 1. A ray at y = 1 runs along the tread.
///    |  +---+   |
///    |  |       |
///    +--+-------+--> x
/// ```
#[test]
fn a_contact_along_a_tread_counts_once() {
    use Side::{Back, Front};
    let profile = [
        (0.0, 0.0),
        (2.0, 0.0),
        (2.0, 2.0),
        (1.0, 2.0),
        (1.0, 1.0),
        (0.0, 1.0),
    ];
    let mut triangles = Vec::new();
    for (k, (x, y)) in profile.into_iter().enumerate() {
        let (next_x, next_y) = profile[(k + 1) % 6];
        let at = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        let (a, b) = (at(x, y, 0.0), at(next_x, next_y, 0.0));
        let (c, d) = (at(next_x, next_y, 1.0), at(x, y, 1.0));
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    let sides = |origin: [f32; 3], direction: [f32; 3]| {
        sides(&Ray::new(origin, direction).unwrap(), &triangles)
    };
    for (z, shift) in [(0.5, 0.0), (0.25, 0.125)] {
        // Up and down the step, at the tread's height; the second rays turn in its plane.
        let up = sides([-1.0, 1.0, z], [1.0, 0.0, shift]);
        assert_eq!(up, [(1.0, Front), (3.0, Back)]);
        let down = sides([3.0, 1.0, z], [-1.0, 0.0, shift]);
        assert_eq!(down, [(1.0, Front), (2.0, Back)]);
    }
    // Along the bottom and the top, which are only touched.
    assert_eq!(
        sides([-1.0, 0.0, 0.5], [1.0, 0.0, 0.0]),
        [(1.0, Front), (3.0, Back)]
    );
    assert_eq!(
        sides([-1.0, 2.0, 0.5], [1.0, 0.0, 0.0]),
        [(2.0, Front), (3.0, Back)]
    );
}

/// The surface of unit cells, each at its smallest corner.
fn cells(solid: &[DVec3]) -> Vec<[DVec3; 3]> {
    let mut triangles = Vec::new();
    for cell in solid {
        for face in cube().chunks(2) {
            let [a, b, c] = face[0];
            let outward = (b - a).cross(c - a);
            if !solid.contains(&(*cell + outward)) {
                triangles.extend(face.iter().map(|corners| corners.map(|p| p + *cell)));
            }
        }
    }
    triangles
}

/// ```text
///  ++   [ 0 ][ 1 ]     [ 3 ]     Cells beyond y = 0 and z = 0, and diagonally before both. A ray
///  --        [ 1 ][ 2 ][ 3 ]     along x runs on faces of one or the other from end to end.
/// ```
/// The perturbed ray is among the upper cells.
#[test]
fn a_ray_from_within_a_contact_keeps_its_crossings() {
    use Side::{Back, Front};
    let upper = [0.0, 1.0, 3.0].map(|x| DVec3::new(x, 0.0, 0.0));
    let lower = [1.0, 2.0, 3.0].map(|x| DVec3::new(x, -1.0, -1.0));
    let triangles = cells(&[upper, lower].concat());
    let hits_from = |t_min: f32, t_max: f32| {
        let ray = Ray::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
        sides(&ray.with_range(t_min, t_max).unwrap(), &triangles)
    };
    let (first, second) = ([(1.0, Front), (3.0, Back)], [(4.0, Front), (5.0, Back)]);
    assert_eq!(hits_from(0.0, 9.0), [first, second].concat());
    // The first hit after the start counts too.
    let touched = [(2.0, Front), (3.0, Back)];
    assert_eq!(hits_from(1.5, 9.0), [touched, second].concat());
    assert_eq!(hits_from(3.5, 9.0), second);
    assert_eq!(hits_from(0.0, 1.5), [(1.0, Front)]);
}

/// An edge that one triangle has whole and others in halves, with one without area between.
#[test]
fn a_triangle_without_area_joins_the_edges_it_fills() {
    let [o, x, y, z] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let m = DVec3::new(0.5, 0.0, 0.0);
    let solid = [
        [o, y, x],
        [o, z, y],
        [x, y, z],
        [o, x, m],
        [o, m, z],
        [m, x, z],
    ];
    for from in [0.1, 0.25, 0.5, 0.6] {
        let ray = Ray::new([from, -1.0, -1.0], [0.0, 1.0, 1.0]).unwrap();
        let found: Vec<Side> = sides(&ray, &solid).iter().map(|hit| hit.1).collect();
        assert_eq!(found, [Side::Front, Side::Back], "{from}");
    }
}

#[test]
fn closed_parts_alternate_at_edges_corners_and_diagonals() {
    use Side::{Back, Front};
    let through = |near: f32, far: f32| vec![(near, Front), (far, Back)];
    for (origin, direction, expected) in [
        // Through both diagonals, through two opposite corners, through two opposite edges.
        ([0.5, 0.5, -1.0], [0.0, 0.0, 1.0], through(1.0, 2.0)),
        ([-1.0; 3], [1.0; 3], through(1.0, 2.0)),
        ([-1.0, -1.0, 0.3], [1.0, 1.0, 0.0], through(1.0, 2.0)),
        ([-1.0, 2.0, 0.3], [1.0, -1.0, 0.0], through(1.0, 2.0)),
        ([2.0, 2.0, -1.0], [-1.0, -1.0, 1.0], through(1.0, 2.0)),
        // An edge and a corner are only touched; beside the cube nothing is hit.
        ([-1.0, 1.0, 0.3], [1.0, -1.0, 0.0], through(1.0, 1.0)),
        ([-1.0, 1.0, 0.0], [1.0, -1.0, 0.0], through(1.0, 1.0)),
        ([-1.0, 0.0, 0.3], [1.0, -1.0, 0.0], vec![]),
        // In the plane of a face: the side faces' edges are hit.
        ([-1.0, 1.0, 0.3], [1.0, 0.0, 0.0], through(1.0, 2.0)),
    ] {
        assert_eq!(
            sides(&Ray::new(origin, direction).unwrap(), &cube()),
            expected,
            "{origin:?} {direction:?}"
        );
    }
}

/// The rule of [`alternate`] to the letter, a hit at a time.
fn alternate_by_rotation(all: &mut [(u32, TriangleHit)]) {
    let mut side = first_side(all, |(_, hit)| hit).unwrap_or(Side::Front);
    for first in 0..all.len() {
        let tied = all[first..]
            .iter()
            .take_while(|other| other.1.t == all[first].1.t);
        let found = tied.clone().position(|(_, hit)| hit.side == side);
        all[first..=first + found.unwrap_or(0)].rotate_right(1);
        side = opposite(all[first].1.side);
    }
}

/// The order of hits of equal t, and the fields of a hit.
fn described(all: &[(u32, TriangleHit)]) -> Vec<(u32, u32, Side, String)> {
    let described = |(triangle, hit): &(u32, TriangleHit)| {
        (*triangle, hit.t.to_bits(), hit.side, format!("{hit:?}"))
    };
    all.iter().map(described).collect()
}

/// Triangles with many hits of equal t for rays at 0: equal ones, turned over or not, fans around a
/// tip, and pairs that share an edge, a few times at each of a few depths.
fn tied_triangles(rng: &mut Rng) -> Vec<[DVec3; 3]> {
    let mut triangles = Vec::new();
    for _ in 0..1 + rng.below(12) {
        let x = rng.pick(&[1.0, 2.0, 2.5, 3.0]);
        let corner = |y: f64, z: f64| DVec3::new(x, y, z);
        let count = 1 + rng.below(7);
        let shape = rng.below(3);
        for index in 0..count {
            let mut corners = match shape {
                0 => [corner(-1.0, -1.0), corner(2.0, -1.0), corner(-1.0, 2.0)],
                1 => {
                    // From the tip at 0 out to a square, flat or as a cone.
                    let rim = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
                    let back = DVec3::X * rng.pick(&[0.0, 0.5, -0.25]);
                    let at = |k: usize| {
                        let (y, z) = rim[k % 4];
                        corner(y, z) + back
                    };
                    [corner(0.0, 0.0), at(index), at(index + 1)]
                }
                _ => {
                    let aside = if index % 2 == 0 { 1.0 } else { -1.0 };
                    [corner(0.0, -1.0), corner(0.0, 1.0), corner(aside, 0.0)]
                }
            };
            if rng.below(2) == 0 {
                corners.swap(1, 2);
            }
            triangles.push(corners);
        }
    }
    triangles
}

#[test]
fn sides_alternate_as_if_each_hit_was_searched_for() {
    let mut rng = Rng(0xA17);
    let mut longest = 0;
    for case in 0..2_000 {
        let triangles = tied_triangles(&mut rng);
        let direction = rng.pick(&[[1.0, 0.0, 0.0], [1.0, 0.0625, 0.0], [1.0, 0.0, -0.125]]);
        let ray = LocalRay::from(&Ray::new([0.0; 3], direction).unwrap());
        let hits_in = || {
            let mut hits = PartHits::default();
            for (triangle, corners) in (0..).zip(&triangles) {
                hits.test(&ray, triangle, corners);
            }
            hits
        };
        for is_mirrored in [false, true] {
            let as_seen = |side| if is_mirrored { opposite(side) } else { side };
            let mut expected = hits_in().into_counted();
            let runs = expected.chunk_by(|a, b| a.1.t == b.1.t);
            longest = runs.map(<[_]>::len).fold(longest, usize::max);
            expected
                .iter_mut()
                .for_each(|(_, hit)| hit.side = as_seen(hit.side));
            alternate_by_rotation(&mut expected);
            expected
                .iter_mut()
                .for_each(|(_, hit)| hit.side = as_seen(hit.side));
            let found = hits_in().into_sorted(as_seen);
            assert_eq!(described(&found), described(&expected), "case {case}");
        }
    }
    assert!(longest > 12, "{longest}");
}

/// Each of these would take minutes if a hit was searched for among all that are left.
#[test]
fn half_a_million_hits_of_equal_t_are_put_in_order() {
    let ray = LocalRay::from(&Ray::new([0.0; 3], [1.0, 0.0, 0.0]).unwrap());
    let front = [[1.0, -1.0, -1.0], [1.0, -1.0, 2.0], [1.0, 2.0, -1.0]].map(DVec3::from_array);
    let back = [front[0], front[2], front[1]];
    let count = 500_000;
    for backs_from in [0, count / 2, count] {
        let mut hits = PartHits::default();
        for triangle in 0..count {
            let corners = if triangle < backs_from { &front } else { &back };
            hits.test(&ray, triangle, corners);
        }
        let sorted = hits.into_sorted(|side| side);
        assert_eq!(sorted.len(), count as usize);
        let is_paired = backs_from == count / 2;
        for (place, (triangle, hit)) in (0..).zip(&sorted) {
            let expected = if is_paired {
                place / 2 + place % 2 * backs_from
            } else {
                place
            };
            assert_eq!(*triangle, expected);
            assert_eq!(hit.side == Side::Front, expected < backs_from);
        }
    }
}
