//! The order in which faces are numbered: by their corners, the face parallel to one right after it.

use super::Polytope;
use crate::exact::adaptive::{Formula, Number, between, dot, sign};
use glam::DVec3;

/// The places of the faces in the order of their numbers.
pub(super) fn face_order(polytope: &Polytope) -> Vec<usize> {
    let count = polytope.faces().len();
    let mut is_numbered = vec![false; count];
    let mut order = Vec::with_capacity(count);
    for face in 0..count {
        if is_numbered[face] {
            continue;
        }
        is_numbered[face] = true;
        order.push(face);
        let opposite = opposite_face(polytope, face, &|other| !is_numbered[other]);
        if let Some(opposite) = opposite {
            is_numbered[opposite] = true;
            order.push(opposite);
        }
    }
    order
}

/// The face that is parallel to another one, if there is one that is open.
///
/// Normals whose directions differ by more than rounding are told apart in f64.
fn opposite_face(
    polytope: &Polytope,
    face: usize,
    is_open: &dyn Fn(usize) -> bool,
) -> Option<usize> {
    /// Far more than rounding makes of a sine, and squared.
    const NEAR: f64 = 1e-20;
    let normal = polytope.faces()[face].normal;
    let squared = normal.length_squared();
    (0..polytope.faces().len()).find(|&other| {
        let others = polytope.faces()[other].normal;
        is_open(other)
            && normal.dot(others) < 0.0
            && normal.cross(others).length_squared() <= NEAR * squared * others.length_squared()
            && are_parallel(polytope, face, other)
    })
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
