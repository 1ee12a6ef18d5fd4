//! Ballistic arcs against triangles and boxes by the contract's words alone, in rational arithmetic.

use crate::polynomial::{Polynomial, Root};
use crate::{Exact, Vector, exact, vector};
use core::cmp::Ordering;
use hitscan::glam::DVec3;
use hitscan::{BallisticArc, Side};
use num_traits::{One, Zero};

/// An arc: its three coordinates as polynomials in t, and its range.
#[derive(Debug, Clone)]
pub struct ExactArc {
    coordinates: [Polynomial; 3],
    low: Exact,
    high: Exact,
}

/// A hit of an arc.
#[derive(Debug, Clone)]
pub struct ExactArcHit {
    /// When.
    pub t: Root,
    /// From which side.
    pub side: Side,
    /// Of a box: the axis and whether it is its upper face. Of a triangle nothing.
    pub face: Option<(usize, bool)>,
}

/// A plane by a point and any vector along its normal.
pub type Plane = (Vector, Vector);

impl ExactArc {
    /// The arc.
    #[must_use]
    pub fn new(arc: &BallisticArc) -> Self {
        let [o, v, g] = [arc.origin(), arc.velocity(), arc.acceleration()].map(vector);
        let half = exact(0.5);
        let coordinate =
            |axis: usize| Polynomial::new([o[axis].clone(), v[axis].clone(), &g[axis] * &half]);
        Self {
            coordinates: [0, 1, 2].map(coordinate),
            low: exact(f64::from(arc.t_min())),
            high: exact(f64::from(arc.t_max().min(f32::MAX))),
        }
    }

    /// How far beyond a plane the arc is, times the length of its normal.
    #[must_use]
    pub fn beyond(&self, (point, normal): &Plane) -> Polynomial {
        let start = Polynomial::new([-dot(point, normal)]);
        (0..3).fold(start, |sum, axis| {
            sum.plus(&self.coordinates[axis].scaled(&normal[axis]))
        })
    }

    /// The hits of a closed triangle in its range, in order.
    #[must_use]
    pub fn triangle(&self, [a, b, c]: &[Vector; 3]) -> Vec<ExactArcHit> {
        let normal = cross(&minus(b, a), &minus(c, a));
        let height = self.beyond(&(a.clone(), normal.clone()));
        // Across each edge, in the triangle's plane.
        let edges = [(a, b), (b, c), (c, a)]
            .map(|(p, q)| self.beyond(&(p.clone(), cross(&normal, &minus(q, p)))));
        let slope = height.derivative();
        height
            .roots(&self.low, &self.high)
            .into_iter()
            .filter(|root| edges.iter().all(|edge| root.sign_of(edge).is_ge()))
            .map(|t| ExactArcHit {
                side: match t.sign_of(&slope) {
                    Ordering::Less => Side::Front,
                    _ => Side::Back,
                },
                t,
                face: None,
            })
            .collect()
    }

    /// The planes of a box by its eight corners, of which bit `i` tells the end of axis `i`; see
    /// [`ExactArc::slabs`].
    #[must_use]
    pub fn box_planes(corners: &[DVec3]) -> [[Plane; 2]; 3] {
        let at = |index: usize| corners[index].to_array().map(exact);
        let edges = [1, 2, 4].map(|bit| minus(&at(bit), &at(0)));
        [0, 1, 2].map(|axis: usize| {
            let outward = cross(&edges[(axis + 1) % 3], &edges[(axis + 2) % 3]);
            let inward = outward.clone().map(|x| -x);
            [(at(0), inward), (at(7), outward)]
        })
    }

    /// The first hit of a closed solid between three pairs of planes; the normals point outwards, of
    /// each axis the lower face first.
    #[must_use]
    pub fn slabs(&self, planes: &[[Plane; 2]; 3]) -> Option<ExactArcHit> {
        let beyond = planes
            .each_ref()
            .map(|pair| pair.each_ref().map(|plane| self.beyond(plane)));
        let mut times = vec![Root::rational(&self.low)];
        for polynomial in beyond.iter().flatten() {
            times.extend(polynomial.roots(&self.low, &self.high));
        }
        let is_in = |t: &Root| beyond.iter().flatten().all(|p| t.sign_of(p).is_le());
        let mut first: Option<Root> = None;
        for t in times.into_iter().filter(is_in) {
            if first.as_ref().is_none_or(|first| is_before(&t, first)) {
                first = Some(t);
            }
        }
        let t = first?;
        for (axis, pair) in beyond.iter().enumerate() {
            let on = pair.each_ref().map(|p| t.sign_of(p).is_eq());
            let slope = |end: usize| t.sign_of(&pair[end].derivative());
            let end = match on {
                [false, false] => continue,
                // A flat solid: the face that it comes from.
                [true, true] => usize::from(slope(1).is_lt()),
                [_, is_upper] => usize::from(is_upper),
            };
            return Some(ExactArcHit {
                side: if slope(end).is_lt() {
                    Side::Front
                } else {
                    Side::Back
                },
                t,
                face: Some((axis, end == 1)),
            });
        }
        Some(ExactArcHit {
            t,
            side: Side::Inside,
            face: None,
        })
    }

    /// The squared distance from a point, or, times the line's squared direction, from a line.
    #[must_use]
    pub fn square_from(&self, point: &Vector, direction: Option<&Vector>) -> Polynomial {
        let from = [0, 1, 2].map(|axis| {
            let place = Polynomial::new([-point[axis].clone()]);
            self.coordinates[axis].plus(&place)
        });
        let of = |v: &[Polynomial; 3]| {
            let squares = v.each_ref().map(|p| p.times(p));
            squares[0].plus(&squares[1]).plus(&squares[2])
        };
        let Some(direction) = direction else {
            return of(&from);
        };
        let minus = -Exact::one();
        let moment = [(1, 2), (2, 0), (0, 1)].map(|(j, k)| {
            let one = from[k].scaled(&direction[j]);
            one.plus(&from[j].scaled(&direction[k]).scaled(&minus))
        });
        of(&moment)
    }
}

/// Whether a root comes before another.
fn is_before(one: &Root, other: &Root) -> bool {
    one.compare_root(other).is_lt()
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> Exact {
    (0..3).fold(Exact::zero(), |sum, i| sum + &a[i] * &b[i])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| &a[j] * &b[k] - &a[k] * &b[j])
}
