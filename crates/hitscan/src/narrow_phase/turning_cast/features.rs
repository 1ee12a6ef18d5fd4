//! Directions that faces and edges give, for where the closest points show too little.

use super::gap::{Gap, Seen};
use super::screw::{Pose, Screw};
use crate::narrow_phase::convex::{Closest, Core, CylinderCore};
use glam::DVec3;

/// Cores of more corners have too many pairs of edges.
const MANY: usize = 64;

/// Tries the normals of faces and the products of edges at a pose: the two may be too near for a direction between
/// their closest points.
pub(super) fn try_features(screw: &Screw<'_>, seen: &Seen<'_>, pose: &Pose, gap: &mut Gap) {
    let (obstacle, shape) = (&seen.convex.core, &screw.shape.core);
    if obstacle.corners().len() > MANY || shape.corners().len() > MANY {
        return;
    }
    let turned = |all: Vec<DVec3>| -> Vec<DVec3> {
        let all = all.into_iter();
        all.map(|direction| screw.turned(direction, pose)).collect()
    };
    let mut directions = normals(obstacle);
    directions.extend(turned(normals(shape)));
    let others = turned(edges(shape));
    for edge in edges(obstacle) {
        directions.extend(others.iter().map(|other| edge.cross(*other)));
    }
    directions.extend(radial_directions(seen, pose, &gap.closest));
    for direction in directions {
        seen.try_direction(direction, pose, gap);
        seen.try_direction(-direction, pose, gap);
    }
}

/// From the axes of cylinders straight to where the two are closest.
pub(super) fn radial_directions(seen: &Seen<'_>, pose: &Pose, closest: &Closest) -> Vec<DVec3> {
    let straight = |cylinder: &CylinderCore, point: DVec3| {
        let (axis, _) = cylinder.axis();
        let offset = point - cylinder.ends[0];
        offset - axis * offset.dot(axis)
    };
    let of_obstacle = seen.cylinder.as_ref();
    let of_shape = pose.cylinder.as_ref();
    let of_obstacle = of_obstacle.map(|cylinder| straight(cylinder, closest.on_shape));
    let of_shape = of_shape.map(|cylinder| straight(cylinder, closest.on_obstacle));
    of_obstacle.into_iter().chain(of_shape).collect()
}

/// Of a cylinder its axis, across which its ends are.
pub(super) fn normals(core: &Core<'_>) -> Vec<DVec3> {
    if let Core::Cylinder(cylinder) = core {
        return vec![cylinder.axis().0];
    }
    let faces = core.faces().into_iter();
    let spans = faces.map(|face| face.next.map(|next| next - face.corner));
    spans.map(|[first, second]| first.cross(second)).collect()
}

/// Of a cylinder its axis, along which its side is straight.
fn edges(core: &Core<'_>) -> Vec<DVec3> {
    if let Core::Cylinder(cylinder) = core {
        return vec![cylinder.axis().0];
    }
    let edges = core.edges().into_iter();
    edges.map(|[from, to]| to - from).collect()
}
