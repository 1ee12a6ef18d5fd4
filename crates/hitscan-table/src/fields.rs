//! The fields of a row, of either kind of table, as the columns of a question read them.
//!
//! What a value must be is decided in `collector.rs`; how text and typed values are read stands in
//! `number.rs`, `mask.rs` and `columnar/`. Read `carry.rs` next for what becomes of the row itself.

use std::borrow::Cow;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use crate::binding::Binding;
use crate::collector::{NoText, RowFields};
use crate::columnar::{MaskColumn, NameColumn, NumberColumn};
use crate::csv::{Fields, is_quoted, unquote};
use crate::mask::{NoMask, read_mask_text};
use crate::number::{Reading, read_text, trim};
use crate::{QuestionColumn, QuestionKind};

/// A row of CSV.
pub(crate) struct CsvRow<'a> {
    pub(crate) binding: &'a Binding,
    pub(crate) fields: &'a Fields,
    pub(crate) row: &'a [u8],
}

impl CsvRow<'_> {
    /// The field as it stands there; `None` where the table lacks the column.
    fn field(&self, question: usize) -> Option<&[u8]> {
        let column = self.binding.columns[question]?;
        Some(self.fields.get(self.row, column))
    }
}

impl RowFields for CsvRow<'_> {
    fn number(&self, question: usize) -> Reading {
        self.field(question).map_or(Reading::Empty, read_field)
    }

    fn mask(&self, question: usize) -> Result<Option<u32>, NoMask> {
        self.field(question).map_or(Ok(None), read_mask_field)
    }

    fn name(&self, question: usize) -> Result<Cow<'_, str>, NoText> {
        let Some(field) = self.field(question) else {
            return Ok(Cow::Borrowed(""));
        };
        let name = match is_quoted(field) {
            true => unquote(field),
            false => Cow::Borrowed(trim(field)),
        };
        match name {
            Cow::Borrowed(name) => std::str::from_utf8(name)
                .map(Cow::Borrowed)
                .map_err(|_| NoText),
            Cow::Owned(name) => String::from_utf8(name).map(Cow::Owned).map_err(|_| NoText),
        }
    }

    fn show(&self, question: usize) -> String {
        shorten(&String::from_utf8_lossy(
            self.field(question).unwrap_or(b""),
        ))
    }
}

/// The columns of a batch that a question reads.
pub(crate) struct TypedColumns(Vec<Option<TypedColumn>>);

enum TypedColumn {
    Number(NumberColumn),
    Mask(MaskColumn),
    Name(NameColumn),
}

impl TypedColumns {
    /// Looks up how each column is read.
    pub(crate) fn new(
        batch: &RecordBatch,
        binding: &Binding,
        questions: &[QuestionColumn],
    ) -> Result<Self, ArrowError> {
        let typed = |(question, column): (&QuestionColumn, &Option<usize>)| {
            let Some(column) = *column else {
                return Ok(None);
            };
            let array = batch.column(column);
            Ok(Some(match question.kind {
                QuestionKind::Number { .. } => TypedColumn::Number(NumberColumn::new(array)?),
                QuestionKind::Mask { .. } => TypedColumn::Mask(MaskColumn::new(array)?),
                QuestionKind::Name => TypedColumn::Name(NameColumn::new(array)?),
            }))
        };
        let columns = questions.iter().zip(&binding.columns).map(typed);
        columns.collect::<Result<_, _>>().map(Self)
    }

    /// A row of the batch.
    pub(crate) fn row(&self, row: usize) -> TypedRow<'_> {
        TypedRow {
            columns: &self.0,
            row,
        }
    }
}

/// A row of typed columns. A question reads a column only as what it was looked up for.
pub(crate) struct TypedRow<'a> {
    columns: &'a [Option<TypedColumn>],
    row: usize,
}

impl RowFields for TypedRow<'_> {
    fn number(&self, question: usize) -> Reading {
        match &self.columns[question] {
            Some(TypedColumn::Number(column)) => column.read(self.row),
            _ => Reading::Empty,
        }
    }

    fn mask(&self, question: usize) -> Result<Option<u32>, NoMask> {
        match &self.columns[question] {
            Some(TypedColumn::Mask(column)) => column.read(self.row),
            _ => Ok(None),
        }
    }

    fn name(&self, question: usize) -> Result<Cow<'_, str>, NoText> {
        Ok(Cow::Borrowed(match &self.columns[question] {
            Some(TypedColumn::Name(column)) => column.read(self.row),
            _ => "",
        }))
    }

    fn show(&self, question: usize) -> String {
        match &self.columns[question] {
            Some(TypedColumn::Number(column)) => shorten(&column.show(self.row)),
            Some(TypedColumn::Mask(column)) => shorten(&column.show(self.row)),
            Some(TypedColumn::Name(_)) | None => String::new(),
        }
    }
}

/// A CSV field as a number.
pub(crate) fn read_field(field: &[u8]) -> Reading {
    match is_quoted(field) {
        true => read_text(&unquote(field)),
        false => read_text(field),
    }
}

/// A CSV field as a mask; `None` where it is empty.
pub(crate) fn read_mask_field(field: &[u8]) -> Result<Option<u32>, NoMask> {
    match is_quoted(field) {
        true => read_mask_text(&unquote(field)),
        false => read_mask_text(field),
    }
}

/// Text for a message.
fn shorten(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
