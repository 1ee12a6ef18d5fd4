//! The page of `hitscan view`: its types, its pure modules under Node, and all of it in a browser.
//!
//! What is missing is installed first (`install.rs`). The browser runs one test after the other and
//! repeats none; what it cannot run fails.

mod install;
mod output;

use super::counts::{Counts, counted, counted_some};
use super::steps::{announced, cargo};
pub(crate) use install::install_packages;
use install::{BROWSER, node, npm};
use output::counts_of;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Where the tests of the page are, from the root.
const FOLDER: &str = "crates/hitscan-view/browser";

/// Whether the reference screenshots are compared or made anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Screenshots {
    Compare,
    Update,
}

/// `cargo xtask page [--update]`: builds the program as users get it, and tests its page.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode, String> {
    let screenshots = match arguments {
        [] => Screenshots::Compare,
        ["--update"] => Screenshots::Update,
        _ => return Err("usage: cargo xtask page [--update]".to_owned()),
    };
    let program = release(root)?;
    let counts = checks(root, &program, screenshots)?;
    Ok(counts.report())
}

/// Builds the program in the release profile; returns where it is.
pub(crate) fn release(root: &Path) -> Result<PathBuf, String> {
    let build = ["build", "--release", "--package", "hitscan-cli"];
    cargo(root, "program", &build, &[])?;
    let own = std::env::current_exe().map_err(|error| format!("no own path: {error}"))?;
    let target = own.ancestors().nth(2).ok_or("no target folder")?;
    Ok(target.join("release").join(program_name()))
}

/// Installs what a browser and its scripts need.
pub(crate) fn install(root: &Path) -> Result<(), String> {
    announced("what a browser needs", || install::all(&root.join(FOLDER)))
}

/// A call of a script beside the tests, with the browser and the fonts of the tests.
pub(crate) fn script(root: &Path, name: &str) -> Command {
    let folder = root.join(FOLDER);
    let mut command = node(&folder);
    command.arg(name);
    in_browser(root, &mut command);
    command
}

/// Gives a command the browser and the fonts of the tests.
pub(crate) fn in_browser(root: &Path, command: &mut Command) {
    command
        .env("HITSCAN_BROWSER", BROWSER)
        .env("FONTCONFIG_FILE", root.join(FOLDER).join("fonts.conf"));
}

/// The program that `cargo test` has built beside this one, optimised as the tests are.
pub(super) fn built_for_tests() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("no own path: {error}"))?;
    Ok(own.with_file_name(program_name()))
}

fn program_name() -> String {
    format!("hitscan{}", std::env::consts::EXE_SUFFIX)
}

/// Where the browser's tests leave the tests that they have copied from the page, `rust/NAME.rs` and
/// `python/test_NAME.py`, and the scenes that these read.
pub(super) fn copies_folder() -> Result<PathBuf, String> {
    let program = built_for_tests()?;
    let target = program.ancestors().nth(2).ok_or("no target folder")?;
    Ok(target.join("copies"))
}

fn emptied(folder: PathBuf) -> Result<PathBuf, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    fs::create_dir_all(&folder).map_err(failed)?;
    Ok(folder)
}

/// All tests of the page that `program` serves.
pub(super) fn checks(
    root: &Path,
    program: &Path,
    screenshots: Screenshots,
) -> Result<Counts, String> {
    let folder = root.join(FOLDER);
    announced("what the page's tests need", || install::all(&folder))?;
    announced("types of the page", || {
        let types = [
            "exec",
            "--offline",
            "--",
            "tsc",
            "--project",
            "jsconfig.json",
        ];
        counted(npm(&folder).args(types), counts_of).map(drop)
    })?;
    let mut counts = announced("modules of the page", || {
        let mut tests = node(&folder);
        tests.args(["--test", "--test-reporter=tap", "unit/"]);
        counted_some(&mut tests, counts_of)
    })?;
    counts += announced("the page in a browser", || {
        let mut command = npm(&folder);
        command
            .args(["exec", "--offline", "--", "playwright", "test"])
            .env("HITSCAN_PROGRAM", program)
            .env("HITSCAN_COPIES", emptied(copies_folder()?)?);
        in_browser(root, &mut command);
        if screenshots == Screenshots::Update {
            command.arg("--update-snapshots");
        }
        counted_some(&mut command, counts_of)
    })?;
    Ok(counts)
}
