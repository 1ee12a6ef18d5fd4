//! A table without an input: the caller writes it row by row.
//!
//! It has the formats of [`run`](crate::run())'s output, and appears whole or not at all as well.

use std::fmt;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};

use crate::csv::{Cells, write_row};
use crate::output_column::OutputColumn;
use crate::output_writer::OutputWriter;
use crate::pass_through::OutputChunk;
use crate::row_writer::ColumnBuilders;
use crate::schema::{OutputSchema, answer_schema};
use crate::{AnswerColumn, Error, Format, Frame, Output, RowWriter};

/// How many rows are collected before they are written.
const BATCH_ROWS: usize = 8192;

/// How a table without an input is written.
#[derive(Debug, Clone, Copy, Default)]
pub struct TableOptions<'a> {
    /// The format; `None` where the output's ending names it. A stream is CSV without it.
    pub format: Option<Format>,
    /// The coordinates of the positions; without one they are the world's.
    pub frame: Option<&'a Frame>,
    /// What comes in front of the names of all columns.
    pub prefix: &'a str,
}

/// Writes a table row by row, in bounded memory.
///
/// A [`ColumnKind::RowNumber`](crate::ColumnKind::RowNumber) counts the rows from 0. Without
/// [`TableWriter::finish`] no file is left.
///
/// ```
/// use hitscan_table::{AnswerColumn, ColumnKind, Output, TableWriter};
///
/// let file = std::env::temp_dir().join("hitscan-table-writer-example.csv");
/// let columns = [
///     AnswerColumn::new("object_a", ColumnKind::Text),
///     AnswerColumn::new("min_x", ColumnKind::F32),
/// ];
/// let mut table = TableWriter::create(Output::File(file.clone()), &columns)?;
/// table.row()?.text("crate, large").f32(-0.5);
/// table.row()?.text("planet");
/// table.finish()?;
/// let expected = "object_a,min_x\n\"crate, large\",-0.5\nplanet,\n";
/// assert_eq!(std::fs::read_to_string(&file)?, expected);
/// # std::fs::remove_file(file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableWriter {
    builders: ColumnBuilders,
    writer: OutputWriter,
    file: String,
    schema: OutputSchema,
    rows: u64,
    waiting: usize,
}

impl TableWriter {
    /// Creates the output with these columns, in the format that its ending names.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`], [`Error::Write`] or [`Error::OutputClosed`].
    pub fn create(output: Output, columns: &[AnswerColumn]) -> Result<Self, Error> {
        Self::create_with(output, columns, TableOptions::default())
    }

    /// Creates the output with these columns.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`], [`Error::FormatsDisagree`], [`Error::Write`] or
    /// [`Error::OutputClosed`].
    pub fn create_with(
        output: Output,
        columns: &[AnswerColumn],
        options: TableOptions<'_>,
    ) -> Result<Self, Error> {
        let format = output.format(options.format)?;
        let columns = OutputColumn::all(columns, options.prefix, options.frame, false);
        let schema = answer_schema(format, &columns);
        Ok(Self {
            builders: ColumnBuilders::new(&columns, BATCH_ROWS),
            file: output.name(),
            writer: OutputWriter::create(output, format, &schema)?,
            schema,
            rows: 0,
            waiting: 0,
        })
    }

    /// Begins a row; columns that are not filled are empty.
    ///
    /// # Errors
    /// [`Error::Write`] or [`Error::OutputClosed`] when earlier rows could not be written.
    pub fn row(&mut self) -> Result<RowWriter<'_>, Error> {
        if self.waiting == BATCH_ROWS {
            self.write_waiting()?;
        }
        let row = self.rows;
        self.rows += 1;
        self.waiting += 1;
        Ok(self.builders.row(row))
    }

    /// Completes the output, gives it its final name and returns how many rows it has.
    ///
    /// # Errors
    /// [`Error::Write`] or [`Error::OutputClosed`].
    pub fn finish(mut self) -> Result<u64, Error> {
        self.write_waiting()?;
        self.writer.finish(Vec::new())?;
        Ok(self.rows)
    }

    fn write_waiting(&mut self) -> Result<(), Error> {
        let columns = self.builders.finish();
        let rows = std::mem::take(&mut self.waiting);
        let chunk = match &self.schema {
            OutputSchema::Csv(_) => csv_chunk(&columns, rows),
            OutputSchema::Columnar(schema) => {
                RecordBatch::try_new(SchemaRef::clone(schema), columns).map(OutputChunk::Columnar)
            }
        };
        let chunk = chunk.map_err(|source| Error::Write {
            file: self.file.clone(),
            source: source.into(),
        })?;
        self.writer.write(&chunk)
    }
}

fn csv_chunk(columns: &[arrow_array::ArrayRef], rows: usize) -> Result<OutputChunk, ArrowError> {
    let cells: Vec<Cells<'_>> = columns
        .iter()
        .map(|column| Cells::new(column))
        .collect::<Result<_, _>>()?;
    let mut out = Vec::new();
    for row in 0..rows {
        write_row(&cells, row, &mut out).map_err(|(_, reason)| ArrowError::CastError(reason))?;
        out.push(b'\n');
    }
    Ok(OutputChunk::Csv(out))
}

impl fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableWriter")
            .field("file", &self.file)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}
