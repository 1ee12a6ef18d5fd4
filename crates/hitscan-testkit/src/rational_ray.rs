//! Rays against triangles, boxes and spheres in rational arithmetic: slow, plain and exact.
//!
//! Written from the contract, not from the library: Cramer's rule for triangles, intervals for
//! boxes, the sign of a polynomial for spheres.

use glam::Vec3;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// An exact number.
pub type Exact = BigRational;

/// The exact value of an f64.
///
/// # Panics
/// When `x` is not finite.
#[must_use]
pub fn exact(x: f64) -> Exact {
    BigRational::from_float(x).expect("oracles take finite numbers")
}

/// An exact vector.
pub type Vector = [Exact; 3];

/// The exact value of an f32 vector.
#[must_use]
pub fn vector(v: Vec3) -> Vector {
    v.to_array().map(|x| exact(f64::from(x)))
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

/// An exact crossing of a triangle.
#[derive(Debug, Clone)]
pub struct ExactCrossing {
    /// t.
    pub t: Exact,
    /// The barycentric weights of the second and third corner.
    pub weights: [Exact; 2],
    /// Whether the ray goes against the normal.
    pub is_front: bool,
}

/// Where the line `origin + t * direction` hits the closed triangle, by Cramer's rule.
#[must_use]
pub fn line_triangle(
    origin: &Vector,
    direction: &Vector,
    [a, b, c]: &[Vector; 3],
) -> Option<ExactCrossing> {
    let (p, q, s) = (minus(b, a), minus(c, a), minus(origin, a));
    // s + t d = u p + v q.
    let normal = cross(&p, &q);
    let slope = dot(direction, &normal);
    if slope.is_zero() {
        return None;
    }
    let t = -dot(&s, &normal) / &slope;
    let on_plane = [0, 1, 2].map(|i| &s[i] + &t * &direction[i]);
    let area = dot(&normal, &normal);
    let u = dot(&cross(&on_plane, &q), &normal) / &area;
    let v = dot(&cross(&p, &on_plane), &normal) / &area;
    let is_inside = !u.is_negative() && !v.is_negative() && &u + &v <= Exact::one();
    is_inside.then(|| ExactCrossing {
        t,
        weights: [u, v],
        is_front: slope.is_negative(),
    })
}

/// The closed interval of t in which the line is in the closed triangle, if it lies in its plane and
/// hits it: between the points at which it cuts the edges.
#[must_use]
pub fn line_in_triangle(
    origin: &Vector,
    direction: &Vector,
    [a, b, c]: &[Vector; 3],
) -> Option<[Exact; 2]> {
    let normal = cross(&minus(b, a), &minus(c, a));
    let is_in_plane =
        dot(direction, &normal).is_zero() && dot(&minus(origin, a), &normal).is_zero();
    if !is_in_plane || normal.iter().all(Zero::is_zero) {
        return None;
    }
    let across = cross(&normal, direction);
    let corners = [a, b, c].map(|corner| minus(corner, origin));
    let offsets = corners.each_ref().map(|corner| dot(corner, &across));
    let times = corners
        .each_ref()
        .map(|corner| dot(corner, direction) / dot(direction, direction));
    let mut cuts: Vec<Exact> = Vec::new();
    for (p, q) in [(0, 1), (1, 2), (2, 0)] {
        if offsets[p].is_zero() {
            cuts.push(times[p].clone());
        }
        if (&offsets[p] * &offsets[q]).is_negative() {
            let fraction = &offsets[p] / (&offsets[p] - &offsets[q]);
            cuts.push(&times[p] + fraction * (&times[q] - &times[p]));
        }
    }
    cuts.sort();
    Some([cuts.first()?.clone(), cuts.last()?.clone()])
}

/// The closed interval of t in which the line is in the closed box, if any. Unbounded ends cannot
/// occur: some component of the direction is not zero.
#[must_use]
pub fn line_aabb(
    origin: &Vector,
    direction: &Vector,
    min: &Vector,
    max: &Vector,
) -> Option<(Exact, Exact)> {
    let mut interval: Option<(Exact, Exact)> = None;
    for axis in 0..3 {
        if direction[axis].is_zero() {
            if origin[axis] < min[axis] || origin[axis] > max[axis] {
                return None;
            }
            continue;
        }
        let at = |bound: &Exact| (bound - &origin[axis]) / &direction[axis];
        let (one, other) = (at(&min[axis]), at(&max[axis]));
        let (low, high) = if one < other {
            (one, other)
        } else {
            (other, one)
        };
        interval = Some(match interval {
            None => (low, high),
            Some((l, h)) => (l.max(low), h.min(high)),
        });
    }
    interval.filter(|(low, high)| low <= high)
}

/// `a t² + 2 b t + c`, which is negative where `origin + t * direction` is inside the sphere.
#[derive(Debug, Clone)]
pub struct SphereExcess {
    a: Exact,
    b: Exact,
    c: Exact,
}

impl SphereExcess {
    /// The polynomial for a line and a sphere.
    #[must_use]
    pub fn new(origin: &Vector, direction: &Vector, center: &Vector, radius: &Exact) -> Self {
        let m = minus(origin, center);
        let (a, b) = (dot(direction, direction), dot(&m, direction));
        Self {
            a,
            b,
            c: dot(&m, &m) - radius * radius,
        }
    }

    /// Its value at t.
    #[must_use]
    pub fn at(&self, t: &Exact) -> Exact {
        (&self.a * t + &self.b * Exact::from_integer(BigInt::from(2))) * t + &self.c
    }

    /// Where the line is nearest to the centre.
    #[must_use]
    pub fn middle(&self) -> Exact {
        -&self.b / &self.a
    }
}

/// Whether `rounded` is the nearest f32 to `x`, ties to even.
///
/// # Panics
/// When `rounded` or its neighbours are not finite.
#[must_use]
pub fn is_nearest_f32(rounded: f32, x: &Exact) -> bool {
    let value = |x: f32| exact(f64::from(x));
    let two = Exact::from_integer(BigInt::from(2));
    let low = (value(rounded.next_down()) + value(rounded)) / &two;
    let high = (value(rounded.next_up()) + value(rounded)) / &two;
    let is_even = rounded.to_bits().is_multiple_of(2);
    if is_even {
        low <= *x && *x <= high
    } else {
        low < *x && *x < high
    }
}
