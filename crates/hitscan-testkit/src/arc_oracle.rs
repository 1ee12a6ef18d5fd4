//! Ballistic arcs against triangles and boxes by the contract's words alone, in rational arithmetic.

use crate::polynomial::{Polynomial, Root};
use crate::{Exact, Vector, exact, vector};
use core::cmp::Ordering;
use hitscan::glam::DVec3;
use hitscan::{BallisticArc, Side, Sides};
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

    /// The planes of a box by its eight corners, where bit `i` of the index is the end of axis `i`; see
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

    /// The first hit of a closed solid between three pairs of planes on a side that counts; the normals
    /// point outwards, of each axis the lower face first.
    #[must_use]
    pub fn slabs(&self, planes: &[[Plane; 2]; 3], sides: Sides) -> Option<ExactArcHit> {
        let beyond = planes
            .each_ref()
            .map(|pair| pair.each_ref().map(|plane| self.beyond(plane)));
        let start = Root::rational(&self.low);
        let mut times = vec![start.clone()];
        for polynomial in beyond.iter().flatten() {
            times.extend(polynomial.roots(&self.low, &self.high));
        }
        times.retain(|t| beyond.iter().flatten().all(|p| t.sign_of(p).is_le()));
        times.sort_by(Root::compare_root);
        times.into_iter().find_map(|t| {
            let is_start = t.compare_root(&start).is_eq();
            let mut is_inside = true;
            for (axis, pair) in beyond.iter().enumerate() {
                let on = pair.each_ref().map(|p| t.sign_of(p).is_eq());
                is_inside &= on == [false; 2];
                // An arc in a face's plane enters through other faces.
                if pair.iter().any(Polynomial::is_zero) && !is_start {
                    continue;
                }
                let slope = |end: usize| t.sign_of(&pair[end].derivative());
                let mut ends: Vec<usize> = (0..2).filter(|end| on[*end]).collect();
                // A flat solid: the face that it comes from, then the one that it leaves by.
                if ends.len() == 2 && slope(1).is_lt() {
                    ends.reverse();
                }
                for end in ends {
                    let side = if slope(end).is_lt() {
                        Side::Front
                    } else {
                        Side::Back
                    };
                    if sides.admits(side) {
                        let (t, face) = (t.clone(), Some((axis, end == 1)));
                        return Some(ExactArcHit { t, side, face });
                    }
                }
            }
            let (side, face) = (Side::Inside, None);
            (is_inside && sides == Sides::Both).then_some(ExactArcHit { t, side, face })
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

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i| &a[i] - &b[i])
}

fn dot(a: &Vector, b: &Vector) -> Exact {
    (0..3).fold(Exact::zero(), |sum, i| sum + &a[i] * &b[i])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| &a[j] * &b[k] - &a[k] * &b[j])
}
