//! `cargo xtask bevy`: the workspace of the plugin for Bevy, which nothing else builds.
//!
//! It is built in a folder of its own below the root's target folder, so that the versions and features of one
//! workspace never have the other built anew. Lints and docs of the plugin take its declared version of Rust at its
//! word. `gltf-tests` brings crates that declare a newer one and build on this one as well: cargo ignores
//! what they declare, and tests and examples share one build with them. The renderer is built by `--window` alone.

mod window;

use super::counts::{Counts, OutputReader, counted_some};
use super::examples::names;
use super::steps::{announced, cargo, has_component};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

const MANIFEST: &str = "bevy/Cargo.toml";
const EXAMPLES: &str = "bevy/examples";

/// The packages whose tests and examples are built together.
const TESTED: [&str; 7] = [
    "--package",
    "bevy_hitscan",
    "--package",
    "gltf-tests",
    "--features",
    "bevy_hitscan/height_maps,bevy_hitscan/gizmos",
    "--ignore-rust-version",
];

/// `cargo xtask bevy`.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode, String> {
    let task = Task::parse(arguments)?;
    let workspace = Workspace::new(root)?;
    let start = Instant::now();
    let counts = match task {
        Task::Checks => checks(&workspace)?,
        Task::Bench(rows) => return bench(&workspace, rows),
        Task::Window(None) => window::run(&workspace, &workspace.target.join("window.png"))?,
        Task::Window(Some(picture)) => window::run(&workspace, Path::new(picture))?,
    };
    let minutes = start.elapsed().as_secs_f64() / 60.0;
    println!("\nthe plugin for Bevy: {minutes:.1} minutes");
    Ok(counts.report())
}

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
enum Task<'a> {
    Checks,
    /// The rows to measure; all where there are none.
    Bench(&'a [&'a str]),
    /// Where the screenshot goes, from the root.
    Window(Option<&'a str>),
}

impl<'a> Task<'a> {
    fn parse(arguments: &'a [&'a str]) -> Result<Self, String> {
        match arguments {
            [] => Ok(Self::Checks),
            ["--bench", rows @ ..] => Ok(Self::Bench(rows)),
            ["--window"] => Ok(Self::Window(None)),
            ["--window", picture] if picture.ends_with(".png") => Ok(Self::Window(Some(picture))),
            _ => {
                Err("usage: cargo xtask bevy [--bench [ROW..] | --window [PICTURE.png]]".to_owned())
            }
        }
    }
}

/// The workspace and where it is built.
struct Workspace<'a> {
    root: &'a Path,
    target: PathBuf,
}

impl<'a> Workspace<'a> {
    fn new(root: &'a Path) -> Result<Self, String> {
        let target = root.join("target/bevy");
        match target.to_str() {
            Some(_) => Ok(Self { root, target }),
            None => Err("the path of the repository is no text".to_owned()),
        }
    }

    /// Runs cargo in the workspace as a step of its own.
    fn step(
        &self,
        name: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<(), String> {
        let arguments = [
            &arguments[..1],
            &["--manifest-path", MANIFEST],
            &arguments[1..],
        ]
        .concat();
        let target = self.target.to_string_lossy();
        let variables = [&[("CARGO_TARGET_DIR", &*target)], variables].concat();
        cargo(self.root, name, &arguments, &variables)
    }
}

/// Tests what the table of peers in the plugin's README says, and measures the rows of docs/benchmarks/bevy.md.
fn bench(workspace: &Workspace<'_>, rows: &[&str]) -> Result<ExitCode, String> {
    let peers = ["--package", "peers", "--release", "--ignore-rust-version"];
    let lints = [
        &["clippy"][..],
        &peers,
        &["--all-targets", "--", "--deny", "warnings"],
    ]
    .concat();
    workspace.step("lints of peers", &lints, &[])?;
    workspace.step("peers compared", &[&["test"][..], &peers].concat(), &[])?;
    let run = [&["run"][..], &peers, &["--"], rows].concat();
    workspace.step("rows", &run, &[])?;
    Ok(ExitCode::SUCCESS)
}

fn checks(workspace: &Workspace<'_>) -> Result<Counts, String> {
    let Workspace { root, target } = workspace;
    let mut counts = Counts::default();
    if has_component(root, "rustfmt", "fmt") {
        workspace.step("format", &["fmt", "--all", "--check"], &[])?;
    } else {
        counts += Counts::skip("rustfmt");
    }
    let plugin = ["--package", "bevy_hitscan", "--all-features"];
    if has_component(root, "clippy", "clippy") {
        let strict = ["--all-targets", "--", "--deny", "warnings"];
        let lints = [&["clippy"][..], &plugin, &strict].concat();
        workspace.step("lints", &lints, &[])?;
        let models = ["clippy", "--package", "gltf-tests", "--ignore-rust-version"];
        let lints = [&models[..], &strict].concat();
        workspace.step("lints of gltf-tests", &lints, &[])?;
    } else {
        counts += Counts::skip("clippy");
    }
    let docs = [
        &["doc", "--no-deps", "--document-private-items"][..],
        &plugin,
    ]
    .concat();
    workspace.step("docs", &docs, &[("RUSTDOCFLAGS", "--deny warnings")])?;
    let mut reader = OutputReader::default();
    counts += announced("tests", || {
        let mut tests = Command::new(env!("CARGO"));
        tests
            .args(["test", "--manifest-path", MANIFEST, "--no-fail-fast"])
            .args(TESTED)
            .args(["--", "--show-output"])
            .env("CARGO_TARGET_DIR", target)
            .current_dir(root);
        counted_some(&mut tests, |line| reader.read(line))
    })?;
    if counts.failed > 0 {
        println!("\ntests failed");
        return Ok(counts);
    }
    examples(workspace)?;
    Ok(counts)
}

/// Builds the examples as the tests are, and runs each.
fn examples(workspace: &Workspace<'_>) -> Result<(), String> {
    let Workspace { root, target } = workspace;
    let build = [&["build", "--examples"][..], &TESTED].concat();
    workspace.step("examples, built", &build, &[])?;
    let names = names(&root.join(EXAMPLES))?;
    if names.is_empty() {
        return Err(format!("{EXAMPLES} has no examples"));
    }
    for name in names {
        announced(&format!("example {name}"), || {
            let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
            let path = target.join("debug/examples").join(file);
            let status = Command::new(&path)
                .current_dir(root)
                .status()
                .map_err(|error| format!("{} did not start: {error}", path.display()))?;
            if status.success() {
                Ok(())
            } else {
                Err(format!("the example {name} failed: {status}"))
            }
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_say_what_is_done() {
        assert_eq!(Task::parse(&[]), Ok(Task::Checks));
        assert_eq!(Task::parse(&["--bench", "E1"]), Ok(Task::Bench(&["E1"])));
        assert_eq!(Task::parse(&["--window"]), Ok(Task::Window(None)));
        assert_eq!(
            Task::parse(&["--window", "a.png"]),
            Ok(Task::Window(Some("a.png")))
        );
    }

    #[test]
    fn other_arguments_are_answered_by_the_usage() {
        for arguments in [
            &["--windows"][..],
            &["--window", "--bench"],
            &["--window", "a.png", "b.png"],
            &["E1"],
        ] {
            let refused = Task::parse(arguments).unwrap_err();
            assert!(refused.starts_with("usage: cargo xtask bevy "), "{refused}");
        }
    }
}
