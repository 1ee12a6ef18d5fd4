//! First contacts of a moving box, axis-aligned or oriented, with a box or a triangle, against whole
//! numbers: the intervals of all axes, by brute force.

use core::cmp::Ordering;
use glam::{DQuat, DVec3};
use hitscan::convex::examined::{ExaminedContact, ExaminedShape, examine};
use hitscan::{Obb, Primitive};
use hitscan_testkit::core_oracle::{RationalCore, nearest};
use hitscan_testkit::grid_shapes::{LEAST, Maker, Shapes};
use hitscan_testkit::round_cases::core;
use hitscan_testkit::shape_cast_oracle::vector;
use hitscan_testkit::whole_body::{
    Body, Vector, axes, distance, dot, minus, unit, whole, whole_vector,
};
use hitscan_testkit::{Rng, rounds};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// What is expected of a move.
enum Expected {
    Miss,
    Overlap,
    /// At this time, with this normal of any length.
    Hit(BigRational, Vector),
}

/// The rule of the moving box, word by word.
fn expected(obstacle: &Body, shape: &Body, motion: &Vector) -> Expected {
    let mut enter: Option<(BigRational, Vector)> = None;
    let mut leave: Option<BigRational> = None;
    let mut overlaps = true;
    for axis in axes(obstacle, shape) {
        let near = obstacle.lowest(&axis) - shape.highest(&axis);
        let far = obstacle.highest(&axis) - shape.lowest(&axis);
        let speed = dot(&axis, motion);
        let is_open = near.is_negative() && far.is_positive();
        overlaps &= is_open;
        if speed.is_zero() {
            if !is_open {
                return Expected::Miss;
            }
            continue;
        }
        let times = [near, far].map(|way| BigRational::new(way, speed.clone()));
        let (first, last) = if speed.is_positive() {
            (&times[0], &times[1])
        } else {
            (&times[1], &times[0])
        };
        if enter.as_ref().is_none_or(|(latest, _)| first > latest) {
            let against = if speed.is_positive() {
                axis.map(|x| -x)
            } else {
                axis
            };
            enter = Some((first.clone(), against));
        }
        if leave.as_ref().is_none_or(|earliest| last < earliest) {
            leave = Some(last.clone());
        }
    }
    if overlaps {
        return Expected::Overlap;
    }
    let (Some((enter, normal)), Some(leave)) = (enter, leave) else {
        return Expected::Miss;
    };
    let is_hit = enter <= leave && leave.is_positive() && enter <= BigRational::one();
    if is_hit {
        Expected::Hit(enter.max(BigRational::zero()), normal)
    } else {
        Expected::Miss
    }
}

fn ratio(x: f64) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

/// The kinds of answers that were seen: misses, overlaps, hits at the start, hits later.
type Counts = [usize; 4];

fn check(obstacle: &ExaminedShape, shape: &ExaminedShape, motion: DVec3, counts: &mut Counts) {
    let (a, b) = (Body::new(obstacle), Body::new(shape));
    let corners = match obstacle {
        ExaminedShape::Triangle(corners) => corners.to_vec(),
        ExaminedShape::Solid(Primitive::Obb(obb)) => obb.corners().to_vec(),
        ExaminedShape::Solid(solid) => vec![
            solid.bounds().min().as_dvec3(),
            solid.bounds().max().as_dvec3(),
        ],
    };
    let ways: Vec<[DVec3; 2]> = (1..corners.len())
        .map(|i| [corners[i - 1], corners[i]])
        .collect();
    let found = examine(obstacle, shape, motion, &ways);
    let context = || format!("{obstacle:?}\n{shape:?}\n{motion:?}\n{found:?}");
    match (expected(&a, &b, &whole_vector(motion)), &found) {
        (Expected::Miss, None) => counts[0] += 1,
        (Expected::Overlap, Some(found)) if found.is_overlap => counts[1] += 1,
        (Expected::Hit(t, normal), Some(found)) if !found.is_overlap => {
            counts[if t.is_zero() { 2 } else { 3 }] += 1;
            check_time(found, &t, &context);
            if counts.iter().sum::<usize>().is_multiple_of(8) {
                check_by_distance([obstacle, shape], motion, &t, &context);
            }
            let off = (found.normal.as_dvec3() - unit(&normal)).length();
            assert!(off < 1.0 / 4_194_304.0, "{off} {}", context());
            assert!(found.normal.as_dvec3().dot(motion) < 0.0, "{}", context());
            for (way, sign) in ways.iter().zip(&found.signs) {
                let way = minus(&whole_vector(way[1]), &whole_vector(way[0]));
                let exact = dot(&normal, &way).cmp(&BigInt::zero());
                assert_eq!(exact, *sign, "{}", context());
            }
            check_point(found, &a, &b, motion, &context);
        }
        _ => panic!("{}", context()),
    }
}

fn check_time(found: &ExaminedContact, t: &BigRational, context: &dyn Fn() -> String) {
    let [low, high] = found.enclosure;
    assert!(ratio(low) <= *t && *t <= ratio(high), "{}", context());
    assert!(0.0 <= low && high <= 1.0, "{}", context());
    let floor = found.floor;
    assert!(
        ratio(floor) <= *t && *t < ratio(floor.next_up()),
        "{}",
        context()
    );
    let is_even = found.t.to_bits().is_multiple_of(2);
    let midpoint = |other: f32| ratio(f64::midpoint(f64::from(found.t), f64::from(other)));
    let below = t.cmp(&midpoint(found.t.next_down()));
    let above = t.cmp(&midpoint(found.t.next_up()));
    let is_nearest = |order: Ordering, side: Ordering| order == side || is_even && order.is_eq();
    assert!(is_nearest(below, Ordering::Greater), "{}", context());
    assert!(is_nearest(above, Ordering::Less), "{}", context());
}

/// A second oracle: the distance is convex in time, so it is 0 first where it is 0 and was not before.
fn check_by_distance(
    shapes: [&ExaminedShape; 2],
    motion: DVec3,
    t: &BigRational,
    context: &dyn Fn() -> String,
) {
    let [obstacle, shape] = shapes.map(|shape| {
        let exact = |corner: &DVec3| vector(corner.to_array());
        RationalCore::new(core(shape).0.iter().map(exact).collect())
    });
    let motion = vector(motion.to_array());
    let apart = |t: &BigRational| nearest(&obstacle, &shape.moved(&motion, t)).squared;
    assert!(apart(t).is_zero(), "{}", context());
    if t.is_positive() {
        let before = t * ratio(1.0 - f64::EPSILON);
        assert!(apart(&before).is_positive(), "{}", context());
    }
}

/// The point is on both at the time of contact, within 2^-21 of the largest coordinate.
fn check_point(
    found: &ExaminedContact,
    obstacle: &Body,
    shape: &Body,
    motion: DVec3,
    context: &dyn Fn() -> String,
) {
    let point = found.point.as_dvec3();
    let most = (point.abs() + motion.abs()).max_element().max(1.0);
    let reach = whole(most / 2_097_152.0);
    for (body, point) in [(obstacle, point), (shape, point - motion * found.floor)] {
        let point = Body {
            corners: vec![whole_vector(point)],
            edges: Vec::new(),
            triangles: Vec::new(),
            normals: Vec::new(),
            directions: Vec::new(),
            radius: BigInt::zero(),
        };
        let apart = distance(body, &point);
        assert!(
            apart.numerator <= &reach * &reach * apart.denominator,
            "{}",
            context()
        );
    }
}

#[test]
fn moving_boxes_meet_boxes_and_triangles_as_whole_numbers_say() {
    let obstacles: [Maker; 3] = [Shapes::triangle, Shapes::aabb, Shapes::obb];
    let shapes: [Maker; 2] = [Shapes::aabb, Shapes::obb];
    let mut counts = [0; 4];
    let grids = [
        (true, 1.0, 81),
        (false, 1.0, 82),
        (true, LEAST, 84),
        (false, LEAST, 85),
    ];
    for (is_on_grid, scale, seed) in grids {
        let rng = Rng::new(seed);
        let mut make = Shapes {
            rng,
            is_on_grid,
            scale,
        };
        for case in 0..rounds(120) {
            for obstacle in obstacles {
                for shape in shapes {
                    let pair = (obstacle(&mut make), shape(&mut make));
                    let motion = make.point().as_dvec3() * [1.0, 2.0, 3.0][case % 3];
                    check(&pair.0, &pair.1, motion, &mut counts);
                }
            }
        }
    }
    println!("misses, overlaps, hits at the start, hits later: {counts:?}");
    assert!(counts.iter().all(|count| *count > rounds(10)), "{counts:?}");
}

/// Boxes that start flush with a face of the obstacle, and slide, part, or press.
#[test]
fn boxes_that_start_in_touch_meet_as_whole_numbers_say() {
    let rng = Rng::new(83);
    let mut make = Shapes {
        rng,
        is_on_grid: true,
        scale: 1.0,
    };
    let quarter = DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0);
    let mut counts = [0; 4];
    for _ in 0..rounds(60) {
        let ExaminedShape::Solid(Primitive::Obb(obb)) = make.obb() else {
            unreachable!("a turned box was made")
        };
        for rotation in [obb.rotation(), quarter, DQuat::IDENTITY] {
            let shape = Obb::new(obb.center(), obb.half_size(), rotation).unwrap();
            let corners = shape.corners();
            // The triangle lies in the plane of a face, which it need not touch.
            let [a, b, c] = [corners[0], corners[1], corners[2]];
            let triangle = ExaminedShape::Triangle([a + (a - b), b, c]);
            let beyond = Obb::new(
                (shape.center().as_dvec3() + (corners[1] - corners[0])).as_vec3(),
                shape.half_size(),
                rotation,
            );
            let solid = ExaminedShape::Solid(Primitive::Obb(beyond.unwrap()));
            let shape = ExaminedShape::Solid(Primitive::Obb(shape));
            for obstacle in [triangle, solid] {
                check(&obstacle, &shape, make.point().as_dvec3(), &mut counts);
                check(&obstacle, &shape, b - a, &mut counts);
                check(&obstacle, &shape, DVec3::ZERO, &mut counts);
            }
        }
    }
    println!("misses, overlaps, hits at the start, hits later: {counts:?}");
    assert!(counts.iter().take(3).all(|count| *count > 0), "{counts:?}");
}
