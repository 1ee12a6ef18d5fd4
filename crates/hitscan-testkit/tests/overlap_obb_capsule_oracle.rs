//! Capsules and oriented boxes against triangles and other primitives, compared with rational
//! arithmetic and with what upright boxes answer.

use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::overlap::{OverlapKind, PrimitiveOverlap};
use hitscan::{Aabb, Capsule, Obb, Primitive, Sphere};
use hitscan_testkit::exact_overlap::has_area;
use hitscan_testkit::shape_cast_oracle::{MovingBox, rational, vector};
use hitscan_testkit::solid_oracle::{box_segment, point_segment, segment_segment};
use hitscan_testkit::{Exact, Rng, Vector};
use num_traits::Zero;
use std::cmp::Ordering;

fn wide(v: Vec3) -> Vector {
    vector(v.as_dvec3().to_array())
}

fn grid_point(rng: &mut Rng, n: usize) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| f32::from(i8::try_from(rng.below(n)).unwrap_or(0))))
}

fn capsule(rng: &mut Rng) -> Capsule {
    let a = grid_point(rng, 6);
    let b = if rng.one_in(4) {
        a + Vec3::X * 3.0
    } else {
        grid_point(rng, 6)
    };
    let radius = [1.0, 2.0, 3.0, 5.0, 0.5][rng.below(5)];
    Capsule::new(a, b, radius).expect("a capsule")
}

fn aabb(rng: &mut Rng) -> Aabb {
    let (p, q) = (grid_point(rng, 7), grid_point(rng, 7));
    Aabb::new(p.min(q), p.max(q)).expect("a box")
}

fn segment(capsule: &Capsule) -> [Vector; 2] {
    [wide(capsule.a()), wide(capsule.b())]
}

/// A rotation by a third of a turn about a diagonal, which is exact, and the box that is `aabb`
/// when it has been turned by it.
fn turned(aabb: &Aabb) -> Obb {
    let center = (aabb.min() + aabb.max()) * 0.5;
    let half = (aabb.max() - aabb.min()) * 0.5;
    // It takes x to y, y to z and z to x.
    let rotation = DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    Obb::new(center, Vec3::new(half.y, half.z, half.x), rotation).expect("a box")
}

#[test]
fn capsules_overlap_capsules_spheres_and_boxes() {
    let mut rng = Rng::new(0xcab5);
    let mut counts = [0; 5];
    let tally = |counts: &mut [usize; 5], overlap: Option<PrimitiveOverlap>| {
        counts[match overlap {
            None => 0,
            Some(PrimitiveOverlap::Cross) => 1,
            Some(PrimitiveOverlap::Touch) => 2,
            Some(PrimitiveOverlap::FirstContains) => 3,
            Some(PrimitiveOverlap::SecondContains) => 4,
        }] += 1;
    };
    let classified = |order: Ordering, first: bool, second: bool| match order {
        Ordering::Greater => None,
        Ordering::Equal => Some(PrimitiveOverlap::Touch),
        Ordering::Less if first => Some(PrimitiveOverlap::FirstContains),
        Ordering::Less if second => Some(PrimitiveOverlap::SecondContains),
        Ordering::Less => Some(PrimitiveOverlap::Cross),
    };
    let square = |x: f64| rational(x) * rational(x);
    // Whether the capsule holds the ball.
    let holds = |capsule: &Capsule, center: &Vector, radius: f64| {
        capsule.radius() >= radius
            && point_segment(center, &segment(capsule)) <= square(capsule.radius() - radius)
    };
    for _ in 0..6_000 {
        let (first, second) = (capsule(&mut rng), capsule(&mut rng));
        let apart = segment_segment(&segment(&first), &segment(&second));
        let order = apart.cmp(&square(first.radius() + second.radius()));
        let both =
            |a: &Capsule, b: &Capsule| segment(b).iter().all(|end| holds(a, end, b.radius()));
        let expected = classified(order, both(&first, &second), both(&second, &first));
        let found = Primitive::from(first).overlap(&second.into());
        assert_eq!(found, expected, "{first:?} {second:?}");
        tally(&mut counts, found);

        let ball = Sphere::new(second.a(), second.radius()).expect("a sphere");
        let center = wide(ball.center());
        let order =
            point_segment(&center, &segment(&first)).cmp(&square(first.radius() + ball.radius()));
        let in_ball = ball.radius() >= first.radius()
            && segment(&first).iter().all(|end| {
                point_segment(end, &[center.clone(), center.clone()])
                    <= square(ball.radius() - first.radius())
            });
        let expected = classified(order, holds(&first, &center, ball.radius()), in_ball);
        let found = Primitive::from(first).overlap(&ball.into());
        // Equal ones hold each other: there the order of arguments decides.
        let is_equal = first.a() == first.b() && ball.radius() == first.radius() && order.is_lt();
        if !is_equal {
            assert_eq!(found, expected, "{first:?} {ball:?}");
        }

        let upright = aabb(&mut rng);
        let at_rest = MovingBox {
            min: wide(upright.min()),
            max: wide(upright.max()),
            motion: vector([0.0; 3]),
        };
        let order =
            box_segment(&at_rest, &Exact::zero(), &segment(&first)).cmp(&square(first.radius()));
        let in_capsule = (0..8).all(|k| {
            let pick = |axis: usize| [upright.min(), upright.max()][k >> axis & 1][axis];
            holds(&first, &wide(Vec3::new(pick(0), pick(1), pick(2))), 0.0)
        });
        let ends = [first.a(), first.b()];
        let in_box = (0..3).all(|axis| {
            ends.iter().all(|end| {
                let room = (end[axis] - upright.min()[axis]).min(upright.max()[axis] - end[axis]);
                f64::from(room) >= first.radius()
            })
        });
        let expected = classified(order, in_capsule, in_box);
        let found = Primitive::from(first).overlap(&upright.into());
        assert_eq!(found, expected, "{first:?} {upright:?}");
        tally(&mut counts, found);
        let found = Primitive::from(turned(&upright)).overlap(&first.into());
        let expected = expected.map(PrimitiveOverlap::exchanged);
        assert_eq!(found, expected, "{first:?} {upright:?}");
    }
    println!("{counts:?}");
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn triangles_overlap_capsules() {
    let mut rng = Rng::new(0x7ca9);
    let mut counts = [0; 4];
    for _ in 0..8_000 {
        let capsule = capsule(&mut rng);
        let corners = [(); 3].map(|()| grid_point(&mut rng, 7));
        let exact = corners.map(wide);
        let found = Primitive::from(capsule).triangle_overlap(&corners.map(|p| p.as_dvec3()));
        if !has_area(&exact) {
            assert_eq!(found, None);
            continue;
        }
        let ends = segment(&capsule);
        let limit = rational(capsule.radius()) * rational(capsule.radius());
        let is_held = exact
            .iter()
            .all(|corner| point_segment(corner, &ends) <= limit);
        let least = segment_triangle(&ends, &exact);
        let expected = match least.cmp(&limit) {
            Ordering::Less if is_held => Some(OverlapKind::Contains),
            Ordering::Less => Some(OverlapKind::Cross),
            Ordering::Equal => Some(OverlapKind::Touch),
            Ordering::Greater => None,
        };
        let kind = found.map(|overlap| overlap.kind);
        assert_eq!(kind, expected, "{capsule:?} {corners:?}");
        counts[match kind {
            None => 0,
            Some(OverlapKind::Touch) => 1,
            Some(OverlapKind::Contains) => 2,
            _ => 3,
        }] += 1;
    }
    println!("{counts:?}");
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// The squared distance of a segment from a triangle with an area.
fn segment_triangle(ends: &[Vector; 2], triangle: &[Vector; 3]) -> Exact {
    let [a, b, c] = triangle;
    let sides = [[a, b], [b, c], [c, a]].map(|[p, q]| [p.clone(), q.clone()]);
    let by_sides = sides.iter().map(|side| segment_segment(ends, side));
    let by_ends = ends
        .iter()
        .map(|end| hitscan_testkit::exact_overlap::squared_distance(triangle, end));
    let direction = [0, 1, 2].map(|i: usize| &ends[1][i] - &ends[0][i]);
    let crossing = hitscan_testkit::line_triangle(&ends[0], &direction, triangle);
    if crossing.is_some_and(|crossing| crossing.t >= rational(0.0) && crossing.t <= rational(1.0)) {
        return Exact::zero();
    }
    by_sides.chain(by_ends).min().expect("five distances")
}

#[test]
fn exactly_rotated_boxes_answer_as_upright_ones() {
    let mut rng = Rng::new(0x1203);
    let mut counts = [0; 2];
    for _ in 0..20_000 {
        let (first, second) = (aabb(&mut rng), aabb(&mut rng));
        let (upright, obb) = (Primitive::from(first), Primitive::from(turned(&first)));
        assert_eq!(obb.bounds(), first);
        let radius = [1.0, 2.0, 2.5][rng.below(3)];
        let ball = Sphere::new(grid_point(&mut rng, 7), radius).expect("a sphere");
        for other in [second.into(), turned(&second).into(), ball.into()] {
            let expected = upright.overlap(&match other {
                Primitive::Obb(_) => second.into(),
                ref other => other.clone(),
            });
            assert_eq!(obb.overlap(&other), expected, "{first:?} {other:?}");
            counts[usize::from(expected.is_some())] += 1;
        }
        let corners = [(); 3].map(|()| grid_point(&mut rng, 7).as_dvec3());
        let expected = upright.triangle_overlap(&corners);
        assert_eq!(
            obb.triangle_overlap(&corners),
            expected,
            "{first:?} {corners:?}"
        );
        counts[usize::from(expected.is_some())] += 1;
    }
    assert!(counts.iter().all(|&count| count > 5_000), "{counts:?}");
}

/// The twelve triangles of a box.
fn faces(corners: &[DVec3; 8]) -> Vec<[DVec3; 3]> {
    (0..3)
        .flat_map(|axis| {
            let [u, v] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
            [0, 1 << axis].map(|k: usize| [k, k | u, k | u | v, k | v])
        })
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .map(|triangle| triangle.map(|k| corners[k]))
        .collect()
}

/// Boxes turned in any way, against what their faces, as triangles, do with the other shape.
#[test]
fn oriented_boxes_overlap_what_their_faces_overlap() {
    let mut rng = Rng::new(0xface);
    let mut counts = [0; 4];
    for number in 0..4_000 {
        let [x, y, z, w] = [(); 4].map(|()| rng.uniform(-1.0, 1.0));
        let half_size = grid_point(&mut rng, 6) + 0.25;
        let obb = Obb::new(
            grid_point(&mut rng, 7),
            half_size,
            DQuat::from_xyzw(x, y, z, w),
        )
        .expect("a box");
        let other = match number % 3 {
            0 => Primitive::from(aabb(&mut rng)),
            1 => Primitive::from(capsule(&mut rng)),
            _ => Primitive::from(Sphere::new(grid_point(&mut rng, 7), 1.5).expect("a sphere")),
        };
        let corners = obb.corners();
        let kinds: Vec<_> = faces(&corners)
            .iter()
            .filter_map(|face| other.triangle_overlap(face))
            .map(|overlap| overlap.kind)
            .collect();
        let middle = match other {
            Primitive::Aabb(aabb) => (aabb.min() + aabb.max()) * 0.5,
            Primitive::Capsule(capsule) => capsule.a(),
            Primitive::Sphere(sphere) => sphere.center(),
            Primitive::Obb(obb) => obb.center(),
            Primitive::ConvexHull(_) | Primitive::Cylinder(_) => {
                unreachable!("there are none here")
            }
        };
        let expected =
            if !kinds.is_empty() && kinds.iter().all(|kind| *kind == OverlapKind::Contains) {
                Some(PrimitiveOverlap::SecondContains)
            } else if kinds.iter().any(|kind| *kind != OverlapKind::Touch) {
                Some(PrimitiveOverlap::Cross)
            } else if obb.contains(middle) {
                Some(PrimitiveOverlap::FirstContains)
            } else if kinds.is_empty() {
                None
            } else {
                Some(PrimitiveOverlap::Touch)
            };
        // A flat box has no inside that faces could miss, but a way of touching of its own.
        let is_flat = matches!(other, Primitive::Aabb(aabb) if (aabb.max() - aabb.min()).min_element() == 0.0);
        let found = Primitive::from(obb).overlap(&other);
        if !is_flat {
            assert_eq!(found, expected, "{obb:?} {other:?} {kinds:?}");
        }
        counts[match found {
            None => 0,
            Some(PrimitiveOverlap::FirstContains) => 1,
            Some(PrimitiveOverlap::SecondContains) => 2,
            _ => 3,
        }] += 1;
    }
    println!("{counts:?}");
    assert!(counts.iter().all(|&count| count > 9), "{counts:?}");
}
