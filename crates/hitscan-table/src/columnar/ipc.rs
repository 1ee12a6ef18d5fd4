//! Arrow IPC files and streams as record batches.
//!
//! The framing is read here and in `checked_file.rs` rather than by `arrow-ipc`'s own readers, so that the lengths which the
//! bytes claim can be checked before memory is allocated: a failed allocation ends the program, and
//! nothing can contain it. The messages are then decoded by `arrow-ipc`. A batch is the unit of the
//! format: one is in memory at a time, as large as its writer made it.
//!
//! # Source
//! Apache Arrow, "Serialization and Interprocess Communication (IPC)", the format's specification.

use std::path::Path;

use super::checked_file::{CONTINUATION, CheckedFile, MESSAGE_PREFIX, malformed};
use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::{FileDecoder, StreamDecoder, read_footer_length};
use arrow_ipc::{Block, convert::try_fb_to_schema, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use bytes::Bytes;

use crate::Error;
use crate::catch_panic::catch_panic;

/// With what a file of either kind begins, padded to eight bytes.
const MAGIC: [u8; 6] = *b"ARROW1";
/// The footer's length and the magic bytes at a file's end.
const TRAILER_BYTES: usize = 10;

/// Which of the two IPC formats a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IpcKind {
    /// With a footer, and one dictionary a column.
    File,
    /// Messages alone; dictionaries may change on the way.
    Stream,
}

/// Reads an Arrow IPC file batch by batch.
pub(crate) struct IpcReader {
    file: String,
    bytes: CheckedFile,
    decoder: Decoder,
}

enum Decoder {
    File {
        decoder: FileDecoder,
        /// The batches that are still to be read.
        blocks: std::vec::IntoIter<Block>,
        /// How many there were at first.
        count: usize,
    },
    Stream {
        decoder: StreamDecoder,
        /// The part of the last message that the decoder has not consumed.
        message: Buffer,
        /// Whether that was the last.
        ended: bool,
    },
}

impl IpcReader {
    /// Reads the schema, and of a file the footer and the dictionaries.
    pub(crate) fn open(path: &Path) -> Result<(Self, SchemaRef, IpcKind), Error> {
        let file = path.display().to_string();
        let bytes = CheckedFile::open(path);
        let bytes = bytes.map_err(|source| Error::Read {
            file: file.clone(),
            source,
        })?;
        Self::read(file, bytes)
    }

    /// As [`IpcReader::open`], of a file that is in memory.
    pub(crate) fn in_memory(
        file: String,
        bytes: Bytes,
    ) -> Result<(Self, SchemaRef, IpcKind), Error> {
        Self::read(file, CheckedFile::in_memory(bytes))
    }

    fn read(file: String, mut bytes: CheckedFile) -> Result<(Self, SchemaRef, IpcKind), Error> {
        let opened = flatten(catch_panic(|| open(&mut bytes)));
        let (decoder, schema) =
            opened.map_err(|reason| damaged(&file, "its schema".to_owned(), reason))?;
        let kind = match decoder {
            Decoder::File { .. } => IpcKind::File,
            Decoder::Stream { .. } => IpcKind::Stream,
        };
        Ok((
            Self {
                file,
                bytes,
                decoder,
            },
            schema,
            kind,
        ))
    }

    /// The fraction of the file that was read, between 0 and 1.
    pub(crate) fn fraction(&self) -> f64 {
        match &self.decoder {
            Decoder::File { blocks, count, .. } => {
                1.0 - blocks.len() as f64 / (*count).max(1) as f64
            }
            Decoder::Stream { .. } => {
                self.bytes.position() as f64 / self.bytes.length().max(1) as f64
            }
        }
    }

    /// The next rows; `None` at the end. Not to be called again after an error.
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        let at = self.bytes.position();
        let (decoder, bytes) = (&mut self.decoder, &mut self.bytes);
        flatten(catch_panic(|| match decoder {
            Decoder::File {
                decoder, blocks, ..
            } => next_of_file(decoder, blocks, bytes),
            Decoder::Stream {
                decoder,
                message,
                ended,
            } => next_of_stream(decoder, message, ended, bytes),
        }))
        .map_err(|reason| damaged(&self.file, format!("after byte {at}"), reason))
    }
}

fn open(bytes: &mut CheckedFile) -> Result<(Decoder, SchemaRef), ArrowError> {
    let mut start = [0; 6];
    bytes.read_exact(&mut start)?;
    bytes.seek(0)?;
    if start == MAGIC {
        return open_file(bytes);
    }
    if start[..4] != CONTINUATION {
        return Err(malformed("it begins with neither ARROW1 nor a message"));
    }
    let message = bytes.message()?.unwrap_or_default();
    let head = message.get(MESSAGE_PREFIX..).unwrap_or_default();
    let head = root_as_message(head).map_err(|error| malformed(&error.to_string()))?;
    let schema = head.header_as_schema();
    let schema = schema.ok_or_else(|| malformed("its first message is no schema"))?;
    let schema = SchemaRef::new(try_fb_to_schema(schema)?);
    let decoder = Decoder::Stream {
        decoder: StreamDecoder::new(),
        message,
        ended: false,
    };
    Ok((decoder, schema))
}

fn open_file(bytes: &mut CheckedFile) -> Result<(Decoder, SchemaRef), ArrowError> {
    let trailer = bytes.length().checked_sub(TRAILER_BYTES as u64);
    let trailer = trailer.ok_or_else(|| malformed("it ends before its footer"))?;
    bytes.seek(trailer)?;
    let mut end = [0; TRAILER_BYTES];
    bytes.read_exact(&mut end)?;
    let footer_bytes = read_footer_length(end)
        .map_err(|_| malformed("it does not end with ARROW1; it may be cut off"))?
        as u64;
    let footer = trailer.checked_sub(footer_bytes);
    bytes.seek(footer.ok_or_else(|| malformed("its footer is longer than the file"))?)?;
    let footer = bytes.take_bytes(footer_bytes)?;
    let footer = root_as_footer(&footer).map_err(|error| malformed(&error.to_string()))?;
    let schema = footer
        .schema()
        .ok_or_else(|| malformed("its footer has no schema"))?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err(malformed("its byte order is not this machine's"));
    }
    let schema = SchemaRef::new(try_fb_to_schema(schema)?);
    let mut decoder = FileDecoder::new(schema.clone(), footer.version());
    for block in footer.dictionaries().iter().flatten() {
        decoder.read_dictionary(block, &bytes.block(block)?)?;
    }
    let blocks: Vec<Block> = footer.recordBatches().iter().flatten().copied().collect();
    let decoder = Decoder::File {
        decoder,
        count: blocks.len(),
        blocks: blocks.into_iter(),
    };
    Ok((decoder, schema))
}

fn next_of_file(
    decoder: &FileDecoder,
    blocks: &mut std::vec::IntoIter<Block>,
    bytes: &mut CheckedFile,
) -> Result<Option<RecordBatch>, ArrowError> {
    for block in blocks {
        let message = bytes.block(&block)?;
        if let Some(batch) = decoder.read_record_batch(&block, &message)? {
            return Ok(Some(batch));
        }
    }
    Ok(None)
}

/// Decodes messages up to the next batch.
fn next_of_stream(
    decoder: &mut StreamDecoder,
    message: &mut Buffer,
    ended: &mut bool,
    bytes: &mut CheckedFile,
) -> Result<Option<RecordBatch>, ArrowError> {
    // The decoder consumes a message without a body only when more bytes follow, so the marker of
    // the end is passed on to it.
    const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
    loop {
        if message.is_empty() {
            if *ended {
                decoder.finish()?;
                return Ok(None);
            }
            let next = bytes.message()?;
            *ended = next.is_none();
            *message = next.unwrap_or_else(|| Buffer::from(END));
        }
        let batch = decoder.decode(message)?;
        if batch.is_some() {
            return Ok(batch);
        }
    }
}

fn flatten<T>(result: Result<Result<T, ArrowError>, String>) -> Result<T, String> {
    result.and_then(|inner| {
        inner.map_err(|error| match error {
            ArrowError::IpcError(reason) | ArrowError::ParseError(reason) => reason,
            error => error.to_string(),
        })
    })
}

fn damaged(file: &str, at: String, reason: String) -> Error {
    Error::Damaged {
        file: file.to_owned(),
        format: "Arrow IPC",
        at,
        reason,
    }
}
