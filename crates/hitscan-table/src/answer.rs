//! The answering interface: the one thing that a command brings to a run.

use crate::{AnswerBuilder, AnswerColumn, Frame, QuestionColumn, Questions};

/// Answers batches of questions: one implementation for each command.
///
/// Batches are answered on several threads at once and in any order; what is written keeps the
/// input's order.
///
/// ```
/// use hitscan_table::{Answer, AnswerBuilder, AnswerColumn, ColumnKind, QuestionColumn, Questions};
///
/// /// Half of x, where x is not negative.
/// struct Half;
///
/// impl Answer for Half {
///     fn questions(&self) -> &[QuestionColumn] {
///         const { &[QuestionColumn::required("x")] }
///     }
///     fn answers(&self) -> &[AnswerColumn] {
///         const {
///             &[
///                 AnswerColumn::new("status", ColumnKind::Status),
///                 AnswerColumn::new("half", ColumnKind::F32),
///             ]
///         }
///     }
///     fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
///         for (i, &x) in questions.column(0).iter().enumerate() {
///             if x < 0.0 {
///                 out.invalid(i, "x is negative");
///             } else {
///                 out.row(i).text("ok").f32(x / 2.0);
///             }
///         }
///     }
/// }
/// ```
pub trait Answer: Sync {
    /// The columns that are read, in the order in which [`Questions`] has them.
    fn questions(&self) -> &[QuestionColumn];

    /// The columns that are written, in order.
    fn answers(&self) -> &[AnswerColumn];

    /// The coordinates of the tables' positions; without one they are the world's.
    fn frame(&self) -> Option<&Frame> {
        None
    }

    /// Refuses a table that has not the right columns together, in words for a person; `has` tells for
    /// each column of [`Answer::questions`] whether the table has it.
    ///
    /// # Errors
    /// What is wrong with the columns.
    fn check_columns(&self, has: &[bool]) -> Result<(), String> {
        let _ = has;
        Ok(())
    }

    /// Answers each question of the batch with one row or more, in the order of the questions.
    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder);
}
