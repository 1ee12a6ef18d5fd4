//! The test suites of some packages: run, shown and counted.

use super::cells::Cells;
use super::counts::{Counts, OutputReader, counted_some};
use super::steps::announced;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs all tests of the packages that the arguments name, shows their output, and adds up their
/// counts. Failed tests are counted; it is an error where tests cannot be built, crash or are none.
pub(super) fn run(root: &Path, name: &str, packages: &[&str]) -> Result<Counts, String> {
    announced(name, || {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .arg("test")
            .args(packages)
            .args(["--no-fail-fast", "--", "--show-output"])
            .current_dir(root);
        let mut reader = OutputReader::default();
        let mut cells = Cells::default();
        let counts = counted_some(&mut cargo, |line| {
            cells.read(line);
            reader.read(line)
        })?;
        print!("{cells}");
        println!("{} suites: {counts}", reader.suites());
        Ok(counts)
    })
}

/// The suites of the testkit that compare vector widths.
pub(super) fn of_widths(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("crates/hitscan-testkit/tests");
    let unreadable = |path: &Path, error| format!("{}: {error}", path.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|error| unreadable(&folder, error))? {
        let path = entry.map_err(|error| unreadable(&folder, error))?.path();
        let Some(name) = path
            .file_name()
            .and_then(|name| name.to_str()?.strip_suffix(".rs"))
        else {
            continue;
        };
        let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
        if text.contains("Width::available()") {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}
