//! Contacts of resting shapes against whole numbers: status, separation, way out, points and margins.
//!
//! The oracle takes the distance as the least over all corners, edges and faces, and the depth as the
//! least over all axes; that no other direction parts the cores sooner is tried with a thousand.

use core::cmp::Ordering;
use glam::{DQuat, DVec3};
use hitscan::convex::examined::ExaminedShape;
use hitscan::convex::examined_resting::{
    ExaminedResting, compare_separations, examine_resting, is_within,
};
use hitscan::{Obb, Primitive};
use hitscan_testkit::grid_shapes::{LEAST, Maker, Shapes};
use hitscan_testkit::resting_oracle::{Expected, depth_along};
use hitscan_testkit::whole_body::{
    Body, SHIFT, Squared, distance, dot, minus, unit, whole, whole_vector,
};
use hitscan_testkit::{Rng, has_usual_numbers};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

fn check(obstacle: &ExaminedShape, shape: &ExaminedShape, scale: f64, rng: &mut Rng) -> Ordering {
    let (a, b) = (Body::new(obstacle), Body::new(shape));
    let expected = Expected::new(&a, &b);
    let corners: Vec<DVec3> = [&a, &b]
        .iter()
        .flat_map(|body| &body.corners)
        .map(|corner| {
            let rational = |x: &BigInt| BigRational::new(x.clone(), BigInt::from(1) << SHIFT);
            let rounded = |x: &BigInt| rational(x).to_f64().expect("it is finite");
            DVec3::from_array([0, 1, 2].map(|i: usize| rounded(&corner[i])))
        })
        .collect();
    let ways: Vec<[DVec3; 2]> = (1..corners.len())
        .map(|i| [corners[i - 1], corners[i]])
        .collect();
    let margins = [0.0, 0.5, -0.25, 1.0 + rng.uniform(0.0, 1.0)].map(|margin| margin * scale);
    let found = examine_resting(obstacle, shape, &ways, &margins);
    let context = || format!("{obstacle:?}\n{shape:?}\n{found:?}");
    assert_eq!(found.status, expected.status, "{}", context());
    check_separation(&found, &expected, &margins, &context);
    let margin = f64::from(found.separation);
    let is_near = expected.compare(&whole(margin)).is_le();
    assert_eq!(is_within(obstacle, shape, margin), is_near, "{}", context());
    if let Some(squared) = &expected.squared {
        let off = (found.normal.as_dvec3() - unit(&squared.along)).length();
        assert!(off < 1.0 / 4_194_304.0, "{off} {}", context());
        for (way, sign) in ways.iter().zip(&found.signs) {
            let way = minus(&whole_vector(way[1]), &whole_vector(way[0]));
            assert_eq!(
                dot(&squared.along, &way).cmp(&BigInt::zero()),
                *sign,
                "{}",
                context()
            );
        }
        if expected.is_depth {
            no_direction_parts_sooner(&a, &b, squared, rng);
        }
    }
    check_point(&found, &expected, [&a, &b], &corners, &context);
    let swapped = examine_resting(shape, obstacle, &[], &margins);
    if matches!(shape, ExaminedShape::Solid(_)) && matches!(obstacle, ExaminedShape::Solid(_)) {
        assert_eq!(
            (swapped.status, swapped.separation),
            (found.status, found.separation),
            "{}",
            context()
        );
        assert_eq!(swapped.margins, found.margins);
    }
    found.status
}

fn check_separation(
    found: &ExaminedResting,
    expected: &Expected,
    margins: &[f64],
    context: &dyn Fn() -> String,
) {
    let [low, high] = found.enclosure;
    assert!(expected.compare(&whole(low)).is_ge(), "{}", context());
    assert!(expected.compare(&whole(high)).is_le(), "{}", context());
    let separation = found.separation;
    let is_even = separation.to_bits().is_multiple_of(2);
    let midpoint = |other: f32| whole(f64::midpoint(f64::from(separation), f64::from(other)));
    let below = expected.compare(&midpoint(separation.next_down()));
    let above = expected.compare(&midpoint(separation.next_up()));
    assert!(below.is_gt() || is_even && below.is_eq(), "{}", context());
    assert!(above.is_lt() || is_even && above.is_eq(), "{}", context());
    for (margin, order) in margins.iter().zip(&found.margins) {
        assert_eq!(
            expected.compare(&whole(*margin)),
            *order,
            "{margin} {}",
            context()
        );
    }
}

fn no_direction_parts_sooner(obstacle: &Body, shape: &Body, least: &Squared, rng: &mut Rng) {
    for _ in 0..1000 {
        let mut part = || BigInt::from(rng.below(2001) as i64 - 1000);
        let along = [part(), part(), part()];
        let depth = depth_along(obstacle, shape, &along);
        let squared = Squared {
            numerator: &depth * &depth,
            denominator: dot(&along, &along),
            along,
        };
        if squared.denominator.is_positive() {
            assert!(!depth.is_negative() && squared.compare(least).is_ge());
        }
    }
}

/// The point is the obstacle's nearest, or one that both share, within 2^-21 of the largest coordinate.
fn check_point(
    found: &ExaminedResting,
    expected: &Expected,
    [obstacle, shape]: [&Body; 2],
    corners: &[DVec3],
    context: &dyn Fn() -> String,
) {
    let radius = expected.radius.to_f64().expect("it is finite") / 2.0_f64.powi(220);
    let most = corners
        .iter()
        .fold(radius, |most, corner| most.max(corner.abs().max_element()));
    let tolerance = whole(most / 2_097_152.0);
    let point = Body {
        corners: vec![whole_vector(found.point.as_dvec3())],
        edges: Vec::new(),
        triangles: Vec::new(),
        normals: Vec::new(),
        directions: Vec::new(),
        radius: BigInt::zero(),
    };
    let is_by = |body: &Body, reach: BigInt| {
        let apart = distance(body, &point);
        apart.numerator <= &reach * &reach * apart.denominator
    };
    assert!(
        is_by(obstacle, &obstacle.radius + &tolerance),
        "{}",
        context()
    );
    let beyond = if found.status.is_gt() {
        whole(found.enclosure[1])
    } else {
        BigInt::zero()
    };
    assert!(
        is_by(shape, &shape.radius + beyond + tolerance),
        "{}",
        context()
    );
}

fn corner_of(shape: &ExaminedShape) -> DVec3 {
    let ExaminedShape::Triangle([.., corner]) = shape else {
        unreachable!("a triangle is asked")
    };
    *corner
}

fn check_all(obstacles: &[Maker], shapes: &[Maker], cases: usize) {
    let mut counts = [0, 0, 0];
    for (is_on_grid, scale) in [(true, 1.0), (false, 1.0), (true, LEAST), (false, LEAST)] {
        let rng = Rng::new(71);
        let mut make = Shapes {
            rng,
            is_on_grid,
            scale,
        };
        let mut rng = Rng::new(72);
        for _ in 0..cases {
            for obstacle in obstacles {
                for shape in shapes {
                    let pair = (obstacle(&mut make), shape(&mut make));
                    let status = check(&pair.0, &pair.1, f64::from(scale), &mut rng);
                    let kinds = [Ordering::Less, Ordering::Equal, Ordering::Greater];
                    for (count, kind) in counts.iter_mut().zip(kinds) {
                        *count += usize::from(status == kind);
                    }
                }
            }
        }
    }
    println!("overlap, touch, apart: {counts:?}");
    if has_usual_numbers() {
        assert!(counts.iter().all(|count| *count > 2), "{counts:?}");
    }
}

#[test]
fn spheres_and_capsules_stand_to_triangles_as_whole_numbers_say() {
    check_all(&[Shapes::triangle], &[Shapes::sphere, Shapes::capsule], 150);
}

#[test]
fn spheres_and_capsules_stand_to_each_other_as_whole_numbers_say() {
    let round: [Maker; 2] = [Shapes::sphere, Shapes::capsule];
    check_all(&round, &round, 100);
}

#[test]
fn boxes_stand_to_round_shapes_as_whole_numbers_say() {
    let round: [Maker; 2] = [Shapes::sphere, Shapes::capsule];
    check_all(&[Shapes::aabb, Shapes::obb], &round, 20);
    check_all(&round, &[Shapes::aabb, Shapes::obb], 10);
}

#[test]
fn boxes_stand_to_triangles_and_boxes_as_whole_numbers_say() {
    check_all(&[Shapes::triangle], &[Shapes::aabb, Shapes::obb], 30);
    check_all(
        &[Shapes::aabb, Shapes::obb],
        &[Shapes::aabb, Shapes::obb],
        8,
    );
}

/// Beside coordinates of 1e17 a box of a few metres is as small as f64's steps.
#[test]
fn small_shapes_stand_to_huge_ones_as_whole_numbers_say() {
    const HUGE: f32 = 72_057_594_037_927_936.0;
    let makers: [Maker; 5] = [
        Shapes::sphere,
        Shapes::capsule,
        Shapes::aabb,
        Shapes::obb,
        Shapes::triangle,
    ];
    let make = |seed: u64, is_on_grid: bool, scale: f32| Shapes {
        rng: Rng::new(seed),
        is_on_grid,
        scale,
    };
    let mut huge = make(75, true, HUGE);
    let mut rng = Rng::new(76);
    let mut apart = 0;
    for (seed, scale) in [(77, 1.0), (78, 8.0), (79, 32.0), (80, 128.0)] {
        let mut small = make(seed, false, scale);
        for _ in 0..6 {
            for first in makers {
                // A triangle is no shape of a question.
                for second in &makers[..4] {
                    let pair = [first(&mut small), second(&mut huge)];
                    let status = check(&pair[0], &pair[1], 1.0, &mut rng);
                    apart += usize::from(status.is_gt());
                    check(&first(&mut huge), &second(&mut small), 1.0, &mut rng);
                }
            }
        }
    }
    assert!(apart > 50, "{apart}");
}

#[test]
fn an_obb_that_is_not_turned_stands_as_the_aabb() {
    let rng = Rng::new(73);
    let mut make = Shapes {
        rng,
        is_on_grid: true,
        scale: 1.0,
    };
    let makers: [Maker; 5] = [
        Shapes::sphere,
        Shapes::capsule,
        Shapes::aabb,
        Shapes::obb,
        Shapes::triangle,
    ];
    for _ in 0..200 {
        let ExaminedShape::Solid(Primitive::Aabb(aabb)) = make.aabb() else {
            unreachable!("an axis-aligned box was made")
        };
        let half = (aabb.max() - aabb.min()) / 2.0;
        let obb = Obb::new(aabb.min() + half, half, DQuat::IDENTITY).unwrap();
        let (aabb, obb) = (
            ExaminedShape::Solid(aabb.into()),
            ExaminedShape::Solid(obb.into()),
        );
        for maker in makers {
            let obstacle = maker(&mut make);
            let stand = |shape| examine_resting(&obstacle, shape, &[], &[0.5]);
            assert_eq!(stand(&aabb), stand(&obb), "{obstacle:?}");
        }
    }
}

#[test]
fn separations_of_two_obstacles_compare_exactly() {
    let rng = Rng::new(74);
    let mut make = Shapes {
        rng,
        is_on_grid: true,
        scale: 1.0,
    };
    let mut ties = 0;
    for _ in 0..300 {
        let first = make.triangle();
        let ExaminedShape::Triangle([a, b, _]) = first else {
            unreachable!("a triangle was made")
        };
        // The second one shares an edge with the first.
        let second = ExaminedShape::Triangle([b, a, make.point().as_dvec3()]);
        if (b - a).cross(corner_of(&second) - a) == DVec3::ZERO {
            continue;
        }
        let shape = make.capsule();
        let shape_body = Body::new(&shape);
        let [one, other] =
            [&first, &second].map(|obstacle| Expected::new(&Body::new(obstacle), &shape_body));
        let expected = match (one.is_depth, other.is_depth) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (is_depth, _) => {
                let (Some(a), Some(b)) = (&one.squared, &other.squared) else {
                    continue;
                };
                let order = a.compare(b);
                if is_depth { order.reverse() } else { order }
            }
        };
        ties += usize::from(expected.is_eq());
        assert_eq!(compare_separations([&first, &second], &shape), expected);
    }
    assert!(ties > 5, "{ties}");
}
