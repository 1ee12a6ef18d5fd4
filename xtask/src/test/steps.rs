//! One step of the checks: its name, what it runs, and how long it took.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs a step between two lines with its name, the second with its time.
pub(super) fn announced<T>(
    name: &str,
    step: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    println!("\n== {name}");
    let start = Instant::now();
    let outcome = step();
    println!("== {name}: {:.1} s", start.elapsed().as_secs_f64());
    outcome
}

/// Runs cargo as a step of its own.
pub(super) fn cargo(
    root: &Path,
    name: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Result<(), String> {
    announced(name, || {
        let status = Command::new(env!("CARGO"))
            .args(arguments)
            .envs(variables.iter().copied())
            .current_dir(root)
            .status()
            .map_err(|error| format!("cargo did not start: {error}"))?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("{name} failed: {status}"))
        }
    })
}

/// Whether the toolchain has a component, which is added where it is missing and rustup manages it.
pub(super) fn has_component(root: &Path, component: &str, command: &str) -> bool {
    let has_it = || {
        Command::new(env!("CARGO"))
            .args([command, "--version"])
            .current_dir(root)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    if has_it() {
        return true;
    }
    println!("installing the missing toolchain component {component}");
    let added = Command::new("rustup")
        .args(["component", "add", component])
        .current_dir(root)
        .status();
    let is_added = added.is_ok_and(|status| status.success()) && has_it();
    if !is_added {
        println!("not run: {component}");
    }
    is_added
}
