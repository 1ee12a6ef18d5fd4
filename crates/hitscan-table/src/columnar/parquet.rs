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
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, Length};

use crate::Error;
use crate::catch_panic::catch_panic;

/// Reads a Parquet file batch by batch.
pub(crate) struct ParquetReader {
    file: String,
    batches: ParquetRecordBatchReader,
    rows_read: u64,
    rows: u64,
}

impl ParquetReader {
    /// Reads the footer. Batches will have at most `batch_rows` rows.
    pub(crate) fn open(path: &Path, batch_rows: usize) -> Result<(Self, SchemaRef), Error> {
        let file = path.display().to_string();
        let open = || {
            let file = File::open(path)?;
            let length = file.metadata()?.len();
            Ok(CheckedFile { file, length })
        };
        let bytes = open().map_err(|source| Error::Read {
            file: file.clone(),
            source,
        })?;
        Self::read(file, bytes, batch_rows)
    }

    /// As [`ParquetReader::open`], of a file that is in memory.
    pub(crate) fn in_memory(
        file: String,
        bytes: Bytes,
        batch_rows: usize,
    ) -> Result<(Self, SchemaRef), Error> {
        Self::read(file, CheckedBytes(bytes), batch_rows)
    }

    fn read(
        file: String,
        bytes: impl ChunkReader + 'static,
        batch_rows: usize,
    ) -> Result<(Self, SchemaRef), Error> {
        let opened = catch_panic(|| {
            let builder =
                ParquetRecordBatchReaderBuilder::try_new(bytes)?.with_batch_size(batch_rows);
            let schema = builder.schema().clone();
            let rows = builder.metadata().file_metadata().num_rows();
            let unreadable = unreadable_column(builder.metadata());
            Ok::<_, ParquetError>((builder.build()?, schema, rows, unreadable))
        });
        let (batches, schema, rows, unreadable) =
            flatten(opened).map_err(|reason| damaged(&file, "its footer".to_owned(), reason))?;
        if let Some((column, codec)) = unreadable {
            return Err(Error::UnsupportedCodec {
                file,
                column,
                codec,
            });
        }
        let reader = Self {
            file,
            batches,
            rows_read: 0,
            rows: u64::try_from(rows).unwrap_or(0),
        };
        Ok((reader, schema))
    }

    /// The fraction of the table that was read, between 0 and 1.
    pub(crate) fn fraction(&self) -> f64 {
        self.rows_read as f64 / self.rows.max(1) as f64
    }

    /// The next rows; `None` at the end. Not to be called again after an error.
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        let batch = flatten(catch_panic(|| self.batches.next().transpose())).map_err(|reason| {
            damaged(&self.file, format!("after row {}", self.rows_read), reason)
        })?;
        self.rows_read += batch.as_ref().map_or(0, |batch| batch.num_rows() as u64);
        Ok(batch)
    }
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
