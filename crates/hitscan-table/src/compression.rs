//! CSV in gzip and zstd, in both directions, as streams.
//!
//! `flate2` and `zstd` are what the Parquet and Arrow readers use, so neither adds code to a program.
//! Memory is the decoder's window, whatever the bytes claim; what they unpack to is read in blocks.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::catch_panic::catch_panic;

/// How CSV is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// Compressed bytes that contradict their format or end early.
#[derive(Debug, Clone)]
pub(crate) struct DamagedStream {
    pub(crate) format: &'static str,
    /// How many compressed bytes came before.
    pub(crate) position: u64,
    pub(crate) reason: String,
}

impl fmt::Display for DamagedStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            format,
            position,
            reason,
        } = self;
        write!(f, "damaged {format} after byte {position}: {reason}")
    }
}

impl std::error::Error for DamagedStream {}

/// Unpacks all members of a gzip file, or all frames of a zstd file, one after the other.
pub(crate) struct Decompressor<R: Read> {
    decoder: Decoder<R>,
    compression: Compression,
    /// What every read answers from the first damage on.
    damage: Option<DamagedStream>,
}

enum Decoder<R: Read> {
    Gzip(Box<MultiGzDecoder<Counted<R>>>),
    Zstd(zstd::stream::read::Decoder<'static, Counted<R>>),
}

impl<R: Read> Decompressor<R> {
    /// Prepares to unpack `bytes`.
    pub(crate) fn new(compression: Compression, bytes: Counted<R>) -> io::Result<Self> {
        let decoder = match compression {
            Compression::Gzip => Decoder::Gzip(Box::new(MultiGzDecoder::new(bytes))),
            Compression::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(bytes)?;
                decoder.window_log_max(WINDOW_LOG_MAX)?;
                Decoder::Zstd(decoder)
            }
        };
        Ok(Self {
            decoder,
            compression,
            damage: None,
        })
    }

    fn input(&self) -> &Counted<R> {
        match &self.decoder {
            Decoder::Gzip(decoder) => decoder.get_ref(),
            Decoder::Zstd(decoder) => decoder.get_ref(),
        }
    }

    fn damaged(&mut self, reason: String) -> io::Error {
        let damage = DamagedStream {
            format: self.compression.name(),
            position: self.input().count.load(Ordering::Relaxed),
            reason,
        };
        self.damage = Some(damage.clone());
        io::Error::other(damage)
    }
}

/// The largest window of a zstd frame, 128 MiB: what every program must be able to unpack is less,
/// and `zstd --long` goes up to it.
const WINDOW_LOG_MAX: u32 = 27;

impl<R: Read> Read for Decompressor<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let Some(damage) = &self.damage {
            return Err(io::Error::other(damage.clone()));
        }
        let read = catch_panic(|| match &mut self.decoder {
            Decoder::Gzip(decoder) => decoder.read(out),
            Decoder::Zstd(decoder) => decoder.read(out),
        });
        match read {
            Ok(Err(error)) if !self.input().has_failed => Err(match error.kind() {
                io::ErrorKind::Interrupted => error,
                io::ErrorKind::UnexpectedEof => self.damaged("it ends early".to_owned()),
                _ => self.damaged(error.to_string()),
            }),
            Ok(read) => read,
            Err(panic) => Err(self.damaged(panic)),
        }
    }
}

/// Counts the bytes that are taken from a reader, and notes whether it has failed by itself.
pub(crate) struct Counted<R: Read> {
    bytes: BufReader<R>,
    count: Arc<AtomicU64>,
    has_failed: bool,
}

impl<R: Read> Counted<R> {
    pub(crate) fn new(bytes: R) -> Self {
        /// As much as a read of a pipe brings.
        const BLOCK_BYTES: usize = 64 * 1024;
        Self {
            bytes: BufReader::with_capacity(BLOCK_BYTES, bytes),
            count: Arc::default(),
            has_failed: false,
        }
    }

    /// How many bytes were taken, for who cannot reach the reader any longer.
    pub(crate) fn count(&self) -> Arc<AtomicU64> {
        self.count.clone()
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(out);
        match &read {
            Ok(read) => {
                self.count.fetch_add(*read as u64, Ordering::Relaxed);
            }
            Err(_) => self.has_failed = true,
        }
        read
    }
}

impl<R: Read> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let filled = self.bytes.fill_buf();
        self.has_failed |= filled.is_err();
        filled
    }

    fn consume(&mut self, count: usize) {
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        self.bytes.consume(count);
    }
}

/// Writes compressed bytes. One that is dropped unfinished leaves a stream without its end, which no
/// reader takes for a whole one.
pub(crate) enum Compressor {
    Gzip(GzEncoder<Box<dyn Write + Send>>),
    Zstd(zstd::stream::write::Encoder<'static, Box<dyn Write + Send>>),
}

impl Compressor {
    /// A compressor with the default level of the format's own program.
    pub(crate) fn new(compression: Compression, bytes: Box<dyn Write + Send>) -> io::Result<Self> {
        Ok(match compression {
            Compression::Gzip => Self::Gzip(GzEncoder::new(bytes, flate2::Compression::default())),
            Compression::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(bytes, 0)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
        })
    }

    /// Writes what comes after the last byte.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        match &mut self {
            Self::Gzip(encoder) => {
                encoder.try_finish()?;
                encoder.get_mut().flush()
            }
            Self::Zstd(encoder) => {
                encoder.do_finish()?;
                encoder.get_mut().flush()
            }
        }
    }
}

impl Write for Compressor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
        }
    }
}

impl Drop for Compressor {
    fn drop(&mut self) {
        // The encoder writes its end when it is dropped; after `finish` there is none left.
        if let Self::Gzip(encoder) = self {
            *encoder.get_mut() = Box::new(io::sink());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn compressed(compression: Compression, text: &[u8]) -> Vec<u8> {
        let page = Page::default();
        let mut compressor = Compressor::new(compression, Box::new(page.clone())).unwrap();
        compressor.write_all(text).unwrap();
        compressor.finish().unwrap();
        page.0.lock().unwrap().clone()
    }

    fn unpacked(compression: Compression, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let mut reader = Decompressor::new(compression, Counted::new(bytes))?;
        reader.read_to_end(&mut text).map(|_| text)
    }

    const BOTH: [Compression; 2] = [Compression::Gzip, Compression::Zstd];

    #[test]
    fn several_members_are_one_text() {
        for compression in BOTH {
            let mut bytes = compressed(compression, b"x,z\n1,");
            bytes.extend(compressed(compression, b""));
            bytes.extend(compressed(compression, b"2\n"));
            assert_eq!(unpacked(compression, &bytes).unwrap(), b"x,z\n1,2\n");
        }
    }

    #[test]
    fn every_cut_and_most_changes_are_noticed() {
        let text: Vec<u8> = (0..2000_u32)
            .flat_map(|row| format!("{row},{}\n", row.wrapping_mul(2_654_435_761)).into_bytes())
            .collect();
        for compression in BOTH {
            let bytes = compressed(compression, &text);
            for length in (1..bytes.len()).step_by(97) {
                let error = unpacked(compression, &bytes[..length]).unwrap_err();
                let error = error.downcast::<DamagedStream>().unwrap();
                assert_eq!(error.position, length as u64);
                assert_eq!(error.reason, "it ends early");
            }
            for changed in (0..bytes.len()).step_by(53) {
                let mut bytes = bytes.clone();
                bytes[changed] ^= 0x10;
                // A header has bits without a meaning, such as a time stamp.
                if let Ok(found) = unpacked(compression, &bytes) {
                    assert!(changed < 10 && found == text, "byte {changed}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_finished_has_no_end() {
        for compression in BOTH {
            let page = Page::default();
            let mut compressor = Compressor::new(compression, Box::new(page.clone())).unwrap();
            compressor.write_all(b"x,z\n1,2\n").unwrap();
            compressor.flush().unwrap();
            drop(compressor);
            assert!(unpacked(compression, &page.0.lock().unwrap()).is_err());
        }
    }
}
