//! One table of any format, opened and read as its format gives rows.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_schema::SchemaRef;
use bytes::Bytes;

use super::bounded::Bounded;
use super::detached::DetachedReader;
use super::rows::{InputSchema, Rows};
use crate::columnar::{IpcKind, IpcReader, ParquetReader, RowSelection};
use crate::compression::{Counted, Decompressor};
use crate::csv::CsvReader;
use crate::pipeline::Stop;
use crate::signature;
use crate::tsv::TabReader;
use crate::{Error, Format, Input};

/// Reads one table.
pub(super) enum TableReader<'a> {
    Csv {
        reader: CsvReader<Box<dyn Read + Send + 'a>>,
        /// How many bytes of the input were read.
        position: Arc<AtomicU64>,
        /// The input's length in bytes.
        length: Option<u64>,
    },
    Parquet(Box<ParquetReader>),
    Ipc(Box<IpcReader>),
}

impl<'a> TableReader<'a> {
    /// Opens a table, which has the given format, and reads its schema. CSV and Parquet are read at most
    /// `batch_rows` rows at a time; of Parquet the selected rows alone are.
    pub(super) fn open(
        input: Input,
        format: Format,
        batch_rows: usize,
        selection: &RowSelection<'_>,
        stop: Stop<'a>,
    ) -> Result<(Self, InputSchema), Error> {
        let file = input.name();
        if selection.groups.is_some() && format != Format::Parquet {
            return Err(Error::NoRowGroups { file });
        }
        match (format, input) {
            (Format::Parquet | Format::Arrow, Input::Stream { .. } | Input::Files(_)) => {
                Err(Error::NeedsFile { file })
            }
            (Format::Parquet, Input::File(path)) => {
                check_columnar(&path, format)?;
                ParquetReader::open(&path, batch_rows, selection).map(parquet)
            }
            (Format::Arrow, Input::File(path)) => {
                check_columnar(&path, format)?;
                IpcReader::open(&path).map(ipc)
            }
            (Format::Parquet, Input::Bytes { name, bytes }) => {
                signature::check(&file, false, format, start_of(&bytes))?;
                let bytes = Bytes::from_owner(bytes);
                ParquetReader::in_memory(name, bytes, batch_rows, selection).map(parquet)
            }
            (Format::Arrow, Input::Bytes { name, bytes }) => {
                signature::check(&file, false, format, start_of(&bytes))?;
                IpcReader::in_memory(name, Bytes::from_owner(bytes)).map(ipc)
            }
            (Format::Csv | Format::CsvGzip | Format::CsvZstd | Format::Tsv, input) => {
                open_csv(input, format, batch_rows, stop)
            }
        }
    }

    /// The next rows; `None` at the end. Not to be called again after an error.
    pub(super) fn next_rows(&mut self) -> Result<Option<Rows>, Error> {
        Ok(match self {
            Self::Csv { reader, .. } => reader.next_chunk()?.map(Rows::Csv),
            Self::Parquet(reader) => reader.next_batch()?.map(Rows::Columnar),
            Self::Ipc(reader) => reader.next_batch()?.map(Rows::Columnar),
        })
    }

    /// The fraction of the table that was read, between 0 and 1, where that is known.
    pub(super) fn fraction(&self) -> Option<f64> {
        match self {
            Self::Csv {
                position, length, ..
            } => {
                let position = position.load(Ordering::Relaxed) as f64;
                length.map(|length| (position / length as f64).min(1.0))
            }
            Self::Parquet(reader) => Some(reader.fraction()),
            Self::Ipc(reader) => Some(reader.fraction()),
        }
    }

    /// Of a table whose rows are selected as they are read: the numbers of the first row that it could give,
    /// and of the one behind the last.
    pub(super) fn selected_from(&self) -> Option<(u64, u64)> {
        match self {
            Self::Csv { .. } | Self::Ipc(_) => None,
            Self::Parquet(reader) => Some((reader.first_row(), reader.end_row())),
        }
    }
}

/// What is read from Parquet, wherever it is.
fn parquet<'a>((reader, schema): (ParquetReader, SchemaRef)) -> (TableReader<'a>, InputSchema) {
    let schema = InputSchema::Columnar {
        schema,
        one_dictionary: false,
    };
    (TableReader::Parquet(Box::new(reader)), schema)
}

/// What is read from Arrow IPC, wherever it is.
fn ipc<'a>(
    (reader, schema, kind): (IpcReader, SchemaRef, IpcKind),
) -> (TableReader<'a>, InputSchema) {
    let schema = InputSchema::Columnar {
        schema,
        one_dictionary: kind == IpcKind::File,
    };
    (TableReader::Ipc(Box::new(reader)), schema)
}

/// Opens a table of CSV, compressed or not.
fn open_csv<'a>(
    input: Input,
    format: Format,
    batch_rows: usize,
    stop: Stop<'a>,
) -> Result<(TableReader<'a>, InputSchema), Error> {
    let file = input.name();
    let read_error = |source| Error::Read {
        file: file.clone(),
        source,
    };
    let is_in_memory = matches!(input, Input::Bytes { .. });
    let (bytes, length, is_stream): (Box<dyn Read + Send + 'a>, _, _) = match input {
        Input::Stream { reader, .. } => (Box::new(DetachedReader::new(reader, stop)), None, true),
        Input::Bytes { bytes, .. } => {
            let length = bytes.len() as u64;
            let bytes = Cursor::new(bytes);
            (Box::new(bytes), (length > 0).then_some(length), false)
        }
        Input::File(path) => {
            let (bytes, length) = open_file(&path).map_err(read_error)?;
            (Box::new(bytes), length, false)
        }
        Input::Files(_) => return Err(Error::NeedsFile { file }),
    };
    let mut bytes = Counted::new(bytes);
    let position = bytes.count();
    signature::check(
        &file,
        is_stream,
        format,
        first_bytes(&mut bytes).map_err(read_error)?,
    )?;
    let bytes: Box<dyn Read + Send + 'a> = match format.compression() {
        None if format == Format::Tsv => Box::new(TabReader::new(bytes)),
        None => Box::new(bytes),
        Some(compression) => {
            let unpacked = Decompressor::new(compression, bytes).map_err(read_error)?;
            let mut unpacked = BufReader::new(unpacked);
            // What is wrong with the first bytes is reported with its place by the reader of rows.
            if let Ok(start) = first_bytes(&mut unpacked) {
                signature::check_unpacked(&file, start)?;
            }
            match is_in_memory {
                true => Box::new(Bounded::new(unpacked)),
                false => Box::new(unpacked),
            }
        }
    };
    let (reader, header) = CsvReader::open(bytes, file, batch_rows)?;
    let reader = TableReader::Csv {
        reader,
        position,
        length,
    };
    Ok((reader, InputSchema::Csv(header)))
}

/// What the first read brings, which stays to be read.
fn first_bytes(bytes: &mut impl BufRead) -> io::Result<&[u8]> {
    while let Err(error) = bytes.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    bytes.fill_buf()
}

/// What a signature is looked for in.
fn start_of(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(64)]
}

/// Refuses what is no regular file, and what begins as a file of another kind.
fn check_columnar(path: &Path, format: Format) -> Result<(), Error> {
    let file = path.display().to_string();
    let open = || {
        let mut start = Vec::new();
        let is_regular = fs::metadata(path)?.is_file();
        if is_regular {
            File::open(path)?.take(64).read_to_end(&mut start)?;
        }
        Ok((is_regular, start))
    };
    let (is_regular, start) = open().map_err(|source| Error::Read {
        file: file.clone(),
        source,
    })?;
    if !is_regular {
        return Err(Error::NeedsFile { file });
    }
    signature::check(&file, false, format, &start)
}

/// Opens a file; the length is that of a regular file which is not empty.
fn open_file(path: &Path) -> io::Result<(File, Option<u64>)> {
    let file = File::open(path)?;
    let data = file.metadata()?;
    let length = (data.is_file() && data.len() > 0).then_some(data.len());
    Ok((file, length))
}
