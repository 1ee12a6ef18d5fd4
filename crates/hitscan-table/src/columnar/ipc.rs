//! Arrow IPC files and streams as record batches.
//!
//! The framing is read here rather than by `arrow-ipc`'s own readers, so that the lengths which the
//! bytes claim can be checked before memory is allocated: a failed allocation ends the program, and
//! nothing can contain it. The messages are then decoded by `arrow-ipc`. A batch is the unit of the
//! format: one is in memory at a time, as large as its writer made it.
//!
//! # Source
//! Apache Arrow, "Serialization and Interprocess Communication (IPC)", the format's specification.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_buffer::{Buffer, MutableBuffer};
use arrow_ipc::reader::{FileDecoder, StreamDecoder, read_footer_length};
use arrow_ipc::{Block, MessageHeader, convert::try_fb_to_schema, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use bytes::Bytes;

use crate::Error;
use crate::catch_panic::catch_panic;

/// With what a file of either kind begins, padded to eight bytes.
const MAGIC: [u8; 6] = *b"ARROW1";
/// The footer's length and the magic bytes at a file's end.
const TRAILER_BYTES: usize = 10;
/// Comes before a message's length.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// The continuation and the length in front of a message that was read.
const MESSAGE_PREFIX: usize = 8;
/// The largest buffer that a compressed one may claim to unpack to.
const BUFFER_BYTES: i64 = 1 << 31;
/// What the compressed buffers of a batch and of the dictionaries may claim together, of a file that is in
/// memory and comes from anywhere.
const IN_MEMORY_BYTES: i64 = 96 << 20;

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
            Decoder::Stream { .. } => self.bytes.position as f64 / self.bytes.length.max(1) as f64,
        }
    }

    /// The next rows; `None` at the end. Not to be called again after an error.
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>, Error> {
        let at = self.bytes.position;
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
    let trailer = bytes.length.checked_sub(TRAILER_BYTES as u64);
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

fn malformed(reason: &str) -> ArrowError {
    ArrowError::IpcError(reason.to_owned())
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

/// What can be read from any place.
trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// A file with a known position that allocates no more memory than it has bytes.
struct CheckedFile {
    file: Box<dyn ReadSeek>,
    length: u64,
    position: u64,
    /// What compressed buffers may still claim to unpack to, but for those of batches that are over.
    allowance: i64,
}

impl CheckedFile {
    fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self {
            file: Box::new(BufReader::new(file)),
            length,
            position: 0,
            allowance: i64::MAX,
        })
    }

    fn in_memory(bytes: Bytes) -> Self {
        Self {
            length: bytes.len() as u64,
            file: Box::new(Cursor::new(bytes)),
            position: 0,
            allowance: IN_MEMORY_BYTES,
        }
    }

    fn seek(&mut self, to: u64) -> Result<(), ArrowError> {
        self.file.seek(SeekFrom::Start(to))?;
        self.position = to;
        Ok(())
    }

    fn read_exact(&mut self, out: &mut [u8]) -> Result<(), ArrowError> {
        if out.len() as u64 > self.length.saturating_sub(self.position) {
            return Err(malformed("it ends early"));
        }
        self.file.read_exact(out)?;
        self.position += out.len() as u64;
        Ok(())
    }

    /// The next `count` bytes, aligned as Arrow's buffers want to be.
    fn take_bytes(&mut self, count: u64) -> Result<MutableBuffer, ArrowError> {
        if count > self.length.saturating_sub(self.position) {
            return Err(malformed("a length reaches beyond the end"));
        }
        let count = usize::try_from(count).map_err(|_| malformed("a length has no end"))?;
        let mut bytes = MutableBuffer::from_len_zeroed(count);
        self.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The message that a footer's block points to.
    fn block(&mut self, block: &Block) -> Result<Buffer, ArrowError> {
        let (Ok(offset), Ok(head), Ok(body)) = (
            u64::try_from(block.offset()),
            u64::try_from(block.metaDataLength()),
            u64::try_from(block.bodyLength()),
        ) else {
            return Err(malformed("a block of the footer has a negative length"));
        };
        self.seek(offset)?;
        let message = Buffer::from(self.take_bytes(head.saturating_add(body))?);
        // A message of old has no continuation in front of its length.
        let prefix = if message.starts_with(&CONTINUATION) {
            8
        } else {
            4
        };
        let (head, body) = message.split_at(usize::try_from(head).unwrap_or(usize::MAX));
        self.allowance =
            check_buffers(head.get(prefix..).unwrap_or_default(), body, self.allowance)?;
        Ok(message)
    }

    /// The next message of a stream; `None` at its end.
    fn message(&mut self) -> Result<Option<Buffer>, ArrowError> {
        if self.position == self.length {
            return Ok(None);
        }
        let mut word = [0; 4];
        self.read_exact(&mut word)?;
        if word == CONTINUATION {
            self.read_exact(&mut word)?;
        }
        let head_bytes = u64::from(u32::from_le_bytes(word));
        if head_bytes == 0 {
            return Ok(None);
        }
        let head = self.take_bytes(head_bytes)?;
        let body_bytes = root_as_message(&head)
            .map_err(|error| malformed(&error.to_string()))?
            .bodyLength();
        let body_bytes =
            u64::try_from(body_bytes).map_err(|_| malformed("a message has a negative length"))?;
        let body = self.take_bytes(body_bytes)?;
        self.allowance = check_buffers(&head, &body, self.allowance)?;
        let mut message = MutableBuffer::with_capacity(MESSAGE_PREFIX + head.len() + body.len());
        message.extend_from_slice(&CONTINUATION);
        message.extend_from_slice(&word);
        message.extend_from_slice(&head);
        message.extend_from_slice(&body);
        Ok(Some(message.into()))
    }
}

/// Refuses a message whose compressed buffers claim to unpack to more than any batch holds, or all together
/// to more than the allowance; what is left of that, of which dictionaries take for good.
fn check_buffers(head: &[u8], body: &[u8], allowance: i64) -> Result<i64, ArrowError> {
    let message = root_as_message(head).map_err(|error| malformed(&error.to_string()))?;
    let batch = match message.header_type() {
        MessageHeader::RecordBatch => message.header_as_record_batch(),
        MessageHeader::DictionaryBatch => message
            .header_as_dictionary_batch()
            .and_then(|batch| batch.data()),
        _ => None,
    };
    let Some(batch) = batch.filter(|batch| batch.compression().is_some()) else {
        return Ok(allowance);
    };
    let mut left = allowance;
    for buffer in batch.buffers().iter().flatten() {
        // Each begins with the length that it unpacks to; one that is shorter unpacks to nothing.
        let prefix = usize::try_from(buffer.offset())
            .ok()
            .and_then(|start| body.get(start..)?.first_chunk::<8>());
        let claimed = prefix.map_or(0, |prefix| i64::from_le_bytes(*prefix));
        if claimed > BUFFER_BYTES {
            return Err(malformed(
                "a compressed buffer claims to unpack to more than 2 GiB",
            ));
        }
        // What is not compressed claims less than 0.
        left -= claimed.max(0);
        if left < 0 {
            return Err(malformed(
                "the compressed buffers claim to unpack to more than 96 MiB; write smaller batches",
            ));
        }
    }
    Ok(match message.header_type() {
        MessageHeader::DictionaryBatch => left,
        _ => allowance,
    })
}
