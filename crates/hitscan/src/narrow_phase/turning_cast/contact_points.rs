//! Points that shape and obstacle share at the start, and one among them that moves in.

use super::gap::{Gap, Seen};
use super::screw::Screw;
use super::touching_normals::TouchingNormal;
use crate::narrow_phase::convex::{Convex, Core, resting_status};
use core::iter::once;
use glam::DVec3;

/// Points of the contact, of the shape's core as seen from the pivot: where f64 sees the two nearest, the corners of
/// either that touch the other, exactly, and where edges in the plane of the contact cross. The contact is
/// what lies between them.
pub(super) fn contact_points<'a>(
    screw: &'a Screw<'_>,
    seen: &'a Seen<'_>,
    gap: &Gap,
    normals: &'a [TouchingNormal],
) -> Vec<DVec3> {
    let is_level = |side: usize, i: usize| {
        seen.radius > 0.0 || normals.iter().all(|normal| normal.level[side].contains(&i))
    };
    let alone = |point: DVec3, radius: f64| Convex {
        core: Core::Point(point),
        radius,
        is_mirrored: false,
    };
    let shape = screw.shape.core.corners();
    let of_shape = (0..shape.len()).filter(|i| {
        let corner = alone(shape[*i], screw.shape.radius);
        is_level(0, *i) && resting_status(&seen.convex, &corner).is_le()
    });
    let obstacle = seen.convex.core.corners();
    let of_obstacle = (0..obstacle.len()).filter(|i| {
        let corner = alone(obstacle[*i], seen.convex.radius);
        is_level(1, *i) && resting_status(&screw.shape, &corner).is_le()
    });
    let normal = normals.first();
    let offset = normal.map_or(DVec3::ZERO, |normal| normal.direction * seen.radius);
    let of_shape = of_shape.map(|i| shape[i] - screw.pivot);
    let of_obstacle = of_obstacle.map(|i| obstacle[i] - screw.pivot + offset);
    once(gap.closest.on_shape)
        .chain(of_shape)
        .chain(of_obstacle)
        .chain(
            normal
                .into_iter()
                .flat_map(|normal| crossings(screw, seen, normal)),
        )
        .collect()
}

/// Where edges of shape and obstacle that lie in the plane of the contact cross; on those of the shape.
fn crossings(screw: &Screw<'_>, seen: &Seen<'_>, normal: &TouchingNormal) -> Vec<DVec3> {
    let along = normal.direction;
    let level = seen.highest(along);
    let bound = 4.0 * (seen.slack() + normal.error * seen.extent);
    let edges = |core: &Core<'_>, level: f64| -> Vec<[DVec3; 2]> {
        let edges = core.edges().into_iter();
        let edges = edges.map(|ends| ends.map(|end| end - screw.pivot));
        edges
            .filter(|ends| {
                ends.iter()
                    .all(|end| (along.dot(*end) - level).abs() <= bound)
            })
            .collect()
    };
    let of_obstacle = edges(&seen.convex.core, level);
    let mut found = Vec::new();
    for [from, to] in edges(&screw.shape.core, level + seen.radius) {
        for [first, second] in &of_obstacle {
            let (way, other, between) = (to - from, *second - *first, *first - from);
            let area = along.dot(way.cross(other));
            // Not finite where the two are parallel.
            let [share, other_share] =
                [other, way].map(|edge| along.dot(between.cross(edge)) / area);
            if (0.0..=1.0).contains(&share) && (0.0..=1.0).contains(&other_share) {
                found.push(from + way * share);
            }
        }
    }
    found
}

/// A point between those of a contact whose velocity along each of a few directions is less than what goes with the
/// direction.
pub(super) fn entering_point(
    screw: &Screw<'_>,
    points: &[DVec3],
    directions: &[(DVec3, f64)],
) -> Option<DVec3> {
    let excess = |point: DVec3, (normal, limit): &(DVec3, f64)| {
        normal.dot(screw.velocity_at_start(point)) - limit
    };
    let enters = |point: &DVec3| {
        !directions.is_empty()
            && directions
                .iter()
                .all(|direction| excess(*point, direction) < 0.0)
    };
    if let Some(point) = points.iter().copied().find(enters) {
        return Some(point);
    }
    // Velocities are linear between two points: each further direction bounds the fraction on one side.
    let pairs = points.iter().enumerate();
    let pairs = pairs.flat_map(|(i, from)| points[..i].iter().map(move |to| [*from, *to]));
    let middles = pairs.map(|[from, to]| {
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for direction in directions {
            let [first, last] = [from, to].map(|point| excess(point, direction));
            let share = first / (first - last);
            if first >= 0.0 {
                low = low.max(share);
            }
            if last >= 0.0 {
                high = high.min(share);
            }
        }
        from + (to - from) * f64::midpoint(low, high)
    });
    middles.into_iter().find(enters)
}
