//! The overlap of shapes in rational arithmetic: the common part is clipped out, then examined.
//!
//! Slow and plain on purpose, over any exact number: small integers' ratios for grids, big ones for
//! f64. It shares neither code nor method with the library, which orders crossings by orientations
//! and never makes a common part.

use num_rational::BigRational;
use num_traits::Signed;

/// A number with exact arithmetic.
pub trait Exact: Signed + Clone + PartialOrd {}

impl<T: Signed + Clone + PartialOrd> Exact for T {}

/// A point in space.
pub type Point<T> = [T; 3];

/// How two shapes overlap; the library's kinds, from this file's own reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// They pass through one another.
    Cross,
    /// Two triangles of one plane share an area.
    Coplanar,
    /// They share boundary points only.
    Touch,
    /// One lies in the other.
    Contains,
}

/// The exact rational of a finite f64.
///
/// # Panics
/// For NaN and infinity.
#[must_use]
pub fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).expect("a finite number is a ratio")
}

fn minus<T: Exact>(a: &Point<T>, b: &Point<T>) -> Point<T> {
    [0, 1, 2].map(|i| a[i].clone() - b[i].clone())
}

fn dot<T: Exact>(a: &Point<T>, b: &Point<T>) -> T {
    a[0].clone() * b[0].clone() + a[1].clone() * b[1].clone() + a[2].clone() * b[2].clone()
}

fn cross<T: Exact>(a: &Point<T>, b: &Point<T>) -> Point<T> {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i].clone() * b[j].clone() - a[j].clone() * b[i].clone())
}

fn is_zero<T: Exact>(a: &Point<T>) -> bool {
    a.iter().all(T::is_zero)
}

fn normal<T: Exact>(t: &[Point<T>; 3]) -> Point<T> {
    cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]))
}

/// Whether the corners are not in one line.
#[must_use]
pub fn has_area<T: Exact>(t: &[Point<T>; 3]) -> bool {
    !is_zero(&normal(t))
}

/// The part of a convex polygon with `depth >= 0`, where `depth` is linear.
fn clip<T: Exact>(polygon: &[Point<T>], depth: impl Fn(&Point<T>) -> T) -> Vec<Point<T>> {
    let mut kept = Vec::new();
    for (i, p) in polygon.iter().enumerate() {
        let q = &polygon[(i + 1) % polygon.len()];
        let (at_p, at_q) = (depth(p), depth(q));
        if !at_p.is_negative() {
            kept.push(p.clone());
        }
        if (at_p.is_negative() && at_q.is_positive()) || (at_p.is_positive() && at_q.is_negative())
        {
            let part = at_p.clone() / (at_p - at_q);
            let edge = minus(q, p);
            kept.push([0, 1, 2].map(|k| p[k].clone() + edge[k].clone() * part.clone()));
        }
    }
    kept
}

/// The extreme points of a common part that is a point or a segment, in lexicographic order.
pub type Ends<T> = [Point<T>; 2];

/// How two triangles overlap; and the ends of their common part unless that has an area.
///
/// # Panics
/// Never for finite input.
#[must_use]
pub fn triangles<T: Exact>(
    a: &[Point<T>; 3],
    b: &[Point<T>; 3],
) -> Option<(Kind, Option<Ends<T>>)> {
    let (normal_a, normal_b) = (normal(a), normal(b));
    if !has_area(a) || !has_area(b) {
        return None;
    }
    let height = |p: &Point<T>| dot(&normal_b, &minus(p, &b[0]));
    let mut common = clip(a, height);
    common = clip(&common, |p| -height(p));
    for i in 0..3 {
        let inward = cross(&normal_b, &minus(&b[(i + 1) % 3], &b[i]));
        common = clip(&common, |p| dot(&inward, &minus(p, &b[i])));
    }
    let by_place =
        |p: &&Point<T>, q: &&Point<T>| p.partial_cmp(q).expect("exact numbers are ordered");
    let low = common.iter().min_by(by_place)?;
    let high = common.iter().max_by(by_place)?;
    let axis = minus(high, low);
    if common
        .iter()
        .any(|p| !is_zero(&cross(&axis, &minus(p, low))))
    {
        return Some((Kind::Coplanar, None));
    }
    let straddles = |plane: &[Point<T>; 3], normal: &Point<T>, other: &[Point<T>; 3]| {
        let sides = other.each_ref().map(|p| dot(normal, &minus(p, &plane[0])));
        sides.iter().any(T::is_positive) && sides.iter().any(T::is_negative)
    };
    let is_crossing = !is_zero(&axis) && straddles(a, &normal_a, b) && straddles(b, &normal_b, a);
    let kind = if is_crossing {
        Kind::Cross
    } else {
        Kind::Touch
    };
    Some((kind, Some([low.clone(), high.clone()])))
}

/// How a triangle overlaps the solid box from `min` to `max`.
///
/// # Panics
/// Never for finite input.
#[must_use]
pub fn triangle_and_box<T: Exact>(
    t: &[Point<T>; 3],
    min: &Point<T>,
    max: &Point<T>,
) -> Option<Kind> {
    if !has_area(t) {
        return None;
    }
    let normal = normal(t);
    let mut common = t.to_vec();
    for k in 0..3 {
        common = clip(&common, |p| p[k].clone() - min[k].clone());
        common = clip(&common, |p| max[k].clone() - p[k].clone());
    }
    let count = common.iter().fold(T::zero(), |sum, _| sum + T::one());
    if count.is_zero() {
        return None;
    }
    // The middle of the common part lies deepest in both shapes: inside each of them, as far as
    // that shape has an inside in its own dimensions, if any common point does.
    let middle = [0, 1, 2].map(|k| {
        let sum = common.iter().fold(T::zero(), |sum, p| sum + p[k].clone());
        sum / count.clone()
    });
    let is_flat = |k: usize| min[k] == max[k];
    let is_deep_in_box = (0..3).all(|k| is_flat(k) || (min[k] < middle[k] && middle[k] < max[k]));
    let is_deep_in_triangle = (0..3).all(|i| {
        let inward = cross(&normal, &minus(&t[(i + 1) % 3], &t[i]));
        dot(&inward, &minus(&middle, &t[i])).is_positive()
    });
    // Some direction of the box leads out of the triangle's plane, and with the triangle's own
    // directions no direction is left in which a small move parts the two.
    let directions_of_box = (0..3).filter(|&k| !is_flat(k)).count();
    let leads_out = (0..3).any(|k| !is_flat(k) && !normal[k].is_zero());
    if !(is_deep_in_box && leads_out && (directions_of_box == 3 || is_deep_in_triangle)) {
        return Some(Kind::Touch);
    }
    let is_inside = t
        .iter()
        .all(|p| (0..3).all(|k| min[k] <= p[k] && p[k] <= max[k]));
    Some(if is_inside {
        Kind::Contains
    } else {
        Kind::Cross
    })
}

/// The squared distance from `center` to the nearest point of the triangle, which has an area.
#[must_use]
pub fn squared_distance<T: Exact>(t: &[Point<T>; 3], center: &Point<T>) -> T {
    let [a, b, c] = t;
    let (u, v, w) = (minus(b, a), minus(c, a), minus(center, a));
    // The foot on the plane is a + s u + r v.
    let (uu, uv, vv) = (dot(&u, &u), dot(&u, &v), dot(&v, &v));
    let (uw, vw) = (dot(&u, &w), dot(&v, &w));
    let det = uu.clone() * vv.clone() - uv.clone() * uv.clone();
    let s = (vv * uw.clone() - uv.clone() * vw.clone()) / det.clone();
    let r = (uu * vw - uv * uw) / det;
    if !s.is_negative() && !r.is_negative() && s.clone() + r.clone() <= T::one() {
        let rest =
            [0, 1, 2].map(|k| w[k].clone() - s.clone() * u[k].clone() - r.clone() * v[k].clone());
        return dot(&rest, &rest);
    }
    let to_edge = |p: &Point<T>, q: &Point<T>| {
        let (edge, offset) = (minus(q, p), minus(center, p));
        let part = dot(&edge, &offset) / dot(&edge, &edge);
        let part = if part.is_negative() {
            T::zero()
        } else if part > T::one() {
            T::one()
        } else {
            part
        };
        let rest = [0, 1, 2].map(|k| offset[k].clone() - part.clone() * edge[k].clone());
        dot(&rest, &rest)
    };
    let (ab, bc, ca) = (to_edge(a, b), to_edge(b, c), to_edge(c, a));
    let least = if ab < bc { ab } else { bc };
    if ca < least { ca } else { least }
}

/// How a triangle overlaps a solid ball with a positive radius.
#[must_use]
pub fn triangle_and_ball<T: Exact>(
    t: &[Point<T>; 3],
    center: &Point<T>,
    radius: &T,
) -> Option<Kind> {
    if !has_area(t) {
        return None;
    }
    let limit = radius.clone() * radius.clone();
    let is_inside = t.iter().all(|p| {
        let offset = minus(p, center);
        dot(&offset, &offset) <= limit
    });
    let distance = squared_distance(t, center);
    if distance > limit {
        None
    } else if distance == limit {
        Some(Kind::Touch)
    } else if is_inside {
        Some(Kind::Contains)
    } else {
        Some(Kind::Cross)
    }
}

/// How often the triangles wind around `point`, by the crossings of one ray; `None` where the ray
/// hits an edge, so that another direction must be tried, or the point is in a triangle's plane
/// within its edges.
#[must_use]
pub fn winding<T: Exact>(
    triangles: &[[Point<T>; 3]],
    point: &Point<T>,
    direction: &Point<T>,
) -> Option<i32> {
    let mut count = 0;
    for t in triangles {
        // The volumes between the direction and each edge, seen from the point, decide whether the
        // line passes the triangle, and their sum from which side.
        let [a, b, c] = t.each_ref().map(|p| minus(p, point));
        let volumes = [(&a, &b), (&b, &c), (&c, &a)].map(|(p, q)| dot(direction, &cross(p, q)));
        let is_left = !volumes.iter().any(T::is_negative);
        let is_right = !volumes.iter().any(T::is_positive);
        if !(is_left || is_right) {
            continue;
        }
        if volumes.iter().any(T::is_zero) {
            return None;
        }
        let height = dot(&normal(t), &a);
        if height.is_zero() {
            return None;
        }
        if height.is_positive() == is_left {
            count += if is_left { 1 } else { -1 };
        }
    }
    Some(count)
}

/// Whether the point belongs to the closed triangle.
#[must_use]
pub fn is_on_triangle<T: Exact>(t: &[Point<T>; 3], point: &Point<T>) -> bool {
    has_area(t) && squared_distance(t, point).is_zero()
}

/// Whether `rounded` is the nearest f32 to `exact`, the even one of two.
///
/// # Panics
/// For NaN and infinity.
#[must_use]
pub fn is_nearest_f32(rounded: f32, exact: &BigRational) -> bool {
    let distance = |x: f32| (rational(f64::from(x)) - exact.clone()).abs();
    let own = distance(rounded);
    [rounded.next_up(), rounded.next_down()]
        .into_iter()
        .filter(|other| other.is_finite())
        .all(|other| {
            let others = distance(other);
            own < others || (own == others && rounded.to_bits().is_multiple_of(2))
        })
}
