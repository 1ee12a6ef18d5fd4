//! The test suites of some packages: run, shown and counted.

use super::cells::Cells;
use super::counts::{Counts, OutputReader};
use super::steps::announced;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs all tests of the packages that the arguments name, shows their output, and adds up their
/// counts. Failed tests are counted; it is an error where tests cannot be built, crash or are none.
pub(super) fn run(root: &Path, name: &str, packages: &[&str]) -> Result<Counts, String> {
    announced(name, || {
        let mut child = Command::new(env!("CARGO"))
            .arg("test")
            .args(packages)
            .args(["--no-fail-fast", "--", "--show-output"])
            .current_dir(root)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cargo did not start: {error}"))?;
        let mut reader = OutputReader::default();
        let mut cells = Cells::default();
        let output = child.stdout.take().ok_or("cargo test has no output")?;
        for line in BufReader::new(output).lines() {
            let line = line.map_err(|error| format!("{name}: no readable output: {error}"))?;
            println!("{line}");
            reader.read(&line);
            cells.read(&line);
        }
        let status = child
            .wait()
            .map_err(|error| format!("cargo test was lost: {error}"))?;
        let counts = reader.counts();
        print!("{cells}");
        println!("{} suites: {counts}", reader.suites());
        if !status.success() && counts.failed == 0 {
            return Err(format!("{name}: not all could be built and run ({status})"));
        }
        if counts.passed == 0 && counts.failed == 0 {
            return Err(format!("{name}: no test ran"));
        }
        Ok(counts)
    })
}
