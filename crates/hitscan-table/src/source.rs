//! An input table of any format as numbered chunks of rows.
//!
//! What the columns mean is decided elsewhere; `pass_through.rs` turns a chunk into output.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;

use crate::columnar::{IpcKind, IpcReader, ParquetReader};
use crate::compression::{Counted, Decompressor};
use crate::csv::{CsvChunk, CsvHeader, CsvReader};
use crate::pipeline::Stop;
use crate::signature;
use crate::tsv::TabReader;
use crate::{Error, Format, Input, RowGroups};

/// The names and types of an input's columns.
#[derive(Debug, Clone)]
pub(crate) enum InputSchema {
    Csv(CsvHeader),
    /// `one_dictionary`: whether a dictionary column has the same dictionary in all batches.
    Columnar {
        schema: SchemaRef,
        one_dictionary: bool,
    },
}

impl InputSchema {
    /// The columns' names; where one is not UTF-8, with replacement characters.
    pub(crate) fn names(&self) -> Vec<String> {
        match self {
            Self::Csv(header) => header
                .names
                .iter()
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .collect(),
            Self::Columnar { schema, .. } => schema
                .fields()
                .iter()
                .map(|field| field.name().clone())
                .collect(),
        }
    }
}

/// Some rows of the input.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// The number of the first row.
    pub(crate) first_row: u64,
    pub(crate) rows: Rows,
    /// The fraction of the input up to the chunk's end, between 0 and 1, where that is known.
    pub(crate) fraction: Option<f64>,
}

/// The rows of a chunk in their own format.
#[derive(Debug)]
pub(crate) enum Rows {
    Csv(CsvChunk),
    Columnar(RecordBatch),
}

impl Chunk {
    pub(crate) fn row_count(&self) -> usize {
        match &self.rows {
            Rows::Csv(chunk) => chunk.len(),
            Rows::Columnar(batch) => batch.num_rows(),
        }
    }
}

/// Reads an input chunk by chunk.
pub(crate) struct Source<'a> {
    reader: Reader<'a>,
    batch_rows: usize,
    next_row: u64,
}

enum Reader<'a> {
    Csv {
        reader: CsvReader<Box<dyn Read + Send + 'a>>,
        /// How many bytes of the input were read.
        position: Arc<AtomicU64>,
        /// The input's length in bytes.
        length: Option<u64>,
    },
    Parquet(Box<ParquetReader>),
    Ipc {
        reader: Box<IpcReader>,
        /// What is left of a batch that is larger than a chunk.
        rest: Option<RecordBatch>,
    },
}

impl<'a> Source<'a> {
    /// Opens the input, which has the given format, and reads its schema. Chunks will have at most
    /// `batch_rows` rows, and hold those of `row_groups`.
    pub(crate) fn open(
        input: Input,
        format: Format,
        batch_rows: usize,
        row_groups: Option<RowGroups>,
        stop: Stop<'a>,
    ) -> Result<(Self, InputSchema), Error> {
        let file = input.name();
        if row_groups.is_some() && format != Format::Parquet {
            return Err(Error::NoRowGroups { file });
        }
        let (reader, schema) = match (format, input) {
            (Format::Parquet | Format::Arrow, Input::Stream { .. }) => {
                return Err(Error::NeedsFile { file });
            }
            (Format::Parquet, Input::File(path)) => {
                check_columnar(&path, format)?;
                parquet(ParquetReader::open(&path, batch_rows, row_groups)?)
            }
            (Format::Arrow, Input::File(path)) => {
                check_columnar(&path, format)?;
                ipc(IpcReader::open(&path)?)
            }
            (Format::Parquet, Input::Bytes { name, bytes }) => {
                signature::check(&file, false, format, start_of(&bytes))?;
                let bytes = Bytes::from_owner(bytes);
                parquet(ParquetReader::in_memory(
                    name, bytes, batch_rows, row_groups,
                )?)
            }
            (Format::Arrow, Input::Bytes { name, bytes }) => {
                signature::check(&file, false, format, start_of(&bytes))?;
                ipc(IpcReader::in_memory(name, Bytes::from_owner(bytes))?)
            }
            (Format::Csv | Format::CsvGzip | Format::CsvZstd | Format::Tsv, input) => {
                open_csv(input, format, batch_rows, stop)?
            }
        };
        let first_row = match &reader {
            Reader::Parquet(reader) => reader.first_row(),
            Reader::Csv { .. } | Reader::Ipc { .. } => 0,
        };
        let source = Self {
            reader,
            batch_rows,
            next_row: first_row,
        };
        Ok((source, schema))
    }

    /// The number of the next row.
    pub(crate) fn next_row(&self) -> u64 {
        self.next_row
    }

    /// The next rows; `None` at the end. Not to be called again after an error.
    pub(crate) fn next_chunk(&mut self) -> Result<Option<Chunk>, Error> {
        let (rows, fraction) = match &mut self.reader {
            Reader::Csv {
                reader,
                position,
                length,
            } => {
                let chunk = reader.next_chunk()?;
                let position = position.load(Ordering::Relaxed) as f64;
                let fraction = length.map(|length| (position / length as f64).min(1.0));
                (chunk.map(Rows::Csv), fraction)
            }
            Reader::Parquet(reader) => {
                let batch = reader.next_batch()?;
                (batch.map(Rows::Columnar), Some(reader.fraction()))
            }
            Reader::Ipc { reader, rest } => {
                let batch = match rest.take() {
                    Some(batch) => Some(batch),
                    None => reader.next_batch()?,
                };
                let batch = batch.map(|batch| {
                    let (rows, limit) = (batch.num_rows(), self.batch_rows);
                    if rows > limit {
                        *rest = Some(batch.slice(limit, rows - limit));
                    }
                    batch.slice(0, rows.min(limit))
                });
                (batch.map(Rows::Columnar), Some(reader.fraction()))
            }
        };
        let Some(rows) = rows else {
            return Ok(None);
        };
        let chunk = Chunk {
            first_row: self.next_row,
            rows,
            fraction,
        };
        self.next_row += chunk.row_count() as u64;
        Ok(Some(chunk))
    }
}

/// What is read from Parquet, wherever it is.
fn parquet<'a>((reader, schema): (ParquetReader, SchemaRef)) -> (Reader<'a>, InputSchema) {
    let schema = InputSchema::Columnar {
        schema,
        one_dictionary: false,
    };
    (Reader::Parquet(Box::new(reader)), schema)
}

/// What is read from Arrow IPC, wherever it is.
fn ipc<'a>((reader, schema, kind): (IpcReader, SchemaRef, IpcKind)) -> (Reader<'a>, InputSchema) {
    let schema = InputSchema::Columnar {
        schema,
        one_dictionary: kind == IpcKind::File,
    };
    let reader = Reader::Ipc {
        reader: Box::new(reader),
        rest: None,
    };
    (reader, schema)
}

/// Opens a table of CSV, compressed or not.
fn open_csv<'a>(
    input: Input,
    format: Format,
    batch_rows: usize,
    stop: Stop<'a>,
) -> Result<(Reader<'a>, InputSchema), Error> {
    let file = input.name();
    let read_error = |source| Error::Read {
        file: file.clone(),
        source,
    };
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
            Box::new(unpacked)
        }
    };
    let (reader, header) = CsvReader::open(bytes, file, batch_rows)?;
    let reader = Reader::Csv {
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

/// A stream that is read on a thread of its own, so that a read which blocks (a terminal, a pipe
/// whose producer is slow) does not keep a stopped run from ending.
///
/// The thread lives until its read returns; then it finds the receiver gone.
struct DetachedReader<'a> {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    taken: usize,
    stop: Stop<'a>,
}

impl<'a> DetachedReader<'a> {
    fn new(mut stream: Box<dyn Read + Send>, stop: Stop<'a>) -> Self {
        const BLOCK_BYTES: usize = 64 * 1024;
        const BLOCKS: usize = 4;
        let (sender, blocks) = sync_channel(BLOCKS);
        thread::spawn(move || {
            loop {
                let mut block = vec![0; BLOCK_BYTES];
                let read = match stream.read(&mut block) {
                    Ok(read) => {
                        block.truncate(read);
                        Ok(block)
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let last = read.as_ref().map_or(true, Vec::is_empty);
                if sender.send(read).is_err() || last {
                    return;
                }
            }
        });
        Self {
            blocks,
            block: Vec::new(),
            taken: 0,
            stop,
        }
    }
}

impl Read for DetachedReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        /// How soon a stopped run ends.
        const PATIENCE: Duration = Duration::from_millis(50);
        while self.taken == self.block.len() {
            match self.blocks.recv_timeout(PATIENCE) {
                Ok(block) => {
                    self.block = block?;
                    self.taken = 0;
                    if self.block.is_empty() {
                        return Ok(0);
                    }
                }
                // The thread has sent its last block.
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if self.stop.is_set() => {
                    return Err(io::Error::other("the run was stopped"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let rest = &self.block[self.taken..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}
