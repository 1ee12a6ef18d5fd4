//! One row of a table, answered by itself: its question and its answers as values.
//!
//! The row is read and answered as [`run`](crate::run()) reads and answers it; nothing is written.

use std::sync::atomic::AtomicBool;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};

use crate::answers::AnswerBuilder;
use crate::collector::{QuestionCollector, RowFields};
use crate::column_mapping::ColumnMapping;
use crate::csv::{CsvChunk, Fields, write_text};
use crate::fields::{CsvRow, TypedColumns};
use crate::output_column::OutputColumn;
use crate::run::until_stopped;
use crate::run_options::RunOptions;
use crate::schema::check_types;
use crate::similar::report_similar;
use crate::source::{Chunk, InputSchema, Rows, Source};
use crate::{
    Answer, ColumnKind, Error, Input, InvalidRow, Location, QuestionColumn, QuestionKind,
    Questions, RowRange,
};

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A name, a status word, or what should have been a number and is none.
    Text(String),
    /// A number: the f64 that reads as the same text, so that 0.1 as f32 is 0.1 here too.
    Number(f64),
    /// A mask, an index or the number of a row.
    Integer(u64),
}

/// A row of a table, its question and its answers. `None` is an empty field.
#[derive(Debug, Clone)]
pub struct AnsweredRow {
    /// The row.
    pub location: Location,
    /// The columns of the question, under the table's names for them or those by which they were
    /// assigned, those that the table lacks too.
    pub question: Vec<(String, Option<Value>)>,
    /// The columns of each answer.
    pub answers: Vec<Vec<(String, Option<Value>)>>,
    /// Why the row cannot be used.
    pub invalid: Option<String>,
    /// The question as the answer got it; empty where the row cannot be read.
    pub questions: Questions,
}

/// Answers the row of `input` with this number, counted from 0.
///
/// ```
/// use hitscan_table::{
///     Answer, AnswerBuilder, AnswerColumn, ColumnKind, Input, QuestionColumn, Questions, RunOptions,
///     Value, answer_row,
/// };
/// use std::sync::atomic::AtomicBool;
///
/// struct Square;
///
/// impl Answer for Square {
///     fn questions(&self) -> &[QuestionColumn] {
///         const { &[QuestionColumn::required("x")] }
///     }
///     fn answers(&self) -> &[AnswerColumn] {
///         const { &[AnswerColumn::new("square", ColumnKind::F32)] }
///     }
///     fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
///         for (i, x) in questions.column(0).iter().enumerate() {
///             out.row(i).f32(x * x);
///         }
///     }
/// }
///
/// let cancel = AtomicBool::new(false);
/// let table = || Input::Stream {
///     name: "numbers".to_owned(),
///     reader: Box::new(&b"note,x\na,3\nb,4\n"[..]),
/// };
/// let row = answer_row(table(), 1, &Square, &RunOptions::new(&cancel))?;
/// assert_eq!(row.question, [("x".to_owned(), Some(Value::Number(4.0)))]);
/// assert_eq!(row.answers, [[("square".to_owned(), Some(Value::Number(16.0)))]]);
/// let error = answer_row(table(), 2, &Square, &RunOptions::new(&cancel)).unwrap_err();
/// assert!(error.to_string().contains("there is no row 2"));
/// # Ok::<(), hitscan_table::Error>(())
/// ```
///
/// # Errors
/// Those of [`run`](crate::run()) on this row, and [`Error::NoSuchRow`].
///
/// # Panics
/// When `job` panics, or does not answer as [`AnswerBuilder`] requires.
pub fn answer_row(
    input: Input,
    row: u64,
    job: &dyn Answer,
    options: &RunOptions<'_>,
) -> Result<AnsweredRow, Error> {
    until_stopped(options, |stop| {
        let file = input.name();
        let own = RowRange {
            start: row,
            end: row.saturating_add(1),
        };
        let (mut source, schema) = Source::open_ranges(input, options, &[own], stop)?;
        let table = Table::new(file, schema.names(), job, options)?;
        table.check_names()?;
        report_similar(&table.file, &table.names, job, &table.mapping, options)?;
        if let InputSchema::Columnar { schema, .. } = &schema {
            check_types(&table.file, schema, &table.mapping, job.questions())?;
        }
        let chunk = source.next_chunk()?;
        if stop.is_cancelled() {
            return Err(Error::Cancelled);
        }
        match chunk {
            Some(chunk) => table.chunk(&chunk)?.answer(0),
            None => Err(Error::NoSuchRow {
                file: table.file,
                row,
                rows: source.next_row(),
            }),
        }
    })
}

/// Answers a row that is in no table: the names of columns and the texts of their fields, as CSV has
/// them without quotes. `name` is what messages call it.
///
/// ```
/// # use hitscan_table::{
/// #     Answer, AnswerBuilder, AnswerColumn, ColumnKind, QuestionColumn, Questions, Value, answer_fields,
/// # };
/// struct Square;
/// # impl Answer for Square {
/// #     fn questions(&self) -> &[QuestionColumn] {
/// #         const { &[QuestionColumn::required("x")] }
/// #     }
/// #     fn answers(&self) -> &[AnswerColumn] {
/// #         const { &[AnswerColumn::new("square", ColumnKind::F32)] }
/// #     }
/// #     fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
/// #         for (i, x) in questions.column(0).iter().enumerate() {
/// #             out.row(i).f32(x * x);
/// #         }
/// #     }
/// # }
/// let row = answer_fields("the question", &[("x", "1.5"), ("note", "a, b")], &Square)?;
/// assert_eq!(row.answers, [[("square".to_owned(), Some(Value::Number(2.25)))]]);
/// let error = answer_fields("the question", &[("y", "1.5")], &Square).unwrap_err();
/// assert!(error.to_string().contains("x"));
/// # Ok::<(), hitscan_table::Error>(())
/// ```
///
/// # Errors
/// Those of [`run`](crate::run()) on a table with this row alone.
///
/// # Panics
/// When `job` panics, or does not answer as [`AnswerBuilder`] requires.
pub fn answer_fields(
    name: &str,
    fields: &[(impl AsRef<str>, impl AsRef<str>)],
    job: &dyn Answer,
) -> Result<AnsweredRow, Error> {
    let names = fields.iter().map(|(name, _)| name.as_ref().to_owned());
    let cancel = AtomicBool::new(false);
    let options = RunOptions::new(&cancel);
    let table = Table::new(name.to_owned(), names.collect(), job, &options)?;
    table.check_names()?;
    let mut row = Vec::new();
    for (index, (_, text)) in fields.iter().enumerate() {
        if index > 0 {
            row.push(b',');
        }
        if !text.as_ref().is_empty() {
            write_text(text.as_ref().as_bytes(), &mut row);
        }
    }
    let mut split = Fields::default();
    split.split(&row);
    let row = CsvRow {
        mapping: &table.mapping,
        names: &table.names,
        fields: &split,
        row: &row,
    };
    let location = Location {
        file: table.file.clone(),
        line: None,
        row: 0,
        file_row: None,
    };
    table.answer_fields(&row, 0, location)
}

/// The columns of a table, and what answers it.
pub(crate) struct Table<'a> {
    file: String,
    pub(crate) names: Vec<String>,
    pub(crate) mapping: ColumnMapping,
    pub(crate) answers: Vec<OutputColumn>,
    job: &'a dyn Answer,
}

impl<'a> Table<'a> {
    /// Checks the input's columns.
    pub(crate) fn new(
        file: String,
        names: Vec<String>,
        job: &'a dyn Answer,
        options: &RunOptions<'_>,
    ) -> Result<Self, Error> {
        let (frame, prefix, assignments) = (job.frame(), options.prefix, options.assignments);
        let mapping = ColumnMapping::new(&file, &names, job.questions(), frame, assignments)?;
        if let Err(reason) = job.check_columns(&mapping.are_there()) {
            return Err(Error::WrongColumns { file, reason });
        }
        let uses_aliases = mapping.uses_aliases();
        let answers = OutputColumn::all(job.answers(), prefix, frame, uses_aliases);
        Ok(Self {
            file,
            names,
            mapping,
            answers,
            job,
        })
    }

    /// Refuses a column that has the name of one of the answer's.
    fn check_names(&self) -> Result<(), Error> {
        OutputColumn::check_names(&self.answers, &self.file, &self.names)
    }

    /// Rows of the table, whose columns are looked up once for all of them.
    pub(crate) fn chunk<'t>(&'t self, chunk: &'t Chunk) -> Result<TableChunk<'t>, Error> {
        let rows = match &chunk.rows {
            Rows::Csv(rows) => ChunkRows::Csv(rows),
            Rows::Columnar(batch) => {
                let columns = TypedColumns::new(batch, &self.mapping, self.job.questions());
                ChunkRows::Columnar(columns.map_err(|error| Error::Damaged {
                    file: self.file.clone(),
                    format: "table",
                    at: format!("after row {}", chunk.first_row),
                    reason: error.to_string(),
                })?)
            }
        };
        let table = self;
        Ok(TableChunk { table, chunk, rows })
    }

    fn answer_fields(
        &self,
        fields: &impl RowFields,
        number: u64,
        location: Location,
    ) -> Result<AnsweredRow, Error> {
        let columns = self.job.questions();
        let mut collector = QuestionCollector::new(columns, &self.mapping, number, 1);
        collector.row(fields);
        let questions = collector.finish();
        let mut builder = AnswerBuilder::new(&self.answers, questions.rows().clone());
        self.job.answer(&questions, &mut builder);
        let answers = builder.finish();
        let asked = |(i, column): (usize, &QuestionColumn)| {
            let assigned = self.mapping.assigned_name(i);
            let name = assigned.or(fields.column_name(i));
            (
                name.unwrap_or(column.name).to_owned(),
                field_value(column, i, fields),
            )
        };
        let answer = |row| {
            let columns = self.answers.iter().zip(&answers.columns);
            let value = |(column, array): (&OutputColumn, &ArrayRef)| {
                (column.name.clone(), answer_value(column, array, row))
            };
            columns.map(value).collect()
        };
        Ok(AnsweredRow {
            location,
            question: columns.iter().enumerate().map(asked).collect(),
            answers: (0..answers.rows).map(answer).collect(),
            invalid: answers.invalid.into_iter().next().map(|(_, reason)| reason),
            questions,
        })
    }
}

/// Rows of a table.
pub(crate) struct TableChunk<'t> {
    table: &'t Table<'t>,
    chunk: &'t Chunk,
    rows: ChunkRows<'t>,
}

enum ChunkRows<'t> {
    Csv(&'t CsvChunk),
    Columnar(TypedColumns),
}

impl TableChunk<'_> {
    /// Answers a row, counted from the chunk's first.
    pub(crate) fn answer(&self, index: usize) -> Result<AnsweredRow, Error> {
        let table = self.table;
        let number = self.chunk.first_row + index as u64;
        let location = self.chunk.location(&table.file, index);
        match &self.rows {
            ChunkRows::Csv(rows) => {
                let row = rows.row(index);
                let mut fields = Fields::default();
                fields.split(row);
                if fields.len() != table.names.len() {
                    return Err(Error::FieldCount {
                        location,
                        found: fields.len(),
                        expected: table.names.len(),
                    });
                }
                let row = CsvRow {
                    mapping: &table.mapping,
                    names: &table.names,
                    fields: &fields,
                    row,
                };
                table.answer_fields(&row, number, location)
            }
            ChunkRows::Columnar(columns) => {
                table.answer_fields(&columns.row(index), number, location)
            }
        }
    }
}

impl AnsweredRow {
    /// The row as messages name one that cannot be used, if it is one.
    #[must_use]
    pub fn invalid_row(&self) -> Option<InvalidRow> {
        Some(InvalidRow {
            location: self.location.clone(),
            column: None,
            reason: self.invalid.clone()?,
            is_skipped: false,
        })
    }
}

/// A field as its column reads it, in the coordinates of the table.
fn field_value(column: &QuestionColumn, i: usize, fields: &impl RowFields) -> Option<Value> {
    match column.kind {
        QuestionKind::Name => {
            let name = fields.name(i).ok()?;
            (!name.is_empty()).then(|| Value::Text(name.into_owned()))
        }
        QuestionKind::Mask { .. } => match fields.mask(i) {
            Ok(mask) => mask.map(|mask| Value::Integer(mask.into())),
            Err(_) => Some(Value::Text(fields.text(i))),
        },
        QuestionKind::Number { .. } | QuestionKind::Double { .. } => {
            let text = fields.text(i);
            let digits = text.trim_matches([' ', '\t', '"']);
            match digits.parse() {
                Ok(number) => Some(Value::Number(number)),
                Err(_) if digits.is_empty() => None,
                Err(_) => Some(Value::Text(text)),
            }
        }
    }
}

/// A value of a column that a builder made.
pub(crate) fn answer_value(column: &OutputColumn, array: &ArrayRef, row: usize) -> Option<Value> {
    if array.is_null(row) {
        return None;
    }
    Some(match column.kind {
        ColumnKind::Status | ColumnKind::Text => {
            Value::Text(array.as_string::<i32>().value(row).to_owned())
        }
        ColumnKind::F32 if column.map.is_some() => {
            Value::Number(array.as_primitive::<Float64Type>().value(row))
        }
        ColumnKind::F32 => {
            let number = array.as_primitive::<Float32Type>().value(row);
            // The shortest text of an f32 is that of an f64 too.
            let same_text = number.to_string().parse();
            Value::Number(same_text.unwrap_or(f64::from(number)))
        }
        ColumnKind::U32 => Value::Integer(array.as_primitive::<UInt32Type>().value(row).into()),
        ColumnKind::U64 | ColumnKind::RowNumber => {
            Value::Integer(array.as_primitive::<UInt64Type>().value(row))
        }
    })
}
