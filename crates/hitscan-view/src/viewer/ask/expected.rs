//! Explanations of an object that was expected: what kept it from being the answer, and whether it was a
//! moment before.

use super::answer::Ask;
use super::budget::Budget;
use super::explanation::candidates;
use super::miss::near;
use super::query::{Found, Query, What};
use super::settings::ToolSettings;
use crate::protocol::{
    EarlierReply, ExpectedReply, ExplanationReply, FieldError, PlaceReply, ReasonReply, Refusal,
    Tool, TurnReply,
};
use crate::viewer::page_world::Earlier;
use glam::Vec3;
use hitscan::explain::Answer;
use hitscan::{ObjectId, Snapshot, WorkLimit};
use hitscan_ask::{NamedCandidate, NamedExpectation, NamedPlace, NamedReason, NamedTurn, RayHits};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The question why an ask's answer is not an object.
#[derive(Debug)]
pub(in crate::viewer) struct Expected {
    ask: Arc<Ask>,
    object: ObjectId,
    name: String,
    earlier: Arc<[Earlier]>,
}

impl Expected {
    /// Refuses what is no object's name, and heights, which have no candidates.
    pub(in crate::viewer) fn new(
        ask: Arc<Ask>,
        name: &str,
        earlier: Arc<[Earlier]>,
    ) -> Result<Self, FieldError> {
        let refused = |expected| Err(Refusal::new("expect", name, expected));
        if ask.tool == Tool::Height {
            return refused("nothing: a height has no object to expect");
        }
        let Some(object) = ask.scene.object_named(name) else {
            return refused("the name of an object");
        };
        Ok(Self {
            ask,
            object,
            name: name.to_owned(),
            earlier,
        })
    }

    /// Answers it to the message `id`.
    pub(super) fn explain(
        &self,
        id: u32,
        cancel: &AtomicBool,
    ) -> Result<ExplanationReply, FieldError> {
        let asked = self.ask.answered(&Budget::of_ask(cancel))?;
        let budget = Budget::of_explanation(cancel);
        let expected = match &asked.answered {
            None => None,
            Some((query, found)) => Some(match query.ray() {
                Some(_) => self.of_ray(query, &budget),
                None => {
                    let questions = &asked.row.questions;
                    let candidates = candidates(&self.ask, query, questions, &budget)?;
                    self.of_candidates((query, found), candidates, &budget)
                }
            }),
        };
        budget.check("ask")?;
        Ok(ExplanationReply {
            id,
            ask: self.ask.id,
            expected,
            sentence: asked.sentence(&self.ask.scene),
            ..ExplanationReply::default()
        })
    }

    fn of_ray(&self, query: &Query, budget: &Budget<'_>) -> ExpectedReply {
        let (scene, filter) = (&self.ask.scene, query.seen.filter());
        let found = query.ray().and_then(|(ray, sides)| {
            NamedExpectation::of_ray(scene, ray, self.object, (sides, filter))
        });
        let Some(mut found) = found else {
            return ExpectedReply::default();
        };
        if self.asks_all() {
            // Of all hits none hides another.
            found.reasons.retain(|one| one.reason != "hidden");
            found.is_hit = found.reasons.is_empty();
        }
        ExpectedReply {
            is_hit: found.is_hit,
            earlier: self.was_hit(query, found.is_hit, &found.reasons, budget),
            object: found.object,
            met: found.met.map(place),
            reasons: found.reasons.into_iter().map(reason).collect(),
        }
    }

    /// What the candidates of a shape, an arc or a point say of the object.
    fn of_candidates(
        &self,
        (query, found): (&Query, &Found),
        candidates: Vec<NamedCandidate>,
        budget: &Budget<'_>,
    ) -> ExpectedReply {
        let is_hit = point_of(query, found, self.object).is_some();
        let mut reasons: Vec<NamedReason> = Vec::new();
        let own = candidates.into_iter().filter(|one| one.object == self.name);
        // Of a verdict that many triangles have the first says enough.
        for one in own.filter(|one| one.verdict != "answer") {
            if reasons.iter().all(|known| known.reason != one.verdict) {
                reasons.push(of_candidate(one));
            }
        }
        ExpectedReply {
            object: self.name.clone(),
            is_hit,
            met: None,
            earlier: self.was_hit(query, is_hit, &reasons, budget),
            reasons: match is_hit {
                true => Vec::new(),
                false => reasons.into_iter().map(reason).collect(),
            },
        }
    }

    fn asks_all(&self) -> bool {
        let all = |hits| matches!(hits, RayHits::All(_));
        matches!(self.ask.settings, ToolSettings::Ray { hits, .. } if all(hits))
    }

    /// Whether the same question was answered by the object in one of the views before; nothing where it
    /// is the answer now, or the filter leaves it out at any time.
    fn was_hit(
        &self,
        query: &Query,
        is_hit: bool,
        reasons: &[NamedReason],
        budget: &Budget<'_>,
    ) -> Option<EarlierReply> {
        let is_left_out =
            |one: &NamedReason| ["layers", "ignored", "filtered"].contains(&one.reason);
        if is_hit || reasons.iter().any(is_left_out) {
            return None;
        }
        let tried_ms = self.earlier.last()?.ago_ms;
        let point = |world: &Snapshot| {
            let search = |limit: &WorkLimit<'_>| query.answer(world, Some(limit));
            let found = budget.search(search, Found::count)?;
            point_of(query, &found, self.object)
        };
        let was = (self.earlier.iter())
            .take_while(|_| !budget.is_over() && !budget.is_cancelled())
            .find_map(|earlier| Some((earlier.ago_ms, point(&earlier.snapshot)?)));
        Some(EarlierReply {
            tried_ms,
            ago_ms: was.map(|(ago_ms, _)| ago_ms),
            point: was.map(|(_, point)| point.to_array()),
        })
    }
}

/// Where an answer is on an object; `None` where it is on others.
fn point_of(query: &Query, found: &Found, object: ObjectId) -> Option<Vec3> {
    let answer = match (found, &query.what) {
        (Found::Answer(answer), _) => answer,
        (
            Found::Sight(blocker),
            What::Sight {
                ends: [eye, target],
            },
        ) => {
            let blocker = blocker.as_ref().filter(|one| one.object == object)?;
            let at = eye.as_dvec3().lerp(target.as_dvec3(), blocker.t.into());
            return Some(at.as_vec3());
        }
        (Found::Objects(_, hits), _) => {
            let hit = hits.iter().find(|hit| hit.object == Some(object));
            return hit.map(|hit| hit.point);
        }
        _ => return None,
    };
    let is_it = |of: Option<ObjectId>| of == Some(object);
    match answer {
        Answer::Ray(hits) => {
            let hit = hits.iter().find(|hit| is_it(hit.object));
            hit.map(|hit| hit.point)
        }
        Answer::Arc(hit) => hit.filter(|hit| is_it(hit.object)).map(|hit| hit.point),
        Answer::Shape(hits) => {
            let hit = hits.iter().find(|hit| is_it(hit.object));
            hit.map(|hit| hit.point)
        }
        Answer::Contacts(contacts) => {
            let contact = contacts.iter().find(|one| is_it(one.object));
            contact.map(|contact| contact.point)
        }
        Answer::Closest(nearest) => {
            let nearest = nearest.filter(|nearest| is_it(nearest.object));
            nearest.map(|nearest| nearest.point)
        }
        _ => None,
    }
}

fn of_candidate(candidate: NamedCandidate) -> NamedReason {
    NamedReason {
        reason: candidate.verdict,
        by: None,
        approach: None,
        turn: None,
        why: candidate.why,
    }
}

fn reason(one: NamedReason) -> ReasonReply {
    ReasonReply {
        reason: one.reason,
        by: one.by.map(place),
        approach: one.approach.map(near),
        turn: one.turn.map(turn),
        why: one.why,
    }
}

fn place(one: NamedPlace) -> PlaceReply {
    PlaceReply {
        object: one.object,
        part: one.part,
        triangle: one.triangle,
        t: one.t,
        distance: one.distance,
        point: one.point,
        side: one.side,
    }
}

fn turn(one: NamedTurn) -> TurnReply {
    TurnReply {
        angle: one.angle,
        part: one.part,
        triangle: one.triangle,
        t: one.t,
        point: one.point,
    }
}
