//! The output's columns: those of the input, carried, and those of the answer behind them.
//!
//! One [`Plan`] is made for a run and shared by its workers. It reads the questions from a chunk of
//! the input and puts the chunk and its answers together to a piece of the output. Read `sink.rs`
//! next for where pieces go.

use std::sync::Arc;

use arrow_array::builder::{Float32Builder, StringBuilder, UInt32Builder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_cast::cast;
use arrow_schema::{ArrowError, FieldRef, SchemaRef};
use arrow_select::take::take;

use crate::answers::Answers;
use crate::binding::Binding;
use crate::collector::QuestionCollector;
use crate::csv::{Cells, CsvChunk, Fields, unquote};
use crate::fields::{CsvRow, TypedColumns, read_field, read_mask_field};
use crate::head::{Head, carried_fields, check_types, columnar_head, csv_head};
use crate::number::Reading;
use crate::source::{Chunk, Layout, Rows};
use crate::{Answer, Error, Format, Place, QuestionKind, Questions};

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
            check_types(&file, schema, &binding, job.questions())?;
        }
        let (head, carried) = match output {
            Format::Csv => (csv_head(&layout, &names, job.answers()), Vec::new()),
            Format::Parquet | Format::Arrow => {
                let carried = carried_fields(&file, &layout, &binding, job.questions(), output)?;
                (columnar_head(&layout, &carried, job.answers()), carried)
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
                    collector.row(&CsvRow {
                        binding: &self.binding,
                        fields: &fields,
                        row,
                    });
                }
            }
            Rows::Columnar(batch) => {
                let columns = TypedColumns::new(batch, &self.binding, questions)
                    .map_err(|error| self.damaged(chunk, &error))?;
                for row in 0..batch.num_rows() {
                    collector.row(&columns.row(row));
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

    /// The rows of a CSV chunk as typed columns: a question's numbers as f32, its masks as u32, and
    /// all else as text.
    fn typed(&self, rows: &CsvChunk) -> Result<Vec<ArrayRef>, Error> {
        let mut fields = Fields::default();
        let mut columns: Vec<CarriedColumn> = (0..self.names.len())
            .map(
                |column| match self.binding.kind_at(column, self.job.questions()) {
                    Some(QuestionKind::Number { .. }) => {
                        CarriedColumn::Number(Float32Builder::with_capacity(rows.len()))
                    }
                    Some(QuestionKind::Mask { .. }) => {
                        CarriedColumn::Mask(UInt32Builder::with_capacity(rows.len()))
                    }
                    Some(QuestionKind::Name) | None => CarriedColumn::Text(StringBuilder::new()),
                },
            )
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
                    CarriedColumn::Mask(column) => {
                        column.append_option(read_mask_field(field).unwrap_or(None));
                    }
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
                CarriedColumn::Mask(column) => Arc::new(column.finish()),
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
    Mask(UInt32Builder),
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
