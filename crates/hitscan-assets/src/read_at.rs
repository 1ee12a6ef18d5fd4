//! Files with random access, so that what is decoded piece by piece is never in memory as a whole.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use crate::Error;
use crate::read_file::checked_length;

/// Bytes with random access.
pub trait ReadAt {
    /// How many there are.
    fn length(&self) -> u64;

    /// Fills `out` with the bytes from place `start` on.
    ///
    /// # Errors
    /// Where there are not so many, and where the system cannot read them.
    fn read_exact_at(&self, start: u64, out: &mut [u8]) -> io::Result<()>;
}

impl ReadAt for &[u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn read_exact_at(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(start).ok();
        let rest = start.and_then(|start| self.get(start..));
        let part = rest.and_then(|rest| rest.get(..out.len()));
        out.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl ReadAt for Vec<u8> {
    fn length(&self) -> u64 {
        self.as_slice().length()
    }

    fn read_exact_at(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_exact_at(start, out)
    }
}

/// A regular file of the disk.
struct OpenFile {
    file: File,
    length: u64,
}

impl ReadAt for OpenFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_exact_at(&self, start: u64, out: &mut [u8]) -> io::Result<()> {
        (&self.file).seek(SeekFrom::Start(start))?;
        (&self.file).read_exact(out)
    }
}

/// Opens a file of at most `limit` bytes. Devices, pipes and folders are refused.
pub(crate) fn open_file(path: &Path, limit: u64) -> Result<Box<dyn ReadAt>, Error> {
    let length = checked_length(path, limit)?;
    let file = File::open(path).map_err(|source| Error::io(path, source))?;
    Ok(Box::new(OpenFile { file, length }))
}
