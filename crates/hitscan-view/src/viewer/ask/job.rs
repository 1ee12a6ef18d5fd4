//! A question of a page as work: it owns all it needs, and answers with a message's text.

use super::answer::Ask;
use super::explanation::explain;
use super::overlay::OverlayQuestion;
use super::pairs::PairsQuestion;
use super::sight::SightQuestion;
use super::table::TableQuestion;
use crate::protocol::{FieldError, Reply};
use crate::viewer::page_id::PageId;
use std::sync::Arc;

/// A question, to be answered on any thread.
#[derive(Debug)]
pub struct AskJob {
    page: PageId,
    id: u32,
    work: AskWork,
}

/// What is asked.
#[derive(Debug)]
pub(in crate::viewer) enum AskWork {
    Ask(Arc<Ask>),
    Explain(Arc<Ask>),
    Pairs(PairsQuestion),
    Visible(SightQuestion),
    Overlay(OverlayQuestion),
    Table(Box<TableQuestion>),
}

/// What came of a question.
#[derive(Debug)]
pub struct Answered {
    pub(in crate::viewer) page: PageId,
    pub(in crate::viewer) text: String,
}

impl AskJob {
    pub(in crate::viewer) fn new(page: PageId, id: u32, work: AskWork) -> Self {
        Self { page, id, work }
    }

    /// Whose question it is.
    #[must_use]
    pub fn page(&self) -> PageId {
        self.page
    }

    /// Answers it. `clock` returns nanoseconds since any one moment; the text holds no time but the
    /// median of differences of these.
    #[must_use]
    pub fn answer(self, clock: &dyn Fn() -> u64) -> Answered {
        let reply = self.reply(clock);
        let reply = reply.unwrap_or_else(|refusal| Reply::Refused(refusal.of(self.id)));
        Answered {
            page: self.page,
            text: reply.to_json(),
        }
    }

    fn reply(&self, clock: &dyn Fn() -> u64) -> Result<Reply, FieldError> {
        Ok(match &self.work {
            AskWork::Ask(ask) => Reply::Answer(Box::new(ask.answer(clock)?)),
            AskWork::Explain(ask) => Reply::Explanation(Box::new(explain(self.id, ask)?)),
            AskWork::Pairs(question) => Reply::Answer(Box::new(question.answer(self.id)?)),
            AskWork::Visible(question) => Reply::Visible {
                id: self.id,
                visible: question.answer(),
            },
            AskWork::Table(question) => Reply::Table(Box::new(question.answer()?)),
            AskWork::Overlay(question) => {
                let (boxes, count) = question.answer();
                Reply::Overlay {
                    id: self.id,
                    boxes,
                    count,
                }
            }
        })
    }
}
