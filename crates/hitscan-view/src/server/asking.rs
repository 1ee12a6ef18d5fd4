//! The questions of one page on threads of their own, a few at once, the others in their order.

use crate::limits;
use crate::viewer::{Answered, AskJob};
use std::collections::VecDeque;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// The questions of a page that are not answered.
///
/// Where it is dropped, what is not begun is too; what is begun ends by itself, as soon as the viewer says
/// that nobody waits for it.
pub(super) struct Asking {
    /// When the clock of the answers began.
    opened: Instant,
    waiting: VecDeque<AskJob>,
    running: JoinSet<Answered>,
}

impl Asking {
    pub(super) fn new(opened: Instant) -> Self {
        Self {
            opened,
            waiting: VecDeque::new(),
            running: JoinSet::new(),
        }
    }

    /// Begins a question. One that is quick is answered at once: to hand it over takes longer.
    pub(super) fn begin(&mut self, job: AskJob) -> Option<Answered> {
        if job.is_quick() {
            return Some(answer(job, self.opened));
        }
        self.waiting.push_back(job);
        self.fill();
        None
    }

    /// Whether one is being answered.
    pub(super) fn is_busy(&self) -> bool {
        !self.running.is_empty()
    }

    /// The next answer; `None` where the question failed, or there is none.
    pub(super) async fn next(&mut self) -> Option<Answered> {
        let answered = self.running.join_next().await?;
        self.fill();
        answered.ok()
    }

    /// Begins those that wait, as far as there is room.
    fn fill(&mut self) {
        while self.running.len() < limits::ASKS_AT_ONCE
            && let Some(job) = self.waiting.pop_front()
        {
            let opened = self.opened;
            self.running.spawn_blocking(move || answer(job, opened));
        }
    }
}

fn answer(job: AskJob, opened: Instant) -> Answered {
    job.answer(&|| u64::try_from(opened.elapsed().as_nanos()).unwrap_or(u64::MAX))
}
