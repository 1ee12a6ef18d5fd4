//! The test suites of some packages: run, shown and counted.

use super::cells::Cells;
use super::counts::{Counts, OutputReader, counted_some};
use super::steps::announced;
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
