//! `cargo xtask bevy`: the workspace of the plugin for Bevy, which nothing else builds.
//!
//! It is built in a folder of its own below the root's target folder, so that the versions and features of one
//! workspace never have the other built anew.

use super::counts::{Counts, OutputReader, counted_some};
use super::examples::names;
use super::steps::{announced, cargo, has_component};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

const MANIFEST: &str = "bevy/Cargo.toml";
const EXAMPLES: &str = "bevy/examples";

/// `cargo xtask bevy`.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode, String> {
    if !arguments.is_empty() {
        return Err("usage: cargo xtask bevy".to_owned());
    }
    let start = Instant::now();
    let counts = checks(root)?;
    let minutes = start.elapsed().as_secs_f64() / 60.0;
    println!("\nthe plugin for Bevy: {minutes:.1} minutes");
    Ok(counts.report())
}

fn checks(root: &Path) -> Result<Counts, String> {
    let target = root.join("target/bevy");
    let target = target
        .to_str()
        .ok_or("the path of the repository is no text")?;
    let step = |name: &str, arguments: &[&str], variables: &[(&str, &str)]| {
        let arguments = [
            &arguments[..1],
            &["--manifest-path", MANIFEST],
            &arguments[1..],
        ]
        .concat();
        let variables = [&[("CARGO_TARGET_DIR", target)], variables].concat();
        cargo(root, name, &arguments, &variables)
    };
    let mut counts = Counts::default();
    if has_component(root, "rustfmt", "fmt") {
        step("format", &["fmt", "--all", "--check"], &[])?;
    } else {
        counts += Counts::skip("rustfmt");
    }
    if has_component(root, "clippy", "clippy") {
        let strict = [
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "--deny",
            "warnings",
        ];
        step("lints", &strict, &[])?;
    } else {
        counts += Counts::skip("clippy");
    }
    let docs = [
        "doc",
        "--workspace",
        "--no-deps",
        "--document-private-items",
    ];
    step("docs", &docs, &[("RUSTDOCFLAGS", "--deny warnings")])?;
    let mut reader = OutputReader::default();
    counts += announced("tests", || {
        let mut tests = Command::new(env!("CARGO"));
        tests
            .args([
                "test",
                "--manifest-path",
                MANIFEST,
                "--workspace",
                "--no-fail-fast",
            ])
            .args(["--", "--show-output"])
            .env("CARGO_TARGET_DIR", target)
            .current_dir(root);
        counted_some(&mut tests, |line| reader.read(line))
    })?;
    if counts.failed > 0 {
        println!("\ntests failed");
        return Ok(counts);
    }
    let names = names(&root.join(EXAMPLES))?;
    if names.is_empty() {
        return Err(format!("{EXAMPLES} has no examples"));
    }
    for name in &names {
        step(
            &format!("example {name}"),
            &["run", "--quiet", "--example", name],
            &[],
        )?;
    }
    Ok(counts)
}
