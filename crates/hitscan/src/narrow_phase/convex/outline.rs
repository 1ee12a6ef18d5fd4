//! A convex shape's extent along any direction, in f64 with slack: for culling only.

use super::Convex;
use super::core::Core;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::exact::extremes::{greater, lesser, max_abs};
use glam::{DAffine3, DVec3};

/// The amount by which a bound is loosened, relative to the magnitudes involved.
///
/// A middle or half edge is rounded twice, a difference from it once, a scalar product of three terms
/// five times; sums of four of those and a product with a time eight times more.
const SLACK: f64 = 64.0 * UNIT_ROUNDOFF;

/// All that lies within a radius of a parallelepiped, which may be flat, a segment or a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outline {
    middle: DVec3,
    /// Half of the three edges.
    halves: [DVec3; 3],
    radius: f64,
    /// Whether the shape itself has a radius, rather than what is around it.
    is_round: bool,
    /// No coordinate that counts is greater.
    max_abs: f64,
}

impl Outline {
    /// Of a shape that is no triangle; of a polytope or cylinder that of the box around it.
    pub(crate) fn new(convex: &Convex) -> Self {
        let of_ends = |min: DVec3, max: DVec3| {
            let size = max - min;
            let edges = [0, 1, 2].map(|axis: usize| DVec3::AXES[axis] * size[axis]);
            (min, edges)
        };
        let (first, edges) = match &convex.core {
            Core::Point(point) => (*point, [DVec3::ZERO; 3]),
            Core::Segment([a, b]) => (*a, [*b - *a, DVec3::ZERO, DVec3::ZERO]),
            Core::Triangle([a, b, c]) => (*a, [*b - *a, *c - *a, DVec3::ZERO]),
            Core::Box(hull) => {
                let first = hull.corners[0];
                (first, [1, 2, 4].map(|k: usize| hull.corners[k] - first))
            }
            Core::Cylinder(cylinder) => {
                let [min, max] = cylinder.bounds();
                of_ends(min, max)
            }
            Core::Hull(hull) => {
                let [min, max] = hull.bounds();
                of_ends(min, max)
            }
        };
        let halves = edges.map(|edge| edge * 0.5);
        let middle = first + halves[0] + halves[1] + halves[2];
        Self {
            is_round: convex.radius > 0.0,
            ..Self::around(middle, halves, convex.radius)
        }
    }

    /// All within a radius of a parallelepiped, for a shape that has none.
    fn around(middle: DVec3, halves: [DVec3; 3], radius: f64) -> Self {
        let around = (halves.iter()).fold(middle.abs(), |sum, half| sum + half.abs());
        Self {
            middle,
            halves,
            radius,
            is_round: false,
            max_abs: around.max_element() + radius,
        }
    }

    /// An axis-aligned box.
    pub(crate) fn of_box(min: DVec3, max: DVec3) -> Self {
        let half = (max - min) * 0.5;
        let halves = [
            DVec3::new(half.x, 0.0, 0.0),
            DVec3::new(0.0, half.y, 0.0),
            DVec3::new(0.0, 0.0, half.z),
        ];
        Self::around((min + max) * 0.5, halves, 0.0)
    }

    /// All within a distance of it.
    pub(crate) fn grown(&self, distance: f64) -> Self {
        let radius = self.radius + distance;
        Self {
            is_round: self.is_round,
            ..Self::around(self.middle, self.halves, radius)
        }
    }

    /// Around what a transform makes of all within `margin` of it. `stretch` is no less than the
    /// matrix' largest singular value, by which the longest radius of the ellipsoid that becomes of a
    /// ball is longer. The result is rounded a few times in f64.
    pub(crate) fn transformed(&self, transform: &DAffine3, stretch: f64, margin: f64) -> Self {
        let halves = self.halves.map(|half| transform.transform_vector3(half));
        let middle = transform.transform_point3(self.middle);
        Self {
            is_round: self.is_round,
            ..Self::around(middle, halves, (self.radius + margin) * stretch)
        }
    }

    /// Half of its extent along a direction, averaged over all directions.
    ///
    /// The mean of `|n · h|` over all unit vectors n is half of h's length.
    pub(crate) fn mean_extent(&self) -> f64 {
        0.5 * self.halves.iter().map(|half| half.length()).sum::<f64>() + self.radius
    }

    /// The ends of the box around it, rounded a few times.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let radius = DVec3::splat(self.radius);
        let half = (self.halves.iter()).fold(radius, |sum, half| sum + half.abs());
        (self.middle - half, self.middle + half)
    }

    /// The middle of the parallelepiped; like its edges, rounded a few times in f64.
    pub(crate) fn middle(&self) -> DVec3 {
        self.middle
    }

    /// Half of each edge, or zero.
    pub(crate) fn halves(&self) -> [DVec3; 3] {
        self.halves
    }

    /// How many of them come before others without length.
    pub(crate) fn edges(&self) -> usize {
        let last = self.halves.iter().rposition(|half| *half != DVec3::ZERO);
        last.map_or(0, |last| last + 1)
    }

    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    pub(crate) fn is_round(&self) -> bool {
        self.is_round
    }

    /// A lower bound of the gap between the outline and a triangle along the triangle's normal, times
    /// the normal's length, which is the last of the three; and how much of it the motion closes in a
    /// unit of time.
    #[inline]
    fn gap(&self, corners: &[DVec3; 3], motion: DVec3) -> (f64, f64, f64) {
        let [a, b, c] = *corners;
        let normal = (b - a).cross(c - a);
        let [a, b, c] = [a, b, c].map(|corner| normal.dot(corner - self.middle));
        let half: f64 = self.halves.iter().map(|half| normal.dot(*half).abs()).sum();
        let length = normal.length();
        let half = half + self.radius * length;
        let above = lesser(lesser(a, b), c);
        let below = -greater(greater(a, b), c);
        let size = corners
            .iter()
            .fold(0.0, |max, corner| greater(max, max_abs(*corner)));
        let sum = normal.x.abs() + normal.y.abs() + normal.z.abs();
        let magnitude = size + self.max_abs + max_abs(motion);
        let slack = SLACK * sum * magnitude;
        let speed = normal.dot(motion);
        if above > below {
            (above - half - slack, speed, length)
        } else {
            (below - half - slack, -speed, length)
        }
    }

    /// Whether the outline, moved by `motion` times any time from 0 to `latest`, is certainly apart from
    /// a triangle.
    #[inline]
    pub(crate) fn is_apart(&self, corners: &[DVec3; 3], motion: DVec3, latest: f64) -> bool {
        let (gap, speed, _) = self.gap(corners, motion);
        gap > 0.0 && gap - speed * latest > 0.0
    }

    /// No more than the separation from a triangle, which is the largest gap along any direction:
    /// negative where they overlap along its normal too.
    #[inline]
    pub(crate) fn least_separation(&self, corners: &[DVec3; 3]) -> f64 {
        let (gap, _, length) = self.gap(corners, DVec3::ZERO);
        let bound = gap / length;
        // Not a number where the triangle has no area.
        if bound.is_finite() {
            bound - bound.abs() * SLACK
        } else {
            f64::NEG_INFINITY
        }
    }
}
