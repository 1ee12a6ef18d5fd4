//! Why an answer is the answer: candidates, the walk of a ray, the cut through terrain.

use super::answer::Ask;
use super::miss::approach;
use super::query::{Query, What};
use super::section::section;
use super::sentence::sentence;
use crate::limits;
use crate::protocol::{ExplanationReply, FieldError, Refusal, VisitReply};
use hitscan::world::{Question, Visit, Visited};
use hitscan_ask::candidate_json;
use hitscan_assets::Scene;

/// Explains an `ask` to the message `id`.
pub(super) fn explain(id: u32, ask: &Ask) -> Result<ExplanationReply, FieldError> {
    let row = ask.row()?;
    let mut reply = ExplanationReply {
        id,
        ask: ask.id,
        sentence: sentence(&row.answers, row.invalid.as_deref()),
        ..ExplanationReply::default()
    };
    let Some(query) = ask.query(&row) else {
        return Ok(reply);
    };
    let mut candidates = Vec::new();
    // A march looks at heights alone: candidates are those of the exact search.
    let is_exact = !matches!(query.what, What::March { .. });
    if let Some(explainer) = ask.settings.explainer(&ask.scene).filter(|_| is_exact) {
        let explained = explainer.explain(&row.questions);
        candidates = explained.map_err(|reason| Refusal::new("ask", ask.id.to_string(), reason))?;
        let total = candidates.len();
        reply.candidates_total = (total > limits::CANDIDATES).then_some(total);
        let shown = candidates.iter().take(limits::CANDIDATES);
        reply.candidates = shown.map(candidate_json).collect();
    }
    if let Some((ray, settings)) = query.ray() {
        let world = ask.scene.now();
        let (_, walk) = world.trace_ray(ray, settings, query.seen.filter(), limits::VISITS);
        reply.visits = walk
            .visits
            .iter()
            .map(|visit| visit_reply(&ask.scene, visit))
            .collect();
        reply.visit_count = Some(walk.count);
        reply.approach = approach(&ask.scene, &query, ray, settings, &candidates);
        reply.section = section(&ask.scene, &query, ray, &walk.visits);
    }
    Ok(reply)
}

impl Query {
    /// The ray, where one is asked for.
    fn ray(&self) -> Option<(&hitscan::Ray, hitscan::RayCastSettings)> {
        match &self.what {
            What::Question(Question::Ray { ray, settings, .. }) => Some((ray, *settings)),
            What::March { ray, sides, .. } => Some((ray, (*sides).into())),
            _ => None,
        }
    }
}

fn visit_reply(scene: &Scene, visit: &Visit) -> VisitReply {
    let object = visit.object.and_then(|object| scene.object_name(object));
    let part = visit.object.zip(visit.part);
    let part = part.and_then(|(object, part)| scene.part_name(object, part));
    let (triangle, points) = match visit.what {
        Visited::Triangle { triangle, corners } => (Some(triangle), corners.to_vec()),
        _ => (None, visit.corners.to_vec()),
    };
    VisitReply {
        what: visit.what.name(),
        depth: visit.depth,
        object: object.map(str::to_owned),
        part: part.map(str::to_owned),
        triangle,
        points,
        t: visit.t,
        best: visit.best,
        verdict: visit.verdict.name(),
        why: visit.sentence(),
    }
}
