//! A question of a page as work: it owns all it needs, and answers with a message's text.

use super::answer::Ask;
use super::expected::Expected;
use super::explanation::explain;
use super::overlay::OverlayQuestion;
use super::pairs::PairsQuestion;
use super::sight::SightQuestion;
use super::table::TableQuestion;
use super::timing::Timing;
use super::viewshed::ViewshedQuestion;
use super::wireframe::WireframeQuestion;
use crate::protocol::{FieldError, Reply};
use crate::viewer::page_id::PageId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A question, to be answered on any thread.
#[derive(Debug)]
pub struct AskJob {
    page: PageId,
    id: u32,
    /// Set where nobody waits for the answer any more: the work ends soon, and what came of it is nothing.
    cancel: Arc<AtomicBool>,
    work: AskWork,
}

/// The question.
#[derive(Debug)]
pub(in crate::viewer) enum AskWork {
    Ask(Arc<Ask>),
    Time(Box<Timing>),
    Explain(Arc<Ask>),
    Expect(Expected),
    Pairs(PairsQuestion),
    Viewshed(Box<ViewshedQuestion>),
    Visible(SightQuestion),
    Overlay(OverlayQuestion),
    Wireframe(WireframeQuestion),
    Table(Box<TableQuestion>),
}

/// What came of a question.
#[derive(Debug)]
pub struct Answered {
    pub(in crate::viewer) page: PageId,
    /// The flag of the job.
    pub(in crate::viewer) cancel: Arc<AtomicBool>,
    pub(in crate::viewer) text: String,
    pub(in crate::viewer) follows: Follows,
}

/// What follows once a text is sent.
#[derive(Debug)]
pub(in crate::viewer) enum Follows {
    /// The question is answered, and there is perhaps something to time.
    Answered(Option<AskJob>),
    /// Nothing: it was answered before.
    Timed,
}

impl AskJob {
    pub(in crate::viewer) fn new(
        page: PageId,
        id: u32,
        cancel: Arc<AtomicBool>,
        work: AskWork,
    ) -> Self {
        Self {
            page,
            id,
            cancel,
            work,
        }
    }

    /// Whose question it is.
    #[must_use]
    pub fn page(&self) -> PageId {
        self.page
    }

    /// Whether it is one question of the kind that takes microseconds on any world.
    #[must_use]
    pub fn is_quick(&self) -> bool {
        matches!(&self.work, AskWork::Ask(ask) if ask.settings.are_quick())
    }

    /// Answers it. `clock` returns nanoseconds since any one moment; the text holds no time but the
    /// median of differences of these.
    #[must_use]
    pub fn answer(self, clock: &dyn Fn() -> u64) -> Answered {
        let refused = |refusal: FieldError| (Reply::Refused(refusal.of(self.id)), None);
        let (text, timing) = match self.cancel.load(Ordering::Relaxed) {
            // The page was already notified that it is cancelled.
            true => (String::new(), None),
            false => {
                let (reply, timing) = self.reply(clock).unwrap_or_else(refused);
                (reply.to_json(), timing)
            }
        };
        let follows = match self.work {
            AskWork::Time(_) => Follows::Timed,
            _ => Follows::Answered(timing.map(|timing| {
                let work = AskWork::Time(Box::new(timing));
                Self::new(self.page, self.id, Arc::clone(&self.cancel), work)
            })),
        };
        Answered {
            page: self.page,
            cancel: self.cancel,
            text,
            follows,
        }
    }

    fn reply(&self, clock: &dyn Fn() -> u64) -> Result<(Reply, Option<Timing>), FieldError> {
        let cancel = &*self.cancel;
        let reply = match &self.work {
            AskWork::Ask(ask) => {
                let (answer, timing) = ask.answer(cancel)?;
                return Ok((Reply::Answer(Box::new(answer)), timing));
            }
            AskWork::Time(timing) => Reply::Timed {
                id: self.id,
                median_ns: timing.median_ns(clock, cancel),
            },
            AskWork::Explain(ask) => Reply::Explanation(Box::new(explain(self.id, ask, cancel)?)),
            AskWork::Expect(expected) => {
                Reply::Explanation(Box::new(expected.explain(self.id, cancel)?))
            }
            AskWork::Pairs(question) => Reply::Answer(Box::new(question.answer(self.id, cancel)?)),
            AskWork::Viewshed(question) => {
                Reply::Answer(Box::new(question.answer(self.id, cancel)?))
            }
            AskWork::Visible(question) => Reply::Visible {
                id: self.id,
                visible: question.answer(),
            },
            AskWork::Wireframe(question) => question.answer(self.id),
            AskWork::Table(question) => Reply::Table(Box::new(question.answer(cancel)?)),
            AskWork::Overlay(question) => {
                let (boxes, count) = question.answer();
                Reply::Overlay {
                    id: self.id,
                    boxes,
                    count,
                }
            }
        };
        Ok((reply, None))
    }
}
