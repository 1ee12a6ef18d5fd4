//! Temporary files that killed processes have left.
//!
//! A process that writes a file under a temporary name holds a lock on it, which the system releases
//! however the process ends. So a lock that is acquired proves that the writer is gone: the number of a
//! process may be in use again, and processes of other containers cannot be seen.
//!
//! Locks of one kernel are certain; those of other machines that share a folder may not be seen. A
//! temporary name therefore bears the boot of its writer's kernel, and files of others stay. Where a
//! boot has no name (not on Linux) nothing is locked or removed.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::process;
use std::sync::LazyLock;

/// The first digits of the name of this boot of the kernel.
static BOOT: LazyLock<Option<String>> = LazyLock::new(|| {
    let id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let digits: String = id
        .chars()
        .filter(char::is_ascii_hexdigit)
        .take(12)
        .collect();
    (digits.len() == 12).then_some(digits)
});

/// A temporary name for the file `target`, different for each process and `number`.
pub(crate) fn temporary_name(target: &Path, number: u64) -> String {
    let boot = BOOT.as_deref().unwrap_or("0");
    let target = short_name(target);
    format!(".hitscan-{}-{number}-{boot}-{target}.tmp", process::id())
}

/// The part of a temporary name that names its target.
fn short_name(target: &Path) -> String {
    /// A name of so many bytes fits into the 255 of most systems together with all that is around it.
    const MOST: usize = 160;
    let name = target.file_name().map(OsStr::to_string_lossy);
    let mut name = name.unwrap_or_default().into_owned();
    while name.len() > MOST {
        name.pop();
    }
    name
}

/// Locks a new file as long as it is open. `false`: another process took it for left over, and it may
/// be gone.
pub(crate) fn lock(file: &File) -> io::Result<bool> {
    if BOOT.is_none() {
        return Ok(true);
    }
    match file.try_lock() {
        Ok(()) => is_there(file),
        Err(TryLockError::WouldBlock) => Ok(false),
        // Where nobody can lock, nobody removes.
        Err(TryLockError::Error(_)) => Ok(true),
    }
}

#[cfg(unix)]
fn is_there(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    Ok(file.metadata()?.nlink() > 0)
}

#[cfg(not(unix))]
fn is_there(_: &File) -> io::Result<bool> {
    Ok(true)
}

/// Removes what killed processes of this boot have left of `target`. What cannot be removed stays.
pub(crate) fn remove_left_over(target: &Path) {
    let Some(boot) = BOOT.as_deref() else {
        return;
    };
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let ending = format!("-{boot}-{}.tmp", short_name(target));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| is_of(name, &ending))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = OpenOptions::new().write(true).open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is [`temporary_name`] of any process and number, with this ending.
fn is_of(name: &str, ending: &str) -> bool {
    let numbers = name.strip_prefix(".hitscan-");
    let numbers = numbers.and_then(|rest| rest.strip_suffix(ending));
    numbers
        .and_then(|numbers| numbers.split_once('-'))
        .is_some_and(|(process, number)| {
            let is_number =
                |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            is_number(process) && is_number(number)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_one_target() {
        let name = temporary_name(Path::new("folder/a-b.csv"), 7);
        let boot = BOOT.as_deref().unwrap_or("0");
        assert!(is_of(&name, &format!("-{boot}-a-b.csv.tmp")), "{name}");
        assert!(!is_of(&name, &format!("-{boot}-b.csv.tmp")), "{name}");
        assert!(!is_of(&name, "-another-a-b.csv.tmp"), "{name}");
        assert!(!is_of(".hitscan-12-x-a.csv.tmp", "-x-a.csv.tmp"));
        let long = "é".repeat(127);
        assert!(temporary_name(Path::new(&long), u64::MAX).len() <= 255);
    }
}
