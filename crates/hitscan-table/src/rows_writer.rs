//! Typed columns of an answer, filled column by column for several rows at once.
//!
//! What a row costs in a [`RowWriter`](crate::RowWriter) beside its values is paid once for all rows here,
//! and nothing is worked out for a column that nobody reads.

use std::slice::IterMut;

use arrow_array::builder::StringBuilder;
use arrow_array::types::UInt64Type;

use crate::number_builder::NumberBuilder;
use crate::row_writer::Column;

/// Fills rows of answers from their first column to their last, each column for all rows.
///
/// Columns of kind [`ColumnKind::RowNumber`](crate::ColumnKind::RowNumber) fill themselves; those that are
/// left when the writer is dropped are empty. The values of a column that is not among
/// [`RunOptions::columns`](crate::RunOptions::columns) are not computed.
///
/// ```
/// # use hitscan_table::AnswerBuilder;
/// /// Where each question has its hit, and on which triangle of which object.
/// fn write(answers: &[(usize, Option<(f32, &str, u32)>)], out: &mut AnswerBuilder) {
///     out.rows(answers, |rows| {
///         rows.text(|hit| Some(if hit.is_some() { "hit" } else { "miss" }))
///             .f32(|hit| Some((*hit)?.0))
///             .text(|hit| Some((*hit)?.1))
///             .u32(|hit| Some((*hit)?.2));
///     });
/// }
/// ```
#[derive(Debug)]
pub struct RowsWriter<'out, 'a, T> {
    columns: IterMut<'out, Column>,
    /// The question and the answer of each row.
    answers: &'a [(usize, T)],
    /// The number of the batch's first row.
    first_row: u64,
    /// The row of the batch that each belongs to.
    rows: &'out [u32],
}

impl<'out, 'a, T> RowsWriter<'out, 'a, T> {
    pub(crate) fn new(
        columns: IterMut<'out, Column>,
        answers: &'a [(usize, T)],
        first_row: u64,
        rows: &'out [u32],
    ) -> Self {
        Self {
            columns,
            answers,
            first_row,
            rows,
        }
    }

    /// Fills the next column, which is a [`ColumnKind::Status`](crate::ColumnKind::Status) or
    /// [`ColumnKind::Text`](crate::ColumnKind::Text).
    ///
    /// # Panics
    /// When there is no further column or it is of another kind.
    pub fn text(&mut self, text: impl Fn(&'a T) -> Option<&'a str>) -> &mut Self {
        let answers = self.answers;
        match self.next_column() {
            Column::LeftOut => {}
            Column::Status(column) | Column::Text(column) => {
                append_texts(column, answers.iter().map(|(_, answer)| text(answer)));
            }
            other => panic!("texts for the column {other:?}"),
        }
        self
    }

    /// Fills the next column, which is a [`ColumnKind::F32`](crate::ColumnKind::F32), as
    /// [`RowWriter::f32`](crate::RowWriter::f32) does.
    ///
    /// # Panics
    /// When there is no further column or it is of another kind.
    pub fn f32(&mut self, number: impl Fn(&'a T) -> Option<f32>) -> &mut Self {
        self.f32_or_0(|answer| match number(answer) {
            Some(number) => (true, number),
            None => (false, 0.0),
        })
    }

    /// As [`RowsWriter::f32`]; each row gives whether it has a number, and 0 where it has none. A branch on that
    /// is mispredicted where rows with and without a number alternate, and here there is none.
    ///
    /// # Panics
    /// As [`RowsWriter::f32`].
    pub fn f32_or_0(&mut self, number: impl Fn(&'a T) -> (bool, f32)) -> &mut Self {
        let answers = self.answers;
        match self.next_column() {
            Column::LeftOut => {}
            Column::F32(column) => column.append_present(answers, |(_, answer)| {
                let (is_present, number) = number(answer);
                // In the usual rounding -0 + 0 is 0, and adding 0 changes no other number.
                (is_present, number + 0.0)
            }),
            Column::Position(column, map) => column.append_all(answers, |(_, answer)| {
                let (is_present, number) = number(answer);
                is_present.then(|| map.to_table(number.into()))
            }),
            other => panic!("numbers for the column {other:?}"),
        }
        self
    }

    /// Fills the next column, which is a [`ColumnKind::U32`](crate::ColumnKind::U32).
    ///
    /// # Panics
    /// When there is no further column or it is of another kind.
    pub fn u32(&mut self, index: impl Fn(&'a T) -> Option<u32>) -> &mut Self {
        let answers = self.answers;
        match self.next_column() {
            Column::LeftOut => {}
            Column::U32(column) => column.append_all(answers, |(_, answer)| index(answer)),
            other => panic!("indices for the column {other:?}"),
        }
        self
    }

    /// The next column that is filled from outside.
    fn next_column(&mut self) -> &'_ mut Column {
        for column in self.columns.by_ref() {
            match column {
                Column::RowNumber(column) => {
                    append_numbers(column, self.first_row, self.rows);
                }
                column => return column,
            }
        }
        panic!("the rows have no further column")
    }
}

impl<T> Drop for RowsWriter<'_, '_, T> {
    fn drop(&mut self) {
        for column in self.columns.by_ref() {
            match column {
                Column::RowNumber(column) => append_numbers(column, self.first_row, self.rows),
                other => (0..self.answers.len()).for_each(|_| other.append_null()),
            }
        }
    }
}

/// Appends texts, those in a row that lie at one place at once.
fn append_texts<'a>(column: &mut StringBuilder, mut texts: impl Iterator<Item = Option<&'a str>>) {
    let Some(mut last) = texts.next() else {
        return;
    };
    let mut count = 1;
    let mut append = |text, count| match text {
        Some(text) => column.append_value_n(text, count),
        None => column.append_nulls(count),
    };
    for text in texts {
        let is_same = match (last, text) {
            (Some(last), Some(text)) => std::ptr::eq::<str>(last, text),
            (None, None) => true,
            _ => false,
        };
        if is_same {
            count += 1;
        } else {
            append(last, count);
            (last, count) = (text, 1);
        }
    }
    append(last, count);
}

fn append_numbers(column: &mut NumberBuilder<UInt64Type>, first_row: u64, rows: &[u32]) {
    column.append_all(rows, |row| Some(first_row + u64::from(*row)));
}
