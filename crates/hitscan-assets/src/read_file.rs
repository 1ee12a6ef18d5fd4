//! Reads a file into memory, but nothing that may never end.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::Error;

/// Reads a file, but not more than its first `most` bytes. Devices and pipes, which may never end,
/// are refused.
pub(crate) fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::io(path, source);
    // Checked before opening: to open a pipe waits for its other end.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        let found = "a folder, device or pipe";
        return Err(Error::malformed(path, "the path", "a file", found));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}
