//! Counts of tests that passed, failed and were skipped, from the output of test runners.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead as _, BufReader};
use std::ops::AddAssign;
use std::process::{Command, ExitCode, Stdio};

/// A test prints a line that begins so, and returns, where it lacks what it needs.
const NOT_RUN: &str = "not run: ";

/// How many tests there were of each outcome, and which failed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub(super) passed: u64,
    pub(super) failed: u64,
    /// Neither: what was not run.
    pub(super) skipped: u64,
    /// The names of those that failed, as their runner tells them.
    pub(super) failures: Vec<String>,
    /// For want of what tests were skipped, and how many; not every runner tells.
    pub(super) skips: BTreeMap<String, u64>,
}

impl Counts {
    /// One that is skipped for want of something, by its name.
    pub(super) fn skip(name: &str) -> Self {
        Self {
            skipped: 1,
            skips: BTreeMap::from([(name.to_owned(), 1)]),
            ..Self::default()
        }
    }

    /// One test that failed, named here and counted elsewhere.
    pub(super) fn failure(name: &str) -> Self {
        Self {
            failures: vec![name.to_owned()],
            ..Self::default()
        }
    }

    /// Prints which tests failed, what was skipped, and as the last line how many there were; what the
    /// program exits with.
    pub(super) fn report(&self) -> ExitCode {
        println!();
        for failure in &self.failures {
            println!("failed: {failure}");
        }
        for (name, count) in &self.skips {
            println!("skipped: {name} ({count})");
        }
        println!("{self}");
        match self.failed {
            0 => ExitCode::SUCCESS,
            _ => ExitCode::FAILURE,
        }
    }
}

/// Runs a command, shows its output, and adds up what `read` finds in its lines. An error where the
/// command fails without a test that failed.
pub(super) fn counted(
    command: &mut Command,
    mut read: impl FnMut(&str) -> Counts,
) -> Result<Counts, String> {
    let program = command.get_program().to_owned();
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{} did not start: {error}", program.display()))?;
    let output = child.stdout.take().ok_or("the command has no output")?;
    let mut counts = Counts::default();
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| format!("no readable output: {error}"))?;
        println!("{line}");
        counts += read(&line);
    }
    let status = child
        .wait()
        .map_err(|error| format!("{} was lost: {error}", program.display()))?;
    if !status.success() && counts.failed == 0 {
        return Err(format!("not all could be built and run ({status})"));
    }
    Ok(counts)
}

/// As [`counted`], and an error where no test ran.
pub(super) fn counted_some(
    command: &mut Command,
    read: impl FnMut(&str) -> Counts,
) -> Result<Counts, String> {
    let counts = counted(command, read)?;
    match counts.passed + counts.failed {
        0 => Err("no test ran".to_owned()),
        _ => Ok(counts),
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.failures.extend(other.failures);
        for (name, count) in other.skips {
            *self.skips.entry(name).or_default() += count;
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// Reads the output of suites that run with `--show-output`, line by line.
///
/// A suite ends with a line such as `test result: ok. 3 passed; 0 failed; 0 ignored; ...`. Before
/// it, below `successes:`, the output of each test that passed follows its own head; a test with a
/// line `not run: ...` in it, or with several, is one that did not run, though libtest counts it
/// as passed.
#[derive(Debug, Default)]
pub(super) struct OutputReader {
    suites: u64,
    /// Whether the lines that come are output of tests that passed.
    is_in_successes: bool,
    /// Whether a test's output is being read that has not said that it did not run.
    may_skip: bool,
    /// For want of what tests of this suite did not run, and how many.
    not_run: BTreeMap<String, u64>,
}

impl OutputReader {
    /// What a line counts: the end of a suite its tests, the line of a failed test its name.
    pub(super) fn read(&mut self, line: &str) -> Counts {
        if let Some(result) = line.strip_prefix("test result: ") {
            return self.end_suite(result);
        }
        if let Some(name) = failed_test(line) {
            return Counts::failure(name);
        }
        if line == "successes:" || line == "failures:" {
            self.is_in_successes = line == "successes:";
            self.may_skip = false;
        } else if line.starts_with("---- ") && line.ends_with(" stdout ----") {
            self.may_skip = self.is_in_successes;
        } else if self.may_skip
            && let Some(name) = line.strip_prefix(NOT_RUN)
        {
            *self.not_run.entry(name.to_owned()).or_default() += 1;
            self.may_skip = false;
        }
        Counts::default()
    }

    fn end_suite(&mut self, result: &str) -> Counts {
        let count = |word: &str| {
            let before = result.split(word).next()?;
            before.split_whitespace().next_back()?.parse::<u64>().ok()
        };
        let count = |word| count(word).unwrap_or(0);
        let suites = self.suites + 1;
        let before = std::mem::take(self);
        self.suites = suites;
        let not_run: u64 = before.not_run.values().sum();
        Counts {
            passed: count(" passed").saturating_sub(not_run),
            failed: count(" failed"),
            skipped: count(" ignored") + not_run,
            skips: before.not_run,
            ..Counts::default()
        }
    }

    pub(super) fn suites(&self) -> u64 {
        self.suites
    }
}

/// The name in a line such as `test module::name ... FAILED`.
fn failed_test(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(output: &str) -> (u64, Counts) {
        let mut reader = OutputReader::default();
        let mut counts = Counts::default();
        output.lines().for_each(|line| counts += reader.read(line));
        (reader.suites(), counts)
    }

    fn counts(passed: u64, failed: u64, skipped: u64) -> Counts {
        Counts {
            passed,
            failed,
            skipped,
            ..Counts::default()
        }
    }

    fn skipping(counts: Counts, name: &str) -> Counts {
        let skips = BTreeMap::from([(name.to_owned(), counts.skipped)]);
        Counts { skips, ..counts }
    }

    fn failing(counts: Counts, name: &str) -> Counts {
        Counts {
            failures: vec![name.to_owned()],
            ..counts
        }
    }

    #[test]
    fn a_summary_is_one_line_and_names_skipped_tests_where_there_are_any() {
        assert_eq!(counts(3, 0, 0).to_string(), "3 passed, 0 failed");
        assert_eq!(counts(3, 1, 2).to_string(), "3 passed, 1 failed, 2 skipped");
    }

    #[test]
    fn suites_add_up() {
        let output = "
running 2 tests
test a ... ok
test b ... ok

test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s

   Doc-tests hitscan

running 3 tests
test c ... FAILED

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
";
        assert_eq!(read(output), (2, failing(counts(3, 1, 1), "c")));
    }

    #[test]
    fn a_test_that_was_not_run_is_counted_once_and_not_as_passed() {
        let output = "
running 4 tests
test cases ... ok
test many_cases ... ok
test prints ... ok
test quiet ... ok

successes:

---- cases stdout ----
not run: outside data

---- many_cases stdout ----
seed 7
not run: outside data
not run: outside data

---- prints stdout ----
a line about what is not run: outside data


successes:
    cases
    many_cases
    prints
    quiet

test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
";
        assert_eq!(read(output), (1, skipping(counts(2, 0, 2), "outside data")));
        // The next suite begins afresh.
        let twice = skipping(counts(4, 0, 4), "outside data");
        assert_eq!(read(&output.repeat(2)), (2, twice));
    }

    #[test]
    fn a_test_that_failed_is_failed_whatever_it_printed() {
        let output = "
running 2 tests
test cases ... FAILED
test other ... ok

successes:

---- other stdout ----
seed 1


successes:
    other

failures:

---- cases stdout ----
not run: outside data

thread 'cases' panicked at src/lib.rs:1:1:


failures:
    cases

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
";
        assert_eq!(read(output), (1, failing(counts(1, 1, 0), "cases")));
    }

    #[test]
    fn what_is_outside_of_tests_does_not_count() {
        let output = "
not run: toolchain 1.89

running 1 test
not run: outside data
test a ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
not run: outside data
";
        assert_eq!(read(output), (1, counts(1, 0, 0)));
    }
}
