//! Distances of convex cores in rational arithmetic: slow and plain.
//!
//! Written from the meaning: two convex sets with corners are nearest at points of a corner, an edge or a
//! triangle of each, and there the offset is square to both. Every pair of pieces is tried, and
//! those points count that lie in their pieces.

use crate::{Exact, Vector};
use num_traits::{One, Signed, Zero};

/// A convex set by its pieces.
pub struct RationalCore {
    corners: Vec<Vector>,
    /// Indices of corners: one, two or three of them.
    pieces: Vec<Vec<usize>>,
    is_box: bool,
}

/// Where two sets are nearest.
pub struct Nearest {
    /// The square of the distance.
    pub squared: Exact,
    /// From the first set's nearest point to the second's.
    pub offset: Vector,
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i: usize| &a[i] - &b[i])
}

/// The scalar product.
#[must_use]
pub fn dot(a: &Vector, b: &Vector) -> Exact {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn along(a: &Vector, d: &Vector, t: &Exact) -> Vector {
    [0, 1, 2].map(|i: usize| &a[i] + &d[i] * t)
}

impl RationalCore {
    /// One to three corners, or the eight of a box whose bit `i` tells the end of axis `i`.
    #[must_use]
    pub fn new(corners: Vec<Vector>) -> Self {
        let count = corners.len();
        let is_box = count == 8;
        let mut pieces: Vec<Vec<usize>> = (0..count).map(|i| vec![i]).collect();
        if is_box {
            for axis in [1, 2, 4] {
                for low in (0..8).filter(|k| k & axis == 0) {
                    pieces.push(vec![low, low | axis]);
                }
                let (u, v) = match axis {
                    1 => (2, 4),
                    2 => (4, 1),
                    _ => (1, 2),
                };
                for base in [0, axis] {
                    pieces.push(vec![base, base | u, base | v]);
                    pieces.push(vec![base | u | v, base | u, base | v]);
                    pieces.push(vec![base | u, base | v]);
                }
            }
        } else {
            for i in 0..count {
                for j in i + 1..count {
                    pieces.push(vec![i, j]);
                }
            }
            if count == 3 {
                pieces.push(vec![0, 1, 2]);
            }
        }
        Self {
            corners,
            pieces,
            is_box,
        }
    }

    /// The set moved by `t` times the motion.
    #[must_use]
    pub fn moved(&self, motion: &Vector, t: &Exact) -> Self {
        Self {
            corners: self.corners.iter().map(|c| along(c, motion, t)).collect(),
            pieces: self.pieces.clone(),
            is_box: self.is_box,
        }
    }

    /// Whether a box holds a point.
    fn holds(&self, point: &Vector) -> bool {
        if !self.is_box {
            return false;
        }
        let edges = [1, 2, 4].map(|k: usize| minus(&self.corners[k], &self.corners[0]));
        let rows: Vec<Vec<Exact>> = (0..3)
            .map(|i| {
                let mut row: Vec<Exact> = (0..3).map(|k: usize| edges[k][i].clone()).collect();
                row.push(&point[i] - &self.corners[0][i]);
                row
            })
            .collect();
        solve(rows).is_some_and(|weights| {
            weights
                .iter()
                .all(|s| !s.is_negative() && *s <= Exact::one())
        })
    }
}

/// The solution of linear equations, if there is exactly one.
fn solve(mut rows: Vec<Vec<Exact>>) -> Option<Vec<Exact>> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).find(|&row| !rows[row][column].is_zero())?;
        rows.swap(column, pivot);
        for row in 0..n {
            if row != column && !rows[row][column].is_zero() {
                let factor = &rows[row][column] / &rows[column][column];
                let pivot = rows[column].clone();
                for (number, other) in rows[row].iter_mut().zip(&pivot).skip(column) {
                    *number -= &factor * other;
                }
            }
        }
    }
    Some((0..n).map(|i| &rows[i][n] / &rows[i][i]).collect())
}

/// The nearest points of two convex sets.
///
/// # Panics
/// Never: corners always count.
#[must_use]
pub fn nearest(first: &RationalCore, second: &RationalCore) -> Nearest {
    let mut best: Option<Nearest> = None;
    if first.holds(&second.corners[0]) || second.holds(&first.corners[0]) {
        return Nearest {
            squared: Exact::zero(),
            offset: [(); 3].map(|()| Exact::zero()),
        };
    }
    for p in &first.pieces {
        for q in &second.pieces {
            let Some(found) = between(first, p, second, q) else {
                continue;
            };
            if best
                .as_ref()
                .is_none_or(|best| found.squared < best.squared)
            {
                best = Some(found);
            }
        }
    }
    best.expect("corners always count")
}

/// The nearest points of two pieces' planes or lines, if they are single and lie in the pieces.
fn between(
    first: &RationalCore,
    p: &[usize],
    second: &RationalCore,
    q: &[usize],
) -> Option<Nearest> {
    let (a, b) = (&first.corners[p[0]], &second.corners[q[0]]);
    let ways: Vec<Vector> = (p[1..].iter().map(|&k| minus(a, &first.corners[k])))
        .chain(q[1..].iter().map(|&k| minus(&second.corners[k], b)))
        .collect();
    let start = minus(b, a);
    // offset = start + Σ weight way, square to every way.
    let rows = ways
        .iter()
        .map(|row| {
            let mut row_of: Vec<Exact> = ways.iter().map(|way| dot(row, way)).collect();
            row_of.push(-dot(row, &start));
            row_of
        })
        .collect();
    let weights = solve(rows)?;
    let (mine, others) = weights.split_at(p.len() - 1);
    for part in [mine, others] {
        let sum: Exact = part.iter().sum();
        if part.iter().any(Signed::is_negative) || sum > Exact::one() {
            return None;
        }
    }
    let mut offset = start;
    for (way, weight) in ways.iter().zip(&weights) {
        offset = along(&offset, way, weight);
    }
    Some(Nearest {
        squared: dot(&offset, &offset),
        offset,
    })
}
