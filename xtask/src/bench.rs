//! `cargo xtask bench`: builds `bench/` as users build and once more tuned, and lets its program run
//! both and print one table; or builds it here and in another checkout, and compares the two.
//!
//! What is measured and how is in `bench/`; here is only what must happen before. `embree.rs`
//! and `gdal.rs` fetch peers, `cost.rs` measures what the library costs to compile, `view.rs` what a
//! page of `hitscan view` gets, `lines.rs` what its user waits for over slow lines, `python.rs` what the Python package does beside Python's libraries.

mod publish;
mod cost;
mod view;
mod lines;
mod python;
mod embree;
mod gdal;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What users get: no flags of this shell's, and no incremental builds, which have more units.
const PLAIN_CARGO: [(&str, &str); 2] = [("RUSTFLAGS", ""), ("CARGO_INCREMENTAL", "0")];

/// Where the bench finds the program, for rows of whole commands.
const PROGRAM_VARIABLE: &str = "HITSCAN_PROGRAM";

/// What the bench's own program prints too.
const USAGE: &str = include_str!("../../bench/usage.txt");

/// A way of building the bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Profile {
    /// Cargo's own release profile: what users get who change nothing.
    Plain,
    /// Thin LTO and one codegen unit.
    Tuned,
}

impl Profile {
    /// Its name in `bench/Cargo.toml`.
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "release",
            Self::Tuned => "tuned",
        }
    }
}

pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<(), String> {
    // Nothing is built, and no row is raced.
    if arguments
        .iter()
        .any(|argument| ["--help", "-h"].contains(argument))
    {
        print!("{USAGE}");
        return Ok(());
    }
    let mut arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
    let writes = take_flag(&mut arguments, "--write");
    if take_flag(&mut arguments, "COST") {
        return cost::run(root, &targets(root), &arguments, writes);
    }
    if take_flag(&mut arguments, "view") {
        return view::run(root, &targets(root), &arguments, writes);
    }
    if take_flag(&mut arguments, "lines") {
        return lines::run(root, &arguments, writes);
    }
    if take_flag(&mut arguments, "PY") {
        return python::run(root, &targets(root), &arguments, writes);
    }
    if let Some(other) = take_value(&mut arguments, "--against")? {
        let profile = match take_flag(&mut arguments, "--tuned") {
            true => Profile::Tuned,
            false => Profile::Plain,
        };
        return compare(root, Path::new(&other), profile, &arguments);
    }
    if writes {
        arguments.extend(["--publish".to_owned(), root.display().to_string()]);
    }
    let mut variables = Vec::new();
    if !arguments.iter().any(|argument| argument == "--ours") {
        match embree::folder(&targets(root)) {
            Ok(folder) => variables.push((embree::VARIABLE, folder)),
            Err(reason) => {
                println!("{reason}");
                arguments.extend(["--note".to_owned(), reason]);
            }
        }
        if gdal::is_wanted(&arguments)
            && let Err(reason) = gdal::install()
        {
            println!("{reason}");
            arguments.extend(["--note".to_owned(), reason]);
        }
        if gdal::is_wanted(&arguments) {
            variables.push((PROGRAM_VARIABLE, build_program(root, &targets(root))?));
        }
    }
    let plain = build(root, &targets(root), Profile::Plain)?;
    let tuned = build(root, &targets(root), Profile::Tuned)?;
    let program = Command::new(plain)
        .args(&arguments)
        .arg("--tuned-program")
        .arg(tuned)
        .envs(variables)
        .status();
    finish(program)
}

/// hitscan of this checkout against that of another, without peers.
fn compare(
    root: &Path,
    other: &Path,
    profile: Profile,
    arguments: &[String],
) -> Result<(), String> {
    let other = other
        .canonicalize()
        .map_err(|error| format!("{}: {error}", other.display()))?;
    check_bench(&other)?;
    let theirs = build(&other, &targets(root).join("against"), profile)?;
    let own = build(root, &targets(root), profile)?;
    let program = Command::new(own)
        .args(arguments)
        .arg("--against-program")
        .arg(theirs)
        .status();
    finish(program)
}

/// Whether a checkout's bench can leave its peers out.
fn check_bench(checkout: &Path) -> Result<(), String> {
    let file = checkout.join("bench/src/arguments.rs");
    let source = fs::read_to_string(&file);
    let source = source.map_err(|error| format!("{}: {error}", file.display()))?;
    if source.contains("--ours") {
        return Ok(());
    }
    let place = checkout.display();
    Err(format!(
        "the bench in {place} has no --ours; give it a later bench that its library still builds \
         with: git -C {place} checkout COMMIT -- bench"
    ))
}

fn finish(status: std::io::Result<std::process::ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("the bench failed".to_owned()),
        Err(error) => Err(format!("the bench did not start: {error}")),
    }
}

/// Removes a flag; whether it was there.
fn take_flag(arguments: &mut Vec<String>, flag: &str) -> bool {
    let place = arguments.iter().position(|argument| argument == flag);
    place.map(|place| arguments.remove(place)).is_some()
}

/// Removes an argument and the value after it.
fn take_value(arguments: &mut Vec<String>, name: &str) -> Result<Option<String>, String> {
    let Some(place) = arguments.iter().position(|argument| argument == name) else {
        return Ok(None);
    };
    arguments.remove(place);
    if place < arguments.len() {
        Ok(Some(arguments.remove(place)))
    } else {
        Err(format!("{name} needs a value"))
    }
}

/// The folder for everything that is built and fetched for the bench.
fn targets(root: &Path) -> PathBuf {
    let folder = env::var_os("CARGO_TARGET_DIR").map_or(root.join("bench").join("target"), |all| {
        PathBuf::from(all).join("bench")
    });
    // Programs that run elsewhere are given it too.
    std::path::absolute(&folder).unwrap_or(folder)
}

/// Builds the program `hitscan` as it is installed, and returns its path.
fn build_program(root: &Path, targets: &Path) -> Result<PathBuf, String> {
    let folder = targets.join("program");
    println!("building hitscan (release)");
    let status = Command::new(env!("CARGO"))
        .args([
            "build",
            "--locked",
            "--quiet",
            "--release",
            "-p",
            "hitscan-cli",
        ])
        .arg("--target-dir")
        .arg(&folder)
        .envs(PLAIN_CARGO)
        .current_dir(root)
        .status()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    match status.success() {
        true => Ok(folder.join("release").join("hitscan")),
        false => Err("hitscan was not built".to_owned()),
    }
}

/// Builds the bench of a checkout, and returns its program.
fn build(root: &Path, targets: &Path, profile: Profile) -> Result<PathBuf, String> {
    let (bench, name) = (root.join("bench"), profile.name());
    println!("building {} ({name})", bench.display());
    let status = Command::new(env!("CARGO"))
        .args(["build", "--locked", "--quiet", "--profile", name])
        .arg("--target-dir")
        .arg(targets)
        .envs(PLAIN_CARGO)
        .current_dir(&bench)
        .status()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    if status.success() {
        Ok(targets.join(name).join("hitscan-bench"))
    } else {
        Err(format!("{} was not built ({name})", bench.display()))
    }
}
