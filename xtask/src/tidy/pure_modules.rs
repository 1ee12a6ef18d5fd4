//! Modules that compute and do nothing else: no files, sockets, clocks, threads.
//!
//! The viewer's state machine is such a one, so that equal messages give equal bytes, and so that it can
//! be run where there is nothing of that.

use super::sources::Sources;
use proc_macro2::{TokenStream, TokenTree};

/// The folders of such modules.
const PURE: [&str; 2] = [
    "crates/hitscan-view/src/protocol/",
    "crates/hitscan-view/src/viewer/",
];
/// Modules of the standard library that they do not use.
const OF_STD: [&str; 6] = ["env", "fs", "net", "process", "thread", "time"];
/// Crates and types that they do not use.
const NAMES: [&str; 7] = [
    "Instant",
    "SystemTime",
    "axum",
    "hyper",
    "hyper_util",
    "rayon",
    "tokio",
];

pub(super) fn problems(sources: &Sources) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, text) in sources.rust_files() {
        if !PURE.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        let mut found = Vec::new();
        // What is no Rust is reported by another check.
        scan(text.parse().unwrap_or_default(), &mut found);
        problems.extend(found.into_iter().map(|(line, what)| {
            format!("{name}:{line} uses `{what}`, where nothing but messages goes in and out")
        }));
    }
    problems
}

/// Adds the line and the name of each thing that is not to be used. Comments and texts are no tokens.
fn scan(tokens: TokenStream, found: &mut Vec<(usize, String)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (place, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "std" => {
                let after = tokens.get(place + 1..).unwrap_or_default();
                let names = first_of_path(after).into_iter();
                let names = names.filter(|(_, name)| OF_STD.contains(&name.as_str()));
                found.extend(names.map(|(line, name)| (line, format!("std::{name}"))));
            }
            TokenTree::Ident(word) if NAMES.iter().any(|name| word == name) => {
                found.push((word.span().start().line, word.to_string()));
            }
            TokenTree::Group(group) => scan(group.stream(), found),
            _ => {}
        }
    }
}

/// What follows `::`: a name, or the first names of the paths in braces.
fn first_of_path(tokens: &[TokenTree]) -> Vec<(usize, String)> {
    let is_colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(found) if found.as_char() == ':');
    let [first, second, third, ..] = tokens else {
        return Vec::new();
    };
    if !is_colon(first) || !is_colon(second) {
        return Vec::new();
    }
    let named = |token: &TokenTree| match token {
        TokenTree::Ident(name) => Some((name.span().start().line, name.to_string())),
        _ => None,
    };
    match third {
        TokenTree::Group(group) => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(found) if found.as_char() == ',');
            let paths = inner.split(is_comma);
            paths.filter_map(|path| named(path.first()?)).collect()
        }
        other => named(other).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let file = "crates/hitscan-view/src/viewer/a.rs";
        let elsewhere = "crates/hitscan-view/src/server/a.rs";
        problems(&Sources::of(&[(file, text), (elsewhere, text)]))
    }

    #[test]
    fn clocks_threads_and_files_are_found() {
        for text in [
            "use std::time::Duration;",
            "use std::{fmt, fs::File};",
            "fn f() { std::thread::spawn(|| ()); }",
            "use tokio::sync::mpsc;",
            "fn f(at: Instant) {}",
        ] {
            let found = found(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].starts_with("crates/hitscan-view/src/viewer/a.rs:1 uses `"));
        }
    }

    #[test]
    fn words_and_other_modules_are_not() {
        let text = "//! std::fs\nuse std::sync::Arc;\nuse std::{fmt, hint::black_box};\n\
                    fn thread(time: f64) -> &'static str { \"tokio\" }\n";
        assert_eq!(found(text), Vec::<String>::new());
    }
}
