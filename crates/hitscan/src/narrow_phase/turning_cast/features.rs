//! Directions that faces and edges give, for where the closest points show too little.

use super::gap::{Gap, Seen};
use super::screw::{Pose, Screw};
use crate::narrow_phase::convex::Core;
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
    for direction in directions {
        seen.try_direction(direction, pose, gap);
        seen.try_direction(-direction, pose, gap);
    }
}

fn normals(core: &Core<'_>) -> Vec<DVec3> {
    let faces = core.faces().into_iter();
    let spans = faces.map(|face| face.next.map(|next| next - face.corner));
    spans.map(|[first, second]| first.cross(second)).collect()
}

fn edges(core: &Core<'_>) -> Vec<DVec3> {
    let edges = core.edges().into_iter();
    edges.map(|[from, to]| to - from).collect()
}
