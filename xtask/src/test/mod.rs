//! `cargo xtask test`: every check in turn, stopping at the first that fails.
//!
//! The last lines name the tests that failed and say how many passed, failed and were skipped: skipped is
//! what was not run for want of outside data or of a toolchain.

mod counts;
mod cells;
mod steps;
mod packages;
mod oldest_toolchain;
mod suites;
mod examples;
pub(crate) mod page;
pub(crate) mod python;
pub(crate) mod cluster;

use crate::tidy;
use counts::Counts;
use std::path::Path;
use std::process::ExitCode;
use steps::{announced, cargo, install_components};

/// Suites that compare vector widths, with scalar code as one of them. Not optimised: that takes longer for
/// scalar code in place of vectors than all other builds together, and so those are here that end soon.
#[rustfmt::skip]
const SCALAR_SUITES: [&str; 12] = [
    "--profile", "dev", "-p", "hitscan-testkit", "--features", "scalar",
    "--test", "camera_tiles_prop", "--test", "pose_widths", "--test", "terrain_widths",
];

pub(crate) fn run(root: &Path) -> Result<ExitCode, String> {
    install_components(root)?;
    let step = |name: &str, arguments: &[&str]| cargo(root, name, arguments, &[]);
    step("format", &["fmt", "--all", "--check"])?;
    // The bench is a workspace of its own, and only its form is checked here.
    let bench = ["fmt", "--manifest-path", "bench/Cargo.toml", "--check"];
    step("format of the bench", &bench)?;
    announced("structure", || tidy::run(root))?;
    announced("packages", || packages::run(root))?;
    // Everything with all features of all packages, and the library again with none of its own:
    // what differs between them is whether there are threads.
    let all = ["--workspace", "--all-features"];
    let single = ["-p", "hitscan", "--no-default-features"];
    let strict = ["--all-targets", "--", "--deny", "warnings"];
    step("lints", &[&["clippy"], &all[..], &strict].concat())?;
    step(
        "lints without threads",
        &[&["clippy"], &single[..], &strict].concat(),
    )?;
    let bare = ["-p", "hitscan-cli", "--no-default-features"];
    step(
        "lints without the viewer",
        &[&["clippy"], &bare[..], &strict[1..]].concat(),
    )?;
    let mut counts = Counts::default();
    if !oldest_toolchain::run(root)? {
        counts.skipped += 1;
    }
    let strict_docs = [("RUSTDOCFLAGS", "--deny warnings")];
    let docs = ["--no-deps", "--document-private-items"];
    cargo(
        root,
        "docs",
        &[&["doc"], &all[..], &docs].concat(),
        &strict_docs,
    )?;
    let optional = ["--features", "hitscan/serde,hitscan/mint"];
    counts += suites::run(root, "tests", &[&["--workspace"], &optional[..]].concat())?;
    counts += suites::run(root, "tests in scalar code", &SCALAR_SUITES)?;
    // In the release profile: a second build with assertions would take as long as the first.
    let single = [&["--release"], &single[..]].concat();
    counts += suites::run(root, "tests without threads", &single)?;
    if counts.failed == 0 {
        announced("examples", || examples::run(root))?;
        counts += page::checks(root, &page::built_for_tests()?, page::Screenshots::Compare)?;
        counts += python::checks(root, &page::built_for_tests()?, python::Extent::Quick)?;
        counts += cluster::checks(root, cluster::Extent::Quick)?;
    } else {
        println!("\ntests failed");
    }
    Ok(counts.report())
}
