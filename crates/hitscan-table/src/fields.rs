//! The fields of a row, of either kind of table, as the columns of a question read them.
//!
//! Which values are valid is decided in `collector.rs`; text and typed values are parsed in
//! `number.rs`, `mask.rs` and `columnar/`.

use std::borrow::Cow;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use crate::collector::{InvalidText, RowFields};
use crate::column_mapping::ColumnMapping;
use crate::columnar::{MaskColumn, NameColumn, NumberColumn};
use crate::csv::{Fields, is_quoted, unquote};
use crate::mask::{InvalidMask, read_mask_text};
use crate::number::{ParsedNumber, read_text, trim};
use crate::{QuestionColumn, QuestionKind};

/// A row of CSV.
pub(crate) struct CsvRow<'a> {
    pub(crate) mapping: &'a ColumnMapping,
    pub(crate) fields: &'a Fields,
    pub(crate) row: &'a [u8],
}

impl CsvRow<'_> {
    /// The bytes of the field; `None` where the table lacks the column.
    fn field(&self, question: usize) -> Option<&[u8]> {
        let column = self.mapping.columns[question]?;
        Some(self.fields.get(self.row, column))
    }
}

impl RowFields for CsvRow<'_> {
    fn number(&self, question: usize) -> ParsedNumber {
        self.field(question).map_or(ParsedNumber::Empty, read_field)
    }

    fn mask(&self, question: usize) -> Result<Option<u32>, InvalidMask> {
        self.field(question).map_or(Ok(None), read_mask_field)
    }

    fn name(&self, question: usize) -> Result<Cow<'_, str>, InvalidText> {
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
                .map_err(|_| InvalidText),
            Cow::Owned(name) => String::from_utf8(name)
                .map(Cow::Owned)
                .map_err(|_| InvalidText),
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
        mapping: &ColumnMapping,
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
        let columns = questions.iter().zip(&mapping.columns).map(typed);
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
    fn number(&self, question: usize) -> ParsedNumber {
        match &self.columns[question] {
            Some(TypedColumn::Number(column)) => column.read(self.row),
            _ => ParsedNumber::Empty,
        }
    }

    fn mask(&self, question: usize) -> Result<Option<u32>, InvalidMask> {
        match &self.columns[question] {
            Some(TypedColumn::Mask(column)) => column.read(self.row),
            _ => Ok(None),
        }
    }

    fn name(&self, question: usize) -> Result<Cow<'_, str>, InvalidText> {
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
pub(crate) fn read_field(field: &[u8]) -> ParsedNumber {
    match is_quoted(field) {
        true => read_text(&unquote(field)),
        false => read_text(field),
    }
}

/// A CSV field as a mask; `None` where it is empty.
pub(crate) fn read_mask_field(field: &[u8]) -> Result<Option<u32>, InvalidMask> {
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
