//! A table in memory: the caller fills it row by row, and gets its fields as values.

use crate::output_column::OutputColumn;
use crate::row_writer::ColumnBuilders;
use crate::single_row::answer_value;
use crate::{AnswerColumn, Frame, RowWriter, Value};

/// Rows that are filled as those of a [`TableWriter`](crate::TableWriter), and are values.
///
/// They are held: what has many rows belongs into a [`TableWriter`](crate::TableWriter).
///
/// ```
/// use hitscan_table::{AnswerColumn, ColumnKind, Value, ValueTable};
///
/// let columns = [
///     AnswerColumn::new("object_a", ColumnKind::Text),
///     AnswerColumn::new("min_x", ColumnKind::F32),
/// ];
/// let mut table = ValueTable::new(&columns, None);
/// table.row().text("crate").f32(0.1);
/// table.row().text("planet");
/// let rows = table.finish();
/// assert_eq!(rows[0][1], ("min_x".to_owned(), Some(Value::Number(0.1))));
/// assert_eq!(rows[1][1], ("min_x".to_owned(), None));
/// ```
#[derive(Debug)]
pub struct ValueTable {
    columns: Vec<OutputColumn>,
    builders: ColumnBuilders,
    rows: usize,
}

impl ValueTable {
    /// A table without rows. `frame` has the coordinates of the positions; without one they are the
    /// world's.
    #[must_use]
    pub fn new(columns: &[AnswerColumn], frame: Option<&Frame>) -> Self {
        let columns = OutputColumn::all(columns, "", frame, false);
        Self {
            builders: ColumnBuilders::new(&columns, 0),
            columns,
            rows: 0,
        }
    }

    /// Begins a row; columns that are not filled are empty.
    pub fn row(&mut self) -> RowWriter<'_> {
        self.rows += 1;
        self.builders.row(self.rows as u64 - 1)
    }

    /// The columns of each row and their values; `None` is an empty field.
    #[must_use]
    pub fn finish(mut self) -> Vec<Vec<(String, Option<Value>)>> {
        let arrays = self.builders.finish();
        let row = |row| {
            let columns = self.columns.iter().zip(&arrays);
            let value = columns.map(|(column, array)| {
                let value = answer_value(column, array, row);
                (column.name.clone(), value)
            });
            value.collect()
        };
        (0..self.rows).map(row).collect()
    }
}
