//! Explanations: candidates, the traversal of a ray, the section through terrain.

use super::answer::{AnsweredAsk, Ask};
use super::axes::axes;
use super::budget::Budget;
use super::miss::{approach, near};
use super::query::{Found, Query, What};
use super::section::{Ends, section};
use super::settings::ToolTable;
use crate::limits;
use crate::protocol::{ExplanationReply, FieldError, Refusal, VisitReply};
use hitscan::explain::{Answer, Question};
use hitscan::{Ray, Sides, WorkLimit};
use hitscan_ask::{
    NamedApproach, NamedCandidate, NamedTrace, NamedVisit, candidate_json, candidates_of,
};
use hitscan_table::Questions;
use std::sync::atomic::AtomicBool;

/// Explains an `ask` to the message `id`.
pub(super) fn explain(
    id: u32,
    ask: &Ask,
    cancel: &AtomicBool,
) -> Result<ExplanationReply, FieldError> {
    let asked = ask.answered(&Budget::of_ask(cancel))?;
    let budget = Budget::of_explanation(cancel);
    let mut reply = ExplanationReply {
        id,
        ask: ask.id,
        sentence: asked.sentence(&ask.scene),
        ..ExplanationReply::default()
    };
    let AnsweredAsk { row, answered } = asked;
    let Some((query, found)) = answered else {
        return Ok(reply);
    };
    let mut met = Vec::new();
    // A march looks at heights alone: candidates are those of the exact search.
    if !matches!(query.what, What::March { .. }) {
        met = candidates(ask, &query, &row.questions, &budget)?;
        let total = met.len();
        reply.candidates_total = (total > limits::CANDIDATES).then_some(total);
        let shown = met.iter().take(limits::CANDIDATES);
        reply.candidates = shown.map(candidate_json).collect();
    }
    if let Some((ray, sides)) = query.ray() {
        let filter = query.seen.filter();
        let trace = NamedTrace::of_ray(&ask.scene, ray, sides, filter, limits::VISITS);
        let hit = ask.scene.now().cast_ray(ray, (sides, filter));
        let passed = match (&hit, &trace.miss) {
            (Some(hit), _) => NamedApproach::before_hit(&ask.scene, ray, (sides, filter), hit),
            (None, miss) => miss
                .as_ref()
                .map_or_else(Vec::new, |miss| miss.passed.clone()),
        };
        let ends = Ends {
            hit: hit.as_ref(),
            nearest: passed.first(),
        };
        let cut =
            |limit: &WorkLimit<'_>| section(&ask.scene, &query, ray, &ends, (&trace.visits, limit));
        reply.section = budget.found("ask", cut)?;
        reply.approach = trace.miss.map(|miss| approach(&miss, &met));
        reply.near = passed.into_iter().map(near).collect();
        reply.visits = trace.visits.into_iter().map(visit_reply).collect();
        reply.visit_count = Some(trace.count);
    }
    if let (What::Question(Question::ShapeCast { cast, .. }), Found::Answer(Answer::Shape(hits))) =
        (&query.what, &found)
    {
        reply.axes = (hits.first()).and_then(|hit| axes(ask.scene.now(), cast, hit));
    }
    Ok(reply)
}

/// The candidates of an ask, within a budget; of heights none.
pub(super) fn candidates(
    ask: &Ask,
    query: &Query,
    questions: &Questions,
    budget: &Budget<'_>,
) -> Result<Vec<NamedCandidate>, FieldError> {
    if let What::Question(question) = &query.what {
        let search = |limit: &WorkLimit<'_>| {
            let filter = query.seen.filter().work_limit(limit);
            candidates_of(&ask.scene, question, filter)
        };
        let found = budget.search(search, Vec::len);
        budget.check("ask")?;
        return Ok(found.unwrap_or_default());
    }
    let table = ask.settings.table(&ask.scene);
    if let (What::ObjectCast { cast, .. }, ToolTable::ObjectSweep(table)) = (&query.what, &table) {
        let search =
            |limit: &WorkLimit<'_>| table.candidates(cast, query.seen.filter().work_limit(limit));
        let found = budget.search(search, Vec::len);
        budget.check("ask")?;
        return Ok(found.unwrap_or_default());
    }
    match table {
        ToolTable::Sight(table) => table
            .explain(questions)
            .map_err(|reason| Refusal::new("ask", ask.id.to_string(), reason)),
        _ => Ok(Vec::new()),
    }
}

impl Query {
    /// The ray, where the query is one.
    pub(super) fn ray(&self) -> Option<(&Ray, Sides)> {
        match &self.what {
            What::Question(Question::Ray { ray, settings, .. }) => Some((ray, settings.sides)),
            What::March { ray, sides, .. } => Some((ray, *sides)),
            _ => None,
        }
    }
}

fn visit_reply(visit: NamedVisit) -> VisitReply {
    VisitReply {
        what: visit.what,
        depth: visit.depth,
        object: visit.object,
        part: visit.part,
        triangle: visit.triangle,
        points: match visit.triangle_corners {
            Some(corners) => corners.to_vec(),
            None => visit.corners.to_vec(),
        },
        t: visit.t,
        best: visit.best,
        verdict: visit.verdict,
        why: visit.why,
    }
}
