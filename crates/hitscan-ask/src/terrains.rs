//! Explanations of heights: what each terrain answers by itself, or those of a surface together.

use crate::explain::NamedCandidate;
use crate::filter::Seen;
use hitscan::explain::Verdict;
use hitscan::{ObjectId, QueryFilter};
use hitscan_assets::Scene;
use std::cmp::Ordering;

/// What one terrain answers.
pub(crate) enum TerrainAnswer {
    /// What the highest of all terrains is chosen by, the triangle, if one answers, and the terrain named.
    Height(f32, Option<u32>, Option<ObjectId>),
    Outside,
    Hole,
    /// No sample lies within the radius.
    Empty,
}

/// Which terrains answer together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Together {
    /// None.
    Never,
    /// Those of one surface.
    OfOneSurface,
}

/// What each terrain answers by itself, or together with others, to `ask`: the answer first, then others by
/// their height, then those without one.
pub(crate) fn explain_terrains(
    scene: &Scene,
    seen: &Seen,
    together: Together,
    ask: impl Fn(QueryFilter<'_>) -> TerrainAnswer,
) -> Vec<NamedCandidate> {
    let snapshot = scene.now();
    let all: Vec<ObjectId> = snapshot.height_fields(()).map(|(id, _)| id).collect();
    let seen_ids: Vec<ObjectId> = snapshot
        .height_fields(seen.filter())
        .map(|(id, _)| id)
        .collect();
    let joins = |one: ObjectId, other: ObjectId| {
        one == other || together == Together::OfOneSurface && snapshot.are_one(one, other)
    };
    let ask_of = |is_asked: &dyn Fn(ObjectId) -> bool| {
        let is_seen = |terrain: &ObjectId| is_asked(*terrain) && seen_ids.contains(terrain);
        let others: Vec<ObjectId> = all.iter().copied().filter(|one| !is_seen(one)).collect();
        ask(QueryFilter::new().exclude(&others))
    };
    let mut candidates = Vec::with_capacity(all.len());
    for &terrain in &all {
        let mut candidate = NamedCandidate {
            object: scene.object_name(terrain).unwrap_or_default().to_owned(),
            part: None,
            triangle: None,
            t: None,
            verdict: "filtered",
            why: String::new(),
        };
        // Of equally high ones the lower place goes first, and of a map the terrain that is named.
        let mut order = (terrain, false);
        let (verdict, why) = if !seen_ids.contains(&terrain) {
            let by = match seen.ignored.objects.contains(&terrain) {
                true => "ignored",
                false => "layers",
            };
            ("filtered", by)
        } else {
            match ask_of(&|one| one == terrain) {
                TerrainAnswer::Outside => ("box_missed", "off the map"),
                TerrainAnswer::Hole => (Verdict::Hole.name(), "there are only holes"),
                TerrainAnswer::Empty => ("missed", "no sample is within the radius"),
                own @ TerrainAnswer::Height(..) => {
                    let of_map = match together {
                        Together::Never => own,
                        Together::OfOneSurface => ask_of(&|one| joins(one, terrain)),
                    };
                    if let TerrainAnswer::Height(height, triangle, named) = of_map {
                        (candidate.t, candidate.triangle) = (Some(height), triangle);
                        order.1 = named != Some(terrain);
                    }
                    if together == Together::OfOneSurface {
                        order.0 = snapshot.place_of(terrain, seen.filter());
                    }
                    (Verdict::Farther.name(), "lower than the answer")
                }
            }
        };
        (candidate.verdict, candidate.why) = (verdict, why.to_owned());
        candidates.push((order, terrain, candidate));
    }
    // Stable: those without a height stay in order.
    candidates.sort_by(
        |(order, _, one), (other_order, _, other)| match (one.t, other.t) {
            (Some(t), Some(other_t)) => other_t.total_cmp(&t).then(order.cmp(other_order)),
            (t, other_t) => other_t.is_some().cmp(&t.is_some()),
        },
    );
    let highest = candidates
        .first()
        .and_then(|(_, terrain, one)| Some((*terrain, one.t?)));
    for (index, (_, terrain, candidate)) in candidates.iter_mut().enumerate() {
        let Some((answer, _)) = highest.filter(|(_, highest)| {
            let order = candidate.t.map(|t| t.total_cmp(highest));
            order == Some(Ordering::Equal)
        }) else {
            continue;
        };
        let (verdict, why) = if index == 0 {
            (Verdict::Answer, "")
        } else if joins(answer, *terrain) {
            (
                Verdict::Tie,
                "of one surface with the answer, and one map with it",
            )
        } else {
            (
                Verdict::Tie,
                "as high as the answer, and later in the order",
            )
        };
        (candidate.verdict, candidate.why) = (verdict.name(), why.to_owned());
    }
    let candidates = candidates.into_iter();
    candidates.map(|(_, _, candidate)| candidate).collect()
}
