//! An input, which may be several files, as numbered chunks of rows: all of them, or those of some
//! ranges.
//!
//! What the columns mean is decided elsewhere; `pass_through.rs` turns a chunk into output.

mod rows;
mod detached;
mod bounded;
mod table_reader;
mod agreement;
mod files;

pub(crate) use rows::{Chunk, InputSchema, Rows};

use std::collections::VecDeque;

use crate::columnar::RowSelection;
use crate::pipeline::Stop;
use crate::run_options::RunOptions;
use crate::{Error, Input, RowRange};
use files::Files;
use table_reader::TableReader;

/// Reads an input chunk by chunk. A chunk is of one file and of one range of rows.
pub(crate) struct Source<'a> {
    reader: TableReader<'a>,
    /// What of a batch is larger than a chunk, or of another range.
    rest: Option<Rows>,
    batch_rows: usize,
    next_row: u64,
    /// The ranges that are not yet read, in order.
    wanted: VecDeque<RowRange>,
    files: Files<'a>,
}

impl<'a> Source<'a> {
    /// Opens the input and reads its schema. Chunks have at most [`RunOptions::batch_rows`] rows, and hold
    /// those of [`RunOptions::rows`] and [`RunOptions::row_groups`].
    pub(crate) fn open(
        input: Input,
        options: &RunOptions<'_>,
        stop: Stop<'a>,
    ) -> Result<(Self, InputSchema), Error> {
        let rows = options.rows.unwrap_or(RowRange::ALL);
        Self::open_ranges(input, options, &[rows], stop)
    }

    /// As [`Source::open`], with the rows of `ranges`, which are in order and do not overlap, in place of
    /// those of the options.
    pub(crate) fn open_ranges(
        input: Input,
        options: &RunOptions<'_>,
        ranges: &[RowRange],
        stop: Stop<'a>,
    ) -> Result<(Self, InputSchema), Error> {
        let (files, first, mut schema) = Files::new(input, options, stop)?;
        let selection = RowSelection {
            groups: options.row_groups,
            ranges,
        };
        let (reader, own) = files.open(first, &selection)?;
        let schema = schema.take().unwrap_or(own);
        let source = Self {
            next_row: reader.selected_from().map_or(0, |(first, _)| first),
            reader,
            rest: None,
            batch_rows: options.batch_rows.get(),
            wanted: ranges.iter().copied().collect(),
            files,
        };
        Ok((source, schema))
    }

    /// The number of the row that comes next, or of the first one that is wanted.
    pub(crate) fn next_row(&self) -> u64 {
        let wanted = self.wanted.front().map_or(0, |range| range.start);
        self.next_row.max(wanted)
    }

    /// The next rows; `None` at the end. Not to be called again after an error.
    pub(crate) fn next_chunk(&mut self) -> Result<Option<Chunk>, Error> {
        // Nothing is read for ranges that are over: a stream may have no more to give.
        while self.range().is_some() {
            let rows = match self.rest.take() {
                Some(rows) => Some(rows),
                None => self.read()?,
            };
            let Some(mut rows) = rows else {
                return self.ended().map(|()| None);
            };
            // The rows may be those of another file than the last.
            let Some(range) = self.range() else {
                break;
            };
            let before = range.start.saturating_sub(self.next_row);
            if before > 0 && self.reader.selected_from().is_some() {
                self.next_row = range.start;
            } else if before > 0 {
                let left_out = to_index(before).min(rows.len());
                self.next_row += left_out as u64;
                if left_out < rows.len() {
                    self.rest = Some(rows.split_off(left_out));
                }
                continue;
            }
            let most = to_index(range.end - self.next_row).min(self.batch_rows);
            if rows.len() > most {
                self.rest = Some(rows.split_off(most));
            }
            let chunk = Chunk {
                first_row: self.next_row,
                rows,
                fraction: self.files.fraction(self.reader.fraction()),
                file: self.files.current(),
            };
            self.next_row += chunk.row_count() as u64;
            return Ok(Some(chunk));
        }
        Ok(None)
    }

    /// The range that the next row is in, or that comes next.
    fn range(&mut self) -> Option<RowRange> {
        while let Some(range) = self.wanted.front().copied() {
            if range.end > self.next_row {
                return Some(range);
            }
            self.wanted.pop_front();
        }
        None
    }

    /// The next rows that the formats of the files give.
    fn read(&mut self) -> Result<Option<Rows>, Error> {
        loop {
            let rows = self.reader.next_rows();
            if let Some(rows) = rows.map_err(|error| self.files.located(error))? {
                return Ok(Some(rows));
            }
            if let Some((_, end)) = self.reader.selected_from() {
                self.next_row = self.next_row.max(self.files.first_row() + end);
            }
            let Some(path) = self.files.next(self.next_row) else {
                return Ok(None);
            };
            let first = self.next_row;
            let ranges: Vec<RowRange> = self
                .wanted
                .iter()
                .map(|one| one.counted_from(first))
                .collect();
            let selection = RowSelection {
                groups: None,
                ranges: &ranges,
            };
            (self.reader, _) = self.files.open(Input::File(path), &selection)?;
        }
    }

    /// Refuses a range that begins behind the end.
    fn ended(&mut self) -> Result<(), Error> {
        match self.wanted.front() {
            Some(range) if range.start > 0 && range.start >= self.next_row => {
                Err(Error::NoSuchRow {
                    file: self.files.name().to_owned(),
                    row: range.start,
                    rows: self.next_row,
                })
            }
            _ => Ok(()),
        }
    }
}

/// A number of rows as an index: no more rows than usize counts are in memory.
fn to_index(rows: u64) -> usize {
    usize::try_from(rows).unwrap_or(usize::MAX)
}
