//! Convex hulls against whole numbers: their difference by brute force, without a line of the library's.
//!
//! Of two sets of points on a grid all differences are taken, and all planes through three of them that have the
//! rest on one side: the faces of the difference. Times and depths are fractions of whole numbers.

use hitscan::glam::{DVec3, Vec3};
use hitscan::overlap::PrimitiveOverlap;
use hitscan::{
    BallisticArc, ContactStatus, ContactsPer, ConvexHull, Primitive, Ray, RayStart, ShapeCast,
    Side, Triangle,
};
use hitscan_testkit::Rng;

type Whole = [i128; 3];

fn minus(a: Whole, b: Whole) -> Whole {
    [0, 1, 2].map(|i: usize| a[i] - b[i])
}

fn dot(a: Whole, b: Whole) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Whole, b: Whole) -> Whole {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i])
}

/// A face: its outward normal, as short as whole numbers are, and how far along it.
type Face = (Whole, i128);

/// The faces of the hull of points that are not in one plane; `None` of others.
fn faces(points: &[Whole]) -> Option<Vec<Face>> {
    let mut found: Vec<Face> = Vec::new();
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let normal = cross(minus(*b, *a), minus(*c, *a));
                if normal == [0; 3] {
                    continue;
                }
                let heights = points.iter().map(|point| dot(normal, minus(*point, *a)));
                let (mut low, mut high) = (0, 0);
                for height in heights {
                    (low, high) = (low.min(height), high.max(height));
                }
                if low == 0 && high == 0 {
                    return None;
                }
                let sign = if high == 0 {
                    1
                } else if low == 0 {
                    -1
                } else {
                    continue;
                };
                let divisor = normal.iter().fold(0, |divisor, x| gcd(divisor, x.abs()));
                let normal = normal.map(|x| sign * x / divisor);
                let face = (normal, dot(normal, *a));
                if !found.contains(&face) {
                    found.push(face);
                }
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A fraction whose denominator is positive.
#[derive(Clone, Copy, Debug)]
struct Fraction(i128, i128);

impl Fraction {
    fn new(above: i128, below: i128) -> Self {
        if below < 0 {
            Self(-above, -below)
        } else {
            Self(above, below)
        }
    }

    fn compare(self, other: Self) -> std::cmp::Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    fn value(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

enum Expected {
    Miss,
    Overlap,
    /// When, and the sides that are entered last.
    Hit(Fraction, Vec<Whole>),
}

/// How a moving shape first hits an obstacle.
fn expected(obstacle: &[Whole], shape: &[Whole], motion: Whole) -> Option<Expected> {
    let differences: Vec<Whole> = obstacle
        .iter()
        .flat_map(|a| shape.iter().map(|b| minus(*a, *b)))
        .collect();
    let faces = faces(&differences)?;
    let (mut enter, mut leave): (Option<Fraction>, Option<Fraction>) = (None, None);
    let mut last = Vec::new();
    // The origin moves along `motion` through the difference; `gap` is how far it is outside a face.
    for (normal, height) in faces {
        let (gap, speed) = (-height, dot(normal, motion));
        if speed == 0 {
            if gap >= 0 {
                return Some(Expected::Miss);
            }
            continue;
        }
        let time = Fraction::new(-gap, speed);
        if speed < 0 {
            match enter.map(|enter| time.compare(enter)) {
                None | Some(std::cmp::Ordering::Greater) => {
                    (enter, last) = (Some(time), vec![normal])
                }
                Some(std::cmp::Ordering::Equal) => last.push(normal),
                Some(std::cmp::Ordering::Less) => {}
            }
        } else if leave.is_none_or(|leave| time.compare(leave).is_lt()) {
            leave = Some(time);
        }
    }
    let (zero, one) = (Fraction(0, 1), Fraction(1, 1));
    let Some((enter, leave)) = enter.zip(leave) else {
        return Some(Expected::Overlap);
    };
    Some(if leave.compare(zero).is_le() {
        Expected::Miss
    } else if enter.compare(zero).is_lt() {
        Expected::Overlap
    } else if enter.compare(one).is_le() && enter.compare(leave).is_le() {
        Expected::Hit(enter, last)
    } else {
        Expected::Miss
    })
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
fn rounded(x: f64) -> f32 {
    x as f32
}

fn wide(point: Whole) -> Vec3 {
    Vec3::from_array(point.map(|x| x as f32))
}

fn cloud(rng: &mut Rng, span: usize, count: usize) -> Vec<Whole> {
    let at = |rng: &mut Rng| [(); 3].map(|()| rng.below(span) as i128 - span as i128 / 2);
    (0..count).map(|_| at(rng)).collect()
}

fn hull(points: &[Whole]) -> ConvexHull {
    ConvexHull::new(points.iter().map(|point| wide(*point))).expect("in range")
}

/// Whether a rounded direction is that of whole numbers.
fn is_along(normal: Vec3, direction: Whole) -> bool {
    let direction = DVec3::from_array(direction.map(|x| x as f64)).normalize_or_zero();
    (normal.as_dvec3() - direction).length() < 1e-6
}

#[test]
fn moving_hulls_meet_when_their_difference_says() {
    let mut rng = Rng::new(41);
    let (mut hits, mut overlaps, mut misses) = (0, 0, 0);
    for round in 0..6000 {
        let span = [3, 5, 9][round % 3];
        let (first, second) = (1 + rng.below(6), 1 + rng.below(6));
        let obstacle = cloud(&mut rng, span, first);
        let offset = cloud(&mut rng, 9, 1)[0];
        let shape: Vec<Whole> = cloud(&mut rng, span, second)
            .into_iter()
            .map(|point| [0, 1, 2].map(|i: usize| point[i] + offset[i]))
            .collect();
        let motion = cloud(&mut rng, 17, 1)[0];
        let Some(expected) = expected(&obstacle, &shape, motion) else {
            continue;
        };
        let cast = ShapeCast::new(hull(&shape), wide(motion)).expect("finite");
        let mut obstacles = vec![(hull(&obstacle).cast_shape(&cast, ()), "hull")];
        if let [a, b, c] = obstacle[..]
            && cross(minus(b, a), minus(c, a)) != [0; 3]
        {
            let triangle = Triangle::new(wide(a), wide(b), wide(c)).expect("in range");
            obstacles.push((triangle.cast_shape(&cast, ()), "triangle"));
        }
        for (found, kind) in obstacles {
            match (&expected, found) {
                (Expected::Miss, None) => misses += 1,
                (Expected::Overlap, Some(hit)) if hit.start.is_overlap() => overlaps += 1,
                (Expected::Hit(t, last), Some(hit)) if !hit.start.is_overlap() => {
                    hits += 1;
                    assert_eq!(
                        hit.t,
                        rounded(t.value()),
                        "{kind} {obstacle:?} {shape:?} {motion:?}"
                    );
                    let is_last = |normal: &Whole| is_along(hit.normal, *normal);
                    assert!(last.iter().any(is_last), "{kind} {hit:?} {last:?}");
                    let at = hit.point.as_dvec3();
                    for (points, back) in [
                        (&obstacle, DVec3::ZERO),
                        (&shape, wide(motion).as_dvec3() * t.value()),
                    ] {
                        let near = hull(points).closest_point((at - back).as_vec3(), 1.0);
                        assert!(
                            near.is_some_and(|near| near.distance < 1e-5),
                            "{kind} {hit:?}"
                        );
                    }
                }
                (_, found) => panic!("{kind} {found:?} {obstacle:?} {shape:?} {motion:?}"),
            }
        }
    }
    assert!(
        hits > 400 && overlaps > 300 && misses > 800,
        "{hits} {overlaps} {misses}"
    );
}

#[test]
fn resting_hulls_overlap_as_deep_as_their_difference_says() {
    let mut rng = Rng::new(43);
    let mut counts = [0; 3];
    for round in 0..4000 {
        let span = [3, 5, 9][round % 3];
        let (first, second) = (1 + rng.below(6), 1 + rng.below(6));
        let (obstacle, shape) = (cloud(&mut rng, span, first), cloud(&mut rng, span, second));
        let differences: Vec<Whole> = obstacle
            .iter()
            .flat_map(|a| shape.iter().map(|b| minus(*a, *b)))
            .collect();
        let Some(faces) = faces(&differences) else {
            continue;
        };
        let contacts = hull(&obstacle).contacts(hull(&shape), 0.0, ContactsPer::Object);
        let least = faces
            .iter()
            .map(|(_, height)| *height)
            .min()
            .expect("there are faces");
        match (least, contacts.first()) {
            (..0, None) => counts[0] += 1,
            (0, Some(contact)) if contact.status == ContactStatus::Touching => {
                counts[1] += 1;
                assert_eq!(contact.separation, 0.0);
            }
            (1.., Some(contact)) if contact.status == ContactStatus::Overlap => {
                counts[2] += 1;
                // The squares of the depths; the smallest is the depth.
                let depth = |face: &Face| Fraction(face.1 * face.1, dot(face.0, face.0));
                let mut deepest = faces[0];
                for face in &faces {
                    if depth(face).compare(depth(&deepest)).is_lt() {
                        deepest = *face;
                    }
                }
                let expected = -rounded(depth(&deepest).value().sqrt());
                assert_eq!(contact.separation, expected, "{obstacle:?} {shape:?}");
                let ties = faces
                    .iter()
                    .filter(|face| depth(face).compare(depth(&deepest)).is_eq());
                let is_out = |face: &&Face| is_along(contact.normal, face.0);
                assert!(
                    ties.clone().any(|face| is_out(&face)),
                    "{contact:?} {deepest:?}"
                );
                for points in [&obstacle, &shape] {
                    let near = hull(points).closest_point(contact.point, 1.0);
                    assert!(near.is_some_and(|near| near.distance < 1e-5), "{contact:?}");
                }
            }
            found => panic!("{found:?} {obstacle:?} {shape:?}"),
        }
        let overlap = Primitive::from(hull(&obstacle)).overlap(&hull(&shape).into());
        assert_eq!(overlap.is_some(), least >= 0);
        assert_eq!(overlap == Some(PrimitiveOverlap::Touch), least == 0);
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

#[test]
fn rays_and_straight_arcs_meet_hulls_where_their_faces_say() {
    let mut rng = Rng::new(47);
    let (mut hits, mut misses) = (0, 0);
    for round in 0..6000 {
        let span = [3, 5, 9][round % 3];
        let count = 4 + rng.below(8);
        let points = cloud(&mut rng, span, count);
        let (origin, direction) = (cloud(&mut rng, 13, 1)[0], cloud(&mut rng, 7, 1)[0]);
        let Some(faces) = faces(&points).filter(|_| direction != [0; 3]) else {
            continue;
        };
        let ray = Ray::new(wide(origin), wide(direction)).expect("a direction");
        let arc = BallisticArc::new(wide(origin), wide(direction), [0.0; 3]).expect("a direction");
        let hull = hull(&points);
        let is_strictly_inside = faces
            .iter()
            .all(|(normal, height)| dot(*normal, origin) < *height);
        let found = hull.cast_ray(&ray, RayStart::Solid);
        assert_eq!(
            found,
            hull.cast_arc(&arc, ()),
            "{points:?} {origin:?} {direction:?}"
        );
        if is_strictly_inside {
            assert_eq!(found.expect("it starts inside").side, Side::Inside);
            continue;
        }
        // A point that moves; grazes and boundary starts count for rays.
        let (mut enter, mut leave): (Option<Fraction>, Option<Fraction>) = (None, None);
        let mut is_beside = false;
        for (normal, height) in &faces {
            let (gap, speed) = (dot(*normal, origin) - height, dot(*normal, direction));
            let time = (speed != 0).then(|| Fraction::new(-gap, speed));
            match time {
                None => is_beside |= gap > 0,
                Some(time) if speed < 0 => {
                    if enter.is_none_or(|enter| time.compare(enter).is_gt()) {
                        enter = Some(time);
                    }
                }
                Some(time) => {
                    if leave.is_none_or(|leave| time.compare(leave).is_lt()) {
                        leave = Some(time);
                    }
                }
            }
        }
        let (enter, leave) = (enter.expect("a solid"), leave.expect("a solid"));
        let is_hit =
            !is_beside && enter.compare(leave).is_le() && leave.compare(Fraction(0, 1)).is_ge();
        match found {
            None => {
                misses += 1;
                assert!(!is_hit, "{points:?} {origin:?} {direction:?}");
            }
            Some(hit) => {
                hits += 1;
                assert!(is_hit, "{points:?} {origin:?} {direction:?}");
                assert_eq!(hit.t, rounded(enter.value().max(0.0)));
                let face = hit.triangle.expect("a face").triangle as usize;
                // The face named is one that the point is on.
                let corner = hull.own_corners()[usize::from(hull.face(face)[0])].as_dvec3();
                assert!(
                    hit.normal
                        .as_dvec3()
                        .dot(hit.point.as_dvec3() - corner)
                        .abs()
                        < 1e-4
                );
            }
        }
    }
    assert!(hits > 200 && misses > 1000, "{hits} {misses}");
}
