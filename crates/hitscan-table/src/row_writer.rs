//! Typed columns of an answer, filled row by row from the first column to the last.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::types::{Float32Type, Float64Type, UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, NullArray};

use crate::number_builder::NumberBuilder;
use crate::output_column::OutputColumn;
use crate::{AxisMap, ColumnKind};

/// The status of a row that cannot be used.
const INVALID: &str = "invalid";

/// Typed columns of equal length.
#[derive(Debug)]
pub(crate) struct ColumnBuilders {
    columns: Vec<Column>,
}

#[derive(Debug)]
pub(crate) enum Column {
    /// A column that nobody reads, into which nothing is written. A [`Column::RowNumber`] stays one.
    LeftOut,
    Status(StringBuilder),
    Text(StringBuilder),
    F32(NumberBuilder<Float32Type>),
    Position(NumberBuilder<Float64Type>, AxisMap),
    U32(NumberBuilder<UInt32Type>),
    U64(NumberBuilder<UInt64Type>),
    RowNumber(NumberBuilder<UInt64Type>),
}

impl ColumnBuilders {
    /// Columns without rows, with room for `rows`.
    pub(crate) fn new(columns: &[OutputColumn], rows: usize) -> Self {
        Self::with_some(columns, |_| true, rows)
    }

    /// As [`ColumnBuilders::new`]; only the columns at positions that are `wanted` take values.
    pub(crate) fn with_some(
        columns: &[OutputColumn],
        wanted: impl Fn(usize) -> bool,
        rows: usize,
    ) -> Self {
        // A guess at the bytes of a name; more are made when needed.
        const TEXT_BYTES: usize = 8;
        let text = || StringBuilder::with_capacity(rows, rows * TEXT_BYTES);
        let column = |(index, column): (usize, &OutputColumn)| match column.kind {
            // The others are filled in turn by who answers, who has nothing to say of this kind.
            ColumnKind::RowNumber => Column::RowNumber(NumberBuilder::with_capacity(rows)),
            _ if !wanted(index) => Column::LeftOut,
            ColumnKind::Status => Column::Status(text()),
            ColumnKind::Text => Column::Text(text()),
            ColumnKind::F32 => match column.map {
                None => Column::F32(NumberBuilder::with_capacity(rows)),
                Some(map) => Column::Position(NumberBuilder::with_capacity(rows), map),
            },
            ColumnKind::U32 => Column::U32(NumberBuilder::with_capacity(rows)),
            ColumnKind::U64 => Column::U64(NumberBuilder::with_capacity(rows)),
        };
        Self {
            columns: columns.iter().enumerate().map(column).collect(),
        }
    }

    /// Whether a column takes values, by its position among those that do not fill themselves.
    pub(crate) fn takes(&self, column: usize) -> bool {
        let columns = self.columns.iter();
        let mut filled = columns.filter(|column| !matches!(column, Column::RowNumber(_)));
        !matches!(filled.nth(column), Some(Column::LeftOut))
    }

    /// The columns, to be filled one after the other.
    pub(crate) fn columns(&mut self) -> std::slice::IterMut<'_, Column> {
        self.columns.iter_mut()
    }

    /// Begins a row, whose [`ColumnKind::RowNumber`] is `row_number`.
    pub(crate) fn row(&mut self, row_number: u64) -> RowWriter<'_> {
        RowWriter {
            columns: self.columns.iter_mut(),
            row_number,
        }
    }

    /// The columns; what remains has no rows. Omitted columns have no rows either.
    pub(crate) fn finish(&mut self) -> Vec<ArrayRef> {
        let finish = |column: &mut Column| -> ArrayRef {
            match column {
                Column::LeftOut => Arc::new(NullArray::new(0)),
                Column::Status(column) | Column::Text(column) => Arc::new(column.finish()),
                Column::F32(column) => Arc::new(column.finish()),
                Column::Position(column, _) => Arc::new(column.finish()),
                Column::U32(column) => Arc::new(column.finish()),
                Column::U64(column) | Column::RowNumber(column) => Arc::new(column.finish()),
            }
        };
        self.columns.iter_mut().map(finish).collect()
    }
}

/// Fills a row of answers from its first column to its last.
///
/// Columns of kind [`ColumnKind::RowNumber`] fill themselves; those that are left when the writer
/// is dropped are empty.
///
/// ```
/// # use hitscan_table::{AnswerBuilder, RowWriter};
/// fn hit(mut row: RowWriter<'_>, t: f32, part: Option<&str>, triangle: u32) {
///     row.text("hit").f32(t);
///     match part {
///         Some(name) => row.text(name),
///         None => row.empty(),
///     };
///     row.u32(triangle);
/// }
/// ```
#[derive(Debug)]
pub struct RowWriter<'a> {
    columns: std::slice::IterMut<'a, Column>,
    row_number: u64,
}

impl RowWriter<'_> {
    /// Fills the next column, which is a [`ColumnKind::Status`] or [`ColumnKind::Text`].
    ///
    /// # Panics
    /// When the row has no further column or one of another kind.
    pub fn text(&mut self, text: &str) -> &mut Self {
        match self.next_column() {
            Column::LeftOut => {}
            Column::Status(column) | Column::Text(column) => column.append_value(text),
            other => panic!("text for the column {other:?}"),
        }
        self
    }

    /// Fills the next column, which is a [`ColumnKind::F32`]. -0 becomes 0. A position of the
    /// world becomes one of the table where there is a [`Frame`](crate::Frame).
    ///
    /// # Panics
    /// When the row has no further column or one of another kind.
    pub fn f32(&mut self, number: f32) -> &mut Self {
        match self.next_column() {
            Column::LeftOut => {}
            // In the usual rounding -0 + 0 is 0, and adding 0 changes no other number.
            Column::F32(column) => column.append_value(number + 0.0),
            Column::Position(column, map) => column.append_value(map.to_table(number.into())),
            other => panic!("a number for the column {other:?}"),
        }
        self
    }

    /// Fills the next column, which is a [`ColumnKind::U32`].
    ///
    /// # Panics
    /// When the row has no further column or one of another kind.
    pub fn u32(&mut self, index: u32) -> &mut Self {
        match self.next_column() {
            Column::LeftOut => {}
            Column::U32(column) => column.append_value(index),
            other => panic!("an index for the column {other:?}"),
        }
        self
    }

    /// Fills the next column, which is a [`ColumnKind::U64`].
    ///
    /// # Panics
    /// When the row has no further column or one of another kind.
    pub fn u64(&mut self, number: u64) -> &mut Self {
        match self.next_column() {
            Column::LeftOut => {}
            Column::U64(column) => column.append_value(number),
            other => panic!("a whole number for the column {other:?}"),
        }
        self
    }

    /// Leaves the next column empty.
    ///
    /// # Panics
    /// When the row has no further column.
    pub fn empty(&mut self) -> &mut Self {
        self.next_column().append_null();
        self
    }

    /// Marks the row as one that cannot be used.
    pub(crate) fn mark_invalid(mut self) {
        for column in self.columns.by_ref() {
            match column {
                Column::Status(column) => column.append_value(INVALID),
                Column::RowNumber(column) => column.append_value(self.row_number),
                other => other.append_null(),
            }
        }
    }

    /// The next column that is filled from outside.
    fn next_column(&mut self) -> &mut Column {
        loop {
            match self.columns.next() {
                Some(Column::RowNumber(column)) => column.append_value(self.row_number),
                Some(column) => return column,
                None => panic!("the row has no further column"),
            }
        }
    }
}

impl Drop for RowWriter<'_> {
    fn drop(&mut self) {
        for column in self.columns.by_ref() {
            match column {
                Column::RowNumber(column) => column.append_value(self.row_number),
                other => other.append_null(),
            }
        }
    }
}

impl Column {
    /// Leaves the column empty in a row.
    pub(crate) fn append_null(&mut self) {
        match self {
            Self::LeftOut => {}
            Self::Status(column) | Self::Text(column) => column.append_null(),
            Self::F32(column) => column.append_null(),
            Self::Position(column, _) => column.append_null(),
            Self::U32(column) => column.append_null(),
            Self::U64(column) | Self::RowNumber(column) => column.append_null(),
        }
    }
}
