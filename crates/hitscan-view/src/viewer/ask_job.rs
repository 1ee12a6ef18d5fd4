//! A question of a page as work: it owns all it needs, and answers with a message's text.

use super::event::PageId;
use super::tool_settings::ToolSettings;
use crate::protocol::{Refusal, Reply, Tool};
use hitscan_assets::Scene;
use hitscan_table::{AnsweredRow, answer_fields};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// A question, to be answered on any thread.
#[derive(Debug)]
pub struct AskJob {
    pub(super) page: PageId,
    pub(super) id: u32,
    pub(super) work: AskWork,
}

/// What is asked.
#[derive(Debug)]
pub(super) enum AskWork {
    Ask(Arc<Ask>),
}

/// An `ask` that is kept, so that it can be explained.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) id: u32,
    pub(super) tool: Tool,
    pub(super) settings: ToolSettings,
    /// The columns and the texts of their fields.
    pub(super) question: Vec<(String, String)>,
    /// The scene as the question sees it.
    pub(super) scene: Scene,
}

/// What came of a question.
#[derive(Debug)]
pub struct Answered {
    pub(super) page: PageId,
    pub(super) id: u32,
    pub(super) text: String,
}

impl AskJob {
    /// Whose question it is.
    #[must_use]
    pub fn page(&self) -> PageId {
        self.page
    }

    /// Answers it. `clock` returns nanoseconds since any one moment; the text holds no time but the
    /// median of differences of these.
    #[must_use]
    pub fn answer(self, clock: &dyn Fn() -> u64) -> Answered {
        let _ = clock;
        let text = match &self.work {
            AskWork::Ask(ask) => match ask.answer() {
                Ok(answer) => answer.to_string(),
                Err(refusal) => Reply::Refused(refusal).to_json(),
            },
        };
        Answered {
            page: self.page,
            id: self.id,
            text,
        }
    }
}

impl Ask {
    fn answer(&self) -> Result<Json, Refusal> {
        let table = self.settings.table(&self.scene);
        let row = answer_fields("question", &self.question, table.as_ref());
        let row = row.map_err(|error| {
            Refusal::new("question", "these columns", error.to_string()).of(self.id)
        })?;
        Ok(self.reply(&row).into())
    }

    fn reply(&self, row: &AnsweredRow) -> Map<String, Json> {
        let mut reply = Map::new();
        reply.insert("type".to_owned(), "answer".into());
        reply.insert("id".to_owned(), self.id.into());
        reply.insert("tool".to_owned(), self.tool.name().into());
        reply.insert(
            "question".to_owned(),
            hitscan_ask::row_json(&row.question).into(),
        );
        let answers = row.answers.iter();
        let answers: Vec<Json> = answers
            .map(|answer| hitscan_ask::row_json(answer).into())
            .collect();
        reply.insert("answers".to_owned(), answers.into());
        if let Some(reason) = &row.invalid {
            reply.insert("invalid".to_owned(), reason.as_str().into());
        }
        reply
    }
}
