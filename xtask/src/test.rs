//! `cargo xtask test`: every check in turn, stopping at the first that fails.

use crate::tidy;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The examples of the library; each prints what it found and exits 0.
const EXAMPLES: [&str; 7] = [
    "camera_above_ground",
    "trees_on_a_slope",
    "missile",
    "pick_a_part",
    "sliding_crate",
    "crowd_under_fire",
    "falling_crates",
];

pub(crate) fn run(root: &Path) -> Result<(), String> {
    install_components(root)?;
    let step = |name: &str, arguments: &[&str]| cargo(root, name, arguments, &[]);
    step("format", &["fmt", "--all", "--check"])?;
    // The bench is a workspace of its own, and only its form is checked here.
    let bench = ["fmt", "--manifest-path", "bench/Cargo.toml", "--check"];
    step("format of the bench", &bench)?;
    announce("structure");
    tidy::run(root)?;
    let all = ["--workspace", "--all-targets"];
    step(
        "lints",
        &[&["clippy"], &all[..], &["--", "--deny", "warnings"]].concat(),
    )?;
    step(
        "library without threads",
        &["check", "-p", "hitscan", "--no-default-features"],
    )?;
    let strict_docs = [("RUSTDOCFLAGS", "--deny warnings")];
    cargo(
        root,
        "docs",
        &[
            "doc",
            "--workspace",
            "--no-deps",
            "--document-private-items",
        ],
        &strict_docs,
    )?;
    let counts = tests(root)?;
    for example in EXAMPLES {
        step(
            &format!("example {example}"),
            &["run", "-q", "-p", "hitscan", "--example", example],
        )?;
    }
    println!("\n{} passed, {} failed", counts.passed, counts.failed);
    Ok(())
}

/// Adds the parts of the toolchain that the checks need, where rustup manages it and lacks them.
fn install_components(root: &Path) -> Result<(), String> {
    for (component, probe) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        let has_it = Command::new(env!("CARGO"))
            .args([probe, "--version"])
            .current_dir(root)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success());
        if has_it {
            continue;
        }
        println!("installing the missing toolchain component {component}");
        let status = Command::new("rustup")
            .args(["component", "add", component])
            .current_dir(root)
            .status()
            .map_err(|error| format!("{component} is missing and rustup cannot add it: {error}"))?;
        if !status.success() {
            return Err(format!("rustup could not add {component}"));
        }
    }
    Ok(())
}

fn announce(name: &str) {
    println!("\n== {name}");
}

fn cargo(
    root: &Path,
    name: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Result<(), String> {
    announce(name);
    let start = Instant::now();
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(root)
        .status()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    println!("== {name}: {:.1} s", start.elapsed().as_secs_f64());
    if status.success() {
        Ok(())
    } else {
        Err(format!("{name} failed"))
    }
}

/// How many tests ran, over all suites.
#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
}

/// Runs all tests, shows their output, and adds up their counts.
fn tests(root: &Path) -> Result<Counts, String> {
    announce("tests");
    let mut child = Command::new(env!("CARGO"))
        .args([
            "test",
            "--workspace",
            "--no-fail-fast",
            "--",
            "--show-output",
        ])
        .current_dir(root)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    let mut counts = Counts::default();
    let mut suites = 0;
    let output = child.stdout.take().ok_or("cargo test has no output")?;
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| format!("the tests' output cannot be read: {error}"))?;
        println!("{line}");
        if let Some(rest) = line.strip_prefix("test result: ") {
            let count = |word: &str| {
                let before = rest.split(word).next()?;
                before.split_whitespace().next_back()?.parse::<u64>().ok()
            };
            counts.passed += count(" passed").unwrap_or(0);
            counts.failed += count(" failed").unwrap_or(0);
            suites += 1;
        }
    }
    let status = child
        .wait()
        .map_err(|error| format!("cargo test was lost: {error}"))?;
    println!(
        "{suites} suites: {} passed, {} failed",
        counts.passed, counts.failed
    );
    if !status.success() {
        return Err("tests failed".to_owned());
    }
    if counts.passed == 0 {
        return Err("no test ran".to_owned());
    }
    Ok(counts)
}
