//! All sides of a pair, with bounds in f64.

use super::side::{Side, SidePair};
use crate::exact::adaptive::{Approx, rounded};
use crate::exact::expansion::{Expansion, UNIT_ROUNDOFF};
use crate::shape::polytope::height_along;
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::DVec3;

/// A side in f64.
#[derive(Debug, Clone, Copy)]
pub(super) struct ApproxSide {
    pub(super) side: Side,
    /// Of any length, and how far each component may be off.
    pub(super) direction: DVec3,
    pub(super) error: f64,
    /// The gap at t = 0, in the direction's scale.
    pub(super) gap: Approx,
}

impl ApproxSide {
    /// The speed of a motion along it.
    pub(super) fn speed(&self, motion: DVec3) -> Approx {
        height_along(self.direction, self.error, motion)
    }
}

impl SidePair<'_> {
    /// Visits all sides until that breaks; the order is not that of [`SidePair::rank`].
    pub(super) fn each_side(
        &self,
        visit: &mut dyn FnMut(ApproxSide) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut add = |side: Side, direction: DVec3, error: f64| {
            let gap = self.approx_gap(side, direction, error);
            visit(ApproxSide {
                side,
                direction,
                error,
                gap,
            })
        };
        for face in (0..).take(self.obstacle.face_count()) {
            let (normal, error) = self.obstacle.rounded_normal(face);
            add(Side::Obstacle(face), normal, error)?;
        }
        for face in (0..).take(self.shape.face_count()) {
            let (normal, error) = self.shape.rounded_normal(face);
            add(Side::Shape(face), -normal, error)?;
        }
        for obstacle in (0..).take(self.obstacle.edges.len()) {
            for shape in (0..).take(self.shape.edges.len()) {
                let (product, error) = self.product_of(obstacle, shape);
                for is_reversed in self
                    .directions_of(obstacle, shape, product, error)
                    .into_iter()
                    .flatten()
                {
                    let direction = if is_reversed { -product } else { product };
                    let side = Side::Edges {
                        obstacle,
                        shape,
                        is_reversed,
                    };
                    add(side, direction, error)?;
                }
            }
        }
        if self.plane.is_some() {
            for side in self.sides_in_plane() {
                let (direction, error) = rounded(&self.direction(side));
                add(side, direction, error)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The product of two edges in f64, and a bound on the error of each component.
    pub(super) fn product_of(&self, obstacle: u16, shape: u16) -> (DVec3, f64) {
        let [from, to] = self.obstacle.edge_ends(obstacle);
        let [start, end] = self.shape.edge_ends(shape);
        let (along, other) = (to - from, end - start);
        // Two rounded vectors, two products and a difference.
        let error = 16.0 * UNIT_ROUNDOFF * along.abs().max_element() * other.abs().max_element()
            + f64::MIN_POSITIVE;
        (along.cross(other), error)
    }

    /// Which of the two directions of two edges' product are sides: those along which the obstacle's edge is
    /// further than all beside it, and the shape's less far.
    pub(super) fn directions_of(
        &self,
        obstacle: u16,
        shape: u16,
        product: DVec3,
        error: f64,
    ) -> [Option<bool>; 2] {
        let side = Side::Edges {
            obstacle,
            shape,
            is_reversed: false,
        };
        let sign_of = |[from, to]: [DVec3; 2]| {
            let height = height_along(product, error, to - from);
            let exactly = || self.compare_along(side, to, from);
            height.sign().unwrap_or_else(exactly)
        };
        let [from, _] = self.obstacle.edge_ends(obstacle);
        let [start, _] = self.shape.edge_ends(shape);
        let mut sides = [Some(false), Some(true)];
        for beside in self.obstacle.beside(obstacle) {
            match sign_of([from, beside]) {
                Ordering::Less => sides[1] = None,
                Ordering::Equal => return [None; 2],
                Ordering::Greater => sides[0] = None,
            }
        }
        for beside in self.shape.beside(shape) {
            if sides == [None; 2] {
                return sides;
            }
            match sign_of([start, beside]) {
                Ordering::Less => sides[0] = None,
                Ordering::Equal => return [None; 2],
                Ordering::Greater => sides[1] = None,
            }
        }
        // Two edges with nothing beside either, which may be parallel.
        let is_bare = sides == [Some(false), Some(true)];
        if is_bare && product.abs().max_element() <= error {
            let exact = self.direction::<Expansion>(side);
            if exact.iter().all(|component| component.sign().is_eq()) {
                return [None; 2];
            }
        }
        sides
    }

    /// The sides of a flat difference that lie in its plane.
    fn sides_in_plane(&self) -> Vec<Side> {
        let mut sides = Vec::new();
        for edge in (0..).take(self.obstacle.edges.len()) {
            let side = |is_reversed: bool| Side::ObstacleEdge { edge, is_reversed };
            let [from, _] = self.obstacle.edge_ends(edge);
            match self.obstacle.beside(edge).next() {
                Some(beside) => {
                    let is_outward = self.compare_along(side(false), beside, from).is_lt();
                    sides.push(side(!is_outward));
                }
                None => sides.extend([false, true].map(side)),
            }
        }
        for edge in (0..).take(self.shape.edges.len()) {
            let side = |is_reversed: bool| Side::ShapeEdge { edge, is_reversed };
            let [from, _] = self.shape.edge_ends(edge);
            match self.shape.beside(edge).next() {
                Some(beside) => {
                    let is_outward = self.compare_along(side(false), beside, from).is_gt();
                    sides.push(side(!is_outward));
                }
                None => sides.extend([false, true].map(side)),
            }
        }
        sides
    }
}
