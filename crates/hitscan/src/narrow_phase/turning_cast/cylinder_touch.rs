//! Touches at the start of pairs with a cylinder.
//!
//! Gaps of cylinders are exact for one that is changed by less than 2^-40 of the largest coordinate or size,
//! so directions separate, and points are shared, within bounds of rounding that are less than that.

use super::features::{normals, radial_directions};
use super::gap::{Gap, Seen, unit};
use super::orbit::SLACK;
use super::screw::{Pose, Screw};
use super::touching_normals::{NEAR, edges_at, faces_at};
use crate::exact::extremes::max_abs;
use crate::narrow_phase::convex::{Core, CylinderCore, closest};
use glam::DVec3;

/// The directions from the obstacle to the shape that separate the two at the start, of those that their features
/// give by the contact.
pub(super) fn separating_directions(
    screw: &Screw<'_>,
    seen: &Seen<'_>,
    pose: &Pose,
    gap: &Gap,
) -> Vec<DVec3> {
    let cores = [&seen.convex.core, &screw.shape.core];
    let contact = gap.closest.on_obstacle + screw.pivot;
    let near = NEAR * seen.extent;
    let radial = radial_directions(seen, pose, &gap.closest);
    let mut directions = vec![gap.normal, gap.closest.on_shape - gap.closest.on_obstacle];
    directions.extend(&radial);
    let mut edges: [Vec<DVec3>; 2] = [Vec::new(), Vec::new()];
    for (core, edges) in cores.iter().zip(&mut edges) {
        if let Core::Cylinder(cylinder) = core {
            let (axis, _) = cylinder.axis();
            // The straight lines of its side, and those that touch its rims.
            edges.push(axis);
            edges.extend(radial.iter().map(|radial| axis.cross(*radial)));
            directions.extend(normals(core));
            continue;
        }
        let faces = faces_at(core, contact, near);
        directions.extend(faces.iter().map(|face| face.approximate()));
        edges.extend(
            edges_at(core, contact, near)
                .iter()
                .map(|[from, to]| *to - *from),
        );
    }
    for edge in &edges[0] {
        directions.extend(edges[1].iter().map(|other| edge.cross(*other)));
    }
    let bound = 3.0 * seen.slack();
    let mut found: Vec<DVec3> = Vec::new();
    for direction in directions.into_iter().filter_map(unit) {
        for direction in [direction, -direction] {
            let is_known = found
                .iter()
                .any(|known| known.dot(direction) >= 1.0 - SLACK);
            if !is_known && seen.lower_along(direction, pose) >= -bound {
                found.push(direction);
            }
        }
    }
    found
}

/// Points of the contact, of the shape's core as seen from the pivot, among which is the one that moves the most
/// against a direction.
pub(super) fn contact_points(
    screw: &Screw<'_>,
    seen: &Seen<'_>,
    pose: &Pose,
    gap: &Gap,
    normals: &[DVec3],
) -> Vec<DVec3> {
    let Some(first) = normals.first() else {
        return Vec::new();
    };
    let (obstacle, shape) = (&seen.convex.core, &screw.shape.core);
    // From the obstacle's core to the shape's.
    let offset = *first * seen.radius;
    let contact = gap.closest.on_obstacle + screw.pivot;
    let near = NEAR * seen.extent;
    let edges = [(obstacle, offset), (shape, DVec3::ZERO)].map(|(core, offset)| {
        let edges = edges_at(core, contact, near);
        let seen = |end: DVec3| end - screw.pivot + offset;
        edges
            .into_iter()
            .map(|ends| ends.map(seen))
            .collect::<Vec<_>>()
    });
    let edges = edges.concat();
    let mut points = vec![gap.closest.on_shape];
    points.extend(seen.corners.iter().map(|corner| *corner + offset));
    points.extend(&pose.corners);
    let of_obstacle = seen.cylinder.as_ref().map(|cylinder| (cylinder, 1.0));
    let of_shape = pose.cylinder.as_ref().map(|cylinder| (cylinder, -1.0));
    for (cylinder, towards) in of_obstacle.into_iter().chain(of_shape) {
        let offset = if towards > 0.0 { offset } else { DVec3::ZERO };
        let [a, b] = cylinder.ends;
        let (axis, _) = cylinder.axis();
        for normal in normals {
            // Along the direction, and against which the velocity's product with it grows.
            let grows = normal.cross(screw.unit) * screw.angle;
            let rims = [*normal * towards, -grows].map(|way| {
                let across = unit(axis.cross(way.cross(axis)));
                across.map_or(DVec3::ZERO, |across| across * cylinder.radius) + offset
            });
            points.extend(rims.iter().flat_map(|rim| [a + *rim, b + *rim]));
            // Where the side's line on the other shape crosses its edges.
            let line = Core::Segment([a + rims[0], b + rims[0]]);
            points.extend(
                edges
                    .iter()
                    .map(|edge| closest(&line, &Core::Segment(*edge), DVec3::ZERO).on_shape),
            );
        }
        for end in [a + offset, b + offset] {
            let crossed = edges
                .iter()
                .flat_map(|edge| circle_crossings(cylinder, end, *edge));
            points.extend(crossed);
        }
    }
    let rounding = 8.0 * f64::EPSILON * (max_abs(contact) + seen.extent);
    let bound = 4.0 * seen.slack() + rounding;
    points.retain(|point| {
        distance(shape, *point + screw.pivot) <= bound
            && distance(obstacle, *point + screw.pivot - offset) <= bound
    });
    points
}

/// Where a segment crosses the circle around the end of a cylinder, seen along the axis.
fn circle_crossings(cylinder: &CylinderCore, end: DVec3, [from, to]: [DVec3; 2]) -> Vec<DVec3> {
    let (axis, _) = cylinder.axis();
    let flat = |way: DVec3| way - axis * way.dot(axis);
    let (way, start) = (flat(to - from), flat(from - end));
    let (square, half) = (way.length_squared(), way.dot(start));
    let rest = start.length_squared() - cylinder.radius * cylinder.radius;
    let root = (half * half - square * rest).sqrt();
    let shares = [(-half - root) / square, (-half + root) / square];
    // No root is NaN.
    let shares = shares
        .into_iter()
        .filter(|share| (0.0..=1.0).contains(share));
    shares.map(|share| from + (to - from) * share).collect()
}

/// The distance of a point from a core, 0 inside.
fn distance(core: &Core<'_>, point: DVec3) -> f64 {
    match core {
        Core::Cylinder(cylinder) => cylinder.nearest(point).gap.max(0.0),
        core => {
            let found = closest(core, &Core::Point(point), DVec3::ZERO);
            (found.on_shape - found.on_obstacle).length_squared().sqrt()
        }
    }
}
