//! The counts of tests in what Node's test runner (TAP) and Playwright (list) print at their end.

use super::super::counts::Counts;

/// The tests that a line counts, `# pass 12` of Node and `  12 passed (3.4s)` of Playwright, and the name
/// of the one that failed in `not ok 3 - name` and `  1) file.spec.mjs:12:1 › name`; none in any other
/// line.
pub(super) fn counts_of(line: &str) -> Counts {
    if let Some(name) = failed_test(line) {
        return Counts::failure(name);
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let (word, count) = match words.as_slice() {
        ["#", word, count] => (*word, count.parse()),
        [count, word] if line.starts_with("  ") => (*word, count.parse()),
        [count, "passed", time] if time.starts_with('(') => ("passed", count.parse()),
        _ => return Counts::default(),
    };
    let count = count.unwrap_or(0);
    let mut counts = Counts::default();
    match word {
        "pass" | "passed" => counts.passed = count,
        "fail" | "failed" | "interrupted" => counts.failed = count,
        "skipped" | "todo" | "cancelled" | "flaky" => counts.skipped = count,
        _ => {}
    }
    counts
}

fn failed_test(line: &str) -> Option<&str> {
    if let Some(test) = line.trim_start().strip_prefix("not ok ") {
        return test.split_once(" - ").map(|(_, name)| name);
    }
    let (number, name) = line.strip_prefix("  ")?.split_once(") ")?;
    let is_test = number.parse::<u32>().is_ok() && name.contains(".spec.mjs:");
    is_test.then(|| name.trim_end_matches(['─', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_runners_are_counted() {
        let lines = [
            "# tests 14",
            "# pass 12",
            "# fail 2",
            "ok 1 - a point is projected",
            "not ok 2 - a box has corners",
            "  1) shots.spec.mjs:12:1 › an edge ────",
            "  1 failed",
            "    shots.spec.mjs:12:1 › an edge ────",
            "  30 passed (41.2s)",
            "  1 skipped",
        ];
        let mut counts = Counts::default();
        for line in lines {
            counts += counts_of(line);
        }
        let expected = Counts {
            passed: 42,
            failed: 3,
            skipped: 1,
            failures: vec![
                "a box has corners".to_owned(),
                "shots.spec.mjs:12:1 › an edge".to_owned(),
            ],
            ..Counts::default()
        };
        assert_eq!(counts, expected);
    }
}
