//! The output's columns: those of the input pass through, and those of the answer follow.
//!
//! One [`Plan`] is made for a run and shared by its workers. It reads the questions from a chunk of
//! the input, and joins the chunk and its answers to a chunk of the output, which
//! `output_writer.rs` writes.

mod locations;
mod typed_csv;

use std::collections::BTreeMap;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt32Array};
use arrow_schema::{ArrowError, FieldRef, SchemaRef};
use arrow_select::take::take;

use crate::answers::{AnswerBuilder, Answers, WordCounts};
use crate::collector::QuestionCollector;
use crate::column_mapping::ColumnMapping;
use crate::columnar::unpack;
use crate::csv::{Cells, CsvChunk, Fields, write_row};
use crate::fields::{CsvRow, TypedColumns};
use crate::output_column::OutputColumn;
use crate::questions::Column;
use crate::run_options::{BadRows, RunOptions};
use crate::schema::{
    OutputSchema, check_types, coarse_columns, columnar_schema, csv_schema, pass_through_fields,
};
use crate::similar::report_similar;
use crate::source::{Chunk, InputSchema, Rows};
use crate::{Answer, ColumnKind, Error, Format, QuestionColumn, Questions};

/// What a run does with each chunk.
pub(crate) struct Plan<'a> {
    file: String,
    input_schema: InputSchema,
    names: Vec<String>,
    mapping: ColumnMapping,
    job: &'a dyn Answer,
    bad_rows: BadRows,
    answers: Vec<OutputColumn>,
    /// The position of the answer's column of status words, where they are counted.
    counted_status: Option<usize>,
    /// The position of the answer's column of objects, where they are counted.
    counted: Option<usize>,
    /// The positions of the answer's columns that are written; `None`: all of them.
    kept: Option<Vec<usize>>,
    /// The input's columns as fields of a typed output.
    pass_through: Vec<FieldRef>,
    output_schema: OutputSchema,
}

/// Some rows of the output.
pub(crate) enum OutputChunk {
    Csv(Vec<u8>),
    Columnar(RecordBatch),
}

impl<'a> Plan<'a> {
    /// Checks the input's columns.
    pub(crate) fn new(
        file: String,
        input_schema: InputSchema,
        output: Format,
        job: &'a dyn Answer,
        options: &RunOptions<'_>,
    ) -> Result<Self, Error> {
        let names = input_schema.names();
        let frame = job.frame();
        let mapping =
            ColumnMapping::new(&file, &names, job.questions(), frame, options.assignments)?;
        if let Err(reason) = job.check_columns(&mapping.are_there()) {
            return Err(Error::WrongColumns { file, reason });
        }
        report_similar(&file, &names, job, &mapping, options)?;
        let uses_aliases = mapping.uses_aliases();
        let answers = OutputColumn::all(job.answers(), options.prefix, frame, uses_aliases);
        let kept = options
            .columns
            .map(|kept| OutputColumn::kept(job.answers(), kept));
        let kept = kept.transpose()?;
        let written: Vec<OutputColumn> = match &kept {
            Some(kept) => kept.iter().map(|&i| answers[i].clone()).collect(),
            None => answers.clone(),
        };
        OutputColumn::check_names(&written, &file, &names)?;
        let is_status = |column: &OutputColumn| column.kind == ColumnKind::Status;
        let status = answers.iter().position(is_status);
        if let InputSchema::Columnar { schema, .. } = &input_schema {
            check_types(&file, schema, &mapping, job.questions())?;
        }
        let (output_schema, pass_through) = match output {
            Format::Csv | Format::CsvGzip | Format::CsvZstd | Format::Tsv => {
                (csv_schema(&input_schema, &names, &written), Vec::new())
            }
            Format::Parquet | Format::Arrow => {
                let fields =
                    pass_through_fields(&file, &input_schema, &mapping, job.questions(), output)?;
                let schema = columnar_schema(&input_schema, &fields, &written);
                (schema, fields)
            }
        };
        Ok(Self {
            file,
            input_schema,
            names,
            mapping,
            job,
            bad_rows: options.bad_rows,
            answers,
            counted_status: status,
            counted: options.counts_objects.then(|| object_column(job)).flatten(),
            kept,
            pass_through,
            output_schema,
        })
    }

    /// The same without counts of words, for which there is no summary.
    pub(crate) fn without_counts(self) -> Self {
        Self {
            counted_status: None,
            counted: None,
            ..self
        }
    }

    /// The columns of positions that are too coarse for their coordinates.
    pub(crate) fn coarse_columns(&self) -> Vec<String> {
        match &self.input_schema {
            InputSchema::Csv(_) => Vec::new(),
            InputSchema::Columnar { schema, .. } => coarse_columns(schema, &self.mapping),
        }
    }

    /// The schema of the output.
    pub(crate) fn output_schema(&self) -> &OutputSchema {
        &self.output_schema
    }

    /// Room for the answers to questions.
    pub(crate) fn builder(&self, questions: &Questions) -> AnswerBuilder {
        let wanted = |column| {
            let is_counted = [self.counted_status, self.counted].contains(&Some(column));
            let kept = self.kept.as_ref();
            is_counted || kept.is_none_or(|kept| kept.contains(&column))
        };
        AnswerBuilder::with_some(&self.answers, wanted, questions.rows().clone())
    }

    /// Counts the words of the status of answers, and their objects where that is wanted, and drops the
    /// columns that are not written.
    pub(crate) fn select(&self, answers: &mut Answers) -> WordCounts {
        let counts = WordCounts {
            statuses: self
                .counted_status
                .map_or_else(Vec::new, |column| answers.count_statuses(column)),
            objects: self
                .counted
                .map_or_else(BTreeMap::new, |column| answers.count_names(column)),
        };
        if let Some(kept) = &self.kept {
            answers.keep_columns(kept);
        }
        counts
    }

    /// Reads the questions of a chunk.
    pub(crate) fn questions(&self, chunk: &Chunk) -> Result<Questions, Error> {
        let questions = self.job.questions();
        let (first_row, rows) = (chunk.first_row, chunk.row_count());
        let mut collector = QuestionCollector::new(questions, &self.mapping, first_row, rows);
        match &chunk.rows {
            Rows::Csv(rows) => {
                let mut fields = Fields::default();
                for i in 0..rows.len() {
                    let row = rows.row(i);
                    fields.split(row);
                    if fields.len() != self.names.len() {
                        if self.bad_rows == BadRows::Skip {
                            collector.skip_row(fields.len());
                            continue;
                        }
                        return Err(Error::FieldCount {
                            location: chunk.location(&self.file, i),
                            found: fields.len(),
                            expected: self.names.len(),
                        });
                    }
                    collector.row(&CsvRow {
                        mapping: &self.mapping,
                        names: &self.names,
                        fields: &fields,
                        row,
                    });
                }
            }
            Rows::Columnar(batch) => {
                let columns = TypedColumns::new(batch, &self.mapping, questions)
                    .map_err(|error| self.damaged(chunk, &error))?;
                let whole = |(i, question): (usize, &QuestionColumn)| {
                    columns.whole(i, question.kind, batch.num_rows())
                };
                let all: Option<Vec<Column>> = questions.iter().enumerate().map(whole).collect();
                if let Some(all) = all {
                    return Ok(collector.finish_with(all, batch.num_rows()));
                }
                for row in 0..batch.num_rows() {
                    collector.row(&columns.row(row));
                }
            }
        }
        Ok(collector.finish())
    }

    /// Appends the answers to the columns of the chunk.
    pub(crate) fn combine(&self, chunk: &Chunk, answers: &Answers) -> Result<OutputChunk, Error> {
        match &self.output_schema {
            OutputSchema::Csv(_) => match &chunk.rows {
                Rows::Csv(rows) => self.splice(chunk, rows, answers),
                Rows::Columnar(batch) => {
                    let mut out = Vec::with_capacity(answers.rows * 16 * (self.names.len() + 8));
                    let input = self.cells(chunk, batch.columns())?;
                    let added = self.cells(chunk, &answers.columns)?;
                    for i in 0..answers.rows {
                        let row = answers.row_of(i);
                        self.write_row(chunk, &input, row, row, &mut out)?;
                        if !input.is_empty() {
                            out.push(b',');
                        }
                        self.write_row(chunk, &added, i, row, &mut out)?;
                        out.push(b'\n');
                    }
                    Ok(OutputChunk::Csv(out))
                }
            },
            OutputSchema::Columnar(schema) => self.append(chunk, schema, answers),
        }
    }

    /// CSV to CSV: each row's bytes, the answer, and the row's own line ending.
    fn splice(
        &self,
        chunk: &Chunk,
        rows: &CsvChunk,
        answers: &Answers,
    ) -> Result<OutputChunk, Error> {
        let newline = match &self.input_schema {
            InputSchema::Csv(header) => header.newline,
            InputSchema::Columnar { .. } => b"\n",
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
        Ok(OutputChunk::Csv(out))
    }

    /// Anything to typed columns: each row of the input as often as it has answers.
    fn append(
        &self,
        chunk: &Chunk,
        schema: &SchemaRef,
        answers: &Answers,
    ) -> Result<OutputChunk, Error> {
        let input = match &chunk.rows {
            Rows::Csv(rows) => self.typed(chunk, rows)?,
            Rows::Columnar(batch) => batch.columns().to_vec(),
        };
        let rows = answers.origins.clone().map(UInt32Array::from);
        let repeat = |(column, field): (&ArrayRef, &FieldRef)| {
            let column = match column.data_type() == field.data_type() {
                true => column.clone(),
                // A dictionary in the input, its values in the output.
                false => unpack(column)?,
            };
            match &rows {
                Some(rows) => take(&column, rows, None),
                None => Ok(column),
            }
        };
        let columns = input.iter().zip(&self.pass_through).map(repeat);
        let columns = columns.chain(answers.columns.iter().cloned().map(Ok));
        let options = RecordBatchOptions::new().with_row_count(Some(answers.rows));
        columns
            .collect::<Result<Vec<_>, _>>()
            .and_then(|all| RecordBatch::try_new_with_options(schema.clone(), all, &options))
            .map(OutputChunk::Columnar)
            .map_err(|error| self.damaged(chunk, &error))
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
            location: self.location(chunk, origin),
            column: self.names.get(column).cloned().unwrap_or_default(),
            reason,
        })
    }

    /// The error of a kernel on a batch that passed its reader's checks.
    fn damaged(&self, chunk: &Chunk, error: &ArrowError) -> Error {
        Error::Damaged {
            file: self.file.clone(),
            format: "table",
            at: format!("after row {}", chunk.first_row),
            reason: error.to_string(),
        }
    }
}

/// The position of the answer's column of objects' names.
fn object_column(job: &dyn Answer) -> Option<usize> {
    job.answers()
        .iter()
        .position(|column| column.name == "object")
}

impl Answers {
    /// The chunk's row that a row of the answers belongs to.
    fn row_of(&self, row: usize) -> usize {
        self.origins
            .as_ref()
            .map_or(row, |origins| origins[row] as usize)
    }
}
