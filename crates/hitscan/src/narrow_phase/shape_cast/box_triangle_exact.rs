//! The projections of box and triangle on an axis without rounding: the exact fallback of
//! `box_triangle.rs`. Nothing is decided here.

use super::AabbCast;
use crate::exact::expansion::Expansion;
use crate::exact::vector::dot;
use crate::narrow_phase::convex::interval_intersection::ExactProjection;
use core::cmp::Ordering;
use glam::DVec3;

/// An axis on which box and triangle can be apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// The triangle's normal.
    Normal,
    /// x, y or z.
    Face(usize),
    /// The cross product of an edge, which starts at the corner `edge`, with x, y or z.
    Edge { edge: usize, with: usize },
}

/// Box and triangle on `axis`.
pub(super) fn project_exactly(
    moving: &AabbCast,
    corners: [DVec3; 3],
    axis: Axis,
) -> ExactProjection {
    let [a, b, c] = corners;
    match axis {
        Axis::Normal => project(moving, &normal(corners), [a, a]),
        Axis::Face(axis) => project_on_face(moving, corners, axis),
        // The edge's two ends have the same coordinate on the axis.
        Axis::Edge { edge: 0, with } => project(moving, &edge_with(a, b, with), [a, c]),
        Axis::Edge { edge: 1, with } => project(moving, &edge_with(b, c, with), [b, a]),
        Axis::Edge { with, .. } => project(moving, &edge_with(c, a, with), [c, b]),
    }
}

/// Box and triangle on a cross product. `ends` are the corners that are the lowest and highest on
/// it, in any order.
fn project(moving: &AabbCast, direction: &[Expansion; 3], ends: [DVec3; 2]) -> ExactProjection {
    let (min, max) = (moving.start.min().as_dvec3(), moving.start.max().as_dvec3());
    // The box's ends on the axis are corners of it, chosen by the axis's signs.
    let choose = |positive: DVec3, negative: DVec3| {
        [0, 1, 2].map(|i: usize| match direction[i].sign() {
            Ordering::Less => negative[i],
            _ => positive[i],
        })
    };
    let (highest, lowest) = (choose(max, min), choose(min, max));
    let from = |end: [f64; 3], corner: DVec3| {
        let offset = [0, 1, 2].map(|i| Expansion::from_difference(corner[i], end[i]));
        dot(direction, &offset)
    };
    let [first, second] = ends;
    let (near, far) = if first == second {
        (from(highest, first), from(lowest, first))
    } else {
        let (a, b) = (from(highest, first), from(highest, second));
        if b.minus(&a).sign().is_lt() {
            (b, from(lowest, first))
        } else {
            (a, from(lowest, second))
        }
    };
    let motion = moving.motion.as_dvec3().to_array().map(Expansion::from_f64);
    ExactProjection {
        near,
        far,
        speed: dot(direction, &motion),
    }
}

/// The exact sign of the axis's product with `a - b`.
pub(super) fn compare_along(corners: [DVec3; 3], axis: Axis, a: DVec3, b: DVec3) -> Ordering {
    let [p, q, r] = corners;
    let direction = match axis {
        Axis::Face(axis) => return a[axis].partial_cmp(&b[axis]).unwrap_or(Ordering::Equal),
        Axis::Normal => normal(corners),
        Axis::Edge { edge: 0, with } => edge_with(p, q, with),
        Axis::Edge { edge: 1, with } => edge_with(q, r, with),
        Axis::Edge { with, .. } => edge_with(r, p, with),
    };
    dot(&direction, &between(b, a)).sign()
}

fn project_on_face(moving: &AabbCast, corners: [DVec3; 3], axis: usize) -> ExactProjection {
    let [a, b, c] = corners.map(|corner| corner[axis]);
    let (min, max) = (moving.start.min()[axis], moving.start.max()[axis]);
    ExactProjection {
        near: Expansion::from_difference(a.min(b).min(c), f64::from(max)),
        far: Expansion::from_difference(a.max(b).max(c), f64::from(min)),
        speed: Expansion::from_f64(f64::from(moving.motion[axis])),
    }
}

/// Whether the corners do not lie on one line.
pub(super) fn has_area(corners: [DVec3; 3]) -> bool {
    normal(corners)
        .iter()
        .any(|component| component.sign().is_ne())
}

/// The triangle's normal, of any length, with each component correct to a few units.
pub(super) fn rounded_normal(corners: [DVec3; 3]) -> DVec3 {
    DVec3::from_array(normal(corners).map(|component| component.to_f64()))
}

/// The cross product of the first two edges.
fn normal([a, b, c]: [DVec3; 3]) -> [Expansion; 3] {
    let (e, f) = (between(a, b), between(b, c));
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| e[i].times(&f[j]).minus(&e[j].times(&f[i])))
}

/// The cross product of an edge with x, y or z.
fn edge_with(from: DVec3, to: DVec3, with: usize) -> [Expansion; 3] {
    let [x, y, z] = between(from, to);
    let zero = || Expansion::from_f64(0.0);
    match with {
        0 => [zero(), z, zero().minus(&y)],
        1 => [zero().minus(&z), zero(), x],
        _ => [y, zero().minus(&x), zero()],
    }
}

fn between(from: DVec3, to: DVec3) -> [Expansion; 3] {
    [0, 1, 2].map(|i| Expansion::from_difference(to[i], from[i]))
}
