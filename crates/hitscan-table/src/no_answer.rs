//! The columns of a table that is read for its questions alone.

use crate::{Answer, AnswerBuilder, AnswerColumn, Frame, QuestionColumn, Questions};

/// Questions without answers.
#[derive(Debug, Clone, Copy)]
pub struct NoAnswer<'a> {
    /// The columns that are read.
    pub columns: &'a [QuestionColumn],
    /// The coordinates of the table's positions; without one they are the world's.
    pub frame: Option<&'a Frame>,
}

impl Answer for NoAnswer<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        self.columns
    }

    fn answers(&self) -> &[AnswerColumn] {
        &[]
    }

    fn frame(&self) -> Option<&Frame> {
        self.frame
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        for question in 0..questions.len() {
            out.row(question);
        }
    }
}
