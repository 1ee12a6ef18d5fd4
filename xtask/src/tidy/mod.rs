//! `cargo xtask tidy`: what clippy cannot check about the structure.
//!
//! Crates and modules only use what is listed before them; files hold one idea; ARCHITECTURE.md
//! has a row for what exists; documents are short and their links lead somewhere; nothing is left
//! unfinished.

mod sources;
mod file_checks;
mod pure_modules;
mod crate_order;
mod references;
mod module_tree;
mod module_order;
mod architecture;
mod documents;
mod parity;
mod bevy_free;

use sources::{NEEDED, Sources};
use std::path::Path;

pub(crate) fn run(root: &Path) -> Result<(), String> {
    let sources = Sources::read(root)?;
    let problems = problems(&sources);
    if problems.is_empty() {
        println!("{} source files are tidy", sources.rust_files().count());
        return Ok(());
    }
    Err(problems.join("\n"))
}

/// All that is wrong, file checks first, each with its place.
fn problems(sources: &Sources) -> Vec<String> {
    if sources.rust_files().next().is_none() {
        return vec!["no source files were found to check".to_owned()];
    }
    let missing = NEEDED
        .iter()
        .filter(|name| sources.text(name).is_none())
        .map(|name| format!("{name} is missing"));
    [
        missing.collect(),
        file_checks::problems(sources),
        pure_modules::problems(sources),
        crate_order::problems(sources),
        module_order::problems(sources),
        architecture::problems(sources),
        documents::problems(sources),
        parity::problems(sources),
        bevy_free::problems(sources),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_without_sources_is_refused() {
        let found = problems(&Sources::of(&[("README.md", "")]));
        assert_eq!(found, ["no source files were found to check"]);
    }

    #[test]
    fn needed_files_are_missed_and_all_checks_run() {
        let mut found = problems(&Sources::of(&[
            ("README.md", ""),
            ("ARCHITECTURE.md", "| `hitscan` | a |\n| `b` | c |\n"),
            ("crates/hitscan/Cargo.toml", ""),
            ("crates/hitscan/src/lib.rs", "//! Head.\nmod a;\nmod b;\n"),
            ("crates/hitscan/src/a.rs", "//! Head.\nuse crate::b::B;\n"),
            ("crates/hitscan/src/b.rs", "pub struct B;\n"),
            ("crates/other/Cargo.toml", ""),
        ]));
        found.retain(|problem| !problem.contains("length limit"));
        assert_eq!(
            found,
            [
                "CHANGELOG.md is missing",
                "CONTRIBUTING.md is missing",
                "LICENSE-MIT is missing",
                "LICENSE-APACHE is missing",
                "crates/hitscan/src/b.rs has no `//!` head that says what it is for",
                "crate other has no place in the order of crates",
                "crates/hitscan/src/a.rs:2: `a` uses `b`, which crates/hitscan/src/lib.rs lists \
                 after it",
                "ARCHITECTURE.md has no row for `other` in a table",
                "ARCHITECTURE.md has no row for `a` in a table",
            ]
        );
    }
}
