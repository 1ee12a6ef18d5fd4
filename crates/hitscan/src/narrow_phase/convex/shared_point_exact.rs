//! A point that two cores share, found exactly: the fallback of `shared_point.rs`.
//!
//! The common part of two convex cores has a corner, and that lies on an edge of one of the two. So
//! each edge of either is clipped by the planes of the other one, until something is left of one.

use super::Core;
use super::separating_axes::CorePair;
use crate::exact::adaptive::{between, cross, dot, vector};
use crate::exact::big_float::BigFloat;
use core::cmp::Ordering;
use glam::DVec3;

/// How far the shape is moved: by `motion` times the quotient of two numbers, the second positive.
pub(super) struct ExactShift {
    pub(super) motion: DVec3,
    pub(super) time: [BigFloat; 2],
}

impl ExactShift {
    /// No move at all.
    pub(super) fn none() -> Self {
        Self {
            motion: DVec3::ZERO,
            time: [0.0, 1.0].map(BigFloat::from_f64),
        }
    }
}

/// A point that both cores share, the shape being moved; `shift` is the same move in f64. The cores
/// must meet.
pub(super) fn exact_shared_point(pair: &CorePair, exact: &ExactShift, shift: DVec3) -> DVec3 {
    let zero = BigFloat::from_f64(0.0);
    let back = [zero.minus(&exact.time[0]), exact.time[1].clone()];
    let on_shape = (edges(&pair.shape).into_iter())
        .find_map(|edge| shared_on(edge, &pair.obstacle, exact.motion, &exact.time))
        .map(|point| point + shift);
    let found = on_shape.or_else(|| {
        (edges(&pair.obstacle).into_iter())
            .find_map(|edge| shared_on(edge, &pair.shape, exact.motion, &back))
    });
    found.unwrap_or(pair.obstacle.corners()[0])
}

/// A point of an edge that belongs to `body` when it is moved, before the move.
fn shared_on(
    [from, to]: [DVec3; 2],
    body: &Core,
    motion: DVec3,
    time: &[BigFloat; 2],
) -> Option<DVec3> {
    let one = || BigFloat::from_f64(1.0);
    let mut enter = [BigFloat::from_f64(0.0), one()];
    let mut leave = [one(), one()];
    for (normal, point) in half_spaces(body) {
        // The depth at both ends, times the time's denominator.
        let moved = dot(&normal, &vector(motion)).times(&time[0]);
        let depth = |end: DVec3| {
            dot(&normal, &between(point, end))
                .times(&time[1])
                .plus(&moved)
        };
        let (start, end) = (depth(from), depth(to));
        let fraction_of =
            |numerator: &BigFloat| [numerator.magnitude(), start.minus(&end).magnitude()];
        match (start.sign(), end.sign()) {
            (Ordering::Less, Ordering::Less) => return None,
            (Ordering::Less, _) => {
                let fraction = fraction_of(&start);
                if compare_quotients(&fraction, &enter).is_gt() {
                    enter = fraction;
                }
            }
            (_, Ordering::Less) => {
                let fraction = fraction_of(&start);
                if compare_quotients(&fraction, &leave).is_lt() {
                    leave = fraction;
                }
            }
            _ => {}
        }
    }
    let is_left = compare_quotients(&enter, &leave).is_le();
    is_left.then(|| {
        let fraction = f64::midpoint(rounded(&enter), rounded(&leave));
        from + (to - from) * fraction
    })
}

/// How two quotients by positive numbers compare.
fn compare_quotients(a: &[BigFloat; 2], b: &[BigFloat; 2]) -> Ordering {
    a[0].times(&b[1]).minus(&b[0].times(&a[1])).sign()
}

/// A quotient from 0 to 1 by a positive number, in f64.
fn rounded([numerator, denominator]: &[BigFloat; 2]) -> f64 {
    let ((above, up), (below, down)) = (numerator.to_parts(), denominator.to_parts());
    let power = i32::try_from(up - down).unwrap_or(i32::MIN);
    libm::scalbn(above / below, power).min(1.0)
}

/// The edges by their ends; a point is one, too.
fn edges(core: &Core) -> Vec<[DVec3; 2]> {
    match core {
        Core::Point(point) => vec![[*point; 2]],
        Core::Hull(hull) if hull.edges().is_empty() => vec![[hull.corner(0); 2]],
        _ => core.edges(),
    }
}

/// The half spaces whose intersection a core is: an inward normal, and a point of the plane.
fn half_spaces(core: &Core) -> Vec<([BigFloat; 3], DVec3)> {
    let mut all = Vec::new();
    let mut add = |normal: [BigFloat; 3], point: DVec3| all.push((normal, point));
    match core {
        Core::Box(hull) => {
            for axis in 0..3 {
                let normal: [BigFloat; 3] = hull.normal(axis);
                add(normal.clone(), hull.corners[0]);
                add(normal.map(|x| x.negated()), hull.corners[7]);
            }
        }
        Core::Triangle([a, b, c]) => {
            let normal: [BigFloat; 3] = cross(&between(*a, *b), &between(*a, *c));
            for (from, to) in [(a, b), (b, c), (c, a)] {
                add(cross(&normal, &between(*from, *to)), *from);
            }
            add(normal.clone(), *a);
            add(normal.map(|x| x.negated()), *a);
        }
        Core::Hull(hull) if hull.corners().len() > 2 => {
            for face in 0..hull.faces().len() {
                let normal: [BigFloat; 3] = hull.normal(face);
                if hull.is_flat() && face == 0 {
                    for [from, to] in hull.ring_sides(face) {
                        add(cross(&normal, &between(from, to)), from);
                    }
                }
                add(normal.map(|x| x.negated()), hull.face_span(face)[0]);
            }
        }
        Core::Hull(hull) => {
            let [first, last] = [hull.corners().first(), hull.corners().last()]
                .map(|corner| corner.copied().unwrap_or_default());
            return half_spaces(&if first == last {
                Core::Point(first)
            } else {
                Core::Segment([first, last])
            });
        }
        Core::Segment([a, b]) => {
            let edge: [BigFloat; 3] = between(*a, *b);
            add(edge.clone(), *a);
            add(edge.clone().map(|x| x.negated()), *b);
            for axis in DVec3::AXES {
                let across = cross(&edge, &vector(axis));
                add(across.clone(), *a);
                add(across.map(|x| x.negated()), *a);
            }
        }
        // No pair with a cylinder is decided exactly.
        Core::Cylinder(_) => {}
        Core::Point(point) => {
            for axis in DVec3::AXES {
                add(vector(axis), *point);
                add(vector(-axis), *point);
            }
        }
    }
    all
}
