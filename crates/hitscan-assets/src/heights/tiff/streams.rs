//! The bytes that a strip or tile decompresses to, as a stream over the part of the file where it is.
//!
//! No stream holds more than its decoder's window, whatever the chunk's size.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::ZlibDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use weezl::{BitOrder, LzwStatus};

use super::layout::{Compression, Part};
use crate::read_at::ReadAt;

/// The most of a part that is read at once.
const BUFFER: usize = 1 << 16;

/// The most bytes that a Zstandard stream may refer back: the window of the highest level.
const ZSTANDARD_WINDOW: u64 = 1 << 27;

/// The streams of a file's chunks, one after the other.
pub(super) struct Streams<'a> {
    file: &'a dyn ReadAt,
    compression: Compression,
    /// One for all chunks: each may reserve a window.
    zstandard: FrameDecoder,
}

impl<'a> Streams<'a> {
    pub(super) fn new(file: &'a dyn ReadAt, compression: Compression) -> Self {
        let mut zstandard = FrameDecoder::new();
        zstandard.set_max_window_size(ZSTANDARD_WINDOW);
        Self {
            file,
            compression,
            zstandard,
        }
    }

    /// The bytes of the chunk that is stored in this part.
    pub(super) fn of(&mut self, part: Part) -> io::Result<Box<dyn Read + '_>> {
        let stored = StoredBytes {
            file: self.file,
            left: part,
        };
        let capacity = usize::try_from(part.length).map_or(BUFFER, |length| length.min(BUFFER));
        let buffered = |stored| BufReader::with_capacity(capacity, stored);
        Ok(match self.compression {
            Compression::None => Box::new(stored),
            Compression::Lzw => Box::new(LzwStream {
                stored: buffered(stored),
                decoder: weezl::decode::Decoder::with_tiff_size_switch(BitOrder::Msb, 8),
            }),
            Compression::Deflate => Box::new(ZlibDecoder::new(buffered(stored))),
            Compression::Zstandard => {
                let decoder = &mut self.zstandard;
                let stream = StreamingDecoder::new_with_decoder(buffered(stored), decoder);
                Box::new(stream.map_err(io::Error::other)?)
            }
            Compression::PackBits => Box::new(PackBitsStream {
                stored: buffered(stored),
                run: Run::Literal(0),
            }),
        })
    }
}

/// The bytes of a part of the file, as they are stored.
struct StoredBytes<'a> {
    file: &'a dyn ReadAt,
    left: Part,
}

impl Read for StoredBytes<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = usize::try_from(self.left.length).map_or(out.len(), |left| left.min(out.len()));
        self.file
            .read_exact_at(self.left.offset, &mut out[..count])?;
        self.left.offset += count as u64;
        self.left.length -= count as u64;
        Ok(count)
    }
}

struct LzwStream<R> {
    stored: R,
    decoder: weezl::decode::Decoder,
}

impl<R: BufRead> Read for LzwStream<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let stored = self.stored.fill_buf()?;
            let is_end = stored.is_empty();
            let result = self.decoder.decode_bytes(stored, out);
            self.stored.consume(result.consumed_in);
            let status = result
                .status
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            let is_stuck = is_end || matches!(status, LzwStatus::NoProgress | LzwStatus::Done);
            if is_stuck || result.consumed_out > 0 {
                return Ok(result.consumed_out);
            }
        }
    }
}

/// PackBits: a count below 128 and so many bytes and one more, or a count above and one byte that
/// repeats 257 less the count times.
struct PackBitsStream<R> {
    stored: R,
    run: Run,
}

/// What is left of a run.
#[derive(Clone, Copy)]
enum Run {
    Literal(usize),
    Repeat(u8, usize),
}

impl<R: BufRead> PackBitsStream<R> {
    /// The next run; `None` at the end.
    fn next_run(&mut self) -> io::Result<Option<Run>> {
        let mut next = || -> io::Result<Option<u8>> {
            let byte = self.stored.fill_buf()?.first().copied();
            self.stored.consume(usize::from(byte.is_some()));
            Ok(byte)
        };
        let Some(count) = next()? else {
            return Ok(None);
        };
        Ok(match usize::from(count) {
            count @ 0..128 => Some(Run::Literal(count + 1)),
            128 => Some(Run::Literal(0)),
            count => next()?.map(|byte| Run::Repeat(byte, 257 - count)),
        })
    }
}

impl<R: BufRead> Read for PackBitsStream<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < out.len() {
            let rest = &mut out[filled..];
            let count = match &mut self.run {
                Run::Literal(0) | Run::Repeat(_, 0) => {
                    let Some(run) = self.next_run()? else { break };
                    self.run = run;
                    continue;
                }
                Run::Literal(left) => {
                    let stored = self.stored.fill_buf()?;
                    let count = rest.len().min(*left).min(stored.len());
                    rest[..count].copy_from_slice(&stored[..count]);
                    self.stored.consume(count);
                    *left -= count;
                    count
                }
                Run::Repeat(byte, left) => {
                    let count = rest.len().min(*left);
                    rest[..count].fill(*byte);
                    *left -= count;
                    count
                }
            };
            if count == 0 {
                break;
            }
            filled += count;
        }
        Ok(filled)
    }
}
