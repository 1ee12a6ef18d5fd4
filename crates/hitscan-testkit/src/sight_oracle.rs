//! Oracle of sight lines, the obstacles between two points, in rational arithmetic: slow, plain and
//! exact.
//!
//! Written from the contract: triangles by Cramer's rule, boxes by intervals, spheres and capsules by
//! squared distances.

use crate::{Exact, SphereExcess, Vector, exact, line_triangle, round_to_f32};
use glam::DVec3;
use hitscan::{ObjectId, TriangleId};
use num_traits::{One, Signed, Zero};

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> Exact {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn is_inner(t: &Exact) -> bool {
    t.is_positive() && *t < Exact::one()
}

/// The exact value of an f64 vector.
#[must_use]
pub fn wide(v: DVec3) -> Vector {
    v.to_array().map(exact)
}

/// What is in the way, by its object and triangle, with its t where that is rational.
pub struct Found {
    /// The object.
    pub object: ObjectId,
    /// Its triangle.
    pub triangle: Option<TriangleId>,
    /// The exact t.
    pub t: Option<Exact>,
}

/// An object in exact numbers.
pub enum Thing {
    /// Triangles with their numbers, of a terrain or a mesh.
    Triangles {
        /// The triangles.
        corners: Vec<(u32, [Vector; 3])>,
        /// Whether they are a terrain's.
        is_terrain: bool,
    },
    /// A box by its minimum and maximum corner.
    Box(Vector, Vector),
    /// A capsule, or a sphere, whose ends are one.
    Capsule([Vector; 2], Exact),
}

/// Whether an end counts as on a terrain's triangle.
fn is_on(end: &Vector, corners: &[Vector; 3]) -> bool {
    let down = [0.0, -1.0, 0.0].map(exact);
    let Some(crossing) = line_triangle(end, &down, corners) else {
        return false;
    };
    let height = &end[1] - crossing.t;
    exact(f64::from(round_to_f32(&height))) == end[1]
}

/// The minimum squared distance of two segments, either of which may be a point.
fn squared_distance([p, q]: [&Vector; 2], [r, s]: [&Vector; 2]) -> Exact {
    let to_segment = |point: &Vector, from: &Vector, to: &Vector| {
        let along = minus(to, from);
        let length = dot(&along, &along);
        let mut t = Exact::zero();
        if !length.is_zero() {
            t = dot(&minus(point, from), &along) / length;
            t = t.max(Exact::zero()).min(Exact::one());
        }
        let nearest = [0, 1, 2].map(|i| &from[i] + &t * &along[i]);
        let way = minus(point, &nearest);
        dot(&way, &way)
    };
    let mut least = to_segment(p, r, s)
        .min(to_segment(q, r, s))
        .min(to_segment(r, p, q))
        .min(to_segment(s, p, q));
    let (u, v, w) = (minus(q, p), minus(s, r), minus(p, r));
    let (uu, uv, vv) = (dot(&u, &u), dot(&u, &v), dot(&v, &v));
    let determinant = &uu * &vv - &uv * &uv;
    if !determinant.is_zero() {
        let (uw, vw) = (dot(&u, &w), dot(&v, &w));
        let t = (&uv * &vw - &vv * &uw) / &determinant;
        let fraction = (&uu * &vw - &uv * &uw) / &determinant;
        if is_inner(&t) && is_inner(&fraction) {
            let way = [0, 1, 2].map(|i| &w[i] + &t * &u[i] - &fraction * &v[i]);
            least = least.min(dot(&way, &way));
        }
    }
    least
}

/// Whether a point of the open segment is strictly inside the box, or strictly inside a flat one's face.
fn passes_box(from: &Vector, way: &Vector, min: &Vector, max: &Vector) -> bool {
    let (mut enter, mut leave) = (Exact::zero(), Exact::one());
    if way.iter().all(Zero::is_zero) {
        return (0..3).all(|axis| min[axis] < from[axis] && from[axis] < max[axis]);
    }
    let mut crossing = None;
    for axis in 0..3 {
        let is_flat = min[axis] == max[axis];
        if way[axis].is_zero() {
            if is_flat || from[axis] <= min[axis] || from[axis] >= max[axis] {
                return false;
            }
            continue;
        }
        let at = |plane: &Exact| (plane - &from[axis]) / &way[axis];
        let (one, other) = (at(&min[axis]), at(&max[axis]));
        if is_flat {
            if crossing.is_some() || !is_inner(&one) {
                return false;
            }
            crossing = Some(one);
        } else {
            enter = enter.max(one.clone().min(other.clone()));
            leave = leave.min(one.max(other));
        }
    }
    match crossing {
        Some(t) => enter < t && t < leave,
        None => enter < leave,
    }
}

impl Thing {
    /// All of it that is in the way from one point to another.
    #[must_use]
    pub fn blocks(&self, object: ObjectId, from: &Vector, to: &Vector) -> Vec<Found> {
        let way = minus(to, from);
        let is_point = way.iter().all(Zero::is_zero);
        let solid = |is_blocked: bool| {
            is_blocked
                .then_some(Found {
                    object,
                    triangle: None,
                    t: None,
                })
                .into_iter()
                .collect()
        };
        match self {
            Self::Triangles { .. } if is_point => Vec::new(),
            Self::Triangles {
                corners,
                is_terrain,
            } => corners
                .iter()
                .filter_map(|(triangle, corners)| {
                    let crossing = line_triangle(from, &way, corners)?;
                    let is_exempt = *is_terrain && (is_on(from, corners) || is_on(to, corners));
                    (is_inner(&crossing.t) && !is_exempt).then_some(Found {
                        object,
                        triangle: Some(TriangleId {
                            part: 0,
                            triangle: *triangle,
                        }),
                        t: Some(crossing.t),
                    })
                })
                .collect(),
            Self::Box(min, max) => solid(passes_box(from, &way, min, max)),
            Self::Capsule([a, b], radius) if a == b && !is_point => {
                let excess = SphereExcess::new(from, &way, a, radius);
                let middle = excess.middle();
                let ends = [Exact::zero(), Exact::one()];
                let is_inside = ends.iter().any(|t| excess.at(t).is_negative())
                    || (is_inner(&middle) && excess.at(&middle).is_negative());
                solid(is_inside)
            }
            Self::Capsule([a, b], radius) => {
                solid(squared_distance([from, to], [a, b]) < radius * radius)
            }
        }
    }
}
