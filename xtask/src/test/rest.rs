//! The checks beyond `cargo xtask test`: other features and toolchains, the long suites in half
//! of their rounds, and all that needs more than Rust, which is installed where it is missing.

use super::counts::Counts;
use super::steps::{announced, cargo, has_component};
use super::{cluster, copies, oldest_toolchain, packages, page, python, suites};
use std::path::Path;

/// Everything with all features of all packages.
const ALL: [&str; 2] = ["--workspace", "--all-features"];
/// The library with no features, and so without threads.
const SINGLE: [&str; 3] = ["-p", "hitscan", "--no-default-features"];

pub(super) fn checks(root: &Path) -> Result<Counts, String> {
    announced("packages", || packages::run(root))?;
    let mut counts = lints(root)?;
    let strict_docs = [("RUSTDOCFLAGS", "--deny warnings")];
    let docs = ["--no-deps", "--document-private-items"];
    let docs = [&["doc"], &ALL[..], &docs].concat();
    cargo(root, "docs", &docs, &strict_docs)?;
    counts += oldest_toolchain::run(root)?;
    counts += suites::half(root)?;
    counts += suites::scalar(root)?;
    // What differs without threads is in one file, and the digests are those of answers on threads.
    let golden = vec![vec!["--test".to_owned(), "golden".to_owned()]];
    counts += suites::run(root, "digests without threads", &SINGLE, golden, &[])?;
    if counts.failed > 0 {
        println!("\ntests failed");
        return Ok(counts);
    }
    suites::build_program(root)?;
    let program = page::built_for_tests()?;
    counts += page::checks(root, &program, page::Screenshots::Compare)?;
    counts += python::checks(root, &program, python::Extent::Quick)?;
    counts += copies::checks(root)?;
    counts += cluster::checks(root, cluster::Extent::Quick)?;
    Ok(counts)
}

/// The Python package and all features; the library without threads; the program without its viewer.
fn lints(root: &Path) -> Result<Counts, String> {
    if !has_component(root, "clippy", "clippy") {
        return Ok(Counts::skip("clippy"));
    }
    let bare = ["-p", "hitscan-cli", "--no-default-features"];
    for (name, packages, targets) in [
        ("lints of all features", &ALL[..], &["--all-targets"][..]),
        ("lints without threads", &SINGLE, &["--all-targets"]),
        ("lints without the viewer", &bare, &[]),
    ] {
        let strict = ["--", "--deny", "warnings"];
        let arguments = [&["clippy"], packages, targets, &strict].concat();
        cargo(root, name, &arguments, &[])?;
    }
    Ok(Counts::default())
}
