//! The output's columns: those of the input, carried, and those of the answer behind them.
//!
//! One [`Plan`] is made for a run and shared by its workers. It reads the questions from a chunk of
//! the input and puts the chunk and its answers together to a piece of the output. Read `sink.rs`
//! next for where pieces go.

use std::sync::Arc;

use arrow_array::builder::{Float32Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use arrow_select::take::take;

use crate::answers::{Answers, field};
use crate::binding::Binding;
use crate::columnar::{NumberColumn, holds_numbers};
use crate::csv::{Cells, CsvChunk, CsvHeader, Fields, is_quoted, unquote, write_text};
use crate::number::{Reading, read_text};
use crate::questions::QuestionCollector;
use crate::source::{Chunk, Layout, Rows};
use crate::{Answer, Error, Format, Place, Questions};

/// What a run does with each chunk.
pub(crate) struct Plan<'a> {
    file: String,
    layout: Layout,
    names: Vec<String>,
    binding: Binding,
    job: &'a dyn Answer,
    /// The columns that are carried, as they stand in a typed output.
    carried: Vec<FieldRef>,
    head: Head,
}

/// With what an output begins.
#[derive(Debug, Clone)]
pub(crate) enum Head {
    /// The header line and its line ending.
    Csv(Vec<u8>),
    Columnar(SchemaRef),
}

/// Some rows of the output.
pub(crate) enum Piece {
    Csv(Vec<u8>),
    Columnar(RecordBatch),
}

impl<'a> Plan<'a> {
    /// Judges the input's columns.
    pub(crate) fn new(
        file: String,
        layout: Layout,
        output: Format,
        job: &'a dyn Answer,
    ) -> Result<Self, Error> {
        let names = layout.names();
        let binding = Binding::new(&file, &names, job.questions(), job.answers())?;
        if let Layout::Columnar { schema, .. } = &layout {
            check_types(&file, schema, &binding, job)?;
        }
        let mut carried = Vec::new();
        let head = match output {
            Format::Csv => Head::Csv(csv_head(&layout, &names, job)),
            Format::Parquet | Format::Arrow => {
                carried = carried_fields(&file, &layout, &binding, output)?;
                let answers = job.answers().iter().map(|column| Arc::new(field(column)));
                let fields: Vec<FieldRef> = carried.iter().cloned().chain(answers).collect();
                let metadata = match &layout {
                    Layout::Csv(_) => Default::default(),
                    Layout::Columnar { schema, .. } => schema.metadata().clone(),
                };
                Head::Columnar(Arc::new(Schema::new_with_metadata(fields, metadata)))
            }
        };
        Ok(Self {
            file,
            layout,
            names,
            binding,
            job,
            carried,
            head,
        })
    }

    /// With what the output begins.
    pub(crate) fn head(&self) -> &Head {
        &self.head
    }

    /// Where a row of the chunk stands in the table.
    pub(crate) fn place(&self, chunk: &Chunk, row: usize) -> Place {
        match &chunk.rows {
            Rows::Csv(rows) => rows.place(&self.file, row),
            Rows::Columnar(_) => Place {
                file: self.file.clone(),
                line: None,
                row: chunk.first_row + row as u64,
            },
        }
    }

    /// Reads the questions of a chunk.
    pub(crate) fn questions(&self, chunk: &Chunk) -> Result<Questions, Error> {
        let questions = self.job.questions();
        let mut collector = QuestionCollector::new(questions, chunk.first_row, chunk.row_count());
        match &chunk.rows {
            Rows::Csv(rows) => {
                let mut fields = Fields::default();
                for i in 0..rows.len() {
                    let row = rows.row(i);
                    fields.split(row);
                    if fields.len() != self.names.len() {
                        return Err(Error::FieldCount {
                            place: rows.place(&self.file, i),
                            found: fields.len(),
                            expected: self.names.len(),
                        });
                    }
                    let field = |question: usize| {
                        self.binding.columns[question].map(|column| fields.get(row, column))
                    };
                    collector.row(
                        |question| field(question).map_or(Reading::Empty, read_field),
                        |question| {
                            shorten(&String::from_utf8_lossy(field(question).unwrap_or(b"")))
                        },
                    );
                }
            }
            Rows::Columnar(batch) => {
                let number = |column: Option<usize>| {
                    let number = column.map(|column| NumberColumn::new(batch.column(column)));
                    number
                        .transpose()
                        .map_err(|error| self.damaged(chunk, &error))
                };
                let columns = self.binding.columns.iter().map(|&column| number(column));
                let columns: Vec<Option<NumberColumn>> = columns.collect::<Result<_, _>>()?;
                for row in 0..batch.num_rows() {
                    let column = |question: usize| columns[question].as_ref();
                    collector.row(
                        |question| column(question).map_or(Reading::Empty, |c| c.read(row)),
                        |question| {
                            shorten(&column(question).map_or_else(String::new, |c| c.show(row)))
                        },
                    );
                }
            }
        }
        Ok(collector.finish())
    }

    /// Puts the answers behind the columns of the chunk.
    pub(crate) fn combine(&self, chunk: &Chunk, answers: &Answers) -> Result<Piece, Error> {
        match &self.head {
            Head::Csv(_) => match &chunk.rows {
                Rows::Csv(rows) => self.splice(chunk, rows, answers),
                Rows::Columnar(batch) => {
                    let mut out = Vec::with_capacity(answers.rows * 16 * (self.names.len() + 8));
                    let carried = self.cells(chunk, batch.columns())?;
                    let added = self.cells(chunk, &answers.columns)?;
                    for i in 0..answers.rows {
                        let row = answers.row_of(i);
                        self.write_row(chunk, &carried, row, row, &mut out)?;
                        if !carried.is_empty() {
                            out.push(b',');
                        }
                        self.write_row(chunk, &added, i, row, &mut out)?;
                        out.push(b'\n');
                    }
                    Ok(Piece::Csv(out))
                }
            },
            Head::Columnar(schema) => self.append(chunk, schema, answers),
        }
    }

    /// CSV to CSV: each row's bytes, the answer, and the row's own line ending.
    fn splice(&self, chunk: &Chunk, rows: &CsvChunk, answers: &Answers) -> Result<Piece, Error> {
        let newline = match &self.layout {
            Layout::Csv(header) => header.newline,
            Layout::Columnar { .. } => b"\n",
        };
        let added = self.cells(chunk, &answers.columns)?;
        let mut out = Vec::with_capacity(rows.byte_len() + answers.rows * 8 * added.len());
        for i in 0..answers.rows {
            let row = answers.row_of(i);
            out.extend_from_slice(rows.row(row));
            out.push(b',');
            self.write_row(chunk, &added, i, row, &mut out)?;
            match rows.newline(row) {
                b"" => out.extend_from_slice(newline),
                own => out.extend_from_slice(own),
            }
        }
        Ok(Piece::Csv(out))
    }

    /// Anything to typed columns: each carried row as often as it has answers.
    fn append(&self, chunk: &Chunk, schema: &SchemaRef, answers: &Answers) -> Result<Piece, Error> {
        let carried = match &chunk.rows {
            Rows::Csv(rows) => self.typed(rows)?,
            Rows::Columnar(batch) => batch.columns().to_vec(),
        };
        let rows = answers.origins.clone().map(UInt32Array::from);
        let repeat = |(column, field): (&ArrayRef, &FieldRef)| {
            let column = match column.data_type() == field.data_type() {
                true => column.clone(),
                false => cast(column, field.data_type())?,
            };
            match &rows {
                Some(rows) => take(&column, rows, None),
                None => Ok(column),
            }
        };
        let columns = carried.iter().zip(&self.carried).map(repeat);
        let columns = columns.chain(answers.columns.iter().cloned().map(Ok));
        let options = RecordBatchOptions::new().with_row_count(Some(answers.rows));
        columns
            .collect::<Result<Vec<_>, _>>()
            .and_then(|all| RecordBatch::try_new_with_options(schema.clone(), all, &options))
            .map(Piece::Columnar)
            .map_err(|error| self.damaged(chunk, &error))
    }

    /// The rows of a CSV chunk as typed columns: f32 for a question's, text for others.
    fn typed(&self, rows: &CsvChunk) -> Result<Vec<ArrayRef>, Error> {
        let mut fields = Fields::default();
        let mut columns: Vec<CarriedColumn> = (0..self.names.len())
            .map(|column| match self.binding.question_at(column) {
                Some(_) => CarriedColumn::Number(Float32Builder::with_capacity(rows.len())),
                None => CarriedColumn::Text(StringBuilder::new()),
            })
            .collect();
        for i in 0..rows.len() {
            let row = rows.row(i);
            fields.split(row);
            for (number, column) in columns.iter_mut().enumerate() {
                let field = fields.get(row, number);
                match column {
                    CarriedColumn::Number(column) => match read_field(field) {
                        Reading::Number(number) => column.append_value(number),
                        _ => column.append_null(),
                    },
                    CarriedColumn::Text(column) if field.is_empty() => column.append_null(),
                    CarriedColumn::Text(column) => match std::str::from_utf8(&unquote(field)) {
                        Ok(text) => column.append_value(text),
                        Err(_) => {
                            return Err(Error::NotUtf8 {
                                place: rows.place(&self.file, i),
                                column: self.names[number].clone(),
                            });
                        }
                    },
                }
            }
        }
        let finish = |mut column: CarriedColumn| -> ArrayRef {
            match &mut column {
                CarriedColumn::Number(column) => Arc::new(column.finish()),
                CarriedColumn::Text(column) => Arc::new(column.finish()),
            }
        };
        Ok(columns.into_iter().map(finish).collect())
    }

    fn cells<'c>(&self, chunk: &Chunk, columns: &'c [ArrayRef]) -> Result<Vec<Cells<'c>>, Error> {
        let cells = columns.iter().map(|column| Cells::new(column));
        cells
            .collect::<Result<_, _>>()
            .map_err(|error| self.damaged(chunk, &error))
    }

    /// Appends a row of `cells`, which belongs to the chunk's row `origin`.
    fn write_row(
        &self,
        chunk: &Chunk,
        cells: &[Cells<'_>],
        row: usize,
        origin: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        write_row(cells, row, out).map_err(|(column, reason)| Error::NoText {
            place: self.place(chunk, origin),
            column: self.names.get(column).cloned().unwrap_or_default(),
            reason,
        })
    }

    /// What a kernel says about a batch that passed its reader's checks.
    fn damaged(&self, chunk: &Chunk, error: &ArrowError) -> Error {
        Error::Damaged {
            file: self.file.clone(),
            format: "table",
            at: format!("after row {}", chunk.first_row),
            reason: error.to_string(),
        }
    }
}

/// A column of CSV on its way to a typed one.
enum CarriedColumn {
    Number(Float32Builder),
    Text(StringBuilder),
}

impl Answers {
    /// The chunk's row that a row of the answers belongs to.
    fn row_of(&self, row: usize) -> usize {
        self.origins
            .as_ref()
            .map_or(row, |origins| origins[row] as usize)
    }
}

/// Appends a row of fields with commas between them; the error is the column and the reason.
pub(crate) fn write_row(
    cells: &[Cells<'_>],
    row: usize,
    out: &mut Vec<u8>,
) -> Result<(), (usize, String)> {
    for (column, cell) in cells.iter().enumerate() {
        if column > 0 {
            out.push(b',');
        }
        cell.write(row, out).map_err(|reason| (column, reason))?;
    }
    Ok(())
}

/// A CSV field of a question as a number.
fn read_field(field: &[u8]) -> Reading {
    match is_quoted(field) {
        true => read_text(&unquote(field)),
        false => read_text(field),
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

fn check_types(
    file: &str,
    schema: &Schema,
    binding: &Binding,
    job: &dyn Answer,
) -> Result<(), Error> {
    for (question, column) in job.questions().iter().zip(&binding.columns) {
        let data_type = column.map(|column| schema.field(column).data_type());
        if let Some(found) = data_type.filter(|data_type| !holds_numbers(data_type)) {
            return Err(Error::ColumnType {
                file: file.to_owned(),
                column: question.name,
                found: found.to_string(),
            });
        }
    }
    Ok(())
}

/// The header line of a CSV output.
fn csv_head(layout: &Layout, names: &[String], job: &dyn Answer) -> Vec<u8> {
    let (mut line, newline) = match layout {
        Layout::Csv(CsvHeader { line, newline, .. }) => (line.clone(), *newline),
        Layout::Columnar { .. } => {
            let mut line = Vec::new();
            for (column, name) in names.iter().enumerate() {
                if column > 0 {
                    line.push(b',');
                }
                write_text(name.as_bytes(), &mut line);
            }
            (line, &b"\n"[..])
        }
    };
    for column in job.answers() {
        if !line.is_empty() {
            line.push(b',');
        }
        write_text(column.name.as_bytes(), &mut line);
    }
    line.extend_from_slice(newline);
    line
}

/// The carried columns of a typed output.
fn carried_fields(
    file: &str,
    layout: &Layout,
    binding: &Binding,
    output: Format,
) -> Result<Vec<FieldRef>, Error> {
    match layout {
        Layout::Csv(header) => {
            let field = |(column, name): (usize, &Vec<u8>)| {
                let name = str::from_utf8(name).map_err(|_| Error::HeaderNotUtf8 {
                    file: file.to_owned(),
                    column: column + 1,
                })?;
                let data_type = match binding.question_at(column) {
                    Some(_) => DataType::Float32,
                    None => DataType::Utf8,
                };
                Ok(Arc::new(Field::new(name, data_type, true)))
            };
            header.names.iter().enumerate().map(field).collect()
        }
        Layout::Columnar {
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
