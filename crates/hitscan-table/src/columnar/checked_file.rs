//! The bytes of an Arrow IPC file, in which no length is believed before it is checked.
//!
//! A message is read whole, and what its compressed buffers claim to unpack to is bounded, before any of it is
//! decoded.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use arrow_buffer::{Buffer, MutableBuffer};
use arrow_ipc::{Block, MessageHeader, root_as_message};
use arrow_schema::ArrowError;
use bytes::Bytes;

/// Comes before a message's length.
pub(super) const CONTINUATION: [u8; 4] = [0xff; 4];
/// The continuation and the length in front of a message that was read.
pub(super) const MESSAGE_PREFIX: usize = 8;
/// The largest buffer that a compressed one may claim to unpack to.
const BUFFER_BYTES: i64 = 1 << 31;
/// What the compressed buffers of a batch and of the dictionaries may claim together, of a file that is in
/// memory and comes from anywhere.
const IN_MEMORY_BYTES: i64 = 96 << 20;

/// What can be read from any place.
trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// A file with a known position that allocates no more memory than it has bytes.
pub(super) struct CheckedFile {
    file: Box<dyn ReadSeek>,
    length: u64,
    position: u64,
    /// What compressed buffers may still claim to unpack to, but for those of batches that are over.
    allowance: i64,
}

impl CheckedFile {
    pub(super) fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self {
            file: Box::new(BufReader::new(file)),
            length,
            position: 0,
            allowance: i64::MAX,
        })
    }

    pub(super) fn in_memory(bytes: Bytes) -> Self {
        Self {
            length: bytes.len() as u64,
            file: Box::new(Cursor::new(bytes)),
            position: 0,
            allowance: IN_MEMORY_BYTES,
        }
    }

    /// How many bytes there are.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// How many bytes are in front of the next one.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn seek(&mut self, to: u64) -> Result<(), ArrowError> {
        self.file.seek(SeekFrom::Start(to))?;
        self.position = to;
        Ok(())
    }

    pub(super) fn read_exact(&mut self, out: &mut [u8]) -> Result<(), ArrowError> {
        if out.len() as u64 > self.length.saturating_sub(self.position) {
            return Err(malformed("it ends early"));
        }
        self.file.read_exact(out)?;
        self.position += out.len() as u64;
        Ok(())
    }

    /// The next `count` bytes, aligned as Arrow's buffers want to be.
    pub(super) fn take_bytes(&mut self, count: u64) -> Result<MutableBuffer, ArrowError> {
        if count > self.length.saturating_sub(self.position) {
            return Err(malformed("a length reaches beyond the end"));
        }
        let count = usize::try_from(count).map_err(|_| malformed("a length has no end"))?;
        let mut bytes = MutableBuffer::from_len_zeroed(count);
        self.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The message that a footer's block points to.
    pub(super) fn block(&mut self, block: &Block) -> Result<Buffer, ArrowError> {
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
    pub(super) fn message(&mut self) -> Result<Option<Buffer>, ArrowError> {
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
/// to more than the allowance; returns the rest of that, which only dictionaries reduce.
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

/// What is wrong with the bytes.
pub(super) fn malformed(reason: &str) -> ArrowError {
    ArrowError::IpcError(reason.to_owned())
}
