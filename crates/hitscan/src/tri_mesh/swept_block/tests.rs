//! No triangle that is hit is culled.

use super::*;
use crate::bvh::{NO_ITEM, TraversalQuery};
use crate::narrow_phase::contact::query::ContactQuery;
use crate::narrow_phase::convex::Convex;
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::simd::{Width, dispatch};
use crate::test_rng::Rng;
use crate::{Aabb, Capsule, Obb, Primitive, ShapeCast, Sides, Sphere, TriMesh};
use glam::{DQuat, Vec3};

/// The triangles that may be touched until the end, with when at the earliest.
fn possible(mesh: &TriMesh, cast: &PreparedCast) -> Vec<(u32, f64)> {
    let swept = cast.swept();
    let corners = (swept.min, swept.max);
    let query = TraversalQuery::moving_box(corners, swept.motion, (0.0, 1.0));
    let mut found = Vec::new();
    dispatch!(mesh.bvh().width(), simd => {
        let mut prepared = TraversalRay::NONE;
        if mesh.bvh().prepare_into(simd, &query, &mut prepared) {
            let shape = SweptShape::new(cast.outline(), cast.motion, &prepared);
            for (leaf, items) in (0..).zip(mesh.bvh().leaves()) {
                let limit = prepared.time_limit(1.0);
                let test = shape.test_block(simd, &prepared, mesh.bvh().block(leaf), limit);
                for (lane, item) in items.iter().enumerate() {
                    if test.possible >> lane & 1 == 1 {
                        assert_ne!(*item, NO_ITEM);
                        found.push((*item, prepared.earliest(test.times[lane])));
                    }
                }
            }
        }
    });
    found
}

/// The bounds of the triangles' separations from a shape at rest.
fn separations(mesh: &TriMesh, query: &ContactQuery) -> Vec<(u32, f64)> {
    let around = TraversalQuery::moving_box(query.reach(), DVec3::ZERO, (0.0, 1.0));
    let mut found = Vec::new();
    dispatch!(mesh.bvh().width(), simd => {
        let mut prepared = TraversalRay::NONE;
        if mesh.bvh().prepare_into(simd, &around, &mut prepared) {
            let shape = SweptShape::new(query.outline(), DVec3::ZERO, &prepared);
            for (leaf, items) in (0..).zip(mesh.bvh().leaves()) {
                let min = shape.separations(simd, &prepared, mesh.bvh().block(leaf));
                let used = items.iter().filter(|item| **item != NO_ITEM);
                found.extend(used.copied().zip(min));
            }
        }
    });
    found
}

#[test]
fn no_triangle_that_is_hit_is_culled() {
    let mut rng = Rng(1);
    let (mut hit, mut tested) = (0, 0);
    // Those that are hit and those that pass the filter, of ordinary sizes.
    let mut ordinary = [0, 0];
    for round in 0..6_000 {
        // Sizes from tiny to huge, and small shapes and triangles far from the origin.
        let scale = [1.0, 1e-20, 1e-12, 1e6, 1e15, 1.0][round % 6];
        let mut point = |size: f32| Vec3::from([(); 3].map(|()| size * rng.signed()));
        let far = if round % 6 == 5 {
            point(50.0)
        } else {
            Vec3::ZERO
        };
        let flat = if round % 4 == 3 {
            Vec3::new(1.0, 0.0, 1.0)
        } else {
            Vec3::ONE
        };
        // Beside a triangle that is far larger the others are tested as well as without it.
        let second = if round % 7 == 0 && scale < 1e10 {
            1e4
        } else {
            1.0
        };
        let positions: Vec<Vec3> = (0..6)
            .map(|k| far + flat * point(scale) * if k < 3 { 1.0 } else { second })
            .collect();
        let size = [1.0, 0.1, 1e-3][round % 3] * scale;
        let (from, half) = (far + point(2.0 * scale), point(size).abs());
        let aside = point(scale);
        let motion = match round % 5 {
            0 => Vec3::new(6.0 * aside.x, 0.0, 0.0),
            1 => 3.0 * aside,
            _ => 1.5 * (far - from) + aside,
        };
        let radius = f64::from(half.x.max(size * 1e-3));
        let shape: Primitive = match round % 4 {
            0 => Sphere::new(from, radius).unwrap().into(),
            1 => Capsule::new(from, from + half, radius).unwrap().into(),
            2 => Aabb::new(from - half, from + half).unwrap().into(),
            _ => {
                let turn = DQuat::from_xyzw(0.48, 0.6, 0.0, 0.64);
                Obb::new(from, half, turn).unwrap().into()
            }
        };
        let cast = ShapeCast::new(&shape, motion).unwrap();
        let cast = PreparedCast::new(&cast, Sides::Both);
        let query = ContactQuery::new(&shape, 16.0 * scale);
        let triangles = vec![
            [0, 1, 2],
            [0, 2, 3],
            [0, 3, 4],
            [0, 4, 5],
            [0, 5, 1],
            [1, 3, 5],
            [2, 4, 5],
            [1, 2, 4],
        ];
        for width in Width::available() {
            let mesh = TriMesh::new(positions.clone(), triangles.clone()).unwrap();
            let mesh = mesh.with_width(width);
            let compared = if round < 600 {
                separations(&mesh, &query)
            } else {
                Vec::new()
            };
            for (triangle, min) in compared {
                let obstacle = Convex::triangle(mesh.corners(triangle));
                let separation = f64::from(cast.resting(&obstacle).separation());
                assert!(
                    min <= separation + separation.abs() * 1e-6,
                    "{shape:?} {positions:?} {triangle} {min} {separation}"
                );
            }
            let possible = possible(&mesh, &cast);
            tested += triangles.len();
            if round % 6 == 0 {
                ordinary[1] += possible.len();
            }
            for triangle in 0..8 {
                let Some(encounter) = cast.meet_triangle(&mesh.corners(triangle).into(), 1.0)
                else {
                    continue;
                };
                hit += 1;
                ordinary[0] += usize::from(round % 6 == 0);
                let t = f64::from(encounter.t());
                let found = possible.iter().find(|(item, _)| *item == triangle);
                let is_in_time = found.is_some_and(|(_, earliest)| *earliest <= t * (1.0 + 1e-7));
                assert!(
                    is_in_time,
                    "{cast:?} {positions:?} {triangle} {found:?} {t}"
                );
            }
        }
    }
    assert!(hit > tested / 10, "{hit} of {tested} are hit");
    let [hit, passed] = ordinary;
    assert!(
        passed < hit + hit / 4,
        "{passed} pass the filter, and {hit} are hit"
    );
}
