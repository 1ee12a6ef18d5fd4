//! Checks of each source file by itself: its length, its name, its head, and that nothing in it is
//! unfinished, skipped or unsafe.

use super::sources::Sources;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::path::Path;

/// The maximum number of lines of a source file.
const MAX_LINES: usize = 400;
/// Longer files, each with its reason.
const LONG_FILES: [(&str, &str); 4] = [
    (
        "crates/hitscan-testkit/src/shape_cast_oracle.rs",
        "one oracle in rational arithmetic: its parts are used nowhere else",
    ),
    (
        "crates/hitscan-testkit/tests/far_slabs_oracle.rs",
        "one oracle of far and thin instances, for every verb",
    ),
    (
        "crates/hitscan-testkit/tests/height_formats.rs",
        "one table of variants for each format, read best side by side",
    ),
    (
        "crates/hitscan-testkit/tests/world_pairs_oracle.rs",
        "one world and its brute force over pairs of objects",
    ),
];
/// Words with which no head begins: those of a clause, and a vague number. A head is a noun phrase, the
/// name of the algorithm or the thing, so that a reader finds it by the word that the field uses.
const CLAUSE_WORDS: [&str; 10] = [
    "What", "How", "Which", "Where", "Who", "Why", "When", "Whether", "That", "Many",
];
/// Names that say nothing about what a file holds.
const EMPTY_NAMES: [&str; 5] = ["utils", "util", "common", "helpers", "misc"];
/// Where `unsafe` is: the library's prefetch, mapped files, numpy's memory, and the bench's calls of C.
const UNSAFE_PLACES: [&str; 4] = [
    "crates/hitscan/src/simd/prefetch.rs",
    "crates/hitscan-assets/src/mapped.rs",
    "crates/hitscan-python/src/python_memory.rs",
    "bench/src/peers/",
];
/// Macros that mark unfinished code or are for debugging.
const UNFINISHED: [&str; 3] = ["todo", "unimplemented", "dbg"];

pub(super) fn problems(sources: &Sources) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, text) in sources.rust_files() {
        check_form(name, text, &mut problems);
        match text.parse::<TokenStream>() {
            Ok(tokens) => {
                let mut found = Vec::new();
                scan(tokens, &mut found);
                let may_be_unsafe = UNSAFE_PLACES.iter().any(|place| name.starts_with(place));
                let found = found
                    .into_iter()
                    .filter(|(_, what)| !(may_be_unsafe && what == "unsafe"));
                problems.extend(found.map(|(line, what)| format!("{name}:{line} has {what}")));
            }
            Err(error) => problems.push(format!("{name} is no Rust: {error}")),
        }
    }
    let unused = LONG_FILES.iter().filter(|(file, _)| {
        sources
            .text(file)
            .is_none_or(|text| lines(text) <= MAX_LINES)
    });
    problems.extend(unused.map(|(file, _)| {
        format!("{file} needs no exception from the length limit: take it off the list")
    }));
    problems
}

fn lines(text: &str) -> usize {
    text.lines().count()
}

fn check_form(name: &str, text: &str, problems: &mut Vec<String>) {
    let lines = lines(text);
    let is_excepted = LONG_FILES.iter().any(|(file, _)| *file == name);
    if lines > MAX_LINES && !is_excepted {
        problems.push(format!("{name} has {lines} lines, more than {MAX_LINES}"));
    }
    let is_empty_name = Path::new(name)
        .components()
        .filter_map(|part| Path::new(part.as_os_str()).file_stem()?.to_str())
        .any(|part| EMPTY_NAMES.contains(&part));
    if is_empty_name {
        problems.push(format!("{name}: the name does not say what is in it"));
    }
    let Some(head) = text.strip_prefix("//!") else {
        problems.push(format!("{name} has no `//!` head that says what it is for"));
        return;
    };
    let first_word = head
        .trim_start()
        .split(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    if CLAUSE_WORDS.contains(&first_word) {
        problems.push(format!(
            "{name}: the head begins with `{first_word}`, but should be a noun phrase"
        ));
    }
}

/// Adds the line and the text of each thing that no file should have. Ordinary comments and
/// string literals are no tokens of the kinds looked for, so what they mention does not count.
fn scan(tokens: TokenStream, found: &mut Vec<(usize, String)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (place, token) in tokens.iter().enumerate() {
        let line = token.span().start().line;
        let next = tokens.get(place + 1);
        match token {
            TokenTree::Ident(word) if word == "unsafe" => found.push((line, "unsafe".to_owned())),
            TokenTree::Ident(word) => {
                let is_call =
                    is_punctuation(next, '!') && !is_punctuation(tokens.get(place + 2), '=');
                if is_call && UNFINISHED.iter().any(|unfinished| word == unfinished) {
                    found.push((line, format!("{word}!")));
                }
            }
            TokenTree::Group(group) => {
                let is_attribute = group.delimiter() == Delimiter::Bracket
                    && place > 0
                    && (is_punctuation(tokens.get(place - 1), '#')
                        || is_punctuation(tokens.get(place - 1), '!'));
                if is_attribute {
                    scan_attribute(&group.stream(), line, found);
                }
                scan(group.stream(), found);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn is_punctuation(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == character)
}

/// Looks at the inside of `#[...]`; doc comments are such attributes too.
fn scan_attribute(tokens: &TokenStream, line: usize, found: &mut Vec<(usize, String)>) {
    let mut tokens = tokens.clone().into_iter();
    let Some(TokenTree::Ident(name)) = tokens.next() else {
        return;
    };
    if name == "ignore" {
        found.push((line, "#[ignore]".to_owned()));
    }
    if name == "doc"
        && let Some(TokenTree::Literal(text)) = tokens.nth(1)
    {
        let text = text.to_string();
        let fence = text.split_once("```").map_or("", |(_, language)| language);
        if fence.split([',', ' ', '"']).any(|word| word == "ignore") {
            found.push((line, "an example that is not run".to_owned()));
        }
        for unfinished in UNFINISHED {
            if text.contains(&format!("{unfinished}!(")) {
                found.push((line, format!("{unfinished}!")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The problems of one file, but for the exceptions that a tree of one file cannot have.
    fn problems_of(name: &str, text: &str) -> Vec<String> {
        let mut found = problems(&Sources::of(&[(name, text)]));
        found.retain(|problem| !problem.contains("needs no exception"));
        found
    }

    #[test]
    fn heads_that_are_noun_phrases_pass() {
        for head in ["Overlap of boxes.", "Whatever", "Whence", "`Which`."] {
            assert_eq!(problems_of("a/b.rs", &format!("//! {head}\n")), [""; 0]);
        }
    }

    #[test]
    fn a_file_of_good_form_passes() {
        let text = "\
//! A head.
// A comment may mention todo!() and unsafe { }.
fn f(todo: bool, dbg: bool) -> bool {
    let text = \"dbg!(x) #[ignore] unsafe { }\";
    todo != dbg && !text.is_empty()
}
";
        assert_eq!(problems_of("crates/a/src/b.rs", text), [""; 0]);
    }

    #[test]
    fn form_is_checked() {
        let long = format!("//! A head.\n{}", "\n".repeat(MAX_LINES));
        for (name, text, problem) in [
            (
                "a/b.rs",
                long.as_str(),
                "a/b.rs has 401 lines, more than 400",
            ),
            (
                "a/b.rs",
                "fn f() {}",
                "a/b.rs has no `//!` head that says what it is for",
            ),
            (
                "a/b.rs",
                "//! What's here.",
                "a/b.rs: the head begins with `What`, but should be a noun phrase",
            ),
            (
                "a/b.rs",
                "//! How boxes overlap.",
                "a/b.rs: the head begins with `How`, but should be a noun phrase",
            ),
            (
                "a/utils.rs",
                "//! A",
                "a/utils.rs: the name does not say what is in it",
            ),
            (
                "a/misc/b.rs",
                "//! A",
                "a/misc/b.rs: the name does not say what is in it",
            ),
        ] {
            assert_eq!(problems_of(name, text), [problem]);
        }
        assert_eq!(problems_of("a/b.rs", "//! A\nfn f( {}").len(), 1);
    }

    #[test]
    fn a_listed_file_may_be_long_and_must_be() {
        let (name, _) = LONG_FILES[0];
        let long = format!("//! A head.\n{}", "\n".repeat(MAX_LINES));
        assert_eq!(problems_of(name, &long), [""; 0]);
        let found = problems(&Sources::of(&[(name, "//! A head.\n")]));
        assert_eq!(found.len(), LONG_FILES.len(), "{found:?}");
        assert!(found[0].starts_with(name), "{found:?}");
    }

    #[test]
    fn what_is_unfinished_skipped_or_unsafe_is_found() {
        for (code, what) in [
            ("fn f() { todo!() }", "todo!"),
            ("fn f() { g(unimplemented!(\"later\")) }", "unimplemented!"),
            ("fn f() { vec![dbg!(1)]; }", "dbg!"),
            ("#[test]\n#[ignore]\nfn f() {}", "#[ignore]"),
            ("#[ignore = \"slow\"]\nfn f() {}", "#[ignore]"),
            ("fn f() { unsafe { g() } }", "unsafe"),
            ("unsafe impl Send for A {}", "unsafe"),
            (
                "/// ```ignore\n/// ```\nfn f() {}",
                "an example that is not run",
            ),
            ("/// ```\n/// todo!();\n/// ```\nfn f() {}", "todo!"),
        ] {
            let found = problems_of("crates/a/src/b.rs", &format!("//! A head.\n{code}"));
            assert_eq!(found.len(), 1, "{code}: {found:?}");
            assert!(found[0].ends_with(&format!(" has {what}")), "{found:?}");
        }
    }

    #[test]
    fn unsafe_code_has_its_places() {
        let text = "//! A head.\nfn f() { unsafe { g() } }";
        for place in [
            "crates/hitscan/src/simd/prefetch.rs",
            "bench/src/peers/c.rs",
        ] {
            assert_eq!(problems_of(place, text), [""; 0]);
        }
        assert_eq!(
            problems_of("crates/hitscan/src/simd/mod.rs", text),
            ["crates/hitscan/src/simd/mod.rs:2 has unsafe"]
        );
    }
}
