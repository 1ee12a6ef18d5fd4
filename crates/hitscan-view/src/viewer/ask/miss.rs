//! Why a ray hits nothing: what it passes how near, what the filter left out, what would make it hit.

use super::query::Query;
use crate::protocol::{ApproachReply, PassedReply};
use hitscan::{Ray, RayCastSettings};
use hitscan_ask::NamedCandidate;
use hitscan_assets::Scene;

/// Objects that are named as passed.
const PASSED: usize = 8;
/// Objects that are named as left out.
const FILTERED: usize = 64;

/// Of a ray that hits something, and of one that comes near nothing, `None`.
pub(super) fn approach(
    scene: &Scene,
    query: &Query,
    ray: &Ray,
    settings: RayCastSettings,
    candidates: &[NamedCandidate],
) -> Option<ApproachReply> {
    let world = scene.now();
    let miss = world.explain_miss(ray, settings, query.seen.filter(), PASSED)?;
    let name = |object| scene.object_name(object).unwrap_or_default().to_owned();
    let change = miss.changes.first().map(|change| {
        let (object, sentence) = (name(change.object), change.sentence());
        format!("{object}: {sentence}")
    });
    let mut filtered: Vec<String> = Vec::new();
    for candidate in candidates.iter().filter(|one| one.verdict == "filtered") {
        if filtered.len() < FILTERED && !filtered.contains(&candidate.object) {
            filtered.push(candidate.object.clone());
        }
    }
    let passed = miss.passed.iter().map(|passed| PassedReply {
        object: name(passed.object),
        distance: passed.distance,
    });
    let nearest = miss.passed.first();
    Some(ApproachReply {
        distance: nearest.map(|nearest| nearest.distance),
        t: nearest.map(|nearest| nearest.t),
        on_ray: nearest.map(|nearest| nearest.on_ray.to_array()),
        on_object: nearest.map(|nearest| nearest.on_object.to_array()),
        object: nearest.map(|nearest| name(nearest.object)),
        triangle: nearest.and_then(|nearest| Some(nearest.triangle?.triangle)),
        passed: passed.collect(),
        filtered,
        change,
    })
}
