//! Points that a polytope holds, exactly, and those within a distance of it.

use super::predicates::{Plane, height_along, side};
use super::{Face, Polytope};
use crate::exact::adaptive::{Approx, Formula, Number, between, cross, decided, dot, sign};
use crate::exact::expansion::Expansion;
use crate::shape::capsule::{compare_point_segment, squared_sum};
use core::cmp::Ordering;
use glam::DVec3;

impl Polytope {
    /// On which side of a face's plane a point is: `Greater` outside.
    #[inline]
    pub(crate) fn side_of(&self, face: usize, point: DVec3) -> Ordering {
        let corners = self.face_span(face);
        let Face { normal, error, .. } = self.faces[face];
        let height = height_along(normal, error, point - corners[0]);
        let exactly = || side(&Plane::new(corners), corners, point);
        height.sign().unwrap_or_else(exactly)
    }

    /// Whether the closed polytope holds a point.
    pub(crate) fn holds(&self, point: DVec3) -> bool {
        match self.corners() {
            [only] => *only == point,
            [a, b] => compare_point_segment(point, [*a, *b], [0.0; 2]).is_le(),
            _ => {
                let is_behind = |face: usize| self.side_of(face, point).is_le();
                (0..self.faces.len()).all(is_behind) && (!self.is_flat() || self.is_over(0, point))
            }
        }
    }

    /// Whether a point is inside a face as seen along its normal, on a side of it, or on neither.
    pub(crate) fn is_over(&self, face: usize, point: DVec3) -> bool {
        self.ring_sides(face).all(|side| {
            let inward = Inward {
                polytope: self,
                face,
                side,
                point,
            };
            sign(&inward).is_ge()
        })
    }

    /// Whether a point is no further from the polytope than the sum of two lengths, which is not negative.
    pub(crate) fn reaches(&self, point: DVec3, room: [f64; 2]) -> bool {
        self.holds(point)
            || (self.edges.iter())
                .any(|edge| compare_point_segment(point, self.edge_ends(edge), room).is_le())
            || (0..self.faces.len()).any(|face| {
                self.side_of(face, point).is_gt()
                    && self.is_over(face, point)
                    && decided(self.is_low::<Approx>(face, point, room), || {
                        self.is_low::<Expansion>(face, point, room)
                    })
            })
            || self.corners.len() == 1
                && compare_point_segment(point, [self.corners[0]; 2], room).is_le()
    }

    /// Whether all within the first radius of the polytope holds all within the second one of a point.
    pub(crate) fn holds_ball(&self, center: DVec3, [own, radius]: [f64; 2]) -> bool {
        if radius <= own {
            return self.reaches(center, [own, -radius]);
        }
        // The ball less the polytope's own radius must lie inside.
        let room = [radius, -own];
        !self.is_flat()
            && (0..self.faces.len()).all(|face| {
                self.side_of(face, center).is_lt()
                    && decided(self.is_deep::<Approx>(face, center, room), || {
                        self.is_deep::<Expansion>(face, center, room)
                    })
            })
    }

    /// Whether a point's distance from a face's plane is at least the sum of two lengths.
    fn is_deep<N: Number>(&self, face: usize, point: DVec3, room: [f64; 2]) -> Option<bool> {
        Some(self.excess::<N>(face, point, room).known_sign()?.is_ge())
    }

    /// Whether a point's distance from a face's plane is at most the sum of two lengths.
    fn is_low<N: Number>(&self, face: usize, point: DVec3, room: [f64; 2]) -> Option<bool> {
        Some(self.excess::<N>(face, point, room).known_sign()?.is_le())
    }

    /// The squared distance of a point from a face's plane, less the squared sum of two lengths, in the scale
    /// of the normal's square.
    fn excess<N: Number>(&self, face: usize, point: DVec3, room: [f64; 2]) -> N {
        let normal: [N; 3] = self.normal(face);
        let height = dot(&normal, &between(self.face_span(face)[0], point));
        let limit = squared_sum::<N>(room).times(&dot(&normal, &normal));
        height.times(&height).minus(&limit)
    }
}

/// How far inward of a side of a face a point is.
struct Inward<'a> {
    polytope: &'a Polytope,
    face: usize,
    side: [DVec3; 2],
    point: DVec3,
}

impl Formula for Inward<'_> {
    fn value<N: Number>(&self) -> N {
        let [from, to] = self.side;
        let inward = cross(&self.polytope.normal(self.face), &between(from, to));
        dot(&inward, &between(from, self.point))
    }
}
