//! Explanations of heights: what each terrain answers by itself.

use crate::explain::NamedCandidate;
use crate::filter::Seen;
use hitscan::explain::Verdict;
use hitscan::{ObjectId, QueryFilter};
use hitscan_assets::Scene;
use std::cmp::Ordering;

/// What one terrain answers.
pub(crate) enum TerrainAnswer {
    /// What the highest of all terrains is chosen by, and the triangle, if one answers.
    Height(f32, Option<u32>),
    Outside,
    Hole,
    /// No sample lies within the radius.
    Empty,
}

/// What each terrain answers by itself to `ask`: the answer first, then others by their height, then
/// those without one.
pub(crate) fn explain_terrains(
    scene: &Scene,
    seen: &Seen,
    ask: impl Fn(QueryFilter<'_>) -> TerrainAnswer,
) -> Vec<NamedCandidate> {
    let snapshot = scene.now();
    let all: Vec<ObjectId> = snapshot.height_fields(()).map(|(id, _)| id).collect();
    let seen_ids: Vec<ObjectId> = snapshot
        .height_fields(seen.filter())
        .map(|(id, _)| id)
        .collect();
    let mut candidates: Vec<(Option<f32>, NamedCandidate)> = Vec::new();
    for &terrain in &all {
        let others: Vec<ObjectId> = all
            .iter()
            .copied()
            .filter(|other| *other != terrain)
            .collect();
        let (t, triangle, verdict, why) = if !seen_ids.contains(&terrain) {
            let by = match seen.ignored.objects.contains(&terrain) {
                true => "ignored",
                false => "layers",
            };
            (None, None, "filtered", by)
        } else {
            match ask(QueryFilter::new().exclude(&others)) {
                TerrainAnswer::Height(height, triangle) => (
                    Some(height),
                    triangle,
                    Verdict::Farther.name(),
                    "lower than the answer",
                ),
                TerrainAnswer::Outside => (None, None, "box_missed", "off the map"),
                TerrainAnswer::Hole => (None, None, Verdict::Hole.name(), "there are only holes"),
                TerrainAnswer::Empty => (None, None, "missed", "no sample is within the radius"),
            }
        };
        let candidate = NamedCandidate {
            object: scene.object_name(terrain).unwrap_or_default().to_owned(),
            part: None,
            triangle,
            t,
            verdict,
            why: why.to_owned(),
        };
        candidates.push((t, candidate));
    }
    // The order of terrains decides ties, and is kept by a stable sort.
    candidates.sort_by(|(one, _), (other, _)| match (one, other) {
        (Some(one), Some(other)) => other.total_cmp(one),
        (one, other) => other.is_some().cmp(&one.is_some()),
    });
    let highest = candidates.first().and_then(|(height, _)| *height);
    for (index, (height, candidate)) in candidates.iter_mut().enumerate() {
        let order = height
            .zip(highest)
            .map(|(height, highest)| height.total_cmp(&highest));
        if order == Some(Ordering::Equal) {
            (candidate.verdict, candidate.why) = match index {
                0 => (Verdict::Answer.name(), String::new()),
                _ => (
                    Verdict::Tie.name(),
                    "as high as the answer, and later in the order".to_owned(),
                ),
            };
        }
    }
    candidates
        .into_iter()
        .map(|(_, candidate)| candidate)
        .collect()
}
