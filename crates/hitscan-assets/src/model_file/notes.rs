//! What a reader left out, gathered for `hitscan info`: one line a kind, however often it occurs.

use std::collections::BTreeMap;

/// Remarks on a file that is usable.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    by_kind: BTreeMap<String, Occurrences>,
}

#[derive(Debug)]
struct Occurrences {
    count: usize,
    first: String,
}

impl Notes {
    /// Adds a remark of this kind about what is at `location`.
    pub(crate) fn add(&mut self, kind: &str, location: impl FnOnce() -> String) {
        if let Some(known) = self.by_kind.get_mut(kind) {
            known.count += 1;
        } else {
            let first = Occurrences {
                count: 1,
                first: location(),
            };
            self.by_kind.insert(kind.to_owned(), first);
        }
    }

    /// One line for each kind, in alphabetical order.
    pub(crate) fn into_lines(self) -> Vec<String> {
        let line = |(kind, Occurrences { count, first }): (String, Occurrences)| match count {
            1 => format!("{first}: {kind}"),
            _ => format!("{first} and {} more: {kind}", count - 1),
        };
        self.by_kind.into_iter().map(line).collect()
    }
}
