//! Rays against capsules and oriented boxes, compared with rational arithmetic.

use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::{Aabb, Capsule, Obb, Ray, RayHit, Side, Sides};
use hitscan_testkit::solid_oracle::{OwnAxes, line_segment, point_segment};
use hitscan_testkit::{Exact, Nasty, Vector, exact, is_nearest_f32, line_aabb, rounds, vector};
use num_traits::{One, Zero};
use std::cmp::Ordering;

/// Whether `t` is the nearest f32 to a number that `compare` compares with.
fn is_nearest_by(t: f32, compare: impl Fn(&Exact) -> Ordering) -> bool {
    let two = Exact::from_integer(2.into());
    let value = |x: f32| exact(f64::from(x));
    let low = compare(&((value(t.next_down()) + value(t)) / &two));
    let high = compare(&((value(t.next_up()) + value(t)) / &two));
    if t.to_bits().is_multiple_of(2) {
        low.is_ge() && high.is_le()
    } else {
        low.is_gt() && high.is_lt()
    }
}

/// A capsule and a line in rational numbers.
struct Line {
    origin: Vector,
    direction: Vector,
    segment: [Vector; 2],
    limit: Exact,
    least: Exact,
    first: Exact,
    last: Exact,
}

impl Line {
    fn excess(&self, t: &Exact) -> Exact {
        let point = [0, 1, 2].map(|i: usize| &self.origin[i] + &self.direction[i] * t);
        point_segment(&point, &self.segment) - &self.limit
    }

    /// How the entry compares with `t`, the line hitting the capsule.
    fn entry(&self, t: &Exact) -> Ordering {
        if *t >= self.first {
            let is_touch = self.least == self.limit && *t == self.first;
            return if is_touch {
                Ordering::Equal
            } else {
                Ordering::Less
            };
        }
        self.excess(t).cmp(&Exact::zero())
    }

    /// How the exit compares with `t`, the line hitting the capsule.
    fn exit(&self, t: &Exact) -> Ordering {
        if *t <= self.last {
            let is_touch = self.least == self.limit && *t == self.last;
            return if is_touch {
                Ordering::Equal
            } else {
                Ordering::Greater
            };
        }
        Exact::zero().cmp(&self.excess(t))
    }
}

/// What the capsule's contract says of a ray: entry and exit, each with its side, where in range.
fn check_capsule(capsule: &Capsule, ray: &Ray, counts: &mut [usize; 4]) {
    let segment = [vector(capsule.a()), vector(capsule.b())];
    let (origin, direction) = (vector(ray.origin()), vector(ray.direction()));
    let (least, first, last) = line_segment(&origin, &direction, &segment);
    let radius = exact(capsule.radius());
    let line = Line {
        origin,
        direction,
        segment,
        limit: &radius * &radius,
        least,
        first,
        last,
    };
    let t_min = exact(f64::from(ray.t_min()));
    let t_max = exact(f64::from(ray.t_max().min(f32::MAX)));
    let shown = format!("{capsule:?} {ray:?}");
    let [both, front, back] =
        [Sides::Both, Sides::Front, Sides::Back].map(|sides| capsule.cast_ray(ray, sides));
    let is_missed =
        line.least > line.limit || line.entry(&t_max).is_gt() || line.exit(&t_min).is_lt();
    if is_missed {
        assert_eq!((both, front, back), (None, None, None), "{shown}");
        counts[0] += 1;
        return;
    }
    let at_start = |hit: RayHit| hit.t == ray.t_min();
    if line.least == line.limit {
        counts[1] += 1;
        let hit = both.unwrap_or_else(|| panic!("{shown}"));
        assert_eq!(hit.side, Side::Back, "{shown}");
        if line.entry(&t_min).is_lt() {
            assert!(at_start(hit), "{shown}");
        } else {
            assert!(is_nearest_by(hit.t, |t| line.entry(t)), "{shown} {hit:?}");
        }
        return;
    }
    let is_entered = line.entry(&t_min).is_ge();
    let is_left = line.exit(&t_max).is_le();
    assert_eq!(front.is_some(), is_entered, "{shown}");
    assert_eq!(back.is_some(), is_left, "{shown}");
    if let Some(hit) = front {
        counts[2] += 1;
        assert!(is_nearest_by(hit.t, |t| line.entry(t)), "{shown} {hit:?}");
        assert_eq!(both, front, "{shown}");
    } else if line.exit(&t_min).is_gt() {
        counts[3] += 1;
        let hit = both.unwrap_or_else(|| panic!("{shown}"));
        assert!(at_start(hit) && hit.side == Side::Inside, "{shown}");
    } else {
        assert_eq!(both, back, "{shown}");
    }
    if let Some(hit) = back {
        assert!(is_nearest_by(hit.t, |t| line.exit(t)), "{shown} {hit:?}");
    }
}

#[test]
fn capsules_agree_with_rational_arithmetic() {
    let mut nasty = Nasty::new(0xca95);
    let mut counts = [0; 4];
    for number in 0..rounds(7_000) {
        let scale = nasty.next_case();
        let (a, mut b) = (nasty.point(), nasty.point());
        if nasty.rng.one_in(4) {
            // Along an axis, or without length.
            let keep = nasty.rng.below(4);
            b = Vec3::from_array([0, 1, 2].map(|i| if i == keep { b[i] } else { a[i] }));
        }
        let length = f64::from(nasty.number()).abs();
        let radius = match nasty.rng.below(4) {
            0 => f64::from(scale),
            1 => length * 0.5,
            2 => length.next_up(),
            _ => f64::from(scale) * 1e-6,
        };
        let Ok(capsule) = Capsule::new(a, b, radius) else {
            continue;
        };
        // Often at the side's tangents.
        let aside = (DVec3::X * radius).as_vec3();
        let up = (DVec3::Y * radius).as_vec3();
        let targets = [
            a,
            b,
            a + aside,
            b + aside,
            a + up,
            b + up,
            (a + b) * 0.5 + up,
        ];
        let mut ray = nasty.ray(&targets);
        if number % 5 == 0 {
            // Parallel to the segment, or to an axis.
            let direction = if nasty.rng.one_in(2) {
                b - a
            } else {
                Vec3::Z * scale
            };
            let origin = ray.origin();
            let origin = if nasty.rng.one_in(2) {
                a + up - direction
            } else {
                origin
            };
            if let Ok(parallel) = Ray::new(origin, direction) {
                ray = parallel;
            }
        }
        check_capsule(&capsule, &ray, &mut counts);
    }
    println!("misses, touches, entries, starts inside: {counts:?}");
    assert!(counts.iter().all(|&count| count > rounds(30)), "{counts:?}");
}

/// Whether `found` is the unit vector along `expected`, to f32's precision.
fn is_along(found: Vec3, expected: &Vector) -> bool {
    let two = exact(f64::from(found.x)).abs_sum(expected);
    let [x, y, z] = expected.each_ref().map(|x| to_f64(&(x / &two)));
    let direction = DVec3::new(x, y, z);
    (found.as_dvec3() - direction / direction.length()).length() < 2e-7
}

/// The sum of a vector's magnitudes, by which it can be scaled into f64's range.
trait AbsSum {
    fn abs_sum(&self, vector: &Vector) -> Exact;
}

impl AbsSum for Exact {
    fn abs_sum(&self, vector: &Vector) -> Exact {
        vector.iter().map(num_traits::Signed::abs).sum()
    }
}

fn to_f64(x: &Exact) -> f64 {
    num_traits::ToPrimitive::to_f64(x).unwrap_or(0.0)
}

fn rotation(nasty: &mut Nasty) -> DQuat {
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    match nasty.rng.below(5) {
        0 => DQuat::IDENTITY,
        1 => DQuat::from_xyzw(0.0, quarter, 0.0, quarter),
        2 => DQuat::from_xyzw(0.0, 0.3, 0.0, 1.0),
        _ => {
            let [x, y, z, w] = [(); 4].map(|()| nasty.rng.uniform(-1.0, 1.0));
            DQuat::from_xyzw(x, y, z, w)
        }
    }
}

#[test]
fn oriented_boxes_agree_with_rational_arithmetic() {
    let mut nasty = Nasty::new(0x0bb);
    let (zero, one) = (Exact::zero(), Exact::one());
    let mut counts = [0; 4];
    for _ in 0..rounds(7_000) {
        nasty.next_case();
        let center = nasty.point();
        let half_size = nasty.point().abs();
        let rotation = rotation(&mut nasty);
        let obb = Obb::new(center, half_size, rotation).unwrap();
        let corners = obb.corners();
        let targets: Vec<Vec3> = corners.iter().map(|corner| corner.as_vec3()).collect();
        let ray = nasty.ray(&targets);
        let Some(own) = OwnAxes::new(&corners.map(|corner| corner.to_array().map(exact))) else {
            continue;
        };
        let (origin, direction) = (
            own.point(&vector(ray.origin())),
            own.direction(&vector(ray.direction())),
        );
        let unit = |x: &Exact| [(); 3].map(|()| x.clone());
        let interval = line_aabb(&origin, &direction, &unit(&zero), &unit(&one));
        let t_min = exact(f64::from(ray.t_min()));
        let t_max = exact(f64::from(ray.t_max().min(f32::MAX)));
        let shown = format!("{obb:?} {ray:?} {interval:?}");
        let found = obb.cast_ray(&ray, ());
        let back = obb.cast_ray(&ray, Sides::Back);
        let Some((enter, leave)) = interval.filter(|(low, high)| *low <= t_max && *high >= t_min)
        else {
            assert_eq!((found, back), (None, None), "{shown}");
            counts[0] += 1;
            continue;
        };
        let hit = found.unwrap_or_else(|| panic!("{shown}"));
        let at = |t: &Exact| [0, 1, 2].map(|i: usize| &origin[i] + &direction[i] * t);
        // The first of its own axes on whose face the point lies.
        let face = |point: &Vector| {
            (0..3).find_map(|axis| {
                let sign = if point[axis] == zero {
                    -&one
                } else if point[axis] == one {
                    one.clone()
                } else {
                    return None;
                };
                Some(own.normal(axis).clone().map(|x| x * &sign))
            })
        };
        if enter > t_min {
            counts[1] += 1;
            assert_eq!(hit.side, Side::Front, "{shown}");
            assert!(is_nearest_f32(hit.t, &enter), "{shown} {hit:?}");
            // Of the faces there only those that are entered count.
            let entered = (0..3).find(|&axis| {
                let bound = if direction[axis] > zero { &zero } else { &one };
                direction[axis] != zero && at(&enter)[axis] == *bound
            });
            let axis = entered.unwrap_or_else(|| panic!("{shown}"));
            let sign = if direction[axis] > zero {
                -&one
            } else {
                one.clone()
            };
            let normal = own.normal(axis).clone().map(|x| x * &sign);
            assert!(is_along(hit.normal, &normal), "{shown} {hit:?}");
        } else {
            assert_eq!(hit.t, ray.t_min(), "{shown}");
            match face(&at(&t_min)) {
                Some(normal) => {
                    counts[2] += 1;
                    assert!(is_along(hit.normal, &normal), "{shown} {hit:?}");
                }
                None => {
                    counts[3] += 1;
                    assert_eq!(
                        (hit.side, hit.normal),
                        (Side::Inside, Vec3::ZERO),
                        "{shown}"
                    );
                }
            }
        }
        // A ray that slides in a face has its back hit at the start already.
        if leave <= t_max && leave > t_min && hit.side != Side::Back {
            let back = back.unwrap_or_else(|| panic!("{shown}"));
            assert!(is_nearest_f32(back.t, &leave), "{shown} {back:?}");
        }
        let point = ray.origin();
        let inside = own.point(&vector(point));
        let expected = inside.iter().all(|x| *x >= zero && *x <= one);
        assert_eq!(obb.contains(point), expected, "{shown}");
    }
    println!("misses, entries, starts on the boundary, starts inside: {counts:?}");
    assert!(counts.iter().all(|&count| count > rounds(30)), "{counts:?}");
}

#[test]
fn boxes_that_are_not_rotated_answer_as_upright_ones() {
    let mut nasty = Nasty::new(0xaabb);
    let mut counts = [0; 2];
    for _ in 0..rounds(40_000) {
        nasty.next_case();
        let (center, half_size) = (nasty.point(), nasty.point().abs());
        let half_size = if nasty.rng.one_in(3) {
            half_size * Vec3::new(1.0, 0.0, 1.0)
        } else {
            half_size
        };
        let (low, high) = (center - half_size, center + half_size);
        let ends = [
            center.as_dvec3() - half_size.as_dvec3(),
            center.as_dvec3() + half_size.as_dvec3(),
        ];
        let obb = Obb::new(center, half_size, DQuat::IDENTITY).unwrap();
        let corners = obb.corners();
        // Only where the corners are f32 are the two the same.
        if [low.as_dvec3(), high.as_dvec3()] != ends || [corners[0], corners[7]] != ends {
            continue;
        }
        let aabb = Aabb::new(low, high).unwrap();
        assert_eq!(obb.bounds(), aabb);
        let ray = nasty.ray(&[low, high, center]);
        for sides in [Sides::Both, Sides::Front, Sides::Back] {
            let parts = |hit: RayHit| (hit.t, hit.distance, hit.normal, hit.side);
            let expected = aabb.cast_ray(&ray, sides).map(parts);
            let found = obb.cast_ray(&ray, sides).map(parts);
            assert_eq!(found, expected, "{obb:?} {ray:?}");
            counts[usize::from(expected.is_some())] += 1;
        }
    }
    println!("misses, hits: {counts:?}");
    assert!(
        counts.iter().all(|&count| count > rounds(2_000)),
        "{counts:?}"
    );
}
