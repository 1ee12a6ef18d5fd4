//! Files that appear whole or not at all.

use crate::failure::Failure;
use hitscan_table::StagedFile;
use std::io::Write as _;
use std::path::Path;

/// Writes `bytes` to `path`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::other(format!("{}: cannot be written: {error}", path.display()))
    };
    let (mut file, staged) = StagedFile::create(path).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    drop(file);
    staged.map_or(Ok(()), StagedFile::commit).map_err(failed)
}
