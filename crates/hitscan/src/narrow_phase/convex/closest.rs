//! The closest points of two cores in f64: a guess that certificates check.
//!
//! Points are interpolated between corners by weights from 0 to 1, so that each is in its core up to rounding.
//! Nothing is decided here.

use super::closest_cylinder::closest_to_cylinder;
pub(crate) use super::closest_segments::{Closest, Feature};
use super::closest_segments::{point_segment, segments};
use super::closest_triangle::{Plane, segment_triangle, triangles};
use super::core::Core;
use super::gjk::{Precision, by_supports};
use super::simplex::Simplex;
use crate::shape::box_hull::BoxHull;
use glam::DVec3;

/// The closest points of two cores, the second one shifted; of two boxes or triangles that meet, any.
#[inline]
pub(crate) fn closest(obstacle: &Core, shape: &Core, shift: DVec3) -> Closest {
    match (obstacle, shape) {
        (Core::Triangle(triangle), Core::Point(point)) => {
            let (plane, point) = (Plane::new(triangle), *point + shift);
            plane.closest(point, &plane.weights(point))
        }
        (Core::Triangle(triangle), Core::Segment(ends)) => {
            segment_triangle(ends.map(|end| end + shift), triangle)
        }
        (Core::Point(a), Core::Point(b)) => Closest {
            on_obstacle: *a,
            on_shape: *b + shift,
            feature: Feature::Corner,
        },
        (Core::Segment(segment), Core::Point(point)) => point_segment(*point + shift, *segment),
        (Core::Segment(first), Core::Segment(second)) => {
            segments(*first, second.map(|end| end + shift))
        }
        (Core::Box(hull), Core::Point(point)) => point_box(*point + shift, hull),
        (Core::Box(hull), Core::Segment(ends)) => segment_box(ends.map(|end| end + shift), hull),
        (Core::Hull(_) | Core::Cylinder(_), _) | (_, Core::Hull(_) | Core::Cylinder(_)) => {
            searched(obstacle, shape, shift, DVec3::X, Precision::EXACT)
        }
        (Core::Point(_) | Core::Segment(_), _) => {
            closest(shape, obstacle, -shift).swapped().shifted(shift)
        }
        (Core::Triangle(first), Core::Triangle(second)) => {
            triangles(first, &second.map(|corner| corner + shift))
        }
        (Core::Box(_) | Core::Triangle(_), Core::Box(_) | Core::Triangle(_)) => {
            by_features(obstacle, shape, shift)
        }
    }
}

/// The closest points of a polytope or cylinder and another core: in closed form where there is one, else by GJK from
/// a first direction.
pub(super) fn searched(
    obstacle: &Core<'_>,
    shape: &Core<'_>,
    shift: DVec3,
    first: DVec3,
    precision: Precision,
) -> Closest {
    without_steps(obstacle, shape, shift).unwrap_or_else(|| {
        by_supports(
            obstacle,
            shape,
            shift,
            &mut Simplex::toward(first),
            precision,
        )
    })
}

/// The closest points of a cylinder and a segment or triangle, which need no search among furthest points.
#[inline]
fn without_steps(obstacle: &Core<'_>, shape: &Core<'_>, shift: DVec3) -> Option<Closest> {
    match (obstacle, shape) {
        (Core::Cylinder(cylinder), other) => closest_to_cylinder(cylinder, other, shift),
        (other, Core::Cylinder(cylinder)) => {
            let found = closest_to_cylinder(cylinder, other, -shift)?;
            Some(found.swapped().shifted(shift))
        }
        _ => None,
    }
}

/// The closest points of a box (the obstacle) and a point.
fn point_box(point: DVec3, hull: &BoxHull) -> Closest {
    let corner = hull.corners[0];
    let edges = [1, 2, 4].map(|k: usize| hull.corners[k] - corner);
    // In the box' own axes, as if they were at right angles; what is beyond is on a face.
    let mut weights = [0.0; 3];
    let mut is_beyond = [true; 3];
    let from_corner = point - corner;
    for i in 0..3 {
        let weight = edges[i].dot(from_corner) / edges[i].length_squared();
        if weight > 0.0 && weight < 1.0 {
            is_beyond[i] = false;
            weights[i] = weight;
        } else if weight >= 1.0 {
            weights[i] = 1.0;
        }
    }
    let beyond = is_beyond.iter().filter(|beyond| **beyond).count();
    // The corner from which the nearest edge or face goes.
    let start = (0..3).filter(|i| is_beyond[*i] && weights[*i] == 1.0);
    let start = hull.corners[start.map(|i| 1 << i).sum::<usize>()];
    match beyond {
        0 => Closest {
            // Not `point` itself: seen from far away, rounding lays the edges of a box along each other, and
            // then what is between the ends of all three need not be in it.
            on_obstacle: corner
                + edges[0] * weights[0]
                + edges[1] * weights[1]
                + edges[2] * weights[2],
            on_shape: point,
            feature: Feature::Corner,
        },
        1 => {
            let i = is_beyond.iter().position(|beyond| *beyond).unwrap_or(0);
            let [u, v] = [edges[(i + 1) % 3], edges[(i + 2) % 3]];
            let normal = u.cross(v);
            let squared = normal.length_squared();
            if squared == 0.0 {
                return point_flat_face(point, start, [u, v]);
            }
            let from_start = point - start;
            let of_u = from_start.cross(v).dot(normal) / squared;
            let of_v = u.cross(from_start).dot(normal) / squared;
            Closest {
                on_obstacle: start + u * of_u.clamp(0.0, 1.0) + v * of_v.clamp(0.0, 1.0),
                on_shape: point,
                feature: Feature::Face(normal),
            }
        }
        2 => {
            let i = is_beyond.iter().position(|beyond| !*beyond).unwrap_or(0);
            point_segment(point, [start, start + edges[i]])
        }
        _ => Closest {
            on_obstacle: start,
            on_shape: point,
            feature: Feature::Corner,
        },
    }
}

/// The closest points of a face whose edges `u` and `v` lie on one line, and a point.
///
/// Seen from far away, rounding lays the corners of a box that is not flat so.
#[cold]
#[inline(never)]
fn point_flat_face(point: DVec3, start: DVec3, [u, v]: [DVec3; 2]) -> Closest {
    // Whether the edges point the same way or not, these cover the face.
    let edges = [
        [start, start + u],
        [start, start + v],
        [start + u, start + u + v],
    ];
    let [first, second, third] = edges.map(|edge| point_segment(point, edge));
    first.or_nearer(second).or_nearer(third)
}

/// The closest points of a box (the obstacle) and a segment.
fn segment_box(segment: [DVec3; 2], hull: &BoxHull) -> Closest {
    let [p, q] = segment;
    let edge = q - p;
    // Clipped by the slabs of the box' own axes; what is left is inside.
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for i in 0..3 {
        let [j, k] = [(i + 1) % 3, (i + 2) % 3];
        let normal = hull.directions[j].cross(hull.directions[k]);
        let (speed, depth) = (
            normal.dot(edge),
            normal.dot(hull.corners[1 << i] - hull.corners[0]),
        );
        let (low, high) = if depth >= 0.0 {
            (0.0, depth)
        } else {
            (depth, 0.0)
        };
        let start = normal.dot(p - hull.corners[0]);
        if speed == 0.0 {
            if start < low || start > high {
                leave = -1.0;
            }
            continue;
        }
        let (first, second) = ((low - start) / speed, (high - start) / speed);
        enter = enter.max(first.min(second));
        leave = leave.min(first.max(second));
    }
    if enter <= leave {
        let inside = p + edge * f64::midpoint(enter, leave);
        return Closest {
            on_obstacle: inside,
            on_shape: inside,
            feature: Feature::Corner,
        };
    }
    let nearest = point_box(p, hull).or_nearer(point_box(q, hull));
    if let Feature::Face(normal) = nearest.feature {
        // The nearer end is beside a face, and the segment does not come nearer to its plane.
        let offset = nearest.on_shape - nearest.on_obstacle;
        let other = if nearest.on_shape == p { q } else { p };
        if normal.dot(offset) * normal.dot(other - nearest.on_shape) >= 0.0 {
            return nearest;
        }
    }
    box_edges(hull).fold(nearest, |nearest, edge| {
        nearest.or_nearer(segments(edge, segment))
    })
}

fn box_edges(hull: &BoxHull) -> impl Iterator<Item = [DVec3; 2]> + '_ {
    (0..3).flat_map(move |axis| {
        let lower = (0..8).filter(move |corner| corner >> axis & 1 == 0);
        lower.map(move |corner| [hull.corners[corner], hull.corners[corner | 1 << axis]])
    })
}

/// The closest points by all corners and edges of both, where an edge or a face of either is nearest
/// to the other's, or a corner.
fn by_features(obstacle: &Core, shape: &Core, shift: DVec3) -> Closest {
    let first = obstacle.corners()[0];
    let mut nearest = Closest {
        on_obstacle: first,
        on_shape: shape.corners()[0] + shift,
        feature: Feature::Corner,
    };
    for corner in shape.corners() {
        let found = closest(obstacle, &Core::Point(*corner), shift);
        nearest = nearest.or_nearer(found);
    }
    for corner in obstacle.corners() {
        let found = closest(shape, &Core::Point(*corner), -shift);
        nearest = nearest.or_nearer(found.swapped().shifted(shift));
    }
    let others = shape.edges();
    for edge in obstacle.edges() {
        for other in &others {
            let found = segments(edge, other.map(|end| end + shift));
            nearest = nearest.or_nearer(found);
        }
    }
    nearest
}
