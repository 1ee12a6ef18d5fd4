//! A limit on the memory that a file may make the reader allocate.
//!
//! Every length is checked against bytes that are there, but a file can name the same bytes again
//! and again: a mesh in ten thousand nodes, a compressed view in a thousand others. So all that is
//! made from bytes is counted here, against a bound that follows from the files' real sizes.

use std::cell::Cell;

use super::Source;
use crate::Error;

/// The bytes that any model may grow to.
const BASE: usize = 512 << 20;

/// The bytes that it may grow by for each byte of its files.
const FACTOR: usize = 16;

/// The memory that may still be allocated.
#[derive(Debug)]
pub(super) struct Memory {
    left: Cell<usize>,
    max_zeros: usize,
}

impl Memory {
    /// For a model whose files have `bytes` in all.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            left: Cell::new(bytes.saturating_mul(FACTOR).saturating_add(BASE)),
            max_zeros: bytes,
        }
    }

    /// How many elements an accessor may have that has no bytes and so reads as zeros: as many as
    /// the files have bytes.
    ///
    /// Such an accessor goes with another that has bytes, of as many elements: the positions that a
    /// morph target displaces. So no valid file reaches this bound, and one with a false count does.
    pub(super) fn max_zeros(&self) -> usize {
        self.max_zeros
    }

    /// Counts `bytes` for the values at `location`.
    pub(super) fn charge(
        &self,
        source: Source<'_>,
        bytes: usize,
        location: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        let left = self.left.get().checked_sub(bytes).ok_or_else(|| {
            let expected = "a model of at most 512 MiB and 16 bytes for each byte of its files";
            source.malformed(location(), expected, "a larger one")
        })?;
        self.left.set(left);
        Ok(())
    }
}
