//! `cargo xtask test`: what needs nothing but Rust, in `usual.rs`; `cargo xtask test --all`: the rest, in
//! `rest.rs`. Every check in turn, stopping at the first that fails.
//!
//! The last lines name the tests that failed, say for want of what others were skipped, and count how many
//! passed, failed and were skipped.

mod counts;
mod cells;
mod steps;
mod packages;
mod oldest_toolchain;
mod suites;
mod examples;
mod usual;
pub(crate) mod bevy;
pub(crate) mod page;
pub(crate) mod python;
mod copies;
pub(crate) mod cluster;
mod rest;

use std::path::Path;
use std::process::ExitCode;
pub(crate) use suites::WHOLE;

/// `cargo xtask test [--all]`.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode, String> {
    let counts = match arguments {
        [] => usual::checks(root)?,
        ["--all"] => rest::checks(root)?,
        _ => return Err("usage: cargo xtask test [--all]".to_owned()),
    };
    Ok(counts.report())
}
