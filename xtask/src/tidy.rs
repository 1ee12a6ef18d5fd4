//! `cargo xtask tidy`: what clippy cannot check about the structure.
//!
//! Crates and modules only use what stands before them; files hold one idea; ARCHITECTURE.md names
//! what exists; nothing is left unfinished.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates, each of which may only use those before it.
const CRATE_ORDER: [&str; 8] = [
    "hitscan",
    "hitscan-assets",
    "hitscan-table",
    "hitscan-ask",
    "hitscan-picture",
    "hitscan-demo",
    "hitscan-cli",
    "hitscan-testkit",
];
/// The greatest number of lines of a source file.
const MAX_LINES: usize = 400;
/// Longer files, each with its reason.
const LONG_FILES: [(&str, &str); 3] = [
    (
        "crates/hitscan-testkit/src/sweep_oracle.rs",
        "one oracle in rational arithmetic: its parts are used nowhere else",
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
/// Names that say nothing about what a file holds.
const EMPTY_NAMES: [&str; 5] = ["utils", "util", "common", "helpers", "misc"];

pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut problems = Vec::new();
    let files = source_files(root)?;
    if files.is_empty() {
        return Err("no source files were found to check".to_owned());
    }
    for file in &files {
        let text = read(file)?;
        let name = file
            .strip_prefix(root)
            .unwrap_or(file)
            .display()
            .to_string();
        check_file(&name, &text, &mut problems);
    }
    check_crate_order(root, &mut problems)?;
    check_module_order(root, &mut problems)?;
    check_architecture(root, &mut problems)?;
    for needed in [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
    ] {
        if !root.join(needed).exists() {
            problems.push(format!("{needed} is missing"));
        }
    }
    if problems.is_empty() {
        println!("{} source files are tidy", files.len());
        return Ok(());
    }
    Err(problems.join("\n"))
}

fn check_file(name: &str, text: &str, problems: &mut Vec<String>) {
    let lines = text.lines().count();
    let is_excepted = LONG_FILES.iter().any(|(file, _)| *file == name);
    if lines > MAX_LINES && !is_excepted {
        problems.push(format!("{name} has {lines} lines, more than {MAX_LINES}"));
    }
    if lines <= MAX_LINES && is_excepted {
        problems.push(format!(
            "{name} no longer needs its exception from the length limit"
        ));
    }
    let is_empty_name = Path::new(name)
        .components()
        .filter_map(|part| Path::new(part.as_os_str()).file_stem()?.to_str())
        .any(|part| EMPTY_NAMES.contains(&part));
    if is_empty_name {
        problems.push(format!("{name}: the name does not say what is in it"));
    }
    if !text.starts_with("//!") {
        problems.push(format!("{name} does not say at its head what it is for"));
    }
    // The words are put together here so that this file does not find itself.
    for word in [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("#[", "ignore"),
        concat!("dbg", "!("),
    ] {
        if text.contains(word) {
            problems.push(format!("{name} contains {word}"));
        }
    }
    let may_be_unsafe = name.starts_with("crates/hitscan/src/simd/");
    let calls_c = name.starts_with("bench/src/peers/");
    if !(may_be_unsafe || calls_c) && text.contains(concat!("unsafe", " {")) {
        problems.push(format!("{name} contains unsafe code"));
    }
}

/// A crate's manifest names, among hitscan's crates, only earlier ones outside its dev-dependencies.
fn check_crate_order(root: &Path, problems: &mut Vec<String>) -> Result<(), String> {
    let found: BTreeSet<String> = directory(&root.join("crates"))?
        .iter()
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect();
    for name in &found {
        let Some(place) = CRATE_ORDER.iter().position(|known| known == name) else {
            problems.push(format!("crate {name} has no place in the order of crates"));
            continue;
        };
        let manifest = read(&root.join("crates").join(name).join("Cargo.toml"))?;
        let own = manifest
            .split("[dev-dependencies]")
            .next()
            .unwrap_or_default();
        let dependencies = own.split("[dependencies]").nth(1).unwrap_or_default();
        for line in dependencies.lines() {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let other = CRATE_ORDER.iter().position(|known| *known == dependency);
            if other.is_some_and(|other| other >= place) {
                problems.push(format!(
                    "crate {name} uses {dependency}, which stands after it"
                ));
            }
        }
    }
    Ok(())
}

/// In the library `use crate::x` names only modules that `lib.rs` lists before the user.
fn check_module_order(root: &Path, problems: &mut Vec<String>) -> Result<(), String> {
    let source = root.join("crates/hitscan/src");
    let library = read(&source.join("lib.rs"))?;
    let order = modules(&library);
    for (place, module) in order.iter().enumerate() {
        let mut files = vec![source.join(format!("{module}.rs"))];
        collect(&source.join(module), &mut files)?;
        for file in files.iter().filter(|file| file.exists()) {
            let text = read(file)?;
            let production = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (other_place, other) in order.iter().enumerate().skip(place + 1) {
                let uses = [format!("crate::{other}::"), format!("crate::{other};")];
                if uses.iter().any(|path| production.contains(path.as_str())) {
                    let file = file.strip_prefix(root).unwrap_or(file).display();
                    let (own, later) = (place + 1, other_place + 1);
                    problems.push(format!(
                        "{file} (module {own}) uses {other} (module {later}), which stands after it"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// ARCHITECTURE.md names every crate and every top module of the library.
fn check_architecture(root: &Path, problems: &mut Vec<String>) -> Result<(), String> {
    let text = read(&root.join("ARCHITECTURE.md"))?;
    let library = read(&root.join("crates/hitscan/src/lib.rs"))?;
    let crates = directory(&root.join("crates"))?;
    let crates = crates
        .iter()
        .filter_map(|path| path.file_name()?.to_str().map(str::to_owned));
    for name in crates.chain(modules(&library)) {
        if !text.contains(&format!("`{name}")) {
            problems.push(format!("ARCHITECTURE.md does not name `{name}`"));
        }
    }
    Ok(())
}

/// The modules that a crate root lists, in order.
fn modules(library: &str) -> Vec<String> {
    let name = |line: &str| {
        let rest = line
            .strip_prefix("pub ")
            .unwrap_or(line)
            .strip_prefix("mod ")?;
        Some(rest.strip_suffix(';')?.to_owned())
    };
    library.lines().filter_map(name).collect()
}

fn source_files(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "bench/src"] {
        collect(&root.join(folder), &mut files)?;
    }
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if !folder.is_dir() {
        return Ok(());
    }
    for path in directory(folder)? {
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                collect(&path, files)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

fn directory(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let place = |error| format!("{} cannot be listed: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(place)? {
        paths.push(entry.map_err(place)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))
}
