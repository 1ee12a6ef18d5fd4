//! First touch of a moving shape and an obstacle, also where that is no hit: where it grazes the
//! obstacle, slides along it, or touches it and parts.
//!
//! Only explanations use it, of pairs that do not hit. Boxes and triangles touch while their
//! projections do on every axis, which are closed intervals of t. A point or a segment with a radius
//! passes through a segment or a flat parallelogram with that radius, which touches the other shape at rest
//! if it ever does; where the ends of the motion are no f64, they are rounded.

use super::certified_contact::first_certified_touch;
use super::closest::closest;
use super::{Convex, Core, resting_contact};
use crate::exact::adaptive::{between, cross, dot, vector};
use crate::exact::expansion::Expansion;
use crate::exact::expansion::nearest_f32;
use crate::exact::times::Times;
use crate::shape::box_hull::BoxHull;
use crate::shape::polytope::{Numbering, Polytope};
use glam::DVec3;
use std::sync::Arc;

/// When `shape`, which is translated by `motion` while t goes from 0 to 1, first touches `obstacle`; `None`
/// where it does not. Of round shapes that touch only on the way, t is found in f64.
pub(crate) fn first_touch(obstacle: &Convex, shape: &Convex, motion: DVec3) -> Option<f32> {
    if obstacle.core.is_degenerate_triangle() {
        return None;
    }
    if obstacle.core.is_cylinder() || shape.core.is_cylinder() {
        return first_certified_touch(obstacle, shape, motion);
    }
    if obstacle.radius == 0.0 && shape.radius == 0.0 {
        return touch_on_axes(&obstacle.core, &shape.core, motion);
    }
    if resting_contact(obstacle, shape).status().is_le() {
        return Some(0.0);
    }
    let swept = |convex: &Convex<'_>, motion: DVec3| {
        let core = sweep(&convex.core, motion)?;
        let radius = convex.radius;
        Some(Convex {
            core,
            radius,
            is_mirrored: false,
        })
    };
    let contact = match swept(shape, motion) {
        Some(shape) => resting_contact(obstacle, &shape),
        // What moves past the shape as the shape moves past it.
        None => match swept(obstacle, -motion) {
            Some(obstacle) => resting_contact(&obstacle, shape),
            // Neither is a point or a segment: all that the shape passes through is a hull.
            None => {
                let start = shape.core.corners();
                let ends: Vec<DVec3> = start
                    .iter()
                    .flat_map(|corner| [*corner, *corner + motion])
                    .collect();
                let passed = Arc::new(Polytope::around(&ends, Numbering::ByPlace));
                let swept = Convex {
                    core: Core::Hull(&passed),
                    ..*shape
                };
                resting_contact(obstacle, &swept)
            }
        },
    };
    let touches = contact.status().is_le();
    touches.then(|| nearest_f32(first_time(obstacle, shape, motion)))
}

/// All that a point or a segment passes through.
fn sweep(core: &Core<'_>, motion: DVec3) -> Option<Core<'static>> {
    if motion == DVec3::ZERO {
        return core
            .without_hull()
            .filter(|core| matches!(core, Core::Point(_) | Core::Segment(_)));
    }
    match core {
        Core::Point(point) => Some(Core::Segment([*point, *point + motion])),
        Core::Segment([a, b]) => {
            let along = *b - *a;
            let across = along.cross(motion);
            if across == DVec3::ZERO {
                let ends = [*a, *b, *a + motion, *b + motion];
                let order = |p: &DVec3, q: &DVec3| p.dot(motion).total_cmp(&q.dot(motion));
                let first = ends.iter().copied().min_by(order)?;
                let last = ends.iter().copied().max_by(order)?;
                return Some(Core::Segment([first, last]));
            }
            let corner = |k: usize| {
                let end = if k & 1 == 1 { *b } else { *a };
                if k & 2 == 2 { end + motion } else { end }
            };
            Some(Core::Box(BoxHull {
                corners: core::array::from_fn(corner),
                directions: [along, motion, across],
            }))
        }
        Core::Triangle(_) | Core::Box(_) | Core::Hull(_) | Core::Cylinder(_) => None,
    }
}

/// When boxes and triangles first touch on all axes.
fn touch_on_axes(obstacle: &Core, shape: &Core, motion: DVec3) -> Option<f32> {
    let mut times = Times::between(0.0, 1.0);
    let motion: [Expansion; 3] = vector(motion);
    let mut keep = |axis: &[Expansion; 3]| {
        let [low, high] = project(obstacle, axis);
        let [shape_low, shape_high] = project(shape, axis);
        let speed = dot(axis, &motion);
        times.keep_positive(
            &high.minus(&shape_low),
            &Expansion::from_f64(0.0).minus(&speed),
        );
        times.keep_positive(&shape_high.minus(&low), &speed);
        !times.is_empty()
    };
    for core in [obstacle, shape] {
        for [first, second] in core.face_spans() {
            if !keep(&cross_of(first, second)) {
                return None;
            }
        }
    }
    for first in obstacle.directions() {
        for second in shape.directions() {
            if !keep(&cross_of(first, second)) {
                return None;
            }
        }
    }
    Some(times.begin())
}

fn cross_of([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> [Expansion; 3] {
    cross(&between(a, b), &between(c, d))
}

/// The projection of a core onto an axis: minimum and maximum.
fn project(core: &Core, axis: &[Expansion; 3]) -> [Expansion; 2] {
    let mut projections = core.corners().iter().map(|corner| {
        let corner: [Expansion; 3] = vector(*corner);
        dot(axis, &corner)
    });
    let first = projections.next().unwrap_or(Expansion::from_f64(0.0));
    let both = [first.clone(), first];
    projections.fold(both, |[low, high], next| {
        if next.minus(&low).sign().is_lt() {
            [next, high]
        } else if next.minus(&high).sign().is_gt() {
            [low, next]
        } else {
            [low, high]
        }
    })
}

/// About when the gap, which is convex, first is at its smallest.
fn first_time(obstacle: &Convex, shape: &Convex, motion: DVec3) -> f64 {
    /// Each step leaves two thirds, or half.
    const STEPS: usize = 90;
    let distance = |t: f64| {
        let closest = closest(&obstacle.core, &shape.core, motion * t);
        (closest.on_shape - closest.on_obstacle).length()
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..STEPS {
        let third = (high - low) / 3.0;
        if distance(low + third) <= distance(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    let min = distance(high) * (1.0 + 64.0 * f64::EPSILON);
    let (mut before, mut after) = (0.0, high);
    for _ in 0..STEPS {
        let middle = f64::midpoint(before, after);
        if distance(middle) <= min {
            after = middle;
        } else {
            before = middle;
        }
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aabb, Capsule, Sphere};

    #[test]
    fn grazing_counts_as_touching() {
        let cube = Convex::from(&Aabb::new([3.0, 0.0, 0.0], [4.0, 1.0, 1.0]).unwrap());
        let ball = |y: f32| Convex::from(&Sphere::new([0.0, y, 0.5], 0.5).unwrap());
        let rod = |y: f32| Convex::from(&Capsule::new([0.0, y, 0.0], [0.0, y, 1.0], 0.5).unwrap());
        let block = |y: f32| Convex::from(&Aabb::new([0.0, y, 0.0], [1.0, y + 1.0, 1.0]).unwrap());
        let along = DVec3::X * 8.0;
        for (shape, lifted, t) in [
            (ball(1.5), ball(1.5 + 1e-6), 0.375),
            (rod(1.5), rod(1.5 + 1e-6), 0.375),
            (block(1.0), block(1.0 + 1e-6), 0.25),
        ] {
            let found = first_touch(&cube, &shape, along).unwrap();
            assert!((found - t).abs() < 1e-3, "{found} {t}");
            assert_eq!(first_touch(&cube, &lifted, along), None);
            assert_eq!(
                first_touch(&cube, &shape, DVec3::X * 1.5),
                None,
                "too short"
            );
            // The other moves.
            assert!(first_touch(&shape, &cube, -along).is_some());
        }
        let triangle = Convex::triangle([
            DVec3::new(3.0, 1.0, -9.0),
            DVec3::new(3.0, 1.0, 9.0),
            DVec3::new(9.0, 1.0, 0.0),
        ]);
        assert_eq!(first_touch(&triangle, &block(0.0), along), Some(0.25));
        assert!(first_touch(&triangle, &rod(1.5), along).is_some());
    }
}
