//! Output files, none of them an input, none under a wrong ending, whole or not at all; and standard
//! output.

use crate::failure::{Failure, check_interrupt};
use hitscan_table::StagedFile;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Refuses to write to `output` where it is `input`, under whichever name.
pub(crate) fn refuse_input(output: &Path, input: &Path) -> Result<(), Failure> {
    if !is_same_file(output, input) {
        return Ok(());
    }
    let output = output.display();
    Err(Failure::usage(format!(
        "{output}: the output is also an input ({}), which it would replace: give the output \
         another name",
        input.display()
    )))
}

/// Refuses a picture under another ending than `.png`.
pub(crate) fn refuse_ending(picture: &Path) -> Result<(), Failure> {
    let ending = picture.extension().unwrap_or_default().to_string_lossy();
    // A device or a pipe has the name that the system gives it.
    let is_special = fs::metadata(picture).is_ok_and(|file| !file.is_file());
    if ending.eq_ignore_ascii_case("png") || is_special || picture == Path::new("-") {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{}: a picture is written as a PNG: give it a name that ends in .png, or `-` for standard \
         output",
        picture.display()
    )))
}

/// Refuses an output that cannot be written, before long work.
pub(crate) fn check_place(output: &Path) -> Result<(), Failure> {
    match output == Path::new("-") {
        true => Ok(()),
        false => StagedFile::check(output).map_err(|error| cannot_write(output, &error)),
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::other(format!("{}: cannot be written: {error}", path.display()))
}

/// Writes `bytes` to `path`.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_with(path, |file| file.write_all(bytes))
}

/// Writes what `write` writes to `path`.
pub(crate) fn write_with(
    path: &Path,
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| cannot_write(path, &error);
    let (file, staged) = StagedFile::create(path).map_err(failed)?;
    let mut file = io::BufWriter::new(file);
    write(&mut file)
        .and_then(|()| file.flush())
        .map_err(failed)?;
    drop(file);
    check_interrupt()?;
    staged.map_or(Ok(()), StagedFile::commit).map_err(failed)
}

/// Writes to standard output; a closed pipe is no failure.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
    printed(io::stdout().lock().write_all(bytes))
}

/// What came of writing to standard output, once nothing of it waits any longer.
pub(crate) fn printed(written: io::Result<()>) -> Result<(), Failure> {
    match written.and_then(|()| io::stdout().lock().flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::OutputClosed),
        Err(error) => Err(Failure::other(format!("standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// Whether both paths lead to one regular file. A terminal may well be input and output.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let (Ok(a), Ok(b)) = (fs::metadata(one), fs::metadata(other)) else {
        return false;
    };
    a.is_file() && b.is_file() && (is_same_entry(&a, &b) || is_same_path(one, other))
}

fn is_same_path(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Whether two names are links to one file.
#[cfg(unix)]
fn is_same_entry(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same_entry(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}
