//! Notes and warnings of a reader, on content that it skips or reinterprets: one line a kind, however
//! often it occurs.
//!
//! A note is for `hitscan info`: the model is what its author means. A warning is for every command:
//! the model may not be.

use std::collections::BTreeMap;

/// Remarks on a file that is usable.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    notes: BTreeMap<String, Occurrences>,
    warnings: BTreeMap<String, Occurrences>,
}

/// Notes and warnings as lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remarks {
    pub(crate) notes: Vec<String>,
    pub(crate) warnings: Vec<String>,
}

#[derive(Debug)]
struct Occurrences {
    count: usize,
    first: String,
}

impl Notes {
    /// Adds a note of this kind about what is at `location`.
    pub(crate) fn add(&mut self, kind: &str, location: impl FnOnce() -> String) {
        count(&mut self.notes, kind, location);
    }

    /// Adds a warning of this kind about what is at `location`.
    pub(crate) fn warn(&mut self, kind: &str, location: impl FnOnce() -> String) {
        count(&mut self.warnings, kind, location);
    }

    /// One line for each kind, in alphabetical order.
    pub(crate) fn into_remarks(self) -> Remarks {
        Remarks {
            notes: lines(self.notes),
            warnings: lines(self.warnings),
        }
    }
}

fn count(
    by_kind: &mut BTreeMap<String, Occurrences>,
    kind: &str,
    location: impl FnOnce() -> String,
) {
    if let Some(known) = by_kind.get_mut(kind) {
        known.count += 1;
    } else {
        let first = location();
        by_kind.insert(kind.to_owned(), Occurrences { count: 1, first });
    }
}

fn lines(by_kind: BTreeMap<String, Occurrences>) -> Vec<String> {
    let line = |(kind, Occurrences { count, first }): (String, Occurrences)| match count {
        1 => format!("{first}: {kind}"),
        _ => format!("{first} and {} more: {kind}", count - 1),
    };
    by_kind.into_iter().map(line).collect()
}
