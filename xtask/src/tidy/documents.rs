//! Documents: those that are to be read whole are short, and relative links lead to files and headings
//! that exist.

use super::sources::Sources;
use std::path::{Component, Path};

/// The maximum number of lines of the documents that a newcomer reads.
const MAX_LINES: [(&str, usize); 3] = [
    ("README.md", 150),
    ("ARCHITECTURE.md", 250),
    ("BENCHMARKS.md", 300),
];

pub(super) fn problems(sources: &Sources) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, limit) in MAX_LINES {
        let lines = sources.text(name).map_or(0, |text| text.lines().count());
        if lines > limit {
            problems.push(format!("{name} has {lines} lines, more than {limit}"));
        }
    }
    for (name, text) in sources.documents() {
        for (line, target) in links(text) {
            if let Some(what) = broken(sources, name, target) {
                problems.push(format!("{name}:{line}: the link `{target}` {what}"));
            }
        }
    }
    problems
}

/// The targets of a document's links and pictures with their lines; not those in code, and not those
/// that name a protocol.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        // Every second piece between backticks is code. A link's own text may be code, so the pieces
        // are only searched for what follows it.
        for after in line.split('`').step_by(2) {
            for target in after.split("](").skip(1) {
                let target = target.split([')', ' ']).next().unwrap_or_default();
                if !target.contains(':') {
                    found.push((number, target));
                }
            }
        }
    }
    found
}

/// The lines outside fenced code, by number from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    let lines = text.lines().enumerate();
    lines.filter_map(move |(index, line)| {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            return None;
        }
        (!is_code).then_some((index + 1, line))
    })
}

/// What is wrong with the target of a link in the document `name`, if anything.
fn broken(sources: &Sources, name: &str, target: &str) -> Option<&'static str> {
    let (path, heading) = match target.split_once('#') {
        Some((path, heading)) => (path, Some(heading)),
        None => (target, None),
    };
    let path = match path {
        "" => name.to_owned(),
        path => match joined(name, path) {
            Some(path) => path,
            None => return Some("leaves the repository"),
        },
    };
    if !sources.has(&path) {
        return Some("leads nowhere");
    }
    let (text, heading) = (sources.text(&path)?, heading?);
    let is_there = prose(text).any(|(_, line)| line.starts_with('#') && anchor(line) == heading);
    (!is_there).then_some("names no heading")
}

/// A path relative to the document's folder, from the root; `None` where it leaves that.
fn joined(name: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::ParentDir => drop(parts.pop()?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

/// The anchor of a heading as code hosts make it: lower case, `-` for spaces, no other marks.
fn anchor(line: &str) -> String {
    let title = line.trim_start_matches('#').trim();
    let kept = title
        .chars()
        .filter(|character| character.is_alphanumeric() || " -_".contains(*character));
    kept.map(|character| match character {
        ' ' => '-',
        character => character,
    })
    .flat_map(char::to_lowercase)
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_documents_are_found() {
        for (name, limit) in MAX_LINES {
            let fits = "\n".repeat(limit);
            assert_eq!(problems(&Sources::of(&[(name, &fits)])), [""; 0]);
            let long = "\n".repeat(limit + 1);
            assert_eq!(
                problems(&Sources::of(&[(name, &long)])),
                [format!("{name} has {} lines, more than {limit}", limit + 1)]
            );
        }
        let other = "\n".repeat(1000);
        assert_eq!(problems(&Sources::of(&[("docs/a.md", &other)])), [""; 0]);
    }

    fn problems_of(text: &str) -> Vec<String> {
        problems(&Sources::of(&[
            ("docs/methods/a.md", text),
            (
                "docs/methods/b.md",
                "# B's title, `code`\n\n## In two_words\n",
            ),
            ("docs/picture.png", ""),
            ("README.md", "# Title\n"),
        ]))
    }

    #[test]
    fn links_to_files_folders_and_headings_pass() {
        for text in [
            "[b](b.md), [again](./b.md) and ![a picture](../picture.png \"with a title\")",
            "[`code`](../../README.md#title)",
            "[b](b.md#bs-title-code), [b](b.md#in-two_words)",
            "# Own\n[own](#own)",
            "[methods](../methods), [docs](../../docs/)",
            "[away](https://example.com/a.md), <a@b.c>, [mail](mailto:a@b.c)",
            "```\n[x](none.md)\n```\n`[x](none.md)`",
        ] {
            assert_eq!(problems_of(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn broken_links_are_named_by_their_place() {
        for (text, problem) in [
            (
                "\n[x](c.md)",
                "docs/methods/a.md:2: the link `c.md` leads nowhere",
            ),
            (
                "[x](../../../b.md)",
                "docs/methods/a.md:1: the link `../../../b.md` leaves the repository",
            ),
            (
                "[x](b.md#b)",
                "docs/methods/a.md:1: the link `b.md#b` names no heading",
            ),
            (
                "[x](#b)",
                "docs/methods/a.md:1: the link `#b` names no heading",
            ),
            (
                "![x](picture.png)",
                "docs/methods/a.md:1: the link `picture.png` leads nowhere",
            ),
        ] {
            assert_eq!(problems_of(text), [problem]);
        }
    }
}
