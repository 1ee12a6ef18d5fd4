//! Parquet files as record batches, a few pages in memory at a time.
//!
//! Every codec that the default writers of pandas, polars and DuckDB use is built in; a file with
//! another one is refused by name.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::{Buf as _, Bytes};
use parquet::arrow::arrow_reader::{
    self, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder, RowSelector,
};
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};

use super::decoded_bytes::rows_at_once;
use crate::catch_panic::catch_panic;
use crate::{Error, RowGroups, RowRange};

/// Which rows of a Parquet file are read: those of the groups that are in the ranges too.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowSelection<'a> {
    /// `None`: all.
    pub(crate) groups: Option<RowGroups>,
    /// In order, and not overlapping.
    pub(crate) ranges: &'a [RowRange],
}

impl Default for RowSelection<'_> {
    fn default() -> Self {
        Self {
            groups: None,
            ranges: const { &[RowRange::ALL] },
        }
    }
}

/// Reads a Parquet file batch by batch.
pub(crate) struct ParquetReader {
    file: String,
    batches: ParquetRecordBatchReader,
    /// The number of the first row of the groups that are read, and of the one behind the last.
    first_row: u64,
    end_row: u64,
    rows_read: u64,
    /// How many rows are selected.
    rows: u64,
}

impl ParquetReader {
    /// Reads the footer. Batches will have at most `batch_rows` rows, and hold those of `selection`
    /// without gaps between ranges.
    pub(crate) fn open(
        path: &Path,
        batch_rows: usize,
        selection: &RowSelection<'_>,
    ) -> Result<(Self, SchemaRef), Error> {
        let bytes = CheckedFile::open(path)?;
        let builder = builder(&path.display().to_string(), bytes)?;
        Self::read(path.display().to_string(), builder, batch_rows, selection)
    }

    /// As [`ParquetReader::open`], of a file that is in memory and comes from anywhere: batches have fewer
    /// rows where rows are large, and a file with a row that is too large is refused.
    pub(crate) fn in_memory(
        file: String,
        bytes: Bytes,
        batch_rows: usize,
        selection: &RowSelection<'_>,
    ) -> Result<(Self, SchemaRef), Error> {
        let builder = builder(&file, CheckedBytes(bytes.clone()))?;
        let batch_rows = rows_at_once(&file, &bytes, builder.metadata(), batch_rows)?;
        Self::read(file, builder, batch_rows, selection)
    }

    fn read<R: ChunkReader + 'static>(
        file: String,
        builder: ParquetRecordBatchReaderBuilder<R>,
        batch_rows: usize,
        selection: &RowSelection<'_>,
    ) -> Result<(Self, SchemaRef), Error> {
        let in_footer = |reason| damaged(&file, "its footer".to_owned(), reason);
        let mut builder = builder.with_batch_size(batch_rows);
        if let Some((column, codec)) = unreadable_column(builder.metadata()) {
            return Err(Error::UnsupportedCodec {
                file,
                column,
                codec,
            });
        }
        let group_rows = rows_of_groups(builder.metadata());
        let groups = match selection.groups {
            None => 0..group_rows.len(),
            Some(RowGroups { first, count }) => {
                let end = first.checked_add(count);
                match end.filter(|end| *end <= group_rows.len()) {
                    Some(end) => first..end,
                    None => {
                        return Err(Error::NoSuchRowGroups {
                            file,
                            first,
                            last: first.saturating_add(count).saturating_sub(1),
                            found: group_rows.len(),
                        });
                    }
                }
            }
        };
        let first_row = group_rows[..groups.start].iter().sum();
        let end_row = first_row + group_rows[groups.clone()].iter().sum::<u64>();
        if selection.groups.is_some() {
            builder = builder.with_row_groups(groups.collect());
        }
        let mut rows = end_row - first_row;
        if *selection.ranges != [RowRange::ALL] {
            let selectors = selectors(selection.ranges, first_row, end_row);
            let selected = selectors.iter().filter(|one| !one.skip);
            rows = selected.map(|one| one.row_count as u64).sum();
            builder = builder.with_row_selection(arrow_reader::RowSelection::from(selectors));
        }
        let schema = builder.schema().clone();
        let batches = flatten(catch_panic(|| builder.build())).map_err(in_footer)?;
        let reader = Self {
            file,
            batches,
            first_row,
            end_row,
            rows_read: 0,
            rows,
        };
        Ok((reader, schema))
    }

    /// The number of the first row of the groups that are read.
    pub(crate) fn first_row(&self) -> u64 {
        self.first_row
    }

    /// The number of the row behind the last of these groups.
    pub(crate) fn end_row(&self) -> u64 {
        self.end_row
    }

    /// The fraction of the table that was read, between 0 and 1.
    pub(crate) fn fraction(&self) -> f64 {
        self.rows_read as f64 / self.rows.max(1) as f64
    }

    /// The next rows; `None` at the end. Not to be called again after an error.
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        let batch = flatten(catch_panic(|| self.batches.next().transpose())).map_err(|reason| {
            let row = self.first_row + self.rows_read;
            damaged(&self.file, format!("after row {row}"), reason)
        })?;
        self.rows_read += batch.as_ref().map_or(0, |batch| batch.num_rows() as u64);
        Ok(batch)
    }
}

/// Reads the footer.
fn builder<R: ChunkReader + 'static>(
    file: &str,
    bytes: R,
) -> Result<ParquetRecordBatchReaderBuilder<R>, Error> {
    flatten(catch_panic(|| {
        ParquetRecordBatchReaderBuilder::try_new(bytes)
    }))
    .map_err(|reason| damaged(file, "its footer".to_owned(), reason))
}

/// What is read and what is skipped of the rows from `first` to before `end`.
fn selectors(ranges: &[RowRange], first: u64, end: u64) -> Vec<RowSelector> {
    // Rows of groups that are read are counted by usize.
    let count = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX);
    let (mut selectors, mut at) = (Vec::new(), first);
    for range in ranges {
        let from = range.start.clamp(at, end);
        let to = range.end.clamp(from, end);
        selectors.push(RowSelector::skip(count(from - at)));
        selectors.push(RowSelector::select(count(to - from)));
        at = to;
    }
    selectors.push(RowSelector::skip(count(end - at)));
    selectors.retain(|one| one.row_count > 0);
    selectors
}

/// The rows of each row group.
fn rows_of_groups(metadata: &ParquetMetaData) -> Vec<u64> {
    let groups = metadata.row_groups().iter();
    groups
        .map(|group| u64::try_from(group.num_rows()).unwrap_or(0))
        .collect()
}

/// The footer of a Parquet file, without its columns.
///
/// [`read_parquet_footer`] has an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParquetFooter {
    /// The rows of each row group.
    pub row_groups: Vec<u64>,
    /// The key-value pairs; one without a value has an empty one.
    pub key_values: Vec<(String, String)>,
}

impl ParquetFooter {
    /// The rows of the file.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.row_groups.iter().sum()
    }

    /// The value of a key.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        let mut pairs = self.key_values.iter();
        pairs.find(|pair| pair.0 == key).map(|pair| &*pair.1)
    }
}

/// Reads the footer of the Parquet file at `path`, and none of its rows.
///
/// ```
/// use hitscan_table::{AnswerColumn, ColumnKind, Output, TableWriter, read_parquet_footer};
///
/// let file = std::env::temp_dir().join("hitscan-table-footer-example.parquet");
/// let columns = [AnswerColumn::new("t", ColumnKind::F32)];
/// let mut table = TableWriter::create(Output::File(file.clone()), &columns)?;
/// table.row()?.f32(1.5);
/// table.row()?.f32(2.5);
/// table.finish()?;
/// let footer = read_parquet_footer(&file)?;
/// assert_eq!((footer.row_groups.as_slice(), footer.value("job")), ([2].as_slice(), None));
/// # std::fs::remove_file(file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Read`] or [`Error::Damaged`].
pub fn read_parquet_footer(path: &Path) -> Result<ParquetFooter, Error> {
    let bytes = CheckedFile::open(path)?;
    let metadata = flatten(catch_panic(|| {
        ParquetMetaDataReader::new().parse_and_finish(&bytes)
    }));
    let metadata = metadata.map_err(|reason| {
        let file = path.display().to_string();
        damaged(&file, "its footer".to_owned(), reason)
    })?;
    let pairs = metadata.file_metadata().key_value_metadata();
    let pairs = pairs.into_iter().flatten();
    Ok(ParquetFooter {
        row_groups: rows_of_groups(&metadata),
        key_values: pairs
            .map(|pair| (pair.key.clone(), pair.value.clone().unwrap_or_default()))
            .collect(),
    })
}

/// The first column that is compressed with a codec that is not built in, and the codec's name.
fn unreadable_column(metadata: &ParquetMetaData) -> Option<(String, &'static str)> {
    let mut columns = metadata
        .row_groups()
        .iter()
        .flat_map(|group| group.columns());
    columns.find_map(|column| {
        let codec = match column.compression() {
            Compression::BROTLI(_) => "Brotli",
            Compression::LZO => "LZO",
            _ => return None,
        };
        Some((column.column_path().string(), codec))
    })
}

fn flatten<T, E: ToString>(result: Result<Result<T, E>, String>) -> Result<T, String> {
    result.and_then(|inner| inner.map_err(|error| error.to_string()))
}

fn damaged(file: &str, at: String, reason: String) -> Error {
    Error::Damaged {
        file: file.to_owned(),
        format: "Parquet",
        at,
        reason,
    }
}

/// A file that allocates no more memory than it has bytes.
struct CheckedFile {
    file: File,
    length: u64,
}

impl Length for CheckedFile {
    fn len(&self) -> u64 {
        self.length
    }
}

impl CheckedFile {
    fn open(path: &Path) -> Result<Self, Error> {
        let open = || {
            let file = File::open(path)?;
            let length = file.metadata()?.len();
            Ok(Self { file, length })
        };
        open().map_err(|source| Error::Read {
            file: path.display().to_string(),
            source,
        })
    }

    fn at(&self, start: u64) -> ParquetResult<File> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(start))?;
        Ok(file)
    }
}

impl ChunkReader for CheckedFile {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(BufReader::new(self.at(start)?))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        check_range(start, length, self.length)?;
        let mut bytes = vec![0; length];
        self.at(start)?.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// A file in memory.
struct CheckedBytes(Bytes);

impl Length for CheckedBytes {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

impl ChunkReader for CheckedBytes {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let start = start.min(self.0.len());
        Ok(self.0.slice(start..).reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        check_range(start, length, self.len())?;
        // What is within the bytes is counted by usize.
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        Ok(self.0.slice(start..start + length))
    }
}

/// Refuses what is not in the file.
fn check_range(start: u64, length: usize, all: u64) -> ParquetResult<()> {
    let end = start.checked_add(length as u64);
    if end.is_none_or(|end| end > all) {
        return Err(ParquetError::EOF(format!(
            "{length} bytes at byte {start} reach beyond the file's {all} bytes"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
