//! Certain bounds of the gap of two shapes, in f64, from a witness each.
//!
//! Any direction bounds the distance from below by the gap of the projections along it, any two
//! points bound it from above. So an algorithm that finds directions and points need not be
//! analysed: what it finds is checked here, with a few operations whose rounding is bounded.

use super::closest::{Closest, closest};
use super::core::Core;
use super::cylinder::CylinderCore;
use super::gjk::{Precision, by_supports};
use super::simplex::Simplex;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::exact::extremes::{greater, lesser, max_abs};
use crate::shape::box_hull::BoxHull;
use glam::DVec3;

/// Directions whose squared length is below this are not tried, so that no square underflows.
const MIN_SQUARE: f64 = 1e-200;

/// Coordinates and motions beyond this are left to exact arithmetic: no product overflows.
const MAX_EXTENT: f64 = 1e60;

/// Two shapes as seen from a corner of the moving one.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) obstacle: Core<'a>,
    pub(super) shape: Core<'a>,
    pub(super) motion: DVec3,
    /// The sum of the radii, rounded.
    pub(super) radius: f64,
    /// The sum of the largest coordinates of both and of the motion.
    extent: f64,
    /// Bound on the error of a distance computed in this view.
    pub(super) slack: f64,
    /// The origin of the view.
    pub(super) eye: DVec3,
}

impl<'a> View<'a> {
    /// `None` where numbers are so large, or not finite, that products may overflow.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(
        obstacle: &Core<'a>,
        shape: &Core<'a>,
        radii: [f64; 2],
        motion: DVec3,
    ) -> Option<Self> {
        // A polytope is seen as it lies: moving its corners would cost more than the bounds lose.
        let has_hull = matches!(obstacle, Core::Hull(_)) || matches!(shape, Core::Hull(_));
        let eye = if has_hull {
            DVec3::ZERO
        } else {
            shape.corners()[0]
        };
        let (obstacle, first) = seen_from(obstacle, eye);
        let (shape, second) = seen_from(shape, eye);
        let extent = first + second + motion.abs().max_element();
        // Also false for NaN.
        let is_in_range = extent < MAX_EXTENT;
        if !is_in_range {
            return None;
        }
        Some(Self {
            obstacle,
            shape,
            motion,
            radius: radii[0] + radii[1],
            extent,
            // A seen coordinate is off by one unit of itself, a shifted one by three units of
            // `extent`; a point made of corners by weights by at most twelve more on each axis; two of them
            // and the root of three sum up to less than 64.
            slack: 64.0 * UNIT_ROUNDOFF * extent,
            eye,
        })
    }

    /// Whether it is certain that no shape is a triangle without area.
    #[inline]
    pub(super) fn has_certain_area(&self) -> bool {
        let Core::Triangle([a, b, c]) = &self.obstacle else {
            return !matches!(self.shape, Core::Triangle(_));
        };
        // Each component is a difference of two products of edges, which are no longer than twice the
        // extent and off by four units of it: together by less than 64 units of the extent's square.
        let normal = (*b - *a).cross(*c - *a).abs().max_element();
        normal > self.slack * self.extent
    }

    /// The closest points at `t`.
    #[inline]
    pub(super) fn closest_at(&self, t: f64) -> Closest {
        closest(&self.obstacle, &self.shape, self.motion * t)
    }

    /// The same, of polytopes searched on from a simplex.
    #[inline]
    pub(super) fn closest_from(&self, t: f64, simplex: &mut Simplex) -> Closest {
        let (obstacle, shape) = (&self.obstacle, &self.shape);
        let shift = self.motion * t;
        match (obstacle, shape) {
            (Core::Hull(_), _) | (_, Core::Hull(_)) => {
                by_supports(obstacle, shape, shift, simplex, Precision::EXACT)
            }
            _ => closest(obstacle, shape, shift),
        }
    }

    /// About the way from the middle of the obstacle to that of the shape at `t`.
    #[inline]
    pub(super) fn between_middles(&self, t: f64) -> DVec3 {
        middle(&self.shape) - middle(&self.obstacle) + self.motion * t
    }

    /// Whether the gap is certainly more than 0 at both times and so at all times between them, seen
    /// along `direction`, which goes from the obstacle to the shape.
    #[inline]
    pub(super) fn is_apart(&self, direction: DVec3, times: [f64; 2]) -> bool {
        let speed = direction.dot(self.motion);
        let nearest = self.lowest_gap(direction) + (times[0] * speed).min(times[1] * speed);
        // Each of three products of vectors is off by four units of the sum of its terms' magnitudes,
        // that is of the extent times the sum of the direction's; the rest by two. The slack
        // is 64 units of the extent.
        let sum = direction.x.abs() + direction.y.abs() + direction.z.abs();
        let certain = nearest - self.slack * sum;
        let squared = direction.length_squared();
        certain > 0.0
            && squared > MIN_SQUARE
            && certain * certain
                > self.radius * self.radius * squared * (1.0 + 32.0 * UNIT_ROUNDOFF)
    }

    /// Whether the gap is certainly more than 0 at all times along that mean of two unit directions, one along which
    /// the two come closer and one along which they part, to which the motion is square. Gaps are concave in the
    /// direction: where the gaps along both are equal at some time, the one between is no less, and stays.
    #[inline]
    pub(super) fn is_apart_between(&self, [nearing, parting]: [DVec3; 2]) -> bool {
        let mean = nearing * parting.dot(self.motion) - parting * nearing.dot(self.motion);
        self.is_apart(mean, [0.0, 1.0])
    }

    /// A lower bound of the distance of the cores at t = 0, seen along `direction`, which goes from the
    /// obstacle to the shape; 0 where none is found.
    #[inline]
    pub(super) fn min_distance(&self, direction: DVec3) -> f64 {
        let squared = direction.length_squared();
        let sum = direction.x.abs() + direction.y.abs() + direction.z.abs();
        // The bound of `is_apart`.
        let certain = self.lowest_gap(direction) - self.slack * sum;
        // Also for NaN.
        if certain > 0.0 && squared > MIN_SQUARE {
            certain / squared.sqrt() * (1.0 - 8.0 * UNIT_ROUNDOFF)
        } else {
            0.0
        }
    }

    /// The gap between the projections at t = 0, rounded, times the direction's length.
    #[inline]
    pub(super) fn lowest_gap(&self, direction: DVec3) -> f64 {
        let highest = project(&self.obstacle, direction)[1];
        let lowest = project(&self.shape, direction)[0];
        lowest - highest
    }

    /// How the shapes approach each other along an axis while t goes from 0 to `latest`.
    #[inline]
    pub(super) fn approach(&self, axis: DVec3, latest: f64) -> Approach {
        let [low, high] = project(&self.obstacle, axis);
        let [lowest, highest] = project(&self.shape, axis);
        let (above, below) = (lowest - high, low - highest);
        let speed = axis.dot(self.motion);
        let (start, speed) = if above >= below {
            (above, speed)
        } else {
            (below, -speed)
        };
        let squared = axis.length_squared();
        // As in `is_apart`.
        let sum = axis.x.abs() + axis.y.abs() + axis.z.abs();
        let certain = start + (speed * latest).min(0.0) - self.slack * sum;
        let limit = self.radius * self.radius * squared;
        if certain > 0.0
            && squared > MIN_SQUARE
            && certain * certain > limit * (1.0 + 32.0 * UNIT_ROUNDOFF)
        {
            return Approach::Apart;
        }
        let way = start - limit.sqrt();
        Approach::From(if way > 0.0 && speed < 0.0 {
            way / -speed
        } else {
            0.0
        })
    }

    /// The axes that are tried first: the normals of the obstacle's faces, and the way between the
    /// middles of both where they are nearest. The time does not depend on `latest`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn first_axes(&self, latest: f64) -> Approach {
        let mut from = 0.0_f64;
        let mut may_meet_on = |axis: DVec3| match self.approach(axis, latest) {
            Approach::Apart => false,
            Approach::From(time) => {
                from = from.max(time);
                true
            }
        };
        let between = middle(&self.obstacle) - middle(&self.shape);
        let along = between.dot(self.motion) / self.motion.length_squared();
        // Without motion `along` is NaN, which `clamp` keeps, and nothing is found apart.
        if !may_meet_on(between - self.motion * along.clamp(0.0, 1.0)) {
            return Approach::Apart;
        }
        let is_reached = match &self.obstacle {
            Core::Point(_) | Core::Segment(_) | Core::Hull(_) | Core::Cylinder(_) => true,
            Core::Triangle([a, b, c]) => may_meet_on((*b - *a).cross(*c - *a)),
            Core::Box(hull) => {
                let [x, y, z] = hull.directions;
                may_meet_on(y.cross(z)) && may_meet_on(z.cross(x)) && may_meet_on(x.cross(y))
            }
        };
        if is_reached {
            Approach::From(from)
        } else {
            Approach::Apart
        }
    }

    /// Whether the gap is certainly less than 0 where the shape's point is at `offset` from the
    /// obstacle's.
    #[inline]
    pub(super) fn is_overlapping(&self, offset: DVec3) -> bool {
        let distance = offset.length() * (1.0 + 16.0 * UNIT_ROUNDOFF) + self.slack;
        distance < self.radius * (1.0 - 4.0 * UNIT_ROUNDOFF)
    }
}

/// How shapes approach each other along an axis.
pub(super) enum Approach {
    /// They are certainly apart all the time.
    Apart,
    /// They come close enough at about this time; 0 where they are so from the start.
    From(f64),
}

/// The projection of a core onto an axis: minimum and maximum.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn project(core: &Core, axis: DVec3) -> [f64; 2] {
    match core {
        Core::Point(point) => [axis.dot(*point); 2],
        Core::Segment(ends) => extremes(ends, axis),
        Core::Triangle(corners) => extremes(corners, axis),
        Core::Box(hull) => extremes(&hull.corners, axis),
        Core::Hull(hull) => hull.extremes_along(axis),
        Core::Cylinder(cylinder) => {
            let [low, high] = extremes(&cylinder.ends, axis);
            let reach = cylinder.reach(axis);
            [low - reach, high + reach]
        }
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn extremes<const COUNT: usize>(corners: &[DVec3; COUNT], axis: DVec3) -> [f64; 2] {
    let first = axis.dot(corners[0]);
    let mut range = [first, first];
    for corner in &corners[1..] {
        let place = axis.dot(*corner);
        range = [lesser(range[0], place), greater(range[1], place)];
    }
    range
}

/// About the middle of a core.
#[cfg_attr(not(debug_assertions), inline(always))]
fn middle(core: &Core) -> DVec3 {
    match core {
        Core::Point(point) => *point,
        Core::Segment([a, b]) | Core::Cylinder(CylinderCore { ends: [a, b], .. }) => {
            (*a + *b) * 0.5
        }
        Core::Triangle([a, b, c]) => (*a + *b + *c) * (1.0 / 3.0),
        Core::Box(hull) => (hull.corners[0] + hull.corners[7]) * 0.5,
        Core::Hull(hull) => hull.middle(),
    }
}

/// A core as seen from a point, and the largest coordinate.
#[cfg_attr(not(debug_assertions), inline(always))]
fn seen_from<'a>(core: &Core<'a>, eye: DVec3) -> (Core<'a>, f64) {
    match core {
        Core::Point(point) => {
            let seen = *point - eye;
            (Core::Point(seen), max_abs_of(&[seen]))
        }
        Core::Segment(ends) => {
            let seen = ends.map(|end| end - eye);
            (Core::Segment(seen), max_abs_of(&seen))
        }
        Core::Triangle(corners) => {
            let seen = corners.map(|corner| corner - eye);
            (Core::Triangle(seen), max_abs_of(&seen))
        }
        Core::Box(hull) => {
            let corners = hull.corners.map(|corner| corner - eye);
            let directions = hull.directions;
            let size = max_abs_of(&corners);
            let seen = BoxHull {
                corners,
                directions,
            };
            (Core::Box(seen), size)
        }
        Core::Hull(hull) => (Core::Hull(hull), hull.max_abs()),
        Core::Cylinder(cylinder) => {
            let seen = cylinder.seen_from(eye);
            let size = max_abs_of(&seen.ends) + seen.radius;
            (Core::Cylinder(seen), size)
        }
    }
}

/// The largest magnitude of the coordinates; NaN if one is.
#[cfg_attr(not(debug_assertions), inline(always))]
fn max_abs_of(corners: &[DVec3]) -> f64 {
    let max = corners
        .iter()
        .fold(0.0, |max, corner| greater(max, max_abs(*corner)));
    let sum = corners
        .iter()
        .fold(0.0, |sum, corner| sum + corner.x + corner.y + corner.z);
    // A sum is NaN where a part is, or where infinities meet, which the largest shows.
    if sum.is_nan() { f64::NAN } else { max }
}
