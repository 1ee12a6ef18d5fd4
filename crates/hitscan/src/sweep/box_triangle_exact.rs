//! The numbers of box and triangle on an axis without rounding, for what f64 cannot decide.
//!
//! `box_triangle.rs` asks for them; nothing is decided here.

use super::BoxMotion;
use super::box_triangle::Axis;
use super::exact_vector::dot;
use super::meeting::ExactProjection;
use crate::exact::Expansion;
use glam::DVec3;

/// Box and triangle on `axis`.
pub(super) fn project_exactly(
    moving: &BoxMotion,
    corners: [DVec3; 3],
    axis: Axis,
) -> ExactProjection {
    let direction = match axis {
        Axis::Normal => normal(corners),
        Axis::Face(axis) => {
            let component = |i: usize| Expansion::from_f64(if i == axis { 1.0 } else { 0.0 });
            [component(0), component(1), component(2)]
        }
        Axis::Edge { edge, with } => edge_with(corners, edge, with),
    };
    let (min, max) = (moving.start.min().as_dvec3(), moving.start.max().as_dvec3());
    let is_forward = [0, 1, 2].map(|i: usize| direction[i].sign().is_gt());
    let pick = |i: usize, positive: DVec3, negative: DVec3| {
        if is_forward[i] {
            positive[i]
        } else {
            negative[i]
        }
    };
    // The box's ends on the axis are corners of it, chosen by the axis's signs.
    let highest = [0, 1, 2].map(|i| pick(i, max, min));
    let lowest = [0, 1, 2].map(|i| pick(i, min, max));
    let from = |end: [f64; 3], corner: DVec3| {
        dot(
            &direction,
            &[0, 1, 2].map(|i| Expansion::from_difference(corner[i], end[i])),
        )
    };
    let [a, b, c] = corners.map(|corner| from(highest, corner));
    let near = lesser(lesser(a, b), c);
    let zero = Expansion::from_f64(0.0);
    let [a, b, c] = corners.map(|corner| zero.minus(&from(lowest, corner)));
    let far = zero.minus(&lesser(lesser(a, b), c));
    let motion = moving.motion.as_dvec3().to_array().map(Expansion::from_f64);
    ExactProjection {
        near,
        far,
        speed: dot(&direction, &motion),
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
fn normal(corners: [DVec3; 3]) -> [Expansion; 3] {
    let (e, f) = (edge(corners, 0), edge(corners, 1));
    [(1, 2), (2, 0), (0, 1)].map(|(a, b)| e[a].times(&f[b]).minus(&e[b].times(&f[a])))
}

/// The cross product of an edge with x, y or z.
fn edge_with(corners: [DVec3; 3], start: usize, with: usize) -> [Expansion; 3] {
    let (a, b) = ((with + 1) % 3, (with + 2) % 3);
    let edge = edge(corners, start);
    let zero = Expansion::from_f64(0.0);
    let mut product = [zero.clone(), zero.clone(), zero.clone()];
    product[a] = edge[b].clone();
    product[b] = zero.minus(&edge[a]);
    product
}

/// From the corner `start` to the next.
fn edge(corners: [DVec3; 3], start: usize) -> [Expansion; 3] {
    let (from, to) = (corners[start], corners[(start + 1) % 3]);
    [0, 1, 2].map(|i| Expansion::from_difference(to[i], from[i]))
}

fn lesser(a: Expansion, b: Expansion) -> Expansion {
    if b.minus(&a).sign().is_lt() { b } else { a }
}
