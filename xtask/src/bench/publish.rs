//! Tables in BENCHMARKS.md and `docs/benchmarks/`, between markers.

use std::fs;
use std::path::Path;

/// The lines around a table.
pub(super) struct Markers {
    pub(super) begin: &'static str,
    pub(super) end: &'static str,
}

/// Replaces what is between the markers of `file`.
pub(super) fn publish(file: &Path, markers: &Markers, text: &str) -> Result<(), String> {
    let place = file.display();
    let old = fs::read_to_string(file).map_err(|error| format!("{place}: {error}"))?;
    let new = replaced(&old, markers, text).ok_or(format!("{place} has lost its markers"))?;
    fs::write(file, new).map_err(|error| format!("{place}: {error}"))?;
    println!("written: {place}");
    Ok(())
}

fn replaced(old: &str, Markers { begin, end }: &Markers, text: &str) -> Option<String> {
    let (before, rest) = old.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}\n{text}\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let markers = Markers {
            begin: "<!-- a -->",
            end: "<!-- b -->",
        };
        let found = replaced("one\n<!-- a -->\nold\n<!-- b -->\ntwo", &markers, "new");
        assert_eq!(
            found.as_deref(),
            Some("one\n<!-- a -->\nnew\n<!-- b -->\ntwo")
        );
        assert_eq!(replaced("one", &markers, "new"), None);
    }
}
