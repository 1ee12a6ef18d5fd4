//! Tests of `all_hits.rs`.

use super::*;

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

/// The surface of unit cells, each at its least corner.
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
    // What is met first after the start counts too.
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
