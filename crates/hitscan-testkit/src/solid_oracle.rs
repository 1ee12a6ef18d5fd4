//! Distances from segments and places in oriented boxes, in rational arithmetic: slow and plain.
//!
//! Written from the shapes' meaning: least values are taken over all places where a piece of a
//! piecewise function ends or is flat.

use crate::shape_cast_oracle::MovingBox;
use crate::{Exact, Vector};
use num_traits::{One, Signed, Zero};

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i: usize| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> Exact {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| &a[j] * &b[k] - &a[k] * &b[j])
}

fn along(a: &Vector, d: &Vector, t: &Exact) -> Vector {
    [0, 1, 2].map(|i: usize| &a[i] + &d[i] * t)
}

/// The squared distance of a point from a segment.
#[must_use]
pub fn point_segment(point: &Vector, [a, b]: &[Vector; 2]) -> Exact {
    let edge = minus(b, a);
    let length = dot(&edge, &edge);
    let fraction = if length.is_zero() {
        Exact::zero()
    } else {
        (dot(&minus(point, a), &edge) / length).clamp(Exact::zero(), Exact::one())
    };
    let offset = minus(point, &along(a, &edge, &fraction));
    dot(&offset, &offset)
}

/// The squared distance of two segments.
#[must_use]
pub fn segment_segment(first: &[Vector; 2], second: &[Vector; 2]) -> Exact {
    let [p, q] = first;
    let [r, s] = second;
    let (u, v, w) = (minus(q, p), minus(s, r), minus(r, p));
    let by_ends = [
        point_segment(p, second),
        point_segment(q, second),
        point_segment(r, first),
        point_segment(s, first),
    ];
    let mut least = by_ends.into_iter().min().unwrap_or_else(Exact::zero);
    // Both offsets along both directions vanish where the lines are nearest: Cramer's rule.
    let determinant = dot(&u, &u) * dot(&v, &v) - dot(&u, &v) * dot(&u, &v);
    if !determinant.is_zero() {
        let of_first = (dot(&w, &u) * dot(&v, &v) - dot(&w, &v) * dot(&u, &v)) / &determinant;
        if of_first >= Exact::zero() && of_first <= Exact::one() {
            least = least.min(point_segment(&along(p, &u, &of_first), second));
        }
    }
    least
}

/// The least squared distance of a line from a segment, and the first and last t at which the
/// line has it.
///
/// # Panics
/// Never for a direction other than zero.
#[must_use]
pub fn line_segment(
    origin: &Vector,
    direction: &Vector,
    segment: &[Vector; 2],
) -> (Exact, Exact, Exact) {
    let [a, b] = segment;
    let edge = minus(b, a);
    let mut times = Vec::new();
    // Level with an end, nearest to an end, and nearest to the segment's line.
    let heading = dot(direction, &edge);
    for end in [a, b] {
        let offset = minus(origin, end);
        if !heading.is_zero() {
            times.push(-dot(&offset, &edge) / &heading);
        }
        times.push(-dot(&offset, direction) / dot(direction, direction));
    }
    let (lateral, moment) = (cross(direction, &edge), cross(&minus(origin, a), &edge));
    let squared = dot(&lateral, &lateral);
    if !squared.is_zero() {
        times.push(-dot(&moment, &lateral) / squared);
    }
    let at = |t: &Exact| point_segment(&along(origin, direction, t), segment);
    let least = times.iter().map(at).min().expect("there are times");
    let of_least = || times.iter().filter(|t| at(t) == least);
    let first = of_least().min().expect("one is the least").clone();
    let last = of_least().max().expect("one is the least").clone();
    (least, first, last)
}

/// The squared distance of the box at time `t` from a segment.
///
/// # Panics
/// Never.
#[must_use]
pub fn box_segment(moving: &MovingBox, t: &Exact, [a, b]: &[Vector; 2]) -> Exact {
    let (min, max) = (
        along(&moving.min, &moving.motion, t),
        along(&moving.max, &moving.motion, t),
    );
    let edge = minus(b, a);
    let offset = |fraction: &Exact| {
        let point = along(a, &edge, fraction);
        [0, 1, 2].map(|i: usize| &point[i] - point[i].clone().clamp(min[i].clone(), max[i].clone()))
    };
    // Where the segment passes a face's plane the distance changes its formula.
    let (zero, one) = (Exact::zero(), Exact::one());
    let mut fractions = vec![zero.clone(), one.clone()];
    for i in (0..3).filter(|&i| !edge[i].is_zero()) {
        for face in [&min[i], &max[i]] {
            let fraction = (face - &a[i]) / &edge[i];
            if fraction > zero && fraction < one {
                fractions.push(fraction);
            }
        }
    }
    fractions.sort();
    let squared = |fraction: &Exact| {
        let offset = offset(fraction);
        dot(&offset, &offset)
    };
    let mut least = fractions
        .iter()
        .map(squared)
        .min()
        .expect("there are fractions");
    for piece in fractions.windows(2) {
        let middle = (&piece[0] + &piece[1]) / (&one + &one);
        let here = offset(&middle);
        // In the piece each component either is zero or moves with the segment.
        let speed = [0, 1, 2].map(|i: usize| {
            if here[i].is_zero() {
                zero.clone()
            } else {
                edge[i].clone()
            }
        });
        let curve = dot(&speed, &speed);
        if !curve.is_zero() {
            let flat = &middle - dot(&here, &speed) / curve;
            if flat > piece[0] && flat < piece[1] {
                least = least.min(squared(&flat));
            }
        }
    }
    least
}

/// A point or direction in the coordinates of an oriented box, in which it reaches from 0 to 1.
#[derive(Debug, Clone)]
pub struct OwnAxes {
    corner: Vector,
    normals: [Vector; 3],
    sizes: [Exact; 3],
}

impl OwnAxes {
    /// The axes of the box with these corners, where bit `i` of the index is the end of the box's
    /// own axis `i`; `None` for a flat box.
    #[must_use]
    pub fn new(corners: &[Vector; 8]) -> Option<Self> {
        let edges = [1, 2, 4].map(|k: usize| minus(&corners[k], &corners[0]));
        let normals =
            [(1, 2), (2, 0), (0, 1)].map(|(j, k): (usize, usize)| cross(&edges[j], &edges[k]));
        let sizes = [0, 1, 2].map(|i: usize| dot(&normals[i], &edges[i]));
        sizes.iter().all(Signed::is_positive).then(|| Self {
            corner: corners[0].clone(),
            normals,
            sizes,
        })
    }

    /// A point in these coordinates.
    #[must_use]
    pub fn point(&self, point: &Vector) -> Vector {
        self.direction(&minus(point, &self.corner))
    }

    /// A direction in these coordinates.
    #[must_use]
    pub fn direction(&self, direction: &Vector) -> Vector {
        [0, 1, 2].map(|i: usize| dot(&self.normals[i], direction) / &self.sizes[i])
    }

    /// The outward normal of the upper face of an own axis, of any length.
    #[must_use]
    pub fn normal(&self, axis: usize) -> &Vector {
        &self.normals[axis]
    }
}
