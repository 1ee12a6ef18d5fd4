//! `--summary`: what came of a run, on standard error.

use crate::terminal;
use hitscan_table::Summary;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// More objects are counted together.
const OBJECTS: usize = 20;

/// Prints the summary of a run that took so long, the scene's loading aside.
pub(crate) fn print(summary: &Summary, took: Duration) {
    terminal::say(text(summary, took).trim_end());
}

fn text(summary: &Summary, took: Duration) -> String {
    let seconds = took.as_secs_f64();
    let rows = summary.rows - summary.skipped;
    let mut text = format!("{rows} rows answered in {seconds:.3} s");
    if seconds > 0.0 {
        // Writing to a string does not fail.
        let _ = write!(text, ", {:.0} rows/s", rows as f64 / seconds);
    }
    text.push('\n');
    if summary.answers != rows {
        let _ = writeln!(text, "  {} rows of answers", summary.answers);
    }
    for (word, count) in &summary.statuses {
        let _ = writeln!(text, "  status {word}: {count}");
    }
    text.push_str(&objects(&summary.objects));
    if summary.skipped > 0 {
        let _ = writeln!(text, "  left out: {}", summary.skipped);
    }
    text
}

/// The objects with the most rows, these first; of those with as many, by name.
fn objects(counts: &BTreeMap<String, u64>) -> String {
    let mut sorted: Vec<(&String, u64)> =
        counts.iter().map(|(name, count)| (name, *count)).collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut text = String::new();
    for (name, count) in sorted.iter().take(OBJECTS) {
        let _ = writeln!(text, "  object {}: {count}", terminal::escaped(name));
    }
    if let Some(others) = sorted.get(OBJECTS..).filter(|others| !others.is_empty()) {
        let count: u64 = others.iter().map(|(_, count)| count).sum();
        let _ = writeln!(text, "  {} other objects: {count}", others.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_come_by_their_counts_and_the_rest_together() {
        let name = |i: u64| (format!("o{i:02}"), i / 2);
        let counts = (0..23).map(name).collect();
        let text = objects(&counts);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..3],
            ["  object o22: 11", "  object o20: 10", "  object o21: 10"]
        );
        assert_eq!((lines.len(), lines[20]), (21, "  3 other objects: 1"));
    }

    #[test]
    fn rows_and_words_are_counted() {
        let summary = Summary {
            rows: 10,
            answers: 12,
            statuses: vec![("hit".to_owned(), 11), ("invalid".to_owned(), 1)],
            objects: BTreeMap::from([("a\u{1b}".to_owned(), 11)]),
            ..Summary::default()
        };
        let expected = "10 rows answered in 0.500 s, 20 rows/s\n  12 rows of answers\n  \
                        status hit: 11\n  status invalid: 1\n  object a\\u{1b}: 11\n";
        assert_eq!(text(&summary, Duration::from_millis(500)), expected);
    }
}
