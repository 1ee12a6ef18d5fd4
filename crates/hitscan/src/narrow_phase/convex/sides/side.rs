//! A side of a pair's difference: its direction and its gap, without rounding where they must be.

use super::faceted::Faceted;
use crate::exact::adaptive::{
    Approx, Number, between, cross, decided, dot, rounded, rounded_vector, vector,
};
use crate::exact::big_float::BigFloat;
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF};
use crate::narrow_phase::convex::separating_axes::CorePair;
use crate::shape::polytope::height_error;
use core::cmp::Ordering;
use glam::DVec3;

/// What of the two cores a side is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// A face of the obstacle.
    Obstacle(u16),
    /// A face of the shape, inward.
    Shape(u16),
    /// The cross product of an edge of the obstacle with one of the shape, or its opposite.
    Edges {
        obstacle: u16,
        shape: u16,
        is_reversed: bool,
    },
    /// Of a flat difference: the cross product of an edge of the obstacle with the plane's normal, or its
    /// opposite.
    ObstacleEdge { edge: u16, is_reversed: bool },
    /// The same with an edge of the shape.
    ShapeEdge { edge: u16, is_reversed: bool },
}

/// An obstacle and a shape, one of which is a polytope, or the shape a triangle.
#[derive(Debug, Clone, Copy)]
pub(in crate::narrow_phase::convex) struct SidePair<'a> {
    pub(super) obstacle: Faceted<'a>,
    pub(super) shape: Faceted<'a>,
    /// No coordinate of the way between two corners of the two is greater.
    pub(super) reach: f64,
    /// The side across the difference where that is flat.
    pub(super) plane: Option<Side>,
}

/// Which corners of a core may be the furthest along a side.
enum Support<'a> {
    One(DVec3),
    Of(&'a [DVec3]),
}

impl Support<'_> {
    fn corners(&self) -> &[DVec3] {
        match self {
            Self::One(corner) => core::slice::from_ref(corner),
            Self::Of(corners) => corners,
        }
    }
}

impl<'a> SidePair<'a> {
    /// The pair; `are_mirrored` says of each whether it is a triangle whose front is that from which its corners
    /// go clockwise, which only the order of equal depths shows.
    pub(in crate::narrow_phase::convex) fn new(
        cores: &'a CorePair<'_>,
        are_mirrored: [bool; 2],
    ) -> Self {
        let (obstacle, shape) = (
            Faceted::new(&cores.obstacle, are_mirrored[0]),
            Faceted::new(&cores.shape, are_mirrored[1]),
        );
        let [low, high] = cores.obstacle.corner_bounds();
        let [shape_low, shape_high] = cores.shape.corner_bounds();
        let (back, forth) = ((shape_low - high).abs(), (shape_high - low).abs());
        let mut pair = Self {
            obstacle,
            shape,
            reach: back.max(forth).max_element() * (1.0 + 4.0 * UNIT_ROUNDOFF),
            plane: None,
        };
        pair.plane = pair.find_plane();
        pair
    }

    /// The side across the difference, if that is flat.
    fn find_plane(&self) -> Option<Side> {
        if !(self.obstacle.is_flat() && self.shape.is_flat()) {
            return None;
        }
        let side = if self.obstacle.face_count() > 0 {
            Side::Obstacle(0)
        } else if self.shape.face_count() > 0 {
            Side::Shape(0)
        } else if self.obstacle.edges.is_empty() || self.shape.edges.is_empty() {
            return None;
        } else {
            Side::Edges {
                obstacle: 0,
                shape: 0,
                is_reversed: false,
            }
        };
        let is_level = |corners: &[DVec3]| {
            let mut others = corners[1..].iter();
            others.all(|corner| self.compare_along(side, *corner, corners[0]).is_eq())
        };
        (!self.vanishes(side) && is_level(self.obstacle.corners) && is_level(self.shape.corners))
            .then_some(side)
    }

    /// Whether a side's direction is none.
    fn vanishes(&self, side: Side) -> bool {
        let is_zero = |component: &Approx, axis: usize| {
            let exact = || Some(self.direction::<Expansion>(side)[axis].sign());
            decided(component.sign(), exact).is_eq()
        };
        let approx = self.direction::<Approx>(side);
        (approx.iter().zip(0..)).all(|(component, axis)| is_zero(component, axis))
    }

    /// A side's direction, from the obstacle to the shape, of any length.
    pub(in crate::narrow_phase::convex) fn direction<N: Number>(&self, side: Side) -> [N; 3] {
        let negative = |v: [N; 3]| v.map(|x| N::from_f64(0.0).minus(&x));
        let turned = |v: [N; 3], is_reversed: bool| if is_reversed { negative(v) } else { v };
        let along = |[from, to]: [DVec3; 2]| -> [N; 3] { between(from, to) };
        match side {
            Side::Obstacle(face) => self.obstacle.normal(face),
            Side::Shape(face) => negative(self.shape.normal(face)),
            Side::Edges {
                obstacle,
                shape,
                is_reversed,
            } => {
                let edges = [
                    self.obstacle.edge_ends(obstacle),
                    self.shape.edge_ends(shape),
                ];
                let [one, other] = edges.map(along);
                turned(cross(&one, &other), is_reversed)
            }
            Side::ObstacleEdge { edge, is_reversed } => {
                let normal = self.plane_normal();
                turned(
                    cross(&along(self.obstacle.edge_ends(edge)), &normal),
                    is_reversed,
                )
            }
            Side::ShapeEdge { edge, is_reversed } => {
                let normal = self.plane_normal();
                turned(
                    cross(&along(self.shape.edge_ends(edge)), &normal),
                    is_reversed,
                )
            }
        }
    }

    fn plane_normal<N: Number>(&self) -> [N; 3] {
        match self.plane {
            Some(plane) => self.direction(plane),
            None => vector(DVec3::ZERO),
        }
    }

    /// A side's direction correct to 2^-40 of it.
    pub(in crate::narrow_phase::convex) fn rounded_direction(&self, side: Side) -> DVec3 {
        rounded_vector(&self.direction(side), || self.direction(side))
    }

    /// The corners of the obstacle that may be the furthest along a side, and those of the shape that may
    /// be the least far.
    fn supports(&self, side: Side) -> [Support<'_>; 2] {
        let (obstacle, shape) = (&self.obstacle, &self.shape);
        match side {
            Side::Obstacle(face) => [
                Support::One(obstacle.span(face)[0]),
                Support::Of(shape.corners),
            ],
            Side::Shape(face) => [
                Support::Of(obstacle.corners),
                Support::One(shape.span(face)[0]),
            ],
            Side::Edges {
                obstacle: one,
                shape: other,
                ..
            } => [
                Support::One(obstacle.edge_ends(one)[0]),
                Support::One(shape.edge_ends(other)[0]),
            ],
            Side::ObstacleEdge { edge, .. } => [
                Support::One(obstacle.edge_ends(edge)[0]),
                Support::Of(shape.corners),
            ],
            Side::ShapeEdge { edge, .. } => [
                Support::Of(obstacle.corners),
                Support::One(shape.edge_ends(edge)[0]),
            ],
        }
    }

    /// The gap at t = 0 in f64, given the direction and a bound on the error of its components.
    pub(super) fn approx_gap(&self, side: Side, direction: DVec3, error: f64) -> Approx {
        let [obstacle, shape] = self.supports(side);
        let mut least = f64::INFINITY;
        for a in obstacle.corners() {
            for b in shape.corners() {
                least = least.min(direction.dot(*b - *a));
            }
        }
        Approx {
            value: least,
            error: height_error(direction, error, self.reach),
        }
    }

    /// The gap at t = 0 without rounding, times the direction's length.
    pub(in crate::narrow_phase::convex) fn gap(&self, side: Side) -> BigFloat {
        let direction: [BigFloat; 3] = self.direction(side);
        let (rounded, error) = rounded(&self.direction(side));
        let [obstacle, shape] = self.supports(side);
        let pairs = || {
            let shapes = shape.corners();
            (obstacle.corners().iter()).flat_map(move |a| shapes.iter().map(move |b| [*a, *b]))
        };
        // Only those near the least in f64 may be it.
        let height = |[a, b]: [DVec3; 2]| rounded.dot(b - a);
        let least = pairs().map(height).fold(f64::INFINITY, f64::min);
        let limit = least + 2.0 * height_error(rounded, error, self.reach);
        let near = pairs().filter(|pair| height(*pair) <= limit);
        let gaps = near.map(|[a, b]| dot(&direction, &between(a, b)));
        let least = gaps.reduce(|least: BigFloat, next| least.min_with(&next));
        least.unwrap_or_else(|| BigFloat::from_f64(0.0))
    }

    /// How fast a motion changes the gap, without rounding, times the direction's length.
    pub(super) fn speed(&self, side: Side, motion: DVec3) -> BigFloat {
        dot(&self.direction::<BigFloat>(side), &vector(motion))
    }

    /// The exact sign of `n · (a - b)`.
    pub(in crate::narrow_phase::convex) fn compare_along(
        &self,
        side: Side,
        a: DVec3,
        b: DVec3,
    ) -> Ordering {
        let approx = dot(&self.direction::<Approx>(side), &between(b, a)).sign();
        decided(approx, || {
            Some(dot(&self.direction::<Expansion>(side), &between(b, a)).sign())
        })
    }
}
