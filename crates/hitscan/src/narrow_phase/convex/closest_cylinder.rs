//! The closest points of a cylinder and a segment or a triangle, in f64.
//!
//! Along a segment the squared distance from the cylinder is a convex function with a continuous derivative,
//! whose root Newton's method finds between ends that enclose it. The nearest point of a triangle lies on an
//! edge, or below the cylinder's point that is furthest towards its plane.
//!
//! Source of the safeguarded steps: Press et al., "Numerical Recipes", third edition, 2007, section 9.4.

use super::closest_segments::{Closest, Feature};
use super::closest_triangle::Plane;
use super::core::Core;
use super::cylinder::CylinderCore;
use super::cylinder_frame::Place;
use glam::DVec3;

/// How often a place along a segment is improved: halving alone takes as many to the last bit.
const STEPS: usize = 64;
/// A step of no more than this part of the segment is the last: Newton's method squares what is missing.
const STILL: f64 = 1.0 / (1_u64 << 40) as f64;

/// The closest points of a cylinder (the obstacle) and a segment or triangle; of two that meet, any point of both.
/// `None` of other cores.
#[inline]
pub(super) fn closest_to_cylinder(
    cylinder: &CylinderCore,
    shape: &Core<'_>,
    shift: DVec3,
) -> Option<Closest> {
    match shape {
        Core::Segment(ends) => {
            let ends = ends.map(|end| end + shift);
            Some(to_edges(cylinder, ends, &[[0, 1]]))
        }
        Core::Triangle(corners) => {
            Some(to_triangle(cylinder, &corners.map(|corner| corner + shift)))
        }
        _ => None,
    }
}

fn to_triangle(cylinder: &CylinderCore, corners: &[DVec3; 3]) -> Closest {
    let plane = Plane::new(corners);
    to_face(cylinder, &plane).unwrap_or_else(|| {
        let [a, b, c] = *corners;
        to_edges(cylinder, [a, b, c], &[[0, 1], [1, 2], [2, 0]])
    })
}

/// The closest points, where that of the triangle is between its edges.
fn to_face(cylinder: &CylinderCore, plane: &Plane) -> Option<Closest> {
    let normal = plane.normal();
    let furthest = [-normal, normal].map(|way| cylinder.furthest(way));
    let heights = furthest.map(|point| plane.height(point));
    let [low, high] = heights;
    let nearest = if low > 0.0 {
        furthest[0]
    } else if high < 0.0 {
        furthest[1]
    } else {
        // The plane's section of the cylinder holds this point, and intersects an edge or none.
        let crossing = furthest[0].lerp(furthest[1], low / (low - high));
        let shared = Closest {
            on_obstacle: crossing,
            on_shape: crossing,
            feature: Feature::Corner,
        };
        return plane.is_above(&plane.weights(crossing)).then_some(shared);
    };
    let weights = plane.weights(nearest);
    let found = || plane.below(nearest, &weights).swapped();
    plane.is_above(&weights).then(found)
}

/// The closest points of the cylinder and edges between corners.
fn to_edges<const CORNERS: usize>(
    cylinder: &CylinderCore,
    corners: [DVec3; CORNERS],
    edges: &[[usize; 2]],
) -> Closest {
    let frame = cylinder.frame();
    let places = corners.map(|corner| frame.place(corner));
    // The gradient of half the squared distance is the way from the nearest point.
    let ways = places.map(|place| place.way(&frame));
    let halves = ways.map(|way| 0.5 * way.length_squared());
    let mut nearest = (halves[0], corners[0]);
    for (half, corner) in halves.iter().zip(&corners) {
        if *half < nearest.0 {
            nearest = (*half, *corner);
        }
    }
    for [p, q] in edges.iter().copied() {
        let edge = corners[q] - corners[p];
        let slopes = [p, q].map(|corner| ways[corner].dot(edge));
        let between = slopes[0] < 0.0 && slopes[1] > 0.0;
        // Tangents at both ends are below it: where they cross it is no less.
        let crossing = (halves[q] - slopes[1] - halves[p]) / (slopes[0] - slopes[1]);
        if !between || halves[p] + slopes[0] * crossing >= nearest.0 {
            continue;
        }
        let along = Along {
            start: places[p],
            change: frame.change(edge),
            radius: cylinder.radius,
        };
        let (at, half) = along.nearest();
        if half < nearest.0 {
            nearest = (half, corners[p] + edge * at);
        }
    }
    let on_shape = nearest.1;
    let nearest = cylinder.nearest(on_shape);
    Closest {
        on_obstacle: if nearest.gap > 0.0 {
            nearest.point
        } else {
            on_shape
        },
        on_shape,
        feature: Feature::Corner,
    }
}

/// An edge beside a cylinder: a place that changes evenly from 0 to 1.
struct Along {
    start: Place,
    change: Place,
    radius: f64,
}

impl Along {
    /// The place that is nearest to the cylinder, of an edge whose ends are not, and half its squared distance. Of
    /// places inside it is any.
    fn nearest(&self) -> (f64, f64) {
        let (mut low, mut high) = (0.0, 1.0);
        // Where the way from the axis is shortest, or halfway.
        let [start, change] = [self.start.off_axis, self.change.off_axis];
        let beside = -start.dot(change) / change.length_squared();
        let mut at = if beside > low && beside < high {
            beside
        } else {
            0.5
        };
        let mut step = 1.0;
        let mut now = self.derivatives(at);
        for _ in 0..STEPS {
            let [_, slope, curvature] = now;
            let newton = at - slope / curvature;
            if slope == 0.0 {
                break;
            }
            if f64::abs(newton - at) <= STILL {
                at = newton.clamp(low, high);
                break;
            }
            if slope < 0.0 {
                low = at;
            } else {
                high = at;
            }
            // Halved where the step leaves what is left, or does not shrink fast.
            let is_fast = 2.0 * f64::abs(newton - at) <= f64::abs(step);
            let next = if is_fast && newton > low && newton < high {
                newton
            } else {
                f64::midpoint(low, high)
            };
            step = next - at;
            at = next;
            now = self.derivatives(at);
        }
        (at, now[0])
    }

    /// Half the squared distance at a place, and its first and second derivative.
    #[inline]
    fn derivatives(&self, at: f64) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for (start, change) in self.start.beyond.iter().zip(self.change.beyond) {
            let beyond = start + change * at;
            if beyond > 0.0 {
                sums[0] += 0.5 * beyond * beyond;
                sums[1] += beyond * change;
                sums[2] += change * change;
            }
        }
        let change = self.change.off_axis;
        let off_axis = self.start.off_axis + change * at;
        let distance = off_axis.length();
        if distance > self.radius {
            let growth = off_axis.dot(change) / distance;
            let beyond = distance - self.radius;
            let turning = change.length_squared() - growth * growth;
            sums[0] += 0.5 * beyond * beyond;
            sums[1] += beyond * growth;
            sums[2] += growth * growth + turning * (beyond / distance);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::super::gjk::{Precision, by_supports};
    use super::super::simplex::Simplex;
    use super::*;
    use crate::Cylinder;
    use crate::test_rng::Rng;

    fn distance(closest: &Closest) -> f64 {
        (closest.on_shape - closest.on_obstacle).length()
    }

    /// Both points are in their shapes but for rounding, and no direction holds the two further apart.
    fn assert_closest(cylinder: &CylinderCore, shape: &Core<'_>, found: &Closest) -> bool {
        let own = cylinder.nearest(found.on_obstacle).gap;
        assert!(own < 1e-12, "{own} {found:?}");
        let offset = found.on_shape - found.on_obstacle;
        let length = offset.length();
        if length < 1e-6 {
            return false;
        }
        let way = offset / length;
        let corners = shape.corners().iter().map(|corner| corner.dot(way));
        let gap = corners.fold(f64::INFINITY, f64::min) - cylinder.furthest(way).dot(way);
        assert!(length - gap < 1e-9, "{length} {gap} {cylinder:?} {shape:?}");
        true
    }

    #[test]
    fn a_direction_shows_that_no_points_are_closer() {
        let mut rng = Rng(61);
        let (mut apart, mut together) = (0, 0);
        for round in 0..20_000_u32 {
            let is_coarse = round % 3 == 0;
            let mut point = |size: f64| {
                DVec3::from_array([(); 3].map(|()| {
                    let x = f64::from(rng.signed()) * size;
                    if is_coarse {
                        (2.0 * x).round() * 0.5
                    } else {
                        x
                    }
                }))
            };
            let [a, b] = [point(2.0), point(2.0)].map(DVec3::as_vec3);
            let corners = [point(3.0), point(3.0), point(3.0)];
            let radius = f64::from(round % 7 + 1) * 0.25;
            let Ok(cylinder) = Cylinder::new(a, b, radius) else {
                continue;
            };
            let cylinder = CylinderCore::from(&cylinder);
            let triangle = Core::Triangle(corners);
            let segment = Core::Segment([corners[0], corners[1]]);
            for shape in [&triangle, &segment] {
                let shift = point(1.0);
                let found = closest_to_cylinder(&cylinder, shape, shift).unwrap();
                let there = Closest {
                    on_obstacle: found.on_obstacle - shift,
                    on_shape: found.on_shape - shift,
                    ..found
                };
                let moved = cylinder.seen_from(shift);
                if assert_closest(&moved, shape, &there) {
                    apart += 1;
                } else {
                    together += 1;
                    let core = Core::Cylinder(cylinder);
                    let first = &mut Simplex::toward(DVec3::X);
                    let other = by_supports(&core, shape, shift, first, Precision::EXACT);
                    assert!(distance(&other) < 1e-4, "{cylinder:?} {shape:?} {shift:?}");
                }
            }
        }
        assert!(apart > 10_000 && together > 2_000, "{apart} {together}");
    }
}
