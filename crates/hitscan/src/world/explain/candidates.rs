//! The candidates of all objects: collected, ordered, and judged beside the answer.

use super::explanation::{Candidate, Verdict};
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::Object;
use crate::{Aabb, ObjectId, TriangleId};

/// Something that a question met.
pub(super) struct Met {
    pub(super) triangle: Option<TriangleId>,
    pub(super) t: f32,
    /// Why it does not count; `None` where it does, and the answer decides.
    pub(super) refusal: Option<(Verdict, String)>,
}

/// What a question is called in sentences, and how it meets objects.
pub(super) trait Asked {
    /// `the ray`, say.
    const NAME: &'static str;

    /// Appends what the question meets of an object without its limits.
    fn meet(&self, object: &Object, met: &mut Vec<Met>);

    /// Whether the question meets an object's box without its limits.
    fn meets_box(&self, bounds: &Aabb) -> bool;
}

/// One of the answers: what it is of, and its t.
pub(super) struct Answered {
    pub(super) object: Option<ObjectId>,
    pub(super) triangle: Option<TriangleId>,
    pub(super) t: f32,
}

/// The candidates of `asked`, to which the plain query gave the answers.
pub(super) fn candidates(
    snapshot: &Snapshot,
    asked: &impl Asked,
    answers: &[Answered],
    filter: &QueryFilter<'_>,
) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut unmet = Vec::new();
    let mut met = Vec::new();
    for object in snapshot.state().objects() {
        if let Some(reason) = filter.filtered_by(object.id, object.layers) {
            let why = reason.name().to_owned();
            unmet.push(without_t(object.id, Verdict::Filtered(reason), why));
            continue;
        }
        asked.meet(object, &mut met);
        if met.is_empty() {
            unmet.push(judge_unmet(asked, object));
        }
        found.extend(met.drain(..).map(|met| judge(object.id, met, answers)));
    }
    found.sort_by(|a, b| {
        let order = |one: &Candidate| (one.object, one.triangle);
        let t = |one: &Candidate| one.t.unwrap_or(f32::INFINITY);
        t(a).total_cmp(&t(b)).then_with(|| order(a).cmp(&order(b)))
    });
    found.append(&mut unmet);
    found
}

fn judge_unmet<A: Asked>(asked: &A, object: &Object) -> Candidate {
    let (verdict, why) = match object.bounds() {
        None => (Verdict::BoxMissed, "nothing of the object is there".to_owned()),
        Some(bounds) if asked.meets_box(&bounds) => {
            let why = format!("{} meets the object's box, and nothing in it", A::NAME);
            (Verdict::Missed, why)
        }
        Some(_) => {
            let why = format!("{} does not meet the object's box", A::NAME);
            (Verdict::BoxMissed, why)
        }
    };
    without_t(object.id, verdict, why)
}

fn judge(object: ObjectId, met: Met, answers: &[Answered]) -> Candidate {
    let Met {
        triangle,
        t,
        refusal,
    } = met;
    let (verdict, why) = refusal.unwrap_or_else(|| judge_beside(answers, object, triangle, t));
    Candidate {
        object,
        triangle,
        t: Some(t),
        verdict,
        why,
    }
}

/// The verdict on something that counts.
fn judge_beside(
    answers: &[Answered],
    object: ObjectId,
    triangle: Option<TriangleId>,
    t: f32,
) -> (Verdict, String) {
    let is_it = |answer: &Answered| answer.object == Some(object) && answer.triangle == triangle;
    if answers.iter().any(is_it) {
        return (Verdict::Answer, String::new());
    }
    if let Some(tied) = answers.iter().find(|answer| answer.t == t) {
        let order = match tied.object == Some(object) {
            true => "a triangle of the same object that goes first",
            false => "an object that goes first",
        };
        return (Verdict::Tie, format!("the answer at this t is of {order}"));
    }
    let before = answers.iter().rfind(|answer| answer.t < t);
    let why = before.map_or_else(String::new, |answer| {
        format!("the answer is at t = {}", answer.t)
    });
    (Verdict::Farther, why)
}

fn without_t(object: ObjectId, verdict: Verdict, why: String) -> Candidate {
    Candidate {
        object,
        triangle: None,
        t: None,
        verdict,
        why,
    }
}
