//! A batch of answers: one row or more for each row of the input, in order.
//!
//! Rows that are no valid question are answered `invalid` here, and skipped rows not at all.

use std::collections::BTreeMap;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray as _;

use crate::output_column::OutputColumn;
use crate::questions::BatchRows;
use crate::row_writer::{ColumnBuilders, RowWriter};
use crate::rows_writer::RowsWriter;

/// Collects the answers to a batch of questions. See [`Answer`](crate::Answer) for an example.
#[derive(Debug)]
pub struct AnswerBuilder {
    builders: ColumnBuilders,
    rows: BatchRows,
    /// The batch's row that each answer's row belongs to.
    origins: Vec<u32>,
    /// The number of the question that is called 0: see [`AnswerBuilder::part`].
    first: usize,
    /// How many questions have an answer.
    answered: usize,
    /// How many rows of the batch are dealt with: those of the questions and those between them.
    filled: u32,
    /// How many rows of the batch were skipped.
    skipped: usize,
    /// How many of the unreadable rows are among the invalid ones.
    unreadable: usize,
    invalid: Vec<(u32, String)>,
    remarks: Vec<(u32, String)>,
}

impl AnswerBuilder {
    /// Room for the answers to the questions of `rows`.
    pub(crate) fn new(columns: &[OutputColumn], rows: BatchRows) -> Self {
        Self::with_some(columns, |_| true, rows)
    }

    /// As [`AnswerBuilder::new`]; only the columns at positions that are `wanted` take values.
    pub(crate) fn with_some(
        columns: &[OutputColumn],
        wanted: impl Fn(usize) -> bool,
        rows: BatchRows,
    ) -> Self {
        let capacity = rows.count as usize;
        Self {
            builders: ColumnBuilders::with_some(columns, wanted, capacity),
            origins: Vec::with_capacity(capacity),
            rows,
            first: 0,
            answered: 0,
            filled: 0,
            skipped: 0,
            unreadable: 0,
            invalid: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Has `answer` answer the questions of [`Questions::part`](crate::Questions::part) from `first` on by
    /// the numbers that they have there.
    pub fn part(&mut self, first: usize, answer: impl FnOnce(&mut Self)) {
        let before = self.first;
        self.first += first;
        answer(self);
        self.first = before;
    }

    /// Begins a row that answers `question`; columns that are not filled are empty.
    ///
    /// # Panics
    /// When questions are not answered in order: a question may have several rows, one after the
    /// other, but none may be skipped.
    pub fn row(&mut self, question: usize) -> RowWriter<'_> {
        let row = self.begin(question);
        self.builders.row(self.rows.first_row + u64::from(row))
    }

    /// Writes rows that answer questions, column by column: each answer has the number of its question. `fill` is
    /// called for up to 128 rows at once that have no row of the batch between them that is no valid question.
    ///
    /// # Panics
    /// As [`AnswerBuilder::row`].
    pub fn rows<'a, T>(
        &mut self,
        answers: &'a [(usize, T)],
        fill: impl Fn(&mut RowsWriter<'_, 'a, T>),
    ) {
        // What one column reads is in the nearest cache for the next.
        const TOGETHER: usize = 128;
        let mut rest = answers;
        while let Some((question, _)) = rest.first() {
            self.begin(*question);
            // Rows that are no valid questions may have come before this one.
            let begun = self.origins.len() - 1;
            let follows = |builder: &mut Self, (question, _): &(usize, T)| {
                let is_next = *question + 1 == builder.answered
                    || builder.rows.readable[*question] == builder.filled;
                if is_next {
                    builder.begin(*question);
                }
                is_next
            };
            let more = rest[1..].iter().take(TOGETHER - 1);
            let more = more.take_while(|answer| follows(self, answer));
            let (together, others) = rest.split_at(1 + more.count());
            let (first_row, rows) = (self.rows.first_row, &self.origins[begun..]);
            let columns = self.builders.columns();
            fill(&mut RowsWriter::new(columns, together, first_row, rows));
            rest = others;
        }
    }

    /// Whether anybody reads a column of the answer, by its position among those that are not of the kind
    /// [`ColumnKind::RowNumber`](crate::ColumnKind::RowNumber): what only it has need not be worked out.
    #[must_use]
    pub fn is_wanted(&self, column: usize) -> bool {
        self.builders.takes(column)
    }

    /// Answers that `question` cannot be used; `reason` is a clause such as `the direction is
    /// zero`.
    ///
    /// # Panics
    /// As [`AnswerBuilder::row`].
    pub fn invalid(&mut self, question: usize, reason: &str) {
        let row = self.begin(question);
        self.invalid.push((row, reason.to_owned()));
        self.builders
            .row(self.rows.first_row + u64::from(row))
            .mark_invalid();
    }

    /// Has [`RunOptions::remark`](crate::RunOptions::remark) called with the row of `question`, and with
    /// `text`. Rows are remarked upon in order, each once at most.
    ///
    /// # Panics
    /// When the batch has no such question.
    pub fn remark(&mut self, question: usize, text: &str) {
        let row = self.rows.readable[self.first + question];
        self.remarks.push((row, text.to_owned()));
    }

    /// Answers the unreadable rows before `question` and returns its own row.
    fn begin(&mut self, question: usize) -> u32 {
        let question = self.first + question;
        let row = self.rows.readable[question];
        if question == self.answered {
            self.fill_until(row);
            self.answered += 1;
            self.filled = row + 1;
        } else {
            assert!(
                question + 1 == self.answered,
                "questions are answered in order"
            );
        }
        self.origins.push(row);
        row
    }

    /// Answers the rows before `end` that are no valid questions.
    fn fill_until(&mut self, end: u32) {
        for row in self.filled..end {
            if self.rows.skipped.get(self.skipped) == Some(&row) {
                self.skipped += 1;
                continue;
            }
            // Rows come in order, as the unreadable ones are.
            self.invalid
                .extend(self.rows.unreadable.get(self.unreadable).cloned());
            self.unreadable += 1;
            self.origins.push(row);
            self.builders
                .row(self.rows.first_row + u64::from(row))
                .mark_invalid();
        }
        self.filled = end;
    }

    /// The answers to the whole batch.
    ///
    /// # Panics
    /// When a question has no answer.
    pub(crate) fn finish(mut self) -> Answers {
        assert!(
            self.answered == self.rows.readable.len(),
            "every question has an answer"
        );
        self.fill_until(self.rows.count);
        // Where every row of the batch has an answer, as many answers as rows means one each.
        let one_each = self.skipped == 0 && self.origins.len() == self.rows.count as usize;
        Answers {
            rows: self.origins.len(),
            columns: self.builders.finish(),
            origins: (!one_each).then_some(self.origins),
            batch_rows: self.rows.count,
            skipped: self
                .rows
                .skipped
                .into_iter()
                .zip(self.rows.skipped_fields)
                .collect(),
            invalid: self.invalid,
            remarks: self.remarks,
        }
    }
}

impl Answers {
    /// Counts the words of the batch's status, which is in the given column.
    pub(crate) fn count_statuses(&self, column: usize) -> Vec<(String, u64)> {
        let mut counts: Vec<(String, u64)> = Vec::new();
        let mut last = 0;
        let words = self.columns[column].as_string_opt::<i32>();
        for word in words.into_iter().flatten().flatten() {
            if counts.get(last).is_none_or(|(known, _)| known != word) {
                last = match counts.iter().position(|(known, _)| known == word) {
                    Some(known) => known,
                    None => {
                        counts.push((word.to_owned(), 0));
                        counts.len() - 1
                    }
                };
            }
            counts[last].1 += 1;
        }
        counts
    }

    /// Counts the names in the given column.
    pub(crate) fn count_names(&self, column: usize) -> BTreeMap<String, u64> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        let names = self.columns[column].as_string_opt::<i32>();
        for name in names.into_iter().flatten().flatten() {
            *counts.entry(name).or_default() += 1;
        }
        let owned = |(name, count): (&str, u64)| (name.to_owned(), count);
        counts.into_iter().map(owned).collect()
    }

    /// Leaves the columns at these positions, which are in order, and drops the others.
    pub(crate) fn keep_columns(&mut self, kept: &[usize]) {
        self.columns = kept.iter().map(|&i| self.columns[i].clone()).collect();
    }
}

/// How many answers have which words.
#[derive(Debug, Default)]
pub(crate) struct WordCounts {
    pub(crate) statuses: Vec<(String, u64)>,
    pub(crate) objects: BTreeMap<String, u64>,
}

/// The answers to a batch.
pub(crate) struct Answers {
    /// How many rows there are.
    pub(crate) rows: usize,
    /// The columns of the answer, in order.
    pub(crate) columns: Vec<ArrayRef>,
    /// The batch's row that each row belongs to; `None` when each has exactly one, in order.
    pub(crate) origins: Option<Vec<u32>>,
    /// How many rows of the input there are.
    pub(crate) batch_rows: u32,
    /// Those that were skipped, counted from the batch's first row, and how many fields they have.
    pub(crate) skipped: Vec<(u32, usize)>,
    /// Those that are invalid, in order, and why.
    pub(crate) invalid: Vec<(u32, String)>,
    /// Those that are remarked upon, in order, and what.
    pub(crate) remarks: Vec<(u32, String)>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnswerColumn, ColumnKind};
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float32Type, UInt64Type};

    fn columns() -> Vec<OutputColumn> {
        const COLUMNS: [AnswerColumn; 3] = [
            AnswerColumn::new("row", ColumnKind::RowNumber),
            AnswerColumn::new("status", ColumnKind::Status),
            AnswerColumn::new("t", ColumnKind::F32),
        ];
        OutputColumn::all(&COLUMNS, "", None, false)
    }

    /// Rows 1 and 3 of rows 10 to 14 are valid questions.
    fn rows() -> BatchRows {
        BatchRows {
            first_row: 10,
            count: 5,
            readable: vec![1, 3],
            skipped: Vec::new(),
            skipped_fields: Vec::new(),
            unreadable: [0, 2, 4].map(|row| (row, format!("empty {row}"))).to_vec(),
        }
    }

    #[test]
    fn unreadable_rows_are_answered_in_order() {
        let mut builder = AnswerBuilder::new(&columns(), rows());
        builder.row(0).text("hit").f32(-0.0);
        builder.row(0).text("hit").f32(2.0);
        builder.row(1).text("miss");
        let answers = builder.finish();
        assert_eq!(answers.rows, 6);
        assert_eq!(answers.origins, Some(vec![0, 1, 1, 2, 3, 4]));
        let invalid = [0, 2, 4].map(|row| (row, format!("empty {row}")));
        assert_eq!(answers.invalid, invalid);
        let numbers = answers.columns[0].as_primitive::<UInt64Type>();
        assert_eq!(numbers.values(), &[10, 11, 11, 12, 13, 14]);
        let status: Vec<_> = answers.columns[1]
            .as_string::<i32>()
            .iter()
            .flatten()
            .collect();
        assert_eq!(
            status,
            ["invalid", "hit", "hit", "invalid", "miss", "invalid"]
        );
        let t: Vec<_> = answers.columns[2]
            .as_primitive::<Float32Type>()
            .iter()
            .collect();
        assert_eq!(t, [None, Some(0.0), Some(2.0), None, None, None]);
        assert!(t[1].is_some_and(f32::is_sign_positive));
    }

    #[test]
    fn skipped_rows_have_no_answer() {
        let mut rows = rows();
        (rows.skipped, rows.skipped_fields) = (vec![2, 4], vec![1, 9]);
        rows.unreadable.truncate(1);
        let mut builder = AnswerBuilder::new(&columns(), rows);
        builder.row(0).text("hit");
        builder.row(0).text("hit");
        builder.row(0).text("hit");
        builder.row(1).text("hit");
        let answers = builder.finish();
        assert_eq!(answers.origins, Some(vec![0, 1, 1, 1, 3]));
        assert_eq!(answers.skipped, [(2, 1), (4, 9)]);
        assert_eq!((answers.batch_rows, answers.invalid.len()), (5, 1));
    }

    #[test]
    #[should_panic(expected = "in order")]
    fn a_question_cannot_be_left_out() {
        AnswerBuilder::new(&columns(), rows()).row(1);
    }

    #[test]
    #[should_panic(expected = "every question")]
    fn the_last_question_cannot_be_left_out() {
        let mut builder = AnswerBuilder::new(&columns(), rows());
        builder.invalid(0, "zero");
        builder.finish();
    }
}
