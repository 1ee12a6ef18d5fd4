//! The fields of a row, of either kind of table, as the columns of a question read them.
//!
//! Which values are valid is decided in `collector.rs`; text and typed values are parsed in
//! `number.rs`, `mask.rs` and `columnar/`.

use std::borrow::Cow;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;

use crate::collector::{InvalidText, RowFields, valid_double, valid_number};
use crate::column_mapping::{ColumnMapping, Constant, MappedColumn, ValueSource};
use crate::columnar::{DoubleColumn, MaskColumn, NameColumn, NumberColumn, PositionColumn};
use crate::csv::{Fields, is_quoted, unquote};
use crate::mask::{InvalidMask, read_mask_text};
use crate::number::{Float, ParsedNumber, into_world, read_text, trim};
use crate::questions::{Column, Names};
use crate::{QuestionColumn, QuestionKind};

/// A row of CSV.
pub(crate) struct CsvRow<'a> {
    pub(crate) mapping: &'a ColumnMapping,
    /// The names of the table's columns.
    pub(crate) names: &'a [String],
    pub(crate) fields: &'a Fields,
    pub(crate) row: &'a [u8],
}

impl CsvRow<'_> {
    /// The bytes of the field; `None` where the table lacks the column.
    fn field(&self, question: usize) -> Option<&[u8]> {
        let index = self.mapping.columns[question]?.index()?;
        Some(self.fields.get(self.row, index))
    }

    fn constant(&self, question: usize) -> Option<Constant> {
        match self.mapping.columns[question]?.source {
            ValueSource::Input(_) => None,
            ValueSource::Constant(constant) => Some(constant),
        }
    }
}

impl RowFields for CsvRow<'_> {
    fn number(&self, question: usize) -> ParsedNumber {
        let Some(column) = self.mapping.columns[question] else {
            return ParsedNumber::Empty;
        };
        let field = match column.source {
            ValueSource::Input(index) => self.fields.get(self.row, index),
            ValueSource::Constant(constant) => return constant.number(),
        };
        match column.map() {
            None => read_field(field),
            Some(map) => into_world(read_field(field), map),
        }
    }

    fn double(&self, question: usize) -> ParsedNumber<f64> {
        match self.constant(question) {
            Some(constant) => constant.double(),
            None => self.field(question).map_or(ParsedNumber::Empty, read_field),
        }
    }

    fn mask(&self, question: usize) -> Result<Option<u32>, InvalidMask> {
        match self.constant(question) {
            Some(constant) => Ok(constant.mask()),
            None => self.field(question).map_or(Ok(None), read_mask_field),
        }
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

    fn text(&self, question: usize) -> String {
        match self.constant(question) {
            Some(constant) => constant.to_string(),
            None => String::from_utf8_lossy(self.field(question).unwrap_or(b"")).into_owned(),
        }
    }

    fn column_name(&self, question: usize) -> Option<&str> {
        let index = self.mapping.columns[question]?.index()?;
        Some(&self.names[index])
    }
}

/// The columns of a batch that a question reads.
pub(crate) struct TypedColumns {
    columns: Vec<Option<TypedColumn>>,
    /// The name of the input's column that holds each.
    names: Vec<Option<String>>,
}

enum TypedColumn {
    Number(NumberColumn),
    Position(PositionColumn),
    Double(DoubleColumn),
    Mask(MaskColumn),
    Name(NameColumn),
    Constant(Constant),
}

impl TypedColumns {
    /// Looks up how each column is read.
    pub(crate) fn new(
        batch: &RecordBatch,
        mapping: &ColumnMapping,
        questions: &[QuestionColumn],
    ) -> Result<Self, ArrowError> {
        let typed = |(question, column): (&QuestionColumn, &Option<MappedColumn>)| {
            let Some(column) = *column else {
                return Ok(None);
            };
            let array = match column.source {
                ValueSource::Input(index) => batch.column(index),
                ValueSource::Constant(constant) => {
                    return Ok(Some(TypedColumn::Constant(constant)));
                }
            };
            Ok(Some(match (question.kind, column.map()) {
                (QuestionKind::Number { .. }, None) => {
                    TypedColumn::Number(NumberColumn::new(array)?)
                }
                (QuestionKind::Number { .. }, Some(map)) => {
                    TypedColumn::Position(PositionColumn::new(array, map)?)
                }
                (QuestionKind::Double { .. }, _) => TypedColumn::Double(DoubleColumn::new(array)?),
                (QuestionKind::Mask { .. }, _) => TypedColumn::Mask(MaskColumn::new(array)?),
                (QuestionKind::Name, _) => TypedColumn::Name(NameColumn::new(array)?),
            }))
        };
        let schema = batch.schema_ref();
        let name = |column: &Option<MappedColumn>| {
            let index = (*column)?.index()?;
            Some(schema.field(index).name().clone())
        };
        let columns = questions.iter().zip(&mapping.columns).map(typed);
        Ok(Self {
            columns: columns.collect::<Result<_, ArrowError>>()?,
            names: mapping.columns.iter().map(name).collect(),
        })
    }

    /// The question's column `i` of all rows; `None` where a row has no valid value, which is found as its
    /// row is read.
    pub(crate) fn whole(&self, i: usize, kind: QuestionKind, rows: usize) -> Option<Column> {
        let column = self.columns[i].as_ref();
        Some(match kind {
            QuestionKind::Number { default, infinity } => {
                let valid = |reading| valid_number(default, infinity, reading).ok();
                let same = |reading| Some(vec![valid(reading)?; rows]);
                Column::Numbers(match column {
                    Some(TypedColumn::Number(column)) => column.read_all(valid)?,
                    Some(TypedColumn::Position(column)) => column.read_all(valid)?,
                    Some(TypedColumn::Constant(constant)) => same(constant.number())?,
                    _ => same(ParsedNumber::Empty)?,
                })
            }
            QuestionKind::Double { default } => {
                let valid = |reading| valid_double(default, reading).ok();
                Column::Doubles(match column {
                    Some(TypedColumn::Double(column)) => (0..rows)
                        .map(|row| valid(column.read(row)))
                        .collect::<Option<_>>()?,
                    Some(TypedColumn::Constant(constant)) => vec![valid(constant.double())?; rows],
                    _ => vec![default; rows],
                })
            }
            QuestionKind::Mask { default } => Column::Masks(match column {
                Some(TypedColumn::Mask(column)) => {
                    let mask = |row| Some(column.read(row).ok()?.unwrap_or(default));
                    (0..rows).map(mask).collect::<Option<_>>()?
                }
                Some(TypedColumn::Constant(constant)) => {
                    vec![constant.mask().unwrap_or(default); rows]
                }
                _ => vec![default; rows],
            }),
            QuestionKind::Name => {
                let mut names = Names::with_capacity(rows);
                for row in 0..rows {
                    names.push(match column {
                        Some(TypedColumn::Name(column)) => column.read(row),
                        _ => "",
                    });
                }
                Column::Names(names)
            }
        })
    }

    /// A row of the batch.
    pub(crate) fn row(&self, row: usize) -> TypedRow<'_> {
        TypedRow {
            columns: &self.columns,
            names: &self.names,
            row,
        }
    }
}

/// A row of typed columns. A question reads a column only as what it was looked up for.
pub(crate) struct TypedRow<'a> {
    columns: &'a [Option<TypedColumn>],
    names: &'a [Option<String>],
    row: usize,
}

impl RowFields for TypedRow<'_> {
    fn number(&self, question: usize) -> ParsedNumber {
        match &self.columns[question] {
            Some(TypedColumn::Number(column)) => column.read(self.row),
            Some(TypedColumn::Position(column)) => column.read(self.row),
            Some(TypedColumn::Constant(constant)) => constant.number(),
            _ => ParsedNumber::Empty,
        }
    }

    fn double(&self, question: usize) -> ParsedNumber<f64> {
        match &self.columns[question] {
            Some(TypedColumn::Double(column)) => column.read(self.row),
            Some(TypedColumn::Constant(constant)) => constant.double(),
            _ => ParsedNumber::Empty,
        }
    }

    fn mask(&self, question: usize) -> Result<Option<u32>, InvalidMask> {
        match &self.columns[question] {
            Some(TypedColumn::Mask(column)) => column.read(self.row),
            Some(TypedColumn::Constant(constant)) => Ok(constant.mask()),
            _ => Ok(None),
        }
    }

    fn name(&self, question: usize) -> Result<Cow<'_, str>, InvalidText> {
        Ok(Cow::Borrowed(match &self.columns[question] {
            Some(TypedColumn::Name(column)) => column.read(self.row),
            _ => "",
        }))
    }

    fn text(&self, question: usize) -> String {
        match &self.columns[question] {
            Some(TypedColumn::Number(column)) => column.show(self.row),
            Some(TypedColumn::Position(column)) => column.show(self.row),
            Some(TypedColumn::Double(column)) => column.show(self.row),
            Some(TypedColumn::Mask(column)) => column.show(self.row),
            Some(TypedColumn::Name(column)) => column.read(self.row).to_owned(),
            Some(TypedColumn::Constant(constant)) => constant.to_string(),
            None => String::new(),
        }
    }

    fn column_name(&self, question: usize) -> Option<&str> {
        self.names[question].as_deref()
    }
}

/// A CSV field as a number.
pub(crate) fn read_field<F: Float>(field: &[u8]) -> ParsedNumber<F> {
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
