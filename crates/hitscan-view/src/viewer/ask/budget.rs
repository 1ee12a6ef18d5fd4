//! The budget of a question, and whether it is still wanted.

use crate::limits;
use crate::protocol::{FieldError, Refusal};
use hitscan::WorkLimit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a question, or the rows of a table together, may cost.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    cancel: &'a AtomicBool,
    /// Steps of one search, and the name of that limit.
    steps: (u64, &'static str),
    /// Steps of all.
    left: AtomicU64,
    /// Answers of one search.
    answers: usize,
    over: OnceLock<Over>,
}

/// What there was too much of.
#[derive(Debug, Clone, Copy)]
enum Over {
    Steps(&'static str),
    Answers(usize),
}

impl<'a> Budget<'a> {
    /// For one question, of whose answers the first are shown.
    pub(super) fn of_ask(cancel: &'a AtomicBool) -> Self {
        Self::new(cancel, (limits::STEPS, "STEPS"))
    }

    /// For an explanation: searches that look at all of a world, one triangle after another.
    pub(super) fn of_explanation(cancel: &'a AtomicBool) -> Self {
        Self::new(cancel, (limits::EXPLAIN_STEPS, "EXPLAIN_STEPS"))
    }

    /// For a viewshed: samples that are tested, once by the terrain and once by other objects.
    pub(super) fn of_viewshed(cancel: &'a AtomicBool) -> Self {
        Self::new(cancel, (limits::VIEWSHED_STEPS, "VIEWSHED_STEPS"))
    }

    /// For the pairs of objects that overlap.
    pub(super) fn of_pairs(cancel: &'a AtomicBool) -> Self {
        Self::new(cancel, (limits::PAIRS_STEPS, "PAIRS_STEPS"))
    }

    /// For a table, whose rows are one search each.
    pub(super) fn of_table(cancel: &'a AtomicBool) -> Self {
        Self {
            left: AtomicU64::new(limits::TABLE_STEPS),
            answers: limits::TABLE_ANSWERS,
            ..Self::of_ask(cancel)
        }
    }

    fn new(cancel: &'a AtomicBool, steps: (u64, &'static str)) -> Self {
        Self {
            cancel,
            steps,
            left: AtomicU64::new(steps.0),
            answers: usize::MAX,
            over: OnceLock::new(),
        }
    }

    /// Whether nobody wants the answer any more.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// What `search` finds within the limit that it is given; `None` where that does not do.
    pub(super) fn search<T>(
        &self,
        search: impl FnOnce(&WorkLimit<'_>) -> T,
        answers: impl FnOnce(&T) -> usize,
    ) -> Option<T> {
        self.attempt(search, answers).ok()
    }

    /// What the one search of a question finds; else `what` is refused.
    pub(super) fn found<T>(
        &self,
        what: &str,
        search: impl FnOnce(&WorkLimit<'_>) -> T,
    ) -> Result<T, FieldError> {
        let found = self.attempt(search, |_| 1);
        found.map_err(|over| self.refusal(over, what))
    }

    fn attempt<T>(
        &self,
        search: impl FnOnce(&WorkLimit<'_>) -> T,
        answers: impl FnOnce(&T) -> usize,
    ) -> Result<T, Over> {
        let (most, name) = self.steps;
        let left = self.left.load(Ordering::Relaxed);
        let steps = most.min(left);
        let limit = WorkLimit::new(steps, self.cancel);
        let found = search(&limit);
        let taken = steps - limit.steps_left();
        self.left.fetch_sub(taken, Ordering::Relaxed);
        let count = answers(&found);
        let over = match limit.is_reached() {
            true if left < most => Over::Steps("TABLE_STEPS"),
            true => Over::Steps(name),
            false if count > self.answers => Over::Answers(count),
            false => return Ok(found),
        };
        Err(*self.over.get_or_init(|| over))
    }

    /// Whether a search did not do.
    pub(super) fn is_over(&self) -> bool {
        self.over.get().is_some()
    }

    /// Refuses `what`, where a search did not do.
    pub(super) fn check(&self, what: &str) -> Result<(), FieldError> {
        match self.over.get() {
            None => Ok(()),
            Some(over) => Err(self.refusal(*over, what)),
        }
    }

    fn refusal(&self, over: Over, what: &str) -> FieldError {
        match over {
            Over::Steps("VIEWSHED_STEPS") => {
                let found = "too many samples to look at";
                Refusal::new(what, found, "a smaller max_distance").by("VIEWSHED_STEPS")
            }
            Over::Steps(limit) => {
                let found = "too many objects, triangles or samples to look at one by one";
                let expected =
                    "less of the world: a smaller shape, margin, motion or radius, or longer steps";
                Refusal::new(what, found, expected).by(limit)
            }
            Over::Answers(count) => {
                let expected = format!("at most {} of one row", self.answers);
                Refusal::new(what, format!("{count} answers"), expected).by("TABLE_ANSWERS")
            }
        }
    }
}
