//! The examples of the library; each prints what it found and exits 0.

use super::steps::cargo;
use super::suites::PACKAGES;
use std::fs;
use std::path::Path;
use std::process::Command;

const SOURCES: &str = "crates/hitscan/examples";

/// Builds the examples beside this program, optimised as the tests are, and runs each.
pub(super) fn run(root: &Path) -> Result<(), String> {
    let build = ["build", "--profile", "test", "--examples"];
    let build = [&build[..], &PACKAGES].concat();
    cargo(root, "examples, built", &build, &[])?;
    let program = std::env::current_exe().map_err(|error| format!("no own path: {error}"))?;
    let built = program.with_file_name("examples");
    let names = names(&root.join(SOURCES))?;
    if names.is_empty() {
        return Err(format!("{SOURCES} has no examples"));
    }
    for name in names {
        println!("\n-- example {name}");
        let path = built.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let status = Command::new(&path)
            .current_dir(root)
            .status()
            .map_err(|error| format!("{} did not start: {error}", path.display()))?;
        if !status.success() {
            return Err(format!("the example {name} failed: {status}"));
        }
    }
    Ok(())
}

/// The names of the Rust files in a folder, without their ending, in order.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, String> {
    let place = |error| format!("{} cannot be listed: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(place)? {
        let path = entry.map_err(place)?.path();
        if path.extension().is_some_and(|ending| ending == "rs")
            && let Some(name) = path.file_stem().and_then(|name| name.to_str())
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}
