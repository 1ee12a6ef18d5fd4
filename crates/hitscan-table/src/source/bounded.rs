//! The bytes that a compressed table in memory, which comes from anywhere, may unpack to.

use std::fmt;
use std::io::{self, Read};

/// A kilobyte may unpack to gigabytes, which are read for nothing.
const UNPACKED_BYTES: u64 = 256 << 20;

/// Reads so many bytes; that there are more is an error.
pub(super) struct Bounded<R> {
    bytes: R,
    left: u64,
}

/// There are more.
#[derive(Debug)]
struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = UNPACKED_BYTES >> 20;
        write!(f, "it unpacks to more than {megabytes} MiB")
    }
}

impl std::error::Error for TooLong {}

impl<R> Bounded<R> {
    pub(super) fn new(bytes: R) -> Self {
        Self {
            bytes,
            left: UNPACKED_BYTES,
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(out)?;
        let left = self.left.checked_sub(count as u64);
        self.left = left.ok_or_else(|| io::Error::other(TooLong))?;
        Ok(count)
    }
}
