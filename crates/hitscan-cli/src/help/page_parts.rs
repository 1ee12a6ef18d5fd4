//! Parts of a page: its sections, the rows of their tables, its examples.

/// The lines under a heading, up to the next heading of its level or a higher one.
pub(super) fn section<'page>(page: &'page str, heading: &str) -> &'page str {
    let level = |line: &str| line.bytes().take_while(|&byte| byte == b'#').count();
    let start = page.find(&format!("\n{heading}\n"));
    let text = &page[start.unwrap_or_else(|| panic!("no section {heading:?}")) + 1..];
    let mut at = text.find('\n').unwrap();
    for line in text[at..].split_inclusive('\n') {
        if (1..=level(heading)).contains(&level(line)) && line.contains("# ") {
            break;
        }
        at += line.len();
    }
    &text[..at]
}

/// What is between backquotes.
pub(super) fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The rows of the tables in a section, as cells.
pub(super) fn table_rows(section: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = section.lines().filter(|line| line.starts_with('|'));
    rows.map(|row| row.split('|').skip(1).collect())
}

/// The examples of a section in TOML.
pub(super) fn examples(section: &str) -> impl Iterator<Item = &str> {
    let blocks = section.split("```toml\n").skip(1);
    blocks.map(|block| block.split_once("```").unwrap().0)
}
