//! The order in which faces are numbered: by their corners, the face parallel to one right after it.

use super::Polytope;
use crate::exact::adaptive::{Formula, Number, between, dot, sign};
use crate::shape::unit_vector::wide_unit;
use crate::sorting::{ordered_bits, sort_by_rank};
use glam::DVec3;

/// The places of the faces in the order of their numbers.
pub(super) fn face_order(polytope: &Polytope) -> Vec<usize> {
    let count = polytope.faces().len();
    let heights = Heights::of(polytope);
    let mut is_numbered = vec![false; count];
    let mut order = Vec::with_capacity(count);
    for face in 0..count {
        if is_numbered[face] {
            continue;
        }
        is_numbered[face] = true;
        order.push(face);
        let opposite = heights.opposite_face(face, &|other| !is_numbered[other]);
        if let Some(opposite) = opposite {
            is_numbered[opposite] = true;
            order.push(opposite);
        }
    }
    order
}

/// The direction along which normals are sorted: one that is square to few of them.
const SORTED_ALONG: DVec3 = DVec3::new(0.48, 0.6, 0.64);

/// Far more than rounding makes of a sine, and of a difference of two heights.
const NEAR: f64 = 1e-10;

/// How high the unit normals of the faces are along one direction, ascending.
struct Heights<'a> {
    polytope: &'a Polytope,
    /// By face, and the faces in order.
    of: Vec<f64>,
    sorted: Vec<usize>,
}

impl<'a> Heights<'a> {
    fn of(polytope: &'a Polytope) -> Self {
        let normals = polytope.faces().iter().map(|face| face.normal);
        let of: Vec<f64> = normals
            // That of none is below all.
            .map(|normal| wide_unit(normal).dot(SORTED_ALONG).max(-2.0))
            .collect();
        let mut sorted: Vec<usize> = (0..of.len()).collect();
        sort_by_rank(&mut sorted, |face| [ordered_bits(of[*face]), 0, 0]);
        Self {
            polytope,
            of,
            sorted,
        }
    }

    /// The face that is parallel to another one, if there is one that is open: the first of them.
    ///
    /// Normals whose directions differ by more than rounding are told apart in f64.
    fn opposite_face(&self, face: usize, is_open: &dyn Fn(usize) -> bool) -> Option<usize> {
        let faces = self.polytope.faces();
        let normal = faces[face].normal;
        let first = (self.sorted).partition_point(|other| self.of[*other] < -self.of[face] - NEAR);
        let near = (self.sorted[first..].iter().copied())
            .take_while(|other| self.of[*other] <= NEAR - self.of[face]);
        let opposite = near.filter(|&other| {
            is_open(other)
                && normal.dot(faces[other].normal) < 0.0
                && are_parallel(self.polytope, face, other)
        });
        opposite.min()
    }
}

fn are_parallel(polytope: &Polytope, face: usize, other: usize) -> bool {
    let [a, b, c] = polytope.face_span(other);
    [b, c].into_iter().all(|to| {
        let along = Along {
            polytope,
            face,
            way: [a, to],
        };
        sign(&along).is_eq()
    })
}

/// How far a way leads along a face's normal.
struct Along<'a> {
    polytope: &'a Polytope,
    face: usize,
    way: [DVec3; 2],
}

impl Formula for Along<'_> {
    fn value<N: Number>(&self) -> N {
        let [from, to] = self.way;
        dot(&self.polytope.normal(self.face), &between(from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::polytope::Numbering;
    use crate::test_rng::Rng;

    #[test]
    fn the_face_parallel_to_one_is_the_next() {
        let mut rng = Rng(3);
        let mut pairs = 0;
        for round in 0..300 {
            let mut points: Vec<DVec3> = (0..4 + round % 40)
                .map(|_| {
                    let place = [(); 3].map(|()| f64::from(rng.signed()));
                    let size = [1.0, 4.0][round % 2];
                    DVec3::from_array(place.map(|x| {
                        if round % 3 == 0 {
                            x
                        } else {
                            (x * size).round()
                        }
                    }))
                })
                .collect();
            if round % 4 != 0 {
                // Faces opposite to one another.
                points.extend_from_within(..);
                let count = points.len() / 2;
                for point in &mut points[count..] {
                    *point = DVec3::splat(3.0) - *point;
                }
            }
            let hull = Polytope::around(&points, Numbering::ByPlace);
            let faces = hull.faces().len();
            let mut place = 0;
            while place < faces {
                let is_opposite = |other: &usize| {
                    hull.faces()[place].normal.dot(hull.faces()[*other].normal) < 0.0
                        && are_parallel(&hull, place, *other)
                };
                let opposite = (0..faces).find(is_opposite);
                if let Some(opposite) = opposite {
                    assert_eq!(opposite, place + 1, "{round}");
                    pairs += 1;
                    place += 1;
                }
                place += 1;
            }
        }
        assert!(pairs > 1000, "{pairs}");
    }
}
