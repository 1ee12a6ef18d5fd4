//! A table that answers no table: rows are handed in one by one.
//!
//! It has the formats and the manners of [`run`](crate::run())'s output. Read `sink.rs` next.

use std::fmt;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};

use crate::answers::Grid;
use crate::carry::{Piece, write_row};
use crate::csv::Cells;
use crate::head::{Head, answers_head};
use crate::sink::Sink;
use crate::{AnswerColumn, Error, Output, RowWriter};

/// How many rows are collected before they are written.
const BATCH_ROWS: usize = 8192;

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
    grid: Grid,
    sink: Sink,
    file: String,
    head: Head,
    rows: u64,
    waiting: usize,
}

impl TableWriter {
    /// Creates the output with these columns.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`], [`Error::Write`] or [`Error::OutputClosed`].
    pub fn create(output: Output, columns: &[AnswerColumn]) -> Result<Self, Error> {
        let head = answers_head(output.format()?, columns);
        Ok(Self {
            grid: Grid::new(columns, BATCH_ROWS),
            file: output.name(),
            sink: Sink::create(output, &head)?,
            head,
            rows: 0,
            waiting: 0,
        })
    }

    /// Begins a row; columns that it is not given are empty.
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
        Ok(self.grid.row(row))
    }

    /// Completes the output, puts it in its place and tells how many rows it has.
    ///
    /// # Errors
    /// [`Error::Write`] or [`Error::OutputClosed`].
    pub fn finish(mut self) -> Result<u64, Error> {
        self.write_waiting()?;
        self.sink.finish()?;
        Ok(self.rows)
    }

    fn write_waiting(&mut self) -> Result<(), Error> {
        let columns = self.grid.finish();
        let rows = std::mem::take(&mut self.waiting);
        let piece = match &self.head {
            Head::Csv(_) => csv_piece(&columns, rows),
            Head::Columnar(schema) => {
                RecordBatch::try_new(SchemaRef::clone(schema), columns).map(Piece::Columnar)
            }
        };
        let piece = piece.map_err(|source| Error::Write {
            file: self.file.clone(),
            source: source.into(),
        })?;
        self.sink.write(&piece)
    }
}

fn csv_piece(columns: &[arrow_array::ArrayRef], rows: usize) -> Result<Piece, ArrowError> {
    let cells: Vec<Cells<'_>> = columns
        .iter()
        .map(|column| Cells::new(column))
        .collect::<Result<_, _>>()?;
    let mut out = Vec::new();
    for row in 0..rows {
        write_row(&cells, row, &mut out).map_err(|(_, reason)| ArrowError::CastError(reason))?;
        out.push(b'\n');
    }
    Ok(Piece::Csv(out))
}

impl fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableWriter")
            .field("file", &self.file)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}
