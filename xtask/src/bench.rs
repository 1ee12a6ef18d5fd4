//! `cargo xtask bench`: builds `bench/` twice, for the default processor and for this machine's own,
//! and lets its program run both and print one table.
//!
//! What is measured and how stands in `bench/`; here is only what must happen before.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The header that tells whether Embree is there, where Debian and its kin put it.
const EMBREE_HEADERS: [&str; 2] = [
    "/usr/include/embree3/rtcore.h",
    "/usr/local/include/embree3/rtcore.h",
];
const EMBREE_PACKAGE: &str = "libembree-dev";

pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
    if let Some(place) = arguments.iter().position(|argument| argument == "--write") {
        arguments.remove(place);
        let file = root.join("BENCHMARKS.md");
        arguments.extend(["--publish".to_owned(), file.display().to_string()]);
    }
    if let Err(reason) = install_embree() {
        println!("{reason}");
        arguments.extend(["--note".to_owned(), reason]);
    }
    let default = build(root, "default", "")?;
    let native = build(root, "native", "-C target-cpu=native")?;
    let status = Command::new(default)
        .args(&arguments)
        .arg("--native")
        .arg(native)
        .status()
        .map_err(|error| format!("the bench did not start: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("the bench failed".to_owned())
    }
}

/// Builds the bench with these flags in a folder of its own, and returns its program.
fn build(root: &Path, name: &str, flags: &str) -> Result<PathBuf, String> {
    let bench = root.join("bench");
    let targets = env::var_os("CARGO_TARGET_DIR").map_or(bench.join("target"), |folder| {
        PathBuf::from(folder).join("bench")
    });
    let target = targets.join(name);
    println!("building the bench ({name})");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--quiet", "--target-dir"])
        .arg(&target)
        .env("RUSTFLAGS", flags)
        .current_dir(&bench)
        .status()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    if status.success() {
        Ok(target.join("release").join("hitscan-bench"))
    } else {
        Err(format!("the bench ({name}) was not built"))
    }
}

/// Installs Embree where it is missing. Without it the bench runs and names it as a missing peer.
fn install_embree() -> Result<(), String> {
    let is_there = || {
        EMBREE_HEADERS
            .iter()
            .any(|header| Path::new(header).exists())
    };
    if is_there() {
        return Ok(());
    }
    println!("Embree is missing: apt-get install {EMBREE_PACKAGE}");
    let apt = |arguments: &[&str]| {
        let status = Command::new("apt-get")
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("apt-get {} failed: {status}", arguments.join(" "))),
            Err(error) => Err(format!("apt-get cannot be run: {error}")),
        }
    };
    // Lists may be stale; where they cannot be renewed, the ones that are there may do.
    let updated = apt(&["update", "-qq"]);
    apt(&[
        "install",
        "-y",
        "-qq",
        "--no-install-recommends",
        EMBREE_PACKAGE,
    ])
    .or(updated.and(Err("no such package".to_owned())))
    .map_err(|reason| format!("{EMBREE_PACKAGE} was not installed: {reason}"))?;
    if is_there() {
        Ok(())
    } else {
        Err(format!("{EMBREE_PACKAGE} has no header where it should be"))
    }
}
