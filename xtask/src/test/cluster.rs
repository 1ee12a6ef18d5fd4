//! The same job on many machines: the wheel on a Ray cluster of two nodes of this machine.
//!
//! Everything lies in `target/cluster/`: the environment with the pinned packages of
//! `crates/hitscan-python/cluster_tests/requirements.txt`, and the wheel. Where the system allows it,
//! the tests have a network, a mount table and processes of their own, so that nothing is left behind.

use super::counts::{Counts, counted_some};
use super::python::{self, Environment, Wheel, run_command};
use super::{page, steps::announced};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The package, from the root.
const PACKAGE: &str = "crates/hitscan-python";
/// The tests, from the package.
const TESTS: &str = "cluster_tests";
/// A call of another program in namespaces of its own.
const ALONE: [&str; 9] = [
    "unshare",
    "--user",
    "--map-root-user",
    "--net",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
];

/// How much is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Two nodes, one of which is killed.
    Quick,
    /// Every fault, the recipes, and what scheduling costs.
    All,
}

/// `cargo xtask cluster [--quick]`.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode, String> {
    let extent = match arguments {
        [] => Extent::All,
        ["--quick"] => Extent::Quick,
        ["--measure"] => return measure(root).map(|()| ExitCode::SUCCESS),
        _ => return Err("usage: cargo xtask cluster [--quick | --measure]".to_owned()),
    };
    let counts = checks(root, extent)?;
    Ok(counts.report())
}

/// The tests on two nodes.
pub(super) fn checks(root: &Path, extent: Extent) -> Result<Counts, String> {
    let (environment, wheel) = with_wheel(
        root,
        match extent {
            Extent::Quick => Wheel::Quick,
            Extent::All => Wheel::Release,
        },
    )?;
    let mut arguments = vec!["-m", "pytest", "--quiet", "--durations=5"];
    arguments.extend(["-p", "no:cacheprovider"]);
    let mut tests = match extent {
        Extent::Quick => alone(&environment, &[&arguments[..], &["-m", "quick"]].concat()),
        Extent::All => {
            let mut tests = alone(&environment, &arguments);
            tests.env("HITSCAN_PROGRAM", page::release(root)?);
            tests.env("HITSCAN_WHEEL", wheel);
            tests
        }
    };
    announced("the cluster", || {
        tests.current_dir(root.join(PACKAGE).join(TESTS));
        counted_some(&mut tests, python::counts_of)
    })
}

/// Prints the figures of `docs/cluster.md`.
fn measure(root: &Path) -> Result<(), String> {
    let (environment, _) = with_wheel(root, Wheel::Release)?;
    let mut measure = alone(&environment, &["measure.py"]);
    measure.env("HITSCAN_PROGRAM", page::release(root)?);
    announced("what a row costs", || {
        run_command(measure.current_dir(root.join(PACKAGE).join(TESTS)))
    })
}

/// The environment of the tests, of the oldest Python that is there, with the wheel of this checkout, which
/// is the second.
fn with_wheel(root: &Path, kind: Wheel) -> Result<(Environment, PathBuf), String> {
    let package = root.join(PACKAGE);
    let folder = python::target(root)?.join("cluster");
    let environment = announced("packages of the cluster", || {
        let requirements = package.join(TESTS).join("requirements.txt");
        let interpreters = python::interpreters()?;
        let folder = folder.join("environment");
        Environment::with_requirements(&folder, &interpreters[0], &requirements)
    })?;
    let wheel = announced("the wheel on the cluster", || {
        let out = folder.join("wheels");
        let wheel = python::built_wheel(&package, &environment, kind, &out)?;
        environment.install_wheel(&wheel)?;
        Ok(wheel)
    })?;
    Ok((environment, wheel))
}

/// A call of the environment's Python, by itself where the system allows it.
fn alone(environment: &Environment, arguments: &[&str]) -> Command {
    let mut python = environment.command("python");
    python.args(arguments);
    if is_alone_allowed() {
        return inside(&ALONE, &python);
    }
    println!("this system has no namespaces for the tests: they use its own network");
    python
}

fn is_alone_allowed() -> bool {
    let mut attempt = Command::new(ALONE[0]);
    attempt.args(&ALONE[1..]).arg("true");
    let status = attempt.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// A call of `outer` with the call `inner` as its last arguments.
fn inside(outer: &[&str], inner: &Command) -> Command {
    let mut command = Command::new(outer[0]);
    command.args(&outer[1..]);
    command.arg(inner.get_program()).args(inner.get_args());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}
