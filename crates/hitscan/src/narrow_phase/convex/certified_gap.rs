//! The gap of two resting shapes of any kind, as an interval that holds it: for pairs with a cylinder, which have
//! no closed form, and for whatever else needs a lower bound, points and a direction in one.
//!
//! A separating direction bounds the gap from below. From above it is bounded by the distance of two points where
//! the cores are apart. Where they overlap and one is a cylinder, a point of the other core that lies inside the
//! cylinder by some margin shows that: the ball with that radius around the origin is in the cores' difference.

use super::Convex;
use super::bounds::View;
use super::closest::closest;
use super::core::Core;
use super::cylinder::CylinderCore;
use super::highest_gap::{Climbed, ShiftedPair, extent};
use super::rim_directions::wide_unit;
use core::cmp::Ordering;
use glam::DVec3;

/// The gap of two shapes: their distance, or minus the depth of the overlap, the least over all directions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CertifiedGap {
    /// The exact gap lies from `low` to `high`. Where cores without a cylinder overlap, `high` says no more than
    /// that they do not stand apart.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The gap as found: within [`CertifiedGap::slack`] of the exact one, or of that of a better direction.
    pub(crate) gap: f64,
    /// The bound of the rounding of a gap along a direction.
    pub(crate) slack: f64,
    /// The unit direction from the obstacle to the shape along which they are furthest apart, or the way out.
    pub(crate) direction: DVec3,
    /// Nearest points of the cores; where they overlap a point that both share, twice.
    pub(crate) on_obstacle: DVec3,
    pub(crate) on_shape: DVec3,
    /// Whether the cores are apart.
    pub(crate) are_cores_apart: bool,
}

/// Closest points that are farther apart than this part of the size have a direction that is good to f64.
const FAR: f64 = 1.0 / 1024.0;

/// The gap of an obstacle and a shape that is shifted. Neither is a triangle without area. Each of `low` and
/// `high` is within 2^-40 of the greatest coordinate or size of the gap, but for cores of 2^30 times longer than
/// wide.
pub(crate) fn certified_gap(
    obstacle: &Convex<'_>,
    shape: &Convex<'_>,
    shift: DVec3,
) -> CertifiedGap {
    let radii = [obstacle.radius, shape.radius];
    let Some(view) = View::new(&obstacle.core, &shape.core, radii, shift) else {
        return CertifiedGap {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            gap: 0.0,
            slack: f64::INFINITY,
            direction: DVec3::Y,
            on_obstacle: obstacle.core.corners()[0],
            on_shape: shape.core.corners()[0],
            are_cores_apart: false,
        };
    };
    let size = extent(&view.obstacle).max(extent(&view.shape));
    let pair = ShiftedPair { view, shift, size };
    let cores = core_gap(&pair);
    let radius = radii[0] + radii[1];
    // Each sum is rounded once more.
    let off = view.slack + 4.0 * f64::EPSILON * radius;
    CertifiedGap {
        low: cores.low - radius - off,
        high: cores.high - radius + off,
        gap: cores.gap - radius,
        slack: view.slack + off,
        on_obstacle: cores.on_obstacle + view.eye,
        on_shape: cores.on_shape + view.eye,
        ..cores
    }
}

impl CertifiedGap {
    /// Whether the shapes certainly overlap (`Less`), are certainly apart, or may touch.
    pub(crate) fn status(&self) -> Ordering {
        if self.high < 0.0 {
            Ordering::Less
        } else if self.low > 0.0 {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }

    /// Where the shapes are apart the obstacle's nearest point, else a point that both share; the obstacle has
    /// this radius.
    pub(crate) fn point(&self, radius: f64) -> DVec3 {
        if !self.are_cores_apart {
            return self.on_obstacle;
        }
        let distance = (self.on_shape - self.on_obstacle).length();
        let way = if self.gap > 0.0 {
            radius
        } else {
            radius.min(distance)
        };
        self.on_obstacle + self.direction * way
    }
}

/// The gap of the cores alone.
fn core_gap(pair: &ShiftedPair<'_>) -> CertifiedGap {
    let slack = pair.view.slack;
    match (&pair.view.obstacle, &pair.view.shape) {
        (Core::Cylinder(cylinder), Core::Point(point)) => {
            return point_gap(cylinder, *point + pair.shift, slack);
        }
        (Core::Point(point), Core::Cylinder(cylinder)) => {
            let found = point_gap(cylinder, *point - pair.shift, slack);
            return CertifiedGap {
                direction: -found.direction,
                on_obstacle: found.on_shape + pair.shift,
                on_shape: found.on_obstacle + pair.shift,
                ..found
            };
        }
        _ => {}
    }
    let closest = pair.closest(DVec3::ZERO);
    let offset = closest.on_shape - closest.on_obstacle;
    let distance = offset.length();
    let apart = |direction: DVec3, gap: f64, [on_obstacle, on_shape]: [DVec3; 2]| CertifiedGap {
        low: gap,
        high: (on_shape - on_obstacle).length().min(distance),
        gap,
        slack,
        direction,
        on_obstacle,
        on_shape,
        are_cores_apart: true,
    };
    let from = wide_unit(offset);
    if let Some(direction) = from
        && distance > FAR * pair.size
    {
        let gap = pair.gap(direction);
        if distance - gap <= 8.0 * slack {
            let found = Climbed {
                direction,
                gap,
                points: [closest.on_obstacle, closest.on_shape],
            };
            let is_triangle = |core: &Core<'_>| matches!(core, Core::Triangle(_));
            // Neighbouring triangles are asked about the exact direction.
            let found = if is_triangle(&pair.view.obstacle) || is_triangle(&pair.view.shape) {
                pair.snapped(found, &pair.axes())
            } else {
                found
            };
            return apart(found.direction, found.gap, found.points);
        }
    }
    let best = pair.highest(from);
    if best.gap > slack {
        return apart(best.direction, best.gap, best.points);
    }
    let certified = if best.gap < -slack {
        shared_point(pair, -best.gap)
    } else {
        None
    };
    let (shared, high) = match certified {
        Some((point, margin)) => (point, slack - margin),
        None if best.gap < -slack => (closest.on_obstacle, slack),
        None => (best.points[0], best.gap.max(0.0) + slack),
    };
    CertifiedGap {
        low: best.gap,
        high,
        gap: best.gap,
        slack,
        direction: best.direction,
        on_obstacle: shared,
        on_shape: shared,
        are_cores_apart: false,
    }
}

/// The gap of a cylinder and a point, in closed form.
fn point_gap(cylinder: &CylinderCore, point: DVec3, slack: f64) -> CertifiedGap {
    let nearest = cylinder.nearest(point);
    let is_apart = nearest.gap > slack;
    CertifiedGap {
        low: nearest.gap,
        high: nearest.gap,
        gap: nearest.gap,
        slack,
        direction: nearest.normal,
        on_obstacle: if is_apart { nearest.point } else { point },
        on_shape: point,
        are_cores_apart: is_apart,
    }
}

/// A point of both cores that is inside of one of them, a cylinder, and how deep; about `depth` is how deep they
/// overlap.
fn shared_point(pair: &ShiftedPair<'_>, depth: f64) -> Option<(DVec3, f64)> {
    let (obstacle, shape, shift) = (&pair.view.obstacle, &pair.view.shape, pair.shift);
    // A layer of this thickness moves no support by more than the root of two of it, so what overlaps by the depth
    // meets what is left.
    let mut layer = 0.5 * depth;
    for _ in 0..4 {
        let of_obstacle = || match obstacle {
            Core::Cylinder(cylinder) => {
                let inner = Core::Cylinder(cylinder.shrunk(layer)?);
                let point = closest(&inner, shape, shift).on_shape;
                Some((point, -cylinder.nearest(point).gap))
            }
            _ => None,
        };
        let of_shape = || match shape {
            Core::Cylinder(cylinder) => {
                let inner = Core::Cylinder(cylinder.shrunk(layer)?);
                let point = closest(obstacle, &inner, shift).on_obstacle;
                Some((point, -cylinder.nearest(point - shift).gap))
            }
            _ => None,
        };
        let certain = |(_, margin): &(DVec3, f64)| *margin > 2.0 * pair.view.slack;
        let found = of_obstacle()
            .filter(certain)
            .or_else(|| of_shape().filter(certain));
        if found.is_some() {
            return found;
        }
        layer *= 0.125;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rng::Rng;
    use crate::{Aabb, Capsule, Cylinder, Obb, Primitive, Sphere};
    use glam::{DQuat, Vec3};

    /// How far a gap may be off, over the greatest coordinate or size.
    const PROMISED: f64 = 1.0 / (1_u64 << 40) as f64;

    fn gap_of(obstacle: &Primitive, shape: &Primitive) -> CertifiedGap {
        certified_gap(&obstacle.into(), &shape.into(), DVec3::ZERO)
    }

    #[test]
    fn gaps_are_those_of_closed_forms() {
        let can = Primitive::from(Cylinder::new([0.0; 3], [0.0, 2.0, 0.0], 1.0).unwrap());
        let block = |min: [f32; 3], max: [f32; 3]| Primitive::from(Aabb::new(min, max).unwrap());
        let other = |a: [f32; 3], b: [f32; 3], radius: f64| {
            Primitive::from(Cylinder::new(a, b, radius).unwrap())
        };
        let rod = |a: [f32; 3], b: [f32; 3]| Primitive::from(Capsule::new(a, b, 0.5).unwrap());
        let root = 0.5_f64.sqrt();
        for (shape, gap) in [
            (block([1.0, 0.0, -1.0], [2.0, 1.0, 1.0]), 0.0),
            (block([0.5, 0.0, -1.0], [2.0, 1.0, 1.0]), -0.5),
            (block([0.0, 2.0, 0.0], [2.0, 3.0, 1.0]), 0.0),
            (block([-5.0, 1.75, -5.0], [2.0, 3.0, 5.0]), -0.25),
            (block([1.25, 0.0, -1.0], [2.0, 1.0, 1.0]), 0.25),
            (
                block([0.75, 0.0, 0.75], [2.0, 1.0, 2.0]),
                0.75 * 2_f64.sqrt() - 1.0,
            ),
            (block([0.75, 2.25, -1.0], [2.0, 3.0, 1.0]), 0.25),
            (other([0.0, 2.0, 0.0], [0.0, 3.0, 0.0], 0.5), 0.0),
            (other([0.0, 2.5, 0.0], [0.0, 3.0, 0.0], 0.5), 0.5),
            (other([3.0, 0.0, 0.0], [3.0, 3.0, 0.0], 2.0), 0.0),
            (other([3.0, 0.0, 0.0], [3.0, 3.0, 0.0], 2.25), -0.25),
            (other([-4.0, 1.0, 3.0], [4.0, 1.0, 3.0], 2.0), 0.0),
            (other([-4.0, 3.5, 0.0], [4.0, 3.5, 0.0], 1.0), 0.5),
            (other([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.25), -1.25),
            (rod([2.0, 1.0, -3.0], [2.0, 1.0, 3.0]), 0.5),
            (rod([1.5, 1.0, -3.0], [1.5, 1.0, 3.0]), 0.0),
            (rod([-3.0, 1.0, 0.0], [3.0, 1.0, 0.0]), -1.5),
            (rod([2.0, 3.0, 0.0], [5.0, 6.0, 0.0]), 2.0 * root - 0.5),
        ] {
            for (one, two) in [(&can, &shape), (&shape, &can)] {
                let found = gap_of(one, two);
                assert!(
                    (found.gap - gap).abs() < 8.0 * PROMISED,
                    "{found:?} {gap} {two:?}"
                );
                let status = gap.total_cmp(&0.0);
                assert_eq!(found.status(), status, "{found:?} {gap} {one:?} {two:?}");
                assert!(
                    found.high - found.gap < 8.0 * PROMISED || gap < 0.0,
                    "{found:?}"
                );
            }
        }
    }

    /// The highest gap by many directions, refined around the best.
    fn sampled(obstacle: &Convex<'_>, shape: &Convex<'_>, rng: &mut Rng) -> f64 {
        let view = View::new(&obstacle.core, &shape.core, [0.0; 2], DVec3::ZERO).unwrap();
        let mut random = || {
            DVec3::new(
                rng.signed().into(),
                rng.signed().into(),
                rng.signed().into(),
            )
        };
        let gap = |way: DVec3| view.lowest_gap(way / way.length());
        let mut best = (DVec3::X, gap(DVec3::X));
        for _ in 0..3000 {
            let way = random();
            if way.length() > 0.1 && gap(way) > best.1 {
                best = (way / way.length(), gap(way));
            }
        }
        let mut radius = 0.1;
        for _ in 0..2500 {
            let way = best.0 + random() * radius;
            if gap(way) > best.1 {
                best = (way / way.length(), gap(way));
            } else {
                radius *= 0.99;
            }
        }
        best.1 - obstacle.radius - shape.radius
    }

    #[test]
    fn no_direction_has_a_higher_gap() {
        let mut rng = Rng(11);
        let (mut apart, mut overlapping) = (0, 0);
        for round in 0..400 {
            let mut point = |size: f32| Vec3::from([(); 3].map(|()| rng.signed() * size));
            let (a, b, c, d, half) = (
                point(1.0),
                point(1.0),
                point(1.5),
                point(1.0),
                point(0.6).abs(),
            );
            let radius = f64::from(half.x) + 0.05;
            let Ok(can) = Cylinder::new(a, b, radius) else {
                continue;
            };
            let can = Primitive::from(can);
            let other: Primitive = match round % 5 {
                0 => Capsule::new(c, d, radius * 0.3).unwrap().into(),
                1 => Aabb::new(c - half, c + half).unwrap().into(),
                2 => Obb::new(c, half, DQuat::from_xyzw(0.1, 0.5, 0.3, 0.8))
                    .unwrap()
                    .into(),
                3 => Sphere::new(c, radius).unwrap().into(),
                _ => Cylinder::new(c, c + d, f64::from(half.y) + 0.01)
                    .unwrap()
                    .into(),
            };
            let found = gap_of(&can, &other);
            let best = sampled(&(&can).into(), &(&other).into(), &mut rng);
            assert!(
                best <= found.gap + 1e-9,
                "{round} {best} {found:?} {can:?} {other:?}"
            );
            let is_held = found.low <= found.gap && found.gap <= found.high + found.slack;
            assert!(is_held || found.gap < 0.0, "{found:?} {can:?} {other:?}");
            assert_ne!(
                found.status(),
                Ordering::Equal,
                "{found:?} {can:?} {other:?}"
            );
            if found.gap > 0.0 {
                assert!(
                    found.high - found.low < 8.0 * PROMISED,
                    "{found:?} {can:?} {other:?}"
                );
                apart += 1;
            } else {
                overlapping += 1;
            }
        }
        assert!(apart > 80 && overlapping > 40, "{apart} {overlapping}");
    }
}
