//! The counts of tests in what pytest prints at its end.

use super::super::counts::Counts;

/// The tests that a line counts, `12 passed, 1 skipped in 3.41s`, with or without a frame of `=`, and the
/// name of the one that failed in `FAILED file::name - why`; none in any other line. Tests that were not
/// selected (`deselected`) do not count as skipped.
pub(in super::super) fn counts_of(line: &str) -> Counts {
    let failed = line.strip_prefix("FAILED ");
    if let Some(test) = failed.or_else(|| line.strip_prefix("ERROR ")) {
        return Counts::failure(test.split(" - ").next().unwrap_or(test));
    }
    let mut counts = Counts::default();
    let line = line.trim_matches(['=', ' ']);
    let Some((outcomes, time)) = line.rsplit_once(" in ") else {
        return counts;
    };
    if !time.split(' ').next().is_some_and(is_time) {
        return counts;
    }
    for outcome in outcomes.split(", ") {
        let Some((count, word)) = outcome.split_once(' ') else {
            return Counts::default();
        };
        let Ok(count) = count.parse::<u64>() else {
            return Counts::default();
        };
        match word {
            "passed" => counts.passed += count,
            "failed" | "error" | "errors" => counts.failed += count,
            "skipped" | "xfailed" | "xpassed" => counts.skipped += count,
            _ => {}
        }
    }
    counts
}

/// Whether a word is seconds such as `3.41s`.
fn is_time(word: &str) -> bool {
    let seconds = word.strip_suffix('s');
    seconds.is_some_and(|seconds| seconds.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_line_counts() {
        let lines = [
            "tests/test_rays.py ............ [ 10%]",
            "2 rays in 3.0s",
            "FAILED tests/test_rays.py::test_edges - assert 1 in 2",
            "===== 1 failed, 120 passed, 2 skipped, 23 deselected, 1 error in 61.20s (0:01:01) =====",
            "3 passed in 0.05s",
        ];
        let mut counts = Counts::default();
        for line in lines {
            counts += counts_of(line);
        }
        let expected = Counts {
            passed: 123,
            failed: 2,
            skipped: 2,
            failures: vec!["tests/test_rays.py::test_edges".to_owned()],
            ..Counts::default()
        };
        assert_eq!(counts, expected);
    }
}
