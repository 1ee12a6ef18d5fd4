//! The schema of an output: the header line of CSV, or typed fields.
//!
//! Only names and types are checked here, before any row is read.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};

use crate::column_mapping::{ColumnMapping, MappedColumn};
use crate::columnar::{holds_names, holds_numbers};
use crate::csv::{CsvHeader, write_text};
use crate::output_column::OutputColumn;
use crate::source::InputSchema;
use crate::{Error, Format, QuestionColumn, QuestionKind};

/// The columns of an output.
#[derive(Debug, Clone)]
pub(crate) enum OutputSchema {
    /// The header line and its line ending.
    Csv(Vec<u8>),
    Columnar(SchemaRef),
}

/// Refuses a question's column of a type that cannot hold what the question needs.
pub(crate) fn check_types(
    file: &str,
    schema: &Schema,
    mapping: &ColumnMapping,
    questions: &[QuestionColumn],
) -> Result<(), Error> {
    for (question, column) in questions.iter().zip(&mapping.columns) {
        let Some(index) = column.and_then(MappedColumn::index) else {
            continue;
        };
        let found = schema.field(index).data_type();
        let (fits, expected) = match question.kind {
            QuestionKind::Number { .. } | QuestionKind::Double { .. } => {
                (holds_numbers(found), "numbers")
            }
            QuestionKind::Mask { .. } => (holds_numbers(found), "whole numbers"),
            QuestionKind::Name => (holds_names(found), "text"),
        };
        if !fits {
            return Err(Error::ColumnType {
                file: file.to_owned(),
                column: schema.field(index).name().clone(),
                found: found.to_string(),
                expected,
            });
        }
    }
    Ok(())
}

/// The names of typed columns of positions that were rounded by more than a millimetre before they
/// came here: floats of 32 and 16 bits, far from the table's 0.
pub(crate) fn coarse_columns(schema: &Schema, mapping: &ColumnMapping) -> Vec<String> {
    /// Numbers that are so far apart are off by up to a millimetre when they are rounded.
    const COARSE_METRES: f64 = 0.002;
    let name = |column: MappedColumn| {
        let field = schema.field(column.index()?);
        let epsilon = match field.data_type() {
            DataType::Float32 => f64::from(f32::EPSILON),
            DataType::Float16 => 1.0 / 1024.0,
            _ => return None,
        };
        let map = column.map()?;
        let is_coarse = (map.zero * epsilon * map.metres_per_unit).abs() > COARSE_METRES;
        is_coarse.then(|| field.name().clone())
    };
    let columns = mapping.columns.iter().flatten().copied();
    columns.filter_map(name).collect()
}

/// The header line of a CSV output.
pub(crate) fn csv_schema(
    input: &InputSchema,
    names: &[String],
    answers: &[OutputColumn],
) -> OutputSchema {
    let (mut line, newline) = match input {
        InputSchema::Csv(CsvHeader { line, newline, .. }) => (line.clone(), *newline),
        InputSchema::Columnar { .. } => {
            let mut line = Vec::new();
            append_names(names.iter().map(String::as_str), &mut line);
            (line, &b"\n"[..])
        }
    };
    append_names(answers.iter().map(|column| &*column.name), &mut line);
    line.extend_from_slice(newline);
    OutputSchema::Csv(line)
}

/// The schema of a table that has columns of answers alone.
pub(crate) fn answer_schema(format: Format, answers: &[OutputColumn]) -> OutputSchema {
    match format {
        Format::Csv | Format::CsvGzip | Format::CsvZstd | Format::Tsv => {
            let mut line = Vec::new();
            append_names(answers.iter().map(|column| &*column.name), &mut line);
            line.push(b'\n');
            OutputSchema::Csv(line)
        }
        Format::Parquet | Format::Arrow => {
            let fields: Vec<Field> = answers.iter().map(OutputColumn::field).collect();
            OutputSchema::Columnar(Arc::new(Schema::new(fields)))
        }
    }
}

fn append_names<'n>(names: impl Iterator<Item = &'n str>, line: &mut Vec<u8>) {
    for name in names {
        if !line.is_empty() {
            line.push(b',');
        }
        write_text(name.as_bytes(), line);
    }
}

/// The schema of a typed output.
pub(crate) fn columnar_schema(
    input: &InputSchema,
    pass_through: &[FieldRef],
    answers: &[OutputColumn],
) -> OutputSchema {
    let answers = answers.iter().map(|column| Arc::new(column.field()));
    let fields: Vec<FieldRef> = pass_through.iter().cloned().chain(answers).collect();
    let metadata = match input {
        InputSchema::Csv(_) => Default::default(),
        InputSchema::Columnar { schema, .. } => schema.metadata().clone(),
    };
    OutputSchema::Columnar(Arc::new(Schema::new_with_metadata(fields, metadata)))
}

/// The input's columns as fields of a typed output.
pub(crate) fn pass_through_fields(
    file: &str,
    input: &InputSchema,
    mapping: &ColumnMapping,
    questions: &[QuestionColumn],
    output: Format,
) -> Result<Vec<FieldRef>, Error> {
    match input {
        InputSchema::Csv(header) => {
            let field = |(column, name): (usize, &Vec<u8>)| {
                let name = str::from_utf8(name).map_err(|_| Error::HeaderNotUtf8 {
                    file: file.to_owned(),
                    column: column + 1,
                })?;
                let data_type = match mapping.kind_at(column, questions) {
                    Some((QuestionKind::Number { .. }, column)) if column.map().is_some() => {
                        DataType::Float64
                    }
                    Some((QuestionKind::Double { .. }, _)) => DataType::Float64,
                    Some((QuestionKind::Number { .. }, _)) => DataType::Float32,
                    Some((QuestionKind::Mask { .. }, _)) => DataType::UInt32,
                    Some((QuestionKind::Name, _)) | None => DataType::Utf8,
                };
                Ok(Arc::new(Field::new(name, data_type, true)))
            };
            header.names.iter().enumerate().map(field).collect()
        }
        InputSchema::Columnar {
            schema,
            one_dictionary,
        } => {
            let field = |field: &FieldRef| match field.data_type() {
                // An IPC file has one dictionary a column, where other formats may have many.
                DataType::Dictionary(_, values) if output == Format::Arrow && !one_dictionary => {
                    let plain = field
                        .as_ref()
                        .clone()
                        .with_data_type(values.as_ref().clone());
                    Arc::new(plain)
                }
                _ => field.clone(),
            };
            Ok(schema.fields().iter().map(field).collect())
        }
    }
}
