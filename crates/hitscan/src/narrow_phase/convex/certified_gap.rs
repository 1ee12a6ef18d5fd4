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
    /// that they are not apart.
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
    /// Points of the cores that are no farther apart than `high` and the radii.
    nearest: [DVec3; 2],
}

/// Closest points that are farther apart than this part of the size have a direction that is good to f64.
const FAR: f64 = 1.0 / 1024.0;

/// The gap of an obstacle and a shape that is shifted. Neither is a triangle without area. Each of `low` and
/// `high` is within 2^-40 of the largest coordinate or size of the gap, but for cores of 2^30 times longer
/// than wide.
pub(crate) fn certified_gap(
    obstacle: &Convex<'_>,
    shape: &Convex<'_>,
    shift: DVec3,
) -> CertifiedGap {
    certified_gap_near(obstacle, shape, shift, None)
}

/// The same, given about the direction along which the two are furthest apart, if they do not overlap: no other is
/// tried then. Where they are apart, `low` and `gap` may be those of a direction beside the best.
pub(super) fn certified_gap_near(
    obstacle: &Convex<'_>,
    shape: &Convex<'_>,
    shift: DVec3,
    near: Option<DVec3>,
) -> CertifiedGap {
    let radii = [obstacle.radius, shape.radius];
    let Some(pair) = ShiftedPair::new(obstacle, shape, shift) else {
        return CertifiedGap {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            gap: 0.0,
            slack: f64::INFINITY,
            direction: DVec3::Y,
            on_obstacle: obstacle.core.corners()[0],
            on_shape: shape.core.corners()[0],
            are_cores_apart: false,
            nearest: [obstacle.core.corners()[0], shape.core.corners()[0]],
        };
    };
    let approaching = near.and_then(|direction| approaching_gap(&pair, direction));
    let cores = approaching.unwrap_or_else(|| core_gap(&pair));
    let (radius, off) = (radii[0] + radii[1], pair.rounding());
    CertifiedGap {
        low: cores.low - radius - off,
        high: cores.high - radius + off,
        gap: cores.gap - radius,
        slack: pair.view.slack + off,
        on_obstacle: cores.on_obstacle + pair.view.eye,
        on_shape: cores.on_shape + pair.view.eye,
        nearest: cores.nearest.map(|point| point + pair.view.eye),
        ..cores
    }
}

/// Whether an obstacle and a shape that is shifted certainly overlap, where that shows in a point of both. They do so
/// by about this part of their size.
pub(super) fn certainly_overlap(
    obstacle: &Convex<'_>,
    shape: &Convex<'_>,
    shift: DVec3,
    part: f64,
) -> bool {
    let Some(pair) = ShiftedPair::new(obstacle, shape, shift) else {
        return false;
    };
    if obstacle.core.is_point() || shape.core.is_point() {
        return certified_gap(obstacle, shape, shift).status().is_lt();
    }
    let radius = obstacle.radius + shape.radius;
    let high = if radius > 0.0 {
        let closest = pair.closest(DVec3::ZERO);
        (closest.on_shape - closest.on_obstacle).length()
    } else {
        match shared_point(&pair, part * pair.size) {
            Some((_, margin)) => pair.view.slack - margin,
            None => return false,
        }
    };
    high - radius + pair.rounding() < 0.0
}

impl<'a> ShiftedPair<'a> {
    /// `None` where numbers are so large, or not finite, that products may overflow.
    fn new(obstacle: &Convex<'a>, shape: &Convex<'a>, shift: DVec3) -> Option<Self> {
        let radii = [obstacle.radius, shape.radius];
        let view = View::new(&obstacle.core, &shape.core, radii, shift)?;
        let size = extent(&view.obstacle).max(extent(&view.shape));
        Some(Self { view, shift, size })
    }

    /// What sums with radii are rounded by, and what they are sums of.
    fn rounding(&self) -> f64 {
        self.view.slack + 4.0 * f64::EPSILON * self.view.radius
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

    /// What holds the gap, and 0 where the shapes may touch.
    pub(crate) fn enclosure(&self) -> [f64; 2] {
        if self.status().is_eq() {
            [self.low.min(0.0), self.high.max(0.0)]
        } else {
            [self.gap - self.slack, self.gap + self.slack]
        }
    }

    /// Where the shapes are apart, a point of each, no farther apart than `high`; they have these radii.
    pub(crate) fn nearest_points(&self, [obstacle, shape]: [f64; 2]) -> [DVec3; 2] {
        let [on_obstacle, on_shape] = self.nearest;
        let direction = wide_unit(on_shape - on_obstacle).unwrap_or(self.direction);
        [
            on_obstacle + direction * obstacle,
            on_shape - direction * shape,
        ]
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

/// The gap of cores without a radius along about this direction, or near it: of those that are apart no more than a
/// lower bound. `None` where they overlap, or no direction is at hand.
fn approaching_gap(pair: &ShiftedPair<'_>, near: DVec3) -> Option<CertifiedGap> {
    let view = &pair.view;
    if view.radius > 0.0 || view.obstacle.is_point() || view.shape.is_point() {
        return None;
    }
    let limit = FAR * pair.size;
    let closest = pair.closest_until(near, limit);
    let offset = closest.on_shape - closest.on_obstacle;
    let distance = offset.length();
    let best = if distance > limit {
        let direction = wide_unit(offset)?;
        let gap = pair.gap(direction);
        if gap <= 0.5 * distance {
            return None;
        }
        Climbed {
            direction,
            gap,
            points: [closest.on_obstacle, closest.on_shape],
        }
    } else {
        pair.highest_near(near)?
    };
    let are_cores_apart = best.gap > view.slack;
    let [on_obstacle, on_shape] = best.points;
    Some(CertifiedGap {
        low: best.gap,
        high: if are_cores_apart {
            (on_shape - on_obstacle).length()
        } else {
            best.gap.max(0.0) + view.slack
        },
        gap: best.gap,
        slack: view.slack,
        direction: best.direction,
        on_obstacle,
        on_shape: if are_cores_apart {
            on_shape
        } else {
            on_obstacle
        },
        are_cores_apart,
        nearest: best.points,
    })
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
                nearest: [found.on_shape, found.on_obstacle].map(|point| point + pair.shift),
                ..found
            };
        }
        _ => {}
    }
    let closest = pair.closest(DVec3::ZERO);
    let offset = closest.on_shape - closest.on_obstacle;
    let distance = offset.length();
    let apart = |direction: DVec3, gap: f64, points: [DVec3; 2]| {
        let [on_obstacle, on_shape] = points;
        let apart = (on_shape - on_obstacle).length();
        CertifiedGap {
            low: gap,
            high: apart.min(distance),
            gap,
            slack,
            direction,
            on_obstacle,
            on_shape,
            are_cores_apart: true,
            nearest: if apart <= distance {
                points
            } else {
                [closest.on_obstacle, closest.on_shape]
            },
        }
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
            // Neighbouring triangles are tested along the exact direction.
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
        nearest: [shared; 2],
    }
}

/// The gap of a cylinder and a point, in closed form.
fn point_gap(cylinder: &CylinderCore, point: DVec3, slack: f64) -> CertifiedGap {
    let nearest = cylinder.nearest(point);
    let is_apart = nearest.gap > slack;
    let on_obstacle = if is_apart { nearest.point } else { point };
    CertifiedGap {
        low: nearest.gap,
        high: nearest.gap,
        gap: nearest.gap,
        slack,
        direction: nearest.normal,
        on_obstacle,
        on_shape: point,
        are_cores_apart: is_apart,
        nearest: [on_obstacle, point],
    }
}

/// A point of both cores that is inside of one of them, a cylinder, and how deep; about `depth` is how deep they
/// overlap.
fn shared_point(pair: &ShiftedPair<'_>, depth: f64) -> Option<(DVec3, f64)> {
    let (obstacle, shape, shift) = (&pair.view.obstacle, &pair.view.shape, pair.shift);
    // A layer of this thickness moves no support by more than the root of two of it, so what overlaps by the depth
    // overlaps what is left.
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
mod tests;
