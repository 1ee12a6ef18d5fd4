//! A batch of questions: for each row of the input that can be asked, its numbers.
//!
//! Rows that hold no usable numbers are left out here, and [`AnswerBuilder`](crate::AnswerBuilder)
//! puts them back as `invalid`. Where the numbers come from is not known here: see `csv/` and
//! `columnar/`.

use crate::number::Reading;
use crate::{Infinity, QuestionColumn};

/// The numbers of a batch of questions, one column after the other.
///
/// Every question here has all its numbers: finite, or infinite where the column accepts that. See
/// [`Answer`](crate::Answer) for an example.
#[derive(Debug, Clone)]
pub struct Questions {
    columns: Vec<Vec<f32>>,
    rows: BatchRows,
}

impl Questions {
    /// How many questions the batch has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.readable.len()
    }

    /// Whether no row of the batch can be asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.readable.is_empty()
    }

    /// The numbers of a column, in the order of [`Answer::questions`](crate::Answer::questions).
    ///
    /// # Panics
    /// When the question has no such column.
    #[must_use]
    pub fn column(&self, column: usize) -> &[f32] {
        &self.columns[column]
    }

    /// The number of the input row that asks a question, counted from 0.
    ///
    /// # Panics
    /// When the batch has no such question.
    #[must_use]
    pub fn row_number(&self, question: usize) -> u64 {
        self.rows.first_row + u64::from(self.rows.readable[question])
    }

    /// Which rows of the batch the questions stand in.
    pub(crate) fn rows(&self) -> &BatchRows {
        &self.rows
    }
}

/// A batch's rows, and which of them can be asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct BatchRows {
    /// The number of the batch's first row in the input.
    pub(crate) first_row: u64,
    /// How many rows the batch has.
    pub(crate) count: u32,
    /// The rows that can be asked, counted from the batch's first, ascending.
    pub(crate) readable: Vec<u32>,
    /// The first row that cannot, and why.
    pub(crate) first_unreadable: Option<(u32, String)>,
}

/// Collects a batch of questions row by row.
pub(crate) struct QuestionCollector<'a> {
    questions: &'a [QuestionColumn],
    columns: Vec<Vec<f32>>,
    rows: BatchRows,
}

impl<'a> QuestionCollector<'a> {
    /// An empty batch whose first row is the input's row `first_row`.
    pub(crate) fn new(questions: &'a [QuestionColumn], first_row: u64, rows: usize) -> Self {
        Self {
            questions,
            columns: vec![Vec::with_capacity(rows); questions.len()],
            rows: BatchRows {
                first_row,
                readable: Vec::with_capacity(rows),
                ..BatchRows::default()
            },
        }
    }

    /// Adds the next row. `read` yields the field of a column of the question, `show` its text for
    /// a message.
    pub(crate) fn row(&mut self, read: impl Fn(usize) -> Reading, show: impl Fn(usize) -> String) {
        let row = self.rows.count;
        self.rows.count += 1;
        for (i, question) in self.questions.iter().enumerate() {
            match number(question, read(i)) {
                Ok(number) => self.columns[i].push(number),
                Err(fault) => {
                    for column in &mut self.columns[..i] {
                        column.pop();
                    }
                    self.rows
                        .first_unreadable
                        .get_or_insert_with(|| (row, fault.reason(question.name, &show(i))));
                    return;
                }
            }
        }
        self.rows.readable.push(row);
    }

    /// The whole batch.
    pub(crate) fn finish(self) -> Questions {
        Questions {
            columns: self.columns,
            rows: self.rows,
        }
    }
}

/// Why a field is not the number that its column needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Empty,
    NotANumber,
    Overflow,
    Infinite,
}

impl Fault {
    fn reason(self, column: &str, found: &str) -> String {
        match self {
            Self::Empty => format!("the column `{column}` is empty"),
            Self::NotANumber => format!("the column `{column}` holds no number but `{found}`"),
            Self::Overflow => format!("`{found}` in the column `{column}` is too large for f32"),
            Self::Infinite => format!("the column `{column}` is infinite"),
        }
    }
}

/// The number that a field stands for in its column.
fn number(question: &QuestionColumn, reading: Reading) -> Result<f32, Fault> {
    match reading {
        Reading::Number(number) if number.is_finite() => Ok(number),
        Reading::Number(number) if question.infinity == Infinity::Accepted => Ok(number),
        Reading::Number(_) => Err(Fault::Infinite),
        Reading::Empty => question.default.ok_or(Fault::Empty),
        Reading::NotANumber => Err(Fault::NotANumber),
        Reading::Overflow => Err(Fault::Overflow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_rows_are_left_out_of_every_column() {
        let questions = [
            QuestionColumn::required("x"),
            QuestionColumn::optional("t_max", 9.0).accepting_infinity(),
        ];
        let one = Reading::Number(1.0);
        let infinite = Reading::Number(f32::INFINITY);
        let rows = [
            [one, Reading::Empty],
            [one, Reading::Overflow],
            [infinite, one],
            [Reading::Empty, one],
            [one, infinite],
        ];
        let mut collector = QuestionCollector::new(&questions, 100, 5);
        for row in rows {
            collector.row(|i| row[i], |_| "1e39".to_owned());
        }
        let batch = collector.finish();
        assert_eq!(batch.len(), 2);
        assert_eq!(batch.column(0), [1.0, 1.0]);
        assert_eq!(batch.column(1), [9.0, f32::INFINITY]);
        assert_eq!([batch.row_number(0), batch.row_number(1)], [100, 104]);
        let reason = "`1e39` in the column `t_max` is too large for f32".to_owned();
        assert_eq!(batch.rows().first_unreadable, Some((1, reason)));
        assert_eq!(batch.rows().count, 5);
    }
}
