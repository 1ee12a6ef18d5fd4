//! Explanations of sight: what is between one eye and one target, and what is not.

use super::candidates::candidates;
use super::{EYES, SightTable, TARGETS, status};
use crate::explain::NamedCandidate;
use crate::filter::Ignored;
use hitscan::explain::Verdict;
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
        let mut ignored = Ignored::default();
        let place = |row: &AnsweredRow, ignore: usize, ignored: &mut Ignored| {
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
                let candidates = candidates(self.scene, [from, to], &ignored, mask);
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
}
