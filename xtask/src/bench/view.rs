//! `cargo xtask bench view`: the pages of `hitscan view` beside the same rays alone.
//!
//! The program is built as users build it, and `bench/view/`, which is the page that only reads and
//! drives a browser. What the browser needs is installed; where it cannot be, the table says why.

use super::PLAIN_CARGO;
use super::publish::{Markers, publish};
use crate::test::page;
use std::path::Path;
use std::process::{Command, Stdio};

const MARKERS: Markers = Markers {
    begin: "<!-- view: begin (written by `cargo xtask bench view --write`) -->",
    end: "<!-- view: end -->",
};

/// Builds both, and prints what the second finds.
pub(super) fn run(
    root: &Path,
    targets: &Path,
    arguments: &[String],
    writes: bool,
) -> Result<(), String> {
    let browser = install(root);
    if let Err(reason) = &browser {
        println!("{reason}");
    }
    let build = |folder: &Path, package: &str| {
        println!("building {package}");
        let status = Command::new(env!("CARGO"))
            .args(["build", "--locked", "--quiet", "--release", "-p", package])
            .arg("--target-dir")
            .arg(targets)
            .envs(PLAIN_CARGO)
            .current_dir(folder)
            .status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(format!("{package} was not built")),
            Err(error) => Err(format!("cargo did not start: {error}")),
        }
    };
    build(root, "hitscan-cli")?;
    build(&root.join("bench"), "hitscan-bench-view")?;
    let built = targets.join("release");
    let mut bench = Command::new(built.join("hitscan-bench-view"));
    bench.arg(built.join("hitscan")).args(arguments);
    match &browser {
        Ok(()) => page::in_browser(root, &mut bench),
        Err(reason) => {
            bench.args(["--without-browser", reason]);
        }
    }
    let output = bench
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("the bench did not start: {error}"))?;
    let table = String::from_utf8_lossy(&output.stdout);
    print!("{table}");
    if !output.status.success() {
        return Err("the bench failed".to_owned());
    }
    if writes {
        publish(
            &root.join("docs/benchmarks/view.md"),
            &MARKERS,
            table.trim_end(),
        )?;
    }
    Ok(())
}

/// Installs the browser, what drives it, and the peer.
fn install(root: &Path) -> Result<(), String> {
    page::install(root)?;
    page::install_packages(&root.join("bench/view/browser"))
}
