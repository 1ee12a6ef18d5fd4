//! Explanations of misses, near ones too: filtered objects, and changes that would make a hit.

use crate::protocol::{ApproachReply, NearReply, PassedReply};
use hitscan_ask::{NamedApproach, NamedCandidate, NamedMiss};

/// At most so many excluded objects are named.
const FILTERED: usize = 64;

/// A miss, and the candidates of its question.
pub(super) fn approach(miss: &NamedMiss, candidates: &[NamedCandidate]) -> ApproachReply {
    let change = miss.changes.first();
    let mut filtered: Vec<String> = Vec::new();
    for candidate in candidates.iter().filter(|one| one.verdict == "filtered") {
        if filtered.len() < FILTERED && !filtered.contains(&candidate.object) {
            filtered.push(candidate.object.clone());
        }
    }
    let passed = |one: &NamedApproach| PassedReply {
        object: one.object.clone(),
        distance: one.distance,
    };
    let nearest = miss.passed.first();
    ApproachReply {
        distance: nearest.map(|nearest| nearest.distance),
        t: nearest.map(|nearest| nearest.t),
        on_ray: nearest.map(|nearest| nearest.on_ray),
        on_object: nearest.map(|nearest| nearest.on_object),
        object: nearest.map(|nearest| nearest.object.clone()),
        triangle: nearest.and_then(|nearest| nearest.triangle),
        passed: miss.passed.iter().map(passed).collect(),
        filtered,
        change: change.map(|change| format!("{}: {}", change.object, change.why)),
    }
}

/// A near miss as a message has it.
pub(super) fn near(one: NamedApproach) -> NearReply {
    NearReply {
        object: one.object,
        part: one.part,
        triangle: one.triangle,
        distance: one.distance,
        t: one.t,
        on_ray: one.on_ray,
        on_object: one.on_object,
    }
}
