//! The axes on which two cores can be apart, and the projections of both on one.
//!
//! The order is that of the enum's numbers: the face normals of the obstacle, those of the shape, the
//! cross products of each edge direction of the obstacle with each of the shape's. A product that
//! vanishes is no axis; of parallel axes the first counts. Polytopes have sides instead (`sides/`).

use super::Core;
use super::cylinder::CylinderCore;
use super::time_interval::Along;
use crate::exact::adaptive::{
    Approx, Number, between, cross, decided, dot, rounded_vector, vector,
};
use crate::exact::expansion::Expansion;
use core::cmp::Ordering;
use glam::DVec3;

/// An axis of two cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    /// The normal of a face of the obstacle.
    Obstacle(usize),
    /// The normal of a face of the shape.
    Shape(usize),
    /// The cross product of an edge direction of the obstacle with one of the shape.
    Edges { obstacle: usize, shape: usize },
}

impl Axis {
    /// There are no more axes than two boxes have.
    pub(super) const MAX: usize = 15;

    /// The place of the axis in the order of all.
    pub(super) fn rank(self) -> u8 {
        const BY_RANK: [[u8; 3]; 3] = [[6, 7, 8], [9, 10, 11], [12, 13, 14]];
        match self {
            Self::Obstacle(face) => [0, 1, 2][face],
            Self::Shape(face) => [3, 4, 5][face],
            Self::Edges { obstacle, shape } => BY_RANK[obstacle][shape],
        }
    }
}

/// The axis's direction that opposes the motion.
pub(crate) fn against(along: Along, axis: DVec3) -> DVec3 {
    match along {
        Along::Backward => axis,
        _ => -axis,
    }
}

/// A resting core and another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CorePair<'a> {
    pub(super) obstacle: Core<'a>,
    pub(super) shape: Core<'a>,
}

impl<'a> CorePair<'a> {
    pub(super) fn of(obstacle: &Core<'a>, shape: &Core<'a>) -> Self {
        Self {
            obstacle: *obstacle,
            shape: *shape,
        }
    }

    /// Whether the box around the obstacle and the box around the shape's motion touch.
    ///
    /// It rejects most pairs at the lowest cost, and is exact: rounding a difference does not change
    /// how it compares with an f64.
    #[inline]
    pub(super) fn do_swept_boxes_touch(&self, motion: DVec3) -> bool {
        let [min, max] = self.obstacle.corner_bounds();
        let [shape_min, shape_max] = self.shape.corner_bounds();
        let (back, forth) = (motion.min(DVec3::ZERO), motion.max(DVec3::ZERO));
        (min - shape_max).cmple(forth).all() && (max - shape_min).cmpge(back).all()
    }

    /// All axes in order, those that vanish or are parallel to others too.
    pub(super) fn axes(&self) -> impl Iterator<Item = Axis> + use<> {
        let (obstacle, shape) = (face_count(&self.obstacle), face_count(&self.shape));
        let (edges, shape_edges) = (edge_count(&self.obstacle), edge_count(&self.shape));
        let products = (0..edges).flat_map(move |obstacle| {
            (0..shape_edges).map(move |shape| Axis::Edges { obstacle, shape })
        });
        let faces = (0..obstacle).map(Axis::Obstacle);
        faces.chain((0..shape).map(Axis::Shape)).chain(products)
    }

    /// The axes without those that vanish, and of those along x, y or z the first of each. Others
    /// that are parallel stay: comparing them finds them equal.
    pub(super) fn distinct_axes(&self) -> impl Iterator<Item = Axis> + '_ {
        // Which of x, y and z there is an axis along.
        let mut is_face = [false; 3];
        self.axes().filter(move |&axis| {
            let Some(face) = (0..3).find(|&face| self.is_along(axis, face)) else {
                return true;
            };
            if is_face[face] || self.vanishes(axis) {
                return false;
            }
            is_face[face] = true;
            true
        })
    }

    /// The direction of an axis, of any length.
    pub(super) fn direction<N: Number>(&self, axis: Axis) -> [N; 3] {
        match axis {
            Axis::Obstacle(face) => face_normal(&self.obstacle, face),
            Axis::Shape(face) => face_normal(&self.shape, face),
            Axis::Edges { obstacle, shape } => cross(
                &edge_direction(&self.obstacle, obstacle),
                &edge_direction(&self.shape, shape),
            ),
        }
    }

    /// The direction of an axis, of any length, correct to 2^-40 of it.
    pub(super) fn rounded_direction(&self, axis: Axis) -> DVec3 {
        rounded_vector(&self.direction(axis), || self.direction(axis))
    }

    /// Whether an axis vanishes or is parallel to x, y or z (0, 1, 2).
    pub(super) fn is_along(&self, axis: Axis, face: usize) -> bool {
        let exact = || self.direction::<Expansion>(axis);
        let approx = self.direction::<Approx>(axis);
        (0..3).all(|i| i == face || decided(approx[i].sign(), || Some(exact()[i].sign())).is_eq())
    }

    /// Whether an axis is none: a product that vanishes.
    pub(super) fn vanishes(&self, axis: Axis) -> bool {
        matches!(axis, Axis::Edges { .. }) && (0..2).all(|face| self.is_along(axis, face))
    }

    /// How far, along `axis`, the obstacle's lower end is from the shape's upper end, and its upper
    /// end from the shape's lower end, both doubled and in the axis's scale.
    pub(super) fn near_and_far<N: Number>(&self, axis: &[N; 3]) -> [N; 2] {
        let shape_radius = projected_radius(&self.shape, axis);
        if let Core::Triangle(corners) = &self.obstacle {
            let [a, b, c] = corners.map(|corner| {
                let way = twice_middle_from::<N>(&self.shape, corner);
                N::from_f64(0.0).minus(&dot(axis, &way))
            });
            let (low, high) = (a.min_with(&b).min_with(&c), a.max_with(&b).max_with(&c));
            return [low.minus(&shape_radius), high.plus(&shape_radius)];
        }
        let (first, last) = ends(&self.obstacle);
        let (shape_first, shape_last) = ends(&self.shape);
        let (low, high): ([N; 3], [N; 3]) =
            (between(shape_first, first), between(shape_last, last));
        let way = dot(axis, &[0, 1, 2].map(|i: usize| low[i].plus(&high[i])));
        let radius = projected_radius(&self.obstacle, axis).plus(&shape_radius);
        [way.minus(&radius), way.plus(&radius)]
    }

    /// The exact sign of `axis · (a - b)`.
    pub(super) fn compare_along(&self, axis: Axis, a: DVec3, b: DVec3) -> Ordering {
        // The ends of an edge are level on the axes that are made of it, and so is a triangle's face.
        if let Core::Triangle(corners) = &self.obstacle {
            let is_level = match axis {
                Axis::Obstacle(_) => corners.contains(&a) && corners.contains(&b),
                Axis::Edges { obstacle, .. } => {
                    let edge = [corners[obstacle], corners[(obstacle + 1) % 3]];
                    edge.contains(&a) && edge.contains(&b)
                }
                Axis::Shape(_) => false,
            };
            if is_level {
                return Ordering::Equal;
            }
        }
        decided(self.difference_along::<Approx>(axis, a, b).sign(), || {
            Some(self.difference_along::<Expansion>(axis, a, b).sign())
        })
    }

    fn difference_along<N: Number>(&self, axis: Axis, a: DVec3, b: DVec3) -> N {
        dot(&self.direction(axis), &between(b, a))
    }
}

fn face_count(core: &Core) -> usize {
    match core {
        Core::Point(_) | Core::Segment(_) | Core::Hull(_) | Core::Cylinder(_) => 0,
        Core::Triangle(_) => 1,
        Core::Box(_) => 3,
    }
}

fn edge_count(core: &Core) -> usize {
    match core {
        Core::Point(_) | Core::Hull(_) | Core::Cylinder(_) => 0,
        Core::Segment(_) => 1,
        Core::Triangle(_) | Core::Box(_) => 3,
    }
}

/// The normal of a face: a box's upper one, a triangle's front. Other cores have none.
fn face_normal<N: Number>(core: &Core, face: usize) -> [N; 3] {
    match core {
        Core::Box(hull) => hull.normal(face),
        Core::Triangle([a, b, c]) => cross(&between(*a, *b), &between(*b, *c)),
        Core::Point(_) | Core::Segment(_) | Core::Hull(_) | Core::Cylinder(_) => {
            vector(DVec3::ZERO)
        }
    }
}

/// The direction of an edge, of any length.
fn edge_direction<N: Number>(core: &Core, edge: usize) -> [N; 3] {
    match core {
        Core::Box(hull) => vector(hull.directions[edge]),
        Core::Triangle(corners) => between(corners[edge], corners[(edge + 1) % 3]),
        Core::Segment([a, b]) => between(*a, *b),
        Core::Point(_) | Core::Hull(_) | Core::Cylinder(_) => vector(DVec3::ZERO),
    }
}

/// Two corners opposite each other of a core that is not a triangle.
fn ends(core: &Core) -> (DVec3, DVec3) {
    match core {
        Core::Box(hull) => (hull.corners[0], hull.corners[7]),
        Core::Segment([a, b]) | Core::Cylinder(CylinderCore { ends: [a, b], .. }) => (*a, *b),
        Core::Point(point) | Core::Triangle([point, ..]) => (*point, *point),
        Core::Hull(hull) => (hull.corner(0), hull.corner(0)),
    }
}

/// Twice the way from `point` to the middle of a core that is not a triangle.
fn twice_middle_from<N: Number>(core: &Core, point: DVec3) -> [N; 3] {
    let (first, last) = ends(core);
    let (low, high): ([N; 3], [N; 3]) = (between(point, first), between(point, last));
    [0, 1, 2].map(|i: usize| low[i].plus(&high[i]))
}

/// Twice the projected radius of a core that is not a triangle on `axis`, in the axis's scale.
fn projected_radius<N: Number>(core: &Core, axis: &[N; 3]) -> N {
    match core {
        Core::Box(hull) => hull.projected_radius(axis),
        Core::Segment([a, b]) => dot(axis, &between(*a, *b)).magnitude(),
        Core::Point(_) | Core::Triangle(_) | Core::Hull(_) | Core::Cylinder(_) => N::from_f64(0.0),
    }
}
