//! A file that appears only when it is complete.
//!
//! It is written under a temporary name in the same folder and renamed at the end.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// The temporary name of a file that is being written; dropping it removes the file.
///
/// ```
/// use hitscan_table::StagedFile;
/// use std::io::Write as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-staged-{}", std::process::id()));
/// let (mut file, staged) = StagedFile::create(&path)?;
/// file.write_all(b"whole")?;
/// assert!(!path.exists());
/// drop(file);
/// staged.map_or(Ok(()), StagedFile::commit)?;
/// assert_eq!(std::fs::read(&path)?, b"whole");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct StagedFile {
    staged: PathBuf,
    target: PathBuf,
}

impl StagedFile {
    /// Creates the temporary file for `target`. What is no regular file, such as a device or a named
    /// pipe, cannot be replaced and is opened itself.
    ///
    /// # Errors
    /// When the folder or the file cannot be written to.
    pub fn create(target: &Path) -> io::Result<(File, Option<Self>)> {
        // A link's target is replaced, not the link.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let before = fs::metadata(&target).ok();
        if before.as_ref().is_some_and(|before| !before.is_file()) {
            return Ok((OpenOptions::new().write(true).open(&target)?, None));
        }
        let (file, staged) = create_beside(&target)?;
        let this = Self { staged, target };
        if let Some(before) = before {
            file.set_permissions(before.permissions())?;
        }
        Ok((file, Some(this)))
    }

    /// Gives the file its final name. All handles to it must be closed, as some systems demand.
    ///
    /// # Errors
    /// When the file cannot be renamed.
    pub fn commit(self) -> io::Result<()> {
        fs::rename(&self.staged, &self.target)
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove, and after a failed removal nothing left
        // to try.
        let _ = fs::remove_file(&self.staged);
    }
}

/// Creates a file with a name of its own in the folder of `target`.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let staged = target.with_file_name(format!(".hitscan-{}-{number}.tmp", process::id()));
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&staged)
        {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return Ok((created?, staged)),
        }
    }
}
