//! Reads a file into memory, but nothing that may never end, and nothing beyond a limit.

use std::fs::{File, FileType};
use std::io::Read;
use std::path::Path;

use crate::Error;

/// The longest scene file, and the longest table of places, that is read.
pub const MAX_SCENE_BYTES: u64 = 4 << 30;

/// The longest height map or model that is read.
pub const MAX_FILE_BYTES: u64 = 32 << 30;

/// Reads a whole file of at most `limit` bytes. Devices, pipes and folders are refused.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
    checked_length(path, limit)?;
    read_start(path, limit)
}

/// The length of a regular file of at most `limit` bytes.
pub(crate) fn checked_length(path: &Path, limit: u64) -> Result<u64, Error> {
    let length = regular_length(path)?;
    if length > limit {
        let expected = format!("at most {limit} bytes ({} GiB)", limit >> 30);
        return Err(Error::malformed(
            path,
            "the file",
            expected,
            length.to_string(),
        ));
    }
    Ok(length)
}

/// Reads a file, but not more than its first `most` bytes. Devices, pipes and folders are refused.
pub(crate) fn read_start(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::io(path, source);
    // Checked before opening: to open a pipe waits for its other end.
    regular_length(path)?;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The length of a regular file, links followed.
pub(crate) fn regular_length(path: &Path) -> Result<u64, Error> {
    let metadata = std::fs::metadata(path).map_err(|source| Error::io(path, source))?;
    if metadata.is_file() {
        return Ok(metadata.len());
    }
    let found = kind_of(metadata.file_type());
    Err(Error::malformed(path, "the path", "a regular file", found))
}

/// What is not a regular file, in words.
fn kind_of(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    if kind.is_dir() {
        "a folder"
    } else {
        "a device or pipe"
    }
}
