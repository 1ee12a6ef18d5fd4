//! Explanations of sight: what is between one eye and one target, and what is not.

use super::{EYES, SightTable, TARGETS, status};
use crate::explain::NamedCandidate;
use hitscan::explain::{Hits, Question, Verdict};
use hitscan::glam::Vec3;
use hitscan::{ObjectId, QueryFilter, Ray, Sides, TriangleId};
use hitscan_table::{AnsweredRow, Error, Input, NoAnswer, RunOptions, answer_row};

/// What is between one eye and one target.
#[derive(Debug, Clone)]
pub struct SightExplanation {
    /// The eye's row.
    pub eye: AnsweredRow,
    /// The target's row.
    pub target: AnsweredRow,
    /// `visible`, `blocked`, or `invalid`.
    pub status: &'static str,
    /// Why one of the rows is invalid.
    pub invalid: Option<String>,
    /// Each object that blocks, at its first point between the two, nearest first; then what does not.
    pub candidates: Vec<NamedCandidate>,
}

impl SightTable<'_> {
    /// Explains whether the eye of one row of `eyes` sees the target of one row of `targets`, with what
    /// [`Snapshot::first_blocker`](hitscan::Snapshot::first_blocker) finds of each object.
    ///
    /// # Errors
    /// Those of [`answer_row`] about the two tables.
    pub fn explain(
        &self,
        [eyes, targets]: [Input; 2],
        [eye, target]: [u64; 2],
        [of_eyes, of_targets]: [&RunOptions<'_>; 2],
    ) -> Result<SightExplanation, Error> {
        let frame = Some(&self.frame);
        let row = |input, row, columns, options| {
            answer_row(input, row, &NoAnswer { columns, frame }, options)
        };
        let target = row(targets, target, &TARGETS[..], of_targets)?;
        let eye = row(eyes, eye, &EYES[..], of_eyes)?;
        let mut ignored = Vec::new();
        let place = |row: &AnsweredRow, ignore: usize, ignored: &mut Vec<ObjectId>| {
            if let Some(reason) = &row.invalid {
                return Err(reason.clone());
            }
            let questions = &row.questions;
            self.read_point(questions, 0, questions.names(ignore), ignored)
        };
        let from = place(&eye, 4, &mut ignored);
        let to = place(&target, 3, &mut ignored);
        let (status, invalid, candidates) = match (from, to) {
            (Err(reason), _) | (_, Err(reason)) => ("invalid", Some(reason), Vec::new()),
            (Ok(from), Ok(to)) => {
                let mask = eye.questions.masks(3)[0];
                let candidates = self.candidates([from, to], &ignored, mask);
                let first = candidates.first();
                let is_blocked = first.is_some_and(|first| first.verdict == Verdict::Answer.name());
                (status(!is_blocked), None, candidates)
            }
        };
        Ok(SightExplanation {
            eye,
            target,
            status,
            invalid,
            candidates,
        })
    }

    fn candidates(
        &self,
        [from, to]: [Vec3; 2],
        ignored: &[ObjectId],
        mask: u32,
    ) -> Vec<NamedCandidate> {
        let world = self.scene.now();
        let (mut candidates, mut blockers) = (Vec::new(), ignored.to_vec());
        let mut first_t = None;
        loop {
            let others = QueryFilter::new().layers(mask).exclude(&blockers);
            let Some(blocker) = world.first_blocker(from, to, others) else {
                break;
            };
            let (verdict, why) = match first_t {
                None => (Verdict::Answer, "it is the first between the two"),
                Some(t) if t == blocker.t => {
                    (Verdict::Tie, "an earlier object blocks at the same t")
                }
                Some(_) => (Verdict::Farther, "it blocks too, behind the first"),
            };
            first_t = first_t.or(Some(blocker.t));
            let (object, triangle) = (blocker.object, blocker.triangle);
            candidates.push(self.named(object, triangle, Some(blocker.t), verdict, why));
            blockers.push(object);
        }
        let Ok(ray) = Ray::between(from, to) else {
            return candidates;
        };
        let question = Question::Ray {
            ray,
            settings: Sides::Both.into(),
            hits: Hits::All,
        };
        let is_blocker = |object: &ObjectId| blockers[ignored.len()..].contains(object);
        let filter = QueryFilter::new().layers(mask).exclude(ignored);
        let others = world.explain(&question, filter).candidates.into_iter();
        candidates.extend(others.filter(|one| !is_blocker(&one.object)).map(|one| {
            let (verdict, why) = match one.verdict {
                // By the rule of rays it is hit, and by that of sight it does not block.
                Verdict::Answer | Verdict::Farther | Verdict::Tie => (
                    Verdict::OutOfRange,
                    "only touched, or met at an end, or the triangle that an end is on",
                ),
                other => (other, one.why.as_str()),
            };
            self.named(one.object, one.triangle, one.t, verdict, why)
        }));
        candidates
    }

    fn named(
        &self,
        object: ObjectId,
        triangle: Option<TriangleId>,
        t: Option<f32>,
        verdict: Verdict,
        why: &str,
    ) -> NamedCandidate {
        let part = triangle.and_then(|on| self.scene.part_name(object, on.part));
        NamedCandidate {
            object: self
                .scene
                .object_name(object)
                .unwrap_or_default()
                .to_owned(),
            part: part.map(str::to_owned),
            triangle: triangle.map(|on| on.triangle),
            t,
            verdict: verdict.name(),
            why: why.to_owned(),
        }
    }
}
