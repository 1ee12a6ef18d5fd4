//! Messages for people, on standard error, and text that a terminal shows as it is.
//!
//! Names and paths come from files and may hold control characters, which a terminal would obey;
//! here they are printed escaped. Tables go out as they are, elsewhere.

use std::io::{self, Write as _};

/// `text` on one line, with control characters and marks that reverse the direction of text as
/// `\u{1b}`.
pub(crate) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_escaped(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// `text` as [`escaped`], but with its line breaks.
pub(crate) fn escaped_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(escaped).collect();
    lines.join("\n")
}

/// JSON on one line and a line break. What a terminal would obey is escaped in it too.
pub(crate) fn escaped_json(json: &serde_json::Value) -> String {
    let mut text = String::new();
    for character in json.to_string().chars() {
        // Outside of strings JSON on one line has none of these.
        if is_escaped(character) {
            text.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            text.push(character);
        }
    }
    text.push('\n');
    text
}

/// Prints a message of the program on standard error.
pub(crate) fn say(message: &str) {
    // Where standard error is closed, nothing can be reported.
    let _ = writeln!(io::stderr(), "hitscan: {}", escaped_lines(message));
}

/// Whether a terminal would obey the character: control characters, line and paragraph separators,
/// and the marks by which text is shown in another order than it has.
pub(crate) fn is_escaped(character: char) -> bool {
    let is_layout_mark = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    character.is_control() || is_layout_mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_in_a_name() {
        let name = "a\u{1b}[31mb\u{7f}\u{9b}c\n\u{202e}d";
        assert_eq!(escaped(name), r"a\u{1b}[31mb\u{7f}\u{9b}c\u{a}\u{202e}d");
        assert_eq!(escaped_lines("a\n\tb"), "a\n\\u{9}b");
        assert_eq!(escaped("Füchse 狐"), "Füchse 狐");
    }
}
