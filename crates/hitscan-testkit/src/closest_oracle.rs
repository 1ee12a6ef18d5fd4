//! Closest points in rational arithmetic, from the contract: brute force over triangles, segments
//! with a radius, and winding numbers by crossings along random directions.
//!
//! The library decides by regions and signs; here all of a triangle's edges and its plane are
//! tried, and the least squared distance is taken.

use crate::Rng;
use crate::rational_ray::{Exact, Vector, exact};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};
use hitscan::{ClosestPoint, TriangleId};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The nearest point of a shape.
#[derive(Debug, Clone)]
pub struct ExactNearest {
    /// The squared distance.
    pub square: Exact,
    /// The point.
    pub at: Vector,
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> Exact {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| &a[j] * &b[k] - &a[k] * &b[j])
}

fn along(a: &Vector, way: &Vector, fraction: &Exact) -> Vector {
    [0, 1, 2].map(|i| &a[i] + &way[i] * fraction)
}

fn is_zero(v: &Vector) -> bool {
    v.iter().all(Zero::is_zero)
}

/// The exact vector of an f64 one.
#[must_use]
pub fn wide(v: DVec3) -> Vector {
    v.to_array().map(exact)
}

fn nearest_at(point: &Vector, at: Vector) -> ExactNearest {
    let offset = minus(point, &at);
    ExactNearest {
        square: dot(&offset, &offset),
        at,
    }
}

/// The nearest point of a segment.
#[must_use]
pub fn segment(point: &Vector, a: &Vector, b: &Vector) -> ExactNearest {
    let way = minus(b, a);
    let square = dot(&way, &way);
    if square.is_zero() {
        return nearest_at(point, a.clone());
    }
    let fraction = dot(&way, &minus(point, a)) / square;
    let fraction = fraction.max(Exact::zero()).min(Exact::one());
    nearest_at(point, along(a, &way, &fraction))
}

/// The weights of the second and third corner at a point of a triangle's plane.
fn weights(at: &Vector, [a, b, c]: &[Vector; 3]) -> [Exact; 2] {
    let (p, q, r) = (minus(b, a), minus(c, a), minus(at, a));
    let normal = cross(&p, &q);
    let area = dot(&normal, &normal);
    [
        dot(&cross(&r, &q), &normal) / &area,
        dot(&cross(&p, &r), &normal) / &area,
    ]
}

/// The nearest point of a triangle, `None` without an area.
#[must_use]
pub fn triangle(point: &Vector, corners: &[Vector; 3]) -> Option<ExactNearest> {
    let [a, b, c] = corners;
    let normal = cross(&minus(b, a), &minus(c, a));
    if is_zero(&normal) {
        return None;
    }
    let height = dot(&normal, &minus(point, a)) / dot(&normal, &normal);
    let foot = along(point, &normal, &-height);
    let [u, v] = weights(&foot, corners);
    if !u.is_negative() && !v.is_negative() && &u + &v <= Exact::one() {
        return Some(nearest_at(point, foot));
    }
    [(a, b), (b, c), (c, a)]
        .into_iter()
        .map(|(p, q)| segment(point, p, q))
        .min_by(|one, other| one.square.cmp(&other.square))
}

/// How the root of `square`, less `radius`, compares with `limit`.
#[must_use]
pub fn compare_root(square: &Exact, radius: &Exact, limit: &Exact) -> Ordering {
    let limit = limit + radius;
    if limit.is_negative() {
        return Ordering::Greater;
    }
    square.cmp(&(&limit * &limit))
}

/// The root of `square`, less `radius`, rounded to the nearest f32, ties to even.
///
/// # Panics
/// If it is beyond the range of f32.
#[must_use]
pub fn rounded_root(square: &Exact, radius: &Exact) -> f32 {
    let two = Exact::one() + Exact::one();
    // Whether the number, rounded, is no greater than an f32.
    let is_by = |x: f32| {
        let value = |x: f32| exact(f64::from(x));
        let middle = (value(x) + value(x.next_up())) / &two;
        let order = compare_root(square, radius, &middle);
        order.is_lt() || (order.is_eq() && x.to_bits().is_multiple_of(2))
    };
    let guess = Vec3::splat(1.0) * DVec3::splat(to_f64(square).sqrt() - to_f64(radius)).as_vec3();
    let (mut low, mut high) = (rank(guess.x.next_down()) - 1, rank(guess.x.next_up()));
    if is_by(from_rank(low)) || !is_by(from_rank(high)) {
        (low, high) = (-rank(f32::MAX), rank(f32::MAX.next_down()));
    }
    assert!(
        !is_by(from_rank(low)) && is_by(from_rank(high)),
        "{square} less {radius}"
    );
    while low + 1 < high {
        let middle = low.midpoint(high);
        if is_by(from_rank(middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    from_rank(high) + 0.0
}

/// The number of a finite f32 in the order of all of them.
fn rank(x: f32) -> i32 {
    let magnitude = (x.to_bits() & 0x7FFF_FFFF).cast_signed();
    if x < 0.0 { -magnitude } else { magnitude }
}

fn from_rank(rank: i32) -> f32 {
    let magnitude = f32::from_bits(rank.unsigned_abs());
    if rank < 0 { -magnitude } else { magnitude }
}

/// The nearest f64, also of quotients of numbers beyond its range.
///
/// # Panics
/// Never: what is beyond the range is infinite.
#[must_use]
pub fn to_f64(x: &Exact) -> f64 {
    x.to_f64().unwrap_or(f64::INFINITY)
}

/// A triangle of what is queried, its corners counter-clockwise seen from the front.
#[derive(Debug, Clone)]
pub struct OracleTriangle {
    /// Its part and number.
    pub id: TriangleId,
    /// Its corners as the library has them; `u` and `v` belong to the second and the third.
    pub corners: [DVec3; 3],
    /// Whether the front is that from which they run clockwise.
    pub is_mirrored: bool,
}

/// What brute force finds: the reported distance, the triangle, and its nearest point.
pub type Expected<'a> = Option<(f32, &'a OracleTriangle, ExactNearest)>;

/// The triangle of the least reported distance among those up to `max_distance`, of equal ones the
/// lowest.
#[must_use]
pub fn brute_force<'a>(
    point: Vec3,
    triangles: &'a [OracleTriangle],
    max_distance: f64,
) -> Expected<'a> {
    let p = wide(point.as_dvec3());
    // Triangles whose farthest corner is nearer than another's box leave that out, with room for
    // rounding.
    let farthest = |t: &OracleTriangle| {
        let away = t.corners.map(|corner| (corner - point.as_dvec3()).length());
        away.into_iter().fold(0.0, f64::max) * 1.000_001
    };
    let has_area = |t: &&OracleTriangle| {
        let [a, b, c] = t.corners;
        (b - a).cross(c - a).length() > 1e-3 * (b - a).length() * (c - a).length()
    };
    let limit = triangles
        .iter()
        .filter(has_area)
        .map(farthest)
        .fold(f64::INFINITY, f64::min);
    let is_near = |t: &&OracleTriangle| {
        let [a, b, c] = t.corners;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let p = point.as_dvec3();
        (low - p).max(p - high).max(DVec3::ZERO).length() * 0.999_999 <= limit
    };
    let mut best: Expected<'a> = None;
    for one in triangles.iter().filter(is_near) {
        let Some(found) = triangle(&p, &one.corners.map(wide)) else {
            continue;
        };
        let zero = Exact::zero();
        if max_distance.is_finite()
            && compare_root(&found.square, &zero, &exact(max_distance)).is_gt()
        {
            continue;
        }
        let distance = rounded_root(&found.square, &zero);
        let is_better = best
            .as_ref()
            .is_none_or(|(other, on, _)| (distance, one.id) < (*other, on.id));
        if is_better {
            best = Some((distance, one, found));
        }
    }
    best
}

/// How often closed triangles wind around a point, by crossings along random directions until none
/// hits an edge; `None` on the surface.
///
/// # Panics
/// If a hundred directions all hit edges.
#[must_use]
pub fn winding(point: &Vector, triangles: &[[Vector; 3]], rng: &mut Rng) -> Option<i64> {
    'directions: for _ in 0..100 {
        let direction = [0; 3].map(|_| exact(f64::from(rng.uniform_f32(-1.0, 1.0))));
        let mut sum = 0;
        for corners in triangles {
            let [a, b, c] = corners;
            let normal = cross(&minus(b, a), &minus(c, a));
            if is_zero(&normal) {
                continue;
            }
            let slope = dot(&normal, &direction);
            let height = dot(&normal, &minus(a, point));
            if slope.is_zero() {
                continue 'directions;
            }
            let t = height / &slope;
            if t.is_negative() {
                continue;
            }
            let [u, v] = weights(&along(point, &direction, &t), corners);
            let w = Exact::one() - &u - &v;
            if u.is_negative() || v.is_negative() || w.is_negative() {
                continue;
            }
            if t.is_zero() {
                return None;
            }
            if u.is_zero() || v.is_zero() || w.is_zero() {
                continue 'directions;
            }
            sum += if slope.is_positive() { 1 } else { -1 };
        }
        return Some(sum);
    }
    panic!("all directions meet edges");
}

/// Whether `x` is the f32 nearest to `exactly` or its neighbour, or within 2^-40 of `greatest`.
#[must_use]
pub fn is_coordinate(x: f32, exactly: &Exact, greatest: f64) -> bool {
    let value = |x: f32| exact(f64::from(x));
    let is_near =
        value(x.next_down().next_down()) <= *exactly && *exactly <= value(x.next_up().next_up());
    let allowed = exact(greatest * f64::powi(2.0, -40));
    is_near || (value(x) - exactly).abs() <= allowed
}

/// Checks all of an answer about triangles but the object.
///
/// # Panics
/// Where the answer is wrong.
pub fn check_triangles(
    point: Vec3,
    expected: &Expected<'_>,
    is_inside: bool,
    found: Option<&ClosestPoint>,
    what: &str,
) {
    let (Some((distance, on, nearest)), Some(found)) = (expected, found) else {
        let expected = expected.as_ref().map(|(distance, on, _)| (distance, on.id));
        assert_eq!(
            expected.is_some(),
            found.is_some(),
            "{what}: {expected:?} {found:?}"
        );
        return;
    };
    let signed = if is_inside { 0.0 - distance } else { *distance };
    assert_eq!(found.is_inside, is_inside, "{what}: {found:?}");
    assert_eq!(
        found.distance.to_bits(),
        signed.to_bits(),
        "{what}: {signed} {found:?}"
    );
    assert_eq!(found.triangle, Some(on.id), "{what}: {found:?}");
    let coordinates = on.corners.iter().map(|corner| corner.abs().max_element());
    let greatest = coordinates.fold(point.as_dvec3().abs().max_element(), f64::max);
    for axis in 0..3 {
        assert!(
            is_coordinate(found.point[axis], &nearest.at[axis], greatest),
            "{what}: coordinate {axis}: {} {found:?}",
            to_f64(&nearest.at[axis])
        );
    }
    for (found, exactly) in found
        .barycentrics
        .iter()
        .zip(weights(&nearest.at, &on.corners.map(wide)))
    {
        let off = f64::from(*found) - to_f64(&exactly);
        assert!(
            off.abs() <= f64::powi(2.0, -20),
            "{what}: weight off by {off}"
        );
    }
    let corners = on.corners.map(wide);
    let outward = if nearest.square.is_zero() {
        let normal = cross(
            &minus(&corners[1], &corners[0]),
            &minus(&corners[2], &corners[0]),
        );
        if on.is_mirrored {
            minus(&wide(DVec3::ZERO), &normal)
        } else {
            normal
        }
    } else if is_inside {
        minus(&nearest.at, &wide(point.as_dvec3()))
    } else {
        minus(&wide(point.as_dvec3()), &nearest.at)
    };
    let is_far = f64::from(*distance) >= greatest * f64::powi(2.0, -20);
    check_normal(
        found.normal,
        &outward,
        is_far || nearest.square.is_zero(),
        what,
    );
}

/// Checks that a normal is of unit length and, where it matters, goes along `outward`.
///
/// # Panics
/// Where it does not.
pub fn check_normal(normal: Vec3, outward: &Vector, is_bound: bool, what: &str) {
    let normal = normal.as_dvec3();
    assert!((normal.length() - 1.0).abs() < 1e-6, "{what}: {normal}");
    let greatest = outward
        .iter()
        .map(Signed::abs)
        .max()
        .unwrap_or_else(Exact::one);
    if !is_bound || greatest.is_zero() {
        return;
    }
    let direction = DVec3::from_array([0, 1, 2].map(|i: usize| to_f64(&(&outward[i] / &greatest))));
    let off = (normal - direction / direction.length()).length();
    assert!(
        off <= f64::powi(2.0, -22),
        "{what}: normal {normal} off by {off}"
    );
}
