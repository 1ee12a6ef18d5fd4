//! Files as bytes that lie in the page cache, where all processes that map them share them.
//!
//! The one module of this crate with unsafe code: a mapping cannot be made otherwise.
#![expect(
    unsafe_code,
    reason = "files are mapped, and slices of mappings outlive a borrow"
)]

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use hitscan::baked::{Bytes, Keeper};
use memmap2::Mmap;

use crate::Error;
use crate::read_file::regular_length;

/// Maps a regular file, read-only. Whoever replaces it must write another file and rename it, as
/// [`bake`](crate::bake) does: one that is cut short or written to while it is mapped stops the
/// process, or changes answers.
pub(crate) fn map_file(path: &Path) -> Result<Bytes<'static>, Error> {
    let failed = |source| Error::io(path, source);
    // Checked before opening: to open a pipe waits for its other end.
    if regular_length(path)? == 0 {
        return Ok(Bytes::lent(&[]));
    }
    let file = File::open(path).map_err(failed)?;
    // SAFETY: the mapping is private to this process and nobody here writes to it. That no other
    // process changes the file is what whoever bakes worlds has to keep, as the docs say; files are
    // replaced by renaming, which leaves a mapping as it was.
    let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
    let keeper = Arc::new(map);
    let (start, length) = (keeper.as_ptr(), keeper.len());
    // SAFETY: the slice lies in the mapping, which `keeper` unmaps when its last clone is dropped;
    // `Bytes` reads the slice only while it, or what was made of it, holds a clone.
    let bytes: &'static [u8] = unsafe { std::slice::from_raw_parts(start, length) };
    Ok(Bytes::kept(bytes, keeper as Keeper))
}
