//! Columns of CSV that pass through to typed columns.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{Float32Builder, Float64Builder, StringBuilder, UInt32Builder};

use super::Plan;
use crate::csv::{CsvChunk, Fields, unquote};
use crate::fields::{read_field, read_mask_field};
use crate::number::ParsedNumber;
use crate::source::Chunk;
use crate::{Error, QuestionKind};

impl Plan<'_> {
    /// The rows of a CSV chunk as typed columns: a question's numbers as f32, its f64 and
    /// positions in a frame as f64, its masks as u32, and all else as text. Skipped rows are null.
    pub(super) fn typed(&self, chunk: &Chunk, rows: &CsvChunk) -> Result<Vec<ArrayRef>, Error> {
        let mut fields = Fields::default();
        let mut columns: Vec<PassThroughColumn> = (0..self.names.len())
            .map(
                |column| match self.mapping.kind_at(column, self.job.questions()) {
                    Some((QuestionKind::Number { .. }, column)) if column.map().is_some() => {
                        PassThroughColumn::Double(Float64Builder::with_capacity(rows.len()))
                    }
                    Some((QuestionKind::Double { .. }, _)) => {
                        PassThroughColumn::Double(Float64Builder::with_capacity(rows.len()))
                    }
                    Some((QuestionKind::Number { .. }, _)) => {
                        PassThroughColumn::Number(Float32Builder::with_capacity(rows.len()))
                    }
                    Some((QuestionKind::Mask { .. }, _)) => {
                        PassThroughColumn::Mask(UInt32Builder::with_capacity(rows.len()))
                    }
                    Some((QuestionKind::Name, _)) | None => {
                        PassThroughColumn::Text(StringBuilder::new())
                    }
                },
            )
            .collect();
        for i in 0..rows.len() {
            let row = rows.row(i);
            fields.split(row);
            if fields.len() != self.names.len() {
                columns.iter_mut().for_each(PassThroughColumn::append_null);
                continue;
            }
            for (number, column) in columns.iter_mut().enumerate() {
                let field = fields.get(row, number);
                match column {
                    PassThroughColumn::Number(column) => match read_field(field) {
                        ParsedNumber::Number(number) => column.append_value(number),
                        _ => column.append_null(),
                    },
                    PassThroughColumn::Double(column) => match read_field(field) {
                        ParsedNumber::Number(number) => column.append_value(number),
                        _ => column.append_null(),
                    },
                    PassThroughColumn::Mask(column) => {
                        column.append_option(read_mask_field(field).unwrap_or(None));
                    }
                    PassThroughColumn::Text(column) if field.is_empty() => column.append_null(),
                    PassThroughColumn::Text(column) => match std::str::from_utf8(&unquote(field)) {
                        Ok(text) => column.append_value(text),
                        Err(_) => {
                            return Err(Error::NotUtf8 {
                                location: chunk.location(&self.file, i),
                                column: self.names[number].clone(),
                            });
                        }
                    },
                }
            }
        }
        let finish = |mut column: PassThroughColumn| -> ArrayRef {
            match &mut column {
                PassThroughColumn::Number(column) => Arc::new(column.finish()),
                PassThroughColumn::Double(column) => Arc::new(column.finish()),
                PassThroughColumn::Mask(column) => Arc::new(column.finish()),
                PassThroughColumn::Text(column) => Arc::new(column.finish()),
            }
        };
        Ok(columns.into_iter().map(finish).collect())
    }
}

/// The builder of a typed column from a column of CSV.
enum PassThroughColumn {
    Number(Float32Builder),
    Double(Float64Builder),
    Mask(UInt32Builder),
    Text(StringBuilder),
}

impl PassThroughColumn {
    fn append_null(&mut self) {
        match self {
            Self::Number(column) => column.append_null(),
            Self::Double(column) => column.append_null(),
            Self::Mask(column) => column.append_null(),
            Self::Text(column) => column.append_null(),
        }
    }
}
