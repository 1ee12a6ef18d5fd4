//! A file that appears only when it is complete.
//!
//! It is written under a temporary name in the same folder and renamed at the end. The names of all
//! that are being written are in one list, so that a program that must end at once leaves none; what
//! a killed one leaves, the next that writes the same file removes (`left_over.rs`).

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::left_over::{lock, remove_left_over, temporary_name};

/// The temporary names of the files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

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
    /// Holds the lock until the file has its name.
    #[cfg(unix)]
    _lock: File,
}

impl StagedFile {
    /// Creates the temporary file for `target`. What is no regular file, such as a device or a named
    /// pipe, cannot be replaced and is opened itself.
    ///
    /// On Linux, what killed processes of this machine have left of the same target is removed.
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
        remove_left_over(&target);
        let (file, staged) = create_beside(&target)?;
        let this = Self {
            #[cfg(unix)]
            _lock: file.try_clone()?,
            staged,
            target,
        };
        if let Some(before) = before {
            file.set_permissions(before.permissions())?;
        }
        Ok((file, Some(this)))
    }

    /// Finds out whether `target` can be written, without writing it.
    ///
    /// # Errors
    /// As [`StagedFile::create`].
    pub fn check(target: &Path) -> io::Result<()> {
        // A pipe is opened only once, and by whoever writes to it.
        let is_special = |data: fs::Metadata| !data.is_file() && !data.is_dir();
        match fs::metadata(target).is_ok_and(is_special) {
            true => Ok(()),
            false => Self::create(target).map(drop),
        }
    }

    /// Gives the file its final name. All handles to it must be closed, as some systems demand.
    ///
    /// # Errors
    /// When the file cannot be renamed.
    pub fn commit(self) -> io::Result<()> {
        // The list is locked meanwhile: a file is removed before it gets its name, or not at all.
        let _unfinished = unfinished();
        fs::rename(&self.staged, &self.target)
    }

    /// Removes the temporary files of the whole process, before it ends without dropping them.
    ///
    /// From then on no file can be created or committed: threads that try wait for the end.
    ///
    /// ```no_run
    /// hitscan_table::StagedFile::remove_unfinished();
    /// std::process::exit(1);
    /// ```
    pub fn remove_unfinished() {
        let unfinished = unfinished();
        for staged in unfinished.iter() {
            // What cannot be removed stays; the process ends all the same.
            let _ = fs::remove_file(staged);
        }
        std::mem::forget(unfinished);
    }
}

/// The list of temporary names. A panic elsewhere leaves it as it was.
fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        unfinished.retain(|staged| *staged != self.staged);
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
        let mut unfinished = unfinished();
        let staged = target.with_file_name(temporary_name(target, number));
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&staged)
        {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => {
                let file = created?;
                if lock(&file)? {
                    unfinished.push(staged.clone());
                    return Ok((file, staged));
                }
            }
        }
    }
}
