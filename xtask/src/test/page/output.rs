//! The counts of tests in what Node's test runner (TAP) and Playwright (list) print at their end.

use super::super::counts::Counts;

/// The tests that a line counts: `# pass 12` of Node, `  12 passed (3.4s)` of Playwright; none in any
/// other line.
pub(super) fn counts_of(line: &str) -> Counts {
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
        };
        assert_eq!(counts, expected);
    }
}
