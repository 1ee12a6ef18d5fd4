//! The last run's numbers in BENCHMARKS.md, between two marker comments.

use std::fs;
use std::path::Path;

const BEGIN: &str = "<!-- numbers: begin (written by `cargo xtask bench --write`) -->";
const END: &str = "<!-- numbers: end -->";

/// Replaces what is between the markers of `file` by `numbers`.
pub fn publish(file: &Path, numbers: &str) -> Result<(), String> {
    let place = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("{place}: {error}"))?;
    let text = replaced(&text, numbers).ok_or(format!("{place} has lost its markers"))?;
    fs::write(file, text).map_err(|error| format!("{place}: {error}"))
}

fn replaced(text: &str, numbers: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{numbers}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let text = format!("head\n{BEGIN}\nold\n{END}\nfoot\n");
        let expected = format!("head\n{BEGIN}\nnew\n{END}\nfoot\n");
        assert_eq!(replaced(&text, "new"), Some(expected));
        assert_eq!(replaced("no markers", "new"), None);
    }
}
