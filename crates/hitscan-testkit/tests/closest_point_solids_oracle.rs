//! The closest point of spheres, capsules, boxes and oriented boxes, against rational arithmetic.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::{Aabb, Capsule, ClosestPoint, Obb, Primitive, Sphere};
use hitscan_testkit::closest_oracle::{
    ExactNearest, check_normal, compare_root, is_coordinate, rounded_root, segment, to_f64,
    triangle, wide,
};
use hitscan_testkit::{Exact, Nasty, Rng, Vector, exact, vector};

const EVERYWHERE: f32 = f32::INFINITY;

fn zero() -> Exact {
    exact(0.0)
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> Exact {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn greatest_of(points: &[DVec3]) -> f64 {
    points
        .iter()
        .fold(0.0, |all, p| p.abs().max_element().max(all))
}

/// Checks a core with a radius: a point or a segment.
fn check_rounded(
    point: Vec3,
    core: &ExactNearest,
    radius: f64,
    greatest: f64,
    found: Option<ClosestPoint>,
    what: &str,
) {
    let found = found.unwrap_or_else(|| panic!("{what}: nothing"));
    let r = exact(radius);
    assert_eq!(found.distance, rounded_root(&core.square, &r), "{what}");
    assert_eq!(
        found.is_inside,
        compare_root(&core.square, &r, &zero()).is_lt(),
        "{what}"
    );
    assert_eq!((found.triangle, found.object), (None, None));
    let outward = minus(&vector(point), &core.at);
    let size = to_f64(&core.square).sqrt();
    let on = found.point.as_dvec3();
    let greatest = greatest.max(on.abs().max_element());
    if core.square == zero() {
        // Any direction across will do: the point is on the surface.
        let core = DVec3::from_array([0, 1, 2].map(|i: usize| to_f64(&core.at[i])));
        let off = (on - core).length() - radius;
        assert!(off.abs() <= greatest * 1e-6, "{what}: {off}");
        return;
    }
    let (scale, up) = (f64::powi(2.0, -20), 1.0 / size);
    for axis in 0..3 {
        let expected = to_f64(&core.at[axis]) + to_f64(&outward[axis]) * up * radius;
        let step = f64::from(found.point[axis].abs().next_up() - found.point[axis].abs());
        let off = (on[axis] - expected).abs();
        assert!(
            off <= 1.6 * step + greatest * f64::powi(2.0, -40),
            "{what}: coordinate {axis} off by {off}: {found:?}"
        );
    }
    check_normal(
        found.normal,
        &outward,
        f64::from(found.distance.abs()) >= greatest * scale,
        what,
    );
}

#[test]
fn spheres_and_capsules() {
    let mut nasty = Nasty::new(0xc105_0011);
    let mut inside = 0;
    for round in 0..1_500 {
        let scale = nasty.next_case();
        let far = if round % 7 == 0 {
            Vec3::new(1e5, 7.0, -2e5)
        } else {
            Vec3::ZERO
        };
        let [a, b] = [nasty.point() + far, nasty.point() + far];
        let b = if nasty.rng.one_in(10) { a } else { b };
        let radius = f64::from(scale) * [1.0, 0.5, 1e-3, 7.3][nasty.rng.below(4)];
        let point = match nasty.rng.below(6) {
            0 => a,
            1 => a + (b - a) * 0.5,
            2 => a + Vec3::new(0.0, scale, 0.0),
            _ => nasty.point() + far,
        };
        let what = format!("{round}: {a} {b} {radius} {point}");
        let greatest = greatest_of(&[a.as_dvec3(), b.as_dvec3(), point.as_dvec3()]);
        let sphere = Sphere::new(a, radius).unwrap();
        let core = segment(&vector(point), &vector(a), &vector(a));
        let found = sphere.closest_point(point, EVERYWHERE);
        check_rounded(
            point,
            &core,
            radius,
            greatest,
            found,
            &format!("sphere {what}"),
        );
        inside += usize::from(found.unwrap().is_inside);
        let capsule = Capsule::new(a, b, radius).unwrap();
        let core = segment(&vector(point), &vector(a), &vector(b));
        let found = capsule.closest_point(point, EVERYWHERE);
        check_rounded(
            point,
            &core,
            radius,
            greatest,
            found,
            &format!("capsule {what}"),
        );
        // The maximum distance is inclusive, exactly; inside it does not matter.
        let found = found.unwrap();
        for max_distance in [found.distance.next_down(), found.distance, 0.0] {
            let is_near = compare_root(
                &core.square,
                &exact(radius),
                &exact(f64::from(max_distance)),
            )
            .is_le();
            let expected = (max_distance >= 0.0 && (is_near || found.is_inside)).then_some(found);
            assert_eq!(
                capsule.closest_point(point, max_distance),
                expected,
                "{what} {max_distance}"
            );
        }
    }
    assert!(inside > 100, "{inside}");
}

/// What is expected of a box: its nearest boundary point and whether the point is inside.
struct Expected {
    nearest: ExactNearest,
    is_inside: bool,
}

fn check_box(
    point: Vec3,
    expected: &Expected,
    greatest: f64,
    found: Option<ClosestPoint>,
    what: &str,
) {
    let found = found.unwrap_or_else(|| panic!("{what}: nothing"));
    let Expected { nearest, is_inside } = expected;
    let distance = rounded_root(&nearest.square, &zero());
    let distance = if *is_inside { 0.0 - distance } else { distance };
    assert_eq!(
        (found.distance, found.is_inside),
        (distance, *is_inside),
        "{what} {found:?}"
    );
    for axis in 0..3 {
        assert!(
            is_coordinate(found.point[axis], &nearest.at[axis], greatest),
            "{what}: coordinate {axis} {found:?} {:?}",
            nearest.at.each_ref().map(to_f64)
        );
    }
    let away = minus(&vector(point), &nearest.at);
    let outward = if *is_inside {
        minus(&nearest.at, &vector(point))
    } else {
        away
    };
    let is_far =
        f64::from(distance.abs()) >= greatest * f64::powi(2.0, -20) && nearest.square != zero();
    check_normal(found.normal, &outward, is_far, what);
}

fn expected_of_aabb(point: Vec3, min: Vec3, max: Vec3) -> Expected {
    let p = vector(point);
    let is_inside = point.cmpgt(min).all() && point.cmplt(max).all();
    if !is_inside {
        let at = vector(point.clamp(min, max));
        let offset = minus(&p, &at);
        let nearest = ExactNearest {
            square: dot(&offset, &offset),
            at,
        };
        return Expected { nearest, is_inside };
    }
    let faces = (0..3)
        .flat_map(|axis| [(axis, min), (axis, max)])
        .map(|(axis, bound)| {
            let mut at = p.clone();
            at[axis] = exact(f64::from(bound[axis]));
            let offset = minus(&p, &at);
            ExactNearest {
                square: dot(&offset, &offset),
                at,
            }
        });
    let nearest = faces
        .min_by(|one, other| one.square.cmp(&other.square))
        .unwrap();
    Expected { nearest, is_inside }
}

#[test]
fn boxes() {
    let mut nasty = Nasty::new(0xc105_0012);
    let mut inside = 0;
    for round in 0..1_500 {
        nasty.next_case();
        let [p, q, point] = [nasty.point(), nasty.point(), nasty.point()];
        let (min, mut max) = (p.min(q), p.max(q));
        if nasty.rng.one_in(5) {
            let axis = nasty.rng.below(3);
            max[axis] = min[axis];
        }
        let point = match nasty.rng.below(4) {
            0 => (min + max) * 0.5,
            1 => point.clamp(min, max),
            _ => point,
        };
        let what = format!("{round}: {min} {max} {point}");
        let solid = Aabb::new(min, max).unwrap();
        let expected = expected_of_aabb(point, min, max);
        inside += usize::from(expected.is_inside);
        let greatest = greatest_of(&[min.as_dvec3(), max.as_dvec3(), point.as_dvec3()]);
        let found = solid.closest_point(point, EVERYWHERE);
        check_box(point, &expected, greatest, found, &what);
        assert_eq!(
            Primitive::from(solid).closest_point(point, EVERYWHERE),
            found
        );
        // With no rotation an oriented box has the same answers, where its corners are the same.
        let (center, half) = ((min + max) * 0.5, (max - min) * 0.5);
        if center - half == min && center + half == max {
            let turned = Obb::new(center, half, DQuat::IDENTITY).unwrap();
            if turned.corners()[0] == min.as_dvec3() && turned.corners()[7] == max.as_dvec3() {
                assert_eq!(turned.closest_point(point, EVERYWHERE), found, "{what}");
            }
        }
    }
    assert!(inside > 100, "{inside}");
}

/// The nearest boundary point over the triangles, edges and corners of the parallelepiped.
fn expected_of_obb(point: Vec3, obb: &Obb) -> Expected {
    let corners = obb.corners().map(wide);
    let p = vector(point);
    let mut all = Vec::new();
    let mut is_inside = true;
    for axis in 0..3 {
        let (j, k) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        for side in [0, 1 << axis] {
            let quad = [side, side | j, side | j | k, side | k].map(|c: usize| corners[c].clone());
            let [a, b, c, d] = &quad;
            for half in [[a, b, c], [a, c, d]] {
                all.extend(triangle(&p, &half.map(Clone::clone)));
            }
            all.extend([(a, b), (b, c), (c, d), (d, a)].map(|(p0, p1)| segment(&p, p0, p1)));
            // Inside is strictly on the same side of each face as the opposite one.
            let (u, v) = (minus(b, a), minus(d, a));
            let normal: Vector =
                [(1, 2), (2, 0), (0, 1)].map(|(m, n)| &u[m] * &v[n] - &u[n] * &v[m]);
            let own = dot(&normal, &minus(&p, a));
            let other = dot(&normal, &minus(&corners[side ^ (1 << axis)], a));
            is_inside &= own * other > zero();
        }
    }
    let nearest = all
        .into_iter()
        .min_by(|one, other| one.square.cmp(&other.square))
        .unwrap();
    Expected { nearest, is_inside }
}

fn rotation(rng: &mut Rng) -> DQuat {
    let plain = [
        DQuat::IDENTITY,
        DQuat::from_xyzw(0.0, 1.0, 0.0, 1.0),
        DQuat::from_xyzw(0.6, 0.0, 0.8, 0.0),
    ];
    match rng.below(4) {
        3 => DQuat::from_array([0; 4].map(|_| rng.uniform(-1.0, 1.0))),
        plain_one => plain[plain_one],
    }
}

#[test]
fn oriented_boxes() {
    let mut nasty = Nasty::new(0xc105_0013);
    let mut inside = 0;
    for round in 0..600 {
        nasty.next_case();
        let far = if round % 7 == 0 {
            Vec3::new(1e5, 7.0, -2e5)
        } else {
            Vec3::ZERO
        };
        let center = nasty.point() + far;
        let mut half = nasty.point().abs();
        if nasty.rng.one_in(4) {
            half[nasty.rng.below(3)] = 0.0;
        }
        let turn = rotation(&mut nasty.rng);
        let obb = Obb::new(center, half, turn).unwrap();
        let corners = obb.corners().map(|corner| corner.as_vec3());
        let rng = &mut nasty.rng;
        let point = match rng.below(7) {
            0 => center,
            1 => center + (corners[rng.below(8)] - center) * rng.uniform_f32(0.0, 0.9),
            2 => corners[rng.below(8)],
            3 => corners[rng.below(8)] * 0.5 + corners[rng.below(8)] * 0.5,
            4 => center + (corners[rng.below(8)] - center) * 2.0,
            _ => nasty.point() + far,
        };
        let what = format!("{round}: {obb:?} {point}");
        let expected = expected_of_obb(point, &obb);
        inside += usize::from(expected.is_inside);
        let greatest = obb
            .corners()
            .iter()
            .fold(point.as_dvec3().abs().max_element(), |all, c| {
                c.abs().max_element().max(all)
            });
        check_box(
            point,
            &expected,
            greatest,
            obb.closest_point(point, EVERYWHERE),
            &what,
        );
    }
    assert!(inside > 50, "{inside}");
}

#[test]
fn boundaries_have_the_normals_of_rays() {
    let cube = Aabb::new([0.0; 3], [2.0; 3]).unwrap();
    let plate = Aabb::new([0.0, 1.0, 0.0], [2.0, 1.0, 2.0]).unwrap();
    let turned = Obb::new([1.0, 1.0, 1.0], [1.0, 0.0, 1.0], DQuat::IDENTITY).unwrap();
    let ball = Sphere::new([0.0; 3], 5.0).unwrap();
    let (x, y) = (Vec3::X, Vec3::Y);
    for (found, normal) in [
        (cube.closest_point([0.0, 1.0, 1.0], 0.0), -x),
        (cube.closest_point([2.0, 2.0, 1.0], 0.0), x),
        (cube.closest_point([1.0, 0.0, 0.0], 0.0), -y),
        (plate.closest_point([1.0, 1.0, 1.0], 0.0), y),
        (turned.closest_point([1.0, 1.0, 0.5], 0.0), y),
        (
            ball.closest_point([3.0, 4.0, 0.0], 0.0),
            Vec3::new(0.6, 0.8, 0.0),
        ),
    ] {
        let found = found.unwrap();
        assert_eq!(
            (found.distance, found.normal, found.is_inside),
            (0.0, normal, false)
        );
    }
    // Of equally near faces the first axis answers, its lower side first.
    let middle = cube.closest_point([1.0; 3], 0.0).unwrap();
    assert_eq!(
        (middle.distance, middle.normal, middle.point),
        (-1.0, -x, Vec3::new(0.0, 1.0, 1.0))
    );
    let turned = Obb::new([1.0; 3], [1.0; 3], DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0)).unwrap();
    let middle = turned.closest_point([1.0; 3], 0.0).unwrap();
    assert_eq!((middle.distance, middle.normal.round()), (-1.0, -y));
}
