//! Arcs against each shape, and every surface against its triangles one by one.

use crate::exact::expansion::nearest_f32;
use crate::height_field::Grid;
use crate::{Aabb, BallisticArc, Capsule, HeightField, Obb, Primitive, Side, Sides, Sphere};
use crate::{TriMesh, Triangle, World};
use glam::{DQuat, Vec3};

fn arc(origin: [f32; 3], velocity: [f32; 3], acceleration: [f32; 3]) -> BallisticArc {
    BallisticArc::new(origin, velocity, acceleration).unwrap()
}

/// t, normal and side of a hit.
fn summary(hit: Option<crate::RayHit>) -> Option<(f32, [f32; 3], Side)> {
    hit.map(|hit| (hit.t, hit.normal.to_array(), hit.side))
}

/// The triangle (0,0,0) (4,0,0) (0,0,4) seen from above, counter-clockwise from below: its normal is -y.
///
/// ```text
///  y        . 2
///  |     .     .          p(t) = (t, 4t - t² + y0, 1)
///  |   .         .        up until t = 2, 4 m above its start
///  +--+-----------+--- x
/// ```
fn floor() -> Triangle {
    Triangle::new([0.0; 3], [8.0, 0.0, 0.0], [0.0, 0.0, 8.0]).unwrap()
}

#[test]
fn a_triangle_is_hit_on_the_way_up_and_down_and_by_a_touch() {
    let shot = |y: f32| arc([0.0, y, 1.0], [1.0, 4.0, 0.0], [0.0, -2.0, 0.0]);
    let down = [0.0, -1.0, 0.0];
    for (y, sides, expected) in [
        (-3.0, Sides::Both, Some((1.0, down, Side::Front))),
        (-3.0, Sides::Back, Some((3.0, down, Side::Back))),
        (0.0, Sides::Both, Some((0.0, down, Side::Front))),
        // Only touched: the back, whichever way the normal points.
        (-4.0, Sides::Both, Some((2.0, down, Side::Back))),
        (-4.0, Sides::Front, None),
        (-4.000_000_5, Sides::Both, None),
        // Beyond the triangle's edge when it comes down: 7 < x.
        (12.0, Sides::Both, Some((6.0, down, Side::Back))),
        (21.0, Sides::Both, Some((7.0, down, Side::Back))),
        (21.000_002, Sides::Both, None),
    ] {
        assert_eq!(
            summary(floor().cast_arc(&shot(y), sides)),
            expected,
            "{y} {sides:?}"
        );
    }
    // In its plane, and a triangle without area.
    let level = arc([1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    assert_eq!(floor().cast_arc(&level, ()), None);
    let line = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [8.0, 0.0, 0.0]).unwrap();
    let across = arc([1.0, 1.0, 0.0], [0.0; 3], [0.0, -2.0, 0.0]);
    assert_eq!(line.cast_arc(&across, ()), None);
}

#[test]
fn both_ends_of_the_range_count() {
    let shot = arc([0.0, -3.0, 1.0], [1.0, 4.0, 0.0], [0.0, -2.0, 0.0]);
    for (t_min, t_max, expected) in [
        (0.0, 1.0, Some(1.0)),
        (0.0, 1.0f32.next_down(), None),
        (1.0, 9.0, Some(1.0)),
        (1.0f32.next_up(), 9.0, Some(3.0)),
        (1.5, 3.0f32.next_down(), None),
        (3.0, f32::INFINITY, Some(3.0)),
    ] {
        let limited = shot.with_range(t_min, t_max).unwrap();
        let found = floor().cast_arc(&limited, ()).map(|hit| hit.t);
        assert_eq!(found, expected, "{t_min} {t_max}");
    }
}

#[test]
fn a_box_is_entered_left_and_touched() {
    let solid = Aabb::new([0.0, 0.0, 0.0], [8.0, 3.0, 2.0]).unwrap();
    let shot = |y: f32| arc([0.0, y, 1.0], [1.0, 4.0, 0.0], [0.0, -2.0, 0.0]);
    let x = [-1.0, 0.0, 0.0];
    for (y, sides, expected) in [
        // Starts on the face x = 0; below the box; in its edge; and above.
        (1.0, Sides::Both, Some((0.0, x, Side::Front))),
        (
            -3.0,
            Sides::Both,
            Some((1.0, [0.0, -1.0, 0.0], Side::Front)),
        ),
        (-3.0, Sides::Back, Some((3.0, [0.0, -1.0, 0.0], Side::Back))),
        (-4.0, Sides::Both, Some((2.0, [0.0, -1.0, 0.0], Side::Back))),
        (0.0, Sides::Both, Some((0.0, x, Side::Front))),
        (
            4.0,
            Sides::Both,
            Some((2.0 + 5f32.sqrt(), [0.0, 1.0, 0.0], Side::Front)),
        ),
        (
            16.0,
            Sides::Both,
            Some((2.0 + 17f32.sqrt(), [0.0, 1.0, 0.0], Side::Front)),
        ),
        // Out by the top, and in again on the way down.
        (
            2.0,
            Sides::Back,
            Some((nearest_f32(2.0 - 3f64.sqrt()), [0.0, 1.0, 0.0], Side::Back)),
        ),
        // The upper edge at x = 8, hit on the way down: the first of its axes, which it leaves by.
        (35.0, Sides::Both, Some((8.0, [1.0, 0.0, 0.0], Side::Back))),
        (35.000_004, Sides::Both, None),
    ] {
        for turned in [false, true] {
            let solid = if turned {
                let (center, half) = ([4.0, 1.5, 1.0], [4.0, 1.5, 1.0]);
                Primitive::from(Obb::new(center, half, DQuat::IDENTITY).unwrap())
            } else {
                Primitive::from(solid)
            };
            let found = summary(solid.cast_arc(&shot(y), sides));
            assert_eq!(found, expected, "{y} {sides:?} {turned}");
        }
    }
    let inside = arc([1.0; 3], [1.0, 0.0, 0.0], [0.0, 10.0, 0.0]);
    let found = summary(solid.cast_arc(&inside, ()));
    assert_eq!(found, Some((0.0, [0.0; 3], Side::Inside)));
}

#[test]
fn a_sphere_is_entered_left_and_passed_twice() {
    // The arc's apex is 1 m inside the top of the ball, which it leaves between two hits from above.
    let ball = Sphere::new([2.0, 0.0, 1.0], 1.0).unwrap();
    let shot = |y: f32| arc([0.0, y, 1.0], [1.0, 4.0, 0.0], [0.0, -2.0, 0.0]);
    let capsule = Capsule::new([2.0, 0.0, 1.0], [2.0, 0.0, 1.0], 1.0).unwrap();
    for y in [-3.0, -4.0, -5.0, -4.9, -3.5, 0.0, -2.9, 9.0] {
        for sides in [Sides::Both, Sides::Front, Sides::Back] {
            let hit = ball.cast_arc(&shot(y), sides);
            assert_eq!(hit, capsule.cast_arc(&shot(y), sides));
            if let Some(hit) = hit {
                let off = (hit.point - ball.center()).length() - 1.0;
                assert!(off.abs() < 1e-5, "{y} {off}");
            }
        }
    }
    let touch = ball.cast_arc(&shot(-5.0), ()).unwrap();
    assert!((touch.t - 2.0).abs() < 1e-6 && touch.normal.y < -0.999);
    assert_eq!(ball.cast_arc(&shot(-5.01), ()), None);
    let started = ball.cast_arc(&shot(-4.0).with_range(2.0, 3.0).unwrap(), ());
    assert_eq!(summary(started), Some((2.0, [0.0; 3], Side::Inside)));
    let out = ball.cast_arc(&shot(-4.0).with_range(2.0, 3.0).unwrap(), Sides::Back);
    assert!(out.is_some_and(|hit| hit.side == Side::Back && hit.t > 2.5 && hit.t < 3.0));
}

#[test]
fn without_acceleration_an_arc_is_a_ray() {
    let origin = Vec3::new(1.0, 5.0, 1.0);
    let ray = crate::Ray::new(origin, [0.1, -1.0, 0.2])
        .unwrap()
        .with_range(0.5, 9.0)
        .unwrap();
    let same = arc(origin.to_array(), [0.1, -1.0, 0.2], [0.0, -0.0, 0.0]);
    let same = same.with_range(0.5, 9.0).unwrap();
    let ball = Sphere::new([1.5, 0.0, 2.0], 1.0).unwrap();
    assert_eq!(ball.cast_arc(&same, ()), ball.cast_ray(&ray, ()));
    assert_eq!(floor().cast_arc(&same, ()), floor().cast_ray(&ray, ()));
    assert!(floor().cast_arc_any(&same, ()));
}

/// Hills over a square of cells of 1 m.
fn hill(i: usize, j: usize) -> f32 {
    ((i * 7 + j * 3) % 11) as f32 * 0.25 + ((i * j) % 5) as f32
}

fn hills(size: usize) -> HeightField {
    let heights = (0..size * size).map(|k| hill(k % size, k / size)).collect();
    HeightField::new(Grid::new(size, size, [1.0, 1.0]), heights).unwrap()
}

#[test]
fn terrain_mesh_and_world_answer_as_their_triangles() {
    let field = hills(18);
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    let mut alone = Vec::new();
    let at = |i: usize, j: usize| Vec3::new(i as f32, hill(i, j), j as f32);
    for j in 0..17 {
        for i in 0..17 {
            for corners in [
                [at(i, j), at(i, j + 1), at(i + 1, j)],
                [at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)],
            ] {
                let first = u32::try_from(positions.len()).unwrap();
                positions.extend(corners);
                triangles.push([first, first + 1, first + 2]);
                alone.push(Triangle::new(corners[0], corners[1], corners[2]).unwrap());
            }
        }
    }
    let mesh = TriMesh::new(positions, triangles).unwrap();
    let mut world = World::new();
    world.add(field.clone());
    world.update();
    let mut hits = 0;
    for k in 0..300u32 {
        let number = |n: u32, range: f32| ((k * 7919 + n * 104_729) % 1009) as f32 / 1009.0 * range;
        let origin = [
            number(1, 17.0),
            number(2, 9.0) - 1.0,
            (number(3, 17.0)).round(),
        ];
        let velocity = [
            number(4, 12.0) - 6.0,
            number(5, 12.0) - 3.0,
            number(6, 12.0) - 6.0,
        ];
        let sideways = if k % 3 == 0 {
            [number(7, 4.0) - 2.0, number(8, 4.0) - 2.0]
        } else {
            [0.0; 2]
        };
        let arc = arc(origin, velocity, [sideways[0], -9.81, sideways[1]]);
        for sides in [Sides::Both, Sides::Front, Sides::Back] {
            let mut expected: Option<(f32, u32, crate::RayHit)> = None;
            for (number, triangle) in (0..).zip(&alone) {
                if let Some(hit) = triangle.cast_arc(&arc, sides)
                    && expected.as_ref().is_none_or(|best| hit.t < best.0)
                {
                    expected = Some((hit.t, number, hit));
                }
            }
            let expected = expected.map(|(_, triangle, hit)| crate::RayHit {
                triangle: Some(crate::TriangleId { part: 0, triangle }),
                ..hit
            });
            hits += usize::from(expected.is_some());
            assert_eq!(field.cast_arc(&arc, sides), expected, "{k} {arc:?}");
            assert_eq!(mesh.cast_arc(&arc, sides), expected, "{k} {arc:?}");
            assert_eq!(field.cast_arc_any(&arc, sides), expected.is_some());
            assert_eq!(mesh.cast_arc_any(&arc, sides), expected.is_some());
            let found = world.now().cast_arc(&arc, sides);
            let found = found.map(|hit| crate::RayHit {
                object: None,
                user_data: 0,
                ..hit
            });
            assert_eq!(found, expected);
        }
    }
    assert!(hits > 300, "{hits}");
}
